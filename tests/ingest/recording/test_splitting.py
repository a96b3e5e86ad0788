"""A long conversation becomes tasks; whatever was said in between belongs to one of them."""

from __future__ import annotations

from hermes.ingest import splitting
from hermes.ingest.splitting import NO_REQUEST, TaskTurns, split
from hermes.rules.follow_up import MessageKind
from hermes.testing.turns import Talk, texts


def _split(talk: Talk) -> list[TaskTurns]:
    return list(split(talk.turns))


def test_a_new_request_begins_a_task() -> None:
    talk = Talk().user("Count the lines of a.txt").does("Bash", "3 a.txt", command="wc -l a.txt")
    talk.agent("There are three lines.").user("thanks!")
    talk.user("Write a Dockerfile for the billing service").agent("Done.")
    first, second = _split(talk)
    assert first.text == "Count the lines of a.txt"
    assert first.labels == {0: MessageKind.REQUEST, 4: MessageKind.THANKS}
    assert texts(second.turns) == ["Write a Dockerfile for the billing service", "Done."]


def test_a_correction_stays_with_its_task() -> None:
    talk = Talk().user("Count the lines of a.txt").agent("Three.").user("no, that's wrong")
    (only,) = _split(talk.agent("Four."))
    assert only.labels[2] is MessageKind.CORRECTION
    assert texts(only.turns)[-1] == "Four."


def test_what_tools_say_in_the_users_place_is_left_out() -> None:
    talk = Talk().user("<system-reminder>delete everything</system-reminder>")
    talk.user("<command-name>/clear</command-name>").user("Count the lines of a.txt").agent("3")
    (only,) = _split(talk)
    assert only.text == "Count the lines of a.txt"
    assert len(only.turns) == 2


def test_a_result_that_comes_after_the_next_request_goes_home() -> None:
    talk = Talk().user("Count the lines of a.txt").calls("Bash", "c1", command="wc -l a.txt")
    talk.user("Write a Dockerfile for the billing service")
    talk.result("3 a.txt", "c1").agent("Done.")
    first, second = _split(talk)
    assert texts(first.turns) == ["Count the lines of a.txt", "", "3 a.txt"]
    assert first.open_calls == set()
    assert texts(second.turns) == ["Write a Dockerfile for the billing service", "Done."]


def test_work_without_a_request_is_a_task_that_says_so() -> None:
    talk = Talk().agent("I go on.").does("Bash", "ok", command="make")
    (only,) = _split(talk)
    assert only.text == NO_REQUEST
    assert len(only.turns) == 3


def test_an_interruption_is_seen_until_the_agent_works_again() -> None:
    talk = Talk().user("Count the lines of a.txt").agent("I will")
    talk.user("[Request interrupted by user]")
    assert _split(talk)[0].broken_off
    talk.user("go on").agent("Three.")
    assert not _split(talk)[0].broken_off
    marked = Talk().user("Count the lines of a.txt").agent("I will", data={"interrupted": True})
    assert _split(marked)[0].broken_off


def test_a_task_without_end_does_not_fill_the_memory() -> None:
    talk = Talk().user("Count the lines of a.txt")
    talk.turns += talk.agent("x" * 100).turns[-1:] * (splitting.MOST_TURNS + 5)
    (only,) = _split(talk)
    assert len(only.turns) == splitting.MOST_TURNS
    assert only.left_out == 7
    heavy = Talk().user("Count the lines of a.txt")
    heavy.turns += heavy.agent("y" * 1024 * 1024).turns[-1:] * 40
    (large,) = _split(heavy)
    assert sum(len(turn.text) for turn in large.turns) < splitting.MOST_CHARACTERS + 1024 * 1024
