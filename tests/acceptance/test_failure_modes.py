"""The ways in which learning from one's own work goes wrong, each shown not to happen here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.app.agent import Request, close_dead_runs
from hermes.app.jobs import handlers
from hermes.app.learning import give_feedback, observing
from hermes.errors import Refused
from hermes.records.origin import Origin
from hermes.records.scope import PERSONAL
from hermes.records.trajectory import TrajectoryState
from hermes.records.waiting import ReviewKind
from hermes.rules.catalogue import quarter_of_characters
from hermes.store.tables.execution import OpenRunTable, ReviewCountTable
from hermes.store.tables.memory import MemoryTable
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.use import UseTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import ASKED, Desk, Place, person, skill_text
from hermes.testing.looking_back import look_back, reviews_of, work_done

BODY = "1. Use awk with -F, and skip the header by NR>1.\n2. Check the count by hand."
NAME = "csv-threshold-counts"


@pytest.fixture
def place(lone_place: Place) -> Place:
    return lone_place


def _create(name: str = NAME, body: str = BODY) -> Call:
    text = skill_text(name, description="Count rows. Use when rows are counted.", body=body)
    return Call("skill_manage", {"action": "create", "name": name, "content": text})


def _kept(home: Home) -> tuple[list[str], list[str]]:
    drafts = [one.skill_name for one in home.ledger.candidates.awaiting()]
    return drafts, [one.text for one in MemoryTable(home.database).page(PERSONAL)]


def test_over_capture(home: Home, tmp_path: Path) -> None:
    """An eager reviewer writes down everything: stories, the same thing twice, one-off names."""
    turn = work_done(home, tmp_path / "project")
    look_back(
        home,
        turn,
        _create("count-rows-pr-88"),
        _create("fix-row-count"),
        _create(body="The user asked for a count.\nWe tried awk.\nIt turned out to be easy."),
        Call("memory_add", {"text": "The API key was missing."}),
        _create(),
        _create(),
        "Enough.",
    )
    later = work_done(home, tmp_path / "project")
    look_back(home, later, _create(), "Nothing new, then.")
    assert _kept(home) == ([NAME], [])


def test_under_capture(home: Home, tmp_path: Path) -> None:
    """A lesson in a short session must not wait for a counter, nor an interruption reset one."""
    wrong = Call("shell", {"command": "sort --numbers data.csv"})
    right = Call("shell", {"command": "sort --numeric-sort data.csv"})
    agent = ScriptedAgent(wrong, right, "Sorted.")
    project = tmp_path / "project"
    project.mkdir()
    (project / "data.csv").write_text("2\n1\n")
    session = session_of(home, agent, project)
    turn = session.ask(Request(text="sort the numbers in data.csv"), Watcher())
    session.close()
    assert turn.reviews == (ReviewKind.SKILL,)  # two rounds of ten, but something was overcome
    _, asked = look_back(home, turn, "Noted.", kinds=turn.reviews)
    assert "sort --numbers" in str(asked.asked[0][-1])

    rounds = [Call("list_files", {"pattern": f"*{number}"}) for number in range(10)]
    agent = ScriptedAgent(*rounds[:8], *rounds[8:], "done")
    session = session_of(home, agent, project, max_steps=8)
    broken = session.ask(Request(text="look around", fresh=True), Watcher())
    assert broken.reviews == ()
    whole = session.ask(Request(text="look again", fresh=True), Watcher())
    session.close()
    assert whole.reviews == (ReviewKind.SKILL,)


def test_stale_prohibitions(home: Home, tmp_path: Path) -> None:
    """A tool that failed on one day is not forbidden for ever, wherever that would be written."""
    turn = work_done(home, tmp_path / "project")
    refused = [
        _create(body="Never use docker."),
        _create(body="The search tool is unreliable."),
        Call("memory_add", {"text": "npm failed once, do not use npm"}),
        Call("memory_add", {"text": "browser setup was broken, browser is unavailable"}),
    ]
    lesson = "1. If npm install fails, delete node_modules and run it again.\n2. Check the log."
    look_back(home, turn, *refused, _create("npm-installs", lesson), "One.")
    assert _kept(home) == (["npm-installs"], [])
    look_back(
        home,
        work_done(home, tmp_path / "project"),
        Call(
            "skill_manage",
            {
                "action": "write_file",
                "name": "npm-installs",
                "file_path": "references/tools.md",
                "file_content": "pip does not work in this environment.",
            },
        ),
        "Nothing.",
    )
    *_, (_, _, steps) = reviews_of(home)
    assert "for ever" in next(step.content for step in steps if step.metadata.get("error"))


def test_review_latency(home: Home, tmp_path: Path) -> None:
    """The answer is there before anybody looks back; the look is a row that waits."""
    agent = ScriptedAgent(*(Call("list_files", {"pattern": f"*{n}"}) for n in range(10)), "Done.")
    session = session_of(home, agent, tmp_path / "project")
    turn = session.ask(Request(text="look around"), Watcher())
    session.close()
    agent.check_used()  # the model was asked for the answer and for nothing else
    assert turn.answer.text == "Done."
    assert reviews_of(home) == []
    (waiting,) = OutboxTable(home.database).pending()
    assert waiting.reviews == (ReviewKind.SKILL,)


def test_review_side_effects(home: Home, desk: Desk, tmp_path: Path) -> None:
    """A look back changes no file, no record of what it looks at, and nobody's figures."""
    desk.manage("create", caller=ASKED, name="csv-totals", content=skill_text("csv-totals"))
    turn = work_done(home, tmp_path / "project")
    before = run_of(home, turn.trajectory_id), home.sessions.get(turn.session_id)
    counts = ReviewCountTable(home.database).of(turn.session_id)
    look_back(
        home,
        turn,
        Call("shell", {"command": "touch seen"}),
        Call("write_file", {"path": "data.csv", "content": ""}),
        Call("skill_view", {"name": "csv-totals"}),
        "Nothing.",
    )
    assert (run_of(home, turn.trajectory_id), home.sessions.get(turn.session_id)) == before
    assert ReviewCountTable(home.database).of(turn.session_id) == counts
    files = {path.name: path.read_text() for path in (tmp_path / "project").iterdir()}
    assert files == {"data.csv": "id,amount\n1,50\n2,150\n3,200\n"}
    ((_, run, _),) = reviews_of(home)
    assert UseTable(home.database).of_task(run.task_id) == []


