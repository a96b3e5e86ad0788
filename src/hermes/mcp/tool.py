"""A tool as this server offers it: its arguments are checked before it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as Offered
from pydantic import BaseModel, ConfigDict, ValidationError

from hermes.errors import WrongCall

_FAULTS_SHOWN = 5


class Arguments(BaseModel):
    """Nothing unknown, and nothing converted: a model that sends text for a number is told so."""

    model_config = ConfigDict(extra="forbid", strict=True)


Given = TypeVar("Given", bound=Arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """For the model to read, and the same for a program."""

    text: str
    data: BaseModel
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[Given]):
    """`run` gets the arguments and the name of the client; it is called on a thread."""

    name: str
    about: str
    arguments: type[Given]
    answers: type[BaseModel]
    run: Callable[[Given, str], Answer]
    reads_only: bool = False

    def offered(self) -> Offered:
        return Offered(
            name=self.name,
            description=self.about,
            input_schema=self.arguments.model_json_schema(),
            output_schema=self.answers.model_json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                read_only_hint=self.reads_only, destructive_hint=False, open_world_hint=False
            ),
        )

    def call(self, given: dict[str, Any], client: str) -> CallToolResult:
        try:
            arguments = self.arguments.model_validate(given)
        except ValidationError as error:
            raise WrongCall(f"{self.name}: {_faults(error)}") from error
        answer = self.run(arguments, client)
        return CallToolResult(
            content=[TextContent(text=answer.text)],
            structured_content=answer.data.model_dump(mode="json"),
            is_error=answer.failed,
        )


def failure(text: str) -> CallToolResult:
    """Told to the model, which can do something about it."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _faults(error: ValidationError) -> str:
    """Without the values: they may be long."""
    found = error.errors(include_input=False, include_url=False)
    said = [f"{'.'.join(map(str, one['loc']))[:100]}: {one['msg']}" for one in found]
    more = [f"and {len(said) - _FAULTS_SHOWN} more"] if len(said) > _FAULTS_SHOWN else []
    return "; ".join([*said[:_FAULTS_SHOWN], *more])
