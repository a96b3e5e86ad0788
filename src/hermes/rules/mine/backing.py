"""Whether a command or a line of code in somebody's prose is backed by what examples did.

Prose over a procedure may explain it, never add to it. A line of code that no evidence backs is
cut; a few words of code in a sentence, or a command that stands in it, are marked as unverified.
"""

from __future__ import annotations

import re

from hermes.records.procedure import Procedure

MARK = "(unverified)"

_FENCE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,})[^\n]*\n(.*?)^[ \t]*\1[ \t]*$\n?")
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_PROMPT_LINE = re.compile(r"(?m)^[ \t]*(?:[-*] |\d+\. )?(?:\$|>>>|#!) ?\S.*\n?")
_COMMAND = re.compile(
    r"\b(?:curl|wget|sudo|rm|chmod|chown|bash|sh|zsh|eval|ssh|scp|nc|docker|kubectl|apt|apt-get|"
    r"brew|npm|npx|pip3?|uv|git|python3?|node|perl|ruby|powershell|iex|base64)"
    r"(?: +(?:-[\w-]+|[\w./:@%+=~|>&;$-]*[./:@=|>$-][\w./:@%+=~|>&;$-]*|install|push|run|exec))+"
)
_ADDRESS = re.compile(r"\bhttps?://[^\s)>\]]+|\bwww\.[^\s)>\]]+")
_TWO_TICKS = "\0"


class Backing:
    """Everything that a procedure's evidence spells, ready to be looked up."""

    def __init__(self, procedure: Procedure) -> None:
        texts = [procedure.code_template or "", *procedure.outputs, *procedure.dependencies]
        for parameter in procedure.parameters:
            texts += [parameter.name, f"--{parameter.name.replace('_', '-')}"]
            texts += [str(value) for value in parameter.observed]
        for step in procedure.steps:
            texts += [step.code, step.tool, step.title, *step.alternatives]
        for lessons in (
            procedure.preconditions,
            procedure.guardrails,
            procedure.pitfalls,
            procedure.success_criteria,
        ):
            texts += [f"{lesson.text}\n{lesson.remedy}" for lesson in lessons]
        texts += ["python scripts/run.py", "scripts/run.py", "references/procedure.json"]
        self._known = "\n".join(_plain(text) for text in texts)

    def backs(self, code: str) -> bool:
        """Whether this text stands somewhere in the evidence, as whole words."""
        wanted = _plain(code)
        if not wanted:
            return True
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", self._known) is not None

    def checked(self, text: str) -> str:
        """The text without code lines that nothing backs, and with the rest of it marked."""
        text = _FENCE.sub(self._block, text)
        text = _PROMPT_LINE.sub(lambda found: found[0] if self.backs(found[0]) else "", text)
        kept: list[str] = []

        def span(found: re.Match[str]) -> str:
            backed = self.backs(found[2])
            kept.append(found[0] if backed else f"{found[0]} {MARK}")
            return f"{_TWO_TICKS}{len(kept) - 1}{_TWO_TICKS}"

        text = _SPAN.sub(span, text)
        for pattern in (_ADDRESS, _COMMAND):
            text = pattern.sub(self._marked, text)
        restored = re.sub(rf"{_TWO_TICKS}(\d+){_TWO_TICKS}", lambda at: kept[int(at[1])], text)
        return restored.strip()

    def _block(self, found: re.Match[str]) -> str:
        lines = [line for line in found[2].split("\n") if line.strip() and self.backs(line)]
        return f"{found[1]}\n{chr(10).join(lines)}\n{found[1]}\n" if lines else ""

    def _marked(self, found: re.Match[str]) -> str:
        return found[0] if self.backs(found[0]) else f"{found[0]} {MARK}"


def _plain(text: str) -> str:
    """Without what authors vary: blanks, quotes, and how a placeholder is drawn."""
    text = re.sub(r"[{}<>\"'`]", "", text.lower())
    text = re.sub(r"(?m)^\s*(?:\$|>>>) ?", "", text)
    return " ".join(text.split())
