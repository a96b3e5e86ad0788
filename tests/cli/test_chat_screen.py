"""What the chat shows while the agent works, byte by byte."""

from __future__ import annotations

import io

import pytest

from hermes.cli.chat.screen import Screen, is_drawn
from hermes.records.tool_answer import ToolAnswer


def _plain() -> tuple[Screen, io.StringIO]:
    stream = io.StringIO()
    return Screen(stream, drawn=False), stream


def test_words_come_as_they_are_and_lines_end_before_deeds() -> None:
    screen, stream = _plain()
    screen.text("Let me ")
    screen.text("look.")
    screen.calling("shell", "shell: ls")
    screen.called("shell", ToolAnswer(text="data.csv"))
    screen.text("One file.")
    screen.fresh_line()
    assert stream.getvalue() == "Let me look.\n  · shell: ls\nOne file.\n"


def test_a_failure_is_told_by_its_first_line() -> None:
    screen, stream = _plain()
    screen.called("shell", ToolAnswer(text="\n\n no such file \nmore", failed=True))
    assert stream.getvalue() == "    no such file\n"


def test_a_long_call_is_cut_to_the_screen() -> None:
    screen, stream = _plain()
    screen.calling("shell", "shell: " + "字" * 100)
    line = stream.getvalue().rstrip("\n")
    assert line.endswith("…")
    assert len(line.encode("utf-16-le")) // 2 < 60  # wide letters take two columns of the 80


@pytest.mark.parametrize("way", ["text", "note", "say", "complain"])
def test_nothing_commands_the_terminal(way: str) -> None:
    screen, stream = _plain()
    getattr(screen, way)("a\x1b[2Jb\rc\u202ed")
    assert stream.getvalue().rstrip("\n") == "a\\x1b[2Jb\\rc\\u202ed"


def test_what_shows_that_something_is_awaited_vanishes() -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.waiting()
    screen.waiting()
    assert stream.getvalue().count("…") == 1
    screen.text("Here.")
    assert stream.getvalue().endswith("\r\x1b[KHere.")
    screen.note("done")
    assert stream.getvalue().endswith("Here.\n\x1b[2mdone\x1b[0m\n")


@pytest.mark.parametrize(
    ("environ", "drawn"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
    ],
)
def test_a_terminal_that_wants_no_colours_gets_none(environ: dict[str, str], drawn: bool) -> None:
    assert is_drawn(environ) is drawn
