"""The memories that a prompt holds, within its budget. Satisfies ports.Recaller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.recall import Recall
from hermes.records.memory import MemoryKind
from hermes.records.recall import Recalled

_KINDS = (MemoryKind.EPISODIC, MemoryKind.SEMANTIC)
"""What a skill is about is the catalogue's business."""


@dataclass(frozen=True, slots=True)
class PromptMemories:
    recalling: Recall
    scopes: Sequence[str]
    k: int
    tokens: int

    def expect(self, text: str) -> None:
        self.recalling.expect(text, self.scopes)

    def recall(self, text: str) -> Recalled:
        return self.recalling.search(
            text,
            scopes=self.scopes,
            kinds=_KINDS,
            k=self.k,
            token_budget=self.tokens,
        )
