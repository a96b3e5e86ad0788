"""A peer's memory, filled and asked. Runs in the peers' own environment, where `hermes` is not.

    python peer_run.py chromadb|mem0 FOLDER

The folder holds items.json, questions.json and their vectors; the answer is one line of JSON. No
model and no network: every vector is given, so that only storing and finding is compared.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_AT_ONCE = 1_000
_DEEPEST = 10
TIMED_OF = 4
"""Every so many questions are asked again to be timed: a median needs no more, and a peer that
compares in Python takes a good part of a second for each."""
_USER = "bench"


@dataclass(frozen=True)
class Material:
    """What is put in and what is asked, each text with its vector."""

    folder: Path
    items: Sequence[dict[str, str]]
    questions: Sequence[dict[str, Any]]
    vectors: dict[str, list[float]]


@dataclass(frozen=True)
class Peer:
    """Its package, how all items are added, and how one question is answered with ids."""

    package: str
    add: Callable[[], None]
    ask: Callable[[dict[str, Any]], list[str]]


def read_material(folder: Path) -> Material:
    items = json.loads((folder / "items.json").read_text("utf-8"))
    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    rows = np.load(folder / "vectors.npy").tolist()
    texts = [one["text"] for one in (*items, *questions)]
    return Material(folder, items, questions, dict(zip(texts, rows, strict=True)))


def chromadb(material: Material) -> Peer:
    """On disk, cosine distance, scopes by its own filter."""
    library: Any = importlib.import_module("chromadb")
    client = library.PersistentClient(str(material.folder / "chroma"))
    shelf = client.create_collection("memories", metadata={"hnsw:space": "cosine"})

    def add() -> None:
        for start in range(0, len(material.items), _AT_ONCE):
            batch = material.items[start : start + _AT_ONCE]
            shelf.add(
                ids=[one["id"] for one in batch],
                embeddings=[material.vectors[one["text"]] for one in batch],
                documents=[one["text"] for one in batch],
                metadatas=[{"scope": one["scope"]} for one in batch],
            )

    def ask(question: dict[str, Any]) -> list[str]:
        found: list[str] = shelf.query(
            query_embeddings=[material.vectors[question["text"]]],
            n_results=_DEEPEST,
            where={"scope": {"$in": question["scopes"]}},
        )["ids"][0]
        return found

    return Peer("chromadb", add, ask)


class _KnownVectors:
    """Takes the place of mem0's embedder: the same vectors as everybody's."""

    def __init__(self, material: Material) -> None:
        self._material = material

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        return self._material.vectors[text]

    def embed_batch(self, texts: Sequence[str], _action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


def mem0(material: Material) -> Peer:
    """Its default local store, on disk; `infer=False` keeps every text as it is, without a model.
    Scopes by its own filter. Its keyword search is an extra that is not installed: it goes by
    vectors alone."""
    width = len(next(iter(material.vectors.values())))
    store = {
        "path": str(material.folder / "qdrant"),
        "on_disk": True,
        "collection_name": "memories",
    }
    config = {
        "vector_store": {"provider": "qdrant", "config": {**store, "embedding_model_dims": width}},
        "history_db_path": str(material.folder / "history.db"),
    }
    memory: Any = importlib.import_module("mem0").Memory.from_config(config)
    memory.embedding_model = _KnownVectors(material)

    def add() -> None:
        for one in material.items:
            kept = {"item": one["id"], "scope": one["scope"]}
            memory.add(one["text"], user_id=_USER, metadata=kept, infer=False)

    def ask(question: dict[str, Any]) -> list[str]:
        where = {"user_id": _USER, "scope": {"in": question["scopes"]}}
        hits = memory.search(question["text"], filters=where, top_k=_DEEPEST, threshold=0.0)
        return [hit["metadata"]["item"] for hit in hits["results"]]

    return Peer("mem0ai", add, ask)


def run(peer: Peer, questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Adding in wall and in CPU time, for it waits for the disk; searching in CPU time, the second
    time."""
    start, used = time.perf_counter(), time.process_time()
    peer.add()
    added, spent = time.perf_counter() - start, time.process_time() - used
    found = [peer.ask(question) for question in questions]
    taken = []
    for question in questions[::TIMED_OF]:
        begun = time.process_time_ns()
        peer.ask(question)
        taken.append((time.process_time_ns() - begun) / 1e6)
    version = importlib.metadata.version(peer.package)
    times = {"add_s": added, "add_cpu_s": spent, "search_ms": taken}
    return {"version": version, **times, "found": found}


if __name__ == "__main__":
    chosen = {"chromadb": chromadb, "mem0": mem0}[sys.argv[1]]
    given = read_material(Path(sys.argv[2]))
    print(json.dumps(run(chosen(given), given.questions)))
