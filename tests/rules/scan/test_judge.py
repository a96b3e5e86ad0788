"""How effects add up: alone, together, in context; and what a report says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.effects import Effect, Kind, Surface
from hermes.rules.scan.finding import Finding, ScanVerdict, Severity
from hermes.rules.scan.judge import judge
from hermes.rules.scan.purpose import Purpose

HOST = "https://h.example/x"
LEAK = Effect(Kind.LEAK, "scripts/a.py", 3, "os.environ", HOST)


def test_a_proof_blocks_and_is_explained() -> None:
    report = judge([LEAK], Purpose("n", "d"))
    assert report.verdict is ScanVerdict.BLOCK
    assert "hands private data" in report.explanation
    finding = report.findings[0]
    assert (finding.file, finding.line, finding.rule) == ("scripts/a.py", 3, "leak")
    assert finding.advice


def test_nothing_is_clean() -> None:
    assert judge([], Purpose()).verdict is ScanVerdict.CLEAN


def test_a_secret_and_a_strangers_host_in_two_files() -> None:
    reads = Effect(Kind.ENV_READ, "scripts/a.py", 2)
    sends = Effect(Kind.SEND, "scripts/b.py", 9, host=HOST)
    assert judge([reads], Purpose()).verdict is ScanVerdict.CLEAN
    assert judge([sends], Purpose()).verdict is ScanVerdict.CLEAN
    assert judge([reads, sends], Purpose()).verdict is ScanVerdict.BLOCK


def test_an_act_and_an_order_to_hide_it() -> None:
    write = Effect(Kind.AGENT_WRITE, "SKILL.md", 10, "SOUL.md", surface=Surface.PROSE)
    hide = Effect(Kind.CONCEAL, "SKILL.md", 12, "do not tell", surface=Surface.PROSE)
    far = replace(hide, line=200)
    assert judge([write], Purpose()).verdict is ScanVerdict.CLEAN
    assert judge([write, hide], Purpose()).verdict is ScanVerdict.BLOCK
    assert judge([write, far], Purpose()).verdict is ScanVerdict.WARN


def test_two_lesser_signs_of_different_kinds_block() -> None:
    hide = Effect(Kind.CONCEAL, "SKILL.md", 1, surface=Surface.PROSE)
    shared = "https://raw.githubusercontent.com/a/b/i.sh"
    run = Effect(Kind.FETCH_RUN, "SKILL.md", 300, host=shared, surface=Surface.SNIPPET)
    assert judge([hide], Purpose()).verdict is ScanVerdict.WARN
    assert judge([run], Purpose()).verdict is ScanVerdict.WARN
    assert judge([hide, run], Purpose()).verdict is ScanVerdict.BLOCK


def test_a_quotation_weighs_less_but_a_script_never_does() -> None:
    quoted = replace(LEAK, surface=Surface.PROSE, warned=True)
    assert judge([quoted], Purpose()).verdict is ScanVerdict.CLEAN
    assert judge([replace(LEAK, warned=True)], Purpose()).verdict is ScanVerdict.BLOCK


def test_security_lessons_weigh_less_in_prose_and_not_in_scripts() -> None:
    lesson = Purpose("skill-auditor", "Reviews skills for security problems.")
    snippet = replace(LEAK, surface=Surface.SNIPPET, warned=True)
    assert judge([snippet], Purpose("n", "d")).verdict is ScanVerdict.WARN
    assert judge([snippet], lesson).verdict is ScanVerdict.CLEAN
    assert judge([LEAK], lesson).verdict is ScanVerdict.BLOCK


def test_faults_that_are_no_attacks_do_not_decide() -> None:
    extra = [RULES["personal-data"].finding("SKILL.md", 1, Severity.MEDIUM)]
    assert judge([], Purpose(), extra).verdict is ScanVerdict.CLEAN
    secret = [RULES["contains-secret"].finding("SKILL.md", 1, Severity.HIGH)]
    assert judge([], Purpose(), secret).verdict is ScanVerdict.BLOCK


def test_repetitions_are_left_out() -> None:
    report = judge([replace(LEAK, line=n) for n in range(1, 50)], Purpose())
    assert len(report.findings) == 3


def test_a_host_that_bears_the_name_of_the_skill() -> None:
    assert Purpose("acme-crm", "Talks to acme").names("https://api.acme.example/v1")
    assert not Purpose("acme-crm", "Talks to acme").names(HOST)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_says_what_it_means_and_what_to_do(rule: str) -> None:
    finding = RULES[rule].finding("f", 1, Severity.HIGH, "detail")
    assert finding.message.endswith("detail")
    assert finding.advice
    assert Finding.from_json(finding.to_json()) == finding


def test_severities_stay_on_their_scale() -> None:
    assert Severity.CRITICAL.shifted(1) is Severity.CRITICAL
    assert Severity.MEDIUM.shifted(-5) is Severity.NOTE
    assert Severity.MEDIUM.shifted(1) is Severity.HIGH
