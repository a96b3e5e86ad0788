"""Both databases give the same answers, and the same scores."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hermes.memory.note import Note
from hermes.records.memory import MemoryKind, Trust
from hermes.rules.similarity.tokens import tokens
from hermes.store.open import open_database
from hermes.testing.memory_rooms import TOPICS, TestRoom

pytestmark = pytest.mark.postgres


class WordsEmbedder:
    """Each word has a direction, a text the sum of its words': no two are equally near."""

    name, dimensions = "words", 24

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        vectors = []
        for text in texts:
            seeds = [zlib.crc32(word.encode()) for word in tokens(text)] or [0]
            rows = [np.random.default_rng(seed).normal(size=self.dimensions) for seed in seeds]
            total = np.sum(rows, axis=0)
            vectors.append((total / np.linalg.norm(total)).astype(np.float32).tobytes())
        return vectors


WORDS = [word for words in TOPICS.values() for word in words]
MORE = [f"{a}{b}" for a in ("al", "be", "cor", "dun") for b in ("tor", "lin", "mek", "sia", "rop")]


def _notes() -> list[Note]:
    rng = random.Random(7)
    return [
        Note(
            text=" ".join((f"Note_{number}", *rng.sample(WORDS, 3), *rng.sample(MORE, 6))),
            kind=rng.choice(list(MemoryKind)),
            scope=rng.choice(["personal", "personal", "team:ops"]),
            source="test",
            trust=Trust.USER,
            session_id=f"s{number // 10}",
        )
        for number in range(400)
    ]


def test_the_first_ten_overlap(postgres_url: str, tmp_path: Path) -> None:
    rooms = [
        TestRoom(open_database(address), tmp_path / name, embedder=WordsEmbedder())
        for name, address in (("one", str(tmp_path / "loop.db")), ("two", postgres_url))
    ]
    for room in rooms:
        room.room.remember.add_many(_notes())
    rng = random.Random(8)
    overlaps = []
    for number in range(40):
        words = [*rng.sample(WORDS, 2), *rng.sample(MORE, 3), f"Note_{number * 7}"]
        scopes = rng.choice([["personal"], ["team:ops"], ["personal", "team:ops"]])
        answers = [
            room.room.recall.search(" ".join(words), scopes=scopes, k=10).items for room in rooms
        ]
        one, two = ({hit.memory.text: hit.score for hit in hits} for hits in answers)
        assert one
        overlaps.append(len(one.keys() & two.keys()) / max(len(one), len(two)))
        for text in one.keys() & two.keys():
            assert one[text] == pytest.approx(two[text], abs=1e-4)
    assert sum(overlaps) / len(overlaps) >= 0.9
