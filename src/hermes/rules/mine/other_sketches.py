"""Steps that write a text as it is, and steps that nothing here can do again."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from hermes.rules.mine.deed import Deed
from hermes.rules.mine.fillings import Filling, Place, differing_parts
from hermes.rules.mine.sketch import Surroundings
from hermes.rules.mine.spelling import Names
from hermes.rules.mine.usage import OUTPUT, Usage


class WriteSketch:
    """A file whose text is the same, or differs in a few words; else only its name is known."""

    language = "text"

    def __init__(self, deeds: Mapping[int, Deed], step: int, around: Surroundings) -> None:
        self.deeds = deeds
        groups = {key: self._alike(key) for key in deeds}
        self.reference = max(groups, key=lambda key: (len(groups[key]), -key))
        self.members = tuple(groups[self.reference])
        paths = {key: deeds[key].path for key in self.members}
        texts = {key: deeds[key].text for key in self.members}
        self.places: list[Place] = []
        self._path_at = self._text_at = -1
        if len(set(paths.values())) > 1 or len(self.members) == 1:
            self._path_at = len(self.places)
            self.places.append(Place(paths, OUTPUT, step))
        if len(set(texts.values())) > 1:
            self._text_at = len(self.places)
            self.places.append(Place(texts, Usage("content"), step))
        one_of_many = len(self.members) == 1 and around.examples > 1
        self.why_not = "its text is written anew each time" if one_of_many else ""

    def taken(self) -> frozenset[str]:
        return frozenset(re.findall(r"\{(\w+)\}", self.deeds[self.reference].text))

    def outputs(self, example: int) -> frozenset[str]:
        return frozenset({self.deeds[example].path})

    def title(self, names: Names, fillings: Sequence[Filling]) -> str:
        return f"Write `{self._path(names, fillings)}`"

    def text(self, names: Names, fillings: Sequence[Filling]) -> str:
        if self.why_not:
            return ""
        if self._text_at < 0:
            return self.deeds[self.reference].text
        return names.text(fillings[self._text_at])

    def program(self, names: Names, fillings: Sequence[Filling]) -> str:
        deed = self.deeds[self.reference]
        path = self._spelled(names, fillings, self._path_at, deed.path)
        text = self._spelled(names, fillings, self._text_at, deed.text)
        return (
            f"import pathlib\npathlib.Path({path}).parent.mkdir(parents=True, exist_ok=True)\n"
            f"pathlib.Path({path}).write_text({text}, encoding='utf-8')"
        )

    def _alike(self, key: int) -> list[int]:
        mine = self.deeds[key].text
        others = [other for other in self.deeds if other != key]
        same = [
            other
            for other in others
            if self.deeds[other].text == mine
            or differing_parts({0: mine, 1: self.deeds[other].text}) is not None
        ]
        return [key, *same]

    def _path(self, names: Names, fillings: Sequence[Filling]) -> str:
        if self._path_at < 0:
            return self.deeds[self.reference].path
        return names.text(fillings[self._path_at])

    @staticmethod
    def _spelled(names: Names, fillings: Sequence[Filling], at: int, constant: str) -> str:
        node = ast.Constant(constant) if at < 0 else names.expression(fillings[at])
        return ast.unparse(ast.fix_missing_locations(node))


class CallSketch:
    """A tool that acts elsewhere: the step is told, and no program stands for it."""

    language = ""

    def __init__(self, deeds: Mapping[int, Deed], step: int, around: Surroundings) -> None:
        self.deeds = deeds
        self.reference = min(deeds)
        self.members = tuple(deeds)
        self.places: list[Place] = []
        self.why_not = deeds[self.reference].outside or "no program stands for it"

    def taken(self) -> frozenset[str]:
        return frozenset()

    def outputs(self, example: int) -> frozenset[str]:
        return frozenset()

    def title(self, names: Names, fillings: Sequence[Filling]) -> str:
        return f"Use the tool `{self.deeds[self.reference].tool}`"

    def text(self, names: Names, fillings: Sequence[Filling]) -> str:
        return ""

    def program(self, names: Names, fillings: Sequence[Filling]) -> str:
        raise AssertionError("a call outside has no program")
