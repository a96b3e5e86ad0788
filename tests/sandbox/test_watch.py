"""What the watcher tells: the real target, once, with a count, and not what is harmless."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.records.sandbox import SandboxPolicy, SandboxResult, ViolationKind, Witness
from hermes.sandbox.bubblewrap import Bubblewrap


@pytest.fixture
def policy(bubblewrap: Bubblewrap) -> Iterator[SandboxPolicy]:
    if not bubblewrap.watches:
        pytest.skip("this kernel has no watcher")
    with bubblewrap.scratch() as place:
        Path(place.data, "inner").mkdir()
        yield SandboxPolicy.trial(skills=place.skills, data=place.data)


def told(result: SandboxResult) -> dict[str, int]:
    assert all(one.witness is Witness.KERNEL for one in result.violations)
    return {f"{one.kind} {one.subject}": one.times for one in result.violations}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo x > /etc/x", "write /etc/x"),
        ("cd /usr/lib; echo x > planted", "write /usr/lib/planted"),
        ("cd inner; echo x > ../../../etc/x", "write /etc/x"),
        ("ln -s /etc link; echo x > link/x", "write /etc/x"),
        ("ln -s /nowhere/at/all link; echo x > link", "write /nowhere/at/all"),
        ("mkdir /x", "write /x"),
        ("rm -f /usr/bin/env", "write /usr/bin/env"),
        ("ln -s a /usr/x", "write /usr/x"),
        ("echo x > f; ln f /usr/f", "write /usr/f"),
        ("echo x > f; mv f /usr/f", "write /usr/f"),
        ("chmod 777 /usr/bin/env", "write /usr/bin/env"),
        ("rmdir /usr/share", "write /usr/share"),
    ],
)
def test_a_write_outside_is_named_by_where_it_leads(
    bubblewrap: Bubblewrap, policy: SandboxPolicy, script: str, expected: str
) -> None:
    assert expected in told(bubblewrap.run(["sh", "-c", script], policy))


def test_one_line_for_each_with_a_count(bubblewrap: Bubblewrap, policy: SandboxPolicy) -> None:
    script = "for i in 1 2 3; do echo x > /etc/x; done"
    assert told(bubblewrap.run(["sh", "-c", script], policy)) == {"write /etc/x": 3}


@pytest.mark.parametrize(
    "script",
    [
        "echo x > /dev/null",
        "echo x > /tmp/x; mkdir /tmp/y; mv /tmp/x /tmp/y/x",
        "echo x > /dev/shm/x",
        "echo x > inner/x; rm inner/x; rmdir inner; mkdir -p a/b/c; chmod 700 a",
        "ln -s inner link; echo x > link/x",
        "echo sh > /proc/self/comm",
        "cat /etc/passwd /usr/bin/env > /dev/null; ls /nowhere",
        "python -c 'import json, sqlite3, tempfile; tempfile.TemporaryFile()'",
    ],
)
def test_what_is_allowed_is_not_told(
    bubblewrap: Bubblewrap, policy: SandboxPolicy, script: str
) -> None:
    assert told(bubblewrap.run(["sh", "-c", script], policy)) == {}


def test_a_flood_of_subjects_is_cut_and_counted(
    bubblewrap: Bubblewrap, policy: SandboxPolicy
) -> None:
    code = "for n in range(150):\n  try: open(f'/etc/{n}', 'w')\n  except OSError: pass\n"
    violations = bubblewrap.run(["python", "-c", code], policy).violations
    assert len(violations) == 101
    assert violations[-1].times == 50
    assert "not listed" in violations[-1].subject


def test_bad_pointers_do_not_disturb_it(bubblewrap: Bubblewrap, policy: SandboxPolicy) -> None:
    code = (
        "import ctypes\n"
        "open_ = ctypes.CDLL(None).open\n"
        "for address in (0, 1, 4095, 2**47 - 1, 2**63, 2**64 - 1):\n"
        "  assert open_(ctypes.c_void_p(address), 1) == -1\n"
        "print('fine')"
    )
    result = bubblewrap.run(["python", "-c", code], policy)
    assert result.stdout == b"fine\n", result.stderr


def test_a_long_path_at_the_end_of_a_page(bubblewrap: Bubblewrap, policy: SandboxPolicy) -> None:
    code = (
        "import ctypes, mmap\n"
        "page = mmap.mmap(-1, 8192)\n"
        "text = b'/etc/at-the-edge\\0'\n"
        "page[4096 - len(text):4096] = text\n"
        "start = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.mprotect(ctypes.c_void_p(start + 4096), 4096, 0)\n"
        "libc.open(ctypes.c_void_p(start + 4096 - len(text)), 1)\n"
    )
    assert "write /etc/at-the-edge" in told(bubblewrap.run(["python", "-c", code], policy))


def test_children_are_watched_too(bubblewrap: Bubblewrap, policy: SandboxPolicy) -> None:
    code = "import subprocess; subprocess.run(['sh', '-c', 'sh -c \"echo x > /etc/deep\"'])"
    result = bubblewrap.run(["python", "-c", code], policy)
    assert "write /etc/deep" in told(result)
    assert ViolationKind.WRITE in {one.kind for one in result.violations}
