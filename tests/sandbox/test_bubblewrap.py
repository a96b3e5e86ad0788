"""Ordinary programs on every backend: what they are given, what they give back, what is left."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes.errors import Refused, SandboxUnavailable, WrongCall
from hermes.ports import Sandbox
from hermes.records.sandbox import (
    KilledBy,
    Limits,
    SandboxPolicy,
    Scratch,
    ViolationKind,
    Witness,
)
from hermes.sandbox.bubblewrap import Bubblewrap, programs
from hermes.sandbox.launch import Program
from hermes.sandbox.layout import Private
from hermes.sandbox.limits import ProcessTree


@pytest.fixture
def place(sandbox: Sandbox) -> Iterator[Scratch]:
    with sandbox.scratch() as opened:
        yield opened


@pytest.fixture
def policy(place: Scratch) -> SandboxPolicy:
    return SandboxPolicy.trial(
        skills=place.skills, data=place.data, limits=Limits(seconds=20.0), environment={"A": "b"}
    )


class TestOnEveryBackend:
    def test_it_runs_python_and_finds_nothing_to_say(
        self, sandbox: Sandbox, policy: SandboxPolicy
    ) -> None:
        result = sandbox.run(["python", "-c", "print('hello')"], policy)
        assert result.ok
        assert result.stdout == b"hello\n"
        assert result.stderr == b""
        assert result.violations == ()
        assert result.isolated
        assert 0 < result.seconds < 20

    def test_stdin_arrives_whole(self, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        code = "import sys; print(len(sys.stdin.buffer.read()))"
        result = sandbox.run(["python", "-c", code], policy, stdin=b"x" * 3_000_000)
        assert result.stdout == b"3000000\n"

    def test_stdin_need_not_be_read(self, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        assert sandbox.run(["true"], policy, stdin=b"x" * 3_000_000).ok

    def test_exit_codes_and_signals(self, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        assert sandbox.run(["sh", "-c", "exit 7"], policy).exit_code == 7
        assert sandbox.run(["sh", "-c", "kill -9 $$"], policy).exit_code == 137
        missing = sandbox.run(["no-such-program"], policy)
        assert missing.exit_code == 127
        assert b"no-such-program" in missing.stderr

    def test_it_starts_where_it_should(self, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        code = "import os; print(os.getcwd())"
        assert sandbox.run(["python", "-c", code], policy).stdout == b"/app/data\n"
        there = sandbox.run(["python", "-c", code], policy, cwd="/app/skills")
        assert there.stdout == b"/app/skills\n"

    def test_files_come_back_as_ours(
        self, sandbox: Sandbox, policy: SandboxPolicy, place: Scratch
    ) -> None:
        Path(place.data, "given").write_text("7")
        code = "open('made', 'w').write(open('given').read() * 3)"
        owner = os.stat(place.data)
        result = sandbox.run(["python", "-c", code], policy)
        assert result.ok, result.stderr
        made = Path(place.data, "made")
        assert made.read_text() == "777"
        assert (made.stat().st_uid, made.stat().st_gid) == (owner.st_uid, owner.st_gid)

    def test_the_environment_is_what_the_policy_says(
        self, sandbox: Sandbox, policy: SandboxPolicy
    ) -> None:
        code = "import os; print(os.environ['A'], 'OPENAI_API_KEY' in os.environ)"
        assert sandbox.run(["python", "-c", code], policy).stdout == b"b False\n"

    def test_long_output_is_cut_and_says_so(self, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        code = "import sys; print('x' * 3000); print('y' * 10, file=sys.stderr)"
        small = policy.within(Limits(seconds=20.0, output_bytes=1000))
        result = sandbox.run(["python", "-c", code], small)
        assert result.ok
        assert result.stdout == b"x" * 1000
        assert result.stdout_truncated
        assert not result.stderr_truncated

    def test_many_at_once(self, sandbox: Sandbox) -> None:
        def one(number: int) -> bytes:
            with sandbox.scratch() as place:
                policy = SandboxPolicy.trial(skills=place.skills, data=place.data)
                return sandbox.run(["python", "-c", f"print({number})"], policy).stdout

        workers = 1 if sandbox.name != "bubblewrap" or not isinstance(sandbox, Bubblewrap) else 4
        with ThreadPoolExecutor(workers) as pool:
            assert list(pool.map(one, range(12))) == [f"{n}\n".encode() for n in range(12)]


@pytest.fixture
def scratch(bubblewrap: Bubblewrap) -> Iterator[SandboxPolicy]:
    with bubblewrap.scratch() as place:
        yield SandboxPolicy.trial(skills=place.skills, data=place.data)


class TestBubblewrap:
    def test_it_leaves_nothing_open(self, bubblewrap: Bubblewrap, scratch: SandboxPolicy) -> None:
        bubblewrap.run(["true"], scratch)
        before = len(os.listdir("/proc/self/fd")), threading.active_count()
        for _ in range(5):
            bubblewrap.run(["sh", "-c", "echo x; exit 3"], scratch, stdin=b"y")
            bubblewrap.run(["no-such-program"], scratch)
        assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before

    def test_it_counts_what_was_used(self, bubblewrap: Bubblewrap, scratch: SandboxPolicy) -> None:
        code = "x = b'x' * (80 << 20)\nimport time\nwhile time.process_time() < 0.3: pass"
        result = bubblewrap.run(["python", "-c", code], scratch)
        assert result.cpu_seconds is not None
        assert result.max_rss is not None
        assert 0.25 < result.cpu_seconds < 30
        assert 80 << 20 < result.max_rss < 200 << 20

    def test_a_folder_that_is_not_there_is_a_wrong_call(
        self, bubblewrap: Bubblewrap, scratch: SandboxPolicy
    ) -> None:
        with pytest.raises(WrongCall, match="/app/data/none"):
            bubblewrap.run(["true"], scratch, cwd="/app/data/none")
        with pytest.raises(WrongCall, match="/root"):
            bubblewrap.run(["true"], scratch, cwd="/root")

    def test_what_cannot_start_is_told_and_not_taken_for_a_result(
        self, scratch: SandboxPolicy, tmp_path: Path
    ) -> None:
        broken = tmp_path / "bwrap"
        broken.write_text("#!/bin/sh\necho 'bwrap: no user namespaces here' >&2\nexit 1\n")
        broken.chmod(0o755)
        program = Program(str(broken), home=str(tmp_path))
        with pytest.raises(SandboxUnavailable, match="no user namespaces here"):
            Bubblewrap(program).run(["true"], scratch)

    def test_without_a_watcher_the_filter_still_denies(self, scratch: SandboxPolicy) -> None:
        code = "import socket\nsocket.socket()"
        result = Bubblewrap(programs()[0], watch=False).run(["python", "-c", code], scratch)
        assert b"PermissionError" in result.stderr
        assert all(one.witness is Witness.MESSAGE for one in result.violations)
        assert result.violations

    def test_a_lower_meter_holds_too(self, bubblewrap: Bubblewrap, scratch: SandboxPolicy) -> None:
        sandbox = Bubblewrap(programs()[0], meter=ProcessTree)
        small = scratch.within(Limits(seconds=20.0, memory_bytes=64 << 20))
        code = "x = []\nwhile True: x.append(bytearray(1 << 20))"
        result = sandbox.run(["python", "-c", code], small)
        assert result.killed_by is KilledBy.MEMORY

    def test_killing_us_kills_the_sandbox(self, tmp_path: Path) -> None:
        marker = f"sleep-{os.getpid()}-{time.time_ns()}"
        code = (
            "from hermes.sandbox.bubblewrap import *; from hermes.records.sandbox import *\n"
            "b = Bubblewrap(programs()[0])\n"
            "with b.scratch() as s:\n"
            "  p = SandboxPolicy.trial(skills=s.skills, data=s.data)\n"
            f"  b.run(['python', '-c', 'import time; time.sleep(60)', {marker!r}], p)\n"
        )
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        child = subprocess.Popen([sys.executable, "-c", code], env=environment)
        _wait_until(lambda: _running(marker))
        child.kill()
        child.wait()
        _wait_until(lambda: not _running(marker))


class TestWorkspace:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        folder = tmp_path / "project"
        (folder / ".git" / "hooks").mkdir(parents=True)
        (folder / ".git" / "config").write_text("[core]\n")
        (folder / ".netrc").write_text("secret")
        (folder / ".ssh").mkdir()
        (folder / ".ssh" / "id").write_text("secret")
        return folder

    def test_the_project_is_writable_at_its_own_path(
        self, bubblewrap: Bubblewrap, project: Path
    ) -> None:
        policy = SandboxPolicy.workspace(project=str(project))
        result = bubblewrap.run(["sh", "-c", "pwd; echo hi > made"], policy)
        assert result.stdout_text.strip() == str(project)
        assert (project / "made").read_text() == "hi\n"
        assert (project / "made").stat().st_uid == os.geteuid()
        assert result.violations == ()

    def test_what_others_obey_stays_as_it_is(self, bubblewrap: Bubblewrap, project: Path) -> None:
        policy = SandboxPolicy.workspace(project=str(project))
        script = "echo x > .git/hooks/pre-commit; echo y >> .git/config; echo z > .mcp.json"
        result = bubblewrap.run(["sh", "-c", script], policy)
        assert list((project / ".git" / "hooks").iterdir()) == []
        assert (project / ".git" / "config").read_text() == "[core]\n"
        told = {(one.subject, one.witness) for one in result.violations}
        assert (f"{project}/.git/hooks/pre-commit", Witness.KERNEL) in told
        assert (f"{project}/.mcp.json", Witness.DISK) in told
        assert all(one.kind is ViolationKind.WRITE for one in result.violations)

    def test_a_folder_that_is_moved_away_is_noticed(
        self, bubblewrap: Bubblewrap, project: Path
    ) -> None:
        policy = SandboxPolicy.workspace(project=str(project))
        script = "mv .git old && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"
        result = bubblewrap.run(["sh", "-c", script], policy)
        told = {one.subject for one in result.violations if one.witness is Witness.DISK}
        if (project / ".git" / "hooks" / "pre-commit").exists():
            assert f"{project}/.git/hooks" in told

    def test_credentials_in_it_look_empty(self, bubblewrap: Bubblewrap, project: Path) -> None:
        policy = SandboxPolicy.workspace(project=str(project))
        result = bubblewrap.run(["sh", "-c", "cat .netrc .ssh/id; ls -A .ssh"], policy)
        assert b"secret" not in result.stdout
        assert result.stdout == b""

    def test_a_private_folder_in_it_looks_empty(
        self, bubblewrap: Bubblewrap, project: Path
    ) -> None:
        (project / "loop").mkdir()
        (project / "loop" / "loop.db").write_text("secret")
        private = Bubblewrap(programs()[0], private=Private((str(project / "loop"),)))
        policy = SandboxPolicy.workspace(project=str(project))
        script = "ls -A loop; cat loop/loop.db; echo x > loop/new"
        result = private.run(["sh", "-c", script], policy)
        assert result.stdout == b""
        assert [path.name for path in (project / "loop").iterdir()] == ["loop.db"]

    def test_a_private_folder_is_no_mount(self, project: Path) -> None:
        loop = project / "loop"
        (loop / "packages").mkdir(parents=True)
        policy = SandboxPolicy.workspace(project=str(loop / "packages"))
        closed = Bubblewrap(programs()[0], private=Private((str(loop),)))
        with pytest.raises(Refused, match="not shown"):
            closed.run(["true"], policy)
        shared = (str(loop / "packages"),)
        opened = Bubblewrap(programs()[0], private=Private((str(loop),), shareable=shared))
        assert opened.run(["true"], policy).ok

    def test_a_project_behind_a_symlink_is_refused(
        self, bubblewrap: Bubblewrap, project: Path
    ) -> None:
        link = project.parent / "link"
        link.symlink_to(project)
        with pytest.raises(Refused, match="symlink"):
            bubblewrap.run(["true"], SandboxPolicy.workspace(project=str(link)))


def _running(marker: str) -> bool:
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                words = Path(entry.path, "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if marker.encode() in words:
                return True
    return False


def _wait_until(happened: Callable[[], bool], seconds: float = 15.0) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.02)
