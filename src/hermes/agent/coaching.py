"""What a small model is given beside its prompt: an example before its work, the proven way first,
a question after it.

A large model needs none of it. A small one writes a program of its own where a proven one is at
hand, and says that a file was written where none was; told so once, it mostly does it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.agent.confinement import Confinement
from hermes.agent.tool import Tool
from hermes.errors import HermesError
from hermes.records.procedure import is_program
from hermes.rules.named_files import named_files

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

_LOOKING = frozenset({"read_file"})
_AT_FIRST = 2  # rounds of calls: one to look, one for the program


@dataclass(frozen=True, slots=True, kw_only=True)
class Coaching:
    """`example`, chosen by the tools that are offered, stands before the conversation and is no
    part of it. `offers` is what of the tools there is after so many rounds of calls. `doubt` is
    what to ask of an answer to a request before it is taken for one; empty where nothing speaks
    against it."""

    example: Callable[[Collection[str]], Sequence[ModelMessage]] = lambda tools: ()
    offers: Callable[[Sequence[Tool], int], Sequence[Tool]] = lambda tools, rounds: tools
    doubt: Callable[[str], str] = lambda request: ""


def proven_way_first(tools: Sequence[Tool], rounds: int) -> Sequence[Tool]:
    """Where a skill's own program was recommended for the task, that and looking are all there is
    at first. It may look, and find that it does not fit: then it is offered everything."""
    first = [tool for tool in tools if is_program(tool.name) or tool.name in _LOOKING]
    return first if rounds < _AT_FIRST and any(is_program(tool.name) for tool in tools) else tools


def missing_files(place: Confinement) -> Callable[[str], str]:
    """Doubts an answer while a file that the request names is not there."""

    def doubt(request: str) -> str:
        missing = [name for name in named_files(request) if _is_missing(place, name)]
        if not missing:
            return ""
        return (
            f"You are not done: the task names {', '.join(missing)}, and there is no such file. "
            "If the task wants it to be written, run one program that computes it and writes it. "
            "If not, answer again."
        )

    return doubt


def _is_missing(place: Confinement, name: str) -> bool:
    try:
        return not place.readable(name).exists()
    except (HermesError, OSError):  # a path that the agent has no business with
        return False
