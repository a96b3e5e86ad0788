"""The background review of a run: a second agent on the same model, with fewer tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hermes.errors import (
    ConfigError,
    ModelFailed,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnreachable,
    NotFound,
    RateLimited,
)
from hermes.ids import new_id, now
from hermes.records.scope import PERSONAL
from hermes.records.session import REVIEW_SOURCE, Session
from hermes.records.tool_answer import ToolAnswer
from hermes.records.turn import TurnEnd

if TYPE_CHECKING:
    from pydantic_ai.models import Model as AgentModel

    from hermes.agent.tool import Toolbox
    from hermes.app.home import Home
    from hermes.app.memory import MemoryRoom
    from hermes.records.codec import Json
    from hermes.records.trajectory import Step, Trajectory
    from hermes.records.waiting import ReviewKind
    from hermes.stages.execute.review import ReviewDesk

AUTHOR = "background-review"
_DIGEST_SHARE = 8
"""The budget is that of the whole review, and every request sends the digest again."""
_REMEMBERED = 500  # reviews among which the last one of a session is looked for
_PASSING: dict[str, type[ModelFailed]] = {
    kind.code: kind for kind in (RateLimited, ModelOverloaded, ModelUnreachable, ModelTimedOut)
}
"""Raised, so that the queue tries again later."""


class Quiet:
    """Nobody watches a review; everything it does is in its record."""

    def text(self, piece: str) -> None:
        """Nothing is shown."""

    def thought(self, piece: str) -> None:
        """Nothing is shown."""

    def calling(self, tool: str, line: str) -> None:
        """Nothing is shown."""

    def called(self, tool: str, answer: ToolAnswer) -> None:
        """Nothing is shown."""

    def note(self, line: str) -> None:
        """Nothing is shown."""


def denied(tool: str, _known: Sequence[str]) -> str:
    """The words that a call outside the whitelist gets; the review goes on."""
    return (
        f"Background review denied non-whitelisted tool: {tool}. "
        "Only memory/skill tools are allowed."
    )


def review_run(
    home: Home,
    trajectory_id: str,
    kinds: Sequence[ReviewKind],
    built: AgentModel | None = None,
) -> str:
    """Look back at a run; a line that says what came of it.

    The model is that of the session, so its provider and its credentials are too.
    """
    from hermes.agent.working import Worker
    from hermes.app.memory import open_memory
    from hermes.app.models import agent_model, spend_guard
    from hermes.stages.execute.review import review

    looked_at = _looked_at(home, trajectory_id)
    if looked_at.session.is_review:
        return "a review is not reviewed"
    session = _own_session(home, looked_at, kinds)
    if session.ended_at is not None:
        return "reviewed already"
    settings, parent = home.settings, looked_at.session
    if built is None and parent.model is None and settings.model is None:
        raise ConfigError("a review needs the model of its session, and none is known")
    model = built or agent_model(settings, parent.model or settings.model)
    memory = open_memory(home)
    box = _box(home, memory, session.id)
    guard = settings.review
    worker = Worker(
        model,
        lambda: box,
        lambda: spend_guard(
            settings, max_steps=guard.max_iterations, max_tokens=guard.token_budget
        ),
    )
    try:
        answer = review(
            session,
            looked_at.trajectory,
            looked_at.steps,
            kinds,
            _desk(home, model.context_window),
            worker,
            Quiet(),
        )
    finally:
        worker.close()
        memory.close()
    if answer.code in _PASSING:
        raise _PASSING[answer.code](answer.reason)
    if answer.end is not TurnEnd.ANSWERED:
        return f"{answer.end}: {answer.reason}"
    return answer.text.strip().splitlines()[0][:200] if answer.text.strip() else "nothing"


@dataclass(frozen=True, slots=True)
class _LookedAt:
    session: Session
    trajectory: Trajectory
    steps: Sequence[Step]


def _looked_at(home: Home, trajectory_id: str) -> _LookedAt:
    """The run, after those of its session that nobody has looked back at yet: what the counter
    counted is what the review reads."""
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    trajectories = TrajectoryTable(home.database)
    trajectory = trajectories.get(trajectory_id)
    session = home.sessions.get(trajectory.session_id or "") if trajectory else None
    if trajectory is None or session is None:
        raise NotFound(f"the run {trajectory_id} was forgotten meanwhile")
    seen = _last_review(home, session)
    left_out = {
        task.id
        for task in TaskTable(home.database).of_session(session.id)
        if not task.is_learned_from
    }
    runs = [
        one
        for one in trajectories.of_session(session.id)
        if one.id < trajectory_id
        and one.ended_at
        and one.ended_at > seen
        and one.task_id not in left_out
    ]
    told = [step for one in (*runs, trajectory) for step in trajectories.steps(one.id)]
    steps = [replace(step, step_id=number) for number, step in enumerate(told, 1)]
    return _LookedAt(session, trajectory, steps)


def _last_review(home: Home, session: Session) -> datetime:
    """When this session was last looked back at: what was before that has been seen."""
    reviews = home.sessions.latest(REVIEW_SOURCE, limit=_REMEMBERED)
    seen = [one.started_at for one in reviews if one.parent_id == session.id and one.ended_at]
    return max(seen, default=session.started_at)


def _own_session(home: Home, looked_at: _LookedAt, kinds: Sequence[ReviewKind]) -> Session:
    """The session of this very review. A worker that died in the middle of it left one, and what
    that one has drafted is then gone on with rather than written twice."""
    parent, ended = looked_at.session, looked_at.trajectory.ended_at
    key = f"{looked_at.trajectory.id}@{ended.isoformat() if ended else ''}:{'+'.join(kinds)}"
    return home.sessions.find(REVIEW_SOURCE, key) or Session(
        id=new_id("session"),
        source=REVIEW_SOURCE,
        external_id=key,
        parent_id=parent.id,
        cwd=parent.cwd,
        model=parent.model,
        scope=parent.scope,
        started_at=now(),
    )


def _box(home: Home, memory: MemoryRoom, session_id: str) -> Toolbox:
    """All that a review can do. What is not in the box does not exist for it."""
    from hermes.agent.tool import Toolbox
    from hermes.agent.tools.memory import memory_tools
    from hermes.agent.tools.overlap import overlap_tool
    from hermes.agent.tools.skills import skill_tools
    from hermes.app.skills import manage_tool, view_tools

    views, manage = view_tools(home), manage_tool(home)
    caller = _caller(session_id)

    def managed(arguments: Mapping[str, Any]) -> Mapping[str, Json]:
        from hermes.rules.review_policy import refusal_of_skill

        refused = refusal_of_skill(arguments)
        if refused is not None:
            return {"success": False, "error": "refused", "message": refused}
        return manage(arguments, caller)

    tools = [
        *skill_tools(
            views.skills_list,
            lambda name, path: views.skill_view(name, path, session_id),
            managed,
        ),
        *memory_tools(
            lambda text, kind: _remember(memory, session_id, text, kind),
            lambda query, k: _recall(memory, query, k),
        ),
        overlap_tool(lambda names, why: _note_overlap(home, session_id, names, why)),
    ]
    return Toolbox.of(tools, denied)


def _caller(session_id: str) -> Any:
    from hermes.library.manage import Caller
    from hermes.records.origin import Origin

    return Caller(origin=Origin.BACKGROUND_REVIEW, author=AUTHOR, session_id=session_id)


def _remember(memory: MemoryRoom, session_id: str, text: str, kind: str) -> ToolAnswer:
    from hermes.app.agent_memory import remember
    from hermes.records.memory import Trust
    from hermes.rules.review_policy import refusal_of_text

    refused = refusal_of_text(text)
    if refused is not None:
        return ToolAnswer(text=f"Not remembered: {refused}", failed=True)
    return remember(memory, text, kind, session_id, Trust.DERIVED)


def _recall(memory: MemoryRoom, query: str, k: int) -> ToolAnswer:
    from hermes.app.agent_memory import recall

    return recall(memory, query, (PERSONAL,), k)


def _note_overlap(home: Home, session_id: str, names: Sequence[str], why: str) -> ToolAnswer:
    """Queued for the curator, as a line of the audit trail: nothing is decided here."""
    skills = home.ledger.skills
    unknown = [name for name in names if skills.named(name, PERSONAL) is None]
    if unknown:
        return ToolAnswer(text=f"there is no skill {', '.join(unknown)}", failed=True)
    with home.database.transaction():
        home.ledger.events.append(
            "skills.overlap",
            actor=AUTHOR,
            subject_id=session_id,
            data={"skills": list(names), "why": why},
        )
    return ToolAnswer(text="noted for the curator")


def _desk(home: Home, window: int | None) -> ReviewDesk:
    budget = home.settings.review.token_budget // _DIGEST_SHARE
    from hermes.app.agent import new_log
    from hermes.stages.execute.review import ReviewDesk
    from hermes.store.tables.execution import OpenRunTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    trajectories = TrajectoryTable(home.database)
    return ReviewDesk(
        transactions=home.database,
        sessions=home.sessions,
        tasks=TaskTable(home.database),
        trajectories=trajectories,
        open_runs=OpenRunTable(home.database),
        log=lambda trajectory, steps: new_log(trajectories, trajectory, steps),
        owner=home.ownership.owner,
        now=now,
        digest_tokens=min(budget, window // 2) if window else budget,
    )
