"""Sketch: one step of several examples as one text with places for what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hermes.records.codec import Json
from hermes.rules.mine.deed import Deed
from hermes.rules.mine.fillings import Filling, Place
from hermes.rules.mine.spelling import Names


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a step is part of: how many examples there are, their tasks, the files they made."""

    examples: int
    tasks: Mapping[int, str] = field(default_factory=dict)
    made: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def singles_out(self, example: int, value: Json) -> bool:
        """Mentioned there and not by every example: what all of them ask for is no parameter."""
        if not self.mentions(example, value):
            return False
        return len(self.tasks) == 1 or not all(self.mentions(key, value) for key in self.tasks)

    def mentions(self, example: int, value: Json) -> bool:
        """Whether the request of an example has this value in it, as a word."""
        text = str(value).strip().lower()
        task = self.tasks.get(example, "").lower()
        if len(text) < 2 and not text.isdigit():
            return False
        at = task.find(text)
        while at >= 0:
            before, after = task[at - 1 : at], task[at + len(text) : at + len(text) + 1]
            if not before.isalnum() and not after.isalnum():
                return True
            at = task.find(text, at + 1)
        return False


class Sketch(Protocol):
    """`members` are the examples whose deed this text is, with other values; `deeds` are all."""

    deeds: Mapping[int, Deed]
    reference: int
    members: tuple[int, ...]
    places: list[Place]
    language: str
    why_not: str

    def taken(self) -> frozenset[str]:
        """Names that a parameter must not have."""
        ...

    def outputs(self, example: int) -> frozenset[str]:
        """The files that this step writes in one example, by name."""
        ...

    def title(self, names: Names, fillings: Sequence[Filling]) -> str: ...
    def text(self, names: Names, fillings: Sequence[Filling]) -> str:
        """The step's own text, in which `{name}` stands for a parameter."""
        ...

    def program(self, names: Names, fillings: Sequence[Filling]) -> str:
        """Python that does it, with the parameters as variables."""
        ...
