"""A skill with a program, as a tool of its own: its parameters are the tool's arguments.

So a model applies what it could not have written. The values that were seen in earlier work come
with each parameter; where only a few were ever seen they are all there is to choose from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hermes.agent.tool import Tool
from hermes.records.codec import Json
from hermes.records.procedure import PROGRAM_TOOL, Procedure
from hermes.records.skill import Parameter
from hermes.records.tool_answer import ToolAnswer
from hermes.rules.parameters import fill

_LONGEST_NAME = 64
_SHOWN = 4  # observed values that are named
_RAN = (
    "[The skill ran to its end, and what it writes is written. If the task wants nothing else, "
    "answer now: do not do the same again in another way.]"
)
_TYPES = {
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "boolean": "boolean",
    "bool": "boolean",
    "list": "array",
    "object": "object",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillProgram:
    """`run` binds the values and runs the program in the project; `cases` are past ones.

    `proven` says that it was shown to work, and not only written down.
    """

    name: str
    description: str
    procedure: Procedure
    run: Callable[[Mapping[str, Json]], ToolAnswer]
    cases: tuple[str, ...] = ()
    proven: bool = False


def skill_program_tool(program: SkillProgram) -> Tool:
    """Its name begins with `skill_`, so that it is known in a record for what it is."""
    parameters = program.procedure.parameters

    def run(arguments: Mapping[str, Json]) -> ToolAnswer:
        filling = fill(parameters, {name: _typed(value) for name, value in arguments.items()})
        missing = [f"{one.name} is missing" for one in filling.missing]
        if filling.problems or missing:
            wrong = "; ".join((*filling.problems, *missing))
            return ToolAnswer(text=f"{program.name} was not run: {wrong}", failed=True)
        answer = program.run(filling.values)
        return answer if answer.failed else replace(answer, text=f"{answer.text}\n\n{_RAN}".strip())

    return Tool(
        name=tool_name(program.name),
        description=_description(program),
        parameters={
            "type": "object",
            "properties": {one.name: _schema(one) for one in parameters},
            "required": [one.name for one in parameters if one.required and one.default is None],
            "additionalProperties": False,
        },
        run=run,
        touches=True,
    )


def tool_name(skill: str) -> str:
    return (PROGRAM_TOOL + re.sub(r"[^a-zA-Z0-9_]", "_", skill))[:_LONGEST_NAME]


def _description(program: SkillProgram) -> str:
    """The skill's own words, and what it was used for before."""
    known = "proven on earlier work" if program.proven else "not proven yet"
    text = f"{program.description} (skill {program.name}, {known}; runs at once)"
    if program.cases:
        text += " Earlier cases: " + "; ".join(program.cases)
    return text


def _schema(parameter: Parameter) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": _TYPES.get(parameter.type, "string")}
    told = parameter.description or parameter.type
    seen = [value for value in parameter.observed if value is not None]
    if seen:
        quoted = schema["type"] == "string"
        shown = ", ".join(
            json.dumps(value, ensure_ascii=False) if quoted else str(value)
            for value in seen[:_SHOWN]
        )
        told = f"{told.rstrip('.')}; earlier: {shown}"
    if parameter.type == "choice" and seen:
        schema["enum"] = list(seen)
    if parameter.default is not None:
        schema["default"] = parameter.default
    schema["description"] = told
    return schema


def _typed(value: Json) -> str:
    """As a person would have typed it: one reading of values serves both."""
    return value if isinstance(value, str) else json.dumps(value)
