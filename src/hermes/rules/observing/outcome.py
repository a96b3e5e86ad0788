"""Did it succeed, and how do we know: the strongest evidence there is decides.

A person's feedback > `--verify` > checks and exit codes of the last steps > the user's next words
> the agent's own claim. One exception to the order: an exit code, or a check that the run wrote
for itself, says only that a program ended; where the user's words say otherwise, they decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hermes.records.feedback import Feedback
from hermes.records.observation import SuccessSource
from hermes.records.trajectory import Step, Trajectory, TrajectoryState
from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.observing import words
from hermes.rules.observing.checks import CheckRun, changes, checks_of
from hermes.rules.observing.commands import commands_of

INDEPENDENT = 0.8
"""Confidence from which a success rests on more than the run's own word."""

_LOOKS_TEXT = (
    "ls cat head tail less wc echo printf pwd cd find grep rg which type file stat du df tree env "
    "date whoami history man git export source true sleep set"
)
LOOKS = frozenset(_LOOKS_TEXT.split())
"""Programs that look around; that one of them ended well says nothing of the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """`reason` is one sentence for a person."""

    success: bool | None
    source: SuccessSource
    confidence: float
    reason: str


UNKNOWN = Judgement(
    success=None, source=SuccessSource.UNKNOWN, confidence=0.0, reason="nothing tells how it went"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Afterwards:
    """What came after the trajectory: the user's next request, and how it opens.

    `follow_up` is one of the kinds that messages inside a trajectory are marked with.
    """

    next_request: str = ""
    follow_up: str = ""


def judge(
    trajectory: Trajectory,
    steps: Sequence[Step],
    moves: Sequence[Move],
    feedbacks: Sequence[Feedback],
    task: str,
    afterwards: Afterwards,
) -> Judgement:
    """The outcome of an ended trajectory. An interrupted one is never a success."""
    said = _from_words(steps, task, afterwards)
    checked, unsettled = _from_checks(moves)
    decided = (
        _from_feedback(feedbacks)
        or _from_verify(steps)
        or _weighed(checked, said)
        or said
        or _from_claim(steps, unsettled)
        or UNKNOWN
    )
    if trajectory.state is TrajectoryState.INTERRUPTED and decided.success:
        return replace(UNKNOWN, reason=f"it was interrupted, although {decided.reason}")
    return decided


def _from_feedback(feedbacks: Sequence[Feedback]) -> Judgement | None:
    """The last clear word of each person; where they disagree, the latest counts, and less."""
    verdicts = {}
    for one in sorted(feedbacks, key=lambda feedback: feedback.at):
        if one.rating is None:
            verdicts[one.by] = (False, f"{one.by} corrected it")
        elif one.rating != 3:  # a 3 says neither
            verdicts[one.by] = (one.rating > 3, f"{one.by} rated it {one.rating} of 5")
    if not verdicts:
        return None
    latest = max(
        (one for one in feedbacks if one.by in verdicts and one.rating != 3),
        key=lambda feedback: feedback.at,
    )
    success, reason = verdicts[latest.by]
    agreed = len({verdict for verdict, _ in verdicts.values()}) == 1
    return Judgement(
        success=success,
        source=SuccessSource.FEEDBACK,
        confidence=1.0 if agreed else 0.7,
        reason=reason if agreed else f"{reason}, others disagree",
    )


def _from_verify(steps: Sequence[Step]) -> Judgement | None:
    for step in reversed(steps):
        verify = step.metadata.get("verify")
        if isinstance(verify, Mapping) and isinstance(verify.get("ok"), bool):
            how = "passed" if verify["ok"] else "failed"
            return Judgement(
                success=verify["ok"],
                source=SuccessSource.VERIFY,
                confidence=0.98,
                reason=f"the verification `{verify.get('command', '')}` {how}",
            )
    return None


def _from_checks(moves: Sequence[Move]) -> tuple[Judgement | None, str]:
    """What the checks come to, and which failed check nobody ran again after more changes."""
    runs = [run for run in checks_of(moves) if run.passed is not None]
    if not runs:
        return _from_exit(moves), ""
    last_change = max((move.step_id for move in moves if any(changes(move))), default=0)
    latest = {run.name: run for run in runs}.values()
    failed = [run for run in latest if not run.passed]
    for run in failed:
        if run.step_id > last_change:
            return _failed(run), ""
    if failed:
        return None, failed[0].name
    best = max(latest, key=lambda run: (run.step_id > last_change, _confidence(run, runs)))
    if best.step_id > last_change:
        return _passed(best, runs), ""
    began = min((move.step_id for move in moves if any(changes(move))), default=0)
    if best.step_id < began:  # it was run before the work, so it says nothing of the work
        return None, ""
    reason = f"{best.name} passed, but files were changed after it"
    return _by_check(True, 0.5, reason), ""


def _failed(run: CheckRun) -> Judgement:
    return _by_check(False, 0.9 if run.by_exit else 0.8, f"{run.name} failed, and nothing followed")


def _passed(run: CheckRun, runs: Sequence[CheckRun]) -> Judgement:
    reason = f"{run.name} passed after the last change"
    if run.own:
        reason += "; the run itself wrote or changed what it was checked by"
    elif _is_narrower(run, runs):
        reason += "; only a part of what had failed was run again"
    return _by_check(True, _confidence(run, runs), reason)


def _confidence(run: CheckRun, runs: Sequence[CheckRun]) -> float:
    if run.own or _is_narrower(run, runs):
        return 0.6
    return 0.9 if run.by_exit else INDEPENDENT


def _is_narrower(run: CheckRun, runs: Sequence[CheckRun]) -> bool:
    """A failure of everything is not answered by a pass of one named file."""
    return run.narrow and any(
        one.name == run.name and not one.passed and not one.narrow for one in runs
    )


def _from_exit(moves: Sequence[Move]) -> Judgement | None:
    """Without any check: how the last command that did something ended."""
    for move in reversed(moves):
        if move.failed is None or not _does_something(move):
            continue
        name = _named(move)
        if move.failed:
            return _by_check(False, 0.6, f"the last command, {name}, failed")
        return _by_check(True, 0.5, f"the last command, {name}, ended without an error")
    return None


def _does_something(move: Move) -> bool:
    if move.action.kind is ActionKind.CODE:
        return True
    return move.action.kind is ActionKind.RUN and (
        any(one.program not in LOOKS for one in commands_of(move.action.text)) or any(changes(move))
    )


def _named(move: Move) -> str:
    programs = [one.program for one in commands_of(move.action.text) if one.program not in LOOKS]
    return programs[-1] if move.action.kind is ActionKind.RUN and programs else move.action.tool


def _by_check(success: bool, confidence: float, reason: str) -> Judgement:
    return Judgement(
        success=success, source=SuccessSource.CHECK, confidence=confidence, reason=reason
    )


def _weighed(checked: Judgement | None, said: Judgement | None) -> Judgement | None:
    """Checks against words: see the exception at the top of this file."""
    if checked is None or said is None:
        return checked
    if checked.success == said.success:
        return replace(
            checked,
            confidence=max(checked.confidence, said.confidence),
            reason=f"{checked.reason}; {said.reason}",
        )
    if checked.confidence < INDEPENDENT:
        return replace(said, reason=f"{said.reason}, although {checked.reason}")
    lowered = round(checked.confidence - 0.2, 2)
    return replace(checked, confidence=lowered, reason=f"{checked.reason}, although {said.reason}")


def _from_words(steps: Sequence[Step], task: str, afterwards: Afterwards) -> Judgement | None:
    last = words.last_words(steps)
    kind = afterwards.follow_up
    if kind not in words.PRAISE | words.BLAME and last is not None and not last[1]:
        kind = last[0]  # words that the agent answered by more work speak of what was before it
    if kind in words.PRAISE:
        return _by_words(True, 0.7, "the user was content")
    if kind in words.BLAME:
        return _by_words(False, 0.75, "the user was not content with it")
    if afterwards.next_request and words.repeats(task, afterwards.next_request):
        return _by_words(False, 0.6, "the user asked for the same again")
    return None


def _by_words(success: bool, confidence: float, reason: str) -> Judgement:
    return Judgement(
        success=success, source=SuccessSource.NEXT_WORDS, confidence=confidence, reason=reason
    )


def _from_claim(steps: Sequence[Step], unsettled: str) -> Judgement | None:
    """An admission is believed more than a boast, and no boast settles a check that failed."""
    claimed = words.claim(steps)
    if claimed is False:
        return _by_claim(False, 0.5, "the agent says that it did not succeed")
    if unsettled:
        return replace(
            UNKNOWN, reason=f"{unsettled} failed, more was changed, and it was not run again"
        )
    if claimed:
        return _by_claim(True, 0.3, "the agent says that it is done; nothing else tells")
    return None


def _by_claim(success: bool, confidence: float, reason: str) -> Judgement:
    return Judgement(
        success=success, source=SuccessSource.CLAIM, confidence=confidence, reason=reason
    )
