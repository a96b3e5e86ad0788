"""SandboxPolicy and SandboxResult: what generated code may do, and what it then did.

A policy is one frozen value that every backend enforces in its own way. There are two shapes:
`trial` for code that nobody has approved yet, `workspace` for the agent's own shell. `running` is
a trial's shape for a skill that somebody runs, with the hosts that it was granted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePosixPath

SKILLS_TARGET = "/app/skills"
DATA_TARGET = "/app/data"
PACKAGES_TARGET = "/app/packages"

MEBIBYTE = 1 << 20


class Purpose(StrEnum):
    """Why the code runs. TRIAL never has a network; it and RUN never run without isolation."""

    TRIAL = "trial"
    RUN = "run"
    WORKSPACE = "workspace"


class KilledBy(StrEnum):
    """The limit that ended a run; the program itself did not choose to stop."""

    TIME = "time"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    OUTPUT = "output"
    DISK = "disk"


class ViolationKind(StrEnum):
    WRITE = "write"
    CALL = "call"
    NETWORK = "network"


class Witness(StrEnum):
    """How a violation is known. MESSAGE is the weakest: only the program's own words say so."""

    KERNEL = "kernel"
    PROXY = "proxy"
    DISK = "disk"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A host folder or file as the program sees it.

    `lendable` says that it was made for this run, so that its owner may be changed meanwhile.
    """

    source: str
    target: str
    writable: bool = False
    lendable: bool = False

    def __post_init__(self) -> None:
        for path in (self.source, self.target):
            if not PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
                raise ValueError(f"a mount needs absolute, plain paths, not {path!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most a run may take. The tree is killed when it takes more."""

    seconds: float = 60.0
    cpu_seconds: float = 60.0
    memory_bytes: int = 512 * MEBIBYTE
    processes: int = 64
    open_files: int = 512
    file_bytes: int = 64 * MEBIBYTE
    disk_bytes: int = 256 * MEBIBYTE
    output_bytes: int = MEBIBYTE

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ValueError(f"the limit {name} must be above zero")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkGrant:
    """The hosts a run may reach (`host` or `host:port`), and who allowed it."""

    hosts: tuple[str, ...]
    approved_by: str

    def __post_init__(self) -> None:
        if not self.hosts or not self.approved_by.strip():
            raise ValueError("a network grant names its hosts and who approved them")
        if any("*" in host or "/" in host for host in self.hosts):
            raise ValueError("a network grant names hosts one by one, without wildcards")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxPolicy:
    """Everything a backend needs to know; what is not named here is not there.

    `guarded` are paths below a writable mount that must stay as they are: what exists is
    read-only, what appears is reported. `concealed` are paths below a mount that look empty.
    """

    purpose: Purpose
    mounts: tuple[Mount, ...]
    limits: Limits = field(default_factory=Limits)
    environment: Mapping[str, str] = field(default_factory=dict)
    network: NetworkGrant | None = None
    guarded: tuple[str, ...] = ()
    concealed: tuple[str, ...] = ()
    cwd: str = "/tmp"

    def __post_init__(self) -> None:
        if self.purpose is Purpose.TRIAL and self.network is not None:
            raise ValueError("a trial has no network, whoever asks")
        targets = [mount.target.rstrip("/") for mount in self.mounts]
        if len(set(targets)) != len(targets):
            raise ValueError("two mounts share one target")
        for target in targets:
            if target in _RESERVED or target.startswith(("/proc/", "/dev/", "/sys/")):
                raise ValueError(f"{target or '/'} is made by the sandbox itself")

    @classmethod
    def trial(
        cls,
        *,
        skills: str,
        data: str,
        packages: str | None = None,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> SandboxPolicy:
        """For validation, replay, health checks and compiled tools.

        `skills` is a scratch copy and `data` a scratch folder, never the live ones.
        """
        mounts = [
            Mount(source=skills, target=SKILLS_TARGET, writable=True, lendable=True),
            Mount(source=data, target=DATA_TARGET, writable=True, lendable=True),
        ]
        if packages is not None:
            mounts.append(Mount(source=packages, target=PACKAGES_TARGET))
        return cls(
            purpose=Purpose.TRIAL,
            mounts=tuple(mounts),
            limits=limits or Limits(),
            environment=dict(environment or {}),
            cwd=DATA_TARGET,
        )

    @classmethod
    def running(
        cls,
        *,
        skills: str,
        data: str,
        packages: str | None = None,
        limits: Limits | None = None,
        network: NetworkGrant | None = None,
    ) -> SandboxPolicy:
        """For a live skill that a person runs: a trial's walls, with the hosts it was granted."""
        walls = cls.trial(skills=skills, data=data, packages=packages, limits=limits)
        return replace(walls, purpose=Purpose.RUN, network=network)

    @classmethod
    def workspace(
        cls,
        *,
        project: str,
        readable: tuple[str, ...] = (),
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
        network: NetworkGrant | None = None,
    ) -> SandboxPolicy:
        """For the agent's shell: the project writable at its own path, larger limits."""
        project = project.rstrip("/")
        mounts = [Mount(source=project or "/", target=project or "/", writable=True)]
        mounts += [Mount(source=path, target=path) for path in readable]
        return cls(
            purpose=Purpose.WORKSPACE,
            mounts=tuple(mounts),
            limits=limits or WORKSPACE_LIMITS,
            environment=dict(environment or {}),
            network=network,
            guarded=tuple(f"{project}/{name}" for name in GUARDED_NAMES),
            concealed=tuple(f"{project}/{name}" for name in CONCEALED_NAMES),
            cwd=project,
        )

    def also_guarding(self, paths: Iterable[str]) -> SandboxPolicy:
        """The same policy with more paths that stay as they are."""
        return replace(self, guarded=tuple(dict.fromkeys((*self.guarded, *paths))))

    def within(self, limits: Limits) -> SandboxPolicy:
        """The same policy with other limits."""
        return replace(self, limits=limits)

    def writable(self) -> tuple[Mount, ...]:
        return tuple(mount for mount in self.mounts if mount.writable)


WORKSPACE_LIMITS = Limits(
    seconds=600.0,
    cpu_seconds=1200.0,
    memory_bytes=4096 * MEBIBYTE,
    processes=512,
    open_files=4096,
    file_bytes=2048 * MEBIBYTE,
    disk_bytes=8192 * MEBIBYTE,
    output_bytes=4 * MEBIBYTE,
)

_RESERVED = frozenset(("", "/proc", "/dev", "/sys", "/tmp", "/etc", "/usr", "/app"))

# Files that other programs on the host run or obey later: writing one is an escape with a delay.
GUARDED_NAMES = (
    ".git/hooks",
    ".git/config",
    ".mcp.json",
    ".envrc",
    ".bashrc",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".profile",
    ".zshenv",
    ".zshrc",
    ".zlogin",
    ".zprofile",
    ".config/fish",
    ".config/autostart",
    ".config/opencode",
    ".gitconfig",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".agents",
    ".hermes",
    ".opencode",
    ".windsurf",
    ".vscode",
    ".idea",
    ".ssh",
)

# Where credentials lie when the project is somebody's home.
CONCEALED_NAMES = (
    ".aws",
    ".azure",
    ".config/gcloud",
    ".docker",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pypirc",
    ".ssh",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A write outside the mounts, a blocked call or a reach for the network, by its name."""

    kind: ViolationKind
    subject: str
    witness: Witness
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """The two writable folders of a trial; they exist as long as somebody holds them open."""

    skills: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxRun:
    """One request to a backend."""

    argv: tuple[str, ...]
    policy: SandboxPolicy
    stdin: bytes = b""
    cwd: str | None = None

    def __post_init__(self) -> None:
        if not self.argv or any("\0" in part for part in self.argv):
            raise ValueError("a command has at least one part and no NUL in any")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxResult:
    """What happened. `isolated` is False only for the backend `none`.

    `exit_code` is 128 + the signal for a program that a signal ended. `cpu_seconds` and `max_rss`
    (bytes) are as exact as the backend can count; None says that nobody counted.
    """

    backend: str
    isolated: bool
    exit_code: int
    stdout: bytes
    stderr: bytes
    stdout_truncated: bool
    stderr_truncated: bool
    seconds: float
    cpu_seconds: float | None
    max_rss: int | None
    killed_by: KilledBy | None
    violations: tuple[Violation, ...] = ()

    @property
    def ok(self) -> bool:
        """It ended by itself, with 0. Violations are judged by whoever asked for the run."""
        return self.exit_code == 0 and self.killed_by is None

    @property
    def stdout_text(self) -> str:
        return self.stdout.decode("utf-8", errors="replace")

    @property
    def stderr_text(self) -> str:
        return self.stderr.decode("utf-8", errors="replace")
