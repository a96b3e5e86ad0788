"""A library of any size to test and measure with: clean, quirky and broken skills, by seed.

Most files are as their format wants them; a quarter is odd in one of the ways seen in public
skills, and readable all the same; a few are broken for good. Each says what it is, so that a test
can know what a reader must make of it. The same seed writes the same bytes.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes.testing.skill_words import SETTINGS, TRADES, Trade

QUIRKY_SHARE = 0.25
BROKEN_SHARE = 0.05
SCRIPT_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class CorpusSkill:
    """`kind` is how it was written; `task` is what somebody who needs it would ask for."""

    name: str
    file: str
    kind: str
    readable: bool
    category: str
    task: str


@dataclass(frozen=True, slots=True)
class CorpusReport:
    skills: tuple[CorpusSkill, ...]

    @property
    def readable(self) -> int:
        return sum(skill.readable for skill in self.skills)

    @property
    def broken(self) -> int:
        return len(self.skills) - self.readable

    @property
    def kinds(self) -> Mapping[str, int]:
        return Counter(skill.kind for skill in self.skills)


@dataclass(frozen=True, slots=True)
class _Idea:
    """What a skill is about, before it is written in one way or another."""

    name: str
    description: str
    tags: tuple[str, ...]
    category: str
    body: str
    task: str


_Writer = Callable[[_Idea], str | bytes]


def write_corpus(root: Path, count: int, seed: int) -> CorpusReport:
    """Write `count` skill folders under root, which need not exist; what was written."""
    rng = random.Random(seed)
    skills = []
    for number in _combinations(rng, count):
        idea = _idea(rng, number)
        kind, writer, readable = _kind(rng)
        written = writer(idea)
        file = "skill.md" if kind == "lower_case_file" else "SKILL.md"
        folder = root / idea.name
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / file, written if isinstance(written, bytes) else written.encode())
        if rng.random() < SCRIPT_SHARE:
            (folder / "scripts").mkdir(exist_ok=True)
            _write(folder / "scripts" / "run.py", f'print("{idea.name}")\n'.encode())
        skills.append(CorpusSkill(idea.name, file, kind, readable, idea.category, idea.task))
    return CorpusReport(tuple(skills))


def _write(path: Path, data: bytes) -> None:
    """Without the text layer of `Path.write_text`: ten thousand files are written in a second."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _combinations(rng: random.Random, count: int) -> list[int]:
    """Different numbers, each one skill; beyond all combinations they go round again."""
    trade = TRADES[0]
    each = len(trade.verbs) * len(trade.things) * len(trade.tools) * len(SETTINGS)
    size = each * len(TRADES)
    rounds, rest = divmod(count, size)
    return [*range(rounds * size), *(rounds * size + n for n in rng.sample(range(size), rest))]


def _idea(rng: random.Random, number: int) -> _Idea:
    """Each number picks a trade, a verb, a thing, a tool and a setting of its own."""
    number, at = divmod(number, len(TRADES))
    trade = TRADES[at]
    parts = []
    for choices in (trade.verbs, trade.things, trade.tools, SETTINGS):
        number, at = divmod(number, len(choices))
        parts.append(choices[at])
    verb, thing, tool, setting = parts
    words = f"{verb} {thing} {tool} {setting}" + (f" {number}" if number else "")
    return _Idea(
        name=words.replace(" ", "-"),
        description=(
            f"{verb.capitalize()} {thing} with {tool} {setting}. "
            f"Use when somebody asks to {verb} {thing} or mentions {tool}."
        ),
        tags=(trade.category, tool, verb.replace(" ", "-")),
        category=trade.category,
        body=_body(rng, trade, parts),
        task=f"please {verb} the {thing} {setting}",
    )


def _body(rng: random.Random, trade: Trade, parts: list[str]) -> str:
    verb, thing, tool, setting = parts
    steps = [
        f"Find out which {thing} are meant, and where they are.",
        f"Run `{rng.choice(trade.commands).format(thing=thing.replace(' ', '-'))}`.",
        f"Check the result with {tool} {setting}.",
        f"Say what was done to the {thing} and what is left to do.",
    ]
    for _ in range(rng.randrange(4)):
        other = rng.choice(trade.things)
        steps.insert(
            rng.randrange(len(steps)), f"{rng.choice(trade.verbs).capitalize()} the {other}."
        )
    numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    pitfalls = "\n".join(f"- {pitfall}" for pitfall in trade.pitfalls)
    return (
        f"# {verb.capitalize()} {thing}\n\n## Steps\n\n{numbered}\n\n"
        f"## Pitfalls\n\n{pitfalls}\n\n## Check\n\nNo {thing} may be lost: count them.\n"
    )


