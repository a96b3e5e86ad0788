"""Effect: one thing a package would bring about, said without judging it.

A list of bad words is easy to walk around; an attack still has to read something, send it
somewhere, run something, stay somewhere, or make the agent obey. These are the words for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    # what is taken
    SECRET_READ = "reads credentials"
    ENV_READ = "reads the whole environment"
    KEY_READ = "reads a named key"
    PRIVATE_READ = "reads private data"
    # where it goes
    SEND = "sends data"
    LEAK = "hands private data to the network"
    VEILED_SEND = "encodes what it sends, or calls it a secret"
    # what runs
    FETCH = "downloads"
    RUN = "runs a program"
    FETCH_RUN = "runs what it downloads"
    DECODE_RUN = "runs what it decodes"
    DISGUISE = "spells a command so that it cannot be read"
    REMOTE_SHELL = "gives a shell to another machine"
    MINE = "mines coins"
    FLOOD = "floods a host with requests"
    # what stays, what is lost
    STARTUP = "starts again by itself"
    AGENT_WRITE = "writes the agent's memory or settings"
    GUARD_OFF = "switches a protection off"
    DESTROY = "destroys data"
    # who is told to obey
    CONCEAL = "tells the agent to hide something from the user"
    OVERRIDE = "puts itself above the user or the system"
    OBEY_REMOTE = "makes remote text an instruction"
    ALWAYS = "wants to act on every task"
    ASK_SECRET = "asks the user for a secret"
    DECEIVE = "turns the agent against its user"
    UNASKED = "acts without asking"
    STANDING_ORDER = "orders something irreversible for every occasion"
    # how it is hidden or brought in
    LOCKED_ARCHIVE = "needs a program from a locked archive"
    PASTE = "asks for a command to be pasted into a terminal"
    INVISIBLE = "contains text that cannot be seen"
    LOOKALIKE = "mixes alphabets inside a word"
    ROLE_MARK = "imitates the marks of a system message"
    SQUAT = "names a package that resembles a well-known one"
    ODD_INDEX = "installs from an unusual source"
    INSTALL_HOOK = "runs code while it is being installed"
    BROAD_TOOLS = "asks for every tool"
    TRIGGER = "waits for a date, a word or a count"


class Surface(StrEnum):
    """Where the text was: what runs counts more than what is read, what is hidden most of all."""

    SCRIPT = "script"
    SNIPPET = "snippet"
    PROSE = "prose"
    FRONT = "frontmatter"
    HIDDEN = "hidden"
    DECODED = "decoded"


@dataclass(frozen=True, slots=True)
class Effect:
    """`what` names the object (a path, a host, a word); `warned` says the text speaks against it."""

    kind: Kind
    file: str
    line: int
    what: str = ""
    host: str = ""
    surface: Surface = Surface.SCRIPT
    warned: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with one nature: where it begins, what it is, and what is said of it."""

    file: str
    line: int
    text: str
    surface: Surface
    language: str = ""
    heading: str = ""
    warned: bool = False

    def effect(self, kind: Kind, offset: int = 0, *, what: str = "", host: str = "") -> Effect:
        """An effect `offset` lines into this piece."""
        return Effect(kind, self.file, self.line + offset, what, host, self.surface, self.warned)

    def part(self, text: str, offset: int, surface: Surface, language: str = "") -> Piece:
        """A stretch of text found inside this one."""
        return Piece(
            self.file, self.line + offset, text, surface, language, self.heading, self.warned
        )


def having(effects: Iterable[Effect], *kinds: Kind) -> Iterator[Effect]:
    """The effects of these kinds."""
    return (effect for effect in effects if effect.kind in kinds)
