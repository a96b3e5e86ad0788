"""Finished work → the procedure it shares: aligned, generalised, with its evidence. No model."""

from hermes.rules.mine.binding import NotBound, bind
from hermes.rules.mine.mining import NotMined, mine
from hermes.rules.mine.worked import Worked, worked_of

__all__ = ["NotBound", "NotMined", "Worked", "bind", "mine", "worked_of"]
