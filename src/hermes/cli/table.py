"""Every command: its name, the file that holds it, one line, one example.

A static table, because start-up is a feature: `hermes --help` reads this and imports no command.
A command is listed when it exists, not before.
"""

from __future__ import annotations

from collections.abc import Iterable

from hermes.cli.exits import UsageError


class Entry:
    """Where a command lives and how it is announced (a dataclass would cost 17 ms here)."""

    __slots__ = ("example", "module", "summary")

    def __init__(self, module: str, summary: str, example: str) -> None:
        self.module = module
        self.summary = summary
        self.example = example


COMMANDS = {
    "run": Entry(
        "hermes.cli.run",
        "one task for the agent, for scripts and cron; the exit code says how it went",
        'hermes run "how many lines has data.csv? write it to out.txt" --expect out.txt',
    ),
    "learn": Entry(
        "hermes.cli.learn",
        "session logs of any agent in, proven drafts out",
        "hermes learn ~/.claude/projects",
    ),
    "skills": Entry(
        "hermes.cli.skills",
        "read the library, see why it is as it is, act on it",
        "hermes skills list",
    ),
    "review": Entry(
        "hermes.cli.review",
        "decide what waits: show, approve, reject",
        "hermes review list",
    ),
    "trajectories": Entry(
        "hermes.cli.trajectories",
        "what was done, step by step, and how it went; forget what should not be kept",
        "hermes trajectories list",
    ),
    "rate": Entry(
        "hermes.cli.rating",
        "say how well something was done: up, down, or 1 to 5",
        "hermes rate trajectory_0c8xk2 up",
    ),
    "correct": Entry(
        "hermes.cli.correcting",
        "say what should have happened instead",
        'hermes correct trajectory_0c8xk2 "leave out cancelled orders"',
    ),
    "score-task": Entry(
        "hermes.cli.score_task",
        "how much there is to learn from a task, and how to word it better",
        'hermes score-task "Every Monday mail a PDF of the sales in sales.csv"',
    ),
    "examples": Entry(
        "hermes.cli.examples",
        "what is kept to learn from: read, approve, reject, add",
        "hermes examples list",
    ),
    "patterns": Entry(
        "hermes.cli.patterns",
        "which examples belong together, why, and what came of it",
        "hermes patterns list",
    ),
    "releases": Entry(
        "hermes.cli.releases",
        "what is live and what was, and who let it live",
        "hermes releases list",
    ),
    "memory": Entry(
        "hermes.cli.memory",
        "what is remembered: add, search, look through, allow, forget",
        'hermes memory search "which port does staging use"',
    ),
    "serve": Entry(
        "hermes.cli.serve",
        "the REST API, for programs on this machine",
        "hermes serve --port 8080",
    ),
    "mcp": Entry(
        "hermes.cli.mcp",
        "an MCP server on standard input and output, for other agents",
        "hermes mcp",
    ),
    "worker": Entry(
        "hermes.cli.worker",
        "do what was left to be done in the background: learning, reviews, health",
        "hermes worker --until-idle",
    ),
    "stats": Entry(
        "hermes.cli.stats",
        "what there is, what waits, and how background work goes",
        "hermes stats",
    ),
    "events": Entry(
        "hermes.cli.events",
        "the audit trail, one sentence a line",
        "hermes events --skill tidy-csv",
    ),
    "db": Entry(
        "hermes.cli.db",
        "migrate, verify, back up, restore and copy the database",
        "hermes db verify",
    ),
    "doctor": Entry(
        "hermes.cli.doctor",
        "what works on this machine, and what to do about what does not",
        "hermes doctor",
    ),
    "bench": Entry(
        "hermes.cli.bench",
        "what it costs and how well it finds, measured now",
        "hermes bench latency",
    ),
    "demo": Entry(
        "hermes.cli.demo",
        "the whole life of a skill, in a temporary home",
        "hermes demo",
    ),
    "model": Entry(
        "hermes.cli.model",
        "which model is used, and which files are here; get one that needs no key",
        "hermes model use openai:gpt-5",
    ),
    "config": Entry(
        "hermes.cli.config",
        "read and change settings",
        "hermes config set model openai:gpt-5",
    ),
}


def not_a_command(wrong: str, known: Iterable[str], prog: str) -> UsageError:
    """The error for a name that nobody has; it names the one that was probably meant."""
    from difflib import get_close_matches

    near = get_close_matches(wrong, list(known), n=1)
    hint = f"did you mean `{prog} {near[0]}`?" if near else f"see `{prog} --help`"
    return UsageError(f"{wrong!r} is not a command of `{prog}`", hint=hint)
