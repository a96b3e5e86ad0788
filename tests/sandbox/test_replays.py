"""A program on a folder of files: what it finds there, and what is taken over of what it leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.errors import Refused
from hermes.ids import content_hash
from hermes.records.sandbox import Limits
from hermes.records.trial import TrialOutcome
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.collecting import collect
from hermes.sandbox.dependencies import Environments
from hermes.sandbox.replays import SandboxReplays
from hermes.testing.wheels import write_wheel

HOSTILE = """
import os
os.symlink('/etc/passwd', 'link.txt')
os.mkfifo('pipe')
os.mkdir('__pycache__'); open('__pycache__/x.pyc', 'w').close()
os.mkdir('out'); open('out/a.txt', 'w').write('kept')
os.link('out/a.txt', 'twice.txt')
open(b'bad\\xff.txt', 'w').close()
os.mkdir('shut'); os.chmod('shut', 0)
open('big.bin', 'wb').truncate(63 << 20); open('big2.bin', 'wb').truncate(2 << 20)
"""


pytestmark = pytest.mark.xdist_group("replays")  # packages are installed once


@pytest.fixture(scope="module")
def replays(bubblewrap: Bubblewrap, tmp_path_factory: pytest.TempPathFactory) -> SandboxReplays:
    tmp_path = tmp_path_factory.mktemp("replays")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    write_wheel(wheels, "greeting", "WORD = 'hello'\n")
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "HOME": str(tmp_path)}
    packages = Environments(tmp_path / "environments", bubblewrap, environment=pip)
    packages.build(packages.plan(["greeting"]), approved_by="ana")
    return SandboxReplays(bubblewrap, Limits(seconds=10), packages)


def test_a_program_finds_its_files_and_leaves_new_ones(replays: SandboxReplays) -> None:
    program = (
        "import os\n"
        "text = open('data/in.txt').read()\n"
        "open('data/out.txt', 'w').write(text.upper())\n"
        "open('same.txt', 'a').close()\n"
        "print(os.getcwd(), sorted(os.listdir()))\n"
    )
    run = replays.run(program, {"data/in.txt": b"abc", "same.txt": b"x", "./b.txt": b""})
    assert run.outcome is TrialOutcome.PASSED, run.error
    assert run.stdout == "/app/data ['b.txt', 'data', 'same.txt']\n"
    assert run.files == {"data/out.txt": b"ABC"}
    assert run.unkept == ()
    assert not run.reached_out


def test_a_file_that_was_changed_is_taken_over(replays: SandboxReplays) -> None:
    run = replays.run("open('a', 'a').write('2')\nopen('b').read()\n", {"a": b"1", "b": b"1"})
    assert run.files == {"a": b"12"}


def test_a_script_among_the_files_can_be_run(replays: SandboxReplays) -> None:
    program = "import subprocess\nsubprocess.run(['./greet'], check=True)\n"
    run = replays.run(program, {"greet": b"#!/bin/sh\necho hello\n", "data": b"1\n"})
    assert (run.outcome, run.stdout) == (TrialOutcome.PASSED, "hello\n")


def test_a_failure_is_told_with_its_exit_code(replays: SandboxReplays) -> None:
    run = replays.run("import sys\nprint('half')\nsys.exit('no such column')\n", {})
    assert run.outcome is TrialOutcome.FAILED
    assert (run.error, run.exit_code, run.stdout) == ("no such column", 1, "half\n")


def test_the_network_is_not_there_and_the_try_is_told(replays: SandboxReplays) -> None:
    program = "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=2)\n"
    run = replays.run(program, {})
    assert run.outcome is TrialOutcome.FAILED
    assert run.reached_out


def test_packages_are_those_of_the_requirements(replays: SandboxReplays) -> None:
    program = "import greeting\nprint(greeting.WORD)\n"
    assert replays.run(program, {}, requirements=("greeting",)).stdout == "hello\n"
    assert replays.run(program, {}).outcome is TrialOutcome.NOT_RUN
    strange = replays.run(program, {}, requirements=("greeting @ https://example.org/x",))
    assert strange.outcome is TrialOutcome.NOT_RUN


@pytest.mark.parametrize("path", ["/etc/passwd", "../out", "a/../../b", "", ".", "a\0b"])
def test_no_file_is_laid_out_elsewhere(replays: SandboxReplays, path: str) -> None:
    with pytest.raises(Refused, match="no place inside"):
        replays.run("", {path: b""})


def test_a_file_is_not_a_folder_too(replays: SandboxReplays) -> None:
    with pytest.raises(Refused, match="at once"):
        replays.run("", {"a": b"", "a/b": b""})


def test_what_a_hostile_program_leaves_is_told_and_not_opened(replays: SandboxReplays) -> None:
    run = replays.run(HOSTILE, {})
    assert run.outcome is TrialOutcome.PASSED, run.error
    assert set(run.files) == {"big.bin"}
    told = " ".join(run.unkept)
    for name in ("link.txt", "pipe", "twice.txt", "out/a.txt", "big2.bin", "bad\\udcff.txt"):
        assert name in told
    assert "root:" not in str(run)


def test_more_files_than_anybody_can_use_are_cut_off(tmp_path: Path) -> None:
    for number in range(1_005):
        (tmp_path / f"{number:05}").write_bytes(b"")
    left = collect(str(tmp_path), {"00000": content_hash(b"")}, 100)
    assert len(left.files) == 1_000
    assert left.unkept == ("more than 1000 files",)
    assert "00000" not in left.files


def test_a_folder_that_is_nested_without_end_ends(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(40):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "file").write_bytes(b"x")
    left = collect(str(tmp_path), {}, 100)
    assert left.files == {}
    assert os.path.join(*["d"] * 17) in left.unkept[0]
