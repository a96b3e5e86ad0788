"""The watcher: the kernel stops a call that the filter names and asks here what to answer.

So a report can name the call or path, whatever language the program is in. What is denied is
decided from the numbers in the registers, which nobody can change after the fact. Paths lie in
the program's own memory and may change while we read, so they are for the report only: whether a
write succeeds is decided by the mounts.
"""

from __future__ import annotations

import errno
import fcntl
import os
import posixpath
import select
import socket
import struct
from collections.abc import Collection
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from hermes.records.sandbox import Violation, ViolationKind, Witness
from hermes.sandbox import kernel
from hermes.sandbox.seccomp import FORBIDDEN, SEAL, SET_ID_RULES, WRITES
from hermes.sandbox.syscalls import numbers

_RECEIVE, _SEND, _STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102
_QUESTION = struct.Struct("=QII iIQ 6Q")  # id, pid, flags; number, arch, instruction, arguments
_ID_AND_NUMBER = struct.Struct("=Q8xi")
_ANSWER = struct.Struct("=QqiI")  # id, value, error, flags
_CONTINUE = 1
_CWD = -100
_PATH_MAX = 4096
_MOST_SUBJECTS = 100

# Written to by nearly every program, and private or harmless.
_ALWAYS_WRITABLE = ("/tmp", "/dev/shm", "/dev/pts", "/proc/self", "/proc/thread-self")
_DEVICES = frozenset(
    f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx")
)
_SEALS = frozenset(rule.call for rule in SEAL)
_JUDGED_ALWAYS = _SEALS | {rule.call for rule in FORBIDDEN}
_KEEPS_LAST_LINK = frozenset(
    call for call in WRITES if call not in {"open", "openat", "creat", "truncate", "chmod", "chown"}
)


@dataclass(frozen=True, slots=True)
class Question:
    """One stopped call."""

    id: int
    pid: int
    call: str
    arguments: tuple[int, ...]


