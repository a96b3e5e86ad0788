"""A model's opinion of a run. It is written down as an opinion and changes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from hermes.ports import Model
from hermes.rules.observing.insights import OPINION
from hermes.stages.observe.run import Run

_PROMPT = Path(__file__).parent.parent / "prompts" / "judge_run.md"
_SCHEMA = {
    "type": "object",
    "properties": {"succeeded": {"type": "boolean"}, "why": {"type": "string"}},
    "required": ["succeeded", "why"],
    "additionalProperties": False,
}
_LAST_MOVES = 12
_QUOTED = 400


def opinion_of(model: Model, run: Run) -> str:
    """One labelled sentence; an answer that is no opinion is said to be none."""
    completion = model.complete(
        instructions=_PROMPT.read_text(),
        question=_question(run),
        schema=_SCHEMA,
        max_tokens=300,
    )
    label = f"{OPINION}{completion.model}"
    try:
        answer = json.loads(completion.text)
        succeeded, why = answer["succeeded"], " ".join(str(answer["why"]).split())
    except (ValueError, TypeError, KeyError):
        return f"{label} gave no usable answer"
    if not isinstance(succeeded, bool):
        return f"{label} gave no usable answer"
    return run.redactor.text(f"{label} thinks it {_WORD[succeeded]}: {why[:_QUOTED]}")


_WORD = {True: "succeeded", False: "did not succeed"}


def _question(run: Run) -> str:
    """The request, the last calls with their results, and the last answer; all of it redacted."""
    lines = [f"Request: {run.task.text[:2_000]}", "", "Last calls:"]
    for move in run.moves[-_LAST_MOVES:]:
        result = "no result" if move.output is None else move.output[-_QUOTED:]
        lines.append(f"- {move.action.tool}: {move.action.text[:_QUOTED]}\n  → {result}")
    said = [step.content for step in run.steps if step.metadata.get("role") == "assistant"]
    lines += ["", f"Last answer: {said[-1][:2_000] if said else 'none'}"]
    return run.redactor.text("\n".join(lines))
