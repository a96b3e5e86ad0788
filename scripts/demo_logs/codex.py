"""A scenario, run, as the rollout that Codex keeps of it: a flat list of what went over the wire.

Files are written by patches, and read by commands like anything else.
"""

from __future__ import annotations

import json
from typing import Any

from demo_logs.scenario import (
    Act,
    Asks,
    CodexShell,
    Edits,
    Plans,
    Runs,
    Says,
    Scenario,
    Thinks,
    Writes,
)
from demo_logs.seeded import Seeded, tokens
from demo_logs.workspace import Outcome, Workspace

Payload = dict[str, Any]
_MODEL = "gpt-5-codex"
_VERSIONS = {
    CodexShell.ARGV: "0.46.0",
    CodexShell.LINE: "0.80.0",
    CodexShell.TERMINAL: "0.104.0",
}
_ENVIRONMENT = """<environment_context>
  <cwd>{cwd}</cwd>
  <approval_policy>on-request</approval_policy>
  <sandbox_mode>workspace-write</sandbox_mode>
  <network_access>restricted</network_access>
  <shell>bash</shell>
</environment_context>"""


def codex_log(scenario: Scenario, here: Workspace) -> dict[str, str]:
    """The one file of the log: path below the agent's home → text."""
    seeded = Seeded(scenario.name, scenario.started)
    thread = seeded.uuid()
    started = scenario.started
    path = f"sessions/{started:%Y/%m/%d}/rollout-{started:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"
    rollout = _Rollout(scenario, seeded, here)
    rollout.open(thread)
    for act in scenario.acts:
        rollout.play(act)
    return {path: rollout.text()}


