"""What is live is run again: the broken is put away and told, the mended comes back."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hermes.app import Home, prompt_catalogue, skill_search, view_tools
from hermes.errors import Conflict, SandboxUnavailable
from hermes.records.change import Act
from hermes.records.health import HealthCheck, HealthOutcome, HealthReport
from hermes.records.skill import HealthStatus, Parameter, Skill, SkillState
from hermes.records.trial import TrialOutcome
from hermes.testing import samples
from hermes.testing.homes import Place, person, skill_text
from hermes.testing.scripted_trials import ScriptedTrials

PASSES = "def test_it():\n    assert 1 + 1 == 2\n"
FAILS = "def test_it():\n    assert 1 + 1 == 3\n"
ERROR = "scripts/test_it.py: AssertionError: assert 1 + 1 == 3"


@pytest.fixture
def home(place: Place) -> Iterator[Home]:
    with opened(place) as home:
        yield home


@pytest.fixture
def sqlite_home(tmp_path: Path) -> Iterator[Home]:
    """Where the database makes no difference."""
    with opened(Place(tmp_path / "home")) as home:
        yield home


def opened(place: Place, backend: str = "auto") -> Home:
    config = place.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(f"sandbox: {{backend: {backend}, timeout_s: 5, memory_mb: 64}}\n")
    return place.open()


def put(home: Home, name: str, test: str | None = None, file: str = "test_it.py") -> Skill:
    """A skill on disk, as a person would put it there."""
    folder = home.settings.paths.skills_dir / name
    (folder / "scripts").mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(skill_text(name, description=f"Does {name}. Use when asked."))
    if test is not None:
        (folder / "scripts" / file).write_text(test)
    home.reader.look()
    return skill_of(home, name)


def skill_of(home: Home, name: str) -> Skill:
    found = home.ledger.skills.named(name, "personal")
    assert found is not None
    return found


def change(home: Home, skill: Skill, **fields: Any) -> None:
    home.ledger.skills.replace(replace(home.ledger.skill(skill.id), **fields))


def quiet(_name: str, _done: int, _all: int) -> None:
    """Nobody watches."""


def check(home: Home, budget: float | None = None) -> HealthReport:
    return home.health.run(home.ledger.skills.all(), budget, quiet)


def outcomes(report: HealthReport) -> dict[str, HealthOutcome]:
    return {one.name: one.check.status for one in report.skills}


def history(home: Home, skill: Skill) -> list[HealthCheck]:
    return list(home.health_checks.of_skill(skill.id))


def kinds(home: Home) -> list[str]:
    return [event.kind for event in home.ledger.events.page()]


def test_the_broken_is_deprecated_and_the_sound_is_not(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    sound, broken, plain = (
        put(home, "sound", PASSES),
        put(home, "broken", FAILS),
        put(home, "plain"),
    )
    with caplog.at_level(logging.INFO, logger="hermes.health"):
        report = check(home)
    assert outcomes(report) == {
        "sound": HealthOutcome.HEALTHY,
        "broken": HealthOutcome.FAILING,
        "plain": HealthOutcome.UNTESTED,
    }
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", f"Skill 'broken' health check failed: {ERROR}"),
        ("INFO", "Health check complete: 3 skills, 1 deprecated"),
    ]
    now = skill_of(home, "broken")
    assert now.state is SkillState.DEPRECATED
    assert now.health_status is HealthStatus.FAILING
    assert now.needs_rewrite
    assert skill_of(home, "sound").health_status is HealthStatus.HEALTHY
    assert skill_of(home, "plain") == plain
    (row,) = history(home, broken)
    assert (row.error, row.ran, row.version_id) == (
        *(ERROR, ("scripts/test_it.py",), broken.active_version_id),
    )
    assert row.environment[0] == "bubblewrap"
    assert row.seconds > 0
    (event,) = [one for one in home.ledger.events.page() if one.kind == "skill.deprecated"]
    assert event.skill_id == broken.id
    assert event.data["reason"] == ERROR
    assert event.data["check"] == row.id
    assert [one.status for one in history(home, sound)] == [HealthOutcome.HEALTHY]


def test_a_deprecated_skill_is_in_no_prompt_but_in_the_list(home: Home) -> None:
    put(home, "broken", FAILS)
    put(home, "sound", PASSES)
    check(home)
    search = skill_search(home, semantic=False)
    assert [hit.skill.name for hit in search.search("broken sound", 5)] == ["sound"]
    catalogue = prompt_catalogue(home, search)("broken sound")
    assert "sound" in catalogue
    assert "broken" not in catalogue
    assert [one["name"] for one in view_tools(home).skills_list()["skills"]] == ["sound"]
    assert {line.name: line.state for line in home.listing.lines()} == {
        "broken": "deprecated",
        "sound": "live",
    }


def test_a_later_pass_restores_it_and_all_of_it_is_history(home: Home) -> None:
    skill = put(home, "templated")
    change(
        home,
        skill,
        code_template="rows = {rows}\nassert len(rows) == 2, f'{len(rows)} rows of {rows}'\n",
        parameters=(Parameter(name="rows", type="list"),),
        test_parameters={"rows": [1]},
    )
    check(home)
    assert skill_of(home, "templated").state is SkillState.DEPRECATED
    change(home, skill, test_parameters={"rows": [1, 2]})
    report = check(home)
    assert [(one.name, one.state) for one in report.skills] == [("templated", SkillState.LIVE)]
    now = skill_of(home, "templated")
    assert (now.state, now.health_status, now.needs_rewrite) == (
        *(SkillState.LIVE, HealthStatus.HEALTHY, False),
    )
    first, second = history(home, skill)
    assert first.error == "code template: AssertionError: 1 rows of [1]"
    assert (second.status, second.ran) == (HealthOutcome.HEALTHY, ("code template",))
    assert [kind for kind in kinds(home) if kind in ("skill.deprecated", "skill.recovered")] == [
        *("skill.deprecated", "skill.recovered"),
    ]


def test_a_mended_skill_is_live_at_once_and_unknown_until_it_is_checked(home: Home) -> None:
    put(home, "broken", FAILS)
    check(home)
    mended = put(home, "broken", PASSES)
    assert (mended.state, mended.health_status, mended.needs_rewrite) == (
        *(SkillState.LIVE, HealthStatus.UNKNOWN, False),
    )
    check(home)
    assert skill_of(home, "broken").health_status is HealthStatus.HEALTHY


def test_a_failure_that_goes_on_is_one_event_and_two_rows(sqlite_home: Home) -> None:
    skill = put(sqlite_home, "broken", FAILS)
    change(sqlite_home, skill, pinned=True, state=SkillState.STALE)
    check(sqlite_home)
    generation = sqlite_home.ledger.skills.generation()
    check(sqlite_home)
    assert len(history(sqlite_home, skill)) == 2
    assert kinds(sqlite_home).count("skill.deprecated") == 1
    assert sqlite_home.ledger.skills.generation() == generation  # no cache is emptied for nothing


def test_without_tests_it_is_untested_and_said_once_for_a_version(sqlite_home: Home) -> None:
    skill = put(sqlite_home, "plain")
    for _ in range(2):
        assert outcomes(check(sqlite_home)) == {"plain": HealthOutcome.UNTESTED}
    assert [one.error for one in history(sqlite_home, skill)] == [
        "it has no tests and no code template"
    ]
    put(sqlite_home, "plain", "# no test by name", file="run.py")
    check(sqlite_home)
    assert len(history(sqlite_home, skill)) == 2


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import pandas\n", "missing dependency pandas (not declared)"),
        ("def test_a(tmp_path): pass\n", "wants 'tmp_path' from pytest"),
    ],
)
def test_what_cannot_be_run_here_is_not_deprecated(
    sqlite_home: Home, program: str, said: str
) -> None:
    put(sqlite_home, "odd", program)
    report = check(sqlite_home)
    (one,) = report.skills
    assert one.check.status is HealthOutcome.UNTESTED
    assert said in one.check.error
    assert one.state is SkillState.LIVE


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import time\ntime.sleep(60)\n", "it ran for more than 5 s"),
        ("x = ['a' * 2**20 for _ in range(2000)]\n", "more than 64 MiB"),
        ("import socket\nsocket.socket()\n", "network socket(AF_INET)"),
    ],
)
def test_a_program_that_takes_too_much_is_broken(
    sqlite_home: Home, program: str, said: str
) -> None:
    put(sqlite_home, "greedy", program)
    (one,) = check(sqlite_home).failing()
    assert said in one.check.error
    assert one.state is SkillState.DEPRECATED


def test_without_a_sandbox_nothing_is_run_and_nothing_is_deprecated(tmp_path: Path) -> None:
    trace = tmp_path / "it-ran-on-the-host"
    with opened(Place(tmp_path / "home"), backend="none") as home:
        skill = put(home, "broken", f"open({str(trace)!r}, 'w')\nassert 0\n")
        with pytest.raises(SandboxUnavailable, match="in isolation or not at all"):
            check(home)
        assert skill_of(home, "broken") == skill
        assert history(home, skill) == []
    assert not trace.exists()


def test_where_there_is_nothing_to_run_no_sandbox_is_needed(tmp_path: Path) -> None:
    with opened(Place(tmp_path / "home"), backend="none") as home:
        put(home, "plain")
        assert outcomes(check(home)) == {"plain": HealthOutcome.UNTESTED}


def test_the_archived_and_what_was_never_live_is_left_alone(sqlite_home: Home) -> None:
    put(sqlite_home, "broken", FAILS)
    sqlite_home.loop.act("broken", Act.ARCHIVE, person())
    sqlite_home.ledger.skills.add(samples.skill(name="draft"))
    assert check(sqlite_home) == HealthReport()


def scripted(home: Home, trials: ScriptedTrials) -> HealthReport:
    report = replace(home.health, trials=trials).run(home.ledger.skills.all(), None, quiet)
    trials.check_used()
    return report


def test_two_skills_are_tried_side_by_side(sqlite_home: Home) -> None:
    for name in ("a", "b", "c", "d"):
        put(sqlite_home, name, PASSES)
    both = threading.Barrier(2, timeout=20)
    trials = ScriptedTrials(dict.fromkeys("abcd", TrialOutcome.PASSED), meanwhile=both.wait)
    assert set(outcomes(scripted(sqlite_home, trials)).values()) == {HealthOutcome.HEALTHY}


def test_the_most_urgent_comes_first(home: Home) -> None:
    for name in ("a-new", "b-checked", "c-used", "d-pinned"):
        put(home, name, PASSES)
    now = home.loop.desk.now()
    for name, days in (("b-checked", 1), ("c-used", 1), ("d-pinned", 1)):
        skill = skill_of(home, name)
        row = samples.health_check(
            skill.id,
            str(skill.active_version_id),
            environment=("scripted",),
            checked_at=now - timedelta(days=days),
        )
        home.health_checks.add(row)
    change(home, skill_of(home, "c-used"), usage_count=100)
    change(home, skill_of(home, "d-pinned"), pinned=True)
    trials = ScriptedTrials(
        dict.fromkeys(("a-new", "b-checked", "c-used", "d-pinned"), TrialOutcome.PASSED)
    )
    scripted(home, trials)
    assert trials.order == ["a-new", "c-used", "d-pinned", "b-checked"]


def test_a_short_budget_is_kept_and_what_it_cuts_off_is_not_judged(sqlite_home: Home) -> None:
    slow = "import time\ntime.sleep(4)\n"
    for name in ("a", "b", "c"):
        put(sqlite_home, name, slow)
    report = check(sqlite_home, budget=0.5)
    assert report.skills == ()
    assert report.not_reached == ("a", "b", "c")
    assert all(skill.state is SkillState.LIVE for skill in sqlite_home.ledger.skills.all())
    assert sqlite_home.health_checks.last_of_each() == []


def test_a_failure_before_the_cut_is_a_failure(sqlite_home: Home) -> None:
    put(sqlite_home, "broken", FAILS)
    put(sqlite_home, "broken", "import time\ntime.sleep(4)\n", file="test_later.py")
    (one,) = check(sqlite_home, budget=2.0).failing()
    assert one.check.ran == ("scripts/test_it.py",)


def test_a_skill_that_changes_meanwhile_is_not_judged_by_its_past(home: Home) -> None:
    before = put(home, "moving", FAILS)

    def mend() -> None:
        """In the worker's thread, with a connection of its own."""
        put(home, "moving", PASSES)
        home.database.close_idle()

    scripted(home, ScriptedTrials({"moving": TrialOutcome.FAILED}, meanwhile=mend))
    now = skill_of(home, "moving")
    assert now.active_version_id != before.active_version_id
    assert now.state is SkillState.LIVE
    (row,) = history(home, before)
    assert (row.version_id, row.status) == (before.active_version_id, HealthOutcome.FAILING)


