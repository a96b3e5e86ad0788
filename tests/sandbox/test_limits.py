"""When a reading breaks a limit, and what the process tree shows."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import pytest

from hermes.records.sandbox import KilledBy, Limits
from hermes.sandbox.limits import ProcessTree, Reading, exceeded, process_tree, rlimits

LIMITS = Limits(cpu_seconds=2.0, memory_bytes=100, processes=10)


@pytest.mark.parametrize(
    ("reading", "limit"),
    [
        (Reading(), None),
        (Reading(cpu_seconds=2.0, memory_bytes=100, processes=10), None),
        (Reading(cpu_seconds=2.1), KilledBy.CPU),
        (Reading(memory_bytes=101), KilledBy.MEMORY),
        (Reading(memory_refused=1), KilledBy.MEMORY),
        (Reading(processes=11), KilledBy.PROCESSES),
        (Reading(processes_refused=1), KilledBy.PROCESSES),
        (Reading(peak_bytes=10_000), None),
    ],
)
def test_which_limit_is_broken(reading: Reading, limit: KilledBy | None) -> None:
    assert exceeded(reading, LIMITS) is limit


def test_no_limit_on_addresses() -> None:
    assert resource.RLIMIT_AS not in rlimits(LIMITS, count_processes=True)
    assert resource.RLIMIT_NPROC not in rlimits(LIMITS, count_processes=False)


def test_the_tree_is_counted_with_its_children() -> None:
    code = (
        "import os, time\n"
        "x = bytearray(30 << 20)\n"
        "if os.fork() == 0: x = bytearray(30 << 20)\n"
        "while time.process_time() < 0.2: pass\n"
        "print('ready', flush=True); time.sleep(30)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for _ in range(2):
            child.stdout.readline()
        meter = ProcessTree(Limits(processes=2))
        meter.admit(child.pid)
        reading = meter.read()
        pids = process_tree(child.pid)
        subprocess.run(["kill", "-9", *map(str, pids)], check=True)
    assert len(pids) == 2
    assert reading.memory_bytes > 60 << 20
    assert reading.cpu_seconds >= 0.3
    assert reading.processes == 2
    assert reading.processes_refused
    time.sleep(0.05)
    assert meter.read().peak_bytes == reading.peak_bytes


def test_a_tree_that_is_gone_is_empty_and_no_error() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pass
    meter = ProcessTree(LIMITS)
    meter.admit(child.pid)
    assert meter.read().processes == 0
