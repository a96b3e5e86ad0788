"""The same memories and the same vectors in a peer, asked in the same run."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from hermes.bench.memory_dilution import search_ms
from hermes.bench.recall_set.labelled import Half, LabelledSet, Question
from hermes.bench.remembered_set import DEEPEST, Answer, KnownTexts, remembered
from hermes.bench.retrieval_memory import SHIPPED, recall_set, rows_of

if TYPE_CHECKING:
    from hermes.ports import Embedder
    from hermes.records.memory import Memory

Say = Callable[[str], None]
NOT_INSTALLED = "not installed: make bench-peers"
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRow:
    """Recall@10 and MRR are means of the classes of the measured half.

    `p50_ms` is one search with the query's vector known.
    """

    name: str
    at_10: float
    mrr: float
    p50_ms: float


def measure_peers(
    embedder: Embedder, say: Say, labelled: LabelledSet | None = None
) -> list[PeerRow]:
    """Ourselves first, then each peer that is there."""
    chosen = labelled or recall_set()
    known = KnownTexts(embedder)
    asked = [one for one in chosen.questions if one.half is Half.MEASURED and one.expects]
    known.embed([one.text for one in asked])
    rows = [_ours(chosen, asked, known)]
    if find_spec("chromadb") is None:
        say(f"chromadb {NOT_INSTALLED}")
    else:
        rows.append(_chroma(chosen.memories, asked, known))
    return rows


def _ours(chosen: LabelledSet, asked: Sequence[Question], known: KnownTexts) -> PeerRow:
    with remembered(chosen.memories, known) as store:
        return _row("hermes", store.answers(asked, SHIPPED), search_ms(store, asked, SHIPPED))


def _chroma(memories: Sequence[Memory], asked: Sequence[Question], known: KnownTexts) -> PeerRow:
    """In memory, cosine distance; scopes by its own filter."""
    client: Any = importlib.import_module("chromadb").EphemeralClient()
    shelf = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
    for start in range(0, len(memories), _AT_ONCE):
        batch = memories[start : start + _AT_ONCE]
        shelf.add(
            ids=[memory.id for memory in batch],
            embeddings=[_floats(one) for one in known.embed([memory.text for memory in batch])],
            metadatas=[{"scope": memory.scope} for memory in batch],
        )
    answers, taken = [], []
    for one in asked:
        (vector,) = known.embed([one.text])
        begun = time.perf_counter()
        found = shelf.query(
            query_embeddings=[_floats(vector)],
            n_results=DEEPEST,
            where={"scope": {"$in": list(one.scopes)}},
        )["ids"][0]
        taken.append((time.perf_counter() - begun) * 1000)
        places = tuple(place for place, name in enumerate(found) if name in one.expects)
        answers.append(Answer(one, places, len(found), 0))
    return _row("chromadb", answers, taken)


def _floats(vector: bytes) -> list[float]:
    values: list[float] = np.frombuffer(vector, dtype=np.float32).tolist()
    return values


def _row(name: str, answers: Sequence[Answer], taken: Sequence[float]) -> PeerRow:
    mean = rows_of(answers, Half.MEASURED, name)[-1]
    return PeerRow(name=name, at_10=mean.at_10, mrr=mean.mrr, p50_ms=statistics.median(taken))
