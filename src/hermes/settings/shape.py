"""The shape of the settings: the sections of config.yaml with their defaults, and the paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from types import MappingProxyType

from hermes.settings.embedder import EmbedderEndpoint, embedder_endpoint
from hermes.settings.values import Section, choice, number, rule, section, switch, texts, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


@section
class SkillSettings(Section):
    """What the agent may write, and how much of the library a prompt holds."""

    creation_nudge_interval: int = whole(10, 0)
    guard_agent_created: bool = switch(True)
    catalog_token_budget: int = whole(3000, 0)
    external_dirs: tuple[str, ...] = rule((), "a list of folders", texts)


@section
class HalfLifeDays(Section):
    """Days after which a memory of this kind weighs half."""

    episodic: int = whole(30, 1)
    semantic: int = whole(365, 1)
    declarative: int = whole(365, 1)


def _name(value: object) -> str:
    if isinstance(value, str) and value and value.isprintable() and not re.search(r"\s|^-", value):
        return value
    raise ValueError


def _name_or_null(value: object) -> str | None:
    return None if value is None else _name(value)


@section
class MemorySettings(Section):
    """Remembering and recalling. `embedder` null is the offline one; `team` is the one whose
    memories are searched beside your own."""

    nudge_interval: int = whole(10, 0)
    half_life_days: HalfLifeDays = field(default_factory=HalfLifeDays)
    min_similarity: float = number(0.25, 0, 1)
    top_k: int = whole(8, 1, 1000)
    team: str | None = rule(None, "null or the name of a team", _name_or_null)
    embedder: EmbedderEndpoint | None = rule(
        None, "null, openai:MODEL, or {base_url, model, dimensions, api_key_env}", embedder_endpoint
    )


@section
class ReviewSettings(Section):
    """What the background review may spend."""

    max_iterations: int = whole(16, 1, 1000)
    token_budget: int = whole(100_000, 1)


@section
class ExtractSettings(Section):
    """When work is worth learning from."""

    min_attempts: int = whole(3, 1)
    min_learning_value: float = number(0.6, 0, 1)
    min_messages: int = whole(10, 0)
    duplicate_similarity: float = number(0.9, 0, 1)


@section
class PromoteSettings(Section):
    """What a version needs before it is live."""

    policy: str = choice(
        "review",
        "trust",
        refusals={"evidence": "canary release is not part of this version; use review or trust"},
    )
    min_examples: int = whole(5, 1)
    canary_share: float = number(0.5, 0.001, 1)
    canary_min_uses: int = whole(20, 1)
    canary_days: int = whole(30, 1)
    margin: float = number(0.1, 0, 1)
    alpha: float = number(0.05, 0.000001, 0.5)
    holdout_share: float = number(0.1, 0, 0.9)
    four_eyes: bool = switch(False)


@section
class RefineSettings(Section):
    """When a skill in use is rewritten."""

    ema_alpha: float = number(0.1, 0.001, 1)
    rewrite_after_uses: int = whole(10, 1)
    rewrite_below: float = number(0.5, 0, 1)


@section
class CurateSettings(Section):
    """Aging: a skill is stale first and archived later."""

    interval_hours: int = whole(168, 1)
    stale_days: int = whole(30, 1)
    archive_days: int = whole(90, 1)

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        if self.archive_days < self.stale_days:
            raise ValueError(
                f"archive_days ({self.archive_days}) is below stale_days ({self.stale_days})"
            )


def _no_network(value: object) -> bool:
    """No setting opens the network for everything: a person grants it to a skill, host by host."""
    if value is True:
        raise ValueError(
            "hosts are granted one by one: hermes skills grant NAME --host HOST --by YOU"
        )
    if value is not False:
        raise ValueError
    return False


def _package_names(value: object) -> tuple[str, ...]:
    """Names alone: which version is taken is up to whoever declares the package."""
    names = texts(value)
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?", name, re.ASCII):
            raise ValueError(f"expected names of packages without versions, found {name!r}")
    return names


@section
class SandboxSettings(Section):
    """The walls around generated code; `none` takes them down, and must be set by hand."""

    backend: str = choice("auto", "bubblewrap", "docker", "none")
    network: bool = rule(False, "false", _no_network)
    timeout_s: int = whole(60, 1, 86_400)
    memory_mb: int = whole(512, 16)
    max_processes: int = whole(64, 1)
    docker_image: str = rule("python:3-slim", "the name of an image", _name)
    apparmor_profile: str | None = rule(None, "null or the name of a profile", _name_or_null)
    allowed_packages: tuple[str, ...] = rule((), "a list of names of packages", _package_names)


@section
class CompilerSettings(Section):
    """Self-generated tools."""

    max_retries: int = whole(3, 0, 10)


@section
class LimitSettings(Section):
    """What one run may spend; null is no limit. `answer_timeout_s` is how long a model may be
    silent before we give up on it."""

    max_steps: int = whole(50, 1)
    max_tokens: int = whole(400_000, 1)
    max_cost_usd: float | None = number(None, 0, 1_000_000, or_null=True)
    answer_timeout_s: int = whole(300, 1, 86_400)


@section
class LocalModelSettings(Section):
    """How a model file is run on this machine; `threads` null is the cores that are idle."""

    context_tokens: int = whole(8192, 512, 1_048_576)
    threads: int | None = whole(None, 1, 1024, or_null=True)


@section
class JobSettings(Section):
    """Background work. `detach` starts a worker by itself after a run; without it, cron or a
    service has to run `hermes worker`."""

    detach: bool = switch(True)


@section
class RetentionSettings(Section):
    """How long raw work is kept; null is for ever."""

    trajectories_days: int | None = whole(None, 1, or_null=True)


@section
class McpServer(Section):
    """A server to start, or one to call: exactly one of the two is given."""

    command: tuple[str, ...] = ()
    url: str | None = None


def _model(value: object) -> str | None:
    if value is None:
        return None
    provider, _, name = str(value).partition(":")
    if isinstance(value, str) and provider.strip() and name.strip():
        return value
    raise ValueError


def _mcp_servers(value: object) -> Mapping[str, McpServer]:
    if not isinstance(value, Mapping):
        raise ValueError  # noqa: TRY004 - told to a person, together with what is allowed
    return MappingProxyType({str(name): _mcp_server(given) for name, given in value.items()})


def _mcp_server(given: object) -> McpServer:
    if isinstance(given, McpServer):
        return given
    if isinstance(given, Mapping) and set(given) == {"command"} and given["command"]:
        return McpServer(command=texts(given["command"]))
    if isinstance(given, Mapping) and set(given) == {"url"} and isinstance(given["url"], str):
        return McpServer(url=given["url"])
    raise ValueError


@section
class Paths(Section):
    """Where everything of ours is. Made from names alone: nothing here has to exist yet."""

    home: Path
    skills_dir: Path
    loop_dir: Path
    config_file: Path
    hub_dir: Path
    models_dir: Path
    database_file: Path
    jobs_file: Path
    blobs_dir: Path
    data_dir: Path
    logs_dir: Path


class Secret:
    """A value that shows itself only when it is asked by name."""

    __slots__ = ("_shown", "_value")

    def __init__(self, value: str, shown: str = "********") -> None:
        self._value = value
        self._shown = shown

    def reveal(self) -> str:
        return self._value

    def __str__(self) -> str:
        return self._shown

    def __repr__(self) -> str:
        return f"Secret({self._shown})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def masked(url: str) -> str:
    """A URL without its password and without the values of its query, where tokens travel."""
    without_password = re.sub(r"//([^/@:]*):.*@", r"//\1:********@", url)
    return re.sub(r"([?&][^=&#]*)=[^&#]*", r"\1=********", without_password)


@section
class Settings(Section):
    """Everything the program is told from outside, and for each key who told it.

    `sources` holds only what is no default: `config.yaml:12`, `environment:HERMES_HOME`, `--home`.
    """

    model: str | None = rule(None, "null or provider:name, like openai:gpt-5", _model)
    skills: SkillSettings = field(default_factory=SkillSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)
    extract: ExtractSettings = field(default_factory=ExtractSettings)
    promote: PromoteSettings = field(default_factory=PromoteSettings)
    refine: RefineSettings = field(default_factory=RefineSettings)
    curate: CurateSettings = field(default_factory=CurateSettings)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    compiler: CompilerSettings = field(default_factory=CompilerSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    local_model: LocalModelSettings = field(default_factory=LocalModelSettings)
    jobs: JobSettings = field(default_factory=JobSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    mcp_servers: Mapping[str, McpServer] = rule(
        {}, "a mapping of names to {command: [...]} or {url: ...}", _mcp_servers
    )
    database_url: Secret | None = None
    openai_api_key: Secret | None = None
    anthropic_api_key: Secret | None = None
    embedder_api_key: Secret | None = None
    paths: Paths
    sources: Mapping[str, str]

    def entries(self) -> Iterator[tuple[str, object, str]]:
        """Every setting as (dotted key, plain value with secrets masked, source)."""
        for key, value in _leaves(self, ""):
            yield key, _plain(value), self.sources.get(key, "default")


def _leaves(group: Section, prefix: str) -> Iterator[tuple[str, object]]:
    for item in fields(group):
        value = getattr(group, item.name)
        if isinstance(value, Section) and not isinstance(value, EmbedderEndpoint):
            yield from _leaves(value, f"{prefix}{item.name}.")
        elif item.name == "mcp_servers" and value:
            yield from ((f"mcp_servers.{name}", server) for name, server in value.items())
        elif prefix or item.name != "sources":
            yield prefix + item.name, value


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return dict(value)  # no MCP servers
    if isinstance(value, McpServer):
        return {"url": masked(value.url)} if value.url else {"command": [*value.command]}
    if isinstance(value, EmbedderEndpoint):
        return {name: given for name, given in vars(value).items() if given is not None}
    return str(value)  # a path, or a secret, which masks itself
