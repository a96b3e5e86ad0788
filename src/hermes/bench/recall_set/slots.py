"""Fills the slots of a wording.

`{x:a|b|c}` is one of a few, `{n:20..90/5}` a number in steps, `{x}` what that slot was before.
Some names need no choice: services, people, tickets, versions, hashes, ports, addresses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from random import Random

PROJECTS: Mapping[str, tuple[str, ...]] = {
    "atlas": ("harbor", "lantern", "quill", "marmot", "tidegate", "saffron"),
    "borealis": ("pelican", "cobalt", "thicket", "juniper", "anvil", "mosaic"),
    "cinder": ("gondola", "ember", "willow", "turnstile", "cricket", "basalt"),
    "delta": ("orchard", "sextant", "pebble", "falcon", "drizzle", "kiosk"),
    "elm": ("tamarind", "bellows", "ferry", "onyx", "starling", "trellis"),
    "fjord": ("vellum", "hopper", "citadel", "nutmeg", "skiff", "zephyr"),
}
SERVICES = tuple(service for services in PROJECTS.values() for service in services)
_RETIRED_TEXT = (
    "acorn brimstone clover dynamo eclipse furrow gazelle hazel icicle jasper kestrel lagoon "
    "mulberry nectar obelisk parsley quarry raven sparrow thimble umber vortex walnut yarrow"
)
RETIRED = tuple(_RETIRED_TEXT.split())
_PEOPLE_TEXT = (
    "Adaeze Bruno Chiara Dmitri Elif Farah Gustavo Hanne Ivo Jarek Kofi Liv Magda Noor Oisin Priya "
    "Quentin Rosa Silvio Tuva Umut Viktor Wanda Xenia Yara Zoltan"
)
PEOPLE = tuple(_PEOPLE_TEXT.split())

_SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")
_RANGE = re.compile(r"(\d+)\.\.(\d+)(?:/(\d+))?")


def project_of(service: str) -> str:
    """The project that has the service, or had it."""
    for name, ones in PROJECTS.items():
        if service in ones:
            return name
    return list(PROJECTS)[RETIRED.index(service) % len(PROJECTS)]


def choices(texts: Sequence[str]) -> dict[str, str]:
    """What each slot of these texts may be, as it is written where it first has a choice."""
    found: dict[str, str] = {}
    for text in texts:
        for name, choice in _SLOT.findall(text):
            if choice or name not in found:
                found.setdefault(name, choice)
                found[name] = found[name] or choice
    return found


def drawn(wanted: Mapping[str, str], draw: Random, known: Mapping[str, str]) -> dict[str, str]:
    """A value for every slot; `known` ones stay."""
    values = dict(known)
    for name, choice in wanted.items():
        if name not in values:
            values[name] = _from_choice(choice, draw) if choice else _from_name(name, draw, values)
    return values


def filled(text: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda match: values[match[1]], text)


def names_in(text: str) -> set[str]:
    return {name for name, _ in _SLOT.findall(text)}


def day_in_words(day: date, draw: Random) -> str:
    form = draw.choice(("%-d %B %Y", "%B %-d, %Y", "%Y-%m-%d", "%-d %b %Y"))
    return day.strftime(form)


def _from_choice(choice: str, draw: Random) -> str:
    span = _RANGE.fullmatch(choice)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        return str(draw.randrange(low, high + 1, step))
    return draw.choice(choice.split("|"))


def _from_name(name: str, draw: Random, values: Mapping[str, str]) -> str:
    match name:
        case "svc":
            return draw.choice(SERVICES)
        case "who" | "who2":
            return draw.choice([one for one in PEOPLE if one not in values.values()])
        case "ticket":
            return f"{project_of(values['svc'])[:3].upper()}-{draw.randint(1000, 9999)}"
        case "sha":
            return f"{draw.getrandbits(28):07x}"
        case "ver":
            return f"{draw.randint(0, 9)}.{draw.randint(1, 40)}.{draw.randint(0, 19)}"
        case "port" | "port2":
            return str(draw.randint(2000, 9999))
        case "ip":
            return f"198.51.100.{draw.randint(2, 250)}"
    raise KeyError(f"the slot {name!r} has no choices")
