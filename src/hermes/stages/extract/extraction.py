"""What extraction comes to. Small, because whoever judges drafts imports it and mines nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hermes.records.example import Example
from hermes.records.pattern import Pattern
from hermes.records.procedure import Procedure
from hermes.records.proposal import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDraft:
    """Why a pattern leads to nothing new now."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDraft:
    """`replaces` is the candidate that waits and that this one makes pointless."""

    proposal: Proposal
    procedure: Procedure
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """`outcomes` has every pattern that this round touched, with its draft or why there is none."""

    kept: tuple[Example, ...]
    left_out: Mapping[str, int]
    outcomes: tuple[tuple[Pattern, NewDraft | NoDraft], ...]
