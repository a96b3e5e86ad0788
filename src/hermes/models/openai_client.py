"""OpenAI's client, sending messages and tools as they are given.

Before it sends a request, the client walks through every message and every tool to translate names
of Python's into names of the wire. Ours have those already, and the walk takes longer than all that
learning adds to a turn. What travels as the extra body is not walked through.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from openai import AsyncOpenAI
from openai.resources.chat import AsyncChat
from openai.resources.chat.completions import AsyncCompletions

_AS_THEY_ARE = ("messages", "tools")


class PlainClient(AsyncOpenAI):
    @cached_property
    def chat(self) -> AsyncChat:
        return _PlainChat(self)


class _PlainChat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _PlainCompletions(self._client)


class _PlainCompletions(AsyncCompletions):
    async def create(  # type: ignore[override]  # the same arguments, whichever they are
        self, *, extra_body: Mapping[str, Any] | None = None, **request: Any
    ) -> Any:
        plain = {
            name: request.pop(name)
            for name in _AS_THEY_ARE
            if isinstance(request.get(name), list)  # else it is the client's own word for nothing
        }
        request.setdefault("messages", [])  # it insists on some; the extra body's take their place
        return await super().create(**request, extra_body={**plain, **(extra_body or {})})
