"""What a run says: passed, failed with the line one would look for, or not run at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.records.sandbox import (
    KilledBy,
    Limits,
    SandboxResult,
    Violation,
    ViolationKind,
    Witness,
)
from hermes.records.trial import Trial, TrialKind, TrialOutcome
from hermes.rules.trial_answers import Surroundings, first_error, judge

HEAD = "Traceback (most recent call last):\n"
TRIAL = Trial(name="scripts/test_tidy.py", kind=TrialKind.FUNCTIONS)
AROUND = Surroundings(
    limits=Limits(seconds=5, memory_bytes=64 << 20),
    modules={"tidy"},
    package_of=lambda module: {"yaml": "pyyaml"}.get(module, module),
)


def ran(exit_code: int = 1, stderr: str = "", **fields: object) -> SandboxResult:
    values = {
        "backend": "bubblewrap",
        "isolated": True,
        "exit_code": exit_code,
        "stdout": b"",
        "stderr": stderr.encode("utf-8", "surrogateescape"),
        "stdout_truncated": False,
        "stderr_truncated": False,
        "seconds": 0.25,
        "cpu_seconds": None,
        "max_rss": None,
        "killed_by": None,
    }
    return SandboxResult(**{**values, **fields})  # type: ignore[arg-type]


def missing(module: str) -> str:
    return f"{HEAD}  x\nModuleNotFoundError: No module named '{module}'"


def test_only_an_end_by_itself_with_0_is_a_pass() -> None:
    passed = judge(TRIAL, ran(0, "a warning"), AROUND)
    assert (passed.outcome, passed.error, passed.seconds) == (TrialOutcome.PASSED, "", 0.25)
    assert judge(TRIAL, ran(1), AROUND).outcome is TrialOutcome.FAILED
    assert judge(TRIAL, ran(0, killed_by=KilledBy.TIME), AROUND).outcome is TrialOutcome.FAILED


def test_what_was_not_isolated_is_no_pass() -> None:
    answer = judge(TRIAL, ran(0, backend="none", isolated=False), AROUND)
    assert answer.outcome is TrialOutcome.NOT_RUN
    assert answer.error == "none did not isolate it"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (KilledBy.TIME, "it ran for more than 5 s"),
        (KilledBy.CPU, "it computed for more than 60 s"),
        (KilledBy.MEMORY, "it needed more than 64 MiB of memory"),
        (KilledBy.PROCESSES, "it started more than 64 processes"),
        (KilledBy.OUTPUT, "it printed more than 1 MiB"),
        (KilledBy.DISK, "it wrote more than 256 MiB"),
    ],
)
def test_a_limit_is_named(limit: KilledBy, said: str) -> None:
    assert judge(TRIAL, ran(137, killed_by=limit), AROUND).error == said


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("", "it ended with exit code 3"),
        ("no header row\nmore", "no header row"),
        (
            f"warning\n{HEAD}  File\n    f()\nKeyError: 'x'",
            "KeyError: 'x'",
        ),
        (
            f"{HEAD}  File\n    assert f() == 2\n           ^^^\nAssertionError",
            "AssertionError: assert f() == 2",
        ),
        (
            f"F\n=====\nFAIL: test_a\n-----\n{HEAD}  x\nValueError: 1\n\n"
            f"During handling\n\n{HEAD}  y\nTypeError: 2",
            "ValueError: 1",
        ),
        (
            "  File 'a.py', line 1\n    def (\n        ^\nSyntaxError: invalid",
            "SyntaxError: invalid",
        ),
        ("\x1b[31mred\x00\x07 line\n", "[31mred   line"),
        ("\x1b\n\x07\n", "it ended with exit code 3"),
        ("x" * 5000, "x" * 300 + "…"),
        ("\udcff\udcfe broken", "\ufffd\ufffd broken"),
    ],
)
def test_the_first_error_is_one_plain_line(stderr: str, said: str) -> None:
    assert first_error(ran(3, stderr)) == said


def test_last_words_on_stdout_are_better_than_none() -> None:
    assert first_error(ran(3, stdout=b"one\nexpected 3, got 4\n\n")) == "expected 3, got 4"


def test_a_package_that_is_not_here_is_no_failure() -> None:
    answer = judge(TRIAL, ran(1, missing("yaml.nodes")), AROUND)
    assert answer.outcome is TrialOutcome.NOT_RUN
    assert answer.error == "missing dependency pyyaml (not declared)"
    declared = replace(AROUND, declared=("pyyaml>=6",))
    answer = judge(TRIAL, ran(1, missing("yaml")), declared)
    assert answer.error == "missing dependency pyyaml (declared, but not installed for trials)"


def test_a_package_beside_the_installed_ones_is_a_failure() -> None:
    installed = replace(AROUND, declared=("pandas",), installed=True)
    answer = judge(TRIAL, ran(1, missing("yaml")), installed)
    assert answer.outcome is TrialOutcome.FAILED
    assert answer.error == "missing dependency pyyaml, which it does not declare"


def test_its_own_module_that_cannot_be_found_is_a_failure() -> None:
    answer = judge(TRIAL, ran(1, missing("tidy")), AROUND)
    assert answer.outcome is TrialOutcome.FAILED
    assert answer.error == "ModuleNotFoundError: No module named 'tidy'"


def test_a_command_that_is_not_here_is_no_failure() -> None:
    said = "scripts/test_a.sh: line 3: jq: command not found"
    assert judge(TRIAL, ran(127, said), AROUND).error == "missing dependency jq"
    assert judge(TRIAL, ran(1, said), AROUND).outcome is TrialOutcome.FAILED
    assert judge(TRIAL, ran(127, "something else"), AROUND).outcome is TrialOutcome.FAILED


def test_no_tests_ran_is_no_pass() -> None:
    answer = judge(TRIAL, ran(5, "-----\nRan 0 tests in 0.000s"), AROUND)
    assert (answer.outcome, answer.error) == (TrialOutcome.NOT_RUN, "Ran 0 tests in 0.000s")


def test_what_the_sandbox_refused_is_told() -> None:
    reach = Violation(
        kind=ViolationKind.NETWORK, subject="socket(AF_INET)\x07", witness=Witness.KERNEL
    )
    write = Violation(kind=ViolationKind.WRITE, subject="/etc/passwd", witness=Witness.KERNEL)
    failed = judge(TRIAL, ran(1, "OSError: no", violations=(reach, write)), AROUND)
    assert failed.error == (
        "OSError: no (the sandbox refused: network socket(AF_INET), write /etc/passwd)"
    )
    passed = judge(TRIAL, ran(0, violations=(reach,) * 50), AROUND)
    assert passed.outcome is TrialOutcome.PASSED
    assert passed.refused == ("network socket(AF_INET)",) * 3
