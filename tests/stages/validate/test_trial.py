"""The gate runs a candidate's own tests, in the real sandbox, before anybody relies on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.ports import Trials
from hermes.records.candidate import Action
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.proposal import Outcome, Proposal
from hermes.records.verdict import Check, CheckOutcome, Decision
from hermes.records.version import VersionState
from hermes.stages.validate.trial import TrialCheck
from hermes.testing import samples
from hermes.testing.homes import Place, skill_text
from hermes.testing.wheels import write_wheel

TIDY = "def tidy(rows):\n    return sorted(rows)\n"
GOOD = "from tidy import tidy\n\ndef test_order():\n    assert tidy([2, 1]) == [1, 2]\n"
BAD = "from tidy import tidy\n\ndef test_order():\n    assert tidy([2, 1]) == [2, 1]\n"


@pytest.fixture
def home(place: Place) -> Iterator[Home]:
    with opened(place) as home:
        yield home


def opened(place: Place, backend: str = "auto", allowed: str = "") -> Home:
    config = place.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True)
    walls = f"backend: {backend}, timeout_s: 2, memory_mb: 64, allowed_packages: [{allowed}]"
    config.write_text(f"sandbox: {{{walls}}}\n")
    return place.open()


def folder(files: dict[str, str]) -> Folder:
    texts = {"SKILL.md": skill_text("tidy-csv"), "scripts/tidy.py": TIDY, **files}
    return Folder({path: FileContent(text.encode()) for path, text in texts.items()})


def propose(
    home: Home, files: dict[str, str], origin: Origin = Origin.ASSISTANT_TOOL
) -> tuple[Outcome, Check | None]:
    """What the gate says, and what it says of the trial."""
    proposal = Proposal(
        name="tidy-csv",
        folder=folder(files),
        action=Action.CREATE,
        origin=origin,
        author="agent",
        summary="a new skill",
        parent_version_id=None,
    )
    outcome = home.loop.propose(proposal)
    assert outcome.verdict is not None
    checks = [check for check in outcome.verdict.checks if check.name == "trial"]
    return outcome, checks[0] if checks else None


def test_a_candidate_whose_tests_pass_says_which(home: Home) -> None:
    outcome, trial = propose(home, {"scripts/test_tidy.py": GOOD, "scripts/test_it.sh": "true\n"})
    assert trial is not None
    assert trial.outcome is CheckOutcome.PASSED
    assert trial.findings == ("scripts/test_it.sh: passed", "scripts/test_tidy.py: passed")
    assert outcome.state is VersionState.AWAITING_REVIEW


def test_a_candidate_whose_test_fails_is_rejected_by_name(home: Home, place: Place) -> None:
    files = {"scripts/test_a.py": GOOD, "scripts/test_b.py": BAD}
    outcome, trial = propose(home, files, Origin.REQUESTED_BY_USER)
    assert trial is not None
    assert trial.outcome is CheckOutcome.FAILED
    said = "scripts/test_b.py: AssertionError: assert tidy([2, 1]) == [2, 1]"
    assert trial.findings == (said, "scripts/test_a.py: passed")
    assert outcome.verdict is not None
    assert outcome.verdict.decision is Decision.REJECTED
    assert outcome.reason == f"trial: {said}"
    assert not (place.skills / "tidy-csv").exists()


def test_a_candidate_without_tests_is_unproven(home: Home) -> None:
    outcome, trial = propose(home, {})
    assert trial is not None
    assert trial.outcome is CheckOutcome.UNPROVEN
    assert "has no tests" in trial.findings[0]
    assert outcome.reason == "5 of 6 checks passed, none failed"


@pytest.mark.parametrize(
    ("program", "outcome", "said"),
    [
        ("import time\ntime.sleep(60)\n", CheckOutcome.FAILED, "it ran for more than 2 s"),
        ("x = ['a' * 2**20 for _ in range(2000)]\n", CheckOutcome.FAILED, "more than 64 MiB"),
        (
            "import socket\nsocket.create_connection(('192.0.2.1', 80))\n",
            CheckOutcome.FAILED,
            "the sandbox refused: network socket(AF_INET)",
        ),
        (
            "open('/etc/hosts', 'a')\n",
            CheckOutcome.FAILED,
            "the sandbox refused: write /etc/hosts",
        ),
        (
            "import socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass\n",
            CheckOutcome.WARNED,
            "passed, but the sandbox refused network",
        ),
        ("import pandas\n", CheckOutcome.UNPROVEN, "missing dependency pandas (not declared)"),
        ("import hermes\n", CheckOutcome.UNPROVEN, "missing dependency hermes"),
        ("def test_a(tmp_path): pass\n", CheckOutcome.UNPROVEN, "wants 'tmp_path' from pytest"),
        ("class TestA:\n    def test_a(self): assert 0\n", CheckOutcome.UNPROVEN, "for pytest"),
        (
            "async def test_a():\n    assert 0, 'late'\n",
            CheckOutcome.FAILED,
            "AssertionError: late",
        ),
        ("import sys\nsys.exit('no header')\n", CheckOutcome.FAILED, "no header"),
        ("def (\n", CheckOutcome.FAILED, "SyntaxError: invalid syntax"),
        ("import os\nassert 'HERMES_HOME' not in os.environ\n", CheckOutcome.PASSED, "passed"),
    ],
    ids=lambda value: value.splitlines()[-1] if isinstance(value, str) else str(value),
)
def test_what_a_program_does_is_told_truly(
    program: str, outcome: CheckOutcome, said: str, tmp_path: Path
) -> None:
    with opened(Place(tmp_path / "home")) as home:
        _, trial = propose(home, {"scripts/test_tidy.py": program})
    assert trial is not None
    assert trial.outcome is outcome, trial
    assert said in trial.findings[0]


def test_each_test_has_the_folder_as_it_was_written(tmp_path: Path) -> None:
    spoil = "from pathlib import Path\nfor f in Path('scripts').iterdir(): f.write_text('')\n"
    look = "from pathlib import Path\nassert Path('SKILL.md').exists()\nfrom tidy import tidy\n"
    with opened(Place(tmp_path / "home")) as home:
        files = {"scripts/test_1.py": spoil, "scripts/test_2.py": look, "scripts/test_3.py": GOOD}
        outcome, trial = propose(home, files)
        assert trial is not None
        assert trial.outcome is CheckOutcome.PASSED, trial
        assert outcome.version is not None
        assert home.ledger.versions.folder(outcome.version) == folder(files)


def test_without_a_sandbox_nothing_runs_and_nothing_is_proven(tmp_path: Path) -> None:
    trace = tmp_path / "it-ran-on-the-host"
    trace.parent.chmod(0o777)
    with opened(Place(tmp_path / "home"), backend="none") as home:
        touch = f"from pathlib import Path\nPath({str(trace)!r}).touch()\n"
        _, trial = propose(home, {"scripts/test_tidy.py": touch})
    assert trial is not None
    assert trial.outcome is CheckOutcome.UNPROVEN
    assert trial.findings[0].startswith("no isolating sandbox: ")
    assert not trace.exists()


def asked_for() -> Trials:
    raise AssertionError("nothing was to be run")


@pytest.mark.parametrize("origin", [Origin.USER, Origin.EXTERNAL, Origin.BUNDLED])
def test_a_persons_own_work_and_what_was_here_before_is_not_tried(origin: Origin) -> None:
    candidate = samples.candidate("skill_1", "version_1", origin=origin)
    assert TrialCheck(asked_for).check(candidate, folder({"scripts/test_a.py": BAD})) is None


def test_what_nobody_signed_is_unproven_and_not_run() -> None:
    candidate = samples.candidate("skill_1", "version_1", origin=Origin.UNKNOWN)
    trial = TrialCheck(asked_for).check(candidate, folder({"scripts/test_a.py": GOOD}))
    assert trial is not None
    assert trial.outcome is CheckOutcome.UNPROVEN


@pytest.mark.parametrize(
    "origin", [one for one in Origin if one not in ("user", "external", "bundled", "unknown")]
)
def test_what_a_machine_or_a_stranger_wrote_is_tried(origin: Origin) -> None:
    candidate = samples.candidate("skill_1", "version_1", origin=origin)
    with pytest.raises(AssertionError, match="nothing was to be run"):
        TrialCheck(asked_for).check(candidate, folder({"scripts/test_a.py": GOOD}))


def test_a_package_on_the_list_is_there_for_the_trial(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pip")
    write_wheel(tmp_path, "greeting", "WORD = 'hello'\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    test = "import greeting\nassert greeting.WORD == 'hello'\n"
    with opened(place, allowed="greeting") as home:
        files = {"requirements.txt": "greeting\n", "scripts/test_it.py": test}
        _, trial = propose(home, files)
        assert trial is not None
        assert trial.outcome is CheckOutcome.PASSED
        kinds = {event.kind: event for event in home.ledger.events.latest()}
    assert kinds["packages.installed"].data["skill"] == "tidy-csv"


def test_a_package_that_cannot_be_had_is_a_finding(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pip")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with opened(place, allowed="greeting") as home:
        files = {"requirements.txt": "greeting\n", "scripts/test_it.py": "import greeting\n"}
        _, trial = propose(home, files)
    assert trial is not None
    assert trial.outcome is CheckOutcome.UNPROVEN
    missing, refused = trial.findings
    assert "missing dependency greeting (declared, but not installed" in missing
    assert refused.startswith("the packages cannot be had")
