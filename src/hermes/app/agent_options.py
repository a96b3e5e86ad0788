"""How an agent session is opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.models import Model as AgentModel


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """How a session is opened. `learning=False` leaves out catalogue and memories, and
    nothing is learned from what is done.

    `built` is a model that is there already; otherwise the named or the configured one is built.
    """

    project: Path
    model: str | None = None
    built: AgentModel | None = None
    max_steps: int | None = None
    resume: str | None = None
    learning: bool = True
