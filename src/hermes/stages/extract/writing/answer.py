"""A model's answer → Prose, or what is wrong with it."""

from __future__ import annotations

import json
import re

from hermes.records.codec import Json
from hermes.records.procedure import Procedure
from hermes.rules.mine.backing import Backing
from hermes.rules.mine.narrative import narrative_in, without_thinking
from hermes.rules.plain_text import is_storable
from hermes.stages.extract.writing.document import Prose

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "title": _TEXT,
        "description": _TEXT,
        "goal": _TEXT,
        "when_to_use": _TEXTS,
        "steps": _TEXTS,
        "output_format": _TEXT,
        "suggestions": _TEXTS,
    },
    "required": ["title", "description", "goal", "when_to_use", "steps"],
    "additionalProperties": False,
}
_LONGEST = {"title": 80, "description": 600, "goal": 600, "output_format": 1_200}
_LONGEST_ITEM = 800
_MOST_ITEMS = 12


class AnswerFault(ValueError):
    """The answer cannot be used; the text says why, so that a model can do better."""


def prose_of(text: str, procedure: Procedure) -> Prose:
    """Raises AnswerFault. What no evidence backs is cut or marked, not refused."""
    data = _object(text)
    texts = {name: _text(data, name) for name in _LONGEST}
    lists = {name: _list(data, name) for name in ("when_to_use", "steps", "suggestions")}
    if len(lists["steps"]) != len(procedure.steps):
        raise AnswerFault(
            f"'steps' has {len(lists['steps'])} texts, there are {len(procedure.steps)} steps"
        )
    for name, value in [*texts.items(), *((key, "\n".join(all_)) for key, all_ in lists.items())]:
        if story := narrative_in(value):
            raise AnswerFault(f"'{name}' is a story and not a procedure: {story}")
    backing = Backing(procedure)
    checked = {name: backing.checked(value) for name, value in texts.items()}
    items = {
        name: tuple(done for one in values if (done := backing.checked(one)))
        for name, values in lists.items()
        if name != "steps"
    }
    return Prose(
        title=checked["title"],
        description=re.sub(r"[<>]", "", " ".join(checked["description"].split())),
        goal=checked["goal"],
        when_to_use=items["when_to_use"],
        steps=tuple(" ".join(backing.checked(one).split()) for one in lists["steps"]),
        output_format=checked["output_format"],
        suggestions=items["suggestions"],
    )


def _object(text: str) -> dict[str, Json]:
    """The one JSON object in an answer, with or without a fence around it."""
    plain = without_thinking(text)
    start, end = plain.find("{"), plain.rfind("}")
    if start < 0 or end < start:
        raise AnswerFault("there is no JSON object in the answer")
    try:
        data = json.loads(plain[start : end + 1])
    except ValueError as error:
        raise AnswerFault(f"it is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise AnswerFault("the answer is not an object")
    unknown = data.keys() - SCHEMA["properties"].keys()
    if unknown:
        raise AnswerFault(f"these fields do not exist: {', '.join(sorted(unknown))}")
    return data


def _text(data: dict[str, Json], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or not is_storable(value):
        raise AnswerFault(f"'{name}' is not a text")
    value = without_thinking(value)
    if name in SCHEMA["required"] and not value:
        raise AnswerFault(f"'{name}' is missing")
    if len(value) > _LONGEST[name]:
        raise AnswerFault(f"'{name}' has {len(value)} characters, at most {_LONGEST[name]}")
    return value


def _list(data: dict[str, Json], name: str) -> list[str]:
    values = data.get(name, [])
    if not isinstance(values, list) or not all(
        isinstance(one, str) and is_storable(one) for one in values
    ):
        raise AnswerFault(f"'{name}' is not a list of texts")
    if name in SCHEMA["required"] and not values:
        raise AnswerFault(f"'{name}' is missing")
    if any(len(one) > _LONGEST_ITEM for one in values):
        raise AnswerFault(f"a text of '{name}' has more than {_LONGEST_ITEM} characters")
    if name != "steps" and len(values) > _MOST_ITEMS:
        raise AnswerFault(f"'{name}' has {len(values)} texts, at most {_MOST_ITEMS}")
    return [without_thinking(one) for one in values]
