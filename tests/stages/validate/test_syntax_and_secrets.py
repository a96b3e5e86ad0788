"""The parsers and the secret detectors, without the child around them."""

from __future__ import annotations

import io

import pytest

from hermes.rules.scan.finding import Severity
from hermes.stages.validate import secret_findings
from hermes.stages.validate.framing import read_frame, write_frame
from hermes.stages.validate.syntax import syntax_findings


@pytest.mark.parametrize(
    ("path", "data", "line"),
    [
        ("scripts/a.py", b"x = 1\ndef (\n", 2),
        ("scripts/a.sh", b"echo hi\nif true; then\n", 3),
        ("scripts/run", b"#!/bin/bash\nfi\n", 2),
        ("a.json", b'{\n"a": }\n', 2),
        ("a.yaml", b"a: 1\nb: [\n", 3),
    ],
)
def test_a_fault_is_told_with_its_line(path: str, data: bytes, line: int) -> None:
    (finding,) = syntax_findings({path: data})
    assert (finding.file, finding.line, finding.rule) == (path, line, "does-not-parse")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("scripts/a.py", b"print(1)\n"),
        ("scripts/a.sh", b"echo $(date) | cat\n"),
        ("templates/a.py", b"x = {{ name }}\n"),
        ("a.yaml", b"---\na: 1\n---\nb: 2\n"),
        ("notes.md", b"def ("),
    ],
)
def test_what_parses_or_need_not_is_left_alone(path: str, data: bytes) -> None:
    assert not list(syntax_findings({path: data}))


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("key = AKIA" + "QYLPMN5HXGWRTZ2B", Severity.HIGH),
        ("token: ghp_" + "k3VbQ9xZ2LmN7pRtY5sWcD8fGhJ1aE4uX6oB", Severity.HIGH),
        ("key = AKIA" + "IOSFODNN7EXAMPLE", Severity.NOTE),
    ],
)
def test_secrets_and_examples(line: str, severity: Severity) -> None:
    found = list(secret_findings.findings({"SKILL.md": f"first\n{line}\n".encode()}))
    assert [(f.line, f.severity) for f in found] == [(2, severity)]
    assert line.split()[-1] not in str(found)


def test_text_without_a_hint_costs_nothing() -> None:
    assert not secret_findings.may_hold_secret(b"the password is in the manager")


def test_a_frame_cut_short_is_the_end() -> None:
    out = io.BytesIO()
    write_frame(out, b"hello")
    whole = out.getvalue()
    assert read_frame(io.BytesIO(whole)) == b"hello"
    assert read_frame(io.BytesIO(whole[:-1])) is None
    assert read_frame(io.BytesIO(b"")) is None
