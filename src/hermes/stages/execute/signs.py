"""What in a turn makes a review worth it at once, read from the record and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.procedure import is_program
from hermes.records.trajectory import Step
from hermes.rules.actions.moves import moves_of
from hermes.rules.follow_up import MessageKind
from hermes.rules.observing.recovery import recoveries_of
from hermes.rules.review_trigger import Sign


def signs_of(steps: Sequence[Step], said: MessageKind) -> frozenset[Sign]:
    """`said` is what the person's message was that began the turn."""
    signs = set()
    if said is MessageKind.CORRECTION:
        signs.add(Sign.CORRECTED)
    if said is MessageKind.FRUSTRATION:
        signs.add(Sign.FRUSTRATED)
    moves = moves_of(steps)
    if any(recovery.teaches for recovery in recoveries_of(moves)):
        signs.add(Sign.RECOVERED)
    if any(move.failed and is_program(move.action.tool) for move in moves):
        signs.add(Sign.SKILL_WRONG)
    if {Sign.RECOVERED} & signs and any(move.action.tool == "skill_view" for move in moves):
        signs.add(Sign.SKILL_WRONG)
    return frozenset(signs)


def had_signs(steps: Sequence[Step]) -> bool:
    """Whether an answered task has given a sign already: it was looked back at for that, in
    whatever process."""
    said = {step.metadata.get("follow_up") for step in steps}
    personal = {str(MessageKind.CORRECTION), str(MessageKind.FRUSTRATION)}
    return bool(said & personal or signs_of(steps, MessageKind.OTHER))
