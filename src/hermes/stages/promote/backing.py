"""What backs a draft that was extracted: examples that a person has looked at.

Whoever approves such a draft has seen the runs it was made from, so they are approved with it.
Fewer than `min_examples` is the approver's to decide; that they were fewer is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hermes.errors import Refused
from hermes.ports import Examples
from hermes.records.approval import Approval
from hermes.records.candidate import Candidate
from hermes.records.example import Example, ExampleStatus
from hermes.records.origin import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Backing:
    """`newly` are approved together with the draft; `approved` counts the earlier ones too."""

    newly: tuple[Example, ...]
    approved: int
    wanted: int

    @property
    def is_thin(self) -> bool:
        return self.approved < self.wanted

    def remark(self) -> str:
        """What an approver should know; empty where there is nothing to say."""
        if not self.is_thin:
            return ""
        return f"{self.approved} approved examples, fewer than the {self.wanted} usually wanted"


def backing_of(
    examples: Examples, candidate: Candidate, approval: Approval, wanted: int
) -> Backing | None:
    """None where a candidate was not made from examples.

    Raises Refused when one of them was rejected since: the draft rests on what a person called bad.
    """
    if candidate.origin is not Origin.EXTRACT:
        return None
    newly: list[Example] = []
    approved = 0
    for example_id in candidate.evidence.example_ids:
        example = examples.get(example_id)
        if example is None:
            continue  # an example is never deleted; one of another database cannot count here
        if example.status is ExampleStatus.REJECTED:
            raise Refused(
                f"{candidate.id} was made from {example_id}, which {example.reviewer} rejected",
                hint="`hermes learn` makes a draft without it",
            )
        approved += 1
        if example.status is ExampleStatus.CAPTURED:
            newly.append(_approved(example, candidate, approval))
    return Backing(newly=tuple(newly), approved=approved, wanted=wanted)


def _approved(example: Example, candidate: Candidate, approval: Approval) -> Example:
    return replace(
        example,
        status=ExampleStatus.APPROVED,
        reviewer=approval.by,
        reviewed_at=approval.at,
        notes=example.notes or f"approved with {candidate.id}",
    )
