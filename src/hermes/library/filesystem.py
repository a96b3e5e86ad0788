"""The few disk operations that the library's promises rest on, in one place.

Everything that writes below the skills folder goes through `Files`, so a test can fail the Nth
write, sync or rename and see that the old state stays whole.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
_RENAME_EXCHANGE = 2
_DARWIN_SWAP = 2
_DARWIN_EXCL = 4
_UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


class ExchangeUnsupported(OSError):
    """This filesystem cannot swap two folders in one step."""


class Files:
    """Real files. Each method either did all of it, durably, or raises OSError."""

    def make_folder(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes, *, executable: bool) -> None:
        """A new file, on disk when this returns."""
        mode = 0o755 if executable else 0o644
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fchmod(descriptor, mode)  # the umask must not change what is hashed
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def sync_folder(self, path: Path) -> None:
        """Make the names inside a folder durable."""
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def exchange(self, one: Path, other: Path) -> None:
        """Swap two folders: at every moment both names hold a whole one."""
        _rename(one, other, _RENAME_EXCHANGE, _DARWIN_SWAP)

    def move(self, source: Path, target: Path) -> None:
        """Rename to a name that must be free; FileExistsError when it is not."""
        try:
            _rename(source, target, _RENAME_NOREPLACE, _DARWIN_EXCL)
        except ExchangeUnsupported:
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
            os.rename(source, target)

    def remove(self, path: Path) -> None:
        """Remove a folder that nobody looks at any more."""
        while os.path.lexists(path):
            with suppress(FileNotFoundError):  # another process removes it too: go on
                shutil.rmtree(path)


def _rename(source: Path, target: Path, linux_flag: int, darwin_flag: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(source), os.fsencode(target)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        failed = library.renamex_np(first, second, darwin_flag)
    elif hasattr(library, "renameat2"):
        failed = library.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, linux_flag)
    else:
        raise ExchangeUnsupported(errno.ENOSYS, os.strerror(errno.ENOSYS), target)
    if failed:
        code = ctypes.get_errno()
        kind = ExchangeUnsupported if code in _UNSUPPORTED else OSError
        raise kind(code, os.strerror(code), str(target))
