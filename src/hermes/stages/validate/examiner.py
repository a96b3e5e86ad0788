"""Examines packages in a child process of its own, so that hostile files meet no parser of ours.

One child serves any number of packages: it pays for its imports once, and forks for each package.
What could not be examined is told as that and blocks; it is never taken for clean.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import BinaryIO, Self, cast

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.finding import Finding, ScanReport, ScanVerdict, Severity
from hermes.stages.validate.framing import read_frame, write_frame

CHILD = "hermes.stages.validate.examiner_child"
SECONDS = 20.0
MAX_BYTES = 60 * 1024 * 1024
_GRACE = 5.0  # seconds the child has to notice that its fork is late, and to start at all


class Examiner:
    """Files of a package in, report out. Safe to use from several threads."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def examine(self, files: Mapping[str, bytes]) -> ScanReport:
        """The report of one package."""
        if sum(map(len, files.values())) > MAX_BYTES:
            return _not_examined(files, f"it is larger than {MAX_BYTES // 2**20} MiB")
        contents = {path: base64.b64encode(data).decode() for path, data in files.items()}
        request = json.dumps({"files": contents, "seconds": self._seconds}).encode()
        with self._lock:
            answer = self._ask(request)
        if not answer:
            return _not_examined(files, "its examination ended early or took too long")
        return _report(answer)

    def examine_all(self, packages: Iterable[Mapping[str, bytes]]) -> Iterator[ScanReport]:
        """The reports of many packages, in their order, with one child."""
        return (self.examine(files) for files in packages)

    def close(self) -> None:
        """End the child; the next package starts another."""
        with self._lock:
            self._stop()

    def _ask(self, request: bytes) -> bytes:
        try:
            child = self._running()
        except OSError:  # there is no interpreter that we may start
            return b""
        try:
            write_frame(cast(BinaryIO, child.stdin), request)
        except OSError:
            self._stop()
            return b""
        out = cast(BinaryIO, child.stdout)
        if not select.select([out], [], [], self._seconds + _GRACE)[0]:
            self._stop()
            return b""
        answer = read_frame(out)
        if answer is None:
            self._stop()
        return answer or b""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():
            self._child = None  # a fork must not talk into its parent's conversation
        if self._child is None or self._child.poll() is not None:
            self._owner = os.getpid()
            self._child = subprocess.Popen(
                [sys.executable, "-I", "-m", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.defpath},
                start_new_session=True,
            )
        return self._child

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.communicate()


def _report(answer: bytes) -> ScanReport:
    data = json.loads(answer)
    findings = tuple(Finding.from_json(finding) for finding in data["findings"])
    return ScanReport(findings, ScanVerdict(data["verdict"]), str(data["explanation"]))


def _not_examined(files: Mapping[str, bytes], why: str) -> ScanReport:
    file = next(iter(sorted(files)), "SKILL.md")
    finding = RULES["not-examined"].finding(file, 1, Severity.HIGH, why)
    return ScanReport((finding,), ScanVerdict.BLOCK, f"the package could not be examined: {why}")
