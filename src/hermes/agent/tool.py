"""Tool: one thing an agent can do, as a value; Toolbox: everything a certain agent can do.

An agent's powers are what is in its box. A call to anything else gets an answer like any other
call, so neither a confused model nor a hostile one can end a run with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from hermes.errors import HermesError, OperatorError
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer
from hermes.rules.short_form import WHOLE_TEXTS, first_sentence, needed_only

if TYPE_CHECKING:
    from pydantic import BaseModel

_Arguments = TypeVar("_Arguments", bound="BaseModel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`parameters` is the JSON schema of what `run` takes.

    `touches` says that it may read or write files of the project, which is then looked after.
    """

    name: str
    description: str
    parameters: Mapping[str, Json]
    run: Callable[[Mapping[str, Json]], ToolAnswer]
    touches: bool = False


@dataclass(frozen=True, slots=True)
class Toolbox:
    """`unknown` words the answer to a call of something that is not in the box."""

    tools: Mapping[str, Tool]
    unknown: Callable[[str, Sequence[str]], str] = field(
        default=lambda name, known: _no(name, known)
    )

    @classmethod
    def of(
        cls,
        tools: Iterable[Tool],
        unknown: Callable[[str, Sequence[str]], str] | None = None,
    ) -> Toolbox:
        """Where two tools share a name, the first one has it."""
        named: dict[str, Tool] = {}
        for tool in tools:
            named.setdefault(tool.name, tool)
        return cls(named, unknown) if unknown else cls(named)

    def get(self, name: str) -> Tool | None:
        return self.tools.get(name)

    def call(self, name: str, arguments: Mapping[str, Json]) -> ToolAnswer:
        """What comes of it. A tool that breaks has failed; it does not take the run with it."""
        tool = self.tools.get(name)
        if tool is None:
            return ToolAnswer(text=self.unknown(name, sorted(self.tools)), failed=True)
        try:
            return tool.run(arguments)
        except OperatorError as error:
            return ToolAnswer(text=f"{name} does not work here: {error}", failed=True)
        except HermesError as error:
            return ToolAnswer(text=str(error), failed=True)
        except Exception as error:  # noqa: BLE001 - told to the model and kept in the record
            return ToolAnswer(text=f"{name} broke: {type(error).__name__}: {error}", failed=True)


def typed_tool(
    name: str,
    description: str,
    arguments: type[_Arguments],
    act: Callable[[_Arguments], ToolAnswer],
    *,
    touches: bool = False,
) -> Tool:
    """A tool whose arguments are checked against a pydantic model before it acts."""
    from pydantic import ValidationError

    def run(given: Mapping[str, Json]) -> ToolAnswer:
        try:
            checked = arguments.model_validate(dict(given))
        except ValidationError as error:
            return ToolAnswer(text=_wrong_arguments(name, error), failed=True)
        return act(checked)

    return Tool(
        name=name,
        description=description,
        parameters=schema_of(arguments),
        run=run,
        touches=touches,
    )


def short_form(tool: Tool) -> Tool:
    """The same tool in a sentence, without the arguments that may be left out."""
    return replace(
        tool,
        description=first_sentence(tool.description),
        parameters=needed_only(tool.parameters, WHOLE_TEXTS.get(tool.name, "")),
    )


def schema_of(arguments: type[BaseModel]) -> dict[str, Any]:
    """As small as it can be: titles say nothing that names do not, and cost tokens each time."""
    schema: dict[str, Any] = _without_titles(arguments.model_json_schema())
    return schema


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: _without_titles(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    return [_without_titles(one) for one in schema] if isinstance(schema, list) else schema


def _wrong_arguments(name: str, error: Any) -> str:
    problems = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    return f"{name} was not called: {'; '.join(problems[:8])}. Send the call again, corrected."


def _no(name: str, known: Sequence[str]) -> str:
    return f"There is no tool '{name[:80]}'. There are: {', '.join(known)}."
