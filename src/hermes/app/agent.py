"""An agent session in an open home: its model, its tools, and everything that is written down."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.app.agent_options import AgentOptions
from hermes.ids import new_id, now
from hermes.records.session import OWN_SOURCE, Session
from hermes.records.task import NOT_LEARNED_FROM
from hermes.records.waiting import ReviewKind
from hermes.stages.execute.stage import Place, Request

if TYPE_CHECKING:
    from hermes.agent.coaching import Coaching
    from hermes.agent.conversation import Conversation
    from hermes.agent.working import Worker
    from hermes.app.agent_tools import AgentTools
    from hermes.app.home import Home
    from hermes.ports import Trajectories
    from hermes.ports.execution import Asker, Listener
    from hermes.records.trajectory import Step, Trajectory
    from hermes.records.turn import Turn
    from hermes.stages.execute.assignments import Assignments
    from hermes.stages.execute.context import Context
    from hermes.stages.execute.stage import Desk
    from hermes.stages.execute.writing_down import Log

__all__ = [
    "AgentOptions",
    "AgentSession",
    "Request",
    "close_dead_runs",
    "new_log",
    "open_agent",
]


class _Notes:
    """What the model's side says between two answers, passed on to whoever watches now."""

    def __init__(self) -> None:
        self.listener: Listener | None = None

    def __call__(self, line: str) -> None:
        if self.listener is not None:
            self.listener.note(line)


class AgentSession:
    """One conversation. Not shared between threads; close it when done."""

    def __init__(
        self, desk: Desk, place: Place, worker: Worker, tools: AgentTools, notes: _Notes
    ) -> None:
        self._desk = desk
        self._place = place
        self._worker = worker
        self._tools = tools
        self._notes = notes

    @property
    def session_id(self) -> str:
        return self._place.session.id

    @property
    def trajectory_id(self) -> str | None:
        """The run that the session is at, or was at last."""
        return self._place.trajectory.id if self._place.trajectory else None

    def warm(self) -> None:
        """Load what the first request needs, while nobody waits for it.

        It stays as long as the session, so nobody has to look through it for what can be freed: of
        a large memory such a look takes a tenth of a second, in the middle of some turn.
        """
        import gc

        self._tools.warm()
        gc.freeze()

    def ask(self, request: Request, listener: Listener) -> Turn:
        """One request, to the end of its run."""
        from hermes.agent.interrupts import HeardVerifier
        from hermes.stages.execute import execute

        self._tools.said = request.text
        self._notes.listener = listener
        interrupts = self._tools.interrupts
        if request.verifier is not None:
            request = replace(request, verifier=HeardVerifier(request.verifier, interrupts))
        with interrupts.held():
            try:
                return execute(request, self._place, self._desk, listener)
            except BaseException:
                self._give_up()
                raise

    def _give_up(self) -> None:
        """Something broke outside the agent's own work: the run is closed as interrupted."""
        from hermes.stages.execute.stage import interrupted

        run, desk = self._place.trajectory, self._desk
        self._place.task = self._place.trajectory = self._place.context = None
        self._place.steps = ()
        if run is not None:
            tables = desk.tasks, desk.trajectories, desk.open_runs
            interrupted(run.id, tables, desk.now())

    def close(self) -> None:
        import gc

        self._worker.close()
        self._tools.close()
        gc.unfreeze()  # what this session kept may go with it


def open_agent(home: Home, options: AgentOptions, asker: Asker) -> AgentSession:
    """Everything joined. What is missing is told before anything is asked of a model."""
    from hermes.agent.working import Worker
    from hermes.app.agent_tools import AgentTools
    from hermes.app.models import agent_model, spend_guard
    from hermes.rules.short_form import form_for
    from hermes.stages.execute.assignments import Assignments
    from hermes.store.tables.use import UseTable

    settings = home.settings
    notes = _Notes()
    model = options.built or agent_model(settings, options.model, note=notes)
    spend_guard(settings, model=model)  # a limit that cannot be kept is told before the first word
    named = None if options.built else options.model or settings.model
    place = _place(home, options, named or model.model_id)
    assignments = Assignments(
        UseTable(home.database), home.ledger.releases, home.ledger.skills, now
    )
    form = form_for(model.context_window)
    tools = AgentTools(home, options, place.session.id, assignments, asker, form)
    tools.note = notes
    tools.prepare()
    worker = Worker(
        model,
        tools.box,
        lambda: spend_guard(settings, max_steps=options.max_steps),
        watch=tools.watch,
        conversation=_conversation(home, options.resume),
        interrupts=tools.interrupts,
        coaching=_coaching(tools) if form.is_short else None,
    )
    desk = _desk(home, options, tools, worker, assignments)
    return AgentSession(desk, place, worker, tools, notes)


