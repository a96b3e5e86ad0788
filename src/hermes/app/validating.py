"""The checks a candidate must pass, and the same checks for a folder that a person asks about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.ids import new_id, now

if TYPE_CHECKING:
    from hermes.ports import Checker, SkillFormat, Trials, Versions
    from hermes.records.candidate import Candidate
    from hermes.records.folder import Folder
    from hermes.records.reading import Reading
    from hermes.records.verdict import Check
    from hermes.rules.scan.finding import ScanReport
    from hermes.settings import Settings
    from hermes.stages.validate.examiner import Examiner
    from hermes.store.database import Database


def gate_checkers(
    settings: Settings,
    skill_format: SkillFormat,
    versions: Versions,
    trials: Callable[[], Trials],
    sources: Callable[[], Checker],
    proof: Callable[[], Checker],
) -> tuple[Checker, ...]:
    """Format, syntax, secrets, code, scan, sources, trial, replay: the cheap ones first."""
    from hermes.stages.validate.format import FormatCheck
    from hermes.stages.validate.learned_only import LearnedOnly
    from hermes.stages.validate.static import static_checks
    from hermes.stages.validate.trial import TrialCheck

    guard = settings.skills.guard_agent_created
    return (
        FormatCheck(skill_format, versions),
        *static_checks(lambda files: examiner().examine(files), guard_agent_created=guard),
        *([LearnedOnly(sources)] if guard else []),
        TrialCheck(trials),
        LearnedOnly(proof),
    )


def sources_check(database: Database) -> Checker:
    """The check of the calls that a learned draft comes from."""
    from hermes.stages.validate.sources import SourcesCheck
    from hermes.store.tables.trajectory import TrajectoryTable

    return SourcesCheck(TrajectoryTable(database), lambda files: examiner().examine(files))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What all checks say of one folder, judged as if an agent had written it."""

    reading: Reading
    report: ScanReport
    checks: tuple[Check, ...]


def inspect_skill(settings: Settings, path: Path, *, run: bool) -> Inspection:
    """Every check that needs no library; `run` also tries the skill's own tests in the sandbox."""
    from hermes.app.sandbox import sandbox_trials
    from hermes.library import inspecting
    from hermes.stages.validate import validate
    from hermes.stages.validate.static import static_checks
    from hermes.stages.validate.trial import TrialCheck

    name, folder = inspecting.load_skill(path)
    report = _examined(folder)
    checkers = list(static_checks(lambda _: report, guard_agent_created=True))
    if run:
        checkers.append(TrialCheck(lambda: sandbox_trials(settings)))
    verdict = validate(_as_if_proposed(name), folder, checkers, now())
    reading = inspecting.read_format(name, folder)
    return Inspection(reading=reading, report=report, checks=verdict.checks)


def scan_skill(path: Path) -> ScanReport:
    """What the static checks find in a folder, or in a SKILL.md alone, anywhere on this disk."""
    from hermes.library import inspecting

    return _examined(inspecting.load_skill(path)[1])


@cache
def examiner() -> Examiner:
    """One child for this process, started when something is first examined; it ends with us."""
    import atexit

    from hermes.stages.validate.examiner import Examiner

    one = Examiner()
    atexit.register(one.close)
    return one


def _examined(folder: Folder) -> ScanReport:
    return examiner().examine({path: file.data for path, file in folder.files.items()})


def _as_if_proposed(name: str) -> Candidate:
    from hermes.records.candidate import Action, Candidate, Evidence
    from hermes.records.origin import Origin

    return Candidate(
        id=new_id("candidate"),
        skill_id="",
        skill_name=name,
        version_id="",
        parent_version_id=None,
        action=Action.CREATE,
        summary="",
        origin=Origin.ASSISTANT_TOOL,
        author="",
        session_id=None,
        evidence=Evidence(),
        created_at=now(),
    )
