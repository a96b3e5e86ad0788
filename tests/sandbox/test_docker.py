"""The docker backend against a real engine: the walls it asks for, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import Limits, SandboxPolicy, Scratch
from hermes.sandbox.docker import LABEL, Docker
from hermes.sandbox.layout import Private
from hermes.testing.sandbox.engine import IMAGE, Engine

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("docker")]


@pytest.fixture
def policy(docker: Docker) -> Iterator[SandboxPolicy]:
    with docker.scratch() as place:
        yield SandboxPolicy.trial(
            skills=place.skills, data=place.data, limits=Limits(seconds=20.0, processes=20)
        )


def test_the_walls_are_as_ordered(docker: Docker, policy: SandboxPolicy) -> None:
    code = (
        "import os\n"
        "lines = open('/proc/self/status').read().splitlines()\n"
        "status = dict(line.split(':\\t', 1) for line in lines if ':\\t' in line)\n"
        "print(os.getuid() != 0, status['CapBnd'], status['NoNewPrivs'], status['Seccomp'])\n"
        "print(sorted(os.listdir('/sys/class/net')), os.access('/', os.W_OK))\n"
    )
    result = docker.run(["python", "-c", code], policy)
    assert result.stdout == b"True 0000000000000000 1 2\n['lo'] False\n", result.stderr


def test_no_container_is_left(docker: Docker, engine: Engine, policy: SandboxPolicy) -> None:
    import docker as sdk

    docker.run(["true"], policy)
    docker.run(["no-such-program"], policy)
    docker.run(["sleep", "30"], policy.within(Limits(seconds=1.0)))
    client = sdk.from_env(environment=engine.environment)
    assert client.containers.list(all=True, filters={"label": LABEL}) == []
    client.close()


def test_an_image_that_is_not_there_is_told(engine: Engine) -> None:
    with pytest.raises(SandboxUnavailable, match="no-such-image") as caught:
        Docker("no-such-image:1", environment=engine.environment)
    assert "docker pull" in caught.value.hint


def test_a_profile_that_would_hold_nothing_is_told(engine: Engine, docker: Docker) -> None:
    """Without AppArmor in the engine, or with a profile that nobody loaded, nothing runs."""

    def run_with_it(place: Scratch) -> None:
        named = Docker(IMAGE, environment=engine.environment, apparmor_profile="no-such-profile")
        named.run(["true"], SandboxPolicy.trial(skills=place.skills, data=place.data))

    with docker.scratch() as place, pytest.raises(SandboxUnavailable, match="no-such-profile"):
        run_with_it(place)


def test_a_private_folder_in_a_mount_looks_empty(engine: Engine, docker: Docker) -> None:
    with docker.scratch() as place:
        private = Path(place.data, "loop")
        private.mkdir()
        (private / "secret").write_text("x")
        closed = Docker(IMAGE, environment=engine.environment, private=Private((str(private),)))
        policy = SandboxPolicy.trial(skills=place.skills, data=place.data)
        assert closed.run(["ls", "-A", "/app/data/loop"], policy).stdout == b""
