"""How the uses of a skill are told: one as a line, those of a release as a branch."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.cli.branch import Branch
from hermes.cli.output import cell
from hermes.records.use import Outcome, Use
from hermes.rules.rates import lower_bound

_LATEST = 5  # uses of a release that are told one by one; `--json` has them all


def how_it_went(use: Use) -> str:
    """The outcome with what it cost; nothing is claimed before it is settled."""
    if use.settled_at is None:
        return "not settled yet"
    parts = [str(use.outcome)]
    if use.seconds is not None:
        parts.append(f"{use.seconds:.1f} s")
    if use.tokens is not None:
        parts.append(f"{use.tokens:,} tokens")
    return ", ".join(parts)


def line(name: str, use: Use) -> str:
    """A skill that a run was given, what came of it, and why it was given."""
    return f"{name}: {how_it_went(use)} ({use.reason})"


def branch_of(uses: Sequence[Use]) -> list[Branch]:
    """Nothing where nobody used it; else the count, what it proves, and the latest."""
    if not uses:
        return []
    outcomes = [use.outcome for use in uses if use.settled_at is not None]
    good, bad = outcomes.count(Outcome.SUCCESS), outcomes.count(Outcome.FAILURE)
    tasks = "1 task" if len(uses) == 1 else f"{len(uses)} tasks"
    told = f"used by {tasks}: {good} went well, {bad} did not"
    if good + bad:
        told += f", so at least {lower_bound(good, good + bad):.0%} do"
    return [Branch(told, [_one(use) for use in reversed(uses[-_LATEST:])])]


def _one(use: Use) -> Branch:
    return Branch(
        f"{use.trajectory_id or use.task_id} on {cell(use.assigned_at)}: {how_it_went(use)}"
        f" ({use.reason})"
    )
