"""OpenAI chat data: JSONL of {messages, tools?}; a call's arguments are JSON in a string."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ingest.conversation import Conversation
from hermes.ingest.fields import mapping, moment, sequence
from hermes.ingest.formats.chat_messages import message_turns
from hermes.ingest.formats.dataset import read_dataset
from hermes.ingest.turns import Turn
from hermes.records.codec import Json

SOURCE = "openai"


def read(path: Path) -> Iterator[Conversation]:
    return read_dataset(path, SOURCE, _turns)


def _turns(conversation: Conversation, value: dict[str, Json]) -> Iterator[Turn]:
    if not isinstance(value.get("messages"), list):
        conversation.unknown["line without messages"] += 1
    for number, one in enumerate(sequence(value.get("messages"))):
        message = mapping(one)
        make = partial(Turn, at=moment(message.get("timestamp")))
        yield from message_turns(conversation, message, make, f"message-{number}")
