"""The process that reads hostile files. Started by `examiner.py`, never imported by it.

It answers requests on its standard input within hard limits. A package with scripts or settings is
examined in a fork of its own: such files meet parsers, and a package can at worst end its own
examination. A small package of prose is read right here, where the sentences of its last version
are still remembered. Nothing of a package is imported or run.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Mapping
from typing import BinaryIO

from hermes.rules.scan.finding import Finding
from hermes.rules.scan.natures import PROSE, nature_of
from hermes.rules.scan.package import readable, scan_package
from hermes.rules.scan.personal import personal_findings
from hermes.stages.validate import risky_code, secret_findings
from hermes.stages.validate.framing import read_frame, write_frame
from hermes.stages.validate.syntax import syntax_findings

MEMORY = 1_500_000_000
CPU_SECONDS = 20
_SMALL = 64 * 1024


def main() -> int:
    _limit()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := read_frame(requests)) is not None:
        asked = json.loads(request)
        files = {path: base64.b64decode(data) for path, data in asked["files"].items()}
        seconds = float(asked["seconds"])
        answer = _here if _is_small_prose(files) else _in_a_fork
        write_frame(answers, answer(files, seconds))
    return 0


def examine(files: Mapping[str, bytes]) -> dict[str, object]:
    """Everything the static checks say about one package."""
    extra: list[Finding] = [*syntax_findings(files), *secret_findings.findings(files)]
    for path, data in files.items():
        text = readable(data)
        if text is not None:
            extra += personal_findings(path, text)
    extra += risky_code.findings(files)
    report = scan_package(files, extra)
    return {
        "verdict": report.verdict.value,
        "explanation": report.explanation,
        "findings": [finding.to_json() for finding in report.findings],
    }


def _is_small_prose(files: Mapping[str, bytes]) -> bool:
    if sum(map(len, files.values())) > _SMALL:
        return False
    return all(nature_of(path, readable(data) or "") == PROSE for path, data in files.items())


def _here(files: Mapping[str, bytes], seconds: float) -> bytes:
    """Late is dead: the alarm ends this process, and whoever asked starts another."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return json.dumps(examine(files)).encode()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _in_a_fork(files: Mapping[str, bytes], seconds: float) -> bytes:
    """The answer of a limited fork; empty when it died or took too long."""
    _load_what_is_needed(files)
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _answer_and_exit(files, theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        answer = _read_until(pipe, time.monotonic() + seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)  # a fork that died has said nothing, and that is the answer
    return answer


def _load_what_is_needed(files: Mapping[str, bytes]) -> None:
    """Slow imports happen here, once, and not again in every fork; nothing is parsed yet."""
    if any(path.endswith(".py") for path in files):
        risky_code.load()
    if any(secret_findings.may_hold_secret(data) for data in files.values()):
        secret_findings.load()


def _read_until(pipe: BinaryIO, deadline: float) -> bytes:
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            return b""
        part = os.read(pipe.fileno(), 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _answer_and_exit(files: Mapping[str, bytes], out: int) -> None:
    """In the fork: examine, answer, end without running anybody's exit hooks."""
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        with os.fdopen(out, "wb") as pipe:
            pipe.write(json.dumps(examine(files)).encode())
        code = 0
    finally:
        os._exit(code)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


if __name__ == "__main__":
    sys.exit(main())
