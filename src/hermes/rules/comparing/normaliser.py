"""What is put aside before two texts are compared, and nothing else is.

Always: kinds of line ends, a byte order mark, blanks at the end of a line, empty lines at the end
of the text. Only where it is asked for: moments, durations, and the folder that the work was in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOMENT = re.compile(
    r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?"
    r"|\b(?:[A-Z][a-z]{2} ){1,2}[ \d]\d \d\d:\d\d:\d\d(?: [A-Z]{3,4})?(?: \d{4})?"
    r"|(?<![\d:])\d\d:\d\d:\d\d(?:[.,]\d+)?(?![\d:])"
)
_DURATION = re.compile(
    r"(?<![\w.])\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?)\b(?!/)"
    r"|(?<=real\t)\d+m[\d.]+s|(?<=user\t)\d+m[\d.]+s|(?<=sys\t)\d+m[\d.]+s"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normaliser:
    """`folders` are names of the one working folder, on either side; they are read as `.`."""

    moments: bool = False
    durations: bool = False
    folders: tuple[str, ...] = ()

    @property
    def stated(self) -> str:
        """What it puts aside, in words for a report."""
        asked = {"times of day": self.moments, "durations": self.durations}
        parts = ["line ends", "trailing blanks", *(name for name, is_so in asked.items() if is_so)]
        return ", ".join([*parts, "the working folder's own path"] if self.folders else parts)

    def lines(self, text: str) -> list[str]:
        """The lines that are compared."""
        for folder in sorted(filter(None, self.folders), key=len, reverse=True):
            text = _without_folder(text, folder.rstrip("/"))
        if self.moments:
            text = _MOMENT.sub("<moment>", text)
        if self.durations:
            text = _DURATION.sub("<duration>", text)
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        lines = [line.rstrip() for line in text.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        return lines


def _without_folder(text: str, folder: str) -> str:
    """`/home/ann/proj/x` is `x`, and `/home/ann/proj` alone is `.`; `/home/ann/project` stays."""
    if not folder or folder not in text:
        return text
    name = rf"(?<![\w/.-]){re.escape(folder)}"
    return re.sub(rf"{name}(?![\w/.-])", ".", re.sub(rf"{name}/", "", text))
