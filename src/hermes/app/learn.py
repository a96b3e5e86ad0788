"""`hermes learn`: from logs to drafts, joined from its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.importing import import_logs
from hermes.app.models import stage_model
from hermes.app.settling import settle_uses
from hermes.errors import NotFound
from hermes.records.learned import Learned

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ingest.importer import ImportReport
    from hermes.loop import Learning
    from hermes.ports import Model
    from hermes.records.approval import Approval
    from hermes.records.codec import Json
    from hermes.records.example import Example
    from hermes.records.observation import Observation
    from hermes.records.pattern import Pattern
    from hermes.records.procedure import Procedure
    from hermes.records.trajectory import Step
    from hermes.rules.mine.worked import Worked
    from hermes.stages.extract.drafting import Drafter
    from hermes.stages.extract.extraction import Extraction, NoDraft
    from hermes.stages.extract.patterns import PatternBook
    from hermes.stages.extract.writing.stage import Written

Say = Callable[[str], None]
_BEGUN = "learning"  # a file that is there while `learn` runs, and after it was killed
_INDEXING_SECONDS = 10.0  # of a large import the rest is indexed by later calls
_TOLD_APART_FROM = 200  # requests of other patterns: more would not change what tells them apart


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnReport:
    """What was read, and what came of it."""

    imported: ImportReport
    learned: Learned

    def as_json(self) -> dict[str, Json]:
        from hermes.records.codec import dump

        counts = {"drafts": self.learned.drafts, "awaiting": self.learned.awaiting}
        return {"imported": dump(self.imported), "learned": {**dump(self.learned), **counts}}


def learn_from(
    home: Home,
    paths: Sequence[Path],
    *,
    format: str = "auto",
    from_disk: bool = False,
    approver: Approval | None = None,
    say: Say = lambda _: None,
) -> LearnReport:
    """Read logs, then learn from the runs in them that are new or have grown.

    Where an earlier call was broken off, from all runs: what it had read counts as read, and
    every later part is safe to repeat.
    """
    from hermes.store.tables.outbox import OutboxTable

    def progress(done: int, files: int, size: int) -> None:
        say(f"reading logs: {done} of {files} files, {size / 1e6:.1f} MB")

    begun = home.settings.paths.data_dir / _BEGUN
    was_broken_off = begun.exists()
    begun.touch()
    try:
        imported = import_logs(home, paths, format=format, from_disk=from_disk, progress=progress)
    except NotFound:  # nothing was read
        if not was_broken_off:
            begun.unlink()
        raise
    runs = _ended_runs(home) if was_broken_off else imported.trajectories
    with stage_model(home.settings) as model:
        learned = learning_of(home, approver=approver, model=model, say=say).learn(runs)
    OutboxTable(home.database).learned(runs)
    begun.unlink(missing_ok=True)
    return LearnReport(imported=imported, learned=learned)


def _ended_runs(home: Home) -> list[str]:
    from hermes.app.learning import observing
    from hermes.records.trajectory import TrajectoryState

    work, found, after = observing(home), [], ""
    while page := work.trajectories.page_of_work(after):
        for one in page:
            task = work.tasks.get(one.task_id)
            if one.state is not TrajectoryState.OPEN and (task is None or task.is_learned_from):
                found.append(one.id)
        after = page[-1].id
    return found


def learning_of(
    home: Home,
    *,
    approver: Approval | None = None,
    model: Model | None = None,
    say: Say = lambda _: None,
) -> Learning:
    """The stages after execute, in their order. With an approver, known successes are approved."""
    from hermes.app.examples import example_desk, pattern_book
    from hermes.app.learning import observing, read_all, read_overlooked
    from hermes.loop import Learning
    from hermes.rules.keeping import Wants
    from hermes.stages.extract.stage import Extract

    desk, book = example_desk(home), pattern_book(home)
    wants = Wants(
        min_messages=home.settings.extract.min_messages,
        min_learning_value=home.settings.extract.min_learning_value,
    )

    def observe(trajectory_ids: Sequence[str]) -> list[Observation]:
        observed = []
        for number, observation in enumerate(read_all(home, trajectory_ids), 1):
            say(f"observing: {number} of {len(trajectory_ids)} runs")
            observed.append(observation)
        return observed

    def arrange(examples: Sequence[Example]) -> Sequence[Pattern]:
        say(f"arranging {len(examples)} examples by what was asked")
        changed = {pattern.id: pattern for pattern in book.place(examples)}
        for example in examples:
            if approver is not None and example.reviewer is None:
                _approve(home, example, approver)
            # An example that had its place already may not have led to a draft yet.
            if (pattern := book.pattern_of(example.id)) is not None:
                changed[pattern.id] = pattern
        return list(changed.values())

    extract = Extract(
        trajectories=observing(home).trajectories,
        wants=wants,
        capture=lambda observation: desk.capture(observation.trajectory_id),
        arrange=arrange,
        others=lambda pattern: _other_requests(home, pattern),
        drafter=_drafter(home, book, model, say),
    )

    def extracted(observed: Sequence[Observation]) -> Extraction:
        """The first runs of a kind are worth keeping only once there are others."""
        overlooked = read_overlooked(home, observed, wants.min_learning_value)
        return extract((*overlooked, *observed))

    return Learning(
        gate=home.loop,
        observe=observe,
        settle=settle_uses(home),
        remember=lambda observed: _remember(home, observed, say),
        extract=extracted,
    )


def _remember(home: Home, observed: Sequence[Observation], say: Say) -> None:
    """What happened becomes memory, and can be searched."""
    from hermes.app.episodes import keep_episodes
    from hermes.app.learning import observing
    from hermes.app.past_work import open_past_work

    say(f"remembering {len(observed)} runs")
    keep_episodes(home, observing(home), observed)
    open_past_work(home).catch_up(seconds=_INDEXING_SECONDS)


def _approve(home: Home, example: Example, approver: Approval) -> None:
    from hermes.app.examples import review_example
    from hermes.records.example import ExampleStatus

    review_example(home, example, ExampleStatus.APPROVED, approver)


def _other_requests(home: Home, pattern: Pattern) -> list[str]:
    from hermes.app.examples import examples_of

    requests: list[str] = []
    after = ""
    while page := examples_of(home).page(None, after):
        requests += [one.task for one in page if one.id not in pattern.example_ids]
        if len(requests) >= _TOLD_APART_FROM:
            break
        after = page[-1].id
    return requests[:_TOLD_APART_FROM]


def _drafter(home: Home, book: PatternBook, model: Model | None, say: Say) -> Drafter:
    from hermes.app.examples import examples_of
    from hermes.app.learning import observing
    from hermes.rules.clustering.tool_profile import tool_profile
    from hermes.rules.mine import NotMined, mine
    from hermes.stages.extract.drafting import Drafter
    from hermes.stages.extract.extraction import NoDraft
    from hermes.stages.extract.worked import Workbook

    work, ledger = observing(home), home.ledger
    workbook = Workbook(
        examples=examples_of(home),
        trajectories=work.trajectories,
        tasks=work.tasks,
        observations=work.observations,
    )

    @cache  # the runs that failed are read and arranged once, however many patterns ask
    def failed_runs() -> dict[str | None, list[Worked]]:
        runs = list(workbook.failed())
        patterns = book.nearest([(run.task, tool_profile(run.moves)) for run in runs])
        found: dict[str | None, list[Worked]] = {}
        for worked, pattern_id in zip(runs, patterns, strict=True):
            found.setdefault(pattern_id, []).append(worked)
        return found

    def mined(worked: Sequence[Worked], others: Sequence[str]) -> Procedure | NoDraft:
        say(f"mining {len(worked)} runs: {worked[0].task[:60]}")
        found = mine(worked, others)
        return NoDraft(reason=found.reason) if isinstance(found, NotMined) else found

    return Drafter(
        workbook=workbook,
        skills=ledger.skills,
        versions=ledger.versions,
        candidates=ledger.candidates,
        mine=mined,
        write=lambda procedure: write_skill(procedure, model).folder,
        failed=lambda pattern: failed_runs().get(pattern.id, []),
        min_attempts=home.settings.extract.min_attempts,
    )


def imported_runs(home: Home, paths: Sequence[Path]) -> tuple[list[Worked], dict[str, int]]:
    """Logs as the miner sees them, and how many characters each transcript has: for a bench."""
    from hermes.app.learning import observing
    from hermes.rules.mine import worked_of
    from hermes.rules.redact.tenant import Redactor

    work = observing(home)
    runs, sizes = [], {}
    for trajectory_id in import_logs(home, paths).trajectories:
        trajectory = work.trajectories.get(trajectory_id)
        task = work.tasks.get(trajectory.task_id) if trajectory else None
        if trajectory is None or task is None:
            continue
        steps, cwd = work.trajectories.steps(trajectory_id), task.environment.get("cwd", "")
        redactor = Redactor(cwd)
        runs.append(worked_of(trajectory_id, trajectory_id, task.text, steps, cwd, redactor))
        sizes[trajectory_id] = len(task.text) + sum(_length(step) for step in steps)
    return runs, sizes


def _length(step: Step) -> int:
    from hermes.ids import canonical_json

    return len(step.content) + len(canonical_json(step.metadata.get("arguments") or {}))


def write_skill(procedure: Procedure, model: Model | None = None) -> Written:
    """The folder of a procedure's skill, in a model's words where there is one, and its cost."""
    from hermes.library.format import AgentSkillFormat
    from hermes.stages.extract.writing.stage import write

    return write(procedure, AgentSkillFormat(), model)
