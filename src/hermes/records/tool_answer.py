"""ToolAnswer: what a tool tells the model, and what the record keeps besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes.records.artefact import Artefact
from hermes.records.codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """`failed` is the tool's own word: nobody reads it out of the text.

    `facts` are kept with the step and not shown to the model: who granted a command, which version
    of a skill was read.
    """

    text: str
    failed: bool = False
    exit_code: int | None = None
    artefacts: tuple[Artefact, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)
