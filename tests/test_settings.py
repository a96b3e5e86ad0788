"""Settings: defaults as published, who beats whom, and errors that say where and what."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
import yaml

from hermes.errors import ConfigError
from hermes.settings import Settings, load, locate, private_folder

# The published defaults, as a user would write them.
DEFAULTS = """
model: null
skills: {creation_nudge_interval: 10, guard_agent_created: true, catalog_token_budget: 3000, external_dirs: []}
memory: {nudge_interval: 10, half_life_days: {episodic: 30, semantic: 365, declarative: 365}, min_similarity: 0.25, top_k: 8, team: null, embedder: null}
review: {max_iterations: 16, token_budget: 100000}
extract: {min_attempts: 3, min_learning_value: 0.6, min_messages: 10, duplicate_similarity: 0.9}
promote: {policy: review, min_examples: 5, canary_share: 0.5, canary_min_uses: 20, canary_days: 30, margin: 0.1, alpha: 0.05, holdout_share: 0.1, four_eyes: false}
refine: {ema_alpha: 0.1, rewrite_after_uses: 10, rewrite_below: 0.5}
curate: {interval_hours: 168, stale_days: 30, archive_days: 90}
sandbox: {backend: auto, network: false, timeout_s: 60, memory_mb: 512, max_processes: 64, docker_image: "python:3-slim", apparmor_profile: null, allowed_packages: []}
compiler: {max_retries: 3}
limits: {max_steps: 50, max_tokens: 400000, max_cost_usd: null, answer_timeout_s: 300}
jobs: {detach: true}
local_model: {context_tokens: 8192, threads: null}
retention: {trajectories_days: null}
mcp_servers: {}
"""  # noqa: E501


def with_config(home: Path, text: str | bytes, **environ: str) -> Settings:
    (home / "loop").mkdir(exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    (home / "loop" / "config.yaml").write_bytes(data)
    return load({"HERMES_HOME": str(home), **environ})


def error_of(home: Path, text: str | bytes, **environ: str) -> str:
    with pytest.raises(ConfigError) as caught:
        with_config(home, text, **environ)
    return str(caught.value)


def flat(data: dict[str, object], prefix: str = "") -> dict[str, object]:
    out: dict[str, object] = {}
    for key, value in data.items():
        if isinstance(value, dict) and value:
            out |= flat(value, f"{prefix}{key}.")
        else:
            out[prefix + key] = value
    return out


def values(settings: Settings) -> dict[str, object]:
    """Every key that config.yaml may hold, with its value."""
    elsewhere = (
        "paths.",
        "database_url",
        "openai_api_key",
        "anthropic_api_key",
        "embedder_api_key",
    )
    return {k: v for k, v, _ in settings.entries() if not k.startswith(elsewhere)}


def test_without_a_file_everything_is_the_published_default(tmp_path: Path) -> None:
    settings = load({"HERMES_HOME": str(tmp_path)})
    assert values(settings) == flat(yaml.safe_load(DEFAULTS))
    assert {source for key, _, source in settings.entries() if "paths" not in key} == {"default"}


def test_the_published_defaults_are_a_valid_file(tmp_path: Path) -> None:
    assert values(with_config(tmp_path, DEFAULTS)) == flat(yaml.safe_load(DEFAULTS))


def test_loading_touches_nothing_on_disk(tmp_path: Path) -> None:
    home = tmp_path / "not there"
    load({"HERMES_HOME": str(home)})
    assert not home.exists()


@pytest.mark.parametrize("text", ["", "# only a comment\n", "skills:\n", "skills: {}\n", "---\n"])
def test_a_file_that_says_nothing_changes_nothing(tmp_path: Path, text: str) -> None:
    assert values(with_config(tmp_path, text)) == values(load({"HERMES_HOME": "/nowhere"}))


def test_a_value_knows_its_line(tmp_path: Path) -> None:
    settings = with_config(tmp_path, "# mine\nskills:\n  catalog_token_budget: 500\n")
    assert settings.skills.catalog_token_budget == 500
    assert settings.sources["skills.catalog_token_budget"] == "config.yaml:3"
    assert "skills.guard_agent_created" not in settings.sources


def test_settings_are_frozen_and_a_changed_copy_is_checked(tmp_path: Path) -> None:
    settings = load({"HERMES_HOME": str(tmp_path)})
    with pytest.raises(FrozenInstanceError):
        settings.promote.policy = "trust"
    with pytest.raises(FrozenInstanceError):
        del settings.promote
    with pytest.raises(TypeError):
        settings.sources["model"] = "me"  # type: ignore[index]
    assert settings.promote.replace(policy="trust").policy == "trust"
    assert settings.promote.policy == "review"
    with pytest.raises(ValueError, match="whole number"):
        settings.promote.replace(min_examples=0)
    with pytest.raises(TypeError, match="no_such"):
        settings.promote.replace(no_such=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("skils: {}\n", ":1: skils is not a setting (did you mean skills?)"),
        ("skills:\n  top_k: 3\n", ":2: skills.top_k is not a setting (did you mean memory.top_k?)"),
        ("model: null\nmin_examples: 3\n", ":2: min_examples is not a setting (did you mean prom"),
        ("sandbox: {timeout: 3}\n", "did you mean sandbox.timeout_s?"),
        ("promote_policy: trust\n", "did you mean promote.policy?"),
        ("xyzzy: 1\n", "`hermes config show` lists the settings"),
        ("openai_api_key: sk-123\n", "set OPENAI_API_KEY in the environment"),
        ("paths: {home: /x}\n", "set HERMES_HOME"),
        ("skills: {creation_nudge_interval: ten}\n", "expected a whole number from 0 up, found 't"),
        ("skills: {creation_nudge_interval: 1.5}\n", "found 1.5"),
        ("skills: {creation_nudge_interval: true}\n", "found True"),
        ("skills: {guard_agent_created: 1}\n", "expected true or false, found 1"),
        ("skills: {external_dirs: /x}\n", "expected a list of folders"),
        ("skills: {external_dirs: [1]}\n", "expected a list of folders"),
        ("memory: {min_similarity: 1.01}\n", "expected a number from 0 to 1, found 1.01"),
        ("memory: {min_similarity: .nan}\n", "found nan"),
        ("memory: {half_life_days: 30}\n", ":1: memory.half_life_days: expected keys with values"),
        ("memory: {half_life_days: {episodic: 0}}\n", "memory.half_life_days.episodic: expected"),
        ("review: {token_budget: null}\n", "found null"),
        ("sandbox: {backend: host}\n", "expected auto or bubblewrap or docker or none, found"),
        ("promote:\n  policy: evidence\n", ":2: promote.policy: canary release is not part of thi"),
        ("promote: {policy: revue}\n", "expected review or trust, found 'revue'"),
        ("curate: {stale_days: 90, archive_days: 30}\n", "archive_days (30) is below stale_days"),
        ("model: gpt-4o\n", "expected null or provider:name"),
        ("model: 5\n", "found 5"),
        ("mcp_servers: {a: {command: ls}}\n", "expected a mapping of names"),
        ("mcp_servers: {a: {command: []}}\n", "expected a mapping of names"),
        ("mcp_servers: {a: {command: [x], url: y}}\n", "expected a mapping of names"),
        ("- a\n", ":1: expected keys with values"),
        ("skills: 5\n", ":1: skills: expected keys with values"),
        ("skills: {}\n? [a]\n: 1\n", ":2: ? is not a setting"),
        ("limits: {max_steps: 1}\nlimits: {}\n", ":2: limits is there twice"),
        ("limits:\n  max_steps: 1\n  max_steps: 2\n", ":3: limits.max_steps is there twice"),
        ("a: [\n", "is not YAML"),
        ("skills:\n\t- x\n", ":2: is not YAML"),
        ("a: 1\n---\nb: 2\n", "is not YAML"),
        ("model: null\nx: \x07\n", ":2: is not YAML"),
        ("model: !!python/object:os.system x\n", ":1: model: "),
        pytest.param("model: " + "[" * 5000, "nested too deeply", id="nested"),
        (b"model: null\n\xff\n", ":2: is not UTF-8 text"),
    ],
)
def test_a_wrong_file_is_refused_with_place_and_remedy(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    message = error_of(tmp_path, text)
    assert said in message
    assert message.startswith(str(tmp_path / "loop" / "config.yaml"))
    assert "\n" not in message
    assert "sk-123" not in message


def test_a_long_wrong_value_is_cut(tmp_path: Path) -> None:
    assert len(error_of(tmp_path, f"model: {'x' * 5000}\n")) < 300


def test_mcp_servers(tmp_path: Path) -> None:
    settings = with_config(
        tmp_path, "mcp_servers:\n  files: {command: [npx, server]}\n  web: {url: http://x}\n"
    )
    assert settings.mcp_servers["files"].command == ("npx", "server")
    assert settings.mcp_servers["web"].url == "http://x"
    shown = {key: (value, source) for key, value, source in settings.entries()}
    assert shown["mcp_servers.web"] == ({"url": "http://x"}, "config.yaml:3")


# Paths.


def test_paths_without_any_variable(tmp_path: Path) -> None:
    paths = locate({"HOME": str(tmp_path)})
    assert paths.home == tmp_path / ".hermes"
    assert paths.skills_dir == tmp_path / ".hermes" / "skills"
    assert paths.config_file == tmp_path / ".hermes" / "loop" / "config.yaml"
    assert paths.database_file == tmp_path / ".hermes" / "loop" / "loop.db"


def test_variables_move_the_paths_and_say_so(tmp_path: Path) -> None:
    settings = load(
        {
            "HOME": str(tmp_path),
            "HERMES_HOME": "~/elsewhere/../h",
            "HERMES_SKILLS_DIR": "/s",
            "PERSISTENT_DIR": "/p",
        }
    )
    paths = settings.paths
    assert paths.home == tmp_path / "h"
    assert paths.skills_dir == Path("/s")
    assert paths.config_file == tmp_path / "h" / "loop" / "config.yaml"
    kept = (paths.database_file, paths.jobs_file, paths.logs_dir, paths.data_dir, paths.blobs_dir)
    assert {path.parent for path in kept} == {Path("/p")}
    assert settings.sources["paths.home"] == "environment:HERMES_HOME"
    assert settings.sources["paths.skills_dir"] == "environment:HERMES_SKILLS_DIR"
    assert settings.sources["paths.logs_dir"] == "environment:PERSISTENT_DIR"


def test_home_option_beats_the_environment(tmp_path: Path) -> None:
    settings = load({"HERMES_HOME": "/other"}, home=str(tmp_path))
    assert settings.paths.home == tmp_path
    assert settings.sources["paths.home"] == "--home"
    with pytest.raises(ConfigError, match="empty"):
        load({}, home=" ")


def test_relative_paths_mean_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert locate({"HERMES_HOME": "h"}).home == tmp_path / "h"


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    names = ("PERSISTENT_DIR", "MEMORY_DB_URL", "OPENAI_API_KEY", "DEFAULT_MODEL")
    settings = load({"HERMES_HOME": str(tmp_path), **dict.fromkeys(names, " ")})
    assert settings.paths.logs_dir == tmp_path / "loop" / "logs"
    assert settings.openai_api_key is settings.database_url is settings.model is None


def test_a_user_who_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such user"):
        locate({"HERMES_HOME": "~nobody-of-this-name/x"})


def test_external_folders_do_not_depend_on_where_one_stands(tmp_path: Path) -> None:
    text = "skills: {external_dirs: [~/a, team/skills, /abs]}\n"
    settings = with_config(tmp_path, text, HOME="/u")
    assert settings.skills.external_dirs == ("/u/a", str(tmp_path / "team/skills"), "/abs")


def test_the_other_programs_config_is_never_read(tmp_path: Path) -> None:
    before = load({"HERMES_HOME": str(tmp_path)})
    (tmp_path / "config.yaml").write_text("not: ours\nmodel: {default: theirs}\n")
    assert load({"HERMES_HOME": str(tmp_path)}) == before


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("")
    with pytest.raises(ConfigError, match="is not a folder") as caught:
        load({"HERMES_HOME": str(home)})
    assert str(home) in str(caught.value)
    with pytest.raises(ConfigError, match="is not a folder"):
        private_folder(home / "loop")
    with pytest.raises(ConfigError, match="is not a folder"):
        private_folder(home)


def test_a_config_that_is_no_file(tmp_path: Path) -> None:
    config = tmp_path / "loop" / "config.yaml"
    config.mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot be read"):
        load({"HERMES_HOME": str(tmp_path)})
    config.rmdir()
    config.symlink_to("gone")
    with pytest.raises(ConfigError, match="does not exist"):
        load({"HERMES_HOME": str(tmp_path)})


def test_private_folder_is_private(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "a" / "loop")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert private_folder(folder) == folder


def test_a_home_that_cannot_be_used_by_this_user() -> None:
    """In a child that is not root, since nothing is closed to root."""
    code = """
