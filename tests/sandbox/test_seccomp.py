"""The filter for both machines: what the table says is what the instructions do."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import SandboxUnavailable
from hermes.sandbox import seccomp
from hermes.sandbox.syscalls import MACHINES, numbers
from hermes.testing.sandbox.bpf import ALLOW, KILL, NOTIFY, verdict

EPERM, ENOSYS = "errno 1", "errno 38"
READ = {"x86_64": 0, "aarch64": 63}
FORK_FLAGS = 0x0120_0011
THREAD_FLAGS = 0x003D_0F00
NEWUSER, NEWNET, NEWNS = 0x1000_0000, 0x4000_0000, 0x0002_0000
O_WRONLY, O_CREAT, O_TRUNC, O_TMPFILE = 0o1, 0o100, 0o1000, 0o20200000

machines = pytest.mark.parametrize("machine", MACHINES)


@machines
def test_unconditional_rules_deny_or_ask(machine: str) -> None:
    known = numbers(machine)
    rules = [rule for rule in (*seccomp.FORBIDDEN, *seccomp.SETUP) if not rule.conditions]
    assert len(rules) > 50
    for rule in rules:
        if rule.call in known:
            number = known[rule.call]
            assert verdict(seccomp.plain(machine, ()), machine, number) == EPERM, rule
            assert verdict(seccomp.watched(machine, ()), machine, number) == NOTIFY, rule


@machines
def test_a_silent_mount_is_refused_without_being_asked_about(machine: str) -> None:
    number = numbers(machine)["mount"]
    bind, silent = 0x1000, 0x8000
    assert verdict(seccomp.watched(machine, ()), machine, number, (0, 0, 0, bind)) == NOTIFY
    assert verdict(seccomp.seal(machine), machine, number, (0, 0, 0, bind)) == ALLOW
    assert verdict(seccomp.watched(machine, ()), machine, number, (0, 0, 0, bind | silent)) == ALLOW
    assert verdict(seccomp.seal(machine), machine, number, (0, 0, 0, bind | silent)) == EPERM
    assert verdict(seccomp.plain(machine, ()), machine, number, (0, 0, 0, silent)) == EPERM


@machines
@pytest.mark.parametrize("build", [seccomp.plain, seccomp.watched])
def test_other_architectures_are_killed(machine: str, build: object) -> None:
    assert callable(build)
    program = build(machine, ())
    other = "aarch64" if machine == "x86_64" else "x86_64"
    assert verdict(program, "i386", 20) == KILL
    assert verdict(program, other, 0) == KILL
    assert verdict(seccomp.seal(machine), "i386", 20) == KILL


def test_the_second_table_of_x86_64_is_killed() -> None:
    for program in (seccomp.plain("x86_64", ()), seccomp.watched("x86_64", ())):
        assert verdict(program, "x86_64", 0x4000_0000 | 39) == KILL


@machines
def test_sockets_of_one_family(machine: str) -> None:
    number = numbers(machine)["socket"]
    program = seccomp.plain(machine, ())
    assert verdict(program, machine, number, (seccomp.AF_UNIX, 1, 0)) == ALLOW
    for family in (0, 2, 3, 10, 16, 17, 38, 40, 44):
        assert verdict(program, machine, number, (family, 1, 0)) == EPERM


@machines
def test_a_grant_opens_two_families_and_no_more(machine: str) -> None:
    known = numbers(machine)
    program = seccomp.plain(machine, (seccomp.AF_INET, seccomp.AF_INET6))
    for family in (1, 2, 10):
        assert verdict(program, machine, known["socket"], (family,)) == ALLOW
    for family in (0, 3, 9, 11, 16, 17):
        assert verdict(program, machine, known["socket"], (family,)) == EPERM
    assert verdict(program, machine, known["socketpair"], (2,)) == EPERM


@machines
def test_children_and_threads_are_allowed_namespaces_are_not(machine: str) -> None:
    number = numbers(machine)["clone"]
    program = seccomp.plain(machine, ())
    for flags in (FORK_FLAGS, THREAD_FLAGS, 17):
        assert verdict(program, machine, number, (flags,)) == ALLOW
    for flag in (NEWUSER, NEWNET, NEWNS):
        assert verdict(program, machine, number, (flag | 17,)) == EPERM


@machines
def test_calls_that_hide_their_flags_do_not_exist(machine: str) -> None:
    known = numbers(machine)
    for call in ("clone3", "openat2"):
        assert verdict(seccomp.plain(machine, ()), machine, known[call]) == ENOSYS
        assert verdict(seccomp.seal(machine), machine, known[call]) == ENOSYS


@machines
def test_set_id_bits(machine: str) -> None:
    known = numbers(machine)
    program = seccomp.plain(machine, ())
    assert verdict(program, machine, known["fchmod"], (3, 0o755)) == ALLOW
    assert verdict(program, machine, known["fchmod"], (3, 0o4755)) == EPERM
    assert verdict(program, machine, known["fchmodat"], (3, 0, 0o2755)) == EPERM
    openat = known["openat"]
    assert verdict(program, machine, openat, (3, 0, O_CREAT | O_WRONLY, 0o644)) == ALLOW
    assert verdict(program, machine, openat, (3, 0, O_CREAT | O_WRONLY, 0o4755)) == EPERM
    assert verdict(program, machine, openat, (3, 0, O_TMPFILE | O_WRONLY, 0o4755)) == EPERM
    # Without O_CREAT the mode is whatever happened to be in the register.
    assert verdict(program, machine, openat, (3, 0, O_WRONLY, 0o4755)) == ALLOW


@machines
def test_the_watcher_is_asked_about_writes_only(machine: str) -> None:
    known = numbers(machine)
    program = seccomp.watched(machine, ())
    for flags in (O_WRONLY, 0o2, O_CREAT, O_TRUNC):
        assert verdict(program, machine, known["openat"], (3, 0, flags)) == NOTIFY
    assert verdict(program, machine, known["openat"], (3, 0, 0o2000000)) == ALLOW
    assert verdict(program, machine, READ[machine]) == ALLOW
    assert verdict(program, machine, known["prctl"], (22,)) == NOTIFY
    assert verdict(program, machine, known["prctl"], (15,)) == ALLOW


@machines
def test_uncounted_memory_is_a_rule_of_its_own(machine: str) -> None:
    number = numbers(machine)["memfd_create"]
    assert verdict(seccomp.plain(machine, ()), machine, number) == ALLOW
    strict = seccomp.plain(machine, (), *seccomp.UNCOUNTED_MEMORY)
    assert verdict(strict, machine, number) == EPERM


@given(number=st.integers(0, 500), arguments=st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_calls_that_no_rule_names_are_allowed(number: int, arguments: list[int]) -> None:
    for machine in MACHINES:
        if number not in numbers(machine).values():
            for program in (seccomp.plain(machine, ()), seccomp.watched(machine, ())):
                assert verdict(program, machine, number, arguments) == ALLOW


def test_docker_gets_the_same_table() -> None:
    profile = json.loads(json.dumps(seccomp.docker_profile()))
    denied = {name for entry in profile["syscalls"] for name in entry["names"]}
    table = (*seccomp.FORBIDDEN, *seccomp.SETUP, *seccomp.SET_ID_RULES)
    assert {rule.call for rule in table} | {"socket", "clone3", "openat2"} <= denied
    socket = [entry for entry in profile["syscalls"] if entry["names"] == ["socket"]]
    assert [entry["args"][0]["op"] for entry in socket] == ["SCMP_CMP_NE"]


def test_an_unknown_machine_is_told() -> None:
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        seccomp.plain("riscv64", ())
