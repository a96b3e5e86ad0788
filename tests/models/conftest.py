"""Models as the agent gets them, against servers that answer by script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.models.access import ModelAccess
from hermes.models.names import parse
from hermes.models.resilient import ResilientModel
from hermes.testing.model_servers import Reply, ScriptedServer, anthropic_server, openai_server


class Provider:
    """One of the two wire formats, and how a model of it is built."""

    def __init__(self, name: str, server: Callable[..., ScriptedServer], access: ModelAccess):
        self.name = name
        self._server = server
        self._access = access
        self.notes: list[str] = []
        self.waited: list[float] = []

    def server(self, *replies: Reply) -> ScriptedServer:
        return self._server(*replies)

    def model(self, server: ScriptedServer) -> ResilientModel:
        """As the factory builds it, but it notes its waits instead of waiting."""
        from hermes.models.factory import build

        text = f"{self.name}:scripted@{server.url}"
        built = build(text, self._access)
        assert isinstance(built, ResilientModel)
        return ResilientModel(built.wrapped, parse(text), self.notes.append, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)


@pytest.fixture(params=["openai", "anthropic"])
def provider(request: pytest.FixtureRequest, tmp_path: Path) -> Provider:
    access = ModelAccess(
        models_dir=tmp_path,
        answer_timeout_s=1.0,
        keys={"openai": "sk-test", "anthropic": "sk-test"},
    )
    servers = {"openai": openai_server, "anthropic": anthropic_server}
    return Provider(request.param, servers[request.param], access)
