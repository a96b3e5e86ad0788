"""One item of a Codex rollout → turns. The items are those of the Responses interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from hermes.ingest.conversation import Conversation
from hermes.ingest.decoding import arguments_of, structured
from hermes.ingest.fields import integer, mapping, plain_text, sequence, string
from hermes.ingest.outcomes import Outcome, outcome_of
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.codec import Json

# What the program itself puts into the conversation in the user's name.
_PROGRAM_TAGS = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<skill>",
    "<hook_prompt",
    "# AGENTS.md instructions",
)
_SILENT = frozenset(
    ("ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other")
)


def is_user_prompt(item: dict[str, Json]) -> bool:
    """Whether the item is something that the user said: it starts one of their turns."""
    return item.get("type") == "message" and item.get("role") == "user" and bool(_prompt(item))


def _prompt(item: dict[str, Json]) -> str:
    parts = [plain_text([part]).strip() for part in sequence(item.get("content"))]
    return "\n".join(part for part in parts if part and not part.startswith(_PROGRAM_TAGS))


@dataclass(slots=True)
class ItemReader:
    """Holds what events told of a call until its output comes: at most one entry per open call."""

    conversation: Conversation
    ended: dict[str, tuple[bool | None, int | None]] = field(default_factory=dict)

    def event(self, payload: dict[str, Json]) -> None:
        """Some events know more than the item: how a command, patch or tool of a server ended."""
        call_id = string(payload.get("call_id"))
        if not call_id:
            return
        exit_code = integer(payload.get("exit_code"))
        if exit_code is not None:
            self.ended[call_id] = (exit_code != 0, exit_code)
        elif isinstance(payload.get("success"), bool):
            self.ended[call_id] = (not payload["success"], None)

    def turns(self, item: dict[str, Json], make: partial[Turn]) -> Iterator[Turn]:
        kind = string(item.get("type"))
        if kind == "message":
            yield from self._message(item, make)
        elif kind == "reasoning":
            words = plain_text(item.get("summary")) or plain_text(item.get("content"))
            if words.strip():
                yield make(kind=TurnKind.THOUGHT, text=words.strip())
        elif kind.endswith("_call_output") or kind == "tool_search_output":
            yield self._result(item, make)
        elif kind.endswith("_call"):
            yield _call(kind, item, make)
        elif kind not in _SILENT:
            self.conversation.unknown[f"item {kind or 'without type'}"] += 1

    def _message(self, item: dict[str, Json], make: partial[Turn]) -> Iterator[Turn]:
        role = item.get("role")
        if role == "user":
            if words := _prompt(item):
                yield make(kind=TurnKind.USER, text=words)
        elif role == "assistant" and (words := plain_text(item.get("content")).strip()):
            yield make(kind=TurnKind.ASSISTANT, text=words)

    def _result(self, item: dict[str, Json], make: partial[Turn]) -> Turn:
        call_id = string(item.get("call_id"))
        output = item.get("output")
        wrapped = mapping(output)
        outcome = outcome_of(wrapped.get("content") if "content" in wrapped else output)
        failed, exit_code = self.ended.pop(call_id, (None, None))
        if isinstance(wrapped.get("success"), bool):
            failed = not wrapped["success"]
        said = Outcome(outcome.text, failed, exit_code) if failed is not None else outcome
        return make(
            kind=TurnKind.RESULT,
            call_id=call_id,
            text=said.text,
            failed=said.failed,
            exit_code=outcome.exit_code if said.exit_code is None else said.exit_code,
        )


def _call(kind: str, item: dict[str, Json], make: partial[Turn]) -> Turn:
    call_id = string(item.get("call_id")) or string(item.get("id"))
    if kind == "function_call":
        arguments = arguments_of(item.get("arguments"))
    elif kind == "custom_tool_call":
        arguments = {"input": string(item.get("input"))}
    else:  # local_shell_call, web_search_call and their kind: the act is an object
        arguments = structured(item.get("action"))
        arguments = {name: value for name, value in arguments.items() if value is not None}
    return make(
        kind=TurnKind.CALL,
        tool=string(item.get("name")) or kind,
        call_id=call_id,
        arguments=arguments,
    )
