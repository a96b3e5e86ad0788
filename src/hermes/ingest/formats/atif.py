"""ATIF 1.x: one JSON document per trajectory, its subagents' trajectories inside it.

A run may go on in another document, under the same session. Steps that are copied there for context
say so, and are left out: they were told where they happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ingest.conversation import Conversation, Mark, marked, unreadable
from hermes.ingest.decoding import Malformed, arguments_of, decode, structured
from hermes.ingest.fields import integer, mapping, moment, plain_text, sequence, string, total
from hermes.ingest.lines import MAX_LINE, read_document
from hermes.ingest.outcomes import outcome_of
from hermes.ingest.turns import Heading, Turn, TurnKind
from hermes.records.codec import Json

SOURCE = "atif"

_MAX_GENERATIONS = 10  # subagents of subagents


def read(path: Path) -> Iterator[Conversation]:
    data = read_document(path)
    if data is None:
        yield unreadable(path, SOURCE, f"larger than {MAX_LINE // 2**20} MiB in one piece")
        return
    try:
        value = decode(data)
    except Malformed as error:
        yield unreadable(path, SOURCE, str(error))
        return
    if not isinstance(value, dict):
        yield unreadable(path, SOURCE, "expected one object")
        return
    yield from _family(path, value, None, path.stem, _MAX_GENERATIONS, len(data))


def _family(
    path: Path,
    value: dict[str, Json],
    parent: str | None,
    name: str,
    generations: int,
    size: int = 0,
) -> Iterator[Conversation]:
    """A trajectory, then those of its subagents."""
    own = string(value.get("trajectory_id")) or (
        string(value.get("session_id")) if not parent else ""
    )
    own = own or name
    steps = [mapping(step) for step in sequence(value.get("steps"))]
    agent = mapping(value.get("agent"))
    heading = Heading(
        source=SOURCE,
        external_id=own,
        parent_external_id=parent,
        cwd=string(mapping(value.get("extra")).get("cwd")) or None,
        model=string(agent.get("model_name")) or _first_model(steps),
        started_at=next((at for step in steps if (at := moment(step.get("timestamp")))), None),
    )
    conversation = Conversation(heading=heading, file=path, bytes_read=size)
    if not steps:
        conversation.note(1, "a trajectory without steps")
    conversation.turns = marked(_turns(conversation, steps, _part_of_key(path, steps)))
    yield conversation
    for number, child in enumerate(sequence(value.get("subagent_trajectories"))):
        if generations and isinstance(child, dict):
            yield from _family(path, child, own, f"{own}/{number}", generations - 1)


def _first_model(steps: list[dict[str, Json]]) -> str | None:
    return next((name for step in steps if (name := string(step.get("model_name")))), None)


def _part_of_key(path: Path, steps: list[dict[str, Json]]) -> str:
    """Documents of one session count their steps from 1 each; a continuation is told apart."""
    return f"{path.stem}:" if any(map(_is_copied, steps)) else ""


def _is_copied(step: dict[str, Json]) -> bool:
    return step.get("is_copied_context") is True


def _turns(
    conversation: Conversation, steps: list[dict[str, Json]], part: str
) -> Iterator[Turn | Mark]:
    for number, step in enumerate(steps, start=1):
        if _is_copied(step):
            continue
        source = string(step.get("source"))
        key = f"{part}step-{number}"
        make = partial(Turn, at=moment(step.get("timestamp")))
        words = plain_text(step.get("message")).strip()
        if source == "user":
            if words:
                yield make(kind=TurnKind.USER, key=key, text=words)
        elif source == "agent":
            yield from _agent_step(step, words, make, key)
            yield Mark(tokens=_tokens(mapping(step.get("metrics"))))
        elif source != "system":
            conversation.unknown[f"source {source or 'missing'}"] += 1
        yield from _results(step, make, key)


def _tokens(metrics: dict[str, Json]) -> int | None:
    """Cached tokens are part of the prompt's; they were not new to the model."""
    spent = total(metrics.get("prompt_tokens"), metrics.get("completion_tokens"))
    return None if spent is None else max(0, spent - (integer(metrics.get("cached_tokens")) or 0))


def _agent_step(step: dict[str, Json], words: str, make: partial[Turn], key: str) -> Iterator[Turn]:
    if thought := string(step.get("reasoning_content")).strip():
        yield make(kind=TurnKind.THOUGHT, key=f"{key}:thought", text=thought)
    if words:
        yield make(kind=TurnKind.ASSISTANT, key=key, text=words)
    for number, one in enumerate(sequence(step.get("tool_calls"))):
        call = mapping(one)
        yield make(
            kind=TurnKind.CALL,
            key=f"{key}:call-{number}",
            tool=string(call.get("function_name")),
            call_id=string(call.get("tool_call_id")),
            arguments=arguments_of(call.get("arguments")),
        )


def _results(step: dict[str, Json], make: partial[Turn], key: str) -> Iterator[Turn]:
    results = sequence(mapping(step.get("observation")).get("results"))
    for number, one in enumerate(results):
        result = mapping(one)
        outcome = outcome_of(result.get("content"))
        yield make(
            kind=TurnKind.RESULT,
            key=f"{key}:result-{number}",
            call_id=string(result.get("source_call_id")),
            text=outcome.text,
            failed=outcome.failed,
            exit_code=outcome.exit_code,
            data=structured(result.get("extra")),
        )
