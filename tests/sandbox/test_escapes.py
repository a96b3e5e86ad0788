"""Every program in escapes/ tries one way out, on every backend.

Each must be held, leave the host as it was, find no secret, and be reported as what it was. What
is expected of a program stands in its own first lines:

    tells: KIND PATTERN      the violation that must be in the report
    killed_by: LIMIT         the limit that must end it (`memory?`: or that lets it end by itself)
    limits: NAME=NUMBER ...  other limits than the usual
    ends: killed             it may be dead before it can say so
    machine: NAME            only there
    not_on: BACKEND          where the question does not arise
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.ports import Sandbox
from hermes.records.sandbox import Limits, SandboxPolicy, SandboxResult, Violation, Witness
from hermes.testing.sandbox.victim import Victim

FOLDER = Path(__file__).parent / "escapes"
PROGRAMS = sorted(
    path for path in FOLDER.iterdir() if path.suffix in (".py", ".sh") and path.stem != "prelude"
)
USUAL = Limits(seconds=15.0, cpu_seconds=15.0, processes=24)


def expectations(program: Path) -> dict[str, str]:
    head = program.read_text().split("\n\nimport ")[0].splitlines()[:8]
    found = (re.match(r"^(?:# )?(\w+): (.+)$", line) for line in head)
    return {match[1]: match[2] for match in found if match}


def limits_of(expected: dict[str, str]) -> Limits:
    changes = dict(part.split("=") for part in expected.get("limits", "").split())
    return replace(USUAL, **{name: int(value) for name, value in changes.items()})


def test_there_are_enough_of_them() -> None:
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program_is_held(program: Path, sandbox: Sandbox, victim: Victim) -> None:
    expected = expectations(program)
    if expected.get("machine", os.uname().machine) != os.uname().machine:
        pytest.skip(f"only on {expected['machine']}")
    if expected.get("not_on") == sandbox.name:
        pytest.skip(f"not a question on {sandbox.name}")
    with sandbox.scratch() as place:
        shutil.copy(FOLDER / "prelude.py", place.skills)
        shutil.copy(program, place.skills)
        policy = SandboxPolicy.trial(
            skills=place.skills,
            data=place.data,
            limits=limits_of(expected),
            environment={"HOST_FACTS": json.dumps(victim.facts)},
        )
        shell = "bash" if program.suffix == ".sh" else "python"
        result = sandbox.run([shell, f"/app/skills/{program.name}"], policy)
        alive = Path(place.data, "alive")
        grown = alive.stat().st_size if alive.exists() else 0
        _check_report(result, expected, victim)
        assert result.seconds < policy.limits.seconds + 5
        assert victim.harm() == []
        assert (alive.stat().st_size if alive.exists() else 0) == grown
        folder = Path(place.data).parent
    assert not folder.exists()


def _check_report(result: SandboxResult, expected: dict[str, str], victim: Victim) -> None:
    said = result.stdout_text[-2000:] + result.stderr_text[-2000:]
    assert result.isolated
    assert b"ESCAPED" not in result.stdout, said
    assert victim.token.encode() not in result.stdout + result.stderr
    limit = expected.get("killed_by", "")
    if limit and not (limit.endswith("?") and result.killed_by is None):
        assert result.killed_by == limit.rstrip("?"), said
        assert result.exit_code == 137
    else:
        assert result.killed_by is None, said
        if "ends" not in expected:
            assert result.exit_code == 0, said
            assert b"HELD" in result.stdout, said
    if "tells" in expected and result.backend == "bubblewrap":
        kind, pattern = expected["tells"].split(" ", 1)
        assert any(_tells(one, kind, pattern) for one in result.violations), result.violations
    if result.backend == "docker":
        assert all(one.witness is Witness.MESSAGE for one in result.violations)


def _tells(violation: Violation, kind: str, pattern: str) -> bool:
    named = violation.kind == kind and re.fullmatch(pattern + ".*", violation.subject) is not None
    return named and violation.witness is Witness.KERNEL
