"""Observe: a finished trajectory becomes an Observation, on both databases."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from hermes.errors import NotFound, WrongCall
from hermes.ids import now
from hermes.records.completion import Completion
from hermes.records.observation import Observation, SuccessSource
from hermes.records.trajectory import TrajectoryState
from hermes.stages.observe.again import observe_again, observe_overlooked
from hermes.stages.observe.all_of import observe_all
from hermes.stages.observe.neighbourhood import Neighbourhood
from hermes.stages.observe.run import read_run
from hermes.stages.observe.stage import observe
from hermes.stages.observe.work import Work
from hermes.testing import samples
from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.store import StorePorts
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {"cleaning": ["clean", "tidy", "totals", "monthly"], "mail": ["inbox", "reply"]}
NOBODY = Neighbourhood(None)


@pytest.fixture
def work(ports: StorePorts) -> Work:
    return Work(
        trajectories=ports.trajectories,
        tasks=ports.tasks,
        feedbacks=ports.feedback,
        observations=ports.observations,
        now=now,
    )


def cleaned(number: int, *, failing: bool = False, calls: int = 2) -> ScriptedSteps:
    script = ScriptedSteps().read(f"in{number}.csv", "a;b").write("clean.py", "x")
    for _ in range(calls):
        script.run("python clean.py --dry")
    if failing:
        script.run("python clean.py --sep ,", f"ValueError: line {number}", 1)
        script.run("python clean.py --sep ';'")
    return script.run("pytest -q", "3 passed").says("Done.")


def around(work: Work, *ids: str) -> Neighbourhood:
    neighbourhood = Neighbourhood(TopicEmbedder(TOPICS))
    neighbourhood.take_in(read_run(one, work) for one in ids)
    return neighbourhood


def test_a_run_is_read_and_kept(ports: StorePorts, work: Work) -> None:
    trajectory = cleaned(1, failing=True).kept(ports, "clean in1.csv, monthly totals", 1)
    seen = observe(trajectory.id, work, NOBODY)
    assert (seen.success, seen.success_source) == (True, SuccessSource.CHECK)
    assert seen.efficiency_score is None
    assert seen.error_recovery.discovered_new_pitfall is True
    assert seen.error_recovery.pitfall_description is not None
    assert "ValueError" in seen.error_recovery.pitfall_description
    assert seen.learning_value == pytest.approx(0.8)
    assert seen.key_insights[0].startswith("success (check")
    assert work.observations.of_trajectory(trajectory.id) == seen


def test_reading_it_twice_is_reading_it_once(ports: StorePorts, work: Work) -> None:
    trajectory = cleaned(1).kept(ports, "clean in1.csv", 1)
    first = observe(trajectory.id, work, NOBODY)
    assert observe(trajectory.id, work, NOBODY) == first
    again = observe(trajectory.id, work, NOBODY)
    assert (again.id, again.created_at) == (first.id, first.created_at)


def test_feedback_changes_the_reading_and_keeps_its_id(ports: StorePorts, work: Work) -> None:
    trajectory = cleaned(1).kept(ports, "clean in1.csv", 1)
    first = observe(trajectory.id, work, NOBODY)
    ports.feedback.add(samples.feedback(trajectory.id, rating=1))
    second = observe(trajectory.id, work, NOBODY)
    assert second.id == first.id
    assert (second.success, second.success_source) == (False, SuccessSource.FEEDBACK)
    assert second.learning_value < first.learning_value
    assert work.observations.of_trajectory(trajectory.id) == second


def test_similar_runs_make_it_comparable_and_generalisable(ports: StorePorts, work: Work) -> None:
    ids = [
        cleaned(n, calls=calls).kept(ports, f"clean in{n}.csv, monthly totals", n).id
        for n, calls in ((1, 2), (2, 2), (3, 12))
    ]
    stranger = ScriptedSteps().run("python mail.py").kept(ports, "reply to my inbox", 9).id
    known = around(work, *ids, stranger)
    seen = {one: observe(one, work, known) for one in (*ids, stranger)}
    assert seen[ids[0]].learning_value == pytest.approx(0.8)
    lean, heavy = seen[ids[0]].efficiency_score, seen[ids[2]].efficiency_score
    assert lean is not None
    assert heavy is not None
    assert heavy < 0.4 < lean
    assert seen[stranger].efficiency_score is None
    assert seen[stranger].learning_value == pytest.approx(0.4)


def test_the_first_of_a_kind_are_read_again_when_others_have_come(
    ports: StorePorts, work: Work
) -> None:
    embedder = TopicEmbedder(TOPICS)

    def tidied(number: int) -> str:
        """With two tools only, so that nothing but its kind makes it worth keeping."""
        script = ScriptedSteps().read(f"in{number}.csv").run("python clean.py").says("Done.")
        one = script.kept(ports, f"clean in{number}.csv, monthly totals", number).id
        observe_again(one, work, embedder)
        return one

    first, second = tidied(1), tidied(2)
    broken = ScriptedSteps().run("python clean.py", "ValueError: x", 1)
    failed = broken.kept(ports, "clean in9.csv, monthly totals", 9).id
    observe_again(failed, work, embedder)
    before = work.observations.of_trajectory(first)
    assert before is not None
    assert before.learning_value == pytest.approx(0.4)
    third = tidied(3)
    found = list(observe_overlooked(third, work, embedder, kept=lambda _: False))
    assert sorted(one.trajectory_id for one in found) == [first, second]
    assert {one.learning_value for one in found} == {0.6}
    (left,) = observe_overlooked(third, work, embedder, kept=lambda one: one == first)
    assert left.trajectory_id == second


def test_a_run_is_not_measured_against_failures(ports: StorePorts, work: Work) -> None:
    broken = ScriptedSteps().run("python clean.py", "ValueError: x", 1)
    ids = [broken.kept(ports, "clean in1.csv", 1).id, cleaned(2).kept(ports, "clean in2.csv", 2).id]
    assert observe(ids[1], work, around(work, *ids)).efficiency_score is None


def test_the_reading_does_not_depend_on_the_order(ports: StorePorts, work: Work) -> None:
    ids = [cleaned(n).kept(ports, f"clean in{n}.csv", n).id for n in (1, 2, 3)]

    def told(order: list[str]) -> dict[str, Any]:
        known = around(work, *order)
        found = [observe(one, work, known) for one in order]
        return {one.id: (one.learning_value, one.efficiency_score) for one in found}

    assert told(ids) == told(ids[::-1])


def test_a_pitfall_is_new_only_the_first_time(ports: StorePorts, work: Work) -> None:
    ids = [cleaned(n, failing=True).kept(ports, f"clean in{n}.csv", n).id for n in (1, 2)]
    known = around(work, *ids)
    assert observe(ids[0], work, known).error_recovery.discovered_new_pitfall is True
    assert observe(ids[1], work, known).error_recovery.discovered_new_pitfall is False


def test_a_pitfall_of_long_ago_is_known_to_a_run_read_alone(ports: StorePorts, work: Work) -> None:
    ids = [cleaned(n, failing=True).kept(ports, f"clean in{n}.csv", n).id for n in range(60)]
    seen = observe_again(ids[3], work, TopicEmbedder(TOPICS))
    assert seen.error_recovery.discovered_new_pitfall is False


def test_the_next_request_of_the_session_speaks(ports: StorePorts, work: Work) -> None:
    session = samples.session()
    ports.sessions.add(session)
    script = ScriptedSteps().read("report.csv")
    first = script.kept(ports, "sort report.csv by date", 1, session_id=session.id)
    ports.tasks.add(
        samples.task(
            id="task_0002",
            session_id=session.id,
            text="Perfect, thanks! Now count the rows of orders.csv",
            created_at=samples.NOW + timedelta(hours=1),
        )
    )
    seen = observe(first.id, work, NOBODY)
    assert (seen.success, seen.success_source) == (True, SuccessSource.NEXT_WORDS)


def test_asking_again_for_the_same_speaks_too(ports: StorePorts, work: Work) -> None:
    session = samples.session()
    ports.sessions.add(session)
    script = ScriptedSteps().read("report.csv")
    first = script.kept(ports, "sort report.csv by date", 1, session_id=session.id)
    script.kept(ports, "please sort report.csv by date", 2, session_id=session.id)
    assert observe(first.id, work, NOBODY).success is False


def test_what_is_written_holds_no_tenant_data(ports: StorePorts, work: Work) -> None:
    script = (
        ScriptedSteps()
        .run("python /home/ann/proj/a.py 1", "ValueError: row of ann.lee@corp.example", 1)
        .run("python /home/ann/proj/a.py 2")
        .user("no, mail it to ann.lee@corp.example", "correction")
    )
    trajectory = script.kept(ports, "clean it", 1, environment={"cwd": "/home/ann/proj"})
    seen = observe(trajectory.id, work, NOBODY)
    written = f"{seen.key_insights} {seen.error_recovery.pitfall_description}"
    assert "ann.lee@corp.example" not in written
    assert "/home/ann" not in written
    assert "<email_1>" in written


def test_only_what_has_ended_is_read(ports: StorePorts, work: Work) -> None:
    with pytest.raises(NotFound):
        observe("trajectory_nobody", work, NOBODY)
    task = samples.task()
    ports.tasks.add(task)
    running = samples.trajectory(task.id)
    ports.trajectories.add(running)
    with pytest.raises(WrongCall, match="still goes on"):
        observe(running.id, work, NOBODY)
    assert work.observations.of_trajectory(running.id) is None


def test_an_interrupted_run_is_no_success(ports: StorePorts, work: Work) -> None:
    state = TrajectoryState.INTERRUPTED
    trajectory = cleaned(1).kept(ports, "clean in1.csv", 1, state=state)
    seen = observe(trajectory.id, work, NOBODY)
    assert (seen.success, seen.success_source) == (None, SuccessSource.UNKNOWN)
    assert seen.learning_value == pytest.approx(0.2)  # its three tools


def test_a_run_without_steps_is_read_as_that(ports: StorePorts, work: Work) -> None:
    trajectory = ScriptedSteps().kept(ports, "", 1)
    seen = observe(trajectory.id, work, NOBODY)
    assert (seen.success, seen.learning_value) == (None, 0.0)


class OneAnswer:
    """A model that gives one answer and remembers what it was asked."""

    name = "judge-1"

    def __init__(self, text: str) -> None:
        self.text = text
        self.questions: list[str] = []

    def complete(
        self,
        *,
        instructions: str,
        question: str,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 4_000,
    ) -> Completion:
        self.questions.append(question)
        return Completion(text=self.text, model=self.name, input_tokens=1, output_tokens=1)


def opinions(seen: Observation) -> list[str]:
    return [one for one in seen.key_insights if one.startswith("opinion:")]


def test_a_models_opinion_is_kept_as_that_and_decides_nothing(
    ports: StorePorts, work: Work
) -> None:
    trajectory = cleaned(1).kept(ports, "clean in1.csv for ann@corp.example", 1)
    plain = observe(trajectory.id, work, NOBODY)
    judge = OneAnswer('{"succeeded": false, "why": "ann@corp.example was never asked"}')
    seen = observe(trajectory.id, work, NOBODY, judge)
    assert (seen.success, seen.confidence) == (plain.success, plain.confidence)
    assert seen.learning_value == plain.learning_value
    assert opinions(seen) == [
        "opinion: judge-1 thinks it did not succeed: <email_1> was never asked"
    ]
    assert "ann@corp.example" not in judge.questions[0]
    assert opinions(observe(trajectory.id, work, NOBODY)) == opinions(seen)


@pytest.mark.parametrize("answer", ["", "yes", "[]", '{"succeeded": "yes", "why": "x"}', "null"])
def test_an_answer_that_is_no_opinion_is_said_to_be_none(
    ports: StorePorts, work: Work, answer: str
) -> None:
    trajectory = cleaned(1).kept(ports, "clean in1.csv", 1)
    seen = observe(trajectory.id, work, NOBODY, OneAnswer(answer))
    assert opinions(seen) == ["opinion: judge-1 gave no usable answer"]


def test_one_run_read_again_is_compared_with_its_likes(ports: StorePorts, work: Work) -> None:
    ids = [cleaned(n).kept(ports, f"clean in{n}.csv, monthly totals", n).id for n in (1, 2, 3)]
    for embedder in (None, TopicEmbedder(TOPICS)):
        seen = observe_again(ids[2], work, embedder)
        assert seen.efficiency_score == 0.5
        assert seen.learning_value == pytest.approx(0.8)


@pytest.mark.parametrize("count", [3, 25])
def test_many_runs_are_held_against_each_other_and_what_was_there(
    ports: StorePorts, work: Work, count: int
) -> None:
    ids = [
        cleaned(n).kept(ports, f"clean in{n}.csv, monthly totals", n).id for n in range(count + 1)
    ]
    embedder = TopicEmbedder(TOPICS)
    seen = list(observe_all(ids[1:], work, embedder))
    assert [one.trajectory_id for one in seen] == ids[1:]
    assert {one.efficiency_score for one in seen} == {0.5}
    assert work.observations.of_trajectory(ids[0]) is None
