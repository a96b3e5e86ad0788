"""The Linux calls that Python does not offer, one thin function each.

Several of them act on the calling *thread* alone (namespaces, credentials, filters): that is how
one thread of this process can become small enough to launch a sandbox while the others stay.
All of them raise OSError with the kernel's reason.
"""

from __future__ import annotations

import ctypes
import os
import struct
from functools import cache

from hermes.sandbox.syscalls import numbers, this_machine

_CLONE_FS = 0x0000_0200
_CLONE_NEWNS = 0x0002_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWNET = 0x4000_0000

_MS_REC_PRIVATE = 0x4000 | 0x4_0000
_MS_NOSUID_NODEV = 2 | 4

_AT_FDCWD = -100
_AT_EMPTY_PATH = 0x1000
_AT_RECURSIVE = 0x8000
_OPEN_TREE_CLONE = 1
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MOUNT_ATTR_IDMAP = 0x0010_0000

_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_IN_ROOT = 0x10

_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_NEW_LISTENER = 8


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@cache
def _number(name: str) -> int:
    return numbers(this_machine())[name]


def _call(name: str, *arguments: object) -> int:
    result = int(_libc().syscall(ctypes.c_long(_number(name)), *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def _path(path: str) -> ctypes.c_char_p:
    return ctypes.c_char_p(os.fsencode(path))


def _long(value: int) -> ctypes.c_long:
    return ctypes.c_long(value)


def leave_mount_namespace() -> None:
    """Give this thread its own mounts; nothing it mounts is seen by anybody else."""
    _call("unshare", _long(_CLONE_FS | _CLONE_NEWNS))
    _call("mount", _path("none"), _path("/"), None, _long(_MS_REC_PRIVATE), None)


def mount_tmpfs(target: str) -> None:
    _call(
        "mount",
        _path("tmpfs"),
        _path(target),
        _path("tmpfs"),
        _long(_MS_NOSUID_NODEV),
        _path("mode=0755"),
    )


def become(uid: int, gid: int) -> None:
    """Make this thread, and what it starts, an ordinary user for good.

    The raw calls on purpose: those of the C library would change every thread of the process.
    """
    _call("setgroups", _long(0), None)
    _call("setresgid", _long(gid), _long(gid), _long(gid))
    _call("setresuid", _long(uid), _long(uid), _long(uid))


def clone_tree(path: str) -> int:
    """A detached copy of the mounts at a path that has no symlink in it; an fd."""
    opened = open_plain(path)
    try:
        flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_EMPTY_PATH | _AT_RECURSIVE
        return _call("open_tree", _long(opened), _path(""), _long(flags))
    finally:
        os.close(opened)


def map_owners(tree: int, user_namespace: int) -> None:
    """Show the owners of a detached tree through the id map of a user namespace."""
    attributes = struct.pack("QQQQ", _MOUNT_ATTR_IDMAP, 0, 0, user_namespace)
    _call(
        "mount_setattr",
        _long(tree),
        _path(""),
        _long(_AT_EMPTY_PATH | _AT_RECURSIVE),
        ctypes.c_char_p(attributes),
        _long(len(attributes)),
    )


def attach_tree(tree: int, target: str) -> None:
    _call(
        "move_mount",
        _long(tree),
        _path(""),
        _long(_AT_FDCWD),
        _path(target),
        _long(_MOVE_MOUNT_F_EMPTY_PATH),
    )


def open_plain(path: str) -> int:
    """An O_PATH fd of a path; raises ELOOP when any part of it is a symlink.

    Whoever may swap a folder for a symlink cannot thereby choose what is mounted.
    """
    return _open_path(_AT_FDCWD, path, _RESOLVE_NO_SYMLINKS)


def path_inside(root: int, path: str) -> str:
    """Where a path leads when its symlinks are followed as if the folder `root` were `/`."""
    opened = _open_path(root, path, _RESOLVE_IN_ROOT | _RESOLVE_NO_MAGICLINKS)
    try:
        return os.readlink(f"/proc/self/fd/{opened}")
    finally:
        os.close(opened)


def _open_path(root: int, path: str, resolve: int) -> int:
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, resolve)
    return _call("openat2", _long(root), _path(path), ctypes.c_char_p(how), _long(len(how)))


def filter_this_thread(program: bytes) -> int:
    """Put a seccomp filter on this thread and its children; the fd on which the kernel asks."""
    _call("prctl", _long(_PR_SET_NO_NEW_PRIVS), _long(1), _long(0), _long(0), _long(0))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    return _call(
        "seccomp",
        _long(_SECCOMP_SET_MODE_FILTER),
        _long(_SECCOMP_FILTER_FLAG_NEW_LISTENER),
        ctypes.c_char_p(header),
    )
