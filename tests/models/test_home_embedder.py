"""Which embedder a home uses, and that skills and memories share it."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import Home, home_embedder, open_home, skill_search
from hermes.app.memory import open_memory
from hermes.errors import ConfigError
from hermes.models.endpoint_embedder import EndpointEmbedder
from hermes.models.minilm import MiniLM
from hermes.records.memory import Trust
from hermes.settings import Settings, load
from hermes.testing.embedding_server import EmbeddingServer, status
from hermes.testing.homes import Desk, skill_text
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {"release": ("ship", "deploy", "publish"), "food": ("coffee", "tea")}


def settings(home: Path, embedder: str, **environ: str) -> Settings:
    (home / "loop").mkdir(parents=True, exist_ok=True)
    (home / "loop" / "config.yaml").write_text(f"memory: {{embedder: {embedder}}}\n")
    return load({"HERMES_HOME": str(home), **environ})


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(TopicEmbedder(TOPICS)) as running:
        yield running


@pytest.fixture
def home(server: EmbeddingServer, tmp_path: Path) -> Iterator[Home]:
    endpoint = f"{{base_url: '{server.url}', model: topics, dimensions: 3, api_key_env: MY_KEY}}"
    with open_home(settings(tmp_path, endpoint, MY_KEY="sk-hush")) as opened:
        yield opened


def test_without_a_setting_it_is_the_offline_one(tmp_path: Path) -> None:
    with open_home(load({"HERMES_HOME": str(tmp_path)})) as home:
        offline = home_embedder(home.settings)
        assert isinstance(offline, MiniLM)
        assert home.embedder is home.embedder
        assert home.embedder is not None
        assert home.embedder.name == offline.name


def test_the_endpoint_is_asked_with_the_key_of_the_environment(
    home: Home, server: EmbeddingServer
) -> None:
    assert isinstance(home_embedder(home.settings), EndpointEmbedder)
    assert home.embedder is not None
    home.embedder.embed(["ship"])
    assert server.asked[0].headers["Authorization"] == "Bearer sk-hush"


def test_skills_and_memories_are_found_by_its_meaning(home: Home) -> None:
    Desk(home).manage(
        "create", name="a-b", content=skill_text("a-b", "Does the deploy. Use when asked.")
    )
    search = skill_search(home)
    assert search.embed_missing() == 1
    (hit,) = search.search("publish", 3)
    assert hit.skill.name == "a-b"
    assert hit.semantic == pytest.approx(1.0, abs=1e-5)
    room = open_memory(home)
    room.remember.add("Ana likes tea", scope="personal", source="ana", trust=Trust.USER)
    (found,) = room.recall.search("coffee", scopes=["personal"]).items
    assert found.why.semantic == pytest.approx(1.0, abs=1e-5)
    room.close()


def test_while_it_is_away_words_serve_both_and_it_is_said_once(
    home: Home, server: EmbeddingServer, caplog: pytest.LogCaptureFixture
) -> None:
    Desk(home).manage(
        "create", name="a-b", content=skill_text("a-b", "Does the deploy. Use when asked.")
    )
    skill_search(home).embed_missing()
    server.fail(status(401, "unknown key sk-hush"))
    with caplog.at_level(logging.WARNING):
        (hit,) = skill_search(home).search("deploy", 3)
        room = open_memory(home)
        room.remember.add("Ana likes tea", scope="personal", source="ana", trust=Trust.USER)
        (found,) = room.recall.search("what tea", scopes=["personal"]).items
        room.close()
    assert hit.semantic is found.why.semantic is None
    (said,) = [record.getMessage() for record in caplog.records]
    assert "searching by words alone" in said
    assert "set MY_KEY to a valid key" in said
    assert "sk-hush" not in said


def test_the_short_form_names_openai_and_its_key(tmp_path: Path) -> None:
    chosen = settings(tmp_path, "openai:text-embedding-3-small", OPENAI_API_KEY="sk-hush")
    at = chosen.memory.embedder
    assert at is not None
    assert (at.base_url, at.dimensions) == ("https://api.openai.com/v1", 1536)
    assert chosen.embedder_api_key is not None
    assert chosen.embedder_api_key.reveal() == "sk-hush"
    shown = {key: value for key, value, _ in chosen.entries()}
    assert "sk-hush" not in str(shown)
    assert shown["memory.embedder"] == {
        "base_url": "https://api.openai.com/v1",
        "model": "text-embedding-3-small",
        "dimensions": 1536,
        "api_key_env": "OPENAI_API_KEY",
    }


def test_openais_key_goes_to_nobody_else(tmp_path: Path) -> None:
    chosen = settings(
        tmp_path, "{base_url: 'http://gpu:8000/v1', model: m, dimensions: 8}", OPENAI_API_KEY="sk-1"
    )
    assert chosen.embedder_api_key is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("openai:my-own", "dimensions: how many numbers does a vector of my-own have"),
        ("'openai:'", "expected null, openai:MODEL, or {base_url"),
        ("cohere:embed", "expected null, openai:MODEL, or {base_url"),
        ("{model: m, dimensions: 3}", "base_url: expected an address"),
        ("{base_url: 'ftp://a/v1', model: m, dimensions: 3}", "base_url: expected an address"),
        ("{base_url: 'http://u:p@a/v1', model: m, dimensions: 3}", "without user or password"),
        ("{base_url: 'http://a:99999/v1', model: m, dimensions: 3}", "base_url: expected"),
        ("{base_url: 'http://a/v1', model: m}", "dimensions: how many"),
        ("{base_url: 'http://a/v1', model: m, dimensions: 0}", "dimensions: how many"),
        ("{base_url: 'http://a/v1', model: m, dimensions: true}", "dimensions: how many"),
        ("{base_url: 'http://a/v1', model: '', dimensions: 3}", "expected null"),
        ("{base_url: 'http://a/v1', model: m, dimensions: 3, key: x}", "expected null"),
        (
            "{base_url: 'http://a/v1', model: m, dimensions: 3, api_key_env: sk-123}",
            "the name of a variable, not the key itself",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(
    tmp_path: Path, given: str, says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, given)
    assert "config.yaml:1: memory.embedder: " in str(caught.value)
    assert says in str(caught.value)


def test_opening_a_home_with_an_endpoint_asks_nobody_and_imports_little(tmp_path: Path) -> None:
    settings(tmp_path, "openai:text-embedding-3-small")
    code = (
        "import sys; from hermes.app import open_home; from hermes.settings import load;"
        f"home = open_home(load({{'HERMES_HOME': {str(tmp_path)!r}}}));"
        "home.embedder.name; home.close();"
        "print([x for x in ('numpy', 'onnxruntime', 'http.client', 'ssl', 'logging')"
        " if x in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
