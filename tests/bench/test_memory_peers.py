"""Peers are asked out of process, and one that is not there is told with the reason."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hermes.bench.memory_peers import measure_peers
from hermes.bench.peer_run import Peer, read_material, run
from hermes.bench.recall_set.labelled import LabelledSet
from hermes.bench.recall_set.work_memory import work_memory
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.topic_embedder import TopicEmbedder


@pytest.fixture(scope="module")
def few() -> LabelledSet:
    labelled = work_memory()
    asked = [one for one in labelled.questions if one.expects and one.half == "measured"][:5]
    right = frozenset().union(*(one.expects for one in asked))
    memories = tuple(one for one in labelled.memories if one.id in right)
    return LabelledSet(memories=memories, questions=tuple(asked))


def test_without_peers_we_are_measured_alone(few: LabelledSet, tmp_path: Path) -> None:
    embedder = TopicEmbedder(TOPICS)
    report = measure_peers(embedder, lambda _line: None, tmp_path / "python", few)
    assert [row.name for row in report.rows] == ["hermes"]
    assert report.rows[0].adds_a_second > 0
    assert report.rows[0].add_cpu_ms > 0
    assert report.rows[0].p50_ms > 0
    assert report.missing.keys() == {"chromadb", "mem0"}
    assert all("make bench-peers" in why for why in report.missing.values())


def test_a_peer_that_fails_says_why(few: LabelledSet) -> None:
    python = Path(sys.executable)  # has neither of them
    report = measure_peers(TopicEmbedder(TOPICS), lambda _line: None, python, few)
    assert (
        report.missing["chromadb"] == "it failed: ModuleNotFoundError: No module named 'chromadb'"
    )
    assert "No module named 'mem0'" in report.missing["mem0"]


def test_what_a_peer_is_given_and_asked(tmp_path: Path) -> None:
    items = [{"id": "a", "text": "tea", "scope": "personal"}]
    questions = [{"text": "drink?", "scopes": ["personal"]}]
    (tmp_path / "items.json").write_text(json.dumps(items))
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    np.save(tmp_path / "vectors.npy", np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    material = read_material(tmp_path)
    assert material.vectors == {"tea": [1.0, 0.0], "drink?": [0.0, 1.0]}
    kept: list[str] = []

    def ask(question: dict[str, Any]) -> list[str]:
        assert question == questions[0]
        return kept

    answer = run(Peer("numpy", lambda: kept.append("a"), ask), material.questions)
    assert answer["found"] == [["a"]]
    assert answer["version"] == np.__version__
    assert len(answer["search_ms"]) == 1
    assert answer.keys() == {"version", "add_s", "add_cpu_s", "search_ms", "found"}
