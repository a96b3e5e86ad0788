"""A model file as a pydantic-ai model: decisions under a schema become real calls and answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import InstructionPart, ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.profiles import InlineDefsJsonSchemaTransformer, ModelProfile
from pydantic_ai.settings import ModelSettings

from hermes.models.local.decision import Offered, grammar_of, turn_grammar
from hermes.models.local.engine import Engine
from hermes.models.local.prompt import chat_messages
from hermes.models.local.stream import LocalStream, Reading
from hermes.models.names import LOCAL

_MOST_TOKENS = 2_048
"""Of one turn, where nothing else is said: a small model that goes on for longer is lost."""


class LocalModel(Model[None]):
    """Any number of these may share an engine. Its errors are ours already."""

    def __init__(self, name: str, engine: Engine) -> None:
        super().__init__(
            profile=ModelProfile(
                supports_tools=True,
                supports_json_schema_output=True,
                json_schema_transformer=InlineDefsJsonSchemaTransformer,
                default_structured_output_mode="native",
                context_window=engine.context_tokens,
            )
        )
        self._model_name = name
        self._engine = engine

    @property
    def model_name(self) -> str:
        return self._model_name

    @property
    def system(self) -> str:
        return LOCAL

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        async with self.request_stream(
            messages, model_settings, model_request_parameters
        ) as stream:
            async for _ in stream:
                pass
            return stream.get()

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        settings, parameters = self.prepare_request(model_settings, model_request_parameters)
        tools = [
            Offered(
                name=one.name,
                description=one.description or "",
                schema=one.parameters_json_schema,
            )
            for one in (*parameters.declared_function_tools, *parameters.output_tools)
        ]
        parts = self._get_instruction_parts(messages, parameters)
        instructions = InstructionPart.join(parts) if parts else ""
        request = {
            "messages": chat_messages(messages, instructions or "", tools),
            **_options(settings or {}, self._engine.context_tokens),
            **_form(tools, parameters),
        }
        stream = LocalStream(
            parameters,
            self._model_name,
            self._engine,
            request,
            Reading(decides=bool(tools)),
        )
        try:
            yield stream
        finally:
            await stream.close_stream()


def _form(tools: list[Offered], parameters: ModelRequestParameters) -> dict[str, str]:
    """Empty lets the model write freely: nothing has to be decided and no form was asked for."""
    wanted = parameters.output_object.json_schema if parameters.output_object else None
    if tools:
        can_end = parameters.allow_text_output
        return {"grammar": turn_grammar(tools, may_answer=can_end, answer=wanted)}
    return {"grammar": grammar_of(wanted)} if wanted else {}


def _options(settings: ModelSettings, context_tokens: int) -> dict[str, Any]:
    return {
        "max_tokens": settings.get("max_tokens", min(_MOST_TOKENS, context_tokens // 2)),
        "temperature": settings.get("temperature", 0.0),
        "seed": settings.get("seed", 0),
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,  # pieces while the prompt is read, so that it can be cancelled
    }
