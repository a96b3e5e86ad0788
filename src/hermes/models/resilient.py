"""A model that speaks our errors, and asks again where waiting helps.

The provider's own client would retry as well, unseen and by rules of its own; it is told not to.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from hermes.errors import ModelFailed, ModelUnreachable
from hermes.models.faults import FAULTS, fault_of
from hermes.models.names import ModelName
from hermes.rules.retrying import wait_before_retry

Note = Callable[[str], None]
Sleep = Callable[[float], Awaitable[None]]


class ResilientModel(WrapperModel):
    """`note` is told of every wait; `sleep` is how a test waits for nothing."""

    def __init__(
        self,
        wrapped: Model,
        name: ModelName,
        note: Note = lambda _: None,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        super().__init__(wrapped)
        self._name = name
        self._note = note
        self._sleep = sleep

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        failures = 0
        while True:
            try:
                return await self.wrapped.request(
                    messages, model_settings, model_request_parameters
                )
            except FAULTS as error:
                failures += 1
                await self._wait_or_raise(fault_of(error, self._name), error, failures)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Opened anew until a first piece of the answer is here; from then on it is as it is."""
        async with AsyncExitStack() as stack:
            failures = 0
            while True:
                attempt = AsyncExitStack()
                try:
                    stream = await attempt.enter_async_context(
                        self.wrapped.request_stream(
                            messages, model_settings, model_request_parameters, run_context
                        )
                    )
                    await self._begin(stream)
                    break
                except FAULTS as error:
                    await attempt.aclose()
                    failures += 1
                    await self._wait_or_raise(fault_of(error, self._name), error, failures)
                except BaseException:
                    await attempt.aclose()
                    raise
            stack.push_async_exit(attempt)
            yield stream

    async def _begin(self, stream: StreamedResponse) -> None:
        """Fetch the first event, and put it back in front of the others.

        `_event_iterator` is what the stream's own `__aiter__` hands to everybody who asks.
        """
        events = aiter(stream)
        try:
            first = await anext(events)
        except StopAsyncIteration:
            return  # an empty answer; whoever asked decides what that means
        stream._event_iterator = self._told(first, events, stream)

    async def _told(
        self,
        first: ModelResponseStreamEvent,
        events: AsyncIterator[ModelResponseStreamEvent],
        stream: StreamedResponse,
    ) -> AsyncIterator[ModelResponseStreamEvent]:
        """The rest of a stream, in our errors. One that just stops is no answer: it said no end."""
        try:
            yield first
            async for event in events:
                yield event
        except FAULTS as error:
            raise fault_of(error, self._name) from error
        if stream.finish_reason is None and not stream.cancelled:
            raise ModelUnreachable(
                f"{self._name.provider}:{self._name.name} broke off in the middle of its answer",
                hint="ask again",
            )

    async def _wait_or_raise(self, fault: ModelFailed, cause: Exception, failures: int) -> None:
        wait = wait_before_retry(fault, failures, random.random())
        if wait is None:
            raise fault from cause
        self._note(f"{fault.message}; asking again in {wait:.1f} s")
        await self._sleep(wait)
