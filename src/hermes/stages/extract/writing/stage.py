"""A procedure → its skill's folder, in a model's words where there is a model.

Reads: the procedure. Writes: nothing; the folder goes to the gate. Never: lets a model add a fact.
The words are the model's, the steps, code, numbers and evidence are the procedure's; a model that
cannot keep to that is asked once more and then not used. Safe to repeat.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from hermes.errors import HermesError
from hermes.ports import Model, SkillWriter
from hermes.records.completion import Completion
from hermes.records.folder import Folder
from hermes.records.procedure import Procedure
from hermes.stages.extract.writing.answer import SCHEMA, AnswerFault, prose_of
from hermes.stages.extract.writing.document import Prose, document
from hermes.stages.extract.writing.facts import facts_of

_log = logging.getLogger("hermes.extract")
_PROMPT = Path(__file__).parents[2] / "prompts" / "write_skill.md"
_TRIES = 2
_MOST_TOKENS = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """`failure` says why a model's words are not in it; the tokens are those of all its calls."""

    folder: Folder
    input_tokens: int = 0
    output_tokens: int = 0
    failure: str = ""


def write(procedure: Procedure, writer: SkillWriter, model: Model | None = None) -> Written:
    """Always a folder: where the model fails, the mined text stands for itself."""
    if model is None:
        return Written(folder=document(procedure, writer))
    answers: list[Completion] = []
    prose, failure = _asked(procedure, model, answers)
    if failure:
        _log.warning("Skill extraction failed: %s", failure)
    return Written(
        folder=document(procedure, writer, prose),
        input_tokens=sum(answer.input_tokens for answer in answers),
        output_tokens=sum(answer.output_tokens for answer in answers),
        failure=failure,
    )


def _asked(
    procedure: Procedure, model: Model, answers: list[Completion]
) -> tuple[Prose | None, str]:
    """The prose, or why there is none; a faulty answer is sent back once with what is wrong."""
    instructions = _PROMPT.read_text(encoding="utf-8")
    question = facts_of(procedure)
    failure = ""
    for _ in range(_TRIES):
        try:
            answer = model.complete(
                instructions=instructions,
                question=f"{question}\n\nYour last answer was refused: {failure}"
                if failure
                else question,
                schema=SCHEMA,
                max_tokens=_MOST_TOKENS,
            )
        except HermesError as error:
            return None, str(error)
        answers.append(answer)
        try:
            return prose_of(answer.text, procedure), ""
        except AnswerFault as fault:
            failure = str(fault)
    return None, failure
