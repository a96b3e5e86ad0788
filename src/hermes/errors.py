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
    ├── EmbedderUnavailable    no vectors for now; words alone are searched
    ├── SandboxUnavailable     no isolating backend works here
    ├── DownloadFailed         no source gave what was to be fetched
    ├── BudgetSpent            a run reached the limit that was set for it
    └── ModelFailed            the model's side of a conversation went wrong
        ├── WrongKey           the provider does not accept the key
        ├── UnknownModel       the provider has no such model
        ├── ModelRefused       the provider will not answer this request, however often it is sent
        ├── QuotaSpent         the account has no money or quota left
        ├── RateLimited        too many requests; carries how long to wait, where that was said
        ├── ModelOverloaded    the provider cannot answer now
        ├── ModelUnreachable   no connection, or one that broke
        ├── ModelTimedOut      silence for longer than we wait
        ├── InvalidAnswer      what came back is no answer
        └── ContextTooLong     the conversation is longer than the model can read

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


class EmbedderUnavailable(OperatorError):
    """The embedding endpoint is away, refuses us or answers nonsense; nothing else stops for it."""

    code = "embedder_unavailable"


class SandboxUnavailable(OperatorError):
    """Generated code would have no isolation, so it does not run."""

    code = "sandbox_unavailable"


class DownloadFailed(OperatorError):
    """A source does not give a file now; what has arrived of it is kept."""

    code = "download_failed"


class BudgetSpent(OperatorError):
    """A run stopped because it reached a limit of the settings."""

    code = "budget_spent"


class ModelFailed(OperatorError):
    """A model did not answer. `retry_after` is in seconds, where the provider said it."""

    code = "model_failed"

    def __init__(self, message: str, *, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class WrongKey(ModelFailed):
    """The provider does not accept the key, or the key may not use this model."""

    code = "wrong_key"


class UnknownModel(ModelFailed):
    """The provider has no model of this name."""

    code = "unknown_model"


class ModelRefused(ModelFailed):
    """The provider refuses this very request."""

    code = "model_refused"


class QuotaSpent(ModelFailed):
    """The account at the provider is empty."""

    code = "quota_spent"


class RateLimited(ModelFailed):
    """Too many requests for now."""

    code = "rate_limited"


class ModelOverloaded(ModelFailed):
    """The provider failed on its side, and may be well again in a moment."""

    code = "model_overloaded"


class ModelUnreachable(ModelFailed):
    """There is no connection to the provider, or it broke."""

    code = "model_unreachable"


class ModelTimedOut(ModelFailed):
    """The provider said nothing for too long."""

    code = "model_timed_out"


class InvalidAnswer(ModelFailed):
    """What came back cannot be read as an answer."""

    code = "invalid_answer"


class ContextTooLong(ModelFailed):
    """The conversation does not fit into the model."""

    code = "context_too_long"
