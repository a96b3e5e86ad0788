"""What follows from a value: the stem of a path, the last word of a name, another case.

A step says `{input_path_stem}_clean.csv`; the procedure has one parameter, and the rest is made
from it, by the program itself and by whoever needs to know what the program will write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from hermes.records.codec import Json


@dataclass(frozen=True, slots=True)
class Form:
    """A text that follows from a path or word: `code` spells it in Python for a variable."""

    suffix: str
    of: Callable[[str], str]
    code: str


def _last_word(text: str) -> str:
    parts = re.split(r"[_-]", PurePosixPath(text).stem)
    return parts[-1] if len(parts) > 1 else ""


def _first_word(text: str) -> str:
    parts = re.split(r"[_-]", PurePosixPath(text).stem)
    return parts[0] if len(parts) > 1 else ""


def _folder(text: str) -> str:
    folder = str(PurePosixPath(text).parent)
    return "" if folder in (".", "/") else folder


_STEM = "pathlib.PurePath({0}).stem"
# The simpler first: where several explain all examples, the first of them is taken.
FORMS = (
    Form("", str, "{0}"),
    Form("_name", lambda text: PurePosixPath(text).name, "pathlib.PurePath({0}).name"),
    Form("_stem", lambda text: PurePosixPath(text).stem, _STEM),
    Form("_trunk", lambda text: str(PurePosixPath(text).with_suffix("")) if text else "",
         "str(pathlib.PurePath({0}).with_suffix(''))"),
    Form("_last_word", _last_word, f"re.split('[_-]', {_STEM})[-1]"),
    Form("_first_word", _first_word, f"re.split('[_-]', {_STEM})[0]"),
    Form("_folder", _folder, "str(pathlib.PurePath({0}).parent)"),
    Form("_title", str.title, "{0}.title()"),
    Form("_upper", str.upper, "{0}.upper()"),
    Form("_lower", str.lower, "{0}.lower()"),
    Form("_stem_title", lambda text: PurePosixPath(text).stem.title(), f"{_STEM}.title()"),
)  # fmt: skip


def filled(text: str, values: Mapping[str, Json]) -> str:
    """The text with every `{name}` and every form of a value in it; other braces stay."""
    known = {
        f"{name}{form.suffix}": form.of(str(value))
        for name, value in values.items()
        for form in FORMS
    }
    return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], found[0]), text)
