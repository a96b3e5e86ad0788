"""Skills in the chat: called by name, tried as drafts, told of and decided on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hermes.app import manage_tool, os_user
from hermes.records.approval import Channel
from hermes.store.tables.use import UseTable
from hermes.testing.homes import AGENT, skill_text
from hermes.testing.model_servers import Says
from hermes.testing.terminal import ENTER

NAME = "pr-review"
TEXT = skill_text(NAME, "Reviews pull requests. Use when asked to review.", "Check CI first.")


def _put(chatter: Any) -> None:
    folder = Path(chatter.environ["HERMES_HOME"], "skills", NAME)
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TEXT)


def _draft(chatter: Any, name: str = NAME) -> None:
    with chatter.open() as home:
        said = manage_tool(home)(
            {"action": "create", "name": name, "content": TEXT.replace(NAME, name)}, AGENT
        )
        assert said["success"], said


def test_a_live_skill_by_its_name(chatter: Any) -> None:
    _put(chatter)
    server = chatter.serve(Says("Reviewed."))
    chat = chatter.start()
    assert chat.ask(f"/{NAME} number 42") == "Reviewed."
    shown = json.dumps(server.asked[0]["messages"])
    assert "Check CI first." in shown
    assert "number 42" in shown
    (run, steps), *_ = chatter.runs()
    assert steps[0].metadata["called"] == NAME
    assert "Check CI first." not in steps[0].content
    with chatter.open() as home:
        (use,) = UseTable(home.database).of_task(run.task_id)
        assert (use.skill_id, use.reason) == (
            home.ledger.skills.named(NAME, "personal").id,
            "called by its name",
        )


def test_an_edit_is_seen_while_nobody_asks(chatter: Any) -> None:
    """Else a skill that an edit makes fit the next question would not be found for it."""
    _put(chatter)
    chatter.hermes("skills", "list")
    chat = chatter.start()
    chat.prompt()
    file = Path(chatter.environ["HERMES_HOME"], "skills", NAME, "SKILL.md")
    file.write_text(TEXT.replace("Reviews pull requests.", "Reviews whatever is sent."))

    def described() -> str:
        with chatter.open() as home:
            return str(home.ledger.skills.named(NAME, "personal").description)

    chat.until(lambda: described().startswith("Reviews whatever"), "the edit to be noted")


def test_a_draft_by_its_name_is_a_marked_trial(chatter: Any) -> None:
    _draft(chatter)
    server = chatter.serve(Says("Tried."))
    chat = chatter.start()
    said = chat.ask(f"/{NAME}")
    assert "is a draft that nobody has approved: this is a trial" in said
    assert "Tried." in said.splitlines()
    assert "Check CI first." in json.dumps(server.asked[0]["messages"])
    (run, steps), *_ = chatter.runs()
    assert steps[0].metadata["trial"] is True
    with chatter.open() as home:
        assert UseTable(home.database).of_task(run.task_id) == []


def test_a_skill_that_was_put_away_is_not_brought_back_by_its_name(chatter: Any) -> None:
    _put(chatter)
    chatter.hermes("skills", "list")
    chatter.hermes("skills", "disable", NAME)
    chatter.serve()
    chat = chatter.start()
    assert f"{NAME} is disabled" in chat.ask(f"/{NAME}")
    chatter.hermes("skills", "enable", NAME)
    chatter.hermes("skills", "archive", NAME)
    assert f"{NAME} is archived" in chat.ask(f"/{NAME}")


def test_a_draft_is_told_once_above_the_prompt(chatter: Any) -> None:
    chatter.serve()
    chat = chatter.start()
    chat.prompt()
    chat.type("half a line")
    _draft(chatter)
    chat.wait("1 draft awaits review: /review")
    chat.until(lambda: chat.cursor_line == "hermes> half a line", "what was typed to stand")
    _draft(chatter, "release-notes")
    chat.until(lambda: chat.text.count("1 draft awaits review: /review") == 2, "the second")
    chat.until(lambda: chat.lines[-1] == "hermes> half a line", "what was typed to stand again")


def test_review_shows_the_only_one_and_approves_it(chatter: Any) -> None:
    _draft(chatter)
    chatter.serve()
    chat = chatter.start()
    shown = chat.ask("/review")
    assert NAME in shown
    assert "/review approve lets it live" in shown
    chat.enter("/review approve --note 'read it twice'")
    chat.wait(f"who decides this? [{os_user()}]")
    chat.press(ENTER)
    chat.wait(f"{NAME} version 1 is live")
    with chatter.open() as home:
        release = home.ledger.releases.current(home.ledger.skills.named(NAME, "personal").id)
        assert release.approval.by == os_user()
        assert release.approval.channel is Channel.TERMINAL
        assert release.approval.note == "read it twice"


def test_reject_needs_a_reason_and_takes_a_name(chatter: Any) -> None:
    _draft(chatter)
    _draft(chatter, "release-notes")
    chatter.serve()
    chat = chatter.start()
    chat.prompt()
    chat.wait("2 drafts await review: /review")
    assert "release-notes" in chat.ask("/review")
    chat.enter("/review reject release-notes")
    chat.wait("what is wrong with it?")
    chat.press("too vague" + ENTER)
    chat.wait("who decides this?")
    chat.press("ana" + ENTER)
    chat.wait("release-notes version 1 is rejected by ana")
    chat.prompt()
    assert "is rejected by ana" in chat.ask(f"/review reject {NAME} it's too long --by ana")
    assert "nothing waits" in chat.ask("/review")
