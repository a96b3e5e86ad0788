"""YAML as text: mappings, lists and the very characters the author typed, within small limits.

YAML's own types are why `version: 1.10` becomes 1.1 and a skill named `no` becomes False; so no
scalar is ever converted, no tag obeyed, no object built. The parser's events are read one by one
and the reading stops at the first one too many: a bomb is refused before it goes off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hermes.records.codec import Json

MAX_DEPTH = 20
"""Levels of nesting; the deepest field of any client's format has five."""
MAX_WEIGHT = 200_000
"""Characters and values after every alias is written out; the text itself is a third of this."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class YamlFault(Exception):
    """Not YAML. `line` counts from 0, in the text that was read."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


class TooMuchYaml(YamlFault):
    """YAML, but built to hurt: no repair is tried."""


@dataclass(slots=True)
class Fields:
    """The top-level fields, the line of each, and what was odd, by line. Lines count from 0."""

    values: dict[str, Json] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    notes: list[tuple[int, str]] = field(default_factory=list)


def read_yaml(text: str, *, loader: Any = None) -> Fields:
    """The fields of a mapping; raises YamlFault for anything else.

    The loader is PyYAML's C one where there is one, else its slower twin in Python.
    """
    import yaml

    chosen = loader or getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reading = _Reading(yaml.parse(text, Loader=chosen))
    try:
        return reading.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlFault(error.problem or str(error), mark.line if mark else 0) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The twin in Python turns an escape beyond Unicode into a ValueError of chr().
        raise YamlFault(str(error).partition("\n")[0], reading.line) from error


class _Reading:
    """One pass over the events of one text."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Json, int]] = {}
        self._weight = 0
        self._fields = Fields()
        self.line = 0

    def document(self) -> Fields:
        self._next()  # the stream starts
        if self._kind(self._next()) == "StreamEndEvent":
            return self._fields
        root = self._next()
        kind = self._kind(root)
        if kind == "ScalarEvent" and not root.value:
            return self._fields
        if kind != "MappingStartEvent":
            raise YamlFault("is not a list of fields", self.line)
        self._fields.values = self._mapping(1, self._fields.lines)
        self._next()  # the document ends
        if self._kind(self._next()) != "StreamEndEvent":
            raise YamlFault("has a second document", self.line)
        return self._fields

    def _next(self) -> Any:
        event = next(self._events)
        self.line = event.start_mark.line
        return event

    @staticmethod
    def _kind(event: Any) -> str:
        """By name, so that this module need not import yaml to be imported."""
        return type(event).__name__

    def _value(self, event: Any, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise TooMuchYaml(f"is nested more than {MAX_DEPTH} levels deep", self.line)
        kind = self._kind(event)
        if kind == "AliasEvent":
            return self._alias(event.anchor)
        if event.tag not in (None, "!"):
            self._note(f"the tag {event.tag[:60]} is not obeyed")
        before = self._weight
        self._weigh(1)
        value: Json
        if kind == "ScalarEvent":
            value = event.value
            self._weigh(len(value))
            if _SURROGATE.search(value):
                raise YamlFault("has half of a character written as an escape", self.line)
        elif kind == "SequenceStartEvent":
            value = []
            while self._kind(event_inside := self._next()) != "SequenceEndEvent":
                value.append(self._value(event_inside, depth + 1))
        else:
            value = self._mapping(depth, {})
        if event.anchor:
            self._anchors[event.anchor] = (value, self._weight - before)
        return value

    def _mapping(self, depth: int, lines: dict[str, int]) -> dict[str, Json]:
        """The first of two equal keys wins: what was reviewed on top is not undone below."""
        values: dict[str, Json] = {}
        while self._kind(event := self._next()) != "MappingEndEvent":
            line = self.line
            key = self._value(event, depth + 1)
            value = self._value(self._next(), depth + 1)
            if not isinstance(key, str):
                self._note("a key that is not text is left out", line)
            elif key == "<<":
                self._note("the merge key << is not obeyed", line)
            elif key in values:
                self._note(f"'{key[:60]}' is there twice: the first one counts", line)
            else:
                values[key] = value
                lines[key] = line
        return values

    def _alias(self, anchor: str) -> Json:
        if anchor not in self._anchors:
            raise YamlFault(f"refers to *{anchor[:60]}, which is not there", self.line)
        value, weight = self._anchors[anchor]
        self._weigh(weight)
        return value

    def _weigh(self, weight: int) -> None:
        self._weight += weight
        if self._weight > MAX_WEIGHT:
            raise TooMuchYaml("repeats itself by aliases beyond any use", self.line)

    def _note(self, text: str, line: int | None = None) -> None:
        self._fields.notes.append((self.line if line is None else line, text))
