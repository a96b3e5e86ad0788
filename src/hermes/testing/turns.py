"""A conversation written down in a few lines, for whoever tests what comes after a reader."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hermes.ingest.conversation import Conversation
from hermes.ingest.turns import Heading, Turn, TurnKind

BEGAN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Talk:
    """Turns one second apart, each with a key of its own that is the same each time."""

    def __init__(self, name: str = "one", cwd: str | None = "/home/ann/proj") -> None:
        self.name = name
        self.cwd = cwd
        self.turns: list[Turn] = []

    def user(self, text: str, **fields: Any) -> Talk:
        return self._add(TurnKind.USER, text=text, **fields)

    def agent(self, text: str, **fields: Any) -> Talk:
        return self._add(TurnKind.ASSISTANT, text=text, **fields)

    def thinks(self, text: str) -> Talk:
        return self._add(TurnKind.THOUGHT, text=text)

    def calls(self, tool: str, call_id: str = "", **arguments: Any) -> Talk:
        name = call_id or f"call-{len(self.turns)}"
        return self._add(TurnKind.CALL, tool=tool, call_id=name, arguments=arguments)

    def result(self, text: str, call_id: str = "", **fields: Any) -> Talk:
        name = call_id or next(
            (turn.call_id for turn in reversed(self.turns) if turn.kind is TurnKind.CALL), ""
        )
        values: dict[str, Any] = {"failed": False} | fields
        return self._add(TurnKind.RESULT, text=text, call_id=name, **values)

    def does(self, tool: str, output: str, **arguments: Any) -> Talk:
        """A call and its result."""
        return self.calls(tool, **arguments).result(output)

    def conversation(self, upto: int | None = None, **heading: Any) -> Conversation:
        values: dict[str, Any] = {"source": "claude-code", "external_id": self.name}
        values |= {"cwd": self.cwd, "started_at": BEGAN, "title": "a talk"} | heading
        return Conversation(
            heading=Heading(**values),
            file=Path(f"/logs/{self.name}.jsonl"),
            turns=iter(self.turns[:upto]),
        )

    def _add(self, kind: TurnKind, **fields: Any) -> Talk:
        place = len(self.turns)
        values: dict[str, Any] = {"at": BEGAN + timedelta(seconds=place)} | fields
        self.turns.append(Turn(kind=kind, key=f"{self.name}-{place}", **values))
        return self


def texts(turns: Iterable[Turn]) -> list[str]:
    return [turn.text for turn in turns]
