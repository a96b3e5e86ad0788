"""An embedder over real HTTP: real vectors, bounded waits, and errors that say what to do."""

from __future__ import annotations

import math
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from hermes.errors import EmbedderUnavailable
from hermes.models.endpoint_embedder import Endpoint, EndpointEmbedder, Patience
from hermes.models.minilm import MiniLM
from hermes.testing.embedding_server import (
    EmbeddingServer,
    Fault,
    cut,
    drip,
    hang,
    raw,
    status,
    vectors,
)
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {"garden": ("tulip", "rose"), "harbour": ("ship", "anchor")}
STEADY = Patience(one=30.0, batch=60.0, attempts=3, first_wait=0.01, pause=0.0)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(TopicEmbedder(TOPICS)) as running:
        yield running


def embedder(
    server: EmbeddingServer,
    *,
    key: str | None = None,
    told: list[str] | None = None,
    dimensions: int = 3,
    patience: Patience = STEADY,
) -> EndpointEmbedder:
    endpoint = Endpoint(
        base_url=server.url, model="topics", dimensions=dimensions, key_variable="TOPIC_KEY"
    )
    tell = (told if told is not None else []).append
    return EndpointEmbedder(endpoint, key, tell, patience)


def failure(one: EndpointEmbedder, *texts: str) -> str:
    with pytest.raises(EmbedderUnavailable) as caught:
        one.embed(texts or ("tulip",))
    return str(caught.value)


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def test_real_vectors_come_over_the_wire_at_length_one() -> None:
    model = MiniLM()
    texts = ["sort the rows", "the weather in Lisbon", "שלום 🌷"]
    with EmbeddingServer(model) as server:
        got = embedder(server, dimensions=384).embed(texts)
    for vector, expected in zip(got, model.embed(texts), strict=True):
        assert numbers(vector) == pytest.approx(numbers(expected), abs=1e-5)
        assert math.hypot(*numbers(vector)) == pytest.approx(1.0, abs=1e-5)


def test_the_order_is_that_of_the_texts_and_batches_are_small(server: EmbeddingServer) -> None:
    texts = ["tulip" if at % 3 else "ship" for at in range(150)]
    got = embedder(server).embed(texts)
    assert [numbers(one)[0] == 1.0 for one in got] == [text == "tulip" for text in texts]
    assert [len(asked.texts) for asked in server.asked] == [64, 64, 22]


def test_batches_are_small_in_size_too(server: EmbeddingServer) -> None:
    embedder(server).embed(["tulip " * 1_300] * 40)
    assert all(sum(map(len, asked.texts)) <= 100_000 for asked in server.asked)
    assert sum(len(asked.texts) for asked in server.asked) == 40


def test_one_connection_serves_many_requests(server: EmbeddingServer) -> None:
    one = embedder(server)
    for _ in range(3):
        one.embed(["tulip"])
    assert len({asked.connection for asked in server.asked}) == 1


def test_a_connection_that_was_closed_meanwhile_is_opened_anew() -> None:
    with EmbeddingServer(TopicEmbedder(TOPICS)) as first:
        one = embedder(first)
        one.embed(["tulip"])
        port = first.port
    with EmbeddingServer(TopicEmbedder(TOPICS), port=port):
        assert numbers(one.embed(["tulip"])[0])[0] == 1.0


def test_a_forked_child_has_its_own_connection(server: EmbeddingServer) -> None:
    one = embedder(server)
    one.embed(["tulip"])
    child = os.fork()
    if child == 0:
        os._exit(0 if one.embed(["ship"]) else 1)
    assert os.waitpid(child, 0)[1] == 0
    one.embed(["rose"])
    parent, forked, after = (asked.connection for asked in server.asked)
    assert parent == after
    assert forked != parent


def test_threads_share_it(server: EmbeddingServer) -> None:
    one = embedder(server)
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda at: one.embed(["tulip", "ship"][at % 2 :][:1]), range(40)))
    assert [numbers(vector)[0] == 1.0 for (vector,) in got] == [at % 2 == 0 for at in range(40)]


def test_the_key_is_sent_and_nothing_else_is(server: EmbeddingServer) -> None:
    embedder(server, key="sk-hush").embed(["tulip"])
    embedder(server).embed(["tulip"])
    with_key, without = server.asked
    assert with_key.headers["Authorization"] == "Bearer sk-hush"
    assert "Authorization" not in without.headers
    assert with_key.body == {"model": "topics", "input": ["tulip"]}


def test_an_openai_model_is_asked_for_its_dimensions(server: EmbeddingServer) -> None:
    endpoint = Endpoint(base_url=server.url, model="text-embedding-3-small", dimensions=3)
    EndpointEmbedder(endpoint).embed(["tulip"])
    assert server.asked[0].body["dimensions"] == 3


@pytest.mark.parametrize("odd", ["", " \n ", "a\0b", "\ud83e", "🌷" * 100, "x" * 10_000_000])
def test_odd_texts_are_embedded_all_the_same(server: EmbeddingServer, odd: str) -> None:
    assert len(embedder(server).embed([odd, "tulip"])) == 2
    assert all(0 < len(text) <= 8_000 for text in server.asked[0].texts)


