"""A sandbox that runs nothing: it gives the results it was told to give, in that order."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from hermes.records.sandbox import SandboxPolicy, SandboxResult, SandboxRun, Scratch
from hermes.sandbox.scratch import scratch

SUCCESS = SandboxResult(
    backend="scripted",
    isolated=True,
    exit_code=0,
    stdout=b"",
    stderr=b"",
    stdout_truncated=False,
    stderr_truncated=False,
    seconds=0.01,
    cpu_seconds=0.01,
    max_rss=1 << 20,
    killed_by=None,
)


class ScriptedSandbox:
    """Satisfies ports.Sandbox. As a context it fails when a result was never asked for."""

    name = "scripted"

    def __init__(self, results: Sequence[SandboxResult]) -> None:
        self._results = list(results)
        self.runs: list[SandboxRun] = []

    def __enter__(self) -> ScriptedSandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert kind is not None or not self._results, f"never asked for: {self._results}"

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
        self.runs.append(SandboxRun(argv=tuple(argv), policy=policy, stdin=stdin, cwd=cwd))
        assert self._results, f"no result is left for {argv}"
        return self._results.pop(0)
