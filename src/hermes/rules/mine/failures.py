"""What went wrong, in our own words.

An error's text comes out of a tool, and whoever writes a file can put sentences there. So nothing
of it is kept but the kind of error: a known shape is told by a sentence of ours, an unknown one by
the name of its exception alone.
"""

from __future__ import annotations

import re

_SHAPES = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (r"UnicodeDecodeError|codec can't decode", "The input is not in the expected encoding."),
        (r"ModuleNotFoundError|No module named", "A Python package that is needed is missing."),
        (r"command not found|: not found$", "A command that is needed is not installed."),
        (r"KeyError|not in index|Usecols do not match", "A column or key has another name."),
        (r"FileNotFoundError|No such file or directory", "A file or folder is not there."),
        (r"FileExistsError|File exists", "The output is there already."),
        (r"IsADirectoryError|Is a directory", "A folder was given where a file is needed."),
        (r"PermissionError|Permission denied", "A file may not be read or written."),
        (r"JSONDecodeError|parse error: Invalid", "The input is not valid JSON."),
        (r"ParserError|Error tokenizing data", "Rows have different numbers of fields."),
        (
            r"could not convert string to float|invalid literal for int|InvalidOperation",
            "A value that should be a number is not written as one.",
        ),
        (
            r"does not match format|Unknown datetime string|Unknown string format|Invalid isoform",
            "A date is written in another format.",
        ),
        (r"ZeroDivisionError", "A division by zero: a group or total is empty."),
        (r"IndexError|list index out of range", "A row has fewer fields than expected."),
        (r"unrecognized arguments|invalid option|illegal option", "An option is not known."),
        (r"SyntaxError|IndentationError|unexpected EOF|syntax error", "The code is not valid."),
        (r"NameError|AttributeError", "A name does not exist in this version or at this place."),
        (r"MemoryError|Killed", "The input is too large to be held at once."),
        (r"no matches found|No such column|no such column", "A name matches nothing."),
    )
)
_EXCEPTION = re.compile(r"^(?:[a-z_]+\.)*([A-Z][A-Za-z]{1,40}(?:Error|Exception|Exit))\b", re.M)
_TRANSIENT = re.compile(
    r"timed? ?out|connection (?:reset|refused|aborted)|temporarily unavailable|rate limit|"
    r"\b(?:429|502|503|504)\b|try again|EOF occurred|Resource busy|network is unreachable",
    re.IGNORECASE,
)


def is_transient(output: str) -> bool:
    """A failure that the same call does not repeat: nothing is learned from it."""
    return _TRANSIENT.search(_end(output)) is not None


def told(output: str) -> str:
    """One sentence about an error; empty where nothing recognisable went wrong."""
    end = _end(output)
    for pattern, sentence in _SHAPES:
        if pattern.search(end):
            return sentence
    exceptions = _EXCEPTION.findall(end)
    return f"It ends with {exceptions[-1]}." if exceptions else ""


def _end(output: str) -> str:
    """The last lines: where a traceback says what it was."""
    return "\n".join(output.strip().split("\n")[-6:])
