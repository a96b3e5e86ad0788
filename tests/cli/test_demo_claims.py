"""The demo believes nothing: what it claims and is not so ends in exit code 1."""

from __future__ import annotations

import io
from pathlib import Path

from hermes.cli.demo import tell
from hermes.cli.demo.narrator import Narrator
from hermes.cli.output import Output


def told(home: Path, *chapters: object) -> tuple[int, str]:
    page = io.StringIO()
    code = tell(Output(page, io.StringIO()), home, chapters)  # type: ignore[arg-type]
    return code, page.getvalue()


def test_a_claim_that_holds(tmp_path: Path) -> None:
    def chapter(narrator: Narrator, number: int) -> None:
        narrator.chapter(number, "A chapter", "Its text.")
        narrator.claim("water is wet", True)

    code, page = told(tmp_path, chapter)
    assert code == 0
    assert "1. A chapter\nIts text.\nok: water is wet\n" in page
    assert "All 1 claims were checked" in page


def test_a_claim_that_does_not_hold(tmp_path: Path) -> None:
    def chapter(narrator: Narrator, number: int) -> None:
        narrator.claim("water is dry", False)
        narrator.claim("water is wet", True)

    code, page = told(tmp_path, chapter)
    assert code == 1
    assert "NOT SO: water is dry" in page
    assert page.endswith("1 of 2 claims did not hold:\n  water is dry\n")


def test_a_command_that_fails(tmp_path: Path) -> None:
    def chapter(narrator: Narrator, number: int) -> None:
        printed = narrator.hermes("skills", "show", "nothing")
        assert "there is no skill 'nothing'" in printed

    code, page = told(tmp_path, chapter)
    assert code == 1
    assert "$ hermes skills show nothing\nhermes: there is no skill 'nothing'" in page
    assert "NOT SO: `hermes skills show nothing` is done" in page
