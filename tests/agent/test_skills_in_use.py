"""Skills in a session: what is offered, what is given, what it is credited with."""

from __future__ import annotations

from pathlib import Path

from hermes.app import Home
from hermes.app.agent import Request
from hermes.app.applying import skill_request
from hermes.app.learn import learning_of
from hermes.app.skills import skill_search
from hermes.records.scope import PERSONAL
from hermes.records.use import Outcome
from hermes.store.tables.use import UseTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import AGENT, ASKED, Desk, Place, skill_text

NAME = "csv-totals"


def _make(desk: Desk, name: str = NAME, body: str = "Sum the column with awk.") -> None:
    description = "Sum a column of a CSV file. Use when totals of a CSV are wanted."
    text = skill_text(name, description=description, body=body)
    answer = desk.manage("create", caller=ASKED, name=name, content=text)
    assert answer["success"], answer
    skill_search(desk.home).embed_missing()


def test_a_skill_that_is_read_is_a_use_and_gets_the_outcome_of_the_run(
    home: Home, desk: Desk, tmp_path: Path
) -> None:
    _make(desk)
    agent = ScriptedAgent(
        Call("skill_view", {"name": NAME}),
        Call("skill_view", {"name": NAME}),
        "The total is 7.",
    )
    session = session_of(home, agent, tmp_path / "project")
    turn = session.ask(Request(text="what is the total of the amounts in sales.csv?"), Watcher())
    session.close()
    assert NAME in agent.instructions[0]
    _, steps = run_of(home, turn.trajectory_id)
    assert [one["skill"] for one in steps[0].metadata["offered"]] == [NAME]  # type: ignore[index, union-attr]
    uses = UseTable(home.database)
    (use,) = uses.of_task(turn.task_id)
    skill = home.ledger.skills.named(NAME, PERSONAL)
    assert skill is not None
    assert (use.skill_id, use.trajectory_id) == (skill.id, turn.trajectory_id)
    assert "relevance" in use.reason
    learning_of(home).learn([turn.trajectory_id])
    (settled,) = uses.of_task(turn.task_id)
    assert settled.outcome in (Outcome.SUCCESS, Outcome.UNKNOWN)
    assert settled.settled_at is not None
    assert settled.tokens is not None
    again = learning_of(home).learn([turn.trajectory_id])
    assert again.tasks == 1
    assert uses.of_task(turn.task_id) == [settled]


def test_a_task_keeps_its_version_and_the_next_one_gets_the_new(
    home: Home, desk: Desk, place: Place, tmp_path: Path
) -> None:
    _make(desk)

    class Meanwhile(Watcher):
        """Another process releases a new version while the first task is at work."""

        def called(self, tool: str, answer: object) -> None:
            if tool == "list_files":
                other = place.open()
                patched = Desk(other).manage(
                    "patch",
                    caller=ASKED,
                    name=NAME,
                    old_string="Sum the column with awk.",
                    new_string="Sum the column with Python.",
                )
                assert patched["state"] == "active", patched
                other.close()

    request = Request(text="what is the total of the amounts in sales.csv?", fresh=True)
    agent = ScriptedAgent(
        Call("list_files"),
        Call("skill_view", {"name": NAME}),
        "ok",
        Call("skill_view", {"name": NAME}),
        "ok",
    )
    session = session_of(home, agent, tmp_path / "project")
    first = session.ask(request, Meanwhile())
    second = session.ask(request, Watcher())
    session.close()
    shown = [
        step.content
        for turn in (first, second)
        for step in run_of(home, turn.trajectory_id)[1]
        if step.metadata.get("tool_name") == "skill_view" and "error" in step.metadata
    ]
    assert "with awk" in shown[0]
    assert "with Python" in shown[1]


def test_a_session_sees_its_own_draft_and_goes_on_from_it(
    home: Home, desk: Desk, tmp_path: Path
) -> None:
    _make(desk)
    patch = {"action": "patch", "name": NAME}
    agent = ScriptedAgent(
        Call("skill_manage", {**patch, "old_string": "with awk", "new_string": "with mawk"}),
        Call("skill_manage", {**patch, "old_string": "with mawk", "new_string": "with gawk"}),
        Call("skill_view", {"name": NAME}),
        "done",
    )
    session = session_of(home, agent, tmp_path / "project")
    watcher = Watcher()
    session.ask(Request(text="total of sales.csv"), watcher)
    session.close()
    assert "with gawk" in watcher.answers[2][1].text
    assert '"draft": true' in watcher.answers[2][1].text
    assert "<status>draft</status>" in agent.instructions[1]
    other = ScriptedAgent(Call("skill_view", {"name": NAME}), "done")
    session = session_of(home, other, tmp_path / "project")
    watcher = Watcher()
    session.ask(Request(text="total of sales.csv"), watcher)
    session.close()
    assert "with awk" in watcher.answers[0][1].text
    assert "<status>draft</status>" not in other.instructions[0]
    waiting = [one for one in home.ledger.candidates.awaiting() if one.skill_name == NAME]
    assert len(waiting) == 1


def test_a_skill_asked_for_in_words_is_live_at_once_and_unproven(
    home: Home, tmp_path: Path
) -> None:
    text = skill_text("source-triage", description="Judge sources. Use when researching.")
    make = Call("skill_manage", {"action": "create", "name": "source-triage", "content": text})
    agent = ScriptedAgent(make, "Saved.")
    session = session_of(home, agent, tmp_path / "project")
    session.ask(Request(text="That is how I judge sources. Save this as a skill."), Watcher())
    session.close()
    skill = home.ledger.skills.named("source-triage", PERSONAL)
    assert skill is not None
    assert skill.active_version_id is not None
    assert skill.proven is False
    agent = ScriptedAgent(make, "Saved.")
    session = session_of(home, agent, tmp_path / "project")
    watcher = Watcher()
    session.ask(Request(text="How do I judge sources?"), watcher)
    session.close()
    assert watcher.answers[0][1].failed  # it is there already


def test_a_skill_is_called_by_its_name_and_a_draft_only_as_a_trial(
    home: Home, desk: Desk, tmp_path: Path
) -> None:
    _make(desk)
    request, note = skill_request(home, NAME, "sales.csv")
    assert request is not None
    assert note == ""
    agent = ScriptedAgent("The total is 7.")
    session = session_of(home, agent, tmp_path / "project")
    turn = session.ask(request, Watcher())
    session.close()
    assert "Sum the column with awk." in str(agent.asked[0][-1])
    (use,) = UseTable(home.database).of_task(turn.task_id)
    assert use.reason == "called by its name"
    _, steps = run_of(home, turn.trajectory_id)
    assert steps[0].metadata["called"] == NAME

    text = skill_text("tsv-totals")
    draft = desk.manage("create", caller=AGENT, name="tsv-totals", content=text)
    assert draft["state"] == "awaiting_review"
    request, note = skill_request(home, "tsv-totals", "")
    assert request is not None
    assert "this is a trial" in note
    agent = ScriptedAgent("Done.")
    session = session_of(home, agent, tmp_path / "project")
    turn = session.ask(request, Watcher())
    session.close()
    _, steps = run_of(home, turn.trajectory_id)
    assert steps[0].metadata["trial"] is True
    assert UseTable(home.database).of_task(turn.task_id) == []
    assert skill_request(home, "no-such-skill", "") == (None, "")
