"""What learning costs the person who waits: a turn of the agent, its record, its first prompt.

A turn is one request of a person, one call of a tool and one answer, on a model server of fixed
latency in another process. The same turn without memory, catalogue, record and queue is what it is
compared with. Learning itself happens after the answer and is no part of it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.agent import AgentOptions, AgentSession, Request, new_log, open_agent
from hermes.app.embedding import embedder
from hermes.app.skills import skill_search
from hermes.bench.figures import Figure
from hermes.bench.first_prompt import first_prompt, first_request, median_wait
from hermes.bench.memory_growth import BlurredTexts
from hermes.bench.recall_set.work_memory import stale_clutter, work_memory
from hermes.bench.remembered_set import RememberedSet, remembered
from hermes.records.scope import PERSONAL
from hermes.records.tool_answer import ToolAnswer
from hermes.testing import samples
from hermes.testing.agents import Answers, Watcher
from hermes.testing.skill_corpus import write_corpus
from hermes.testing.store import store_ports
from hermes.testing.stub_model import FILE, StubModel, stub_model
from hermes.testing.unrecorded import UnrecordedAgent

if TYPE_CHECKING:
    from hermes.ports import Embedder
    from hermes.ports.execution import Recorder

Say = Callable[[str], None]
SKILLS = 1_000
MEMORIES = 100_000
TURNS = 60
STARTS = 5
_SEED = 20261116
_CENTRES = 256
_LATENCY_S = 0.05
_WARM_UP = 3  # turns that are not counted
_AROUND = 3  # turns before and after one that it is compared with
_STEPS = 200
_OUTPUT = "1 passed in 0.01s\n" * 50


@dataclass(frozen=True, slots=True)
class Took:
    """In milliseconds."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCosts:
    """Turns with everything, turns without; `first` opens a session, and is told apart."""

    first: Took
    learning: tuple[Took, ...]
    bare: tuple[Took, ...]

    def added(self, clock: Callable[[Took], float]) -> list[float]:
        """What each turn took beyond the turns without learning around it.

        Around it: a conversation grows, and with it what every turn takes to send.
        """
        around = self._around(clock)
        return [clock(one) - bare for one, bare in zip(self.learning, around, strict=True)]

    def unrest(self, clock: Callable[[Took], float]) -> list[float]:
        """What the turns without learning took beyond those around them: the machine's own part."""
        around = self._around(clock)
        return [clock(one) - bare for one, bare in zip(self.bare, around, strict=True)]

    def _around(self, clock: Callable[[Took], float]) -> list[float]:
        bare = [clock(one) for one in self.bare]
        return [
            statistics.median(bare[max(0, at - _AROUND) : at + _AROUND + 1])
            for at in range(len(bare))
        ]


def execution_figures(
    say: Say,
    *,
    skills: int = SKILLS,
    memories: int = MEMORIES,
    turns: int = TURNS,
    starts: int = STARTS,
    model: Embedder | None = None,
) -> list[Figure]:
    """All of this page, on one home with so many skills and memories in it."""
    with _filled(say, skills, memories, model) as store, tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / FILE).write_text("id,amount\n1,50\n2,150\n")
        with stub_model(_LATENCY_S) as stub:
            say(f"{turns} turns of the agent, with learning and without")
            costs = turn_costs(store, project, stub, turns)
        with stub_model(_LATENCY_S) as stub:
            say("hermes run until the model is asked, hermes until its prompt is there")
            asked = median_wait(lambda: first_request(store.environ, project, stub), starts)
        prompt = median_wait(lambda: first_prompt(store.environ, project), starts)
        step = _step_took(store)
    return [
        *figures_of(costs, f"{skills:,} skills, {memories:,} memories"),
        Figure(what="a recorded step", value=step.cpu, unit="ms CPU", limit=2),
        Figure(what="the same in real time, one sync", value=step.wall, unit="ms"),
        Figure(what="hermes until its prompt", value=prompt.wall_s, unit="s", limit=0.4),
        Figure(what="the same, computed", value=prompt.cpu_s, unit="s CPU"),
        Figure(what="hermes run until the model is asked", value=asked.wall_s, unit="s"),
        Figure(what="the same, computed", value=asked.cpu_s, unit="s CPU"),
    ]


