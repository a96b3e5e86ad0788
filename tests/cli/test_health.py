"""`hermes skills health`: run, told, put away, brought back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes.testing.wheels import write_wheel

from .conftest import ATTACK, Shell

PASSES = "def test_it():\n    assert 1 + 1 == 2\n"
FAILS = "def test_it():\n    assert 1 + 1 == 3\n"
ERROR = "scripts/test_it.py: AssertionError: assert 1 + 1 == 3"
TEST = "scripts/test_it.py"


@pytest.fixture
def mixed(shell: Shell) -> Shell:
    """A sound skill, a broken one, and one without tests."""
    for name, test in (("sound", PASSES), ("broken", FAILS), ("plain", None)):
        shell.write(name)
        if test is not None:
            shell.write(name, test, TEST)
    return shell


def states(shell: Shell) -> dict[str, str]:
    lines = shell("skills", "list", "--json").json["skills"]
    return {line["name"]: line["state"] for line in lines}


def test_a_round_is_told_and_a_failure_is_exit_code_1(mixed: Shell) -> None:
    answer = mixed("skills", "health")
    assert answer.code == 1
    lines = answer.out.splitlines()
    assert lines[0].split() == ["NAME", "HEALTH", "STATE", "SECONDS", "RAN"]
    rows = {line.split()[0]: line.split()[1:3] for line in lines[1:3]}
    assert rows == {"sound": ["healthy", "live"], "broken": ["failing", "deprecated"]}
    assert lines[3:] == [
        f"Skill 'broken' health check failed: {ERROR}",
        "skills without tests, and so untested: 1",
        "Health check complete: 3 skills, 1 deprecated",
    ]
    assert answer.err == ""


def test_a_broken_skill_is_listed_and_shown_as_such(mixed: Shell) -> None:
    assert "health       -" in mixed("skills", "show", "broken").out
    mixed("skills", "health")
    states = {
        line["name"]: line["state"] for line in mixed("skills", "list", "--json").json["skills"]
    }
    assert states == {"broken": "deprecated", "plain": "live", "sound": "live"}
    shown = mixed("skills", "show", "broken").out
    assert f"health       failing: {ERROR}" in shown
    assert "needs a rewrite" in shown
    assert "health       healthy\n" in mixed("skills", "show", "sound").out
    assert "health       untested: it has no tests" in mixed("skills", "show", "plain").out
    assert f"broken failed its health check: {ERROR}" in mixed("events", "--skill", "broken").out


def test_once_mended_it_is_live_and_exit_code_0(mixed: Shell) -> None:
    mixed("skills", "health")
    mixed.write("broken", PASSES, TEST)
    answer = mixed("skills", "health")
    assert answer.code == 0
    assert "Health check complete: 3 skills, 0 deprecated" in answer.out


def test_a_program_reads_json(mixed: Shell) -> None:
    answer = mixed("skills", "health", "--json")
    assert answer.code == 1
    assert answer.err == ""
    plain = answer.json
    assert plain["deprecated"] == ["broken"]
    assert plain["not_reached"] == []
    found = {one["name"]: one["check"] for one in plain["skills"]}
    told = {name: check["status"] for name, check in found.items()}
    assert told == {"sound": "healthy", "broken": "failing", "plain": "untested"}
    assert found["broken"]["error"] == ERROR
    assert found["broken"]["ran"] == [TEST]


def test_one_skill_by_name(mixed: Shell) -> None:
    answer = mixed("skills", "health", "--name", "sound")
    assert answer.code == 0
    assert "Health check complete: 1 skills, 0 deprecated" in answer.out
    missing = mixed("skills", "health", "--name", "sond")
    assert missing.code == 1
    assert "did you mean sound?" in missing.err
    mixed.create("draft", asked=False)
    drafted = mixed("skills", "health", "--name", "draft")
    assert drafted.code == 1
    assert "is not live" in drafted.err


def test_a_budget_is_kept_and_what_it_left_out_is_named(shell: Shell) -> None:
    shell.write("slow")
    shell.write("slow", "import time\ntime.sleep(30)\n", TEST)
    answer = shell("skills", "health", "--budget", "1s")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "not checked this time: slow",
        "Health check complete: 0 skills, 0 deprecated",
    ]


@pytest.mark.parametrize("budget", ["", "0", "-1s", "1d", "s", "1.5s", "ten", "²s", "9999999"])
def test_a_budget_that_is_none_is_wrong_usage(shell: Shell, budget: str) -> None:
    answer = shell("skills", "health", f"--budget={budget}")
    assert answer.code == 2
    assert "such as 60s or 5m" in answer.err


def test_without_a_sandbox_nothing_runs_and_the_error_says_so(mixed: Shell) -> None:
    config = mixed.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("sandbox: {backend: none}\n")
    answer = mixed("skills", "health")
    assert answer.code == 1
    assert "tried in isolation or not at all" in answer.err
    assert "Health check complete" not in answer.out
    states = {
        line["name"]: line["state"] for line in mixed("skills", "list", "--json").json["skills"]
    }
    assert set(states.values()) == {"live"}


def test_an_empty_home_is_healthy(shell: Shell) -> None:
    answer = shell("skills", "health")
    assert (answer.code, answer.out) == (0, "Health check complete: 0 skills, 0 deprecated\n")


def test_what_a_test_prints_cannot_command_the_terminal(shell: Shell) -> None:
    shell.write("loud")
    shell.write("loud", f"import sys\nsys.exit({ATTACK!r})\n", TEST)
    answer = shell("skills", "health")
    assert "owned" in answer.out
    assert not set("\x1b\x07\u202e") & set(answer.out)


def test_packages_are_fetched_when_somebody_lets_them_in(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pip")
    write_wheel(tmp_path, "greeting", "WORD = 'hello'\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    shell.write("greeter")
    shell.write("greeter", "greeting\n", "requirements.txt")
    shell.write("greeter", "import greeting\nassert greeting.WORD == 'hello'\n", TEST)
    shell.write("hopeless")
    shell.write("hopeless", "there-is-no-such-package\n", "requirements.txt")
    before = shell("skills", "health")
    assert before.code == 0
    said = "missing dependency greeting (declared, but not installed for trials)"
    assert f"Skill 'greeter' is untested: {TEST}: {said}" in before.out
    assert "`hermes skills health --install --by NAME` fetches" in before.err
    assert shell("skills", "health", "--install").code == 2
    after = shell("skills", "health", "--install", "--by", "ana")
    assert after.code == 0
    assert "greeter  healthy" in after.out
    assert "problem: hopeless: the packages cannot be had" in after.err
    trail = shell("events", "--skill", "greeter").out
    assert "ana let the trials of greeter have greeting==1.0" in trail
    checks = json.loads(shell("skills", "health", "--json").out)["skills"]
    assert (
        "greeting==1.0"
        in next(one for one in checks if one["name"] == "greeter")["check"]["environment"]
    )


def test_a_package_on_the_list_comes_by_itself(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pip")
    write_wheel(tmp_path, "greeting", "WORD = 'hello'\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert shell("config", "set", "sandbox.allowed_packages", "[greeting, absent]").code == 0
    for name, package in (("greeter", "greeting"), ("hopeless", "absent"), ("stranger", "other")):
        shell.write(name)
        shell.write(name, f"{package}\n", "requirements.txt")
        shell.write(name, f"import {package}\n", TEST)
    answer = shell("skills", "health")
    assert "greeter   healthy" in answer.out
    assert "Skill 'hopeless' does not have its packages: the packages cannot be had" in answer.out
    assert "Skill 'stranger' is untested" in answer.out
    trail = shell("events", "--skill", "greeter").out
    assert "sandbox.allowed_packages let the trials of greeter have greeting==1.0" in trail


def test_a_package_that_is_not_declared_is_asked_to_be(shell: Shell) -> None:
    shell.write("greeter")
    shell.write("greeter", "import greeting\n", TEST)
    answer = shell("skills", "health")
    assert "missing dependency greeting (not declared)" in answer.out
    assert "requirements.txt" in answer.err
    assert "--install" not in answer.err