def test_a_skill_that_somebody_writes_is_left_for_the_next_round(sqlite_home: Home) -> None:
    skill = put(sqlite_home, "busy", FAILS)

    def hold(name: str) -> AbstractContextManager[Skill | None]:
        raise Conflict(f"another process has been writing skill '{name}'")

    health = sqlite_home.health
    busy = replace(
        health,
        trials=ScriptedTrials({"busy": TrialOutcome.FAILED}),
        follow=replace(health.follow, hold=hold),
    )
    report = busy.run([skill], None, quiet)
    assert report == HealthReport(not_reached=("busy",))
    assert skill_of(sqlite_home, "busy") == skill


def test_an_error_of_the_sandbox_ends_the_round(sqlite_home: Home) -> None:
    put(sqlite_home, "a", FAILS)
    trials = ScriptedTrials({"a": SandboxUnavailable("gone")})
    with pytest.raises(SandboxUnavailable, match="gone"):
        scripted(sqlite_home, trials)
    assert skill_of(sqlite_home, "a").state is SkillState.LIVE


def test_progress_counts_those_that_are_tried(sqlite_home: Home) -> None:
    for name in ("a", "b"):
        put(sqlite_home, name, PASSES)
    put(sqlite_home, "plain")
    told: list[tuple[str, int, int]] = []
    sqlite_home.health.run(
        sqlite_home.ledger.skills.all(), None, lambda *progress: told.append(progress)
    )
    assert sorted(name for name, _, _ in told) == ["a", "b"]
    assert [(done, total) for _, done, total in told] == [(1, 2), (2, 2)]
