"""The backend for machines without user namespaces: a container, through Docker's own SDK.

The walls are the same, built by the engine: no network, an ordinary user, a read-only root, no
capabilities, the same table of forbidden calls. What a container cannot give us is a watcher, so
violations are known only from the program's own messages.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from hermes.errors import MissingPart, Refused, SandboxUnavailable
from hermes.records.sandbox import (
    PACKAGES_TARGET,
    Limits,
    Purpose,
    SandboxPolicy,
    SandboxResult,
    SandboxRun,
    Scratch,
)
from hermes.sandbox import staging
from hermes.sandbox.container import ContainerRun
from hermes.sandbox.guarded import GuardedPaths
from hermes.sandbox.layout import NOTHING_PRIVATE, Private, Shown, shown
from hermes.sandbox.scratch import scratch
from hermes.sandbox.seccomp import docker_profile

DEFAULT_IMAGE = "python:3-slim"
LABEL = "hermes.sandbox"

_ONE_CPU = 1_000_000_000


class Docker:
    """Satisfies ports.Sandbox. The image must be on the engine already; nothing is pulled."""

    name = "docker"

    def __init__(
        self,
        image: str = DEFAULT_IMAGE,
        *,
        environment: Mapping[str, str],
        private: Private = NOTHING_PRIVATE,
        apparmor_profile: str | None = None,
    ) -> None:
        self._image = image
        self._private = private
        self._apparmor = apparmor_profile
        _require_sdk()
        with _engine_errors():
            self._client = _connect(environment)
            if not self._client.images.list(name=image):
                raise SandboxUnavailable(
                    f"the image {image} is not on the engine", hint=f"docker pull {image}"
                )
            if apparmor_profile is not None:
                self._require_apparmor(apparmor_profile)

    def _require_apparmor(self, profile: str) -> None:
        """An engine without AppArmor takes the name of a profile and does nothing with it."""
        if not any("apparmor" in one for one in self._client.info().get("SecurityOptions") or ()):
            raise SandboxUnavailable(
                f"the engine has no AppArmor, so the profile {profile} would hold nothing",
                hint="hermes config set sandbox.apparmor_profile null",
            )

    def scratch(self) -> AbstractContextManager[Scratch]:
        return scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        if policy.network is not None:
            raise Refused(
                "the docker backend cannot hold a program to the hosts it was granted",
                hint="use bubblewrap on Linux, or run without the network",
            )
        request = SandboxRun(argv=tuple(argv), policy=policy, stdin=stdin, cwd=cwd)
        own = shown(policy, self._private)
        guarded = GuardedPaths(policy.guarded)
        with ExitStack() as stack, _engine_errors():
            user = _user(policy, stack)
            container = self._client.containers.create(**self._settings(request, own, user))
            stack.callback(container.remove, force=True)
            result = ContainerRun(self._client, container, request).to_the_end()
        return replace(result, violations=result.violations + guarded.violations())

    def _settings(self, request: SandboxRun, own: Shown, user: str) -> dict[str, Any]:
        policy, limits = request.policy, request.policy.limits
        return {
            "image": self._image,
            "entrypoint": list(request.argv[:1]),
            "command": list(request.argv[1:]),
            "user": user,
            "working_dir": request.cwd or policy.cwd,
            "environment": _environment(policy),
            "hostname": "sandbox",
            "init": True,  # reaps orphans, and takes every one of them along when it ends
            "stdin_open": bool(request.stdin),
            "network_mode": "none",
            "ipc_mode": "private",
            "read_only": True,
            "mounts": _mounts(own),
            "tmpfs": {"/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={limits.memory_bytes // 2}"},
            "shm_size": limits.memory_bytes // 2,
            "cap_drop": ["ALL"],
            "security_opt": self._security(),
            "pids_limit": limits.processes,
            "mem_limit": limits.memory_bytes,
            "memswap_limit": limits.memory_bytes,
            "nano_cpus": _ONE_CPU if policy.purpose is not Purpose.WORKSPACE else None,
            "ulimits": _ulimits(limits),
            "log_config": {"type": "none"},  # output goes to us, not to the engine's disk
            "labels": {LABEL: policy.purpose.value},
        }

    def _security(self) -> list[str]:
        options = ["no-new-privileges:true", f"seccomp={json.dumps(docker_profile())}"]
        if self._apparmor is not None:
            options.append(f"apparmor={self._apparmor}")
        return options


def _require_sdk() -> None:
    if find_spec("docker") is None:
        raise MissingPart(
            "the Docker SDK is not installed", hint="pip install 'hermes-loop[docker]'"
        )


@contextmanager
def _engine_errors() -> Iterator[None]:
    """What the SDK raises, in our words."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        yield
    except (DockerException, RequestException) as error:
        raise SandboxUnavailable(f"the Docker engine says: {error}") from error


def _connect(environment: Mapping[str, str]) -> Any:
    import docker

    return docker.from_env(environment=dict(environment))


def _user(policy: SandboxPolicy, stack: ExitStack) -> str:
    """Whom the program runs as: us, or an ordinary user to whom root lends the folders."""
    if os.geteuid() != 0:
        return f"{os.geteuid()}:{os.getegid()}"
    for mount in policy.writable():
        if not mount.lendable:
            raise SandboxUnavailable(
                f"root cannot share {mount.source} with a container's ordinary user",
                hint="run hermes as an ordinary user, or use bubblewrap",
            )
        staging.lend(mount.source)
        stack.callback(staging.take_back, mount.source)
    return f"{staging.ORDINARY_ID}:{staging.ORDINARY_ID}"


def _environment(policy: SandboxPolicy) -> dict[str, str]:
    environment = {"HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC"}
    if any(mount.target == PACKAGES_TARGET for mount in policy.mounts):
        environment["PYTHONPATH"] = PACKAGES_TARGET
    return environment | dict(policy.environment)


def _mounts(own: Shown) -> list[Any]:
    from docker.types import Mount

    binds = [
        Mount(bind.target, bind.source, type="bind", read_only=not bind.writable)
        for bind in own.binds
    ]
    return binds + [Mount(path, None, type="tmpfs", tmpfs_size=4096) for path in own.empty]


def _ulimits(limits: Limits) -> list[Any]:
    from docker.types import Ulimit

    values = {
        "core": 0,
        "cpu": int(limits.cpu_seconds) + 1,
        "fsize": limits.file_bytes,
        "nofile": limits.open_files,
    }
    return [Ulimit(name=name, soft=value, hard=value) for name, value in values.items()]
