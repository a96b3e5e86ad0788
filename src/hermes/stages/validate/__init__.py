"""Candidate → Verdict."""

from hermes.stages.validate.stage import validate

__all__ = ["validate"]
