"""Trials that answer as they were told, where the point is what becomes of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hermes.records.folder import Folder
from hermes.records.trial import Trial, TrialOutcome, TrialResult


class ScriptedTrials:
    """Satisfies ports.Trials. `meanwhile` is called during each run, in the thread that runs it.

    A skill that is not in the script is an error; `check_used` is one for a skill never tried.
    """

    def __init__(
        self,
        script: Mapping[str, TrialOutcome | Exception],
        meanwhile: Callable[[], object] | None = None,
    ) -> None:
        self.order: list[str] = []
        self._script = script
        self._meanwhile = meanwhile

    def check_used(self) -> None:
        assert sorted(self.order) == sorted(self._script), "not every answer was asked for"

    def environment(self, requirements: Sequence[str]) -> tuple[str, ...]:
        return ("scripted", *requirements)

    def install(self, requirements: Sequence[str], *, approved_by: str) -> tuple[str, ...]:
        raise AssertionError(f"{approved_by} was not expected to install {requirements}")

    def provide(
        self, name: str, requirements: Sequence[str], *, skill_id: str | None = None
    ) -> tuple[str, ...]:
        return ()

    def run(
        self,
        name: str,
        folder: Folder,
        trials: Sequence[Trial],
        *,
        requirements: Sequence[str] = (),
        within: float | None = None,
    ) -> Sequence[TrialResult]:
        self.order.append(name)
        if self._meanwhile is not None:
            self._meanwhile()
        answer = self._script[name]
        if isinstance(answer, Exception):
            raise answer
        error = "" if answer is TrialOutcome.PASSED else "as told"
        return [TrialResult(name=one.name, outcome=answer, error=error) for one in trials]
