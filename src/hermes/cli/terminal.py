"""The drawn form of Output's screens. Imports rich, so it is imported on a terminal only.

Every text arrives already made visible, and enters rich as Text: markup in it stays text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from hermes.cli.branch import Branch
from hermes.cli.mark import Mark
from hermes.cli.text import visible

_GAP = 2  # between two columns of a table
_LEAST_ROOM = 20  # narrower than this a text says nothing; the table is folded instead
_DIFF_STYLES = (
    ("+++ ", "bold"),
    ("--- ", "bold"),
    ("@@", "cyan"),
    ("+", "green"),
    ("-", "red"),
)

_SIGNS = {Mark.GOOD: ("✓", "green"), Mark.LESS: ("·", "yellow"), Mark.BAD: ("✗", "bold red")}


class Terminal:
    """Draws on one stream; rich itself honours NO_COLOR and TERM=dumb."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, markup=False, highlight=False, emoji=False)

    def heading(self, text: str) -> None:
        self._console.print(Text(text, style="bold cyan"))

    def prompt(self, command: str, sign: str) -> None:
        self._console.print(Text.assemble((f"{sign} ", "dim"), (command, "bold")))

    def claim(self, text: str, holds: bool) -> None:
        sign, style = _SIGNS[Mark.GOOD if holds else Mark.BAD]
        self._console.print(Text(f"{sign} {text}", style=style))

    def diff(self, lines: Sequence[str]) -> None:
        for line in lines:
            style = next((style for mark, style in _DIFF_STYLES if line.startswith(mark)), "")
            self._console.print(Text(line, style=style))

    def table(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        right: Sequence[bool],
        cut: str | None = None,
    ) -> None:
        if cut is not None:
            rows = self._cut(columns, rows, columns.index(cut))
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
        for name, is_right in zip(columns, right, strict=True):
            table.add_column(Text(name), justify="right" if is_right else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        self._console.print(table)

    def fields(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> None:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for name, lines in pairs:
            table.add_row(Text(name), Text("\n".join(lines)))
        self._console.print(table)

    def checks(self, lines: Sequence[tuple[Mark, str, str, str]]) -> None:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for mark, name, says, then in lines:
            sign, style = _SIGNS[mark]
            said = Text(says)
            if then:
                said.append(f"\n→ {then}", style=style)
            table.add_row(Text(sign, style=style), Text(name), said)
        self._console.print(table)

    def tree(self, root: Branch) -> None:
        self._console.print(_grown(Tree(Text(visible(root.label)), guide_style="dim"), root))

    def _cut(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], at: int
    ) -> list[list[str]]:
        """The rows with one column shortened to the room that the others leave."""
        whole = [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]
        room = self._console.width - sum(whole) - _GAP * len(whole) + whole[at]
        shortened = [list(row) for row in rows]
        for row in shortened:
            text = Text(row[at])
            text.truncate(max(room, _LEAST_ROOM), overflow="ellipsis")
            row[at] = text.plain
        return shortened

    @contextmanager
    def progress(self, label: str, total: int | None) -> Iterator[Callable[..., None]]:
        count = () if total is None else (BarColumn(), MofNCompleteColumn())
        described = TextColumn("{task.description}", markup=False)
        bar = Progress(SpinnerColumn(), described, *count, console=self._console, transient=True)
        with bar:
            task = bar.add_task(label, total=total)

            def done(text: str = "") -> None:
                bar.update(task, advance=1, description=visible(text) if text else None)

            yield done


def _grown(tree: Tree, branch: Branch) -> Tree:
    for below in branch.below:
        _grown(tree.add(Text(visible(below.label))), below)
    return tree
