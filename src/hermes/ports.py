"""The seams: one small Protocol per word, plus transaction().

Stages and adapters know these and the records, nothing of each other. Lists are paged by id:
ids sort by time, so `after` the last id seen is the next page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.approval import Approval
    from hermes.records.candidate import Candidate
    from hermes.records.change import Act, Change
    from hermes.records.codec import Json
    from hermes.records.event import Event
    from hermes.records.example import Example, ExampleStatus
    from hermes.records.feedback import Feedback
    from hermes.records.folder import Folder
    from hermes.records.health import HealthCheck
    from hermes.records.intent import Intent
    from hermes.records.memory import Memory, MemoryKind
    from hermes.records.observation import Observation
    from hermes.records.pattern import Pattern
    from hermes.records.proposal import DiskChange, Noticed, Outcome, Proposal
    from hermes.records.reading import Reading
    from hermes.records.release import Release
    from hermes.records.sandbox import SandboxPolicy, SandboxResult, Scratch
    from hermes.records.scope import User
    from hermes.records.session import Session
    from hermes.records.skill import Skill
    from hermes.records.skill_line import SkillLine
    from hermes.records.task import Task
    from hermes.records.trajectory import Step, Trajectory
    from hermes.records.trial import Trial, TrialResult
    from hermes.records.use import Use
    from hermes.records.verdict import Check, Verdict
    from hermes.records.version import Version

PAGE = 100


class Clock(Protocol):
    def now(self) -> datetime: ...


class Transactions(Protocol):
    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; a transaction inside a transaction is part of it."""
        ...


class Sessions(Protocol):
    def add(self, session: Session) -> None: ...
    def replace(self, session: Session) -> None: ...
    def get(self, session_id: str) -> Session | None: ...
    def find(self, source: str, external_id: str) -> Session | None: ...
    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Session]: ...


class Tasks(Protocol):
    def add(self, task: Task) -> None: ...
    def get(self, task_id: str) -> Task | None: ...
    def of_session(self, session_id: str) -> Sequence[Task]: ...


class Trajectories(Protocol):
    def add(self, trajectory: Trajectory) -> None: ...
    def append(self, trajectory_id: str, step: Step) -> None:
        """Durable when it returns; refused once the trajectory has ended."""
        ...

    def end(self, trajectory: Trajectory) -> None:
        """Close it and leave its outbox row, in one transaction."""
        ...

    def get(self, trajectory_id: str) -> Trajectory | None: ...
    def steps(self, trajectory_id: str) -> Sequence[Step]: ...
    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Trajectory]: ...
    def any_open(self) -> bool: ...
    def delete(self, trajectory_id: str) -> bool: ...


class Outbox(Protocol):
    """Ended trajectories that no worker has taken up yet."""

    def pending(self, limit: int = PAGE) -> Sequence[str]: ...
    def done(self, trajectory_id: str) -> None: ...


class Observations(Protocol):
    def put(self, observation: Observation) -> None: ...
    def of_trajectory(self, trajectory_id: str) -> Observation | None: ...


class Examples(Protocol):
    def add(self, example: Example) -> None: ...
    def replace(self, example: Example) -> None: ...
    def get(self, example_id: str) -> Example | None: ...
    def page(
        self, status: ExampleStatus | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Example]: ...


class Patterns(Protocol):
    def put(self, pattern: Pattern) -> None: ...
    def get(self, pattern_id: str) -> Pattern | None: ...
    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Pattern]: ...


class Skills(Protocol):
    """Every write gives the library a new generation, in the same transaction."""

    def add(self, skill: Skill) -> None: ...
    def replace(self, skill: Skill) -> None: ...
    def get(self, skill_id: str) -> Skill | None: ...
    def named(self, name: str, scope: str) -> Skill | None: ...
    def all(self) -> Sequence[Skill]: ...
    def generation(self) -> int: ...
    def since(self, generation: int) -> Sequence[Skill]:
        """The skills written after that generation, without reading the others."""
        ...

    def set_embedding(self, skill_id: str, text_hash: str, vector: bytes) -> None: ...
    def embeddings(
        self, skill_ids: Sequence[str] | None = None
    ) -> Iterator[tuple[str, str, bytes]]:
        """(skill id, hash of the embedded text, float32 vector) of all, or of the named."""
        ...


class Listing(Protocol):
    """The library as a list shows it: a few columns of every skill, without whole records."""

    def lines(self) -> Sequence[SkillLine]:
        """Every skill, by scope and name."""
        ...


class Versions(Protocol):
    def add(self, version: Version, contents: Iterable[tuple[str, bytes]]) -> None: ...
    def replace(self, version: Version) -> None: ...
    def get(self, version_id: str) -> Version | None: ...
    def of_skill(self, skill_id: str) -> Sequence[Version]: ...
    def next_number(self, skill_id: str) -> int: ...
    def content(self, content: str) -> bytes:
        """The bytes with this hash; raises CorruptData when they are gone or altered."""
        ...

    def folder(self, version: Version) -> Folder:
        """The bytes of a version; raises CorruptData when one is gone or altered."""
        ...


class Candidates(Protocol):
    def add(self, candidate: Candidate) -> None: ...
    def get(self, candidate_id: str) -> Candidate | None: ...
    def of_version(self, version_id: str) -> Candidate | None: ...
    def of_skill(self, skill_id: str) -> Sequence[Candidate]: ...
    def awaiting(self) -> Sequence[Candidate]: ...
    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Candidate]: ...


class Verdicts(Protocol):
    def add(self, verdict: Verdict) -> None: ...
    def of_candidate(self, candidate_id: str) -> Sequence[Verdict]: ...


