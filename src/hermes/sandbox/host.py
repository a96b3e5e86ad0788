"""The backend `none`: no isolation at all, for a person who set it by hand.

It exists so that an agent can work where neither bubblewrap nor Docker can. It never runs a
trial, says on every run that nothing was isolated, and a process that leaves its group outlives it.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import IO

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import KilledBy, Purpose, SandboxPolicy, SandboxResult, Scratch
from hermes.sandbox.limits import rlimits
from hermes.sandbox.scratch import scratch

_KILLED = 137
_log = logging.getLogger(__name__)


class Host:
    """Satisfies ports.Sandbox, in letter only. `environment` is all that the program gets."""

    name = "none"

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)

    def scratch(self) -> AbstractContextManager[Scratch]:
        return scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        if policy.purpose is not Purpose.WORKSPACE:
            raise SandboxUnavailable(
                "generated code is tried in isolation or not at all",
                hint="set sandbox.backend to auto; `hermes doctor` says what is missing",
            )
        _log.warning("no sandbox: %s runs on the host itself", argv[0])
        with tempfile.TemporaryFile() as given, _output() as stdout, _output() as stderr:
            given.write(stdin)
            given.seek(0)
            started = time.monotonic()
            process = subprocess.Popen(
                list(argv),
                stdin=given,
                stdout=stdout,
                stderr=stderr,
                cwd=cwd or policy.cwd,
                env=self._environment | dict(policy.environment),
                start_new_session=True,
            )
            for name, value in rlimits(policy.limits, count_processes=False).items():
                with suppress(ProcessLookupError):
                    resource.prlimit(process.pid, name, (value, value))
            killed_by = _wait(process, policy.limits.seconds)
            return self._result(process, killed_by, (stdout, stderr), policy, started)

    def _result(
        self,
        process: subprocess.Popen[bytes],
        killed_by: KilledBy | None,
        outputs: tuple[IO[bytes], IO[bytes]],
        policy: SandboxPolicy,
        started: float,
    ) -> SandboxResult:
        code = process.returncode
        keep = policy.limits.output_bytes
        stdout, stderr = (_first(output, keep) for output in outputs)
        return SandboxResult(
            backend=self.name,
            isolated=False,
            exit_code=_KILLED if killed_by else code if code >= 0 else 128 - code,
            stdout=stdout[:keep],
            stderr=stderr[:keep],
            stdout_truncated=len(stdout) > keep,
            stderr_truncated=len(stderr) > keep,
            seconds=time.monotonic() - started,
            cpu_seconds=None,
            max_rss=None,
            killed_by=killed_by,
        )


def _wait(process: subprocess.Popen[bytes], seconds: float) -> KilledBy | None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return KilledBy.TIME
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return None


def _output() -> IO[bytes]:
    """A file, so that its size is bounded by the limit on files and no reader has to keep up."""
    return tempfile.TemporaryFile()


def _first(output: IO[bytes], keep: int) -> bytes:
    output.seek(0)
    return output.read(keep + 1)