import os, sys
from pathlib import Path
from hermes.errors import ConfigError
from hermes.settings import load, private_folder
closed, read_only = sys.argv[1:]
if os.getuid() == 0: os.setgid(65534); os.setuid(65534)
for act in (lambda: load({"HERMES_HOME": closed}),
            lambda: private_folder(Path(read_only)),
            lambda: private_folder(Path(read_only, "x"))):
    try: act()
    except ConfigError as error: print(error)
load({"HERMES_HOME": read_only})
print("reading needs no writing")
"""
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        closed, read_only = Path(top, "closed"), Path(top, "read-only")
        (closed / "loop").mkdir(parents=True)
        (closed / "loop" / "config.yaml").write_text("")
        closed.chmod(0o000)
        read_only.mkdir(mode=0o555)
        done = subprocess.run(
            [sys.executable, "-c", code, str(closed), str(read_only)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        closed.chmod(0o700)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert "Permission denied" in said[0]
    assert "cannot be written" in said[1]
    assert "Permission denied" in said[2]
    assert said[3] == "reading needs no writing"


# Model, database and key.


@pytest.mark.parametrize(
    ("environ", "model"),
    [
        ({"LLM_PROVIDER": "openai", "DEFAULT_MODEL": "gpt-4o"}, "openai:gpt-4o"),
        ({"LLM_PROVIDER": "OpenAI", "DEFAULT_MODEL": "openai:gpt-4o"}, "openai:gpt-4o"),
        ({"LLM_PROVIDER": "ollama", "DEFAULT_MODEL": "llama3:8b"}, "ollama:llama3:8b"),
        ({"DEFAULT_MODEL": "anthropic:claude"}, "anthropic:claude"),
        ({"LLM_PROVIDER": "local"}, "local:qwen"),
        ({}, "local:qwen"),
    ],
)
def test_the_environment_beats_the_file(
    tmp_path: Path, environ: dict[str, str], model: str
) -> None:
    settings = with_config(tmp_path, "model: local:qwen\n", **environ)
    assert settings.model == model
    source = settings.sources["model"]
    assert source.startswith("environment:") == ("DEFAULT_MODEL" in environ)


def test_a_provider_alone_chooses_no_model(tmp_path: Path) -> None:
    assert load({"HERMES_HOME": str(tmp_path), "LLM_PROVIDER": "openai"}).model is None


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DEFAULT_MODEL": "gpt-4o"}, "names no provider (set LLM_PROVIDER too"),
        ({"DEFAULT_MODEL": "openai:"}, "names no provider"),
        ({"DEFAULT_MODEL": "openai:", "LLM_PROVIDER": "openai"}, "names no model"),
        ({"LLM_PROVIDER": "openai"}, "config.yaml's model is 'local:qwen'"),
        ({"MEMORY_DB_URL": "mysql://u:secret@h/d"}, "expected a postgresql:// URL, found 'mysql'"),
    ],
)
def test_an_impossible_environment(tmp_path: Path, environ: dict[str, str], said: str) -> None:
    message = error_of(tmp_path, "model: local:qwen\n", **environ)
    assert said in message
    assert "secret" not in message


def test_secrets_are_there_and_never_shown(tmp_path: Path) -> None:
    settings = load(
        {
            "HERMES_HOME": str(tmp_path),
            "OPENAI_API_KEY": "sk-hush",
            "MEMORY_DB_URL": "postgres+asyncpg://ann:p@ss@db.example/loop?password=hush",
        }
    )
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.reveal() == "sk-hush"
    assert settings.database_url is not None
    assert settings.database_url.reveal() == "postgresql://ann:p@ss@db.example/loop?password=hush"
    everything = f"{settings} {settings!r} {list(settings.entries())}"
    assert "hush" not in everything
    assert "p@ss" not in everything
    assert "ann:********@db.example/loop" in everything


def test_the_start_stays_cheap(tmp_path: Path) -> None:
    """Neither YAML nor typing is imported where there is no config.yaml."""
    code = (
        "import sys; from hermes.settings import load; load({'HERMES_HOME': sys.argv[1]});"
        "print([m for m in ('yaml', 'typing', 'argparse', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
