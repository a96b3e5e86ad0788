"""An embedder whose meanings a test writes down: words of one topic mean the same."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from threading import Event

from hermes.rules.similarity.tokens import tokens


class TopicEmbedder:
    """Each topic is a direction; a text points where the topics of its words do.

    A text with no known word points away from all of them. `embedded` is every text that was
    asked for, in order; while `gate` is given and not set, embedding waits.
    """

    def __init__(
        self,
        topics: Mapping[str, Sequence[str]],
        *,
        name: str = "topics",
        gate: Event | None = None,
    ) -> None:
        self.name = name
        self.embedded: list[str] = []
        self._gate = gate
        self._topic_of = {
            term: at
            for at, words in enumerate(topics.values())
            for word in words
            for term in tokens(word)
        }
        self.dimensions = len(topics) + 1

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if self._gate is not None and not self._gate.wait(timeout=30):
            raise TimeoutError("nobody opened the gate")
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        sums = [0.0] * self.dimensions
        for term in tokens(text):
            if (topic := self._topic_of.get(term)) is not None:
                sums[topic] += 1.0
        if not any(sums):
            sums[-1] = 1.0
        length = math.sqrt(sum(number * number for number in sums))
        return struct.pack(f"<{self.dimensions}f", *(number / length for number in sums))
