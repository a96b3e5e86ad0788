"""Two states of a skill's folder as one text that a reviewer can trust.

A diff is what a person reads before saying yes. So nothing in it may act on the terminal or hide
from the eye: control, invisible and direction-changing characters are written as `<U+202E>`. It
is also bounded, in work and in length, and says so where it was cut.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import Match, SequenceMatcher

from hermes.records.folder import FileContent, Folder

MAX_COMPARISONS = 2_000_000
"""How many lines are looked at to align two texts, which takes about a second; after that, all
between the first and the last difference is shown as removed and added."""
MAX_LINES = 20_000
"""Lines of the whole diff; more than this nobody reads."""

_CONTEXT = 3
_LONGEST_LINE = 2_000
_Opcode = tuple[str, int, int, int, int]  # as difflib has it: tag, old from and to, new from and to
_MAYBE_HIDDEN = re.compile(r"[^\x20-\x7e\t]")


def unified(old: Folder | None, new: Folder | None, labels: tuple[str, str]) -> str:
    """What changed, file by file, in path order; empty when nothing did.

    None is a folder that does not exist: everything was added, or removed.
    """
    before = old.files if old else {}
    after = new.files if new else {}
    lines: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        for line in _file_diff(path, before.get(path), after.get(path), labels):
            if len(lines) == MAX_LINES:
                return "\n".join([*lines, f"… cut after {MAX_LINES:,} lines", ""])
            lines.append(line)
    return "\n".join([*lines, ""]) if lines else ""


def _file_diff(
    path: str, old: FileContent | None, new: FileContent | None, labels: tuple[str, str]
) -> Iterator[str]:
    if old == new:
        return
    shown = _visible(path)
    if new and new.executable != (old is not None and old.executable):
        yield f"{shown}: {'now' if new.executable else 'no longer'} executable"
    before, after = _text(old), _text(new)
    if before is None or after is None:
        yield from _binary(shown, old, new)
        return
    if before == after and old and new:
        return
    yield f"--- {f'{labels[0]}/{shown}' if old else '/dev/null'}"
    yield f"+++ {f'{labels[1]}/{shown}' if new else '/dev/null'}"
    yield from _hunks(_lines(before), _lines(after))


def _binary(path: str, old: FileContent | None, new: FileContent | None) -> Iterator[str]:
    if old is None and new is not None:
        yield f"binary file added: {path}, {len(new.data):,} bytes"
    elif new is None and old is not None:
        yield f"binary file removed: {path}, {len(old.data):,} bytes"
    elif old and new and old.data != new.data:
        yield f"binary file changed: {path}, {len(old.data):,} → {len(new.data):,} bytes"


def _text(file: FileContent | None) -> str | None:
    """The file's text, empty for a file that is not there, None for a binary one."""
    if file is None:
        return ""
    if b"\0" in file.data:
        return None
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _lines(text: str) -> list[str]:
    """Lines without their LF; a text that lacks the last one differs from one that has it."""
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += "\n"  # cannot be in any other line, so the two never compare as equal
    else:
        lines.pop()
    return lines


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    try:
        groups = list(_BoundedMatcher(None, old, new).get_grouped_opcodes(_CONTEXT))
    except _TooMuchWork:
        groups = [_middle_replaced(old, new)]
    for group in groups:
        (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
        yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@"
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from _marked(" ", old[a:b])
            else:
                yield from _marked("-", old[a:b])
                yield from _marked("+", new[c:d])


class _TooMuchWork(Exception):
    """Aligning two texts would take too long."""


class _BoundedMatcher(SequenceMatcher[str]):
    """difflib's matcher, which is cubic at worst, stopped when it has looked at enough lines."""

    work = 0

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        self.work += ahi - alo if ahi is not None else 0  # difflib itself always says how far
        if self.work > MAX_COMPARISONS:
            raise _TooMuchWork
        return super().find_longest_match(alo, ahi, blo, bhi)


def _middle_replaced(old: list[str], new: list[str]) -> list[_Opcode]:
    """All between the first and the last difference removed, and the other added."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    before = min(start, _CONTEXT)
    after = min(end, _CONTEXT)
    a, b = len(old) - end, len(new) - end
    return [
        ("equal", start - before, start, start - before, start),
        ("replace", start, a, start, b),
        ("equal", a, a + after, b, b + after),
    ]


def _common(old: list[str], new: list[str]) -> int:
    """How many first lines are the same."""
    pairs = zip(old, new, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))


def _range(start: int, end: int) -> str:
    """Lines as the format counts them: from 1, or, for none, the number of the line before."""
    return f"{start + 1 if end > start else start},{end - start}"


def _marked(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        text = _visible(line.removesuffix("\n"))
        if len(text) > _LONGEST_LINE:
            text = f"{text[:_LONGEST_LINE]}… ({len(text) - _LONGEST_LINE:,} characters more)"
        yield mark + text
        if line.endswith("\n"):
            yield "\\ No newline at end of file"


def _visible(text: str) -> str:
    return _MAYBE_HIDDEN.sub(_named_if_hidden, text)


def _named_if_hidden(match: re.Match[str]) -> str:
    c = match.group()
    hidden = unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return f"<U+{ord(c):04X}>" if hidden else c
