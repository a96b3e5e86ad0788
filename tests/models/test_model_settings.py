"""From settings to models: what is configured is what is built, and it costs nothing to look."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hermes.app.models import agent_model, model_access, spend_guard, stage_model
from hermes.errors import BudgetSpent, ConfigError
from hermes.records.turn import Spent
from hermes.settings import Settings, load
from hermes.testing.model_servers import Says, openai_server


def settings(home: Path, **environ: str) -> Settings:
    return load({"HERMES_HOME": str(home), "HOME": str(home), **environ})


def test_looking_at_models_imports_no_agent_library() -> None:
    program = (
        "import sys, hermes.app.models, hermes.app.learn, hermes.models.factory,"
        " hermes.models.completing, hermes.models.pulling, hermes.models.sources;"
        "print([one for one in ('pydantic_ai', 'openai', 'anthropic', 'xllamacpp')"
        " if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_environment_names_the_model_and_its_key(tmp_path: Path) -> None:
    found = settings(tmp_path, LLM_PROVIDER="openai", DEFAULT_MODEL="gpt-4o", OPENAI_API_KEY="sk-1")
    model = agent_model(found)
    assert (model.system, model.model_name) == ("openai", "gpt-4o")
    assert model.provider is not None
    assert model.provider.client.api_key == "sk-1"
    other = settings(tmp_path, DEFAULT_MODEL="anthropic:claude-x", ANTHROPIC_API_KEY="sk-2")
    built = agent_model(other)
    assert (built.system, built.model_name) == ("anthropic", "claude-x")
    assert str(model_access(other).models_dir).startswith(str(tmp_path))


def test_a_model_may_be_asked_for_by_name(tmp_path: Path) -> None:
    assert agent_model(settings(tmp_path), "ollama:hermes4").system == "ollama"


def test_no_model_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="hermes model use"):
        agent_model(settings(tmp_path))
    with stage_model(settings(tmp_path)) as model:
        assert model is None


def test_the_model_of_the_stages_leaves_no_thread_behind(tmp_path: Path) -> None:
    def threads() -> list[str]:
        return [one.name for one in threading.enumerate() if one.name == "hermes-model"]

    before = threads()
    with openai_server(Says("Yes.")) as server:
        found = settings(tmp_path, DEFAULT_MODEL=f"openai:scripted@{server.url}")
        with stage_model(found) as model:
            assert model is not None
            assert model.complete(instructions="Answer.", question="Is it?").text == "Yes."
            assert len(threads()) == len(before) + 1
    assert threads() == before


def test_the_guard_has_the_limits_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "config.yaml").write_text("limits: {max_steps: 2, max_cost_usd: 1}\n")
    found = settings(tmp_path, OPENAI_API_KEY="sk-1")
    guard = spend_guard(found, model=agent_model(found, "openai:gpt-4o"))
    guard.check()
    guard.spent = Spent(requests=2, cost_usd=0.0)
    with pytest.raises(BudgetSpent, match="2 steps"):
        guard.check()
    alone = spend_guard(found, model=agent_model(found, "openai:gpt-4o"), max_steps=1)
    alone.spent = Spent(requests=1, cost_usd=0.0)
    with pytest.raises(BudgetSpent, match="1 steps"):
        alone.check()


def test_a_limit_of_money_is_refused_where_nobody_knows_the_price(tmp_path: Path) -> None:
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "config.yaml").write_text("limits: {max_cost_usd: 1}\n")
    found = settings(tmp_path)
    model = agent_model(found, "openai:mine@http://127.0.0.1:1/v1")
    with pytest.raises(ConfigError, match="price of own-server:mine is not known"):
        spend_guard(found, model=model)
