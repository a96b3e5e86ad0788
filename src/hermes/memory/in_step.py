"""What a process holds of each scope, in step with the store.

It is opened when a search first names its scope. After that a search reads the generation, one
number, and what was written after it; another scope's is neither opened nor counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar


class Following(Protocol):
    generation: int
    """As far as it has read; -1 where nothing was read yet."""


Held = TypeVar("Held", bound=Following)


class InStep(Generic[Held]):
    """`begin` makes an empty one for a scope, `follow` reads what is new up to a generation."""

    def __init__(self, begin: Callable[[str], Held], follow: Callable[[Held, int], None]) -> None:
        self._begin = begin
        self._follow = follow
        self._held: dict[str, Held] = {}

    def of(self, scopes: Sequence[str], generation: int) -> list[Held]:
        """Those of these scopes, each once, as the store is at this generation."""
        wanted = dict.fromkeys(scopes)
        for scope in wanted:
            one = self._held.get(scope)
            if one is None or generation < one.generation:  # an older database took its place
                one = self._held[scope] = self._begin(scope)
            if one.generation != generation:
                self._follow(one, generation)
        return [self._held[scope] for scope in wanted]
