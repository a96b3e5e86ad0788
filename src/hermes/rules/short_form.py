"""What a model that reads little at once is told: fewer tools, shorter words.

A small model on this machine reads some tens of tokens a second and is lost among many tools. So it
gets those that nearly every task needs, with the arguments that they cannot do without, and the
skills that are programs. What it does is recorded and learned from like the work of any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hermes.records.codec import Json

SMALL_WINDOW = 16_384
"""Tokens. A model that reads no more than this at once gets the short form."""
SHORT_TOOLS = ("read_file", "write_file", "shell", "python")
WHOLE_TEXTS: Mapping[str, str] = {"write_file": "content", "shell": "command", "python": "code"}
"""The argument of a tool that is a whole text, which a small model writes as it is."""
SKILL_READING = ("skill_view",)
"""Offered in the short form where a skill was recommended, and not before."""
_MEMORY_TOKENS = 1_500
_ANSWER_CHARS = 24_000
_PART = 32  # of the window, for the skills and for the memories each


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How much a prompt says: the skills and the memories within so many tokens each.

    `answer_chars` is what the model is shown of a tool's answer; the record keeps more.
    """

    is_short: bool
    catalogue_tokens: int
    memory_tokens: int
    answer_chars: int


def form_for(window: int | None) -> Form:
    """`window` is what the model reads at once; where nobody knows it, it is a large one."""
    if window is None or window > SMALL_WINDOW:
        return Form(
            is_short=False,
            catalogue_tokens=_PLENTY,
            memory_tokens=_MEMORY_TOKENS,
            answer_chars=min(_ANSWER_CHARS, window or _ANSWER_CHARS),
        )
    part = window // _PART
    return Form(
        is_short=True,
        catalogue_tokens=part,
        memory_tokens=part,
        answer_chars=window // 8,  # a table of figures has hardly two characters a token
    )


_PLENTY = 1 << 30  # the settings decide


def needed_only(parameters: Mapping[str, Json], whole_text: str = "") -> dict[str, Json]:
    """The schema of a tool's arguments without those that may be left out.

    `whole_text` is marked as a text, so that whoever asks the model may let it stand by itself.
    """
    required, properties = parameters.get("required"), parameters.get("properties")
    names = required if isinstance(required, list) else []
    known = dict(properties) if isinstance(properties, Mapping) else {}
    marked = known.get(whole_text)
    if isinstance(marked, Mapping):
        known[whole_text] = {**marked, "contentMediaType": "text/plain"}
    return {**parameters, "properties": {name: known[name] for name in names if name in known}}


def first_sentence(text: str) -> str:
    """What a tool does; where it runs is told once, for all of them."""
    first, stop, _ = text.partition(". ")
    return f"{first}." if stop else text
