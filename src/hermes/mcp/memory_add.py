"""`memory_add`: an agent remembers something, and hears what became of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from hermes.app.agent_memory import told
from hermes.app.warm_memory import WarmMemory
from hermes.mcp.tool import Answer, Arguments, Tool
from hermes.records.memory import MemoryKind, Trust
from hermes.records.recall import Remembered


class Note(Arguments):
    text: str = Field(description="one fact, preference or rule, in one sentence")
    kind: Literal["episodic", "semantic", "declarative"] | None = Field(
        default=None, description="what happened, a fact, or a definition; found out if not given"
    )


class Kept(BaseModel):
    """`id` is that of the memory, or of the one that says the same; `reason` says why it waits or
    is refused."""

    outcome: Literal["kept", "known", "waits_for_approval", "refused"]
    id: str | None = None
    supersedes: list[str] = Field(default_factory=list)
    reason: str | None = None


def memory_add(memory: WarmMemory) -> Tool[Note]:
    def run(note: Note, client: str) -> Answer:
        kind = MemoryKind(note.kind) if note.kind else None
        source = f"mcp:{client}" if client else "mcp"
        done = memory.add(note.text, kind, scope=None, source=source, trust=Trust.DERIVED)
        said = told(done)
        return Answer(text=said.text, data=_kept(done), failed=said.failed)

    return Tool(
        name="memory_add",
        about="Remember a lasting fact or a preference of the user. What will be untrue tomorrow "
        "is not remembered. What reads as an instruction waits until a person allows it.",
        arguments=Note,
        answers=Kept,
        run=run,
    )


def _kept(done: Remembered) -> Kept:
    if done.refused is not None:
        return Kept(outcome="refused", reason=done.refused)
    if done.memory is None:
        return Kept(outcome="known", id=done.merged_into)
    waits = done.waits_for_approval
    return Kept(
        outcome="waits_for_approval" if waits else "kept",
        id=done.memory.id,
        supersedes=list(done.superseded),
        reason=waits,
    )
