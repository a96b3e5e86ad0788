"""Root launches nothing as root: how the launching thread becomes an ordinary user.

That user may not be able to reach the folders of a policy (they may lie below /root) nor write
them (they are root's). So the thread first leaves for a mount namespace of its own, mounts each
folder where the ordinary user can reach it, with the owner's id shown as the ordinary user's, and
then drops its rights. Nothing of this is visible to another thread, or outlives the run.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hermes.errors import SandboxUnavailable
from hermes.sandbox import kernel

# Between the ranges that distributions hand out to people, services and containers: nobody else
# has files or processes under it.
ORDINARY_ID = 60606

_STAGE = "/tmp"  # hidden from the launching thread alone, and bubblewrap mounts over it anyway
_IN_ITS_OWN_NAMESPACE = (
    "import ctypes, sys\n"
    f"failed = ctypes.CDLL(None).unshare({kernel.CLONE_NEWUSER})\n"
    "print('no' if failed else 'yes', flush=True)\n"
    "sys.stdin.read()\n"
)


@dataclass(frozen=True, slots=True)
class Staged:
    """Where each source is found afterwards, and which of them still show their real owner."""

    places: tuple[str, ...]
    unmapped: frozenset[str]


def stage(sources: Sequence[tuple[str, bool]]) -> Staged:
    """Mount each source where the launching thread will find it after it dropped its rights.

    Sources come as (path, whether its owner is to be shown as the ordinary user).
    """
    trees, unmapped = [], set()
    kernel.leave_mount_namespace()
    for path, ours in sources:
        tree = kernel.clone_tree(path)
        if ours and not _show_as_ordinary(tree, path):
            unmapped.add(path)
        trees.append((tree, os.path.isdir(path)))
    kernel.mount_tmpfs(_STAGE)
    places = (_attach(tree, index, is_folder) for index, (tree, is_folder) in enumerate(trees))
    return Staged(tuple(places), frozenset(unmapped))


def drop() -> None:
    """From here on the thread, and all it starts, is the ordinary user."""
    kernel.become(ORDINARY_ID, ORDINARY_ID)


def lend(folder: str) -> None:
    """Give a folder that was made for this run to the ordinary user."""
    _change_owner(folder, ORDINARY_ID)


def take_back(folder: str) -> None:
    """Its processes are dead by now, so nobody can put a link in our way."""
    _change_owner(folder, os.geteuid())


def _show_as_ordinary(tree: int, path: str) -> bool:
    """False where the file system knows no id-mapped mounts (overlayfs does not)."""
    found = os.stat(path)
    if found.st_uid == ORDINARY_ID:
        return True
    try:
        kernel.map_owners(tree, _namespace_of(found.st_uid, found.st_gid))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM):
            return False
        raise
    return True


def _attach(tree: int, index: int, is_folder: bool) -> str:
    target = f"{_STAGE}/{index}"
    if is_folder:
        os.mkdir(target)
    else:
        Path(target).touch()
    kernel.attach_tree(tree, target)
    os.close(tree)
    return target


@cache
def _namespace_of(uid: int, gid: int) -> int:
    """A user namespace in which this owner is the ordinary user; an fd, kept for good."""
    command = [sys.executable, "-I", "-S", "-c", _IN_ITS_OWN_NAMESPACE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) as holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != b"yes\n":
            raise SandboxUnavailable("this kernel makes no user namespaces")
        process = Path(f"/proc/{holder.pid}")
        (process / "uid_map").write_text(f"{uid} {ORDINARY_ID} 1")
        (process / "gid_map").write_text(f"{gid} {ORDINARY_ID} 1")
        return os.open(process / "ns/user", os.O_RDONLY | os.O_CLOEXEC)


def _change_owner(top: str, owner: int) -> None:
    os.chown(top, owner, owner, follow_symlinks=False)
    waiting = [top]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                os.chown(entry.path, owner, owner, follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
