"""`hermes review`: what waits for a person, everything needed to decide, and the decision."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli import picking, wording
from hermes.cli.arguments import id_argument
from hermes.cli.branch import Branch
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, by_option

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.approval import Approval
    from hermes.records.candidate import Candidate
    from hermes.records.proposal import Outcome


def list_(call: Call) -> None:
    with open_home(call.settings) as home:
        home.reader.look(deep=False)  # an edit of unknown origin joins the queue when it is seen
        waiting = home.ledger.candidates.awaiting()
    if call.json:
        call.out.json(waiting)
        return
    call.out.table(
        ("CANDIDATE", "SKILL", "WHAT", "ORIGIN", "BY", "SINCE"),
        map(_row, waiting),
        empty="nothing waits for review",
    )


def _row(one: Candidate) -> tuple[object, ...]:
    what = wording.proposed(one)
    return one.id, one.skill_name, what, str(one.origin), one.author, one.created_at


def show(call: Call) -> None:
    with open_home(call.settings) as home:
        candidate = picking.candidate(home, call.args.id)
        version = home.ledger.version(candidate.version_id)
        verdicts = home.ledger.verdicts.of_candidate(candidate.id)
        diff = _diff(home, candidate)
        session = _session(home, candidate)
        evidence = list(_evidence(home, candidate))
    if call.json:
        records = {"candidate": candidate, "version": version, "verdicts": verdicts}
        call.out.json({**records, "diff": diff})
        return
    call.out.fields(
        [
            ("candidate", candidate.id),
            ("skill", candidate.skill_name),
            ("version", version.number),
            ("state", str(version.state)),
            ("what", wording.proposed(candidate)),
            ("who", wording.wrote(candidate.origin, candidate.author)),
            ("session", session),
            ("when", candidate.created_at),
            ("evidence", "\n".join(evidence)),
        ]
    )
    call.out.line()
    call.out.tree(Branch("verdict", [wording.verdict_branch(verdict) for verdict in verdicts]))
    if not call.args.brief:
        call.out.line()
        call.out.diff(diff or "the same as what is live")
    if version.state == "awaiting_review":
        call.out.note(f"`hermes review approve {candidate.id} --by YOU` lets it live")


def approve(call: Call) -> None:
    with open_home(call.settings) as home:
        candidate = picking.candidate(home, call.args.id)
        outcome = home.loop.approve(candidate.id, _approval(call, home, call.args.note))
    _tell(call, outcome, f"{candidate.skill_name} version {{}} is live, {outcome.reason}")


def reject(call: Call) -> None:
    with open_home(call.settings) as home:
        candidate = picking.candidate(home, call.args.id)
        outcome = home.loop.reject(candidate.id, _approval(call, home, call.args.reason))
    _tell(call, outcome, f"{candidate.skill_name} version {{}} is rejected by {call.args.by}")


def _tell(call: Call, outcome: Outcome, sentence: str) -> None:
    assert outcome.version is not None
    if call.json:
        call.out.json(
            {
                "candidate": outcome.candidate,
                "state": outcome.state,
                "version": outcome.version.number,
                "release": outcome.release,
                "reason": outcome.reason,
            }
        )
    else:
        call.out.line(sentence.format(outcome.version.number))


def _approval(call: Call, home: Home, note: str) -> Approval:
    return approval(call.args.by, agent_session_open=home.loop.agent_open(), note=note)


def _diff(home: Home, candidate: Candidate) -> str:
    """Against what is live now: that is what an approval would change."""
    from hermes.rules.diffing import unified

    versions = home.ledger.versions
    new = home.ledger.version(candidate.version_id)
    live = home.ledger.active(home.ledger.skill(candidate.skill_id))
    old = versions.folder(live) if live else None
    return unified(old, versions.folder(new), ("live", f"v{new.number}"))


def _evidence(home: Home, candidate: Candidate) -> Iterator[str]:
    """What it was made from: each run by what was asked, then how many of their steps."""
    for example_id in candidate.evidence.example_ids:
        example = home.ledger.examples.get(example_id)
        known = f" ({example.status})" if example and example.reviewer else ""
        yield f"{example_id}{known}" + (f": {_short(example.task)}" if example else "")
    yield from wording.evidence_beyond_examples(candidate.evidence)


def _short(text: str, longest: int = 64) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def _session(home: Home, candidate: Candidate) -> str | None:
    """Its id, and its title where the session itself is known here."""
    if candidate.session_id is None:
        return None
    session = home.sessions.get(candidate.session_id)
    return f"{candidate.session_id} {session.title}" if session else candidate.session_id


def _show_arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    parser.add_argument("--brief", action="store_true", help="leave out the diff")


def _approve_arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    by_option(parser)
    parser.add_argument("--note", default="", metavar="TEXT", help="why, for the audit trail")


def _reject_arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    by_option(parser)
    parser.add_argument("--reason", required=True, metavar="TEXT", help="what was wrong with it")


COMMAND = {
    "list": Command(
        run=list_,
        json=True,
        summary="what waits for a decision, oldest first",
        example="hermes review list",
    ),
    "show": Command(
        run=show,
        arguments=_show_arguments,
        json=True,
        summary="one candidate: its diff, its verdict, its evidence, its author",
        example="hermes review show candidate_0c8xk2",
    ),
    "approve": Command(
        run=approve,
        arguments=_approve_arguments,
        json=True,
        summary="let a candidate live",
        example='hermes review approve candidate_0c8xk2 --by ana --note "tried it twice"',
    ),
    "reject": Command(
        run=reject,
        arguments=_reject_arguments,
        json=True,
        summary="turn a candidate down; it stays in the history",
        example='hermes review reject candidate_0c8xk2 --by ana --reason "too vague"',
    ),
}
