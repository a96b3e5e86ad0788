"""Ctrl-C during a turn: heard while the agent waits, held back while it writes something down.

A KeyboardInterrupt may come between any two instructions. In the middle of a transaction it would
leave a connection that believes in nothing any more, so there it is only noted, and told at the
next place where the agent waits: for the model, for a command, for a person.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.ports import Sandbox
    from hermes.ports.execution import Asker, Verifier
    from hermes.records.sandbox import SandboxPolicy, SandboxResult, Scratch


class Interrupts:
    """Of one session. Outside the main thread, which alone gets signals, it does nothing."""

    def __init__(self) -> None:
        self._holding = False
        self._noted = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nothing in here is broken off, except where it is `heard`.

        One that was noted and never heard came too late to stop anything: the work is done.
        """
        if not _is_ours_to_hold():
            yield
            return
        self._noted, self._holding = False, True
        signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            self._holding = False
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Here it may come, and one that came a moment ago comes now."""
        if not self._holding or threading.current_thread() is not threading.main_thread():
            yield
            return
        if self._noted:
            self._noted = False
            raise KeyboardInterrupt
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            yield
        finally:
            signal.signal(signal.SIGINT, self._note)

    def _note(self, *_: object) -> None:
        self._noted = True


class HeardSandbox:
    """Satisfies ports.Sandbox: a command that runs in it may be broken off."""

    def __init__(self, sandbox: Sandbox, interrupts: Interrupts) -> None:
        self._sandbox = sandbox
        self._interrupts = interrupts

    @property
    def name(self) -> str:
        return self._sandbox.name

    def scratch(self) -> AbstractContextManager[Scratch]:
        return self._sandbox.scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        with self._interrupts.heard():
            return self._sandbox.run(argv, policy, stdin=stdin, cwd=cwd)


class HeardAsker:
    """Satisfies ports.Asker: whoever is asked may also stop everything."""

    def __init__(self, asker: Asker, interrupts: Interrupts) -> None:
        self._asker = asker
        self._interrupts = interrupts

    def allows(self, question: str) -> bool | None:
        with self._interrupts.heard():
            return self._asker.allows(question)


class HeardVerifier:
    """Satisfies ports.Verifier: a check that takes for ever may be broken off."""

    def __init__(self, verifier: Verifier, interrupts: Interrupts) -> None:
        self._verifier = verifier
        self._interrupts = interrupts

    def verify(self) -> tuple[bool, str, str]:
        with self._interrupts.heard():
            return self._verifier.verify()


def _is_ours_to_hold() -> bool:
    """Whoever handles Ctrl-C in a way of their own goes on doing so."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
