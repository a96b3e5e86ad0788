"""A task's text as the rubric reads it: its words, their stems, and what kind of text it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from hermes.rules.rubric.vocabulary import ENGLISH, KNOWN
from hermes.rules.similarity.stemming import stem

LONGEST = 20_000
"""Characters that are read; a longer text is data with a task in front of it."""

_FILE = re.compile(r"(?<![\w./~-])[\w/~-][\w./~-]{0,200}\.(?=[A-Za-z])(\w{1,8})\b")
"""A file's name tells its format; `test_api.py` is no word about an API."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ENOUGH_ENGLISH = 0.12
_ENOUGH_KNOWN = 0.4
_FEW_WORDS = 4
_OPENERS = (
    r"(?:(?:please|hey|hi|ok(?:ay)?|so|now|just|kindly|can you|could you|would you|i(?:'d| would) "
    r"like(?: you)? to|i (?:want|need)(?: you)? to|we (?:want|need) to)[,\s]+)*"
)
_ASKS = re.compile(
    rf"^\W*{_OPENERS}(?:"
    r"(?:how|what|why|who|whom|whose|where|when|which|is|are|am|was|were|do|does|did|should|will|"
    r"has|have)\b(?=[^.;\n]*\?|\s+(?:are|is|do|does|would|should|can|could)\b)"
    r"|(?:explain|tell|teach|discuss|describe|define|brainstorm|imagine|suggest|recommend|"
    r"advise|convince|entertain|inspire|cheer|chat|philosophi[sz]e|think)\b"
    r"|(?:give|show|find|get) (?:me|us) (?:an?|some|your|the|any|\d+|more)?\s*(?:\w+\s){0,2}"
    r"(?:idea|opinion|advice|tip|thought|suggestion|example|joke|story|name|inspiration|hint)s?\b"
    r")",
    re.IGNORECASE,
)
_MAKES_UP = re.compile(
    r"\b(?:poems?|haikus?|limericks?|sonnets?|jokes?|riddles?|short stor(?:y|ies)|bedtime|songs?|"
    r"lyrics|slogans?|taglines?|love letter|speech|fun facts?|creative|inspir\w+|motivat\w+|"
    r"essay|novel|screenplay|toast for|pep talk|bucket list|dream)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TaskWords:
    """One task. `text` is as far as it is read; `cut` says that there was more."""

    text: str
    cut: bool = False

    @classmethod
    def of(cls, text: str) -> TaskWords:
        return cls(text=text[:LONGEST].strip(), cut=len(text) > LONGEST)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(word.lower() for word in _WORD.findall(_FILE.sub(r" \1 ", self.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.words))

    @cached_property
    def is_english(self) -> bool:
        """Whether the rest of the rubric can read it: by letters, then by small words.

        A terse task may have no small word; then enough of its other words must be known.
        """
        letters = [one for one in self.text if one.isalpha()]
        if letters and sum(one.isascii() for one in letters) < 0.8 * len(letters):
            return False
        if not self.words:
            return True
        small = sum(word in ENGLISH for word in self.words)
        if small >= _ENOUGH_ENGLISH * len(self.words):
            return True
        known = sum(stem(word) in KNOWN for word in self.words)
        return len(self.words) <= _FEW_WORDS or known > _ENOUGH_KNOWN * len(self.words)

    @cached_property
    def only_asks(self) -> bool:
        """A question, an explanation, an opinion: an answer in words ends it."""
        return bool(_ASKS.match(self.text))

    @cached_property
    def makes_up(self) -> bool:
        """Something to be invented: no run of it says how the next should go."""
        return bool(_MAKES_UP.search(self.text))