class Releases(Protocol):
    def add(self, release: Release) -> None: ...
    def replace(self, release: Release) -> None: ...
    def get(self, release_id: str) -> Release | None: ...
    def current(self, skill_id: str) -> Release | None: ...
    def of_skill(self, skill_id: str) -> Sequence[Release]: ...
    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Release]: ...


class Uses(Protocol):
    def add(self, use: Use) -> None: ...
    def replace(self, use: Use) -> None: ...
    def get(self, use_id: str) -> Use | None: ...
    def of_release(self, release_id: str) -> Sequence[Use]: ...
    def of_task(self, task_id: str) -> Sequence[Use]: ...
    def success_shares(self) -> Mapping[str, float]:
        """Skill id → its share of the tasks that went well: how many of them were given it."""
        ...


class Memories(Protocol):
    def add(self, memory: Memory) -> None: ...
    def replace(self, memory: Memory) -> None: ...
    def get(self, memory_id: str) -> Memory | None: ...
    def delete(self, memory_id: str) -> bool: ...
    def page(
        self, scope: str, kind: MemoryKind | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Memory]: ...


class Feedbacks(Protocol):
    def add(self, feedback: Feedback) -> None: ...
    def of_trajectory(self, trajectory_id: str) -> Sequence[Feedback]: ...


class Changes(Protocol):
    def add(self, change: Change) -> None: ...
    def of_skill(self, skill_id: str) -> Sequence[Change]: ...


class Events(Protocol):
    """Append-only; the database itself refuses to alter or delete a line."""

    def append(
        self,
        kind: str,
        *,
        actor: str,
        subject_id: str,
        skill_id: str | None = None,
        data: Mapping[str, Json] | None = None,
    ) -> Event: ...
    def page(
        self, skill_id: str | None = None, after: int = 0, limit: int = PAGE
    ) -> Sequence[Event]: ...
    def latest(self, skill_id: str | None = None, limit: int = PAGE) -> Sequence[Event]:
        """The last lines of the trail, oldest of them first."""
        ...


class HealthChecks(Protocol):
    """Append-only history; what a skill's row says of its health is only its last line."""

    def add(self, check: HealthCheck) -> None: ...
    def of_skill(self, skill_id: str) -> Sequence[HealthCheck]: ...
    def last_of_each(self) -> Sequence[HealthCheck]:
        """The newest check of every skill that has any."""
        ...


class Users(Protocol):
    def add(self, user: User) -> None: ...
    def replace(self, user: User) -> None: ...
    def named(self, name: str) -> User | None: ...
    def all(self) -> Sequence[User]: ...


class Journal(Protocol):
    """Intents that are committed and not yet done."""

    def open(self, intent: Intent) -> None: ...
    def close(self, intent_id: str) -> bool:
        """Whether it was still open: of several who recover the same one, one is told so."""
        ...

    def pending(self, home: str, skill_id: str | None = None) -> Sequence[Intent]: ...


class Library(Protocol):
    """The skills folder. Only the gate is given this port; everybody else reads."""

    def lock(self, *names: str) -> AbstractContextManager[None]:
        """One writer per skill on this machine; freed by the system when its holder dies."""
        ...

    def tree(self, location: str) -> str | None:
        """The hash of the folder as it is now; None where there is no folder."""
        ...

    def load(self, location: str) -> Folder | None: ...
    def exchange(self, intent: Intent, folder: Folder | None) -> None:
        """Put the folder (None: nothing) where the old tree is, in one visible step.

        Raises Conflict when something else than the old tree is there. After any error, call
        `withdraw`; after the end is committed, call `finish`.
        """
        ...

    def withdraw(self, intent: Intent) -> None:
        """Make the disk what it was before `exchange`, however far that came."""
        ...

    def finish(self, intent: Intent) -> str | None:
        """Let go of what was replaced; says where it put what only a person can have written."""
        ...

    def settle_crash(self, intent: Intent) -> bool:
        """Look at what a dead process left; True when the intended tree is live."""
        ...

    def sweep(self, pending: Callable[[], Collection[str]]) -> None:
        """Remove what is left of intents whose ids are not pending; asks after it has looked."""
        ...

    def check_writable(self, location: str) -> None:
        """Raises Refused where the folder is somebody else's to write."""
        ...

    def forget(self, location: str) -> None:
        """Drop what the index remembers of a folder, so that the next read looks at the disk."""
        ...


class SkillFormat(Protocol):
    """Reads what a skill's folder says of itself, and what is wrong with it."""

    def read(self, folder: Folder, *, name: str, strict: bool) -> Reading: ...


class Checker(Protocol):
    """One check of the validate stage. Later capabilities add checkers, never another path."""

    def check(self, candidate: Candidate, folder: Folder) -> Check | None:
        """None where such a candidate is not this check's business."""
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


class Gate(Protocol):
    """The only way into the live library."""

    def propose(self, proposal: Proposal) -> Outcome: ...
    def notice(self, changes: Sequence[DiskChange]) -> Sequence[Noticed]: ...
    def approve(self, candidate_id: str, approval: Approval) -> Outcome: ...
    def reject(self, candidate_id: str, approval: Approval) -> Outcome: ...
    def rollback(self, name: str, approval: Approval, *, to: int | None = None) -> Outcome: ...
    def act(
        self, name: str, act: Act, approval: Approval, *, reason: str = ""
    ) -> Change | None: ...
    def recover(self) -> int:
        """Finish what a dead process began; how many intents there were."""
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
