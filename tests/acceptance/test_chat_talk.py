"""`hermes` by itself, in a real terminal: what a person types, and what they see."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hermes.records.trajectory import TrajectoryState
from hermes.testing.model_servers import Calls, Fails, Says
from hermes.testing.terminal import ALT_ENTER, CTRL_C, CTRL_D, ENTER, TAB, UP, Terminal

HEAVY = {"pydantic_ai", "onnxruntime", "numpy", "openai", "hermes.agent.working", "hermes.stages"}
PASTE = "\x1b[200~{}\x1b[201~"


def test_a_conversation(chatter: Any) -> None:
    chatter.serve(
        Calls("shell", {"command": "wc -l data.csv"}), Says("Four lines."), Says("You are welcome.")
    )
    chat = chatter.start()
    said = chat.ask("how many lines has data.csv?")
    assert said == "  · shell: wc -l data.csv\nFour lines."
    assert chat.ask("thanks") == "You are welcome."
    chat.press(CTRL_D)
    assert chat.ended() == 0
    (run, steps), *_ = chatter.runs()
    assert run.state is TrajectoryState.FINISHED
    assert f"hermes --resume {run.session_id} goes on" in chat.text
    assert steps[0].content == "how many lines has data.csv?"


def test_the_prompt_comes_before_the_agent_is_loaded(chatter: Any, tmp_path: Path) -> None:
    """What is loaded when the prompt stands there and the warm-up would begin."""
    loaded = tmp_path / "loaded"
    script = (
        "import pathlib, sys, threading\n"
        f"file = pathlib.Path({str(loaded)!r})\n"
        "threading.Thread.start = lambda self: file.write_text(' '.join(sys.modules))\n"
        "from hermes.cli.main import main\n"
        "main([])\n"
    )
    chatter.serve()
    with Terminal(chatter.environ, chatter.project, program=("-c", script)) as chat:
        chat.prompt()
        chat.press(CTRL_D)
        assert chat.ended() == 0
    modules = loaded.read_text().split()
    assert "hermes.cli.chat.loop" in modules
    assert HEAVY.isdisjoint(modules)


def test_whoever_leaves_at_once_waits_for_nothing(chatter: Any) -> None:
    chatter.serve()
    chat = chatter.start()
    chat.prompt()
    chat.press(CTRL_D)
    assert chat.ended() == 0
    assert chatter.runs() == []


def test_several_lines_by_key_by_backslash_and_by_paste(chatter: Any) -> None:
    chatter.serve(Says("ok"), Says("ok"), Says("ok"))
    chat = chatter.start()
    chat.prompt()
    chat.type("first")
    chat.press(ALT_ENTER)
    chat.enter("second by key")
    chat.wait("ok")
    chat.prompt()
    chat.type("count these\\")
    chat.press(ENTER)
    chat.enter("second by backslash")
    chat.prompt()
    chat.press(PASTE.format("pasted\nsecond\nthird by paste"))
    chat.until(lambda: chat.cursor_line.endswith("third by paste"), "the paste")
    chat.press(ENTER)
    chat.until(lambda: not chat.cursor_line.endswith("paste"), "the paste to be taken")
    chat.prompt()
    said = [
        step.content
        for _, steps in chatter.runs()
        for step in steps
        if step.metadata.get("role") == "user"
    ]
    assert said == [
        "first\nsecond by key",
        "count these\nsecond by backslash",
        "pasted\nsecond\nthird by paste",
    ]


def test_ctrl_c_at_the_prompt_clears_the_line(chatter: Any) -> None:
    chatter.serve()
    chat = chatter.start()
    chat.prompt()
    chat.type("never sent")
    chat.press(CTRL_C)
    chat.prompt()
    chat.enter("/quit")
    assert chat.ended() == 0
    assert chatter.runs() == []


def test_history_lasts_and_keeps_no_secret(chatter: Any) -> None:
    chatter.serve(Says("Noted."))
    secret = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" * 2
    chat = chatter.start()
    chat.ask(f"use the key {secret} for now")
    chat.press(CTRL_D)
    chat.ended()
    file = Path(chatter.environ["HERMES_HOME"], "loop", "data", "chat_history")
    assert secret not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = chatter.start()
    again.prompt()
    again.press(UP)
    again.until(lambda: "use the key" in again.cursor_line, "what was typed before")


def test_the_popup_names_commands_and_skills(chatter: Any) -> None:
    chatter.serve()
    folder = Path(chatter.environ["HERMES_HOME"], "skills", "pr-review")
    folder.mkdir(parents=True)
    text = "---\nname: pr-review\ndescription: Reviews pull requests.\n---\n# Review\n\nDo it.\n"
    (folder / "SKILL.md").write_text(text)
    chatter.hermes("skills", "list")
    chat = chatter.start()
    chat.prompt()
    chat.press("/")
    chat.wait("/review")
    chat.wait("Reviews pull requests.")
    chat.press("pr")
    chat.until(
        lambda: "/review " not in chat.text and "/pr-review  Reviews" in chat.text,
        "the popup to follow what is typed",
    )
    chat.press(TAB)
    chat.until(lambda: chat.cursor_line == "hermes> /pr-review", "the name to be filled in")


REFUSED = {
    "/reviw": "there is no /reviw (did you mean /review?",
    "/xyzzy": "there is no /xyzzy (/help shows",
    "/rate": "nothing was done in this session yet",
    "/correct": "say what should have happened",
    "/learn": "say where the logs are",
    "/model parrot:polly": "no provider",
    "/review approve": "say which one",
    "/review approve nosuch --by ana": "there is no candidate",
    "/skills show nosuch": "there is no skill",
    "/memory nonsense": "nonsense",
}


def test_what_a_command_cannot_do_is_a_line_and_the_chat_goes_on(chatter: Any) -> None:
    chatter.serve()
    chat = chatter.start()
    for line, told in REFUSED.items():
        said = chat.ask(line)
        assert told in said, line
        assert said.count("\n") <= 1, line
    assert chat.ask("/review") == "nothing waits for review"
    assert "/learn" in chat.ask("/help")


NO_COMMANDS = ("/usr/bin is full, what now?", "// is a comment, is it?", "/tmp is full", "/ö?")


def test_a_slash_that_is_no_command_goes_to_the_agent(chatter: Any) -> None:
    chatter.serve(*(Says("I see.") for _ in NO_COMMANDS))
    chat = chatter.start()
    for line in NO_COMMANDS:
        assert chat.ask(line) == "I see."
    said = [
        step.content
        for _, steps in chatter.runs()
        for step in steps
        if step.metadata.get("role") == "user"
    ]
    assert said == list(NO_COMMANDS)


def test_rating_and_correcting_the_last_run(chatter: Any) -> None:
    chatter.serve(Says("Three."))
    chat = chatter.start()
    chat.ask("how many rows has data.csv?")
    (run, _), *_ = chatter.runs()
    assert f"{run.id} is rated 1 of 5" in chat.ask("/rate down")
    assert "is kept" in chat.ask("/correct don't count the header")


def test_another_model_from_the_next_question_on(chatter: Any) -> None:
    first = chatter.serve(Says("From the first."))
    chat = chatter.start()
    assert chat.ask("who are you?") == "From the first."
    from hermes.testing.model_servers import openai_server

    with openai_server(Says("From the second.")) as second:
        chat.ask(f"/model openai:other@{second.url}")
        assert chat.ask("and now?") == "From the second."
        assert second.asked[0]["model"] == "other"
        assert "From the first." in json.dumps(second.asked[0]["messages"])
    assert len(first.asked) == 1
    with chatter.open() as home:
        assert {home.sessions.get(run.session_id).model for run, _ in chatter.runs()} == {
            f"openai:other@{second.url}"
        }


def test_a_model_that_fails_is_told_and_the_next_question_works(chatter: Any) -> None:
    chatter.serve(Fails(401, "bad key", "invalid_api_key"), Says("Better now."))
    chat = chatter.start()
    assert "does not accept the key" in chat.ask("hello there, how are you?")
    assert chat.ask("and now?") == "Better now."


def test_without_a_model_the_chat_says_how_to_get_one(chatter: Any) -> None:
    chat = chatter.start()
    assert "hermes model" in chat.ask("hello")
    assert "no model yet" in chat.text


def test_what_a_model_says_cannot_command_the_terminal(chatter: Any) -> None:
    chatter.serve(Says("red \x1b[31malert\x07 \x1b]0;owned\x07"))
    chat = chatter.start()
    assert "\\x1b[31malert\\x07" in chat.ask("say something")
    assert b"\x1b]0;" not in chat.raw


def test_in_a_pipe_it_says_what_to_use_instead(chatter: Any) -> None:
    for words in ([], ["--resume"]):
        ran = subprocess.run(
            [sys.executable, "-m", "hermes", *words],
            env={**os.environ, **chatter.environ},
            input="hello",
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 2
        assert "hermes run" in ran.stderr
        assert ran.stderr.count("\n") == 1


def test_a_home_that_cannot_be_written_is_one_clear_line(chatter: Any, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    chat = chatter.start(HERMES_HOME=str(blocked))
    assert chat.ended() == 1
    assert chat.raw.count(b"\n") == 1
    assert str(blocked).encode() in chat.raw


def test_a_read_only_disk_is_one_clear_line(chatter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from hermes.testing.mounts import run_python

    for name, value in chatter.environ.items():
        monkeypatch.setenv(name, value)
    script = (
        "import pty, sys\n"
        "status = pty.spawn([sys.executable, '-m', 'hermes'])\n"
        "sys.exit(status >> 8)\n"
    )
    ran = run_python(script)
    assert ran.returncode == 1
    said = ran.stdout.strip().splitlines()
    assert len(said) == 1
    assert "read-only" in said[0].lower() or "cannot be written" in said[0]
