"""`hermes config`: a change keeps everything else in the file, or does not happen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import event, given
from hypothesis import strategies as st

from hermes.cli.config_edit import edited
from hermes.cli.main import main
from hermes.errors import ConfigError
from hermes.settings import load

FILE = Path("config.yaml")


def outcome_of(text: str, names: list[str], value: object) -> str | ConfigError:
    try:
        return edited(text, names, value, FILE)
    except ConfigError as error:
        return error


def wanted(text: str, names: list[str], value: object) -> object:
    """What the file must say after the change, by another way than the code's own check."""
    data = json.loads(json.dumps(yaml.safe_load(text) or {}))
    place = data
    for name in names[:-1]:
        place[name] = place.get(name) or {}
        place = place[name]
    place[names[-1]] = value
    return data


def hermes(home: Path, *words: str, **environ: str) -> int:
    return main(["config", *words], {"HERMES_HOME": str(home), **environ})


def config_of(home: Path, text: str | None = None) -> Path:
    file = home / "loop" / "config.yaml"
    if text is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return file


# show and get.


def test_show_says_where_each_value_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config_of(tmp_path, "limits: {max_steps: 7}\n")
    environ = {"OPENAI_API_KEY": "sk-hush", "LLM_PROVIDER": "openai", "DEFAULT_MODEL": "gpt-4o"}
    assert hermes(tmp_path, "show", **environ) == 0
    out = capsys.readouterr().out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert rows["limits.max_steps"] == ["7", "config.yaml:1"]
    assert rows["limits.max_tokens"] == ["400000", "default"]
    assert rows["model"] == ["openai:gpt-4o", "environment:LLM_PROVIDER,DEFAULT_MODEL"]
    assert rows["openai_api_key"] == ["********", "environment:OPENAI_API_KEY"]
    assert "hush" not in out


