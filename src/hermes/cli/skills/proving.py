"""`skills prove`: do the examples of a skill again, each by what the others teach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import name_argument
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED

if TYPE_CHECKING:
    from hermes.records.replay import CaseResult, Proof


def prove(call: Call) -> int:
    """Exit code 0 only where something was proven and nothing broke."""
    from hermes.app import prove_skill
    from hermes.cli import picking

    with open_home(call.settings) as home:
        skill = picking.skill(home, call.args.name)
        with call.out.progress(f"Replaying the examples of {skill.name}"):
            proof = prove_skill(home, skill)
    if call.json:
        call.out.json(
            {
                "name": skill.name,
                "score": proof.score,
                "held_out": proof.held_out,
                "as_released": proof.as_proposed,
            }
        )
    else:
        _show(call, proof)
    return DONE if _holds(proof) else FAILED


def _show(call: Call, proof: Proof) -> None:
    call.out.table(
        ("EXAMPLE", "BY THE OTHERS", "AS RELEASED", "SECONDS", "WHAT AGREED, OR WHY NOT"),
        _rows(proof),
        empty="there are no examples",
        cut="WHAT AGREED, OR WHY NOT",
    )
    counted = [one for one in proof.held_out if one.outcome != "not replayable"]
    proven = sum(one.outcome == "proven" for one in counted)
    if counted:
        call.out.line(f"leave-one-out replay: {proven} of {len(counted)} replayable examples")
    else:
        call.out.line("leave-one-out replay: not proven, for no example can be replayed")


def _rows(proof: Proof) -> Iterator[tuple[object, ...]]:
    for held, released in zip(proof.held_out, proof.as_proposed, strict=True):
        seconds = round(held.seconds + released.seconds, 2)
        outcomes = (str(held.outcome), str(released.outcome))
        yield held.example_id, *outcomes, seconds, _said(held) or _said(released)


def _said(result: CaseResult) -> str:
    return result.reason or ", ".join(result.compared)


def _holds(proof: Proof) -> bool:
    outcomes = [one.outcome for one in (*proof.held_out, *proof.as_proposed)]
    return bool(proof.score) and "broken" not in outcomes


COMMANDS = {
    "prove": Command(
        run=prove,
        arguments=name_argument,
        json=True,
        summary="do a skill's examples again in the sandbox; exit code 1 when that fails",
        example="hermes skills prove tidy-csv",
    ),
}
