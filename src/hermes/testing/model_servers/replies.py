"""What a scripted server may do when it is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from hermes.records.codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the server says it counted. `cached` is a part of `input`."""

    input: int = 20
    output: int = 10
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Says:
    """A text; streamed word by word where a stream was asked for. `usage` None is left out."""

    text: str
    usage: Usage | None = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Calls:
    """A call of a tool. A text for `arguments` is sent as it is, however wrong."""

    tool: str
    arguments: Mapping[str, Json] | str
    usage: Usage = field(default_factory=Usage)

    @property
    def raw_arguments(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Fails:
    """An error status, with the words and type that the provider would give it.

    With a text for `in_stream` the status is 200, and the error follows that much of an answer.
    """

    status: int
    message: str = "scripted failure"
    kind: str = "scripted_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    in_stream: str | None = None


@dataclass(frozen=True, slots=True)
class Hangs:
    """Nothing, until the server is closed; a stream sends this much of its text first."""

    after: str = ""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Status 200 and these bytes, in a stream as one of its events."""

    data: bytes = b"<html>not what you wanted</html>"


@dataclass(frozen=True, slots=True)
class BreaksOff:
    """A stream that is closed behind this much of its text."""

    text: str


Reply: TypeAlias = Says | Calls | Fails | Hangs | Garbage | BreaksOff


def words(reply: Says | Hangs | BreaksOff | Fails) -> list[str]:
    """What is said of an answer in words, one by one as a stream sends them."""
    if isinstance(reply, Hangs):
        return reply.after.split()
    return ((reply.in_stream or "") if isinstance(reply, Fails) else reply.text).split()
