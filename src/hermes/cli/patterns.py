"""`hermes patterns`: which examples belong together, why, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.examples import examples_of, patterns_of
from hermes.cli import picking
from hermes.cli.arguments import id_argument
from hermes.cli.branch import Branch
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.ports import Patterns
    from hermes.records.candidate import Candidate
    from hermes.records.pattern import Pattern

_PAGE = 500


def list_(call: Call) -> None:
    with open_home(call.settings) as home:
        found = sorted(_all(patterns_of(home)), key=lambda one: (-len(one.example_ids), one.id))
    if call.json:
        call.out.json(found)
        return
    call.out.table(
        ("PATTERN", "EXAMPLES", "INTENT", "WHY", "SINCE"),
        [(one.id, len(one.example_ids), one.intent, one.reason, one.created_at) for one in found],
        empty="no two examples ask for the same thing yet",
        cut="WHY",
    )


def show(call: Call) -> None:
    with open_home(call.settings) as home:
        patterns, examples = patterns_of(home), examples_of(home)
        one = picking.by_id(call.args.id, "pattern", patterns.get, patterns.page)
        members = [examples.get(example_id) for example_id in one.example_ids]
        came = list(_came_of(home, one))
        states = [home.ledger.version(candidate.version_id).state for candidate in came]
    if call.json:
        call.out.json({"pattern": one, "examples": members, "candidates": came})
        return
    call.out.fields(
        [
            ("pattern", one.id),
            ("intent", one.intent),
            ("why", one.reason),
            ("since", one.created_at),
        ]
    )
    call.out.line()
    told = [f"{member.id} {member.status}: {member.task}" for member in members if member]
    call.out.tree(Branch("examples", [Branch(line) for line in told]))
    led = [
        f"{candidate.id} {candidate.skill_name}: {candidate.summary} ({state})"
        for candidate, state in zip(came, states, strict=True)
    ]
    nothing = "nothing yet: not enough successes, or no draft was worth proposing"
    call.out.tree(Branch("led to", [Branch(line) for line in led or [nothing]]))


def _all(patterns: Patterns) -> Iterator[Pattern]:
    after = ""
    while page := patterns.page(after, _PAGE):
        yield from page
        after = page[-1].id


def _came_of(home: Home, pattern: Pattern) -> Iterator[Candidate]:
    """Candidates whose evidence has examples of this pattern."""
    members, after = set(pattern.example_ids), ""
    while page := home.ledger.candidates.page(after, _PAGE):
        yield from (one for one in page if members & set(one.evidence.example_ids))
        after = page[-1].id


COMMAND = {
    "list": Command(
        run=list_,
        json=True,
        summary="what was asked more than once, the most frequent first",
        example="hermes patterns list",
    ),
    "show": Command(
        run=show,
        arguments=id_argument,
        json=True,
        summary="one pattern: its examples, why they belong together, what it led to",
        example="hermes patterns show pattern_0c8xk2",
    ),
}
