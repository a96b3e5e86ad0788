"""A real Docker engine for one test session, with an image made from this machine's own Python.

Nothing is downloaded, and nothing is shared with an engine that may already run here.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

IMAGE = "hermes-test:latest"

_PROGRAMS = ("sh", "bash", "cat", "ls", "sleep", "true", "env", "mount", "grep", "id")
_LEFT_OUT = ("site-packages", "test", "idlelib", "ensurepip", "__pycache__", "turtledemo")
_PATIENCE = 40.0


def why_no_engine() -> str:
    """Why an engine cannot be started here; empty when it can."""
    if os.geteuid() != 0:
        return "that takes root"
    for program in ("dockerd", "containerd"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return ""


class NoEngine(Exception):
    """The engine did not come up; the message is its own last words."""


class Engine:
    """`with Engine(folder) as engine:`; its socket is in `environment`.

    Raises NoEngine where this machine does not let one run: in a container without privileges, say.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {"DOCKER_HOST": f"unix://{folder}/docker.sock"}

    def __enter__(self) -> Engine:
        folder = self._folder
        with open(folder / "log", "wb") as log:
            self._process = subprocess.Popen(
                [
                    *("dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none"),
                    *("--storage-driver", "overlay2", "--data-root", folder / "data"),
                    *("--exec-root", folder / "exec", "--pidfile", folder / "pid"),
                    *("--host", self.environment["DOCKER_HOST"]),
                ],
                stdout=log,
                stderr=log,
            )
        try:
            self._import_image()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def _import_image(self) -> None:
        client = self._client()
        repository, tag = IMAGE.split(":")
        client.api.import_image_from_data(_root_file_system(), repository=repository, tag=tag)
        client.close()

    def _client(self) -> Any:
        import docker

        assert self._process is not None
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                client = docker.from_env(environment=self.environment)
                client.ping()
                return client
            except docker.errors.DockerException as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise NoEngine(self._last_words()) from error
                time.sleep(0.2)

    def _last_words(self) -> str:
        lines = (self._folder / "log").read_text(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "dockerd said nothing")

    def _stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_PATIENCE)


def _root_file_system() -> bytes:
    """The interpreter, a shell and a few tools, with the libraries they need."""
    interpreter = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    library = sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix})
    found = (shutil.which(name) for name in _PROGRAMS)
    programs = [interpreter, *(os.path.realpath(path) for path in found if path is not None)]
    modules = [str(path) for path in Path(library, "lib-dynload").glob("*.so")]
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path in sorted({*programs, *_libraries([*programs, *modules])}):
            archive.add(path, path, recursive=False)
            if os.path.realpath(path) != path:
                archive.add(os.path.realpath(path))
        archive.add(library, library, filter=_without_ballast)
        for name in _PROGRAMS:
            where = shutil.which(name)
            if where is not None and os.path.realpath(where) != where:
                _link(archive, where, os.path.realpath(where))
        for name in ("python", "python3"):
            _link(archive, f"/usr/local/bin/{name}", interpreter)
        for name in ("bin", "lib", "lib64"):
            if os.path.islink(f"/{name}"):
                _link(archive, f"/{name}", os.readlink(f"/{name}"))
    return stream.getvalue()


def _libraries(programs: list[str]) -> Iterator[str]:
    listing = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False)
    for line in listing.stdout.splitlines():
        for word in line.split():
            if word.startswith("/") and not word.endswith(":"):
                yield _below_usr(word)


def _below_usr(path: str) -> str:
    """/lib is a link to /usr/lib nearly everywhere; an archive wants the real place."""
    first = "/" + path.split("/")[1]
    return path if not os.path.islink(first) else os.path.realpath(first) + path[len(first) :]


def _without_ballast(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if any(f"/{name}" in f"/{entry.name}" for name in _LEFT_OUT) else entry


def _link(archive: tarfile.TarFile, path: str, target: str) -> None:
    entry = tarfile.TarInfo(path)
    entry.type = tarfile.SYMTYPE
    entry.linkname = target
    archive.addfile(entry)
