"""The answer of a local model as it comes: thoughts and words at once, a call when it is whole."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic_ai.messages import ModelResponseStreamEvent
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.usage import RequestUsage

from hermes.errors import ContextTooLong, InvalidAnswer, ModelFailed
from hermes.models.local.decision import ANSWER, THOUGHT, decision_of, text_so_far
from hermes.models.local.engine import Engine, Piece
from hermes.models.local.prompt import RAW
from hermes.models.names import LOCAL


@dataclass(slots=True)
class Reading:
    """What was generated so far, and how much of it has been passed on."""

    decides: bool
    generated: str = ""
    shown: dict[str, int] = field(default_factory=dict)

    def fresh(self, key: str) -> str:
        """What is new of a field since it was last asked for."""
        text = text_so_far(self.generated, key) if self.decides else self.generated
        begin = self.shown.get(key, 0)
        self.shown[key] = len(text)
        return text[begin:]


class LocalStream(StreamedResponse):
    """Nothing is computed before the first event is asked for."""

    def __init__(
        self,
        parameters: ModelRequestParameters,
        name: str,
        engine: Engine,
        request: Mapping[str, Any],
        reading: Reading,
    ) -> None:
        super().__init__(parameters)
        self._name = name
        self._engine = engine
        self._request = request
        self._reading = reading
        self._stop = threading.Event()
        self._timestamp = datetime.now(UTC)

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        async for piece in _pieces(self._engine, self._request, self._stop):
            self._count(piece)
            for event in self._words(piece):
                yield event
        if self.finish_reason is None:  # it was told to stop
            return
        self.provider_details = {RAW: self._reading.generated}
        for event in self._call():
            yield event

    def _count(self, piece: Piece) -> None:
        """Real counts of the engine; what it did not have to read again is said apart."""
        if error := piece.get("error"):
            raise _fault(error, self._name)
        if usage := piece.get("usage"):
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            self._usage = RequestUsage(
                input_tokens=usage["prompt_tokens"],
                cache_read_tokens=cached,
                output_tokens=usage["completion_tokens"],
            )
        for choice in piece.get("choices") or ():
            if end := choice.get("finish_reason"):
                self.finish_reason = "length" if end == "length" else "stop"

    def _words(self, piece: Piece) -> list[ModelResponseStreamEvent]:
        for choice in piece.get("choices") or ():
            self._reading.generated += (choice.get("delta") or {}).get("content") or ""
        events: list[ModelResponseStreamEvent] = []
        if self._reading.decides and (thought := self._reading.fresh(THOUGHT)):
            events += self._parts_manager.handle_thinking_delta(
                vendor_part_id=THOUGHT, content=thought
            )
        if answer := self._reading.fresh(ANSWER):
            events += self._parts_manager.handle_text_delta(vendor_part_id=ANSWER, content=answer)
        return events

    def _call(self) -> list[ModelResponseStreamEvent]:
        """What was decided, when it is whole. An answer in words has been passed on by now."""
        if not self._reading.decides:
            return []
        decision = decision_of(self._reading.generated)
        if decision is None:
            cut = self.finish_reason == "length"
            raise InvalidAnswer(
                f"local:{self._name} {'did not come to an end' if cut else 'decided nothing'}",
                hint="ask for less at once, or use a larger model",
            )
        if decision.tool is not None:
            self.finish_reason = "tool_call"
            args = dict(decision.arguments or {})
            return [
                self._parts_manager.handle_tool_call_part(
                    vendor_part_id=None, tool_name=decision.tool, args=args
                )
            ]
        if self._reading.shown.get(ANSWER):
            return []
        return [  # an answer of another form than text, or an empty one
            *self._parts_manager.handle_text_delta(vendor_part_id=ANSWER, content=decision.answer)
        ]

    async def close_stream(self) -> None:
        self._stop.set()

    @property
    def model_name(self) -> str:
        return self._name

    @property
    def provider_name(self) -> str:
        return LOCAL

    @property
    def provider_url(self) -> None:
        return None

    @property
    def timestamp(self) -> datetime:
        return self._timestamp


async def _pieces(
    engine: Engine, request: Mapping[str, Any], stop: threading.Event
) -> AsyncIterator[Piece]:
    """The pieces of an answer that a thread of its own waits for.

    Whoever stops listening does not wait for the thread: it ends by itself at its next piece.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Piece | Exception | None] = asyncio.Queue()

    def put(item: Piece | Exception | None) -> bool:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, item)
        except RuntimeError:  # the loop has ended, and with it everybody who listened
            stop.set()
        return stop.is_set()

    threading.Thread(target=_ask, args=(engine, request, put), daemon=True).start()
    while (item := await queue.get()) is not None:
        if isinstance(item, Exception):
            raise item
        yield item


def _ask(
    engine: Engine,
    request: Mapping[str, Any],
    put: Callable[[Piece | Exception | None], bool],
) -> None:
    try:
        engine.chat(request, put)
    except Exception as error:  # noqa: BLE001 - raised again by whoever listens
        put(error)
    put(None)


def _fault(error: Mapping[str, Any], name: str) -> ModelFailed:
    if error.get("type") == "exceed_context_size_error":
        return ContextTooLong(
            f"the conversation has {error.get('n_prompt_tokens')} tokens, and local:{name} reads "
            f"{error.get('n_ctx')}",
            hint="start a new one, or raise local_model.context_tokens",
        )
    return ModelFailed(f"local:{name} failed: {error.get('message')}")
