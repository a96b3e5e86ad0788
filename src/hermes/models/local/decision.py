"""One turn of a small model: a JSON object that is either a call of a tool or the answer.

The grammar is made of the offered tools' own schemas, so that what is generated under it is always
a call that exists, with arguments of the right shape. A model that could never keep to a format by
itself keeps to this one.

A program or a file's content is not a part of the object: it follows, between tags, as it is. Small
models lose count of the escapes that a program needs inside a JSON text.
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
_BEGIN = "%llguidance {}\nstart: "
_PLAIN_NAME = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A tool as the model sees it. `schema` is of its arguments, with nothing referred to."""

    name: str
    description: str
    schema: Mapping[str, Any]

    @property
    def written_out(self) -> str:
        """The argument that follows the object as it is; empty where there is none."""
        fields = self.schema.get("properties", {})
        for name in self.schema.get("required", ()):
            if _is_text(fields.get(name)) and _PLAIN_NAME.fullmatch(name):
                return str(name)
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Either `tool` with its arguments, or an answer."""

    thought: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    answer: str = ""


def turn_grammar(
    tools: Sequence[Offered], *, may_answer: bool = True, answer: Mapping[str, Any] | None = None
) -> str:
    """The form of a turn. `answer` is the form of the answer where it is not plain text."""
    whole = [_choice(_called(one)) for one in tools if not one.written_out]
    if may_answer:
        whole.append(_choice({ANSWER: dict(answer) if answer else {"type": "string"}}))
    turns = [_json({"anyOf": whole})] if whole else []
    lines = []
    for number, tool in enumerate(one for one in tools if one.written_out):
        tag = tool.written_out
        turns.append(f'{_json(_choice(_called(tool)))} "\\n<{tag}>\\n" text_{number}')
        lines.append(f"text_{number}[lazy]: /(.|\\n)*\\n<\\/{tag}>/")
    return "\n".join((_BEGIN + " | ".join(turns), *lines))


def grammar_of(schema: Mapping[str, Any]) -> str:
    """The grammar of texts that have this form, for the engine's llguidance.

    Handed over as a schema, the engine would make another grammar of it, which allows any blanks,
    and a small model fills half of its turn with them.
    """
    return _BEGIN + _json(schema)


def _json(schema: Mapping[str, Any]) -> str:
    return f"%json {json.dumps({**_without_patterns(schema), 'x-guidance': _COMPACT})}"


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


def _is_text(field: Any) -> bool:
    return isinstance(field, Mapping) and str(field.get("contentMediaType")).startswith("text/")


def _choice(fields: Mapping[str, Any]) -> dict[str, Any]:
    properties = {THOUGHT: _THOUGHT_FIRST, **fields}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _called(tool: Offered) -> dict[str, Any]:
    """The arguments but for the one that is written out; left out where there are no others."""
    named = {TOOL: {"const": tool.name}}
    if "$defs" in tool.schema:  # it refers to itself, so it cannot be a part of another schema
        return {**named, ARGUMENTS: {"type": "object"}}
    text, fields = tool.written_out, tool.schema.get("properties", {})
    if not text:
        return {**named, ARGUMENTS: {"additionalProperties": False, **tool.schema}}
    others = {name: field for name, field in fields.items() if name != text}
    if not others:
        return named
    needed = [name for name in tool.schema["required"] if name != text]
    inside = {**tool.schema, "properties": others, "required": needed}
    return {**named, ARGUMENTS: {"additionalProperties": False, **inside}}


def decision_of(text: str) -> Decision | None:
    """What was decided; None where the text was cut off or is none."""
    head, _, rest = text.partition("\n")
    said, written = _object(head), _written(rest)
    if said is None or written is None:
        return None
    thought = str(said.get(THOUGHT, ""))
    if isinstance(said.get(TOOL), str):
        inside = said.get(ARGUMENTS, {} if written else None)
        if not isinstance(inside, dict):
            return None
        return Decision(thought=thought, tool=said[TOOL], arguments={**inside, **written})
    if ANSWER not in said:
        return None
    answer = said[ANSWER]
    words = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Decision(thought=thought, answer=words)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _written(text: str) -> dict[str, str] | None:
    """The argument between its tags, by its name. Its last line is ended as the others are."""
    if not text:
        return {}
    found = re.fullmatch(r"<(\w+)>\n(.*\n)</\1>", text, re.DOTALL)
    return {found[1]: found[2]} if found else None


def rendered(decision: Decision, written_out: str = "") -> str:
    """A decision in the form in which it is generated, for a history that lost the original."""
    fields: dict[str, Any] = {THOUGHT: decision.thought}
    if decision.tool is None:
        return json.dumps({**fields, ANSWER: decision.answer}, ensure_ascii=False)
    inside = dict(decision.arguments or {})
    text = inside.pop(written_out, None) if written_out else None
    fields |= {TOOL: decision.tool}
    if inside or text is None:
        fields |= {ARGUMENTS: inside}
    head = json.dumps(fields, ensure_ascii=False)
    if text is None:
        return head
    return f"{head}\n{between_tags(written_out, str(text))}"


def between_tags(name: str, text: str) -> str:
    end = "" if text.endswith("\n") else "\n"
    return f"<{name}>\n{text}{end}</{name}>"


def text_so_far(generated: str, key: str) -> str:
    """The value of a text field as far as it has been generated: what can be shown already.

    A quote inside a JSON text is escaped, so `"key": "` cannot occur in the value of another key.
    What is written out below the object is no part of it, whatever it looks like.
    """
    head, _, _ = generated.partition("\n")
    begin = re.search(rf'[{{,]\s*"{key}":\s*"', head)
    if begin is None:
        return ""
    raw = re.match(r'(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*', head[begin.end() :])
    found = raw.group() if raw else ""
    # Half of a pair of escapes is no character yet.
    found = re.sub(r"\\u[dD][89abAB][0-9a-fA-F]{2}$", "", found)
    return str(json.loads(f'"{found}"', strict=False))