def _coaching(tools: AgentTools) -> Coaching:
    from hermes.agent.coaching import Coaching, missing_files, proven_way_first
    from hermes.agent.worked_example import worked_example

    return Coaching(
        example=worked_example, offers=proven_way_first, doubt=missing_files(tools.place)
    )


def close_dead_runs(home: Home) -> int:
    """Mark the runs of processes that died as interrupted; how many there were."""
    from hermes.stages.execute.stage import interrupted
    from hermes.store.tables.execution import OpenRunTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    runs = OpenRunTable(home.database)
    tables = TaskTable(home.database), TrajectoryTable(home.database), runs
    closed = 0
    for trajectory_id, owner in runs.all().items():
        if home.ownership.is_dead(owner):
            with home.database.transaction():
                closed += interrupted(trajectory_id, tables, now())
    home.ownership.tidy()
    return closed


def _place(home: Home, options: AgentOptions, model_id: str) -> Place:
    """A new session, or an old one where it was left."""
    environment = {"agent": OWN_SOURCE, "cwd": str(options.project)}
    if not options.learning:
        environment |= NOT_LEARNED_FROM
    if options.resume is None:
        session = Session(
            id=new_id("session"),
            source=OWN_SOURCE,
            cwd=str(options.project),
            model=model_id,
            started_at=now(),
        )
        return Place(session=session, environment=environment)
    from hermes.app.resuming import last_place

    place = last_place(home, options.resume, environment)
    place.session = replace(place.session, model=model_id)  # it may be another one by now
    return place


def _conversation(home: Home, resume: str | None) -> Conversation | None:
    if resume is None:
        return None
    from hermes.agent.conversation import from_steps
    from hermes.app.resuming import runs_of

    return from_steps(runs_of(home, resume))


def _desk(
    home: Home,
    options: AgentOptions,
    tools: AgentTools,
    worker: Worker,
    assignments: Assignments,
) -> Desk:
    from hermes.stages.execute.context import Contexts
    from hermes.stages.execute.prompt import Surroundings, instructions
    from hermes.stages.execute.stage import Desk
    from hermes.store.tables.execution import OpenRunTable, ReviewCountTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    settings, trajectories = home.settings, TrajectoryTable(home.database)

    def instructed(context: Context) -> str:
        around = Surroundings(
            project=str(options.project),
            today=now(),
            saves=options.learning and not tools.form.is_short,
            remembers=options.learning and not tools.form.is_short,
            is_short=tools.form.is_short,
        )
        return instructions(context, around)

    return Desk(
        transactions=home.database,
        sessions=home.sessions,
        tasks=TaskTable(home.database),
        trajectories=trajectories,
        open_runs=OpenRunTable(home.database),
        counters=ReviewCountTable(home.database),
        contexts=Contexts(
            finder=tools.finder,
            recaller=tools.recaller,
            releases=home.ledger.releases,
            own_drafts=tools.own_drafts,
        ),
        assignments=assignments,
        agent=worker,
        log=lambda trajectory, steps: new_log(trajectories, trajectory, steps),
        instructions=instructed,
        intervals={
            ReviewKind.SKILL: settings.skills.creation_nudge_interval,
            ReviewKind.MEMORY: settings.memory.nudge_interval,
        },
        reviewable=frozenset(ReviewKind) if options.learning else frozenset(),
        owner=home.ownership.owner,
        now=now,
    )


def new_log(trajectories: Trajectories, trajectory: Trajectory, steps: Sequence[Step]) -> Log:
    """The log of a run; its clock goes on where the run began."""
    from hermes.agent.recorder import RunRecorder

    already = (now() - trajectory.started_at).total_seconds()
    began = time.monotonic() - already
    return RunRecorder(trajectories, trajectory.id, steps, seconds=lambda: time.monotonic() - began)
