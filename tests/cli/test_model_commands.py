"""`hermes model`: what is said, what is written, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.cli.main import main


def hermes(home: Path, *words: str, **environ: str) -> int:
    return main(["model", *words], {"HERMES_HOME": str(home), "HOME": str(home), **environ})


def model_file(home: Path, name: str = "mine") -> Path:
    file = home / "loop" / "models" / f"{name}.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"GGUF" + bytes(996))
    return file


def config_of(home: Path) -> str:
    file = home / "loop" / "config.yaml"
    return file.read_text() if file.exists() else ""


def test_list_shows_what_is_there_and_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model_file(tmp_path)
    assert hermes(tmp_path, "list", DEFAULT_MODEL="openai:gpt-5") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["openai:gpt-5", "configured"],
        ["local:mine", "file"],
        ["local:qwen2.5-coder-1.5b", "known"],
    ]
    assert "set OPENAI_API_KEY" in lines[1]
    assert "hermes model pull" in lines[3]


def test_list_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    model_file(tmp_path)
    environ = {"DEFAULT_MODEL": "openai:gpt-5", "OPENAI_API_KEY": "sk-1"}
    assert hermes(tmp_path, "list", "--json", **environ) == 0
    found = {one["model"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["openai:gpt-5"]["ready"]
    assert found["local:mine"] | {"ready": True, "lacks": ""} == {
        "model": "local:mine",
        "kind": "file",
        "size": 1000,
        "ready": True,
        "lacks": "",
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt-5", "names no provider"),
        ("openai:gpt-5", "set OPENAI_API_KEY"),
        ("anthropic:claude-x", "set ANTHROPIC_API_KEY"),
        ("azur:gpt", "is no provider"),
        ("local:absent", "there is no model file"),
        ("../mine", "no name of a model file"),
        ("openai:m@http://u:p@host/v1", "expected an address"),
    ],
)
def test_use_refuses_what_cannot_be_built_and_changes_nothing(
    tmp_path: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hermes(tmp_path, "use", name) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert config_of(tmp_path) == ""


def test_use_writes_what_can_be_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hermes(tmp_path, "use", "openai:m@http://127.0.0.1:8080/v1") == 0
    assert config_of(tmp_path) == "model: openai:m@http://127.0.0.1:8080/v1\n"
    assert "model is set in" in capsys.readouterr().out
    assert hermes(tmp_path, "use", "openai:gpt-5", OPENAI_API_KEY="sk-hush") == 0
    assert config_of(tmp_path) == "model: openai:gpt-5\n"


def test_use_takes_a_file_by_its_name_alone(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    model_file(tmp_path)
    assert hermes(tmp_path, "use", "mine") == 0
    assert config_of(tmp_path) == "model: local:mine\n"


def test_use_says_that_the_environment_still_beats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = "ollama:hermes4"
    assert hermes(tmp_path, "use", address, DEFAULT_MODEL="openai:gpt-5") == 0
    assert "DEFAULT_MODEL in the environment still beats it" in capsys.readouterr().err


def test_pull_of_an_unknown_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hermes(tmp_path, "pull", "no-such") == 1
    assert "qwen2.5-coder-1.5b can" in capsys.readouterr().err
