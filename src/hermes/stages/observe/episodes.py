"""Keep episodes: observed runs → what memory keeps of each.

Reads: the run of each observation, and which agent it was of.
Writes: one episodic memory for each run; a later reading replaces it.
Never: quotes an order from a request or from what a tool printed, shows tenant data.
Safe to repeat: an unchanged text is not written again.

Of an imported log only runs with something to tell are remembered: an error, a failure, a word of
correction. The rest would be thousands of requests that crowd out what a user said, and past-work
search finds them anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.ports import Episodes, Sessions
from hermes.records.episode import Episode
from hermes.records.memory import Trust
from hermes.records.observation import Observation
from hermes.records.session import OWN_SOURCE
from hermes.records.trajectory import TrajectoryState
from hermes.rules.observing.recovery import Recovery, recoveries_of
from hermes.rules.observing.words import corrections
from hermes.rules.remembering.episodes import episode_text
from hermes.stages.observe.run import Run, read_run
from hermes.stages.observe.work import Work

_MOST_CORRECTIONS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepEpisodes:
    """What this part of observing sees besides Work."""

    work: Work
    sessions: Sessions
    episodes: Episodes

    def __call__(self, observations: Sequence[Observation]) -> int:
        """How many episodes are new or other than before."""
        kept = []
        for observation in observations:
            run = read_run(observation.trajectory_id, self.work)
            if (episode := self._episode(run, observation)) is not None:
                kept.append(episode)
            else:
                self.episodes.drop(run.trajectory.id, run.trajectory.started_at)
        return self.episodes.keep(kept)

    def _episode(self, run: Run, observation: Observation) -> Episode | None:
        failures = _failures(run)
        said = corrections(run.steps)[:_MOST_CORRECTIONS]
        imported = self._is_imported(run)
        if imported and not failures and not said and observation.success is not False:
            return None
        ended_at = run.trajectory.ended_at
        assert ended_at is not None  # read_run refuses an open one
        return Episode(
            trajectory_id=run.trajectory.id,
            began=run.trajectory.started_at,
            at=ended_at,
            text=episode_text(
                run.task.text, _ending(run, observation), failures, said, run.redactor.text
            ),
            scope=run.task.scope,
            trust=Trust.IMPORTED if imported else Trust.DERIVED,
        )

    def _is_imported(self, run: Run) -> bool:
        session_id = run.trajectory.session_id
        session = self.sessions.get(session_id) if session_id else None
        return session is not None and session.source != OWN_SOURCE


def _failures(run: Run) -> list[tuple[Recovery, str]]:
    output = {move.step_id: move.output or "" for move in run.moves}
    return [(one, output.get(one.failure.step_id, "")) for one in recoveries_of(run.moves)]


def _ending(run: Run, observation: Observation) -> str:
    word = {True: "it went well", False: "it did not succeed", None: "how it went is not known"}
    how = word[observation.success]
    if observation.success is not None:
        how = f"{how} ({observation.success_source.value.replace('_', ' ')})"
    if run.trajectory.state is TrajectoryState.INTERRUPTED:
        return f"it was interrupted; {how}"
    return how