def _kind(rng: random.Random) -> tuple[str, _Writer, bool]:
    dice = rng.random()
    if dice < BROKEN_SHARE:
        group, readable = BROKEN, False
    elif dice < BROKEN_SHARE + QUIRKY_SHARE:
        group, readable = QUIRKY, True
    else:
        group, readable = CLEAN, True
    kind = rng.choice(list(group))
    return kind, group[kind], readable


def _file(frontmatter: str, body: str) -> str:
    return f"---\n{frontmatter}\n---\n\n{body}"


def _plain(idea: _Idea, *more: str) -> str:
    """The file as its format wants it, with more lines of frontmatter."""
    head = f"name: {idea.name}\ndescription: {idea.description}"
    return _file("\n".join([head, *more]), idea.body)


def _tag_list(idea: _Idea) -> str:
    return ", ".join(idea.tags)


CLEAN: Mapping[str, _Writer] = {
    "plain": _plain,
    "quoted": lambda idea: _file(
        f'name: {idea.name}\ndescription: "{idea.description}"', idea.body
    ),
    "with_metadata": lambda idea: _plain(
        idea, "license: MIT", "metadata:", f"  tags: {_tag_list(idea)}", '  version: "1.10"'
    ),
    "folded": lambda idea: _file(
        f"name: {idea.name}\ndescription: >\n  "
        + idea.description.replace(". ", ".\n  ")
        + "\nallowed-tools: Read Bash",
        idea.body,
    ),
}

QUIRKY: Mapping[str, _Writer] = {
    "hermes_agent": lambda idea: _plain(
        idea,
        *("version: 1.0.0", "platforms: [linux, macos]", "metadata:", "  hermes:"),
        *(f"    tags: [{_tag_list(idea)}]", f"    category: {idea.category}"),
    ),
    "claude_code": lambda idea: _plain(
        idea, 'argument-hint: "[path]"', "disable-model-invocation: true", "context: fork"
    ),
    "open_claw": lambda idea: _plain(
        idea, 'metadata: {"openclaw": {"requires": {"bins": ["' + idea.tags[1] + '"]}}}'
    ),
    "byte_order_mark": lambda idea: "\ufeff" + _plain(idea),
    "windows": lambda idea: _plain(idea).replace("\n", "\r\n"),
    "no_last_line_end": lambda idea: _plain(idea).rstrip("\n"),
    "colon": lambda idea: _plain(idea).replace(". Use when", ". Triggers: use when", 1),
    "tabs": lambda idea: _plain(idea, "metadata:", f"\tcategory: {idea.category}"),
    "tag_list": lambda idea: _plain(idea, f"tags: [{_tag_list(idea)}]"),
    "tag_lines": lambda idea: _plain(idea, "tags:", *(f"- {tag}" for tag in idea.tags)),
    "tag_text": lambda idea: _plain(idea, f"tags: {_tag_list(idea)}"),
    "typed_values": lambda idea: _plain(idea, "version: 2026-01-01", "enabled: yes", "n: 007"),
    "lower_case_file": _plain,
    "other_name": lambda idea: _plain(idea).replace(idea.name, idea.name.title(), 1),
    "no_name": lambda idea: _file(f"description: {idea.description}", idea.body),
    "capital_fields": lambda idea: _plain(idea).replace("description:", "Description:", 1),
    "code_fence": lambda idea: f"```markdown\n{_plain(idea)}```\n",
    "blank_first": lambda idea: "\n\n" + _plain(idea),
    "twice": lambda idea: _plain(idea, "license: MIT", "license: Apache-2.0"),
    "bell": lambda idea: _plain(idea).replace(". Use", "\x07. Use", 1),
    "line_separator": lambda idea: _plain(idea).replace(". Use", ".\u2028Use", 1),
    "long_description": lambda idea: _file(
        f"name: {idea.name}\ndescription: {' '.join([idea.description] * 12)}", idea.body
    ),
}

BROKEN: Mapping[str, _Writer] = {
    "no_frontmatter": lambda idea: idea.body,
    "never_closed": lambda idea: f"---\nname: {idea.name}\ndescription: x\n\n{idea.body}",
    "no_description": lambda idea: _file(f"name: {idea.name}", idea.body),
    "empty_description": lambda idea: _file(f"name: {idea.name}\ndescription: ''", idea.body),
    "nul": lambda idea: _plain(idea) + "\0",
    "latin_1": lambda idea: _plain(idea).replace(" ", " \xe9", 3).encode("latin-1"),
    "a_list": lambda idea: _file(f"- {idea.name}\n- {idea.description}", idea.body),
    "alias_bomb": lambda idea: _plain(
        idea,
        "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 8)),
    ),
}
