"""Execute: the only stage in the foreground. A request → a turn, recorded step by step."""

from hermes.stages.execute.stage import execute

__all__ = ["execute"]
