"""Success by what a person named before the run: a command that passes, a file that was written.

Whatever decides was fixed before the agent began. A file that the run was to be compared with, and
changed itself, decides nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from hermes.errors import HermesError
from hermes.ports import Sandbox
from hermes.ports.execution import Verifier
from hermes.records.sandbox import SandboxPolicy

_SAID = 400


class CommandPasses:
    """`--verify`: a command in the sandbox, in the project, after the answer."""

    def __init__(self, command: str, sandbox: Sandbox, policy: SandboxPolicy) -> None:
        self._command = command
        self._sandbox = sandbox
        self._policy = policy

    def verify(self) -> tuple[bool, str, str]:
        try:
            result = self._sandbox.run(["bash", "-c", self._command], self._policy)
        except HermesError as error:
            return False, self._command, f"could not be checked: {error}"
        last = (result.stderr_text.strip() or result.stdout_text.strip())[-_SAID:]
        said = f"`{self._command}` {'passed' if result.ok else 'failed'}"
        if not result.ok:
            said += f" with exit code {result.exit_code}" + (f": {last}" if last else "")
        return result.ok, self._command, said


class FileWritten:
    """`--expect FILE`: the run writes it, and it is not empty.

    With `same_as` its content is that of another file, which the run leaves alone.
    """

    def __init__(self, file: Path, same_as: Path | None = None) -> None:
        self._file = file
        self._before = _state(file)
        self._same_as = same_as
        self._wanted = same_as.read_bytes() if same_as else None

    def verify(self) -> tuple[bool, str, str]:
        what = f"--expect {self._file.name}"
        try:
            status = os.stat(self._file)
        except OSError as error:
            return False, what, f"{self._file.name} was not written: {error.strerror}"
        if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for, for ever
            return False, what, f"{self._file.name} is no ordinary file"
        if not status.st_size:
            return False, what, f"{self._file.name} is empty"
        if self._same_as is not None and self._wanted is not None:
            return self._compared(self._same_as, self._wanted, what)
        if _state(self._file) == self._before:
            return False, what, f"{self._file.name} was there before and was not written"
        return True, what, f"{self._file.name} was written"

    def _compared(self, same_as: Path, wanted: bytes, what: str) -> tuple[bool, str, str]:
        if not same_as.is_file() or same_as.read_bytes() != wanted:
            return False, what, f"{same_as.name} was changed by the run itself"
        try:
            same = _plain(self._file.read_bytes()) == _plain(wanted)
        except OSError as error:
            return False, what, f"{self._file.name} cannot be read: {error.strerror}"
        how = "is as expected" if same else f"is not what {same_as.name} says"
        return same, what, f"{self._file.name} {how}"


class AllOf:
    """Every one of several has to pass."""

    def __init__(self, verifiers: Sequence[Verifier]) -> None:
        self._verifiers = verifiers

    def verify(self) -> tuple[bool, str, str]:
        answers = [one.verify() for one in self._verifiers]
        return (
            all(passed for passed, _, _ in answers),
            "; ".join(what for _, what, _ in answers),
            "; ".join(said for _, _, said in answers),
        )


def _plain(data: bytes) -> bytes:
    """Line ends and a last empty line are no difference."""
    return data.replace(b"\r\n", b"\n").rstrip(b"\n")


def _state(file: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
