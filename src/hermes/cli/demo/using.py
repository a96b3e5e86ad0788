"""A person approves; the skill does its work on a file that no run ever saw."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from hermes.cli.demo.learning import LOGS
from hermes.cli.demo.narrator import Narrator
from hermes.records.candidate import Candidate
from hermes.records.scope import PERSONAL
from hermes.records.skill import Skill

UNSEEN = LOGS / "unseen"
_SEEN = {
    "input": "exports/orders_q1.csv logs/checkout.log",
    "output": "orders_q1_monthly.csv reports/checkout-errors.md",
    "date_column": "order_date",
    "amount_column": "amount",
    "status_column": "status",
    "min": "400 min=400",
    "top": "5",
}
"""A value that the runs had for each thing the new case needs: so its parameter is found."""


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "A person approves, and it works on files it never saw",
        "Who approved what, from which runs, stays in the audit trail. The answers below were "
        "worked out by another method, before anything was learned.",
    )
    with narrator.open() as home:
        waiting = home.ledger.candidates.awaiting()
    for case in json.loads((UNSEEN / "cases.json").read_text()):
        candidate = draft_for(waiting, case)
        if candidate is None:
            narrator.claim(f"there is a draft for: {case['pattern']}", False)
            continue
        _approve(narrator, candidate)
        _run(narrator, candidate.skill_name, case)


def draft_for(waiting: Sequence[Candidate], case: Mapping[str, Any]) -> Candidate | None:
    """Skills that read logs say so in their names."""
    reads_log = case["input"].endswith(".log")
    fitting = (one for one in waiting if ("log" in one.skill_name.split("-")) is reads_log)
    return next(fitting, None)


def _approve(narrator: Narrator, candidate: Candidate) -> None:
    narrator.hermes("review", "show", candidate.id, "--brief")
    narrator.hermes("review", "approve", candidate.id, "--by", "ana", "--note", "checked the runs")
    narrator.hermes("skills", "why", candidate.skill_name)
    with narrator.open() as home:
        skill = home.ledger.skills.named(candidate.skill_name, PERSONAL)
    narrator.claim("it is live, and marked proven", skill is not None and skill.proven)


def _run(narrator: Narrator, name: str, case: Mapping[str, Any]) -> None:
    work = narrator.skills.parent / "work"
    work.mkdir(exist_ok=True)
    shutil.copy(UNSEEN / case["input"], work / case["input"])
    with narrator.open() as home:
        skill = home.ledger.skills.named(name, PERSONAL)
    words = [f"--param={key}={value}" for key, value in _values(skill, case).items()]
    narrator.say(f"Asked: {case['request']}")
    narrator.hermes("skills", "run", name, *words, cwd=work)
    made, expected = work / case["output"], UNSEEN / case["expected"]
    right = made.exists() and made.read_text().strip() == expected.read_text().strip()
    narrator.claim(f"{case['output']} is right, to the last figure", right)


def _values(skill: Skill | None, case: Mapping[str, Any]) -> dict[str, str]:
    """What this case needs, under the names that the miner gave the parameters."""
    wanted = {"input": case["input"], "output": case["output"], **case["values"]}
    values: dict[str, str] = {}
    for parameter in skill.parameters if skill else ():
        seen = {str(value) for value in parameter.observed}
        for thing, value in wanted.items():
            found = seen.intersection(_SEEN[thing].split())
            if found:
                values[parameter.name] = _like(next(iter(found)), str(value))
    return values


def _like(seen: str, value: str) -> str:
    """`min=400` was seen where the case says 500: the form is kept."""
    name, equals, _ = seen.rpartition("=")
    return f"{name}{equals}{value}"