def test_show_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hermes(tmp_path, "show", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["promote.policy"] == {"value": "review", "source": "default"}
    assert shown["limits.max_cost_usd"]["value"] is None


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("promote.policy", "review\n"),
        ("model", "null\n"),
        ("promote.four_eyes", "false\n"),
        ("skills.external_dirs", "[]\n"),
        ("review", "review.max_iterations  16\nreview.token_budget    100000\n"),
        ("mcp_servers", "{}\n"),
    ],
)
def test_get(tmp_path: Path, key: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert hermes(tmp_path, "get", key) == 0
    assert capsys.readouterr().out == line


def test_get_of_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hermes(tmp_path, "get", "promote.polizy") == 1
    assert "did you mean promote.policy?" in capsys.readouterr().err


# set.

WRITTEN = """\
# my settings
model: openai:gpt-5   # the good one

skills:            # the library
  # nudge less
  creation_nudge_interval: 20
  external_dirs: [~/a]  # shared

promote: {policy: review, min_examples: 5}   # careful
memory:
    half_life_days: {episodic: 10}
limits:
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("model", "local:qwen", "openai:gpt-5", "local:qwen"),
        ("model", "null", "openai:gpt-5", "null"),
        ("skills.creation_nudge_interval", "5", "interval: 20", "interval: 5"),
        ("skills.external_dirs", "['a, b', c]", "[~/a]", "['a, b', c]"),
        ("promote.policy", "trust", "policy: review", "policy: trust"),
        ("promote.four_eyes", "true", "min_examples: 5}", "min_examples: 5, four_eyes: true}"),
        ("skills.guard_agent_created", "false", "# shared\n",
         "# shared\n  guard_agent_created: false\n"),
        ("memory.half_life_days.semantic", "9", "episodic: 10}", "episodic: 10, semantic: 9}"),
        ("memory.top_k", "3", "episodic: 10}\n", "episodic: 10}\n    top_k: 3\n"),
        ("limits.max_steps", "9", "limits:\n", "limits: {max_steps: 9}\n"),
        ("curate.stale_days", "9", "limits:\n", "limits:\ncurate:\n  stale_days: 9\n"),
        ("mcp_servers.my.server", "{url: http://x}", "limits:\n",
         "limits:\nmcp_servers:\n  my.server: {url: 'http://x'}\n"),
    ],
)  # fmt: skip
def test_set_changes_that_and_nothing_else(
    tmp_path: Path, key: str, value: str, old: str, new: str
) -> None:
    file = config_of(tmp_path, WRITTEN)
    assert hermes(tmp_path, "set", key, value) == 0
    assert WRITTEN.count(old) == 1
    assert file.read_text() == WRITTEN.replace(old, new)


def test_set_in_an_empty_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "new"
    assert hermes(home, "set", "promote.min_examples", "3", "--json") == 0
    file = config_of(home)
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "key": "promote.min_examples"}
    assert file.read_text() == "promote:\n  min_examples: 3\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["config.yaml"]
    assert load({"HERMES_HOME": str(home)}).promote.min_examples == 3


def test_set_keeps_line_ends_mode_and_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_bytes(b"limits:\r\n  max_steps: 1\r\n")
    real.chmod(0o640)
    file = config_of(tmp_path)
    file.parent.mkdir()
    file.symlink_to(real)
    assert hermes(tmp_path, "set", "limits.max_tokens", "5") == 0
    assert real.read_bytes() == b"limits:\r\n  max_steps: 1\r\n  max_tokens: 5\r\n"
    assert file.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("promote.policy", "evidence", "canary release is not part of this version"),
        ("promote.min_examples", "0", "promote.min_examples: expected a whole number from 1 up"),
        ("promote.min_exampels", "5", "did you mean promote.min_examples?"),
        ("promote", "5", "promote is a section"),
        ("paths.home", "/x", "set HERMES_HOME"),
        ("openai_api_key", "sk-1", "set OPENAI_API_KEY in the environment"),
        ("model", "[a", "is not a YAML value"),
        ("model.x", "a:b", "model.x is not a setting"),
        ("curate.stale_days", "100", "curate.stale_days stays as it is"),
        ("mcp_servers.x", "{nothing: 1}", "expected a mapping of names"),
    ],
)
def test_set_refuses_before_it_writes(
    tmp_path: Path, key: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = config_of(tmp_path, WRITTEN)
    assert hermes(tmp_path, "set", key, value) == 1
    assert said in capsys.readouterr().err
    assert file.read_text() == WRITTEN


def test_set_can_mend_a_broken_value(tmp_path: Path) -> None:
    file = config_of(tmp_path, "promote: {policy: evidence}\n")
    assert hermes(tmp_path, "show") == 1
    assert hermes(tmp_path, "set", "promote.policy", "review") == 0
    assert file.read_text() == "promote: {policy: review}\n"


def test_set_of_a_file_that_is_wrong_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = config_of(tmp_path, "nonsense: 1\n")
    assert hermes(tmp_path, "set", "model", "a:b") == 1
    assert "config.yaml:1: nonsense is not a setting" in capsys.readouterr().err
    assert file.read_text() == "nonsense: 1\n"


def test_set_says_when_the_environment_still_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hermes(tmp_path, "set", "model", "a:b", DEFAULT_MODEL="c:d") == 0
    assert "DEFAULT_MODEL in the environment still beats it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "model: a:b\n...\n",
        "skills: &s {}\nmemory: *s\n",
        "mcp_servers: {a: &a {url: x}, b: *a}\n",
        "skills:\n  external_dirs:\n    - a\n  ? creation_nudge_interval\n  : 5\n...\n",
        "model: >-\n  a:b\n",
    ],
)
@pytest.mark.parametrize("key", ["model", "skills.top", "mcp_servers.a", "curate.stale_days"])
def test_an_exotic_file_is_edited_rightly_or_not_at_all(text: str, key: str) -> None:
    names = key.split(".")
    outcome = outcome_of(text, names, "new")
    if isinstance(outcome, ConfigError):
        assert "by hand" in outcome.hint
        assert str(outcome).startswith("config.yaml:")
    else:
        assert yaml.safe_load(outcome) == wanted(text, names, "new")


keys = st.sampled_from(["a", "b", "c", "x.y", "nu ll"])
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("openai:gpt-5")
leaves = scalars | st.lists(scalars, max_size=3)
sections = st.dictionaries(keys, leaves | st.dictionaries(keys, scalars, max_size=3), max_size=3)


@given(
    data=st.dictionaries(keys, leaves | sections, max_size=4),
    path=st.lists(keys, min_size=1, max_size=3),
    value=leaves,
    flow=st.sampled_from([None, True, False]),
)
def test_any_file_is_edited_rightly_or_not_at_all(
    data: dict[str, object], path: list[str], value: object, flow: bool | None
) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    inner: object = data
    for name in path[:-1]:
        inner = inner.get(name) or {} if isinstance(inner, dict) else None
        if not isinstance(inner, dict):
            return  # a section cannot replace a value; the caller never asks for it
    outcome = outcome_of(text, path, value)
    event("refused" if isinstance(outcome, ConfigError) else "edited")
    if not isinstance(outcome, ConfigError):
        assert yaml.safe_load(outcome) == wanted(text, path, value)


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    keys = ["limits.max_steps", "limits.max_tokens", "curate.stale_days", "memory.top_k"]
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "hermes", "config", "set", key, "7"],
            env={**os.environ, "HERMES_HOME": str(tmp_path)},
            stdout=subprocess.DEVNULL,
        )
        for key in keys
    ]
    assert [child.wait(60) for child in children] == [0] * len(keys)
    settings = load({"HERMES_HOME": str(tmp_path)})
    assert {key: value for key, value, _ in settings.entries() if value == 7} == dict.fromkeys(
        keys, 7
    )


def test_a_home_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    home.write_text("")
    assert hermes(home, "set", "model", "a:b") == 1
    assert f"{home} is not a folder" in capsys.readouterr().err