class Watch:
    """Answers for one sandbox, from the start of bubblewrap to the end of the run.

    bubblewrap's mounts are let through until it loads the filter it was given: that is the seal,
    its last act before the program starts. From then on no forbidden call is let through.
    """

    def __init__(
        self, listener: int, machine: str, *, writable: Collection[str], guarded: Collection[str]
    ) -> None:
        self._listener = listener
        self._names = {number: name for name, number in numbers(machine).items()}
        self._writable = (*_ALWAYS_WRITABLE, *writable)
        self._guarded = tuple(guarded)
        self.sealed = False
        self._judged_always = {
            number for number, name in self._names.items() if name in _JUDGED_ALWAYS
        }
        self._seen: dict[tuple[ViolationKind, str], int] = {}
        self._unlisted = 0

    def fileno(self) -> int:
        return self._listener

    def close(self) -> None:
        """From here on the kernel answers ENOSYS: nothing is allowed by our absence."""
        os.close(self._listener)

    def answer(self) -> None:
        """Take one question and answer it."""
        buffer = bytearray(_QUESTION.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, buffer, True)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EINTR):  # the caller died meanwhile
                return
            raise
        identity, number = _ID_AND_NUMBER.unpack_from(buffer)
        if not self.sealed and number not in self._judged_always:
            refusal = 0  # bubblewrap at work; it asks a hundred times, so this way is short
        else:
            refusal = self._judge(self._read(buffer))
        answer = _ANSWER.pack(identity, 0, -refusal, 0 if refusal else _CONTINUE)
        with suppress(FileNotFoundError):  # likewise
            fcntl.ioctl(self._listener, _SEND, bytearray(answer), True)

    def attend(self, future: Future[Any]) -> None:
        """Answer until that is done."""
        done = os.eventfd(0)
        future.add_done_callback(lambda _: os.eventfd_write(done, 1))
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        poll.register(done, select.POLLIN)
        try:
            while not any(fd == done for fd, _ in poll.poll()):
                self.answer()
        finally:
            future.exception()  # it writes to the eventfd when it ends, so not before that
            os.close(done)

    def violations(self) -> tuple[Violation, ...]:
        listed = [
            Violation(kind=kind, subject=subject, witness=Witness.KERNEL, times=times)
            for (kind, subject), times in self._seen.items()
        ]
        if self._unlisted:
            more = f"(further subjects, not listed: the first {_MOST_SUBJECTS} are)"
            listed.append(
                Violation(
                    kind=ViolationKind.CALL,
                    subject=more,
                    witness=Witness.KERNEL,
                    times=self._unlisted,
                )
            )
        return tuple(listed)

    def _read(self, buffer: bytearray) -> Question:
        identity, pid, _, number, _, _, *arguments = _QUESTION.unpack(buffer)
        return Question(identity, pid, self._names[number], tuple(arguments))

    def _judge(self, question: Question) -> int:
        """The error to answer with; 0 lets the kernel go on with the call."""
        call = question.call
        if call in _SEALS:
            self.sealed = True
            return 0
        if call in WRITES and not _sets_id(question):
            self._note_write(question)
            return 0
        if call in ("socket", "socketpair"):
            self._note(ViolationKind.NETWORK, f"{call}({_family(question.arguments[0])})")
        else:
            self._note(ViolationKind.CALL, f"{call} set-id" if _sets_id(question) else call)
        return errno.EPERM

    def _note_write(self, question: Question) -> None:
        folder, where = WRITES[question.call]
        try:
            path = _text_at(question.pid, question.arguments[where])
            path = self._resolve(question, None if folder is None else _int(question, folder), path)
        except OSError:
            return  # the caller died, or gave a bad pointer, for which the kernel has an error
        if self._is_outside(path) and self._still_valid(question):
            self._note(ViolationKind.WRITE, path)

    def _resolve(self, question: Question, folder: int | None, path: str) -> str:
        process = f"/proc/{question.pid}"
        if not path.startswith("/"):
            at_cwd = folder is None or folder == _CWD
            base = os.readlink(f"{process}/cwd" if at_cwd else f"{process}/fd/{folder}")
            path = posixpath.join(base, path)
        path = posixpath.normpath(path)
        if path.startswith("/proc/"):
            return path  # its links mean something else to every reader
        follow = question.call not in _KEEPS_LAST_LINK
        root = os.open(f"{process}/root", os.O_PATH | os.O_DIRECTORY)
        try:
            return _real(root, path, follow=follow)
        finally:
            os.close(root)

    def _is_outside(self, path: str) -> bool:
        if path in _DEVICES:
            return False
        if any(_is_under(path, guarded) for guarded in self._guarded):
            return True
        return not any(_is_under(path, writable) for writable in self._writable)

    def _still_valid(self, question: Question) -> bool:
        """False when the caller is gone: what we read may then have been somebody else's."""
        try:
            fcntl.ioctl(self._listener, _STILL_VALID, struct.pack("=Q", question.id))
        except OSError:
            return False
        return True

    def _note(self, kind: ViolationKind, subject: str) -> None:
        key = (kind, subject)
        if key in self._seen or len(self._seen) < _MOST_SUBJECTS:
            self._seen[key] = self._seen.get(key, 0) + 1
        else:
            self._unlisted += 1


def _sets_id(question: Question) -> bool:
    for rule in SET_ID_RULES:
        if rule.call == question.call:
            return all(question.arguments[one.argument] & one.bits for one in rule.conditions)
    return False


def _family(number: int) -> str:
    number &= 0xFFFF_FFFF
    try:
        return socket.AddressFamily(number).name
    except ValueError:
        return f"family {number}"


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _int(question: Question, index: int) -> int:
    """An argument as the signed 32-bit number that the call takes it for."""
    value = question.arguments[index] & 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


def _real(root: int, path: str, *, follow: bool) -> str:
    """Where a path in the sandbox leads, as far as it exists."""
    if follow:
        with suppress(OSError):
            return kernel.path_inside(root, path)
    parent, name = posixpath.split(path)
    try:
        parent = kernel.path_inside(root, parent)
    except OSError:
        return path
    if follow:  # a link to what does not exist: the write is meant for there
        with suppress(OSError):
            target = os.readlink(f"/proc/self/fd/{root}{parent}/{name}")
            return posixpath.normpath(posixpath.join(parent, target))
    return posixpath.join(parent, name)


def _text_at(pid: int, address: int) -> str:
    """The C string at an address of another process."""
    if address >= 1 << 63:
        raise OSError(errno.EFAULT, "not an address of a program")
    memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    try:
        data = b""
        while b"\0" not in data and len(data) < _PATH_MAX:
            # Page by page: the string may end just before a page that is not there.
            at = address + len(data)
            page = os.pread(memory, _PATH_MAX - at % _PATH_MAX, at)
            if not page:
                raise OSError(errno.ESRCH, "the process is gone")
            data += page
    finally:
        os.close(memory)
    return os.fsdecode(data.split(b"\0", 1)[0])
