"""The drawn form of Output's screens. Imports rich, so it is imported on a terminal only.

Every text arrives already made visible, and enters rich as Text: markup in it stays text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from hermes.cli.output import Branch
from hermes.cli.text import visible


class Terminal:
    """Draws on one stream; rich itself honours NO_COLOR and TERM=dumb."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, markup=False, highlight=False, emoji=False)

    def table(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]
    ) -> None:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for name, is_right in zip(columns, right, strict=True):
            table.add_column(Text(name), justify="right" if is_right else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        self._console.print(table)

    def fields(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> None:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for name, lines in pairs:
            table.add_row(Text(name), Text("\n".join(lines)))
        self._console.print(table)

    def tree(self, root: Branch) -> None:
        self._console.print(_grown(Tree(Text(visible(root.label)), guide_style="dim"), root))

    @contextmanager
    def progress(self, label: str, total: int | None) -> Iterator[Callable[[], None]]:
        count = () if total is None else (BarColumn(), MofNCompleteColumn())
        described = TextColumn("{task.description}", markup=False)
        bar = Progress(SpinnerColumn(), described, *count, console=self._console, transient=True)
        with bar:
            task = bar.add_task(label, total=total)
            yield lambda: bar.advance(task)


def _grown(tree: Tree, branch: Branch) -> Tree:
    for below in branch.below:
        _grown(tree.add(Text(visible(below.label))), below)
    return tree
