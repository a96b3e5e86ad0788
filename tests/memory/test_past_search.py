"""Past work is found by its words and by its meaning, with the place in it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hermes.models.minilm import MiniLM
from hermes.records.past import PassageKind
from hermes.store.database import Database
from hermes.testing import samples
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.past_runs import PastRuns
from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.topic_embedder import TopicEmbedder


@pytest.fixture
def runs(database: Database, tmp_path: Path) -> PastRuns:
    return PastRuns(database, tmp_path / "home")


def refused() -> ScriptedSteps:
    return (
        ScriptedSteps()
        .run("psql -h db1", "could not connect: ECONNREFUSED db1:5432", exit_code=2)
        .run("systemctl start postgresql", "ok")
        .says("The server was not running; I started it.")
    )


def test_a_hit_says_where_it_is(runs: PastRuns) -> None:
    run = runs.add("look at the nightly import", refused(), agent="claude-code")
    runs.add("write a poem", ScriptedSteps().says("Roses are red."))
    (found,) = runs.search("ECONNREFUSED 5432").runs
    assert (found.trajectory_id, found.session_id) == (run.id, run.session_id)
    assert (found.agent, found.task) == ("claude-code", "look at the nightly import")
    assert found.started_at == run.started_at
    (passage,) = found.passages
    assert (passage.step_id, passage.kind) == (2, PassageKind.ERROR)
    marked = [passage.snippet.text[a:b] for a, b in passage.snippet.marks]
    assert marked == ["ECONNREFUSED", "5432"]


def test_a_request_that_no_step_repeats_is_found(runs: PastRuns) -> None:
    runs.add("rename the tulip column")
    (found,) = runs.search("tulip column").runs
    assert (found.passages[0].step_id, found.passages[0].kind) == (0, PassageKind.REQUEST)


def test_many_hits_of_a_run_are_grouped_under_it(runs: PastRuns) -> None:
    steps = ScriptedSteps()
    for number in range(6):
        steps.run(f"make tulip{number}", f"tulip {number} made")
    runs.add("make flowers", steps)
    (found,) = runs.search("tulip made").runs
    assert len(found.passages) == 3
    assert found.more >= 3


def test_words_spread_over_a_run_count_together(runs: PastRuns) -> None:
    spread = "report of the long meeting that the tulip team had on its plans for the year"
    runs.add(spread, ScriptedSteps().run("sort", "a narwhal among many other words of a log"))
    runs.add("narwhal", ScriptedSteps().run("sort", "walrus"))
    runs.add("tulip", ScriptedSteps().run("sort", "walrus"))
    first = runs.search("tulip narwhal").runs[0]
    assert first.task == spread
    assert {one.kind for one in first.passages} == {PassageKind.REQUEST, PassageKind.RESULT}


def test_a_run_that_just_ended_is_found(runs: PastRuns) -> None:
    for number in range(3):
        runs.add(f"count tulips {number}")
        assert len(runs.found("tulips")) == number + 1
    assert runs.search("tulips").unread == 0


def test_what_is_not_read_yet_is_told(runs: PastRuns) -> None:
    for number in range(30):
        runs.add(f"count tulips {number}")
    assert runs.search("tulips").unread == 22
    assert runs.past.catch_up() == 22
    assert runs.past.catch_up() == 0
    assert runs.search("tulips").unread == 0


def test_a_run_that_still_goes_on_is_not_searched(runs: PastRuns) -> None:
    task = samples.task(text="count tulips")
    runs.ports.tasks.add(task)
    runs.ports.trajectories.add(samples.trajectory(task.id))
    assert runs.search("tulips").runs == ()
    assert runs.search("tulips").unread == 0


def test_other_scopes_are_neither_found_nor_counted(runs: PastRuns) -> None:
    runs.add("count tulips here")
    alone = runs.search("tulips here").runs[0].score
    for number in range(20):
        runs.add(f"count tulips there {number}", scope="team:ops")
    runs.past.catch_up()
    assert runs.found("tulips") == ["count tulips here"]
    assert runs.search("tulips here").runs[0].score == pytest.approx(alone)
    assert len(runs.found("tulips", scope="team:ops", k=50)) == 20
    both = runs.past.search("tulips", 50, scopes=["personal", "team:ops"]).runs
    assert len(both) == 21


def test_it_can_be_asked_for_an_agent_and_a_time(runs: PastRuns) -> None:
    runs.add("old tulips", agent="codex", started_at=samples.NOW - timedelta(days=90))
    runs.add("new tulips", agent="claude-code")
    runs.add("own tulips")

    def found(**asked: object) -> list[str]:
        hits = runs.past.search("tulips", scopes=["personal"], **asked).runs  # type: ignore[arg-type]
        return sorted(run.task for run in hits)

    assert found() == ["new tulips", "old tulips", "own tulips"]
    assert found(agent="codex") == ["old tulips"]
    assert found(agent="hermes") == ["own tulips"]
    assert found(since=samples.NOW - timedelta(days=30)) == ["new tulips", "own tulips"]
    assert found(agent="codex", since=samples.NOW) == []


def test_a_grown_run_is_found_by_what_it_says_now(runs: PastRuns) -> None:
    run = runs.add("look", ScriptedSteps().says("walrus"))
    assert runs.found("walrus") == ["look"]
    runs.ports.trajectories.keep(run, ScriptedSteps().says("narwhal").steps)
    assert runs.found("narwhal") == ["look"]
    assert runs.found("walrus") == []


def test_what_another_process_deletes_or_adds_is_seen(runs: PastRuns) -> None:
    doomed = runs.add("count tulips")
    runs.past.catch_up()
    other = runs.process()
    assert len(other.search("tulips", scopes=["personal"]).runs) == 1
    runs.ports.trajectories.delete(doomed.id)
    assert other.search("tulips", scopes=["personal"]).runs == ()
    runs.add("water tulips")
    assert [run.task for run in other.search("tulips", scopes=["personal"]).runs] == [
        "water tulips"
    ]


def test_what_is_gone_neither_counts_nor_takes_a_place(runs: PastRuns) -> None:
    doomed = [runs.add(f"tulips {number}") for number in range(10)]
    for number in range(3):
        runs.add(f"water many tulips today {number}")
    runs.past.catch_up()
    assert runs.found("tulips", k=3)
    for run in doomed:
        runs.ports.trajectories.delete(run.id)
    warm = runs.search("tulips", k=3).runs
    cold = runs.process().search("tulips", 3, scopes=["personal"]).runs
    assert len(warm) == 3
    assert [run.score for run in warm] == pytest.approx([run.score for run in cold])


@pytest.mark.parametrize("query", ["", "   ", "the of and", "🌷", "\0", "qqqq " * 5_000, "%' --"])
def test_odd_questions_have_no_answer_and_no_error(runs: PastRuns, query: str) -> None:
    runs.add("count rows")
    assert runs.search(query).runs == ()


def test_any_script_is_found(runs: PastRuns) -> None:
    for text in ("会议在周五下午三点举行", "שרת הבנייה נקרא צבעוני", "Tu\u0301lip ho\u0301st"):
        runs.add(text)
    assert runs.found("周五下午") == ["会议在周五下午三点举行"]
    assert runs.found("שרת הבנייה") == ["שרת הבנייה נקרא צבעוני"]
    assert runs.found("Túlip") == ["Tu\u0301lip ho\u0301st"]


def test_a_huge_result_is_found_by_its_ends_and_costs_little(runs: PastRuns) -> None:
    output = "begins with tulip " + "row 1 2 3\n" * 300_000 + "KeyError: narwhal"
    runs.add("load", ScriptedSteps().run("python load.py", output, exit_code=1))
    assert runs.found("tulip begins") == ["load"]
    assert runs.found("KeyError narwhal") == ["load"]
    (run,) = runs.ports.passages.since("personal", -1)
    assert len(run.places) + len(run.words) < 4_000


def test_meaning_finds_what_no_word_does(database: Database, tmp_path: Path) -> None:
    topics = TopicEmbedder(TOPICS)
    runs = PastRuns(database, tmp_path / "home", topics)
    runs.add("ship it to the customers", ScriptedSteps().run("postgres", "storage"))
    runs.add("order lunch")
    (found,) = runs.search("rollout").runs
    assert found.task == "ship it to the customers"
    assert found.passages[0].semantic == pytest.approx(1.0, abs=0.01)
    assert found.passages[0].lexical == 0.0
    assert "postgres storage" not in " ".join(topics.embedded), "a result has no vector"


def test_a_vector_of_another_embedder_is_made_anew(database: Database, tmp_path: Path) -> None:
    PastRuns(database, tmp_path / "home", TopicEmbedder(TOPICS, name="old")).add("ship it")
    PastRuns(database, tmp_path / "home", TopicEmbedder(TOPICS, name="old")).past.catch_up()
    runs = PastRuns(database, tmp_path / "home", TopicEmbedder({"x": ["ship", "rollout"]}))
    assert runs.past.catch_up() == 1
    assert runs.found("rollout") == ["ship it"]


def test_a_real_embedder_finds_paraphrases(tmp_path: Path, address: str) -> None:
    from hermes.store.open import open_database

    runs = PastRuns(open_database(address), tmp_path / "home", MiniLM())
    runs.add("the login page shows a blank screen after the upgrade", refused())
    runs.add("convert the invoices to PDF", ScriptedSteps().says("All 12 files are written."))
    runs.add("speed up the slow query on the orders table")
    runs.add("translate the handbook into French")
    assert runs.found("users see nothing when they sign in", k=1) == [
        "the login page shows a blank screen after the upgrade"
    ]
    assert runs.found("database performance problem", k=1) == [
        "speed up the slow query on the orders table"
    ]
