"""What a file held, from what a tool showed of it: whole, or why not.

A view that left something out must never pass for the file: replay would run on half an input and
call the result proven.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hermes.records.codec import Json

ONLY_A_PART = "only a part of the file was shown"
CUT_OUTPUT = "the output was cut"
NO_TEXT = "the tool's answer is not the file's text"

_REMINDER = re.compile(r"\s*<system-reminder>.*?</system-reminder>\s*\Z", re.DOTALL)
_NUMBERED = re.compile(r"[ \t]*(\d+)(?:→|\t|\|[ ]?|: )(.*)\Z", re.DOTALL)
_NUMBERS = re.compile(r"\A[ \t]*0*1(?:→|\t|\||: )")
_FRAME = re.compile(
    r"\A\s*(?:<path>.*?</path>\s*)?(?:<type>.*?</type>\s*)?<(file|content)>\n?"
    r"(.*?)\n?</\1>\s*\Z",
    re.DOTALL,
)
_END_OF_FILE = re.compile(r"\n*\(End of file[^)\n]*\)\s*\Z")
_CUT = re.compile(
    r"(?:\.{3}|…)[ \[]{0,2}\d+ (?:more )?(?:lines?|characters|chars|bytes|tokens) "
    r"(?:truncated|omitted)|"
    r"(?:output|content|file|result|text)(?: has been| was| is)? truncated|<response clipped>|"
    r"\(file has more lines|\[truncated\b|… \(truncated\)|characters omitted|"
    r"use 'offset' parameter to read beyond"
)
_REFUSAL = re.compile(
    r"\A\s*(?:<tool_use_error>|Error:|File does not exist|File not found|"
    r"Wasted call|File unchanged since last read)",
    re.IGNORECASE,
)
_PARTS = (
    "offset",
    "limit",
    "start_line",
    "end_line",
    "startLine",
    "endLine",
    "view_range",
    "line_start",
    "line_end",
    "pages",
)
_CUT_SIGNS = ("truncated", "omitted", "clipped", "file has more lines", "'offset' parameter")


class Shown(NamedTuple):
    """The whole text, or why it is not known."""

    text: str | None
    why: str = ""


def shown_by_read(output: str, arguments: Mapping[str, Json], data: Mapping[str, Json]) -> Shown:
    """What the answer of a reading tool says of the file."""
    told = _told(data)
    if told is not None:
        return told
    if any(arguments.get(key) not in (None, 0, "") for key in _PARTS):
        return Shown(None, ONLY_A_PART)
    text = _REMINDER.sub("", output) if "<system-reminder>" in output else output
    if _REFUSAL.match(text):
        return Shown(None, NO_TEXT)
    if text.lstrip()[:1] == "<" and (framed := _FRAME.match(text)):
        text = framed[2]
    if "(End of file" in text[-200:]:
        text = _END_OF_FILE.sub("", text)
    if is_cut(text):
        return Shown(None, CUT_OUTPUT)
    return Shown(with_last_newline(_without_numbers(text)))


def is_cut(output: str) -> bool:
    """Whether an agent left something out of what it shows, and says so."""
    lowered = output.lower()
    if not any(sign in lowered for sign in _CUT_SIGNS):  # hardly ever; a pattern costs far more
        return False
    return _CUT.search(lowered) is not None


def with_last_newline(text: str) -> str:
    """Logs strip the last line's end, and hardly any text file lacks it."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _told(data: Mapping[str, Json]) -> Shown | None:
    """Some agents keep the file itself beside the view of it."""
    file = data.get("file")
    if not isinstance(file, Mapping) or not isinstance(file.get("content"), str):
        return None
    lines, total = file.get("numLines"), file.get("totalLines")
    if file.get("startLine", 1) not in (0, 1) or (total is not None and lines != total):
        return Shown(None, ONLY_A_PART)
    return Shown(with_last_newline(file["content"]))


def _without_numbers(text: str) -> str:
    """The lines without their numbers, where every line has the next one."""
    if not _NUMBERS.match(text):
        return text
    bare = []
    for expected, line in enumerate(text.rstrip("\n").split("\n"), 1):
        match = _NUMBERED.match(line)
        if match is None or int(match[1]) != expected:
            return text
        bare.append(match[2])
    return "\n".join(bare)
