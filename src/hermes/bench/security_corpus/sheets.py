"""Reads the sheets: plain text, because attacks quoted inside Python strings are hard to review.

A sheet has `# key: value` lines about the family, then variants. A variant opens with `== name`,
may have `key: value` lines, and holds parts: `-- description`, `-- prose Heading`, `-- file path`,
`-- meta key`, each followed by its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from hermes.errors import CorruptData

COVERS = "covers"


@dataclass(frozen=True, slots=True)
class Variant:
    """One hand-written way to do what the family does."""

    name: str
    options: dict[str, str] = field(default_factory=dict)
    description: str = ""
    prose: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    meta: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One family. `held_out` families are never looked at case by case while rules are tuned."""

    family: str
    held_out: bool
    what: str
    variants: tuple[Variant, ...]


@cache
def covers() -> tuple[Variant, ...]:
    return _read(_folder().joinpath(f"{COVERS}.txt")).variants


@cache
def sheets(label: str) -> tuple[Sheet, ...]:
    """The families of one label, in the order of their names."""
    folder = _folder().joinpath(label)
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return tuple(_read(entry) for entry in entries if entry.name.endswith(".txt"))


def _folder() -> Traversable:
    return resources.files(__package__).joinpath("sheets")


def _read(source: Traversable) -> Sheet:
    head, *blocks = source.read_text(encoding="utf-8").split("\n== ")
    about = dict(_options(line.removeprefix("# ") for line in head.splitlines()))
    if "family" not in about:
        raise CorruptData("the sheet does not name its family", where=source.name, line=1)
    variants = tuple(_variant(block) for block in blocks)
    if about.get("uses") == COVERS:
        variants = covers()
    return Sheet(about["family"], about.get("held out") == "yes", about.get("what", ""), variants)


def _variant(block: str) -> Variant:
    head, *parts = ("\n" + block).split("\n-- ")
    name, *lines = head.strip().splitlines()
    prose, files, meta, description = [], [], [], ""
    for part in parts:
        title, _, text = part.partition("\n")
        kind, _, label = title.partition(" ")
        text = text.strip("\n") + "\n"
        if kind == "description":
            description = " ".join(text.split())
        elif kind == "prose":
            prose.append((label, text))
        elif kind == "file":
            files.append((label, text))
        elif kind == "meta":
            meta.append((label, text.strip()))
        else:
            raise CorruptData(f"unknown part {kind!r} in variant {name}", where="security sheets")
    options = dict(_options(lines))
    return Variant(name.strip(), options, description, tuple(prose), tuple(files), tuple(meta))


def _options(lines: Iterator[str] | list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        key, colon, value = line.partition(": ")
        if colon:
            yield key.strip(), value.strip()
