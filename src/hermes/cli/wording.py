"""Records in a person's words: who wrote a version, what was checked, who allowed it.

The review screen, the `why` tree and the audit trail say the same thing in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.cli.branch import Branch
from hermes.cli.output import cell

if TYPE_CHECKING:
    from hermes.records.approval import Approval
    from hermes.records.candidate import Candidate, Evidence
    from hermes.records.verdict import Scores, Verdict

_WROTE = {
    "user": "written on disk by {author}",
    "requested_by_user": "written by {author}, because the user asked for it",
    "assistant_tool": "written by {author} on its own",
    "background_review": "written by the background review",
    "extract": "extracted from finished work",
    "refine": "refined from its uses",
    "curate": "merged by the curator",
    "compile": "compiled as a tool",
    "hub": "installed from a hub by {author}",
    "bundled": "shipped with Hermes Loop",
    "external": "there before Hermes Loop was",
    "unknown": "changed on disk while an agent ran; nobody knows by whom",
}

_MOST_STEPS = 6


def wrote(origin: str, author: str, session_id: str | None = None) -> str:
    """Who or what wrote a version, and in which session."""
    text = _WROTE.get(origin, f"{origin}, by {{author}}").format(author=author)
    return f"{text}, in {session_id}" if session_id else text


def approved(approval: Approval) -> str:
    """Who allowed it, through which channel, and what else the system knows of it."""
    if approval.channel == "policy":
        return f"allowed by {approval.by}{_note(approval.note)}"
    known = [str(approval.channel)]
    if approval.by != approval.os_user:
        known.append(f"system user {approval.os_user}")
    if approval.agent_session_open:
        known.append("while an agent session was open")
    return f"approved by {approval.by} ({', '.join(known)}){_note(approval.note)}"


def verdict_branch(verdict: Verdict) -> Branch:
    """The checks one by one, what they found, and the scores."""
    checks = [
        Branch(f"{check.name}: {check.outcome}", [Branch(finding) for finding in check.findings])
        for check in verdict.checks
    ]
    scores = Branch(f"scores: {scored(verdict.scores)}")
    return Branch(f"{verdict.decision}: {verdict.reason}", [*checks, scores])


def scored(scores: Scores) -> str:
    if scores.before is None and scores.after is None:
        return "not measured yet"
    return f"{scores.measure} {cell(scores.before)} before, {cell(scores.after)} after"


def evidence(evidence: Evidence) -> Iterator[str]:
    """What it was made from, one line each; empty is said, not left out."""
    yield from evidence.example_ids
    yield from evidence_beyond_examples(evidence)


def evidence_beyond_examples(evidence: Evidence) -> Iterator[str]:
    """Steps are told one by one while they are few; `references/evidence.md` has them all."""
    runs = {step.trajectory_id for step in evidence.steps}
    if len(evidence.steps) > _MOST_STEPS:
        yield f"{len(evidence.steps)} steps of {len(runs)} runs"
    else:
        for step in evidence.steps:
            yield f"step {step.step_id} of {step.trajectory_id}"
    if not evidence.example_ids and not evidence.steps:
        yield "no examples or steps: it rests on its author's word"


def proposed(candidate: Candidate) -> str:
    """What was proposed, where it adds something to the action's own name."""
    return candidate.summary or str(candidate.action)


def _note(note: str) -> str:
    return f": {note}" if note else ""
