"""Model strings: what they name, and what is said of those that name nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.errors import ConfigError, NotFound
from hermes.models.access import ModelAccess, checked
from hermes.models.names import parse


@pytest.mark.parametrize(
    ("text", "provider", "name", "base_url"),
    [
        ("openai:gpt-5", "openai", "gpt-5", "https://api.openai.com/v1"),
        ("OpenAI:gpt-5", "openai", "gpt-5", "https://api.openai.com/v1"),
        ("anthropic:claude-x", "anthropic", "claude-x", "https://api.anthropic.com"),
        ("ollama:hermes4:8b", "ollama", "hermes4:8b", "http://127.0.0.1:11434/v1"),
        ("openai:m@http://127.0.0.1:8080/v1/", "openai", "m", "http://127.0.0.1:8080/v1"),
        ("openai:org/m@2@https://x.example/v1", "openai", "org/m@2", "https://x.example/v1"),
        ("local:qwen2.5-coder.gguf", "local", "qwen2.5-coder", ""),
    ],
)
def test_what_a_model_string_names(text: str, provider: str, name: str, base_url: str) -> None:
    found = parse(text)
    assert (found.provider, found.name, found.base_url) == (provider, name, base_url)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpt-5", "names no model"),
        ("openai:", "names no model"),
        ("azur:gpt-5", "'azur' is no provider"),
        ("local:../../etc/passwd", "no name of a model file"),
        ("local:.hidden", "no name of a model file"),
        ("local:m@http://127.0.0.1/v1", "'local' is no provider"),
        ("openai:m@http://me:secret@host/v1", "expected an address"),
        ("openai:m@http://host/v1?key=1", "expected an address"),
        ("openai:m@http:///v1", "expected an address"),
    ],
)
def test_what_names_nothing_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        parse(text)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_a_key_leaves_the_machine_encrypted_or_not_at_all() -> None:
    assert parse("openai:m@https://far.example/v1").may_see_key
    assert parse("openai:m@http://127.0.0.1:1/v1").may_see_key
    assert parse("openai:m@http://[::1]:1/v1").may_see_key
    assert not parse("openai:m@http://127.0.0.1.evil.example/v1").may_see_key
    assert not parse("openai:m@http://192.168.0.2/v1").may_see_key


def test_what_is_missing_is_said_before_anything_is_built(tmp_path: Path) -> None:
    access = ModelAccess(models_dir=tmp_path)
    with pytest.raises(ConfigError, match="set OPENAI_API_KEY"):
        checked("openai:gpt-5", access)
    with pytest.raises(ConfigError, match="set ANTHROPIC_API_KEY"):
        checked("anthropic:claude-x", ModelAccess(models_dir=tmp_path, keys={"openai": "k"}))
    with pytest.raises(NotFound, match="hermes model pull absent"):
        checked("local:absent", access)
    assert checked("openai:m@http://127.0.0.1:1/v1", access).own_server
    assert checked("ollama:m", access).name == "m"


def test_keys_show_in_no_repr(tmp_path: Path) -> None:
    assert "sk-hush" not in repr(ModelAccess(models_dir=tmp_path, keys={"openai": "sk-hush"}))
