"""`hermes trajectories`, `hermes rate` and `hermes correct`."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hermes.ids import now
from hermes.records.trajectory import Trajectory, TrajectoryState
from hermes.testing import samples
from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.store import store_ports

from .conftest import ATTACK, Shell

TASK = "sort report.csv by date"


def kept(shell: Shell, number: int = 1, task: str = TASK) -> str:
    """One finished run in the home; its id."""
    script = ScriptedSteps().write("sort.py", "x").run("python sort.py").says("Done.")
    with shell.open() as home:
        return script.kept(store_ports(home.database), task, number).id


def opened(shell: Shell) -> str:
    """A run that still goes on; its id."""
    with shell.open() as home:
        ports = store_ports(home.database)
        task = samples.task(id="task_9999")
        ports.tasks.add(task)
        running: Trajectory = samples.trajectory(task.id, id="trajectory_9999")
        ports.trajectories.add(running)
    return running.id


def test_nothing_was_recorded(shell: Shell) -> None:
    assert shell("trajectories", "list").out == "nothing was ever recorded or imported\n"
    assert shell("trajectories", "list", "--json").json == []


def test_what_was_done_is_listed_latest_last(shell: Shell) -> None:
    for number in (1, 2, 3):
        kept(shell, number, f"sort report{number}.csv")
    rows = shell("trajectories", "list", "--limit", "2").rows
    assert [row[0] for row in rows] == ["trajectory_0002", "trajectory_0003"]
    assert rows[0][-1] == "sort report2.csv"
    assert "not read yet" in rows[0]
    plain = shell("trajectories", "list", "--json").json
    assert [one["task"]["text"][:11] for one in plain] == ["sort report"] * 3


def test_one_is_shown_with_its_steps_and_what_was_read_off_it(shell: Shell) -> None:
    trajectory = kept(shell)
    shell("rate", trajectory, "up", "--by", "ana")
    shell("correct", trajectory, "newest first", "--by", "ana")
    answer = shell("trajectories", "show", "0001")
    assert answer.code == 0
    for said in (TASK, "python sort.py", "ana: 5 of 5", "ana: newest first", "learning value"):
        assert said in answer.out, said
    assert "tool_call" in answer.out
    assert "no success (feedback)" in answer.out
    plain = shell("trajectories", "show", trajectory, "--json").json
    assert len(plain["steps"]) == 5
    assert plain["observation"]["success"] is False
    assert [one["rating"] for one in plain["feedback"]] == [5, None]


@pytest.mark.parametrize(
    ("word", "rating", "success"),
    [("up", 5, True), ("down", 1, False), ("4", 4, True), ("2", 2, False), ("UP", 5, True)],
)
def test_a_rating_is_kept_and_decides(shell: Shell, word: str, rating: int, success: bool) -> None:
    trajectory = kept(shell)
    plain = shell("rate", trajectory, word, "--by", "ana", "--json").json
    assert plain["feedback"]["rating"] == rating
    assert plain["observation"]["success"] is success
    assert plain["observation"]["success_source"] == "feedback"


@pytest.mark.parametrize("wrong", ["0", "6", "sideways", "", "4.5", "-1"])
def test_a_rating_is_up_down_or_one_to_five(shell: Shell, wrong: str) -> None:
    answer = shell("rate", kept(shell), wrong)
    assert answer.code == 2
    assert shell("events").out == "nothing has happened yet\n"


def test_what_people_say_is_in_the_audit_trail_but_not_their_words(shell: Shell) -> None:
    trajectory = kept(shell)
    shell("rate", trajectory, "up", "--by", "ana")
    shell("correct", trajectory, "leave out the secret project", "--by", "bob")
    told = shell("events").out
    assert f"ana rated {trajectory} 5 of 5 (pipe)" in told
    assert f"bob said what should have happened in {trajectory} (pipe)" in told
    assert "secret project" not in shell("events", "--json").out


def test_a_correction_loses_its_credentials_before_it_is_kept(shell: Shell) -> None:
    trajectory = kept(shell)
    words = "use DB_PASSWORD=hunter2hunter2 next time"
    kept_words = shell("correct", trajectory, words, "--json").json["feedback"]["correction"]
    assert "hunter2" not in kept_words
    assert kept_words.startswith("use DB_PASSWORD=")


@pytest.mark.parametrize("blank", ["", "  ", "\ud800"])
def test_a_correction_says_something(shell: Shell, blank: str) -> None:
    trajectory = kept(shell)
    answer = shell("correct", trajectory, blank)
    assert (answer.code, answer.out) == (1, "")
    assert shell("trajectories", "show", trajectory, "--json").json["feedback"] == []


def test_feedback_on_what_still_goes_on_waits_for_its_end(shell: Shell) -> None:
    running = opened(shell)
    answer = shell("rate", running, "up")
    assert (answer.code, "has not ended yet" in answer.err) == (0, True)
    assert shell("rate", running, "up", "--json").json["observation"] is None


def test_a_deleted_run_is_gone_with_all_that_was_said_of_it(shell: Shell) -> None:
    trajectory, other = kept(shell, 1), kept(shell, 2)
    shell("correct", trajectory, "newest first")
    answer = shell("trajectories", "delete", trajectory, "--by", "ana")
    assert (answer.code, "is forgotten" in answer.out) == (0, True)
    assert shell("trajectories", "show", trajectory).code == 1
    assert [row[0] for row in shell("trajectories", "list").rows] == [other]
    assert f"ana had {trajectory} forgotten (pipe)" in shell("events").out


def ended(shell: Shell, number: int, days_ago: int) -> str:
    at = now() - timedelta(days=days_ago)
    with shell.open() as home:
        ports = store_ports(home.database)
        task = samples.task(id=f"task_{number:04}")
        ports.tasks.add(task)
        done: Trajectory = samples.trajectory(
            task.id,
            id=f"trajectory_{number:04}",
            state=TrajectoryState.FINISHED,
            started_at=at,
            ended_at=at,
        )
        ports.trajectories.keep(done, ())
    return done.id


def test_the_old_are_deleted_after_a_question(shell: Shell) -> None:
    old, young, running = ended(shell, 1, 91), ended(shell, 2, 89), opened(shell)
    unasked = shell("trajectories", "delete", "--older-than", "90d")
    assert (unasked.code, "--yes" in unasked.err) == (2, True)
    assert len(shell("trajectories", "list").rows) == 3
    done = shell("trajectories", "delete", "--older-than", "90d", "--yes", "--json")
    assert done.json == {"deleted": [old]}
    assert [row[0] for row in shell("trajectories", "list").rows] == [young, running]
    again = shell("trajectories", "delete", "--older-than", "12w")
    assert (again.code, again.out[:1]) == (2, "")  # 84 days: the young one is asked for
    nothing = shell("trajectories", "delete", "--older-than", "52w")
    assert (nothing.code, nothing.out) == (0, "0 forgotten; examples made of them stay, redacted\n")


def test_deleting_needs_to_know_what(shell: Shell) -> None:
    trajectory = kept(shell)
    for words in ([], [trajectory, "--older-than", "90d"], ["--older-than", "soon"]):
        assert shell("trajectories", "delete", *words).code == 2
    assert len(shell("trajectories", "list").rows) == 1


def test_what_still_goes_on_is_not_deleted(shell: Shell) -> None:
    answer = shell("trajectories", "delete", opened(shell))
    assert (answer.code, "still goes on" in answer.err) == (1, True)
    assert len(shell("trajectories", "list").rows) == 1


@pytest.mark.parametrize("wrong", ["trajectory_zzz", "zzz", "", "\ud800"])
def test_an_unknown_run(shell: Shell, wrong: str) -> None:
    kept(shell)
    for words in (
        ["trajectories", "show", wrong],
        ["trajectories", "delete", wrong],
        ["rate", wrong, "up"],
        ["correct", wrong, "x"],
    ):
        answer = shell(*words)
        assert (answer.code, answer.out) == (1, "")
        assert "unexpected" not in answer.err


def test_an_id_that_fits_two_names_them(shell: Shell) -> None:
    kept(shell, 1)
    kept(shell, 2)
    answer = shell("rate", "000", "up")
    assert (answer.code, "fits 2 trajectories" in answer.err) == (1, True)


def test_a_hostile_task_cannot_act_on_the_terminal(shell: Shell) -> None:
    trajectory = kept(shell, 1, f"sort {ATTACK}")
    for words in (["list"], ["show", trajectory]):
        answer = shell("trajectories", *words)
        assert answer.code == 0
        assert "\x1b" not in answer.out
        assert "\u202e" not in answer.out
