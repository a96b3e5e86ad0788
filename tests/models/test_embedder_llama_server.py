"""Our embedder against a server that is not ours: llama.cpp's own, where its parts are here.

`HERMES_TEST_GGUF=FILE` names any GGUF model; without it, or without xllamacpp, this is skipped.
"""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from hermes.errors import EmbedderUnavailable
from hermes.models.endpoint_embedder import Endpoint, EndpointEmbedder, Patience

PYTHON = os.environ.get("HERMES_TEST_LLAMA_PYTHON") or sys.executable
MODEL = os.environ.get("HERMES_TEST_GGUF", "")
SERVE = """
import sys, xllamacpp
told = xllamacpp.CommonParams()
told.model.path, told.port, told.embedding = sys.argv[1], 0, True
told.n_ctx = told.n_batch = told.n_ubatch = 512
told.cpuparams.n_threads = 1
told.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(told)
print("ADDRESS", server.listening_address, flush=True)
sys.stdin.read()
"""
HERE = sys.executable != PYTHON or find_spec("xllamacpp") is not None

pytestmark = [
    pytest.mark.skipif(not (HERE and Path(MODEL).is_file()), reason="no xllamacpp, or no GGUF"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    process = subprocess.Popen(
        [PYTHON, "-c", SERVE, MODEL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    lines = (line.split() for line in process.stdout)
    yield next(words[1] for words in lines if words[:1] == ["ADDRESS"])
    process.kill()
    process.communicate()


def embedder(address: str, dimensions: int) -> EndpointEmbedder:
    endpoint = Endpoint(base_url=f"{address}/v1", model="local", dimensions=dimensions)
    return EndpointEmbedder(endpoint, None, print, Patience(one=300, batch=300, pause=0))


@pytest.fixture(scope="module")
def model(address: str) -> EndpointEmbedder:
    """With the dimensions that the server's own answer asks for."""
    with pytest.raises(EmbedderUnavailable, match="set dimensions of memory") as caught:
        embedder(address, 1).embed(["how long is a vector"])
    return embedder(address, int(caught.value.hint.split()[-1]))


def _cosine(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_its_vectors_mean_something(model: EndpointEmbedder) -> None:
    texts = ["def add(a, b): return a + b", "def plus(x, y): return x + y", "tulips in May"]
    one, same, other = (
        struct.unpack(f"<{model.dimensions}f", vector) for vector in model.embed(texts)
    )
    assert math.hypot(*one) == pytest.approx(1.0, abs=1e-5)
    assert _cosine(one, same) > _cosine(one, other)


def test_what_is_too_long_or_empty_for_it_is_embedded_all_the_same(model: EndpointEmbedder) -> None:
    long, empty = model.embed(["word " * 1_000, ""])
    assert len(long) == len(empty) == 4 * model.dimensions
