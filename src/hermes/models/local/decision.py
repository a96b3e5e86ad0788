"""One turn of a small model: a JSON object that is either a call of a tool or the answer.

The schema is made of the offered tools' own schemas, so that what is generated under it is always
a call that exists, with arguments of the right shape. A model that could never keep to a format by
itself keeps to this one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

THOUGHT, TOOL, ARGUMENTS, ANSWER = "thought", "tool", "arguments", "answer"
_COMPACT = {
    "whitespace_flexible": False,
    "item_separator": ", ",
    "key_separator": ": ",
    "lenient": True,  # a keyword it does not know loosens the form; the tool checks its arguments
}
_PATTERNS = {"pattern", "patternProperties", "propertyNames"}
_NAMED = {"properties", "$defs", "definitions"}
_DATA = {"const", "enum", "default", "examples"}
_THOUGHT_FIRST: dict[str, Any] = {"type": "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A tool as the model sees it. `schema` is of its arguments, with nothing referred to."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Either `tool` with its arguments, or an answer."""

    thought: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    answer: str = ""


def decision_schema(
    tools: Sequence[Offered], *, may_answer: bool = True, answer: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The form of a turn. `answer` is the form of the answer where it is not plain text."""
    choices = [_choice({TOOL: {"const": one.name}, ARGUMENTS: _closed(one)}) for one in tools]
    if may_answer:
        choices.append(_choice({ANSWER: dict(answer) if answer else {"type": "string"}}))
    return {"anyOf": choices}


def grammar_of(schema: Mapping[str, Any]) -> str:
    """The grammar of texts that have this form, for the engine's llguidance.

    Handed over as a schema, the engine would make another grammar of it, which allows any blanks,
    and a small model fills half of its turn with them.
    """
    form = {**_without_patterns(schema), "x-guidance": _COMPACT}
    return f"%llguidance {{}}\nstart: %json {json.dumps(form)}"


def _without_patterns(schema: Any) -> Any:
    """The schema without its regular expressions. One that llguidance cannot read makes it give up
    the whole grammar in silence; the tool checks its arguments in any case.
    """
    if isinstance(schema, list):
        return [_without_patterns(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in _NAMED:  # its keys are names of somebody's choice, `pattern` perhaps
            kept[key] = {name: _without_patterns(one) for name, one in value.items()}
        elif key in _DATA:
            kept[key] = value
        elif key not in _PATTERNS:
            kept[key] = _without_patterns(value)
    return kept


def _choice(fields: Mapping[str, Any]) -> dict[str, Any]:
    properties = {THOUGHT: _THOUGHT_FIRST, **fields}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _closed(tool: Offered) -> dict[str, Any]:
    """A schema that refers to itself cannot be a part of another; any object is let through."""
    if "$defs" in tool.schema:
        return {"type": "object"}
    return {"additionalProperties": False, **tool.schema}


def decision_of(text: str) -> Decision | None:
    """What was decided; None where the text was cut off or is none."""
    try:
        said = json.loads(text)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    thought = str(said.get(THOUGHT, ""))
    if isinstance(said.get(TOOL), str) and isinstance(said.get(ARGUMENTS), dict):
        return Decision(thought=thought, tool=said[TOOL], arguments=said[ARGUMENTS])
    if ANSWER not in said:
        return None
    answer = said[ANSWER]
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Decision(thought=thought, answer=text)


def rendered(decision: Decision) -> str:
    """A decision in the form in which it is generated, for a history that lost the original."""
    fields: dict[str, Any] = {THOUGHT: decision.thought}
    if decision.tool is None:
        fields[ANSWER] = decision.answer
    else:
        fields |= {TOOL: decision.tool, ARGUMENTS: decision.arguments or {}}
    return json.dumps(fields, ensure_ascii=False)


def text_so_far(generated: str, key: str) -> str:
    """The value of a text field as far as it has been generated: what can be shown already.

    A quote inside a JSON text is escaped, so `"key": "` cannot occur in the value of another key.
    """
    begin = re.search(rf'[{{,]\s*"{key}":\s*"', generated)
    if begin is None:
        return ""
    raw = re.match(r'(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*', generated[begin.end() :])
    found = raw.group() if raw else ""
    # Half of a pair of escapes is no character yet.
    found = re.sub(r"\\u[dD][89abAB][0-9a-fA-F]{2}$", "", found)
    return str(json.loads(f'"{found}"', strict=False))
