"""What a command shows: tables, trees, key-value screens, JSON, progress.

On a terminal it is drawn with rich; in a pipe it is plain aligned text that other programs can
cut, never wrapped or shortened. All of it passes through `visible`, so nothing that came from a
skill, a file or a model can command the terminal. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from hermes.cli.branch import Branch
from hermes.cli.exits import ReaderGone
from hermes.cli.text import padded, visible, width
from hermes.errors import DiskFailed

__all__ = ["Branch", "Output", "cell"]

TYPE_CHECKING = False  # typing costs 4 ms, and `hermes --version` comes through here
if TYPE_CHECKING:
    from typing import TextIO

    from hermes.cli.mark import Mark
    from hermes.cli.terminal import Terminal


class Output:
    """Both streams of one command."""

    def __init__(self, results: TextIO, notes: TextIO) -> None:
        self._results = results
        self._notes = notes
        self._terminal: Terminal | None = None

    @property
    def results(self) -> TextIO:
        """The stream itself, for whoever runs another command on the same page."""
        return self._results

    @property
    def is_terminal(self) -> bool:
        return self._results.isatty()

    def line(self, text: str = "") -> None:
        """One line; a line break in it is shown, not made."""
        self._write(visible(text) + "\n")

    def block(self, text: str) -> None:
        """Text of several lines, like a file or a diff."""
        self._write(visible(text, keep_lines=True).rstrip("\n") + "\n")

    def json(self, value: object) -> None:
        """One canonical line; records, times and mappings are written as their plain values."""
        from hermes.ids import canonical_json
        from hermes.records.codec import to_plain

        text = canonical_json(to_plain(value))
        if visible(text) != text:
            text = "".join(one if visible(one) == one else _json_escape(one) for one in text)
        self._write(text + "\n")

    def heading(self, text: str) -> None:
        """A line that stands out from those below it."""
        if self.is_terminal:
            self._drawn().heading(visible(text))
        else:
            self.line(text)

    def prompt(self, command: str, sign: str = "$") -> None:
        """A command as a person would type it, behind the sign of whoever waits for it."""
        if self.is_terminal:
            self._drawn().prompt(visible(command), visible(sign))
        else:
            self.line(f"{sign} {command}")

    def claim(self, text: str, holds: bool) -> None:
        """Something that was checked a moment ago, and how that went."""
        if self.is_terminal:
            self._drawn().claim(visible(text), holds)
        else:
            self.line(f"{'ok' if holds else 'NOT SO'}: {text}")

    def diff(self, text: str) -> None:
        """A unified diff, its two sides told apart by colour where there is colour."""
        if self.is_terminal:
            self._drawn().diff(visible(text, keep_lines=True).rstrip("\n").split("\n"))
        else:
            self.block(text)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        empty: str,
        *,
        cut: str | None = None,
    ) -> None:
        """Rows under their headings; `empty` is the line that stands for no rows at all.

        `cut` is the column that gives way where a terminal is narrow; a pipe gets it whole.
        """
        rows = list(rows)
        if not rows:
            self.line(empty)
            return
        columns = [visible(name) for name in columns]
        cells = [list(map(cell, row)) for row in rows]
        right = [_is_numeric(row[number] for row in rows) for number in range(len(columns))]
        if self.is_terminal:
            self._drawn().table(columns, cells, right, cut)
            return
        lines = [columns, *cells]
        widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
        self._write("".join(f"{_aligned(line, widths, right)}\n" for line in lines))

    def fields(self, pairs: Iterable[tuple[str, object]]) -> None:
        """A screen of names and values; a value of several lines keeps them, indented."""
        shown = [(visible(name), _lines(value)) for name, value in pairs]
        if self.is_terminal:
            self._drawn().fields(shown)
            return
        margin = max((width(name) for name, _ in shown), default=0) + 2
        for name, lines in shown:
            self._write(f"{padded(name, margin)}{lines[0]}".rstrip() + "\n")
            for more in lines[1:]:
                self._write(f"{' ' * margin}{more}".rstrip() + "\n")

    def checks(self, lines: Iterable[tuple[Mark, str, str, str]]) -> None:
        """One line for each thing looked at, with what to do below it where that is known."""
        shown = [
            (mark, visible(name), cell(says), visible(then)) for mark, name, says, then in lines
        ]
        if self.is_terminal:
            self._drawn().checks(shown)
            return
        margin = max((width(name) for _, name, _, _ in shown), default=0) + 2
        for mark, name, says, then in shown:
            self._write(f"{mark:<6}{padded(name, margin)}{says}\n")
            if then:
                self._write(f"{' ' * (6 + margin)}{then}\n")

    def tree(self, root: Branch) -> None:
        if self.is_terminal:
            self._drawn().tree(root)
            return
        self.line(root.label)
        self._branches(root.below, "")

    def note(self, text: str, end: str = "\n") -> None:
        """A remark beside the result, on stderr."""
        self._notes.write(visible(text) + end)
        self._notes.flush()

    def progress(
        self, label: str, total: int | None = None
    ) -> AbstractContextManager[Callable[..., None]]:
        """Call what it gives once for each piece done; it shows on a terminal, never in a pipe.

        A text given to that call takes the place of the label.
        """
        if not self._notes.isatty():
            return nullcontext(_nothing)
        from hermes.cli.terminal import Terminal

        return Terminal(self._notes).progress(visible(label), total)

    def flush(self) -> None:
        self._attempt(self._results.flush)

    def _branches(self, branches: Sequence[Branch], indent: str) -> None:
        for branch in branches:
            is_last = branch is branches[-1]
            self._write(f"{indent}{'└── ' if is_last else '├── '}{visible(branch.label)}\n")
            self._branches(branch.below, indent + ("    " if is_last else "│   "))

    def _drawn(self) -> Terminal:
        if self._terminal is None:
            from hermes.cli.terminal import Terminal

            self._terminal = Terminal(self._results)
        return self._terminal

    def _write(self, text: str) -> None:
        self._attempt(lambda: self._results.write(text))

    def _attempt(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as error:
            self._abandon()
            if isinstance(error, BrokenPipeError):
                raise ReaderGone from None
            raise DiskFailed(f"the output cannot be written: {error.strerror}") from error

    def _abandon(self) -> None:
        """Let the interpreter flush the rest into nothing at its exit; it would fail again."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._results.fileno())
        os.close(nowhere)


def cell(value: object) -> str:
    """A value as a person reads it."""
    if isinstance(value, str):  # first, because most are
        return visible(value) or "-"
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(cell, value)) or "-"
    if hasattr(value, "astimezone"):  # a datetime, without importing it for those who show none
        return f"{value.astimezone():%Y-%m-%d %H:%M:%S}"
    return visible(str(value))


def _lines(value: object) -> list[str]:
    if isinstance(value, str) and "\n" in value:
        return visible(value.rstrip("\n"), keep_lines=True).split("\n")
    return [cell(value)]


def _is_numeric(values: Iterable[object]) -> bool:
    """Whether a column is aligned to the right; a gap in it does not change that."""
    known = [value for value in values if value is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in known
    )


def _aligned(line: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    parts = (
        padded(text, columns, right=to_right)
        for text, columns, to_right in zip(line, widths, right, strict=True)
    )
    return "  ".join(parts).rstrip()


def _json_escape(one: str) -> str:
    """What a terminal would obey or hide, as JSON may also write it: the value stays the same."""
    units = one.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _nothing(_label: str = "") -> None:
    """Progress that nobody watches."""
