"""What has to be there before a procedure can run: packages, commands, files."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Sequence

from hermes.rules.mine.deed import Deed, DeedKind
from hermes.rules.mine.exploring import installed_by
from hermes.rules.mine.shell_text import program_words, script_places, tokens_of
from hermes.rules.mine.word_sets import words
from hermes.rules.mine.worked import Worked

_PACKAGE_OF = {
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "docx": "python-docx",
    "dateutil": "python-dateutil",
    "fitz": "pymupdf",
    "pptx": "python-pptx",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
_OWN_PATH = re.compile(r"(?:[\w.@%+-]+/)*[\w.@%+-]+")  # relative, and no value stands in it
_ALWAYS_THERE = words(
    "awk basename bash cat chmod column comm cp cut date diff dirname echo egrep env expr false "
    "find fold gawk grep gunzip gzip head join ln ls md5sum mkdir mv nl od paste printf python "
    "python3 pwd readlink rm rmdir sed seq sh sha256sum sleep sort split stat tac tail tar tee "
    "test touch tr true uniq wc which xargs zcat for do done if then else fi while in"
)


def dependencies(deeds: Iterable[Deed], local: frozenset[str]) -> tuple[str, ...]:
    """The packages that the programs import; `local` are modules that lie in the workspace."""
    found: set[str] = set()
    for deed in deeds:
        if deed.kind is not DeedKind.PYTHON:
            continue
        for node in ast.walk(ast.parse(deed.text)):
            if isinstance(node, ast.Import):
                found.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    outside = found - sys.stdlib_module_names - local
    return tuple(sorted(_PACKAGE_OF.get(name, name) for name in outside))


def local_modules(examples: Sequence[Worked]) -> frozenset[str]:
    """Python files of the workspace, which a program may import without any package."""
    names = [artefact.name for one in examples for move in one.moves for artefact in move.artefacts]
    names += [move.action.path for one in examples for move in one.moves]
    paths = [name for name in names if name.endswith(".py")]
    return frozenset(part for path in paths for part in path.removesuffix(".py").split("/"))


def commands(deeds: Iterable[Deed]) -> tuple[str, ...]:
    """Commands that not every machine has."""
    found = {
        name
        for deed in deeds
        if deed.kind is DeedKind.SHELL and installed_by(deed.text) is None
        for name in program_words(deed.text)
    }
    return tuple(
        sorted(name for name in found if name not in _ALWAYS_THERE and name.isidentifier())
    )


def own_programs(deeds: Iterable[Deed]) -> tuple[str, ...]:
    """Programs of the project itself, which are run by their path."""
    found: set[str] = set()
    for deed in deeds:
        if deed.kind is not DeedKind.SHELL:
            continue
        tokens = tokens_of(deed.text) or []
        named = [word for word in program_words(deed.text) if "/" in word]
        named += [tokens[at].text for at in script_places(tokens) if not tokens[at].expands]
        found.update(word for word in named if _OWN_PATH.fullmatch(word))
    return tuple(sorted(found))