class _Rollout:
    """The items written so far."""

    def __init__(self, scenario: Scenario, seeded: Seeded, here: Workspace) -> None:
        self._cwd = scenario.cwd
        self._shell = scenario.shell
        self._seeded = seeded
        self._here = here
        self._items: list[Payload] = []
        self._seen = 6000
        self._billed = 0
        self._written = 0

    def text(self) -> str:
        items = (
            json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in self._items
        )
        return "\n".join(items) + "\n"

    def open(self, thread: str) -> None:
        meta = {
            "id": thread,
            "timestamp": self._seeded.stamp(),
            "cwd": self._cwd,
            "originator": "codex_cli_rs",
            "cli_version": _VERSIONS[self._shell],
            "source": "cli",
            "model_provider": "openai",
            "git": {"branch": "main"},
        }
        self._add("session_meta", meta)
        self._message("user", "input_text", _ENVIRONMENT.format(cwd=self._cwd))

    def play(self, act: Act) -> None:
        match act:
            case Asks(text):
                self._asked(text)
            case Says(text):
                self._seeded.wait(1, 6)
                self._message("assistant", "output_text", text)
                self._add("event_msg", {"type": "agent_message", "message": text})
                self._spent(text)
            case Thinks(text):
                self._seeded.wait(1, 6)
                summary = [{"type": "summary_text", "text": text}]
                item = {"type": "reasoning", "summary": summary, "encrypted_content": None}
                self._add("response_item", item)
            case Runs(command):
                self._ran(command)
            case Writes(path):
                self._here.write(path, act.text)
                added = "".join(f"+{line}\n" for line in act.text.splitlines())
                self._patched(f"*** Add File: {path}\n{added}", f"A {path}")
            case Edits(path, old, new):
                self._here.edit(path, old, new)
                self._patched(f"*** Update File: {path}\n@@\n{_hunk(old, new)}", f"M {path}")
            case Plans(items, done):
                self._planned(items, done)
            case _:
                raise TypeError(f"Codex has no tool for {type(act).__name__}")

    def _asked(self, text: str) -> None:
        self._seeded.wait(8, 60)
        context = {
            "cwd": self._cwd,
            "approval_policy": "on-request",
            "sandbox_policy": {"mode": "workspace-write", "network_access": False},
            "model": _MODEL,
            "effort": "medium",
            "summary": "auto",
        }
        self._add("turn_context", context)
        self._message("user", "input_text", text)
        self._add("event_msg", {"type": "user_message", "message": text, "kind": "plain"})

    def _message(self, role: str, kind: str, text: str) -> None:
        item = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        self._seen += tokens(text)
        self._add("response_item", item)

    def _ran(self, command: str) -> None:
        arguments: dict[CodexShell, Payload] = {
            CodexShell.ARGV: {"command": ["bash", "-lc", command], "workdir": self._cwd},
            CodexShell.LINE: {"command": command, "workdir": self._cwd},
            CodexShell.TERMINAL: {"cmd": command, "workdir": self._cwd},
        }
        call = self._called(self._shell.value, arguments[self._shell])
        outcome = self._here.run(command)
        output = _answer(self._shell, outcome, self._seeded.wait(0.02, 0.6), self._seeded.hex(6))
        self._answered(call, output)

    def _planned(self, items: tuple[str, ...], done: int) -> None:
        plan = [
            {"step": item, "status": "completed" if place < done else "pending"}
            for place, item in enumerate(items)
        ]
        self._answered(self._called("update_plan", {"plan": plan}), "Plan updated")

    def _called(self, name: str, arguments: Payload) -> str:
        self._seeded.wait(1, 6)
        call = "call_" + self._seeded.letters(24)
        text = json.dumps(arguments, ensure_ascii=False)
        item = {"type": "function_call", "name": name, "arguments": text, "call_id": call}
        self._add("response_item", item)
        self._spent(text)
        return call

    def _answered(self, call: str, output: str) -> None:
        item = {"type": "function_call_output", "call_id": call, "output": output}
        self._seen += tokens(output)
        self._add("response_item", item)

    def _patched(self, body: str, touched: str) -> None:
        self._seeded.wait(2, 9)
        call = "call_" + self._seeded.letters(24)
        patch = f"*** Begin Patch\n{body}*** End Patch\n"
        item = {
            "type": "custom_tool_call",
            "status": "completed",
            "call_id": call,
            "name": "apply_patch",
            "input": patch,
        }
        self._add("response_item", item)
        self._spent(patch)
        said = f"Success. Updated the following files:\n{touched}\n"
        meta = {"exit_code": 0, "duration_seconds": round(self._seeded.wait(0.01, 0.1), 1)}
        output = json.dumps({"output": said, "metadata": meta})
        item = {"type": "custom_tool_call_output", "call_id": call, "output": output}
        self._add("response_item", item)

    def _spent(self, text: str) -> None:
        """The running count that Codex notes after each answer of the model."""
        written = tokens(text)
        self._billed += self._seen
        self._written += written
        last = {"input_tokens": self._seen, "output_tokens": written}
        total = {
            "input_tokens": self._billed,
            "output_tokens": self._written,
            "total_tokens": self._billed + self._written,
        }
        self._seen += written
        info = {"total_token_usage": total, "last_token_usage": last}
        self._add("event_msg", {"type": "token_count", "info": info})

    def _add(self, kind: str, payload: Payload) -> None:
        self._items.append({"timestamp": self._seeded.stamp(), "type": kind, "payload": payload})


def _answer(shell: CodexShell, outcome: Outcome, seconds: float, chunk: str) -> str:
    """The same result in the words of three versions."""
    if shell is CodexShell.ARGV:
        meta = {"exit_code": outcome.exit_code, "duration_seconds": round(seconds, 1)}
        return json.dumps({"output": outcome.text, "metadata": meta}, ensure_ascii=False)
    if shell is CodexShell.LINE:
        head = f"Exit code: {outcome.exit_code}\nWall time: {seconds:.1f} seconds\n"
        return f"{head}Output:\n{outcome.text}"
    return (
        f"Chunk ID: {chunk}\nWall time: {seconds:.4f} seconds\n"
        f"Process exited with code {outcome.exit_code}\n"
        f"Original token count: {tokens(outcome.text)}\nOutput:\n{outcome.text}"
    )


def _hunk(old: str, new: str) -> str:
    """Whole lines taken out, whole lines put in; what both have stays as context."""
    gone, come = old.splitlines(), new.splitlines()
    same = 0
    while same < min(len(gone), len(come)) and gone[same] == come[same]:
        same += 1
    lines = [f" {line}" for line in gone[:same]]
    lines += [f"-{line}" for line in gone[same:]]
    lines += [f"+{line}" for line in come[same:]]
    return "\n".join(lines) + "\n"
