"""A model that answers as it was told, where the point is what becomes of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes.records.codec import Json
from hermes.records.completion import Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One call as the model saw it."""

    instructions: str
    question: str
    schema: Mapping[str, Json] | None
    max_tokens: int


class ScriptedModel:
    """Satisfies ports.Model. One answer for each call, in order; an exception is raised.

    A call beyond the script is an error; `check_used` is one for an answer nobody asked for.
    Tokens are counted as characters / 4.
    """

    def __init__(self, answers: Sequence[str | Exception], *, name: str = "scripted") -> None:
        self.name = name
        self.asked: list[Question] = []
        self._answers = list(answers)

    def check_used(self) -> None:
        assert len(self.asked) == len(self._answers), "not every answer was asked for"

    def complete(
        self,
        *,
        instructions: str,
        question: str,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 4_000,
    ) -> Completion:
        at = len(self.asked)
        assert at < len(self._answers), f"nothing is scripted for: {question[:200]}"
        self.asked.append(
            Question(
                instructions=instructions, question=question, schema=schema, max_tokens=max_tokens
            )
        )
        answer = self._answers[at]
        if isinstance(answer, Exception):
            raise answer
        return Completion(
            text=answer,
            model=self.name,
            input_tokens=(len(instructions) + len(question)) // 4,
            output_tokens=len(answer) // 4,
        )
