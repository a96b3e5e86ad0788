"""Which system calls a sandboxed program may not make, as a filter for the kernel.

One table, three readers: `plain` refuses by itself, `watched` asks the watcher (watch.py) about
each such call so that it can be named in the report, `docker_profile` is the same for Docker. The
filter is classic BPF, put together here instruction by instruction, so no library is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import Any

from hermes.sandbox.syscalls import numbers

AF_UNIX = 1
AF_INET = 2
AF_INET6 = 10

_EPERM = 1
_ENOSYS = 38
_KILL_PROCESS = 0x8000_0000
_ERRNO = 0x0005_0000
_NOTIFY = 0x7FC0_0000
_ALLOW = 0x7FFF_0000

_LOAD, _RETURN = 0x20, 0x06
_JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT = 0x15, 0x35, 0x45
_NUMBER_OFFSET, _ARCH_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16

_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32_BIT = 0x4000_0000  # x86_64 has a second, 32-bit table of calls behind this bit

_CLONE_NEW_ANY = 0x7E02_0000
_PR_SET_SECCOMP = 22
_WRITES = 0o3 | 0o100 | 0o1000  # O_WRONLY | O_RDWR, O_CREAT, O_TRUNC
CREATES = 0o100 | 0o20000000  # O_CREAT, O_TMPFILE: only then does an open look at its mode
SET_ID = 0o6000


@dataclass(frozen=True, slots=True)
class Condition:
    """What one argument must look like: any of these bits, none of them, this value, no such."""

    argument: int
    bits: int = 0
    without: int = 0
    equal: int | None = None
    other_than: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A call, and the conditions that must all hold for it to be meant."""

    call: str
    conditions: tuple[Condition, ...] = ()


# No program that a skill ships needs these, and bubblewrap does not either.
FORBIDDEN: tuple[Rule, ...] = tuple(
    Rule(call)
    for call in (
        *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"),
        *("pidfd_getfd", "kcmp", "move_pages", "migrate_pages"),
        *("io_uring_setup", "io_uring_enter", "io_uring_register"),
        *("keyctl", "add_key", "request_key"),
        *("bpf", "perf_event_open", "userfaultfd", "fanotify_init", "memfd_secret"),
        *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
        *("open_by_handle_at", "lookup_dcookie", "nfsservctl", "uselib", "modify_ldt"),
        *("acct", "quotactl", "quotactl_fd", "reboot", "swapon", "swapoff", "syslog"),
        *("settimeofday", "clock_settime", "clock_adjtime", "iopl", "ioperm", "vhangup"),
    )
)

# bubblewrap builds the sandbox with these; once the program runs they are as forbidden.
SETUP: tuple[Rule, ...] = (
    *(
        Rule(call)
        for call in (
            *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns"),
            *("open_tree", "open_tree_attr", "move_mount", "mount_setattr"),
            *("fsopen", "fsconfig", "fsmount", "fspick", "sethostname", "setdomainname"),
        )
    ),
    Rule("clone", (Condition(0, bits=_CLONE_NEW_ANY),)),
)

# bubblewrap marks its own mounts as silent. To stop for each would cost a third of a start, so the
# watcher is not asked about silent mounts; the filter that bubblewrap loads at the end, when it
# needs no more of them, refuses them unnamed.
_MS_SILENT = 0x8000
_LOUD_MOUNT = Rule("mount", (Condition(3, without=_MS_SILENT),))
_SILENT_MOUNT = Rule("mount", (Condition(3, bits=_MS_SILENT),))

# Likewise the mode of the files on which it mounts others; nobody else creates files so.
_CREAT = Rule("creat", (Condition(1, other_than=(0o444,)),))

# A set-user-id file left in a writable folder would lend the owner's rights to whoever finds it.
SET_ID_RULES: tuple[Rule, ...] = (
    Rule("chmod", (Condition(1, bits=SET_ID),)),
    Rule("fchmod", (Condition(1, bits=SET_ID),)),
    Rule("fchmodat", (Condition(2, bits=SET_ID),)),
    Rule("fchmodat2", (Condition(2, bits=SET_ID),)),
    Rule("creat", (Condition(1, bits=SET_ID),)),
    Rule("mknod", (Condition(1, bits=SET_ID),)),
    Rule("mknodat", (Condition(2, bits=SET_ID),)),
    Rule("open", (Condition(1, bits=CREATES), Condition(2, bits=SET_ID))),
    Rule("openat", (Condition(2, bits=CREATES), Condition(3, bits=SET_ID))),
)

# A filter cannot look behind a pointer, and these carry their flags there. Everybody who uses
# them falls back to the older call, which it can see.
ABSENT: tuple[str, ...] = ("clone3", "openat2")

# Without a cgroup nobody counts memory that is in no process; see limits.py.
UNCOUNTED_MEMORY: tuple[Rule, ...] = (Rule("memfd_create"), Rule("shmget"))

# bubblewrap's last act before the program starts is to load the filter it was given.
SEAL: tuple[Rule, ...] = (Rule("prctl", (Condition(0, equal=_PR_SET_SECCOMP),)), Rule("seccomp"))

# Calls that write by path, only looked at so that a write outside the mounts can be named:
# call → (argument with the folder's fd or None, argument with the path).
WRITES: dict[str, tuple[int | None, int]] = {
    "open": (None, 0),
    "openat": (0, 1),
    "creat": (None, 0),
    "truncate": (None, 0),
    "mkdir": (None, 0),
    "mkdirat": (0, 1),
    "rmdir": (None, 0),
    "mknod": (None, 0),
    "mknodat": (0, 1),
    "unlink": (None, 0),
    "unlinkat": (0, 1),
    "symlink": (None, 1),
    "symlinkat": (1, 2),
    "link": (None, 1),
    "linkat": (2, 3),
    "rename": (None, 1),
    "renameat": (2, 3),
    "renameat2": (2, 3),
    "chmod": (None, 0),
    "fchmodat": (0, 1),
    "fchmodat2": (0, 1),
    "chown": (None, 0),
    "lchown": (None, 0),
    "fchownat": (0, 1),
}
_OPEN_FLAGS = {"open": 1, "openat": 2}


