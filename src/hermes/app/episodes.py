"""What memory keeps of finished runs, and how it is forgotten with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hermes.app.home import Home
    from hermes.records.approval import Approval
    from hermes.records.observation import Observation
    from hermes.records.trajectory import Trajectory
    from hermes.stages.observe.work import Work


def keep_episodes(
    home: Home, work: Work, observations: Sequence[Observation], *, embed: bool = True
) -> int:
    """Remember what happened in these runs. Without `embed` upkeep does that later."""
    from hermes.app.memory import memory_keeping
    from hermes.memory.episodes import RunEpisodes
    from hermes.stages.observe.episodes import KeepEpisodes

    keeping = memory_keeping(home, home.embedder if embed else None)
    episodes = RunEpisodes(keeping, work.trajectories)
    return KeepEpisodes(work=work, sessions=home.sessions, episodes=episodes)(observations)


def forget_episodes(home: Home, runs: Sequence[Trajectory], said: Approval) -> int:
    """Forget what is remembered of these runs, in every index."""
    from hermes.app.memory import memory_keeping, open_memory
    from hermes.memory.episodes import episode_id

    memories = memory_keeping(home).memories
    ids = [episode_id(run.id, run.started_at) for run in runs]
    known = [one for one in ids if memories.get(one) is not None]
    if not known:
        return 0
    room = open_memory(home)
    try:
        return room.forget.forget_many(known, said.by)
    finally:
        room.close()
