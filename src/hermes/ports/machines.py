"""What does work for us: the clock, the database's transactions, models, the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.codec import Json
    from hermes.records.completion import Completion
    from hermes.records.folder import Folder
    from hermes.records.replay import ReplayRun
    from hermes.records.sandbox import SandboxPolicy, SandboxResult, Scratch
    from hermes.records.trial import Trial, TrialResult


class Clock(Protocol):
    def now(self) -> datetime: ...


class Transactions(Protocol):
    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; a transaction inside a transaction is part of it."""
        ...


class Embedder(Protocol):
    """Texts → unit vectors. `name` changes whenever the vectors would."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Sequence[bytes]:
        """One float32 vector of length 1 for each text, as bytes."""
        ...


class Model(Protocol):
    """A language model that answers one question at a time; no tools, no memory."""

    @property
    def name(self) -> str: ...
    def complete(
        self,
        *,
        instructions: str,
        question: str,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 4_000,
    ) -> Completion:
        """With a schema the text is JSON of that shape, as far as the model kept to it."""
        ...


class Blobs(Protocol):
    """Raw bytes of artefacts, readable by their owner only; what replay runs on."""

    @property
    def limit(self) -> int:
        """The most bytes that one thing may have to be kept."""
        ...

    def put(self, data: bytes) -> str:
        """Durable when it returns; the content hash. The same bytes twice are kept once.

        Raises Refused when they are more than `limit`.
        """
        ...

    def batch(self) -> AbstractContextManager[None]:
        """What is put inside is durable when the batch ends, which costs less than one by one."""
        ...

    def get(self, content: str) -> bytes | None:
        """None where they were never kept; raises CorruptData when they are not what was kept."""
        ...

    def delete(self, content: str) -> bool:
        """Whether there was something to remove. Ask first whether anything still names it."""
        ...


class Sandbox(Protocol):
    """Where generated code runs. Never the host's own shell in disguise."""

    @property
    def name(self) -> str: ...
    def scratch(self) -> AbstractContextManager[Scratch]:
        """The folders of one trial, removed afterwards whatever a program left in them."""
        ...

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        """Returns when every process it started is dead.

        A program that fails, is killed or is refused something has a result that says so.
        Raises SandboxUnavailable when it could not be run in isolation, Refused when the policy
        asks for what this backend cannot enforce or may not show.
        """
        ...


class Trials(Protocol):
    """Tries what a skill brings with it, each time on a fresh copy, in isolation or not at all.

    Safe for several threads. Raises SandboxUnavailable where nothing isolates.
    """

    def environment(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """What a trial with these packages runs with, one part a text."""
        ...

    def run(
        self,
        name: str,
        folder: Folder,
        trials: Sequence[Trial],
        *,
        requirements: Sequence[str] = (),
        within: float | None = None,
    ) -> Sequence[TrialResult]:
        """One result for each; what `within` seconds for all leave no time for is CUT_OFF."""
        ...

    def install(self, requirements: Sequence[str], *, approved_by: str) -> tuple[str, ...]:
        """Fetch packages for trials; what they come to, pinned. Raises Refused or MissingPart."""
        ...

    def provide(
        self, name: str, requirements: Sequence[str], *, skill_id: str | None = None
    ) -> tuple[str, ...]:
        """Fetch what the operator's list allows, and record for which skill; what came, pinned.

        Empty where they are here already, or where somebody has to allow them first. Raises as
        `install` does. A skill that was never stored has no id yet.
        """
        ...


class Replays(Protocol):
    """Runs a program on a folder of files made for it, in isolation or not at all.

    Safe for several threads. Raises SandboxUnavailable where nothing isolates.
    """

    def run(
        self, program: str, files: Mapping[str, bytes], *, requirements: Sequence[str] = ()
    ) -> ReplayRun:
        """`files` are relative paths and bytes; the program finds them in its current folder."""
        ...