@cache
def plain(machine: str, families: tuple[int, ...], *extra: Rule) -> bytes:
    """A filter that answers EPERM by itself."""
    rules = (*FORBIDDEN, *SETUP, *SET_ID_RULES, *_socket_rules(families), *extra)
    return _assemble(machine, [*_absent(), *((rule, _ERRNO | _EPERM) for rule in rules)])


@cache
def watched(machine: str, families: tuple[int, ...], *extra: Rule) -> bytes:
    """A filter that leaves every answer to the watcher; with no watcher the answer is ENOSYS."""
    looked_at = (
        Rule(call, (Condition(_OPEN_FLAGS[call], bits=_WRITES),) if call in _OPEN_FLAGS else ())
        for call in WRITES
        if call != "creat"
    )
    setup = (rule for rule in SETUP if rule.call != "mount")
    set_id = (rule for rule in SET_ID_RULES if rule.call not in WRITES)
    asked = (*FORBIDDEN, *setup, _LOUD_MOUNT, *set_id, *_socket_rules(families), *SEAL, _CREAT)
    return _assemble(machine, [(rule, _NOTIFY) for rule in (*asked, *looked_at, *extra)])


@cache
def seal(machine: str) -> bytes:
    """What bubblewrap loads under a watcher: the calls that the watcher is not asked about."""
    return _assemble(machine, [*_absent(), (_SILENT_MOUNT, _ERRNO | _EPERM)])


def docker_profile() -> dict[str, Any]:
    """The same table as Docker wants it: one entry for each rule and bit."""
    entries: list[dict[str, Any]] = [
        {"names": list(ABSENT), "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS}
    ]
    for rule in (*FORBIDDEN, *SETUP, *SET_ID_RULES, *_socket_rules(())):
        for arguments in product(*(_docker_condition(one) for one in rule.conditions)):
            entry: dict[str, Any] = {"names": [rule.call], "action": "SCMP_ACT_ERRNO"}
            entries.append({**entry, "errnoRet": _EPERM, "args": list(chain(*arguments))})
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
        "syscalls": entries,
    }


def _docker_condition(condition: Condition) -> list[list[dict[str, Any]]]:
    """The ways in which it can hold, each a list of comparisons that must all be true."""
    if condition.bits:
        bits = (1 << position for position in range(32))
        return [
            [_compare(condition.argument, "SCMP_CMP_MASKED_EQ", bit, bit)]
            for bit in bits
            if condition.bits & bit
        ]
    return [
        [_compare(condition.argument, "SCMP_CMP_NE", value, 0) for value in condition.other_than]
    ]


def _compare(index: int, operator: str, value: int, second: int) -> dict[str, Any]:
    return {"index": index, "value": value, "valueTwo": second, "op": operator}


def _socket_rules(families: Collection[int]) -> tuple[Rule, ...]:
    allowed = tuple(sorted({AF_UNIX, *families}))
    return (
        Rule("socket", (Condition(0, other_than=allowed),)),
        Rule("socketpair", (Condition(0, other_than=(AF_UNIX,)),)),
    )


def _absent() -> Iterator[tuple[Rule, int]]:
    return ((Rule(call), _ERRNO | _ENOSYS) for call in ABSENT)


def _assemble(machine: str, rules: Collection[tuple[Rule, int]]) -> bytes:
    number_of = numbers(machine)
    code = [
        _instruction(_LOAD, _ARCH_OFFSET),
        _instruction(_JUMP_EQUAL, _AUDIT_ARCH[machine], yes=1),
        _instruction(_RETURN, _KILL_PROCESS),
        _instruction(_LOAD, _NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        code += [
            _instruction(_JUMP_GREATER_EQUAL, _X32_BIT, no=1),
            _instruction(_RETURN, _KILL_PROCESS),
        ]
    for rule, action in rules:
        if rule.call in number_of:
            code += _rule(rule, number_of[rule.call], action)
    code.append(_instruction(_RETURN, _ALLOW))
    return b"".join(code)


def _rule(rule: Rule, number: int, action: int) -> list[bytes]:
    """Return the action where the rule holds; else go on, with the number loaded again."""
    body = [_instruction(_RETURN, action)]
    if rule.conditions:
        body.append(_instruction(_LOAD, _NUMBER_OFFSET))
    for condition in reversed(rule.conditions):
        body = _condition(condition, skip=len(body) - 1) + body
    return [_instruction(_JUMP_EQUAL, number, no=len(body)), *body]


def _condition(condition: Condition, *, skip: int) -> list[bytes]:
    """Go on with the next instruction where it holds, else jump over `skip` of them."""
    load = _instruction(_LOAD, _ARGUMENTS_OFFSET + 8 * condition.argument)  # its low half
    if condition.bits:
        return [load, _instruction(_JUMP_ANY_BIT, condition.bits, no=skip)]
    if condition.without:
        return [load, _instruction(_JUMP_ANY_BIT, condition.without, yes=skip)]
    if condition.equal is not None:
        return [load, _instruction(_JUMP_EQUAL, condition.equal, no=skip)]
    ahead = reversed(range(len(condition.other_than)))
    pairs = zip(condition.other_than, ahead, strict=True)
    return [
        load,
        *(_instruction(_JUMP_EQUAL, value, yes=skip + rest) for value, rest in pairs),
    ]


def _instruction(code: int, operand: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, operand)
