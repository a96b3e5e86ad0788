"""`hermes memory consolidate`: episodes that say one thing, proposed as one fact."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import accept, consolidations, memory_room
from hermes.cli.branch import Branch
from hermes.cli.command import Call, Command
from hermes.cli.exits import UsageError
from hermes.cli.identity import approval
from hermes.cli.memory.arguments import scope_option, scopes_of
from hermes.errors import NotFound

if TYPE_CHECKING:
    from hermes.app.memory import MemoryRoom
    from hermes.records.recall import Consolidation

_EPISODES_SHOWN = 8
Proposals = list[tuple[str, "Consolidation"]]


def consolidate(call: Call) -> None:
    if (call.args.accept is None) != (call.args.by is None):
        raise UsageError("--accept N and --by NAME go together", hint="who decides this")
    scopes = scopes_of(call)
    with open_home(call.settings) as home, memory_room(home) as room:
        with call.out.progress("Comparing episodes"):
            proposals = consolidations(room, scopes)
        if call.args.accept is None:
            _tell_lacking(call, room.figures.of(scopes).without_vector)
            _show(call, room, proposals)
            return
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        chosen = _chosen(proposals, call.args.accept)
        fact = accept(room, chosen, said, call.args.text)
    if call.json:
        call.out.json({"memory": fact, "episodes": chosen.evidence})
    else:
        call.out.line(f"{fact.id} is kept; {len(chosen.evidence)} episodes give way to it")


def _tell_lacking(call: Call, count: int) -> None:
    if count:
        call.out.note(f"{count:,} are not embedded yet and were not compared: hermes memory upkeep")


def _chosen(proposals: Proposals, text: str) -> Consolidation:
    """By its number on the screen, or by its name, which stays when others come and go."""
    for number, (name, proposal) in enumerate(proposals, start=1):
        if text in (str(number), name):
            return proposal
    raise NotFound(f"there is no proposal {text!r}", hint="`hermes memory consolidate` shows them")


def _show(call: Call, room: MemoryRoom, proposals: Proposals) -> None:
    if call.json:
        call.out.json([{"name": name, "proposal": proposal} for name, proposal in proposals])
        return
    for number, (name, proposal) in enumerate(proposals, start=1):
        about = f"{number} ({name}) {' '.join(proposal.text.split())[:200]}"
        why = Branch(f"{proposal.reason}; {proposal.scope}, trust: {proposal.trust}")
        call.out.tree(Branch(about, [why, *_evidence(room, proposal)]))
    if not proposals:
        call.out.line("no episodes say the same often enough")
    else:
        call.out.note("`hermes memory consolidate --accept N --by NAME` keeps one as a fact")


def _evidence(room: MemoryRoom, proposal: Consolidation) -> list[Branch]:
    shown = []
    for episode_id in proposal.evidence[:_EPISODES_SHOWN]:
        episode = room.memories.get(episode_id)
        text = " ".join(episode.text.split())[:160] if episode else "forgotten a moment ago"
        shown.append(Branch(f"{episode_id} {text}"))
    more = len(proposal.evidence) - _EPISODES_SHOWN
    return [*shown, Branch(f"and {more} more")] if more > 0 else shown


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--accept", metavar="N", help="keep the fact; its episodes give way to it")
    parser.add_argument("--text", metavar="TEXT", help="the fact in your own words")
    parser.add_argument("--by", metavar="NAME", help="the person who decides this")
    scope_option(parser, "only there")


COMMANDS = {
    "consolidate": Command(
        run=consolidate,
        arguments=_arguments,
        json=True,
        summary="what happened often enough to be remembered as one fact, with its evidence",
        example="hermes memory consolidate --accept 1 --by ana",
    )
}
