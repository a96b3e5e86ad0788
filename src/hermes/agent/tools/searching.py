"""Finding lines by a regular expression, in a process of its own.

A regular expression can take for ever, and nothing stops one inside the process that runs it. So
the search is a child that can be killed. The file is also that child's program: it uses the
standard library alone, and starts with nothing else.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

HITS = 200
PATIENCE_S = 20.0
_SEARCHED = 2_000_000  # bytes of one file
_LONGEST_LINE = 10_000


def search(pattern: str, files: Sequence[tuple[str, str]]) -> list[str] | None:
    """The lines that fit, as `name:number: line`, one more than `HITS` at most; None where it took
    too long. `files` are paths with the names to tell them by."""
    asked = json.dumps({"pattern": pattern, "files": list(files)})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", __file__],
            input=asked.encode(),
            capture_output=True,
            timeout=PATIENCE_S,
            env={},
            check=True,
        )
    except subprocess.TimeoutExpired:
        return None
    found: list[str] = json.loads(done.stdout)
    return found


def _lines(pattern: re.Pattern[str], path: str, name: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            data = file.read(_SEARCHED)
    except OSError:  # gone meanwhile, or not ours to read
        return []
    if b"\0" in data[:4_096]:
        return []
    return [
        f"{name}:{number}: {line.strip()[:300]}"
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1)
        if len(line) < _LONGEST_LINE and pattern.search(line)
    ]


def _main() -> None:
    asked = json.load(sys.stdin)
    pattern = re.compile(asked["pattern"])
    found: list[str] = []
    for path, name in asked["files"]:
        found += _lines(pattern, path, name)
        if len(found) > HITS:
            break
    json.dump(found[: HITS + 1], sys.stdout)


if __name__ == "__main__":
    _main()
