"""The launching thread: what is mounted is what was meant, and only the thread grows small."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.errors import Refused, SandboxUnavailable
from hermes.records.sandbox import Mount, Purpose, SandboxPolicy
from hermes.sandbox import kernel, staging
from hermes.sandbox.bubblewrap import Bubblewrap, programs
from hermes.sandbox.launch import Launcher
from hermes.sandbox.layout import Bind

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to drop")


@pytest.fixture
def swapped(tmp_path: Path) -> Path:
    """A folder that became a symlink to somewhere else after it was checked."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("x")
    (tmp_path / "data").symlink_to(tmp_path / "secret")
    return tmp_path / "data"


def test_a_folder_swapped_for_a_symlink_is_not_mounted(swapped: Path) -> None:
    binds = [Bind(str(swapped), "/app/data", writable=True)]
    with (
        Launcher(lambda: None, as_root=os.geteuid() == 0) as launcher,
        pytest.raises(OSError) as caught,
    ):
        launcher.open(programs()[0], binds)
    assert caught.value.errno == errno.ELOOP


def test_nor_one_below_a_swapped_folder(swapped: Path) -> None:
    (swapped / "inner").mkdir()
    with pytest.raises(OSError) as caught:
        kernel.open_plain(str(swapped / "inner"))
    assert caught.value.errno == errno.ELOOP


def test_a_policy_with_one_is_refused(swapped: Path, bubblewrap: Bubblewrap) -> None:
    mount = Mount(source=str(swapped), target="/app/data", writable=True)
    with pytest.raises(Refused):
        bubblewrap.run(["true"], SandboxPolicy(purpose=Purpose.TRIAL, mounts=(mount,)))


def test_links_inside_a_root_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "passwd").write_text("x")
    (tmp_path / "link").symlink_to("/etc/passwd")
    root = os.open(tmp_path, os.O_PATH)
    try:
        assert kernel.path_inside(root, "/link") == f"{tmp_path}/etc/passwd"
        with pytest.raises(OSError):
            kernel.path_inside(root, "/none")
    finally:
        os.close(root)


@as_root
def test_only_the_thread_loses_its_rights(tmp_path: Path) -> None:
    mounts = Path("/proc/self/mountinfo").read_text()
    with Launcher(lambda: None, as_root=True) as launcher:
        opened = launcher.open(programs()[0], [Bind(str(tmp_path), "/x", ours=True)])
        starting = launcher.start(["id", "-u"], [], has_stdin=False)
        output, _ = starting.result().communicate()
        assert int(output) == staging.ORDINARY_ID
    assert os.geteuid() == 0
    assert Path("/proc/self/mountinfo").read_text() == mounts
    assert opened.options[0] == "--ro-bind"
    subprocess.run(["true"], check=True)


@as_root
def test_folders_below_a_closed_one_are_reached(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    """As root a project may lie below /root, where the ordinary user cannot even look."""
    closed = tmp_path / "closed"
    project = closed / "project"
    project.mkdir(parents=True)
    closed.chmod(0o700)
    policy = SandboxPolicy.workspace(project=str(project))
    assert bubblewrap.run(["sh", "-c", "echo x > made"], policy).ok
    assert (project / "made").stat().st_uid == 0


@as_root
def test_somebody_elses_project_stays_theirs(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    os.chown(project, 4242, 4243)
    assert bubblewrap.run(["touch", "made"], SandboxPolicy.workspace(project=str(project))).ok
    made = (project / "made").stat()
    assert (made.st_uid, made.st_gid) == (4242, 4243)


@pytest.fixture
def overlay(tmp_path: Path) -> Iterator[Path]:
    """A file system that cannot show one owner as another."""
    for name in ("lower", "upper", "work", "merged"):
        (tmp_path / name).mkdir()
    options = f"lowerdir={tmp_path}/lower,upperdir={tmp_path}/upper,workdir={tmp_path}/work"
    command = ["mount", "-t", "overlay", "overlay", "-o", options, str(tmp_path / "merged")]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no overlay file system can be mounted here")
    yield tmp_path / "merged"
    subprocess.run(["umount", str(tmp_path / "merged")], check=True)


@as_root
def test_folders_made_for_the_run_are_lent_and_taken_back(
    bubblewrap: Bubblewrap, overlay: Path
) -> None:
    for name in ("skills", "data"):
        (overlay / name).mkdir(mode=0o700)
    policy = SandboxPolicy.trial(skills=str(overlay / "skills"), data=str(overlay / "data"))
    script = "mkdir inner; echo x > inner/made; ln -s /etc/passwd link"
    result = bubblewrap.run(["sh", "-c", script], policy)
    assert result.ok, result.stderr
    owners = {path.lstat().st_uid for path in (overlay, *(overlay / "data").rglob("*"))}
    assert owners == {0}
    assert Path("/etc/passwd").stat().st_uid == 0


@as_root
def test_a_persons_project_is_not_lent(bubblewrap: Bubblewrap, overlay: Path) -> None:
    (overlay / "project").mkdir()
    policy = SandboxPolicy.workspace(project=str(overlay / "project"))
    with pytest.raises(SandboxUnavailable, match="cannot be shared"):
        bubblewrap.run(["true"], policy)