def figures_of(costs: TurnCosts, where: str) -> list[Figure]:
    """p95 is held to its limit in real time, which includes what the disk takes."""
    wall, cpu = costs.added(lambda one: one.wall), costs.added(lambda one: one.cpu)
    unrest = costs.unrest(lambda one: one.wall)
    bare = statistics.median(one.wall for one in costs.bare)
    bare_cpu = statistics.median(one.cpu for one in costs.bare)
    return [
        Figure(what=f"learning in a turn p95, {where}", value=_p95(wall), unit="ms", limit=30),
        Figure(what=f"the same p50, {where}", value=statistics.median(wall), unit="ms"),
        Figure(what=f"computed p95, {where}", value=_p95(cpu), unit="ms CPU", limit=30),
        Figure(what=f"computed p50, {where}", value=statistics.median(cpu), unit="ms CPU"),
        Figure(what="between turns without learning p95", value=_p95(unrest), unit="ms"),
        Figure(what="a turn without learning p50", value=bare, unit="ms"),
        Figure(what="the same, computed", value=bare_cpu, unit="ms CPU"),
        Figure(what="opening, in the first turn", value=costs.first.wall - bare, unit="ms"),
        Figure(what="the same, computed", value=costs.first.cpu - bare_cpu, unit="ms CPU"),
    ]


def turn_costs(store: RememberedSet, project: Path, stub: StubModel, turns: int) -> TurnCosts:
    """One turn with learning, one without, and so on: whatever the machine does meanwhile, both
    have it."""
    options = AgentOptions(project=project, model=stub.name)
    asked = [question.text for question in work_memory().questions if question.expects]
    texts = iter(asked)
    bare = UnrecordedAgent(store.home, project, stub.name)
    with closing(bare), closing(open_agent(store.home, options, Answers())) as session:
        first = _took(lambda: _first_turn(session, next(texts)))
        learning, without = [], []
        for number in range(_WARM_UP + turns):
            with_all = _took(lambda: _turn(session, next(texts)))
            alone = _took(lambda: bare.ask(next(texts), Watcher()))
            if number >= _WARM_UP:
                learning.append(with_all)
                without.append(alone)
    return TurnCosts(first=first, learning=tuple(learning), bare=tuple(without))


def _first_turn(session: AgentSession, text: str) -> None:
    """With all that a chat loads while the person still types."""
    session.warm()
    _turn(session, text)


def _turn(session: AgentSession, text: str) -> None:
    turn = session.ask(Request(text=text, fresh=True), Watcher())
    if not turn.answer.text:
        raise RuntimeError(f"a turn came to no answer: {turn.answer.reason}")


def _step_took(store: RememberedSet) -> Took:
    """The median of calls and answers as an agent's run has them."""
    ports = store_ports(store.home.database)
    task = samples.task()
    trajectory = samples.trajectory(task.id)
    ports.tasks.add(task)
    ports.trajectories.add(trajectory)
    log: Recorder = new_log(ports.trajectories, trajectory, ())
    took = []
    for number in range(_STEPS // 2):
        call_id = f"call_{number}"
        took.append(_took(partial(log.called, call_id, "shell", {"command": "pytest -q"})))
        answer = ToolAnswer(text=_OUTPUT, exit_code=0)
        took.append(_took(partial(log.answered, call_id, "shell", answer)))
    return Took(
        statistics.median(one.wall for one in took), statistics.median(one.cpu for one in took)
    )


def _took(work: Callable[[], object]) -> Took:
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    work()
    return Took((time.perf_counter_ns() - wall) / 1e6, (time.process_time_ns() - cpu) / 1e6)


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


@contextmanager
def _filled(
    say: Say, skills: int, memories: int, model: Embedder | None
) -> Iterator[RememberedSet]:
    """A home with its skills adopted and embedded, and memories that all concern the person."""
    say(f"a home with {skills:,} skills and {memories:,} memories")
    centres = [one.text for one in work_memory().memories[::10][:_CENTRES]]
    with remembered((), BlurredTexts(model or embedder(), centres)) as store:
        # Some of a corpus are broken for good: a tenth more, so that there are as many live ones.
        write_corpus(store.home.settings.paths.skills_dir, skills * 11 // 10, _SEED)
        store.home.reader.look()
        skill_search(store.home).embed_missing()
        clutter = islice(stale_clutter(memories), memories)
        store.remember(replace(one, scope=PERSONAL) for one in clutter)
        yield store
