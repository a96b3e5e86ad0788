"""What a small model is given beside its prompt: an example before its work, a question after it.

A large model needs neither. A small one says that a file was written, and has written none; told so
once, it mostly does it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.agent.confinement import Confinement
from hermes.errors import HermesError
from hermes.rules.named_files import named_files

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Coaching:
    """`example`, chosen by the tools that are offered, stands before the conversation and is no
    part of it. `doubt` is what to ask of an answer to a request before it is taken for one; empty
    where nothing speaks against it."""

    example: Callable[[Collection[str]], Sequence[ModelMessage]] = lambda tools: ()
    doubt: Callable[[str], str] = lambda request: ""


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
