"""A skill's trials with the packages that it declares, fetched from a folder of wheels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hermes.errors import Refused
from hermes.records.event import Event
from hermes.records.folder import FileContent, Folder
from hermes.records.sandbox import Limits
from hermes.records.trial import Trial, TrialKind, TrialOutcome
from hermes.rules.trials import own_tests
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.dependencies import Environments
from hermes.sandbox.trials import SandboxTrials
from hermes.store.open import open_database
from hermes.store.tables.event import EventTable
from hermes.testing.wheels import write_wheel

pytest.importorskip("pip")

USES = "import greeting\nassert greeting.WORD == 'hello'\n"


@pytest.fixture
def trials(bubblewrap: Bubblewrap, tmp_path: Path) -> SandboxTrials:
    return trials_with(bubblewrap, tmp_path)


def trials_with(
    bubblewrap: Bubblewrap, folder: Path, *, allowed: Sequence[str] = (), events: bool = False
) -> SandboxTrials:
    """Trials in front of an index of one wheel; `events` says whether they have an audit trail."""
    wheels = folder / "wheels"
    wheels.mkdir()
    write_wheel(wheels, "greeting", "WORD = 'hello'\n")
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "HOME": str(folder)}
    root = folder / "environments"
    packages = Environments(root, bubblewrap, allowed=allowed, environment=pip)
    trail = EventTable(open_database(trail_file(folder))) if events else None
    return SandboxTrials(bubblewrap, Limits(seconds=10), packages, trail)


def trail_file(folder: Path) -> str:
    return str(folder / "loop.db")


def installs(folder: Path) -> list[Event]:
    return list(EventTable(open_database(trail_file(folder))).latest())


def folder(**tests: str) -> Folder:
    return Folder(
        {f"scripts/{name}.py": FileContent(text.encode()) for name, text in tests.items()}
    )


def test_packages_are_missing_until_somebody_lets_them_in(trials: SandboxTrials) -> None:
    skill = folder(test_it=USES)
    wanted = ("greeting",)
    (before,) = trials.run("x", skill, own_tests(skill), requirements=wanted)
    assert before.outcome is TrialOutcome.NOT_RUN
    assert before.error == "missing dependency greeting (declared, but not installed for trials)"
    assert trials.environment(wanted)[2:] == ("greeting",)
    with pytest.raises(Refused, match="not on the list"):
        trials.install(wanted, approved_by="")
    assert trials.install(wanted, approved_by="ana") == ("greeting==1.0",)
    assert trials.install(wanted, approved_by="bob") == ("greeting==1.0",)
    (after,) = trials.run("x", skill, own_tests(skill), requirements=wanted)
    assert after.outcome is TrialOutcome.PASSED
    assert trials.environment(wanted)[2:] == ("greeting==1.0",)


def test_what_the_list_allows_comes_by_itself_and_is_recorded(
    bubblewrap: Bubblewrap, tmp_path: Path
) -> None:
    trials = trials_with(bubblewrap, tmp_path, allowed=["Greeting"], events=True)
    skill = folder(test_it=USES)
    assert trials.provide("x", ("greeting>=1",), skill_id="skill_1") == ("greeting==1.0",)
    (after,) = trials.run("x", skill, own_tests(skill), requirements=("greeting>=1",))
    assert after.outcome is TrialOutcome.PASSED
    assert trials.provide("x", ("greeting>=1",), skill_id="skill_1") == ()
    (event,) = installs(tmp_path)
    assert (event.kind, event.actor) == ("packages.installed", "policy:allowed_packages")
    assert (event.skill_id, event.data["packages"]) == ("skill_1", ["greeting==1.0"])


@pytest.mark.parametrize("requirements", [(), ("greeting", "other"), ("greetings",)])
def test_what_the_list_does_not_allow_waits_for_somebody(
    bubblewrap: Bubblewrap, tmp_path: Path, requirements: tuple[str, ...]
) -> None:
    trials = trials_with(bubblewrap, tmp_path, allowed=["greeting"], events=True)
    assert trials.provide("x", requirements) == ()
    assert installs(tmp_path) == []


def test_what_could_not_be_recorded_is_not_fetched(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    trials = trials_with(bubblewrap, tmp_path, allowed=["greeting"])
    assert trials.provide("x", ("greeting",)) == ()
    assert trials.environment(("greeting",))[2:] == ("greeting",)


def test_an_allowed_package_that_cannot_be_had_is_refused_and_not_recorded(
    bubblewrap: Bubblewrap, tmp_path: Path
) -> None:
    trials = trials_with(bubblewrap, tmp_path, allowed=["no-such-thing"], events=True)
    with pytest.raises(Refused, match="cannot be had"):
        trials.provide("x", ("no-such-thing",))
    assert installs(tmp_path) == []


def test_with_what_it_declares_a_further_package_is_its_fault(trials: SandboxTrials) -> None:
    skill = folder(test_it="import greeting, yaml\n")
    trials.install(("greeting",), approved_by="ana")
    (answer,) = trials.run("x", skill, own_tests(skill), requirements=("greeting",))
    assert answer.outcome is TrialOutcome.FAILED
    assert answer.error == "missing dependency pyyaml, which it does not declare"


def test_a_package_that_cannot_be_had_is_refused(trials: SandboxTrials) -> None:
    with pytest.raises(Refused, match="cannot be had"):
        trials.install(("there-is-no-such-package",), approved_by="ana")


def test_a_requirement_that_nobody_would_install_is_told(trials: SandboxTrials) -> None:
    skill = folder(test_it=USES)
    strange = ("greeting @ https://example.org/x.whl",)
    (answer,) = trials.run("x", skill, own_tests(skill), requirements=strange)
    assert answer.outcome is TrialOutcome.NOT_RUN
    assert "is not a plain requirement" in answer.error
    assert trials.environment(strange)[2:] == strange


def test_what_has_no_time_left_is_cut_off_and_not_judged(trials: SandboxTrials) -> None:
    skill = folder(test_1="assert 0\n", test_2="import time\ntime.sleep(9)\n", test_3="assert 1\n")
    results = trials.run("x", skill, own_tests(skill), within=3.0)
    assert [one.outcome for one in results] == [
        *(TrialOutcome.FAILED, TrialOutcome.CUT_OFF, TrialOutcome.CUT_OFF),
    ]


def test_a_template_comes_from_nowhere_on_disk(trials: SandboxTrials) -> None:
    program = (
        "import os, sys\nassert sys.stdin.read() == ''\nassert os.listdir('.') == ['scripts']\n"
    )
    trial = Trial(name="code template", kind=TrialKind.TEMPLATE, program=program + "# ä\n")
    (answer,) = trials.run("späte-zeile", folder(run=""), [trial])
    assert answer.outcome is TrialOutcome.PASSED, answer


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc"])
def test_a_name_that_leads_elsewhere_is_refused(trials: SandboxTrials, name: str) -> None:
    with pytest.raises(Refused, match="name of a folder"):
        trials.run(name, folder(), [])