def test_a_text_too_long_for_the_server_is_embedded_by_its_start() -> None:
    with EmbeddingServer(TopicEmbedder(TOPICS), longest=500) as server:
        got = embedder(server).embed(["ship", "tulip " * 400, "rose"])
    assert [numbers(one)[0] for one in got] == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("passing", [status(500), status(503), status(429, Retry_After="0"), cut])
def test_what_passes_is_tried_again(server: EmbeddingServer, passing: Fault) -> None:
    told: list[str] = []
    server.fail_next(passing, passing)
    assert embedder(server, told=told).embed(["tulip"])
    assert len(server.asked) >= 3
    assert told == []


def test_a_server_that_asks_for_a_long_wait_is_not_waited_for(server: EmbeddingServer) -> None:
    server.fail(status(429, "slow down", Retry_After="60"))
    one = embedder(server)
    assert "cannot answer now (status 429: slow down)" in failure(one)
    assert len(server.asked) == 1
    server.mend()
    assert "429" in failure(one)  # not before the minute is over
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (status(401, "bad key"), "refuses the key (status 401: bad key) (set TOPIC_KEY"),
        (status(404, "no model topics"), "knows no topics"),
        (status(307, Location="http://elsewhere.example"), "is no embeddings endpoint"),
        (status(400, "input: not allowed"), "refuses the request (status 400: input: not allowed)"),
        (status(429, "insufficient_quota"), "insufficient_quota"),
        (vectors([1.0] * 5), "answers with 5 dimensions, not 3 (set dimensions"),
        (vectors([0.0, 0.0, 0.0]), "a vector that points nowhere"),
        (vectors([1.0, math.nan, 0.0]), "a vector that points nowhere"),
        (vectors([1.0, math.inf, 0.0]), "a vector that points nowhere"),
        (vectors([1.0, "2", 0.0]), "something else than numbers"),
        (vectors([[1.0], [2.0], [3.0]]), "something else than numbers"),
        (vectors([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "other embeddings than it was asked for"),
        (vectors(), "no list of embeddings"),
        (raw(b"<html>welcome</html>"), "no list of embeddings"),
        (raw(b"[" * 100_000), "no list of embeddings"),
        (raw(b'{"data": 7}'), "no list of embeddings"),
        (raw(b'{"data": [{"index": 0, "embedding": "AACAPw=="}]}'), "other embeddings"),
    ],
)
def test_what_does_not_pass_is_told_at_once(
    server: EmbeddingServer, fault: Fault, says: str
) -> None:
    server.fail(fault)
    assert says in failure(embedder(server, key="sk-hush"))
    assert len(server.asked) == 1


def test_a_key_that_the_server_repeats_is_not_shown(server: EmbeddingServer) -> None:
    server.fail(status(401, "wrong key sk-hush\nsee\x1b[31m docs"))
    said = failure(embedder(server, key="sk-hush"))
    assert "sk-hush" not in said
    assert "********" in said
    assert said.isprintable()


def test_a_key_that_cannot_be_one_is_not_sent(server: EmbeddingServer) -> None:
    assert "TOPIC_KEY holds characters" in failure(embedder(server, key="sk-\nhüsh"))
    assert server.asked == []


@pytest.mark.parametrize("fault", [hang, drip])
def test_a_server_that_does_not_come_to_an_end_is_left(
    server: EmbeddingServer, fault: Fault
) -> None:
    server.fail(fault)
    quick = Patience(one=0.3, attempts=3, first_wait=0.01, pause=60.0)
    one = embedder(server, patience=quick)
    assert "did not answer in time" in failure(one)
    assert len(server.asked) == 1
    assert "did not answer in time" in failure(one)  # and nobody waits for it again
    assert len(server.asked) == 1


def test_nobody_there_is_told_once_and_asked_again_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    told: list[str] = []
    endpoint = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="topics", dimensions=3)
    one = EndpointEmbedder(endpoint, None, told.append, STEADY)
    for _ in range(3):
        assert "is not there: Connection refused" in failure(one)
    assert len(told) == 1
    assert told[0].startswith("searching by words alone: ")
    with EmbeddingServer(TopicEmbedder(TOPICS), port=port):
        assert one.embed(["tulip"])
    failure(one)
    assert len(told) == 2  # a new outage


def test_during_the_pause_nobody_is_asked(server: EmbeddingServer) -> None:
    server.fail_next(status(401))
    one = embedder(server, patience=Patience(pause=60.0))
    failure(one)
    failure(one)
    assert len(server.asked) == 1


def test_a_name_for_each_model_address_and_length() -> None:
    def name(url: str, model: str, dimensions: int) -> str:
        return EndpointEmbedder(Endpoint(base_url=url, model=model, dimensions=dimensions)).name

    assert name("http://a/v1/", "m", 3) == name("http://a/v1", "m", 3)
    others = {name("http://a/v1", "m", 4), name("http://b/v1", "m", 3), name("http://a/v1", "n", 3)}
    assert len(others | {name("http://a/v1", "m", 3)}) == 4


def test_nothing_is_imported_or_asked_before_the_first_text() -> None:
    code = (
        "import sys; from hermes.models.endpoint_embedder import *;"
        "e = EndpointEmbedder(Endpoint(base_url='http://127.0.0.1:9/v1', model='m', dimensions=3));"
        "e.name, e.dimensions;"
        "print([x for x in ('numpy', 'http.client', 'ssl', 'email', 'logging')"
        " if x in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
