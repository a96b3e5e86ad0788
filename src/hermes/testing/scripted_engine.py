"""A local engine that generates as it was told, where the point is what becomes of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class _OnPiece(Protocol):
    def __call__(self, piece: Mapping[str, Any], /) -> bool: ...


class ScriptedEngine:
    """Satisfies the engine of hermes.models.local. One text for each question, a few characters a
    piece; a mapping is passed on as an error of the engine.

    It claims to have read half of every prompt before. `endless` goes on until it is stopped.
    """

    def __init__(
        self, answers: Sequence[str | Mapping[str, Any]], *, endless: bool = False
    ) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.stopped = threading.Event()
        self._answers = list(answers)
        self._endless = endless

    @property
    def context_tokens(self) -> int:
        return 4096

    def check_used(self) -> None:
        assert len(self.asked) == len(self._answers), "not every answer was asked for"

    def chat(self, request: Mapping[str, Any], on_piece: _OnPiece) -> None:
        at = len(self.asked)
        assert at < len(self._answers), f"nothing is scripted for: {request['messages'][-1]}"
        self.asked.append(request)
        answer = self._answers[at]
        if not isinstance(answer, str):
            on_piece({"error": answer})
            return
        for begin in range(0, len(answer), 3):
            if on_piece(_chunk({"content": answer[begin : begin + 3]})):
                self.stopped.set()
                return
        while self._endless:
            time.sleep(0.01)  # as one that has to think
            if on_piece(_chunk({"content": "."})):
                self.stopped.set()
                return
        words = sum(len(one["content"].split()) for one in request["messages"])
        cut = len(answer) > 4 * request["max_tokens"]
        on_piece(_chunk({}, "length" if cut else "stop"))
        details = {"cached_tokens": words // 2}
        usage = {"prompt_tokens": words, "completion_tokens": len(answer.split())}
        on_piece({"choices": [], "usage": {**usage, "prompt_tokens_details": details}})


def _chunk(delta: Mapping[str, Any], end: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
