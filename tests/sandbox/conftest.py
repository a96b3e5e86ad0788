"""The backends that the sandbox tests run on: as whoever runs the tests, as an ordinary user,
and in Docker (soak, where an engine can be started)."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hermes.ports import Sandbox
from hermes.sandbox.bubblewrap import Bubblewrap, programs
from hermes.sandbox.docker import Docker
from hermes.testing.sandbox.engine import IMAGE, Engine, NoEngine, why_no_engine
from hermes.testing.sandbox.ordinary import ORDINARY_UID, OrdinaryUser, ordinary_interpreter
from hermes.testing.sandbox.victim import Victim

BACKENDS = [
    "bubblewrap",
    "ordinary user",
    pytest.param("docker", marks=[pytest.mark.soak, pytest.mark.xdist_group("docker")]),
]


@pytest.fixture(scope="session")
def token() -> str:
    """The secret that no program may find."""
    return secrets.token_hex(16)


@pytest.fixture(scope="session", autouse=True)
def _secret_in_our_environment(token: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", token)
        yield


@pytest.fixture(scope="session")
def bubblewrap() -> Bubblewrap:
    found = programs()
    if not found:
        pytest.skip("no bwrap program is installed")
    return Bubblewrap(found[0])


@pytest.fixture(scope="session")
def ordinary_user(token: str) -> Iterator[OrdinaryUser]:
    if os.geteuid() != 0:
        pytest.skip("the tests already run as an ordinary user")
    interpreter = ordinary_interpreter()
    if interpreter is None:
        pytest.skip("no interpreter here may be started by an ordinary user")
    with OrdinaryUser(interpreter, {"OPENAI_API_KEY": token}) as user:
        yield user


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    reason = why_no_engine()
    if reason:
        pytest.skip(f"no Docker engine can be started: {reason}")
    with ExitStack() as stack:
        try:
            started = stack.enter_context(Engine(tmp_path_factory.mktemp("engine")))
        except NoEngine as error:
            pytest.skip(f"no Docker engine can be started: {error}")
        yield started


@pytest.fixture(scope="session")
def docker(engine: Engine) -> Docker:
    return Docker(IMAGE, environment=engine.environment)


@pytest.fixture(params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    name = str(request.param).replace(" ", "_")
    chosen: Sandbox = request.getfixturevalue(name)
    return chosen


@pytest.fixture
def victim(sandbox: Sandbox, token: str) -> Iterator[Victim]:
    """Its owner is whoever attacks, so that only the walls protect it and not file modes.

    Not below /tmp: the sandbox has a /tmp of its own, in which writing is no offence.
    """
    owner = ORDINARY_UID if isinstance(sandbox, OrdinaryUser) else os.geteuid()
    with tempfile.TemporaryDirectory(prefix="hermes-victim-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o711)
        with Victim(Path(folder) / "home", owner=owner, token=token) as found:
            yield found
