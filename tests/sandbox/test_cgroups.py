"""Control groups: the files that are written, what they say, and that none is left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import Limits, SandboxPolicy
from hermes.sandbox import cgroups
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.cgroups import GroupV1, GroupV2, Scope
from hermes.sandbox.limits import Meter

LIMITS = Limits(memory_bytes=12345, processes=7)


def test_the_unified_hierarchy(tmp_path: Path) -> None:
    """On a folder that is no real cgroup; the kernel's files are written as if it were."""
    group = GroupV2(tmp_path, LIMITS)
    (folder,) = tmp_path.iterdir()
    assert (folder / "memory.max").read_text() == "12345"
    assert (folder / "pids.max").read_text() == "8"
    assert (folder / "memory.oom.group").read_text() == "1"
    group.admit(42)
    assert (folder / "cgroup.procs").read_text() == "42"
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    (folder / "memory.peak").write_text("999\n")
    (folder / "memory.events").write_text("low 0\noom 2\noom_kill 1\n")
    (folder / "pids.events").write_text("max 3\n")
    (folder / "pids.current").write_text("6\n")
    reading = group.read()
    assert reading.cpu_seconds == 1.5
    assert reading.peak_bytes == 999
    assert reading.memory_refused == 1
    assert reading.processes_refused == 3
    assert reading.processes == 5


def test_a_scope_names_its_limits() -> None:
    prefix = " ".join(Scope(("systemd-run", "--user"), LIMITS).prefix)
    assert "MemoryMax=12345" in prefix
    assert "TasksMax=9" in prefix
    assert "MemorySwapMax=0" in prefix
    assert prefix.endswith(" --")


class HomelessScope(Scope):
    """A scope on a plain folder, which a test can take away as systemd would."""

    def place(self, folder: Path) -> None:
        self._folder = folder
        self._deaths_before = self._deaths_above()


def test_a_scope_that_is_gone_is_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "run.scope"
    folder.mkdir()
    contents = {
        "cpu.stat": "usage_usec 2000000\n",
        "memory.events": "oom_kill 0\n",
        "memory.peak": "77\n",
        "pids.current": "2\n",
        "pids.events": "max 0\n",
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    (tmp_path / "memory.events").write_text("oom_kill 4\n")
    scope = HomelessScope(("systemd-run",), LIMITS)
    scope.place(folder)
    assert scope.read().peak_bytes == 77
    for name in contents:
        (folder / name).unlink()
    folder.rmdir()
    assert scope.read().cpu_seconds == 2.0
    assert scope.read().memory_refused == 0
    (tmp_path / "memory.events").write_text("oom_kill 5\n")
    assert scope.read().memory_refused == 1


def test_a_group_that_cannot_be_bounded_is_not_made(tmp_path: Path) -> None:
    missing = {"memory": tmp_path / "none", "pids": tmp_path, "cpuacct": tmp_path}
    with pytest.raises(FileNotFoundError):
        GroupV1(missing, LIMITS)
    assert list(tmp_path.iterdir()) == []


def test_dead_groups_are_swept(tmp_path: Path) -> None:
    dead, alive, strange = (
        tmp_path / name for name in ("hermes-999999999-0", f"hermes-{os.getpid()}-9", "other-1-2")
    )
    for folder in (dead, alive, strange):
        folder.mkdir()
    cgroups._sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted((alive, strange))


@pytest.fixture
def meter() -> Meter:
    try:
        return cgroups.group(LIMITS)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


def test_no_group_outlives_its_run(meter: Meter, bubblewrap: Bubblewrap) -> None:
    meter.close()
    with bubblewrap.scratch() as place:
        policy = SandboxPolicy.trial(skills=place.skills, data=place.data)
        assert bubblewrap.run(["true"], policy).ok
        assert bubblewrap.run(["no-such-program"], policy).exit_code == 127
    left = Path("/sys/fs/cgroup").rglob(f"hermes-{os.getpid()}-*")
    assert list(left) == []
