"""What stands behind a slash becomes the words of a command line."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hermes.cli.chat.slash import COMMANDS, Around, help_page, split, words_of
from hermes.errors import WrongCall

ONE = {"candidate_0abc": "pr-review"}
TWO = {"candidate_0abc": "pr-review", "candidate_0xyz": "release-notes"}


def _around(
    waiting: Mapping[str, str] = ONE, answers: Mapping[str, str] | None = None
) -> tuple[Around, list[str]]:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return (answers or {}).get(question.split("?")[0], "")

    around = Around(trajectory_id="trajectory_1", user="root", waiting=lambda: waiting, ask=ask)
    return around, asked


def _words(line: str, waiting: Mapping[str, str] = ONE, **answers: str) -> list[str]:
    name, rest = split(line)
    around, _ = _around(waiting, {key.replace("_", " "): text for key, text in answers.items()})
    return COMMANDS[name].words(words_of(rest), around)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/skills", "skills list"),
        ("/skills why pr-review", "skills why pr-review"),
        ("/rate", "rate trajectory_1 up"),
        ("/rate 3", "rate trajectory_1 3"),
        ("/model", "model list"),
        ("/model openai:gpt-5", "model use openai:gpt-5"),
        ("/model pull", "model pull"),
        ("/memory", "memory list"),
        ("/memory forget 0abc", "memory forget 0abc"),
        ("/learn /logs --format codex", "learn /logs --format codex"),
        ("/review", "review show candidate_0abc"),
        ("/review list", "review list"),
        ("/review show --brief", "review show candidate_0abc --brief"),
        ("/review approve", "review approve candidate_0abc --by root"),
        ("/review approve --by ana", "review approve candidate_0abc --by ana"),
        ("/review approve pr-review --by ana", "review approve candidate_0abc --by ana"),
        ("/review approve 0ab --by ana", "review approve 0ab --by ana"),
        ("/review approve candidate_9 --by ana", "review approve candidate_9 --by ana"),
    ],
)
def test_words(line: str, words: str) -> None:
    assert _words(line) == words.split()


def test_words_that_are_meant_as_one_text_stay_one() -> None:
    assert _words("/correct don't count the header")[-2:] == ["--", "don't count the header"]
    assert _words("/memory add the build needs node 20 --kind declarative") == [
        *("memory", "add", "the build needs node 20", "--kind", "declarative")
    ]
    assert _words("/review reject it is too vague --by ana") == [
        *("review", "reject", "candidate_0abc", "--reason", "it is too vague", "--by", "ana")
    ]


def test_with_several_waiting_one_has_to_be_named() -> None:
    assert _words("/review", TWO) == ["review", "list"]
    assert _words("/review show release-notes", TWO) == ["review", "show", "candidate_0xyz"]
    with pytest.raises(WrongCall, match="say which one"):
        _words("/review approve", TWO)


def test_who_decides_and_why_are_asked_for() -> None:
    assert _words("/review reject", who_decides_this="ana", what_is_wrong_with_it="vague") == [
        *("review", "reject", "candidate_0abc", "--reason", "vague", "--by", "ana")
    ]
    with pytest.raises(WrongCall, match="without a reason"):
        _words("/review reject")
    around, asked = _around()
    COMMANDS["review"].words(["approve", "--by", "ana"], around)
    assert asked == []


def test_without_a_run_there_is_nothing_to_rate() -> None:
    around, _ = _around()
    empty = Around(trajectory_id=None, user="root", waiting=around.waiting, ask=around.ask)
    for name, words in (("rate", ["up"]), ("correct", ["so"])):
        with pytest.raises(WrongCall, match="nothing was done"):
            COMMANDS[name].words(words, empty)


@pytest.mark.parametrize(
    ("line", "name", "rest"),
    [
        ("/review", "review", ""),
        ("/pr-review  the  first one ", "pr-review", "the  first one"),
        ("/pr-review\nof these:\n1\n2", "pr-review", "of these:\n1\n2"),
        ("// a comment", "/", "a comment"),
        ("/", "", ""),
    ],
)
def test_split(line: str, name: str, rest: str) -> None:
    assert split(line) == (name, rest)


def test_help_names_everything_and_keeps_to_the_screen() -> None:
    page = help_page({"pr-review": "Reviews " + "very " * 40 + "well."}, columns=60)
    assert all(f"/{name}" in page for name in (*COMMANDS, "help", "quit", "pr-review"))
    assert max(map(len, page.split("Skills:")[1].splitlines())) <= 60


def test_help_does_not_flood_the_screen() -> None:
    page = help_page({f"skill-{number}": "Does a thing." for number in range(1_000)})
    assert "and 980 more: /skills lists them" in page
    assert len(page.splitlines()) < 40
