"""One question, one answer: what the stages need of a model, on any model there is.

The stages are plain functions and run in any thread, with or without an event loop; a provider's
connections belong to one loop. So each instance has a loop of its own, in a thread of its own,
started by the first question.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hermes.errors import InvalidAnswer
from hermes.records.codec import Json
from hermes.records.completion import Completion

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

_ANSWER = "answer"


class CompletingModel:
    """Implements ports.Model. `build` is called by the first question; it may take a second."""

    def __init__(self, name: str, build: Callable[[], Model]) -> None:
        self._name = name
        self._build = build
        self._lock = threading.Lock()
        self._model: Model | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        return self._name

    def complete(
        self,
        *,
        instructions: str,
        question: str,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 4_000,
    ) -> Completion:
        """Raises ModelFailed, or what is missing before a model can be built."""
        from hermes.models.spending import spent_on

        model, loop = self._ready()
        asked = _ask(model, instructions, question, schema, max_tokens)
        response = asyncio.run_coroutine_threadsafe(asked, loop).result()
        spent = spent_on(response)
        return Completion(
            text=_text_of(response, self._name),
            model=self._name,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached_tokens=spent.cached_tokens,
            cost_usd=spent.cost_usd,
        )

    def close(self) -> None:
        """Let go of its connections and its thread; the next question would begin anew."""
        with self._lock:
            model, loop, thread = self._model, self._loop, self._thread
            self._model = self._loop = self._thread = None
        if loop is not None and thread is not None:
            if model is not None:
                asyncio.run_coroutine_threadsafe(_let_go(model), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _ready(self) -> tuple[Model, asyncio.AbstractEventLoop]:
        with self._lock:
            if self._model is None:
                self._model = self._build()
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="hermes-model", daemon=True
                )
                self._thread.start()
            return self._model, self._loop


async def _let_go(model: Model) -> None:
    await model.__aexit__(None, None, None)


async def _ask(
    model: Model,
    instructions: str,
    question: str,
    schema: Mapping[str, Json] | None,
    max_tokens: int,
) -> ModelResponse:
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest

    return await model_request(
        model,
        [ModelRequest.user_text_prompt(question, instructions=instructions)],
        model_settings={"max_tokens": max_tokens, "cache": False},  # nothing follows on it
        model_request_parameters=_shape(model, schema),
    )


def _shape(model: Model, schema: Mapping[str, Json] | None) -> ModelRequestParameters:
    """The schema as the model takes it: as the form of its answer, or of a tool it has to call."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if schema is None:
        return ModelRequestParameters()
    plain: dict[str, Any] = dict(schema)
    if model.profile.get("supports_json_schema_output", False):
        wanted = OutputObjectDefinition(json_schema=plain, name=_ANSWER)
        return ModelRequestParameters(output_mode="native", output_object=wanted)
    tool = ToolDefinition(
        name=_ANSWER,
        parameters_json_schema=plain,
        description="Gives the answer.",
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _text_of(response: ModelResponse, name: str) -> str:
    from pydantic_ai.messages import TextPart, ToolCallPart

    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    text = calls[0] if calls else "".join(texts).strip()
    if not text:
        raise InvalidAnswer(f"{name} answered nothing", hint="try again, or use another model")
    return text
