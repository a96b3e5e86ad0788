"""The same work in the logs of eight kinds of agents: one pattern, one draft, proven on all."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.testing.sessions.city_counts import city_count
from hermes.testing.sessions.databases import hermes_agent, opencode
from hermes.testing.sessions.logs import (
    Log,
    atif,
    claude_code,
    codex,
    codex_zst,
    gemini,
    openai,
    sharegpt,
)

from .conftest import Learner

FORMATS: dict[str, Log] = {
    "claude-code": claude_code,
    "codex": codex,
    "codex.zst": codex_zst,
    "hermes-agent": hermes_agent,
    "gemini": gemini,
    "opencode": opencode,
    "atif": atif,
    "sharegpt": sharegpt,
    "openai": openai,
}


def test_examples_of_every_agent_become_one_proven_draft(learner: Learner, tmp_path: Path) -> None:
    for number, write in enumerate(FORMATS.values()):
        write(city_count(number, tmp_path / "work"), tmp_path / "logs")
    report = learner.learn(tmp_path / "logs")
    assert report["imported"]["problem_count"] == 0, report["imported"]["problems"]
    assert report["imported"]["unknown"] == {}
    assert report["imported"]["not_replayable"] == {}
    assert report["learned"]["kept"] == len(FORMATS)
    (line,) = report["learned"]["lines"]
    assert line["examples"] == len(FORMATS)
    assert (line["state"], line["score"]) == ("awaiting_review", 1.0)
    agents = {one["environment"]["agent"] for one in learner.json("examples", "list")}
    assert agents == {name.removesuffix(".zst") for name in FORMATS}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_that_is_named_is_read_as_if_it_were_found(
    learner: Learner, tmp_path: Path, name: str
) -> None:
    FORMATS[name](city_count(0, tmp_path / "work"), tmp_path / "logs")
    format = name.removesuffix(".zst")
    report = learner.learn(tmp_path / "logs", "--format", format)
    assert (report["imported"]["tasks"], report["learned"]["successes"]) == (1, 1)
    assert learner.learn(tmp_path / "logs")["imported"]["unchanged"] == 1