def test_recursive_learning(home: Home, place: Place, tmp_path: Path) -> None:
    """A look back is not looked back at, not learned from and not judged, whole or broken."""
    turn = work_done(home, tmp_path / "project")
    calls = [Call("memory_search", {"query": f"word {number}"}) for number in range(12)]
    look_back(home, turn, *calls, "Nothing.")
    ((session, run, _),) = reviews_of(home)
    learn = handlers(home.settings)["learn"]
    assert learn(run.id) == "nothing is learned from this one"
    with pytest.raises(Refused, match="look back"):
        give_feedback(home, run, person(), rating=5)
    work = observing(home)
    assert work.observations.of_trajectory(run.id) is None
    assert [one.id for one in work.trajectories.page_of_work()] == [turn.trajectory_id]

    died = replace(run, id="trajectory_died", state=TrajectoryState.OPEN, ended_at=None)
    work.trajectories.add(replace(died, summary=None))
    dead = place.open()
    OpenRunTable(home.database).put(died.id, dead.ownership.owner)
    dead.ownership.close()
    assert close_dead_runs(home) == 1
    dead.close()
    waiting = [one.trajectory_id for one in OutboxTable(home.database).pending()]
    assert waiting == [turn.trajectory_id]
    assert ReviewCountTable(home.database).of(session.id) == {}


def test_cache_staleness(home: Home, place: Place, tmp_path: Path) -> None:
    """What another process makes live is in the next request of a session that goes on."""

    class Meanwhile(Watcher):
        def called(self, tool: str, answer: object) -> None:
            if tool == "list_files":
                other = place.open()
                text = skill_text("fresh-skill", description="Brand new. Use when listing.")
                made = Desk(other).manage("create", name="fresh-skill", content=text)
                assert made["state"] == "active"
                other.close()

    agent = ScriptedAgent(Call("list_files"), Call("skill_view", {"name": "fresh-skill"}), "ok")
    session = session_of(home, agent, tmp_path / "project")
    watcher = Meanwhile()
    session.ask(Request(text="list the files"), watcher)
    session.close()
    assert "fresh-skill" not in agent.instructions[0]
    assert "fresh-skill" in agent.instructions[1]


def test_provenance_loss(home: Home, tmp_path: Path) -> None:
    """Of each thing it wrote one can say who, in which review, of which run."""
    turn = work_done(home, tmp_path / "project")
    memory = Call("memory_add", {"text": "Counts are reported without the header row"})
    look_back(home, turn, _create(), memory, "Both.")
    ((session, run, _),) = reviews_of(home)
    (candidate,) = home.ledger.candidates.awaiting()
    assert (candidate.origin, candidate.session_id) == (Origin.BACKGROUND_REVIEW, session.id)
    (kept,) = MemoryTable(home.database).page(PERSONAL)
    assert (kept.session_id, kept.source) == (session.id, f"session:{session.id}")
    assert session.parent_id == turn.session_id
    task = observing(home).tasks.get(run.task_id)
    assert task is not None
    assert task.environment["reviewed"] == turn.trajectory_id
    home.loop.approve(candidate.id, person())
    skill = home.ledger.skills.named(NAME, PERSONAL)
    assert skill is not None
    assert skill.origin is Origin.BACKGROUND_REVIEW
    told = [event for event in home.ledger.events.page() if event.subject_id == candidate.id]
    assert told[0].actor == "background-review"


def test_prompt_bloat(home: Home, desk: Desk, tmp_path: Path) -> None:
    """However much was learned, a prompt has the catalogue's budget and no skill's whole text."""
    for number in range(150):
        name = f"skill-number-{number}"
        described = f"Handles case {number} of everything. " + "Use when it comes up. " * 30
        text = skill_text(name, description=described, body=f"SECRET-BODY-{number}")
        assert desk.manage("create", name=name, content=text)["state"] == "active"
    budget = home.settings.skills.catalog_token_budget
    agent = ScriptedAgent("ok")
    session = session_of(home, agent, tmp_path / "project")
    session.ask(Request(text="handle case 17"), Watcher())
    session.close()
    told = agent.instructions[0]
    start, end = told.index("<available_skills>"), told.index("</available_skills>")
    assert quarter_of_characters(told[start:end]) <= budget
    assert "more skills; call skills_list" in told
    assert "SECRET-BODY" not in told
