"""Every error of Hermes Loop, as one tree in two families.

HermesError
├── AgentError                 told to the agent: it can send something better
│   ├── NotFound               no such skill, version, candidate, file
│   ├── Ambiguous              a shortened id or name fits more than one
│   ├── InvalidSkill           the content breaks a rule; carries the findings
│   ├── PatchMismatch          the text to replace was found never, or too often
│   ├── Conflict               somebody else changed it first; read again, then retry
│   ├── Refused                allowed by nobody: pinned, external, wrong state
│   └── WrongCall              the arguments do not fit the action
└── OperatorError              told to the person who runs this machine
    ├── ConfigError            config.yaml or the environment says something impossible
    ├── CorruptData            a file or row cannot be read; carries where
    ├── StoreUnavailable       the database cannot be reached or opened
    ├── FutureSchema           the database was written by a newer version
    ├── DiskFailed             the disk said no; the old state is whole
    ├── MissingPart            an optional part is not installed
    └── SandboxUnavailable     no isolating backend works here

Each says in one sentence what happened; `hint` says what to do next. Raising has no side effect.
"""

from __future__ import annotations

from collections.abc import Sequence


class HermesError(Exception):
    """Anything this project raises on purpose."""

    code = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class AgentError(HermesError):
    """Told to the agent."""


class NotFound(AgentError):
    """There is no such thing."""

    code = "not_found"


class Ambiguous(AgentError):
    """More than one thing fits."""

    code = "ambiguous"


class InvalidSkill(AgentError):
    """A skill's content breaks a rule of the format."""

    code = "invalid_skill"

    def __init__(self, message: str, *, findings: Sequence[str] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.findings = tuple(findings)


class PatchMismatch(AgentError):
    """The text to replace was not found exactly once."""

    code = "patch_mismatch"

    def __init__(self, message: str, *, matches: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.matches = matches


class Conflict(AgentError):
    """The thing changed since it was read."""

    code = "conflict"


class Refused(AgentError):
    """A rule forbids it, whoever asks this way."""

    code = "refused"


class WrongCall(AgentError):
    """The arguments do not fit the action."""

    code = "wrong_call"


class OperatorError(HermesError):
    """Told to the operator."""


class ConfigError(OperatorError):
    """A setting cannot be used."""

    code = "config"


class CorruptData(OperatorError):
    """Something stored cannot be read; never taken for empty."""

    code = "corrupt"

    def __init__(
        self, message: str, *, where: str, line: int | None = None, hint: str = ""
    ) -> None:
        place = f"{where}:{line}" if line is not None else where
        super().__init__(f"{place}: {message}", hint=hint)
        self.where = where
        self.line = line


class StoreUnavailable(OperatorError):
    """The database cannot be reached."""

    code = "store_unavailable"


class FutureSchema(OperatorError):
    """A newer version wrote this database."""

    code = "future_schema"


class DiskFailed(OperatorError):
    """A write to disk failed and was undone."""

    code = "disk"


class MissingPart(OperatorError):
    """An optional part is not installed."""

    code = "missing_part"


class SandboxUnavailable(OperatorError):
    """Generated code would have no isolation, so it does not run."""

    code = "sandbox_unavailable"
