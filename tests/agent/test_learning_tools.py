"""Skills, memory and past work as tools of a session: what the agent gets, and what is kept."""

from __future__ import annotations

from pathlib import Path

from hermes.app import Home
from hermes.app.agent import Request
from hermes.records.trajectory import Step, StepType
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import Desk, skill_text

NAME = "release-notes"
BODY = "1. Collect the merged changes.\n2. Group them by area."


def answers(
    home: Home, project: Path, *calls: Call, said: str = "do it", learning: bool = True
) -> list[Step]:
    agent = ScriptedAgent(*calls, "Done.")
    session = session_of(home, agent, project, learning=learning)
    turn = session.ask(Request(text=said), Watcher())
    session.close()
    agent.check_used()
    _, steps = run_of(home, turn.trajectory_id)
    return [step for step in steps if step.type is StepType.OBSERVATION]


def test_skills_are_listed_read_and_written_down(home: Home, desk: Desk, tmp_path: Path) -> None:
    desk.manage("create", name=NAME, content=skill_text(NAME, body=BODY))
    listed, viewed, missing, file, draft, own = answers(
        home,
        tmp_path / "p",
        Call("skills_list"),
        Call("skill_view", {"name": NAME}),
        Call("skill_view", {"name": "no-such-skill"}),
        Call("skill_view", {"name": NAME, "file_path": "../../loop/config.yaml"}),
        Call("skill_manage", {"action": "create", "name": "mine", "content": skill_text("mine")}),
        Call("skill_view", {"name": "mine"}),
    )
    assert NAME in listed.content
    assert BODY in viewed.content
    assert viewed.metadata["name"] == NAME
    assert missing.metadata["error"] is True
    assert file.metadata["error"] is True
    assert "policy" not in file.content
    assert draft.metadata["error"] is False
    assert '"draft": true' in own.content  # the session that wrote it may read it, marked
    assert not (home.settings.paths.skills_dir / "mine").exists()


def test_wrong_calls_of_skill_tools_are_told_and_harm_nothing(
    home: Home, desk: Desk, tmp_path: Path
) -> None:
    desk.manage("create", name=NAME, content=skill_text(NAME, body=BODY))
    steps = answers(
        home,
        tmp_path / "p",
        Call("skill_manage", {"action": "explode", "name": NAME}),
        Call("skill_manage", {"action": "patch", "name": NAME, "old_string": "absent"}),
        Call("skill_manage", {"action": "create", "name": "../evil", "content": "x"}),
        Call(
            "skill_manage",
            {
                "action": "write_file",
                "name": NAME,
                "file_path": "../../../evil.sh",
                "file_content": "x",
            },
        ),
        Call("skill_view", {"name": 7}),
    )
    assert [step.metadata["error"] for step in steps] == [True] * 5
    assert "action:" in steps[0].content
    assert BODY in (home.settings.paths.skills_dir / NAME / "SKILL.md").read_text()


def test_what_is_remembered_is_found_again_as_data(home: Home, tmp_path: Path) -> None:
    added, found, nothing, wrong = answers(
        home,
        tmp_path / "p",
        Call("memory_add", {"text": "The staging server is called heron."}),
        Call("memory_search", {"query": "how is the staging server called?"}),
        Call("memory_search", {"query": "", "k": 3}),
        Call("memory_add", {"text": "x", "kind": "eternal"}),
        said="remember how the staging server is called",
    )
    assert added.metadata["error"] is False
    assert "heron" in found.content
    assert nothing.metadata["error"] is True
    assert "kind:" in wrong.content


def test_earlier_sessions_are_searched_and_quoted(home: Home, tmp_path: Path) -> None:
    answers(
        home,
        tmp_path / "p",
        Call("shell", {"command": "echo flamingo-migration done"}),
        said="run the flamingo migration",
    )
    found, nothing = answers(
        home,
        tmp_path / "p",
        Call("session_search", {"query": "flamingo migration"}),
        Call("session_search", {"query": "zzzqqq xxyyzz"}),
        said="what did we do about flamingos?",
    )
    assert "quotations" in found.content
    assert "> [tool output, step 3] flamingo-migration done" in found.content
    assert nothing.metadata["error"] is False


def test_without_learning_there_are_no_such_tools(home: Home, tmp_path: Path) -> None:
    (step,) = answers(home, tmp_path / "p", Call("skills_list"), learning=False)
    assert step.content.startswith("There is no tool 'skills_list'. There are: edit_file,")
    assert "memory" not in step.content
