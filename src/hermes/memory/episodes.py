"""Episodes of runs, kept as episodic memories.

They belong to no session: a session's memories are turns of a conversation, and an account of a run
is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from hermes.ids import derived_id
from hermes.memory.derived import DerivedMemories
from hermes.memory.remember import Keeping
from hermes.ports import Trajectories
from hermes.records.episode import Episode
from hermes.records.memory import Memory, MemoryKind
from hermes.rules.remembering.cleaning import cleaned
from hermes.rules.remembering.instructions import instruction_in

_SOURCE = "trajectory:"


def episode_id(trajectory_id: str, began: datetime) -> str:
    """The memory that tells of a run."""
    return derived_id("mem", began, "episode", trajectory_id)


class RunEpisodes:
    """Implements ports.Episodes."""

    def __init__(self, keeping: Keeping, trajectories: Trajectories) -> None:
        self._memories = DerivedMemories(keeping)
        self._trajectories = trajectories

    def keep(self, episodes: Sequence[Episode]) -> int:
        return self._memories.put([_memory(episode) for episode in episodes], self._is_there)

    def drop(self, trajectory_id: str, began: datetime) -> bool:
        return self._memories.drop(episode_id(trajectory_id, began))

    def _is_there(self, memory: Memory) -> bool:
        """A run that was forgotten while it was read leaves nothing here."""
        return self._trajectories.get(memory.source.removeprefix(_SOURCE)) is not None


def _memory(episode: Episode) -> Memory:
    """What still reads as an instruction, for two harmless halves can make one, has to wait."""
    text = cleaned(episode.text)
    return Memory(
        id=episode_id(episode.trajectory_id, episode.began),
        text=text,
        kind=MemoryKind.EPISODIC,
        scope=episode.scope,
        source=f"{_SOURCE}{episode.trajectory_id}",
        trust=episode.trust,
        created_at=episode.at,
        waiting=instruction_in(text, MemoryKind.EPISODIC) is not None,
    )
