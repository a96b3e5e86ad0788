"""A scenario, run, as the log that Claude Code keeps of it.

One line per message part, tied together by `parentUuid`. A rewind leaves a second child behind; a
subagent's lines are a file of their own, marked as a side chain.
"""

from __future__ import annotations

import json
import re
from typing import Any

from demo_logs.claude_results import Result, delegated, edited, planned, ran, read, wrote
from demo_logs.scenario import (
    Abandons,
    Act,
    Asks,
    Delegates,
    Edits,
    Plans,
    Reads,
    Runs,
    Says,
    Scenario,
    Thinks,
    Writes,
)
from demo_logs.seeded import Seeded, tokens
from demo_logs.workspace import Workspace

Line = dict[str, Any]
_VERSION = "2.1.63"
_MODEL = "claude-sonnet-4-5-20250929"


def claude_code_log(scenario: Scenario, here: Workspace) -> dict[str, str]:
    """The files of the log: path below the agent's home → text."""
    seeded = Seeded(scenario.name, scenario.started)
    session = seeded.uuid()
    folder = "projects/" + re.sub(r"[^A-Za-z0-9]", "-", scenario.cwd)
    log = _Log(scenario.cwd, session, seeded, here)
    log.snapshot()
    log.play(scenario.acts)
    files = {f"{folder}/{session}.jsonl": log.text()}
    for agent_id, side in log.sides.items():
        files[f"{folder}/{session}/subagents/agent-{agent_id}.jsonl"] = side.text()
    return files


class _Log:
    """The lines written so far, and the one that the next hangs on."""

    def __init__(
        self, cwd: str, session: str, seeded: Seeded, here: Workspace, agent_id: str | None = None
    ) -> None:
        self.sides: dict[str, _Log] = {}
        self._cwd = cwd
        self._session = session
        self._seeded = seeded
        self._here = here
        self._agent_id = agent_id
        self._parent: str | None = None
        self._lines: list[Line] = []
        self._cached = 9000
        self._fresh = 0

    def text(self) -> str:
        lines = (
            json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in self._lines
        )
        return "\n".join(lines) + "\n"

    def snapshot(self) -> None:
        """What the agent notes down first, so that a rewind can bring files back."""
        message = self._seeded.uuid()
        backups: Line = {
            "messageId": message,
            "trackedFileBackups": {},
            "timestamp": self._seeded.stamp(),
        }
        self._lines.append(
            {
                "type": "file-history-snapshot",
                "messageId": message,
                "snapshot": backups,
                "isSnapshotUpdate": False,
            }
        )

    def play(self, acts: tuple[Act, ...]) -> None:
        for act in acts:
            self._play(act)

    def _play(self, act: Act) -> None:
        match act:
            case Asks(text):
                self._seeded.wait(8, 60)
                self._user(text, {})
            case Says(text):
                self._assistant({"type": "text", "text": text}, text)
            case Thinks(text):
                part = {"type": "thinking", "thinking": text, "signature": self._seeded.letters(64)}
                self._assistant(part, text)
            case Abandons(acts):
                kept = self._parent
                self.play(acts)
                self._parent = kept
            case _:
                self._tool(act)

    def _tool(self, act: Runs | Reads | Writes | Edits | Plans | Delegates) -> None:
        """A call and its result: two lines, the second of them a user's."""
        result = self._done(act)
        call = "toolu_01" + self._seeded.letters(22)
        part = {"type": "tool_use", "id": call, "name": result.tool, "input": result.arguments}
        self._assistant(part, json.dumps(result.arguments), stop="tool_use")
        asked = self._parent
        if isinstance(act, Delegates):
            side = self.sides[result.structured["agentId"]]
            side.play((Asks(act.prompt), *act.acts, Says(act.answer)))
        self._seeded.wait(0.05, 0.9)
        block: Line = {"tool_use_id": call, "type": "tool_result", "content": result.content}
        if result.failed is not None:
            block["is_error"] = result.failed
        extra = {"toolUseResult": result.structured, "sourceToolAssistantUUID": asked}
        self._user([block], extra)

    def _done(self, act: Runs | Reads | Writes | Edits | Plans | Delegates) -> Result:
        match act:
            case Runs(command, why):
                return ran(command, why, self._here.run(command))
            case Reads(path):
                return read(f"{self._cwd}/{path}", self._here.read(path))
            case Writes(path):
                self._here.write(path, act.text)
                return wrote(f"{self._cwd}/{path}", act.text)
            case Edits(path, old, new):
                before = self._here.edit(path, old, new)
                return edited(f"{self._cwd}/{path}", old, new, before)
            case Plans(items, done):
                return planned(items, done)
            case Delegates():
                agent_id = self._side()
                return delegated(act.what, act.prompt, act.answer, agent_id)

    def _side(self) -> str:
        """A subagent's log, still empty: it begins when the call is written down."""
        agent_id = "a" + self._seeded.hex(16)
        self.sides[agent_id] = _Log(self._cwd, self._session, self._seeded, self._here, agent_id)
        return agent_id

    def _user(self, content: str | list[Line], extra: Line) -> None:
        self._fresh += tokens(json.dumps(content))
        self._add("user", {"role": "user", "content": content}, extra)

    def _assistant(self, part: Line, text: str, stop: str | None = None) -> None:
        self._seeded.wait(1.5, 9)
        written = tokens(text)
        message: Line = {
            "model": _MODEL,
            "id": "msg_01" + self._seeded.letters(22),
            "type": "message",
            "role": "assistant",
            "content": [part],
            "stop_reason": stop or ("end_turn" if part["type"] == "text" else None),
            "stop_sequence": None,
            "usage": {
                "input_tokens": 4,
                "cache_creation_input_tokens": self._fresh,
                "cache_read_input_tokens": self._cached,
                "output_tokens": written,
                "service_tier": "standard",
            },
        }
        self._cached, self._fresh = self._cached + self._fresh, written
        self._add("assistant", message, {"requestId": "req_011" + self._seeded.letters(21)})

    def _add(self, kind: str, message: Line, extra: Line) -> None:
        line: Line = {"parentUuid": self._parent, "isSidechain": self._agent_id is not None}
        if self._agent_id:
            line["agentId"] = self._agent_id
        self._parent = self._seeded.uuid()
        self._lines.append(
            {
                **line,
                "userType": "external",
                "cwd": self._cwd,
                "sessionId": self._session,
                "version": _VERSION,
                "gitBranch": "main",
                "type": kind,
                "message": message,
                "uuid": self._parent,
                "timestamp": self._seeded.stamp(),
                **extra,
            }
        )
