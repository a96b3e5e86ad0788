"""How much each phrase of a tool profile tells about what was wanted.

Everybody lists folders and shows files, whatever they are after; a program that few tasks need, or
a module that a program imports, says a lot. The weights are fixed, not counted in somebody's store:
so what was placed yesterday is compared by the same measure as what is placed today.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.rules.mine.word_sets import words

_LOOK_AROUND = words(
    "ls cat head tail pwd wc find grep rg echo mkdir which df file python bash sh cp mv rm touch "
    "chmod sort uniq cut sed tr less tree"
)
_ALONG_THE_WAY = frozenset(
    {"git status", "git log", "git diff", "git add", "git commit", "git show", "pip install"}
)
_PLAIN_KINDS = frozenset({"py", "md", "txt"})
"""Files that any work reads and writes along the way."""
_LOOK_WEIGHT, _READ_WEIGHT, _WRITE_WEIGHT, _PROGRAM_WEIGHT = 0.1, 0.3, 0.5, 1.0
_MOST_SPOKEN = 12
_FILES = " files"


def weight(phrase: str) -> float:
    """How much a phrase that two runs share says, against one that names a rare program."""
    act, _, what = phrase.partition(" ")
    if act == "runs" and (what in _LOOK_AROUND or what in _ALONG_THE_WAY):
        return _LOOK_WEIGHT
    if phrase.endswith(_FILES) or act == "reads":
        return _READ_WEIGHT
    if act in ("writes", "edits"):
        return _WRITE_WEIGHT
    return _PROGRAM_WEIGHT


def telling(phrases: Sequence[str]) -> list[str]:
    """Those that tell one task from another: programs, modules, tools, less usual kinds of files.

    Programs first, each once; the order of the alphabet otherwise.
    """
    programs = [one for one in phrases if weight(one) == _PROGRAM_WEIGHT]
    kinds = [
        one
        for one in phrases
        if one.endswith(_FILES) and one.removesuffix(_FILES) not in _PLAIN_KINDS
    ]
    return [*programs, *kinds]


def spoken(phrases: Sequence[str]) -> str:
    """The telling ones as a reader would name them: `docker build, pandas, csv`."""
    return ", ".join(map(_name, telling(phrases)[:_MOST_SPOKEN]))


def _name(phrase: str) -> str:
    act, _, rest = phrase.partition(" ")
    if rest == _FILES.strip():
        return act
    if act == "uses":
        return " ".join(rest.removeprefix("mcp__").replace("_", " ").split())
    return rest.replace("_", " ")
