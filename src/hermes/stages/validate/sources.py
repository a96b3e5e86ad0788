"""What a draft was mined from, scanned as it was really called.

A draft is redacted: hosts and paths in it are parameters, and a theft whose destination became
`{url}` looks like anybody's upload. So the calls behind each line are scanned as well, in the words
they had. What is found is told by its kind only, since those words are the tenant's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.ports import Trajectories
from hermes.records.candidate import Candidate, StepRef
from hermes.records.folder import Folder
from hermes.records.verdict import Check, CheckOutcome
from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.actions.moves import moves_of
from hermes.rules.scan.finding import Finding, ScanVerdict, Severity
from hermes.stages.validate.static import TOLD_APART, Examine

_MOST_RUNS = 20  # more runs of one pattern show the same calls again
_SHELL, _PYTHON = "scripts/commands.sh", "scripts/program.py"


@dataclass(frozen=True, slots=True)
class SourcesCheck:
    trajectories: Trajectories
    examine: Examine

    def check(self, candidate: Candidate, folder: Folder) -> Check | None:
        """None where nothing was called for it."""
        runs = list(self._runs(candidate.evidence.steps))
        worst: tuple[Finding, ...] = ()
        for files in runs:
            report = self.examine(files)
            found = tuple(one for one in report.findings if one.rule not in TOLD_APART)
            if report.verdict is ScanVerdict.BLOCK and _weighs(found):
                finding = f"the calls it was mined from would be refused: {report.explanation}"
                return Check(name="sources", outcome=CheckOutcome.FAILED, findings=(finding,))
            worst = max(worst, found, key=len)
        if not runs:
            return None
        outcome = CheckOutcome.WARNED if _weighs(worst) else CheckOutcome.PASSED
        rules = dict.fromkeys(one.rule for one in worst if one.severity is not Severity.NOTE)
        return Check(name="sources", outcome=outcome, findings=tuple(rules))

    def _runs(self, evidence: Sequence[StepRef]) -> Iterator[dict[str, bytes]]:
        """The calls of each run, as a package that would make them."""
        wanted: dict[str, set[int]] = defaultdict(set)
        for ref in evidence:
            wanted[ref.trajectory_id].add(ref.step_id)
        for trajectory_id, step_ids in list(wanted.items())[:_MOST_RUNS]:
            moves = moves_of(self.trajectories.steps(trajectory_id))
            texts: dict[str, list[str]] = defaultdict(list)
            for move in moves:
                if move.step_id in step_ids and (file := _file(move.action)):
                    texts[file].append(move.action.text)
            if texts:
                yield {file: "\n".join(parts).encode() for file, parts in texts.items()}


def _file(action: Action) -> str:
    if action.kind is ActionKind.RUN:
        return _SHELL
    if action.kind is ActionKind.CODE or action.path.endswith(".py"):
        return _PYTHON
    return ""


def _weighs(found: Sequence[Finding]) -> bool:
    return any(one.severity is not Severity.NOTE for one in found)
