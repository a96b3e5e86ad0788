"""Which Python packages a skill declares: in requirements.txt, in its scripts, and in its row.

A script declares by the block that the standard gives it (PEP 723, `# /// script`). A line that is
more than a name with versions is kept as it stands: whoever installs it refuses it by name, which
says more than leaving it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hermes.records.folder import Folder

_LISTS = ("requirements.txt", "scripts/requirements.txt")
_BLOCK = re.compile(r"(?m)^# /// script$\n(?P<content>(?:^#(?: .*)?$\n)+?)^# ///$")
_COMMENT = re.compile(r"(^|\s)#.*")


def declared(folder: Folder, dependencies: Sequence[str] = ()) -> tuple[str, ...]:
    """Each once, in one order; `dependencies` are those that the skill's row names."""
    found = {*dependencies}
    for path, file in folder.files.items():
        if path in _LISTS:
            found.update(_listed(file.data.decode("utf-8", "replace")))
        elif path.startswith("scripts/") and path.endswith(".py"):
            found.update(_in_script(file.data.decode("utf-8", "replace")))
    return tuple(sorted(one.strip() for one in found if one.strip()))


def _listed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield _COMMENT.sub("", line)


def _in_script(text: str) -> Iterator[str]:
    block = _BLOCK.search(text.replace("\r\n", "\n"))
    if block is None:
        return
    import tomllib  # hardly any script has such a block

    lines = (line[2:] for line in block["content"].splitlines())
    try:
        metadata = tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return  # a comment that only looks like a declaration
    names = metadata.get("dependencies")
    yield from (one for one in names if isinstance(one, str)) if isinstance(names, list) else ()
