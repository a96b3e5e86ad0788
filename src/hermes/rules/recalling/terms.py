"""What a memory is found by, and what a query looks for.

Besides its words an item has terms of another kind, which no word can be mistaken for because of
their colon: who speaks (`by:ana`), the days and months it is of or speaks of (`on:2023-05-08`,
`in:2023-05`), and that it only asks (`asks:`). They lie in the same postings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from hermes.records.memory import Memory, MemoryKind
from hermes.rules.recalling.dates import Span, spans
from hermes.rules.recalling.definitions import read_out
from hermes.rules.recalling.telling import only_asks
from hermes.rules.similarity.tokens import LONGEST_TERM, tokens

_SPEAKER = re.compile(
    r"\A(?:[\[(][^\])]{0,60}[\])]\s*)?\W{0,3}"
    r"([A-Z][\w'.-]{0,30}(?: [A-Z][\w'.-]{0,30}){0,2})(?:\W{0,3}:\s+|\s+said,?\s+(?=[\"“]))"
)
"""`Ana: …`, `[8 May, 10:05] Ana: …`, `Ana said, "…"`."""
_NAME = re.compile(r"\b[A-Z][a-z]{1,30}(?:'s)?\b")
_PATH = re.compile(r"(?<![\w.~/-])[~.]{0,2}/?[\w.-]+(?:/[\w.-]+)+")
ASKS = "asks:"
_WORDS_READ = 20_000
"""Characters of a text whose words are indexed; what a long one is about it says before."""
_DAYS_LISTED = 10
_MONTHS_LISTED = 12

_IRREGULAR_TEXT = """
ate:eat eaten:eat began:begin begun:begin bought:buy broke:break broken:break brought:bring
built:build came:come caught:catch chose:choose chosen:choose cut:cut drank:drink drew:draw
drawn:draw drove:drive driven:drive fell:fall fallen:fall felt:feel flew:fly flown:fly found:find
gave:give given:give gone:go got:get gotten:get grew:grow grown:grow heard:hear held:hold kept:keep
knew:know known:know learnt:learn led:lead left:leave lost:lose made:make meant:mean met:meet
paid:pay ran:run rang:ring read:read rode:ride ridden:ride said:say sang:sing sung:sing sat:sit
saw:see seen:see sent:send shown:show slept:sleep sold:sell spent:spend spoke:speak spoken:speak
stood:stand swam:swim taken:take took:take taught:teach thought:think threw:throw thrown:throw
told:tell understood:understand went:go won:win wore:wear worn:wear wrote:write written:write
children:child feet:foot men:man women:woman people:person wives:wife lives:life
"""
_IRREGULAR = {
    form: tokens(base)[0]
    for form, _, base in (pair.partition(":") for pair in _IRREGULAR_TEXT.split())
    if tokens(base)
}
"""Stemming cannot know these, and a question says `when did she go` of what `went` tells."""
_ASKING_TEXT = """
about according also am anyone anything between during ever he her him his many may mention might
much must own really say she shall someone something sort still talk tell they thing through very
who whom whose why yes
"""
_ASKING = frozenset(term for word in _ASKING_TEXT.split() for term in (word, *tokens(word)))
"""Any question may have these; they say how it is asked, not what about. No word that is also the
name of a thing: `make`, `go`, `type`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """`words` decide; each of the others adds a little to an item that has one of its terms."""

    words: tuple[str, ...]
    people: frozenset[str]
    days: frozenset[str]
    nearby: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms whose postings are needed."""
        return tuple(dict.fromkeys((*self.words, *self.people, *self.days, *self.nearby, ASKS)))


def item_terms(memory: Memory) -> Mapping[str, int]:
    """How often a memory has each of its terms."""
    text, at = memory.text[:_WORDS_READ], memory.created_at.date()
    counts = Counter(_word_terms(text))
    facets = {*_of_span((at, at), one_day=True)}
    if is_turn(memory):
        facets.update(_speakers(text))
        if only_asks(_SPEAKER.sub("", text, count=1)):
            facets.add(ASKS)
    if memory.kind is not MemoryKind.DECLARATIVE:  # a date in a definition is an example of one
        for span in spans(text, at):
            facets.update(_of_span(span, one_day=False))
    return counts | Counter(dict.fromkeys(facets, 1))


def is_turn(memory: Memory) -> bool:
    """Part of a conversation: somebody says it, and what is said around it belongs to it."""
    return memory.kind is MemoryKind.EPISODIC and memory.session_id is not None


def item_text(memory: Memory) -> str:
    """The text whose vector stands for a memory: a turn without who says it, a definition without
    its notation. A name weighs so much in a vector that a short turn would be near every question
    about that person."""
    if memory.kind is MemoryKind.DECLARATIVE:
        return read_out(memory.text)
    if not is_turn(memory):
        return memory.text
    return _SPEAKER.sub("", memory.text, count=1) or memory.text


def query_text(text: str, speakers: Collection[str]) -> str:
    """The same of a query: without the names of people who speak in what is searched, given as
    their terms. Who was meant is looked up, not guessed from a vector."""
    kept = _NAME.sub(lambda match: "" if _is_by(match[0], speakers) else match[0], text)
    return " ".join(kept.split()) if any(map(str.isalnum, kept)) else text


def _is_by(name: str, speakers: Collection[str]) -> bool:
    return any(f"by:{term}" in speakers for term in tokens(name.removesuffix("'s")))


def query_terms(text: str, today: date, nearby: str | None = None) -> Query:
    """What a query looks for. `nearby` is what was said just before: it breaks ties."""
    every = tuple(dict.fromkeys(_word_terms(text[:_WORDS_READ])))
    words = tuple(term for term in every if term not in _ASKING) or every
    people = frozenset(f"by:{name}" for name in _names(text))
    days = frozenset(term for span in spans(text, today) for term in _asked(span))
    around = dict.fromkeys(_word_terms(nearby[-_WORDS_READ:])) if nearby else {}
    other = tuple(term for term in around if term not in words)
    return Query(words=words, people=people, days=days, nearby=other[-40:])


def _word_terms(text: str) -> Iterator[str]:
    for term in tokens(text):
        yield _IRREGULAR.get(term, term)
    for path in _PATH.findall(text):
        yield path.lstrip("~./").lower()[-LONGEST_TERM:]


def _speakers(text: str) -> Iterator[str]:
    """`Ana: …` and `Ana Maria: …` are said by Ana; a heading of many words is nobody."""
    match = _SPEAKER.match(text)
    if match:
        for term in tokens(match[1]):
            yield f"by:{term}"


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        yield from tokens(match[0].removesuffix("'s"))


def _of_span(span: Span, *, one_day: bool) -> Iterator[str]:
    """The terms of an item: every day of a short span, every month it touches."""
    first, last = span
    if one_day or (last - first).days < _DAYS_LISTED:
        for offset in range((last - first).days + 1):
            yield f"on:{(first + timedelta(days=offset)).isoformat()}"
    yield from _months(span)


def _asked(span: Span) -> Iterator[str]:
    """The terms of a query: days for a short span, months for a long one."""
    first, last = span
    if (last - first).days < _DAYS_LISTED:
        for offset in range((last - first).days + 1):
            yield f"on:{(first + timedelta(days=offset)).isoformat()}"
    else:
        yield from _months(span)


def _months(span: Span) -> Iterator[str]:
    first, last = (day.year * 12 + day.month - 1 for day in span)
    for index in range(first, min(last + 1, first + _MONTHS_LISTED)):
        yield f"in:{index // 12:04d}-{index % 12 + 1:02d}"
