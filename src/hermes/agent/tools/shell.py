"""Shell and Python in the sandbox, with the project writable and nothing else.

The network, or a command outside the sandbox, is for a person to grant, for one command at a time.
Where nobody is there to ask, the answer is no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from hermes.agent.tool import Tool, typed_tool
from hermes.agent.tools.setting_aside import set_aside
from hermes.records.sandbox import NetworkGrant, SandboxPolicy, SandboxResult
from hermes.records.tool_answer import ToolAnswer

if TYPE_CHECKING:
    from hermes.ports import Sandbox
    from hermes.ports.execution import Asker

_LONGEST = 3_600


class Shell(BaseModel):
    command: str = Field(min_length=1, description="run by bash in the project folder")
    seconds: int = Field(default=120, ge=1, le=_LONGEST, description="it is killed after these")
    network: list[str] = Field(
        default_factory=list,
        description="hosts it has to reach, such as pypi.org; the user is asked first",
    )
    outside_sandbox: bool = Field(
        default=False, description="only where the sandbox cannot work; the user is asked first"
    )


class Python(BaseModel):
    code: str = Field(min_length=1, description="a whole program; print what you want to see")
    seconds: int = Field(default=120, ge=1, le=_LONGEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where commands run. `host` is the way around the sandbox, None where there is none.

    `granted` is told what a person allowed, and for which command, before that runs.
    """

    sandbox: Sandbox
    policy: SandboxPolicy
    asker: Asker
    who: str
    granted: Callable[[str, str], None]
    host: Sandbox | None = None


class ShellTools:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def shell(self, asked: Shell) -> ToolAnswer:
        ground = self._ground
        argv, policy = ["bash", "-c", asked.command], _for_seconds(ground.policy, asked.seconds)
        if asked.outside_sandbox:
            if ground.host is None:
                return _denied("nothing runs outside the sandbox here")
            refusal = self._refusal("run outside the sandbox", asked.command)
            if refusal:
                return _denied(refusal)
            facts = self._grant("host command", asked.command)
            return told(ground.host.run(argv, policy), facts)
        if not asked.network:
            return told(ground.sandbox.run(argv, policy), {})
        try:
            grant = NetworkGrant(hosts=tuple(asked.network), approved_by=ground.who)
        except ValueError as error:
            return _denied(str(error))
        hosts = ", ".join(asked.network)
        refusal = self._refusal(f"let this reach {hosts}", asked.command)
        if refusal:
            return _denied(refusal)
        facts = self._grant(f"network to {hosts}", asked.command)
        return told(ground.sandbox.run(argv, replace(policy, network=grant)), facts)

    def python(self, asked: Python) -> ToolAnswer:
        result = self._ground.sandbox.run(
            ["python3", "-"],
            _for_seconds(self._ground.policy, asked.seconds),
            stdin=asked.code.encode("utf-8", "replace"),
        )
        return told(result, {})

    def _grant(self, what: str, command: str) -> dict[str, str]:
        """The audit trail has it first; then it is a fact of the step."""
        self._ground.granted(what, command)
        return {"granted": f"{what}, by {self._ground.who}"}

    def _refusal(self, what: str, command: str) -> str:
        """Empty where a person said yes to it. No character of the command can hide another."""
        shown = "".join(
            one if one.isprintable() or one == "\n" else repr(one)[1:-1] for one in command
        )
        question = f"The agent wants to {what}:\n{shown}\nAllow it this once?"
        allowed = self._ground.asker.allows(question)
        if allowed is None:
            return "nobody is there to allow it, so it is denied"
        return "" if allowed else "the user said no"


def shell_tools(ground: Ground) -> list[Tool]:
    tools = ShellTools(ground)
    where = (
        "It runs in a sandbox: the project folder is writable, there is no network, and nothing "
        "else of this machine is there."
    )
    return [
        typed_tool("shell", f"Run a command with bash. {where}", Shell, tools.shell, touches=True),
        typed_tool("python", f"Run a Python program. {where}", Python, tools.python, touches=True),
    ]


def _for_seconds(policy: SandboxPolicy, seconds: int) -> SandboxPolicy:
    return policy.within(replace(policy.limits, seconds=float(seconds)))


def _denied(why: str) -> ToolAnswer:
    return ToolAnswer(
        text=f"Denied: {why}. Find a way without it, or tell the user what you would need.",
        failed=True,
        facts={"denied": why},
    )


def told(result: SandboxResult, facts: Mapping[str, str]) -> ToolAnswer:
    """A run of the sandbox as the model is told of it."""
    parts = [_text(result.stdout_text, result.stdout_truncated)]
    if result.stderr_text.strip():
        parts.append(f"[stderr]\n{_text(result.stderr_text, result.stderr_truncated)}")
    aside = set_aside(result)
    parts += (*_ends(result), *aside)
    return ToolAnswer(
        text="\n".join(part for part in parts if part.strip()) or "(no output)",
        failed=not result.ok or bool(aside),
        exit_code=result.exit_code,
        facts={**facts, **({} if result.isolated else {"isolated": "no"})},
    )


def _ends(result: SandboxResult) -> Sequence[str]:
    """What is to be said of how it ended, and of what the sandbox kept it from."""
    ends = []
    if result.killed_by is not None:
        ends.append(f"[killed: it took too much {result.killed_by}]")
    elif result.exit_code:
        ends.append(f"[exit code {result.exit_code}]")
    for violation in result.violations[:5]:
        ends.append(f"[the sandbox refused: {violation.kind} {violation.subject}]")
    return ends


def _text(text: str, truncated: bool) -> str:
    return f"{text}\n[cut: there was more]" if truncated else text
