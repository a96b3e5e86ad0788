"""`hermes memory reembed`: a person says which embedder the store's vectors are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from hermes.testing.embedding_server import EmbeddingServer
from hermes.testing.topic_embedder import TopicEmbedder

from .conftest import Shell

TOPICS = {"release": ("ship", "deploy", "publish"), "food": ("coffee", "tea")}
Use = Callable[[str], None]


@pytest.fixture
def use(shell: Shell) -> Iterator[Use]:
    """Write an embedder of this name into the settings."""
    servers: dict[str, EmbeddingServer] = {}
    with ExitStack() as stack:

        def written(name: str) -> None:
            if name not in servers:
                servers[name] = stack.enter_context(EmbeddingServer(TopicEmbedder(TOPICS)))
            endpoint = f"{{base_url: '{servers[name].url}', model: {name}, dimensions: 3}}"
            config = shell.root / "loop" / "config.yaml"
            config.parent.mkdir(parents=True, exist_ok=True)
            config.write_text(f"memory: {{embedder: {endpoint}}}\n")

        yield written


def test_it_moves_back_what_a_search_would_not(shell: Shell, use: Use) -> None:
    use("mine")
    shell("memory", "add", "Ana likes tea")
    assert shell("memory", "upkeep", "--json").json == {"done": 1}
    use("theirs")
    assert shell("memory", "search", "coffee", "--json").json["items"]
    use("mine")
    searched = shell("memory", "search", "tea")
    assert (searched.code, "Ana likes tea" in searched.out) == (0, True)
    refused = shell("memory", "upkeep")
    assert refused.code == 1
    assert "memories are now embedded with theirs/3@" in refused.err
    assert "hermes memory reembed" in refused.err
    assert "embedded with theirs/3@" in shell("events").out
    moved = shell("memory", "reembed", "--json").json
    assert (moved["embedder"].startswith("mine/3@"), moved["done"]) == (True, 1)
    assert moved["before"]
    assert shell("memory", "search", "coffee", "--json").json["items"]
    again = shell("memory", "reembed")
    assert "those of mine/3@" in again.out
    assert "0 memories were embedded" in again.out
