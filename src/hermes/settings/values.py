"""What a setting may hold: one frozen base for the sections, one rule per kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields

TYPE_CHECKING = False  # importing typing costs 4 ms, and nothing here needs it at run time
if TYPE_CHECKING:
    from typing import Any, Self

_ANY_SIZE = 1_000_000_000

section = dataclass(init=False, repr=False, eq=False)
"""Marks a Section. The methods come from the base: generating them for each costs 13 ms a start."""


@dataclass(init=False, repr=False, eq=False)
class Section:
    """A frozen group of settings that cannot hold a value outside its rules, whoever makes it."""

    def __init__(self, **values: object) -> None:
        for item in fields(self):
            if item.name in values:
                value = values.pop(item.name)
            elif item.default_factory is not MISSING:
                value = item.default_factory()
            elif (value := item.default) is MISSING:
                raise TypeError(f"{type(self).__name__} needs {item.name}")
            vars(self)[item.name] = accepted(item, value)
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(values))}")

    def replace(self, **changes: object) -> Self:
        """The same with some values changed, checked like any other."""
        return type(self)(**{**vars(self), **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]  # some values are mappings

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"


def section_of(item: Field[Any]) -> type[Section] | None:
    """The section that this field holds, where it holds one."""
    factory: Any = item.default_factory
    return factory if isinstance(factory, type) and issubclass(factory, Section) else None


def accepted(item: Field[Any], value: object) -> object:
    """The value as the section keeps it; a ValueError says in words what is allowed."""
    kind = section_of(item)
    if kind is not None and not isinstance(value, kind):
        raise TypeError(f"{item.name} is a {kind.__name__}")
    take = item.metadata.get("take")
    if take is None:
        return value
    try:
        return take(value)
    except ValueError as error:
        if str(error):
            raise
        allowed = item.metadata["allowed"]
        raise ValueError(f"expected {allowed}, found {_brief(value)}") from None


def in_config_file(item: Field[Any]) -> bool:
    """Whether config.yaml may say it; the rest is found from the environment alone."""
    return "take" in item.metadata or section_of(item) is not None


def rule(default: object, allowed: str, take: Callable[[Any], object]) -> Any:
    """A field with its default, and `take`: the value as kept, or ValueError.

    An error without words is told as "expected <allowed>". The default is taken like any other
    value, so a mutable one is frozen too.
    """
    metadata = {"allowed": allowed, "take": take}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def whole(default: int | None, low: int, high: int = _ANY_SIZE, *, or_null: bool = False) -> Any:
    def take(value: object) -> object:
        # `type() is`, because True is an int as well.
        if (value is None and or_null) or (type(value) is int and low <= value <= high):
            return value
        raise ValueError

    span = f"a whole number from {low}" + (f" to {high}" if high < _ANY_SIZE else " up")
    return rule(default, span + (", or null" if or_null else ""), take)


def number(default: float | None, low: float, high: float, *, or_null: bool = False) -> Any:
    def take(value: object) -> object:
        if value is None and or_null:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise ValueError

    return rule(default, f"a number from {low:g} to {high:g}" + (", or null" * or_null), take)


def switch(default: bool) -> Any:
    def take(value: object) -> object:
        if isinstance(value, bool):
            return value
        raise ValueError

    return rule(default, "true or false", take)


def choice(default: str, *others: str, refusals: Mapping[str, str] | None = None) -> Any:
    """One of some words; `refusals` explains a word that is known and still not allowed."""
    words = (default, *others)

    def take(value: object) -> object:
        if value in words:
            return value
        raise ValueError((refusals or {}).get(str(value), ""))

    return rule(default, " or ".join(words), take)


def texts(value: object) -> tuple[str, ...]:
    """A list of texts, none of them empty."""
    if isinstance(value, list | tuple) and all(isinstance(one, str) and one for one in value):
        return tuple(value)
    raise ValueError


def _brief(value: object) -> str:
    """Enough of a wrong value to recognise it, on one line."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
