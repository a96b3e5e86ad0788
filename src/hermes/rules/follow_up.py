"""Does a user's message begin a new task, or does it belong to the one that is running?

No single word decides. A message is read for what it does: it answers, thanks, refuses, asks or
orders; and for what it is about: words of its own, or `it`, `that`, and the words of the running
task. An order about something of its own is a new request. The rest belongs to what is running.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hermes.rules import message_signs as signs
from hermes.rules.own_words import continues_a_session, own_words


class MessageKind(StrEnum):
    """NOISE was typed by nobody. OTHER belongs to the running task: an answer, a detail more."""

    REQUEST = "request"
    CORRECTION = "correction"
    THANKS = "thanks"
    QUESTION = "question"
    GO_ON = "go_on"
    FRUSTRATION = "frustration"
    OTHER = "other"
    NOISE = "noise"


@dataclass(frozen=True, slots=True)
class Running:
    """The task at hand: what was asked for, and what the agent said last."""

    task: str
    last_said: str = ""

    @property
    def agent_asked(self) -> bool:
        """Whether the agent's last words wait for an answer."""
        end = self.last_said.rstrip()[-300:]
        return end.endswith("?") or signs.WAITS.search(end) is not None


_SHORT = 8  # words: beyond this a message says something of its own
_LONG = 40  # words: beyond this it is hardly a remark
_FOREIGN = 24  # letters of another script: beyond this it is hardly a remark
_READ = 4_000  # characters of a message that are looked at


def read_message(text: str, running: Running | None) -> MessageKind:
    """What a message in the user's place is, given what is running; None: nothing is yet."""
    typed = own_words(text)
    if not typed:
        return MessageKind.NOISE
    if running is None:
        return MessageKind.REQUEST
    if continues_a_session(typed):
        return MessageKind.GO_ON
    if not signs.WORD.search(typed.lower()):
        return MessageKind.REQUEST if len(typed) > _FOREIGN else MessageKind.OTHER
    pieces = [
        piece for piece in signs.PIECE.split(typed[:_READ].lower()) if signs.WORD.search(piece)
    ]
    opening, rest = _opening(pieces, running)
    if not rest:
        return opening or MessageKind.OTHER
    return _rest(" ".join(rest), opening, running, len(typed))


def _opening(pieces: list[str], running: Running) -> tuple[MessageKind | None, list[str]]:
    """What the first courtesies say (thanks, yes), and what is left to read after them."""
    opening = None
    for index, piece in enumerate(pieces):
        kind = _courtesy(piece, running)
        if kind is None:
            return opening, pieces[index:]
        opening = opening if opening and kind is MessageKind.GO_ON else kind
    return opening, []


def _courtesy(piece: str, running: Running) -> MessageKind | None:
    words = signs.WORD.findall(piece)
    if len(words) > _SHORT or signs.WRONG.search(piece) or signs.ANGER.search(piece):
        return None
    if signs.THANKS.search(piece) and not _orders(piece):
        return MessageKind.THANKS
    agrees = all(word in signs.YES or word in ("please", "then", "and") for word in words)
    beyond = signs.GO_ON.sub("", piece)
    goes_on = beyond != piece and not _own(signs.WORD.findall(beyond), running)
    return MessageKind.GO_ON if agrees or goes_on else None


def _rest(text: str, opening: MessageKind | None, running: Running, length: int) -> MessageKind:
    """What the message does beyond its courtesies, strongest sign first."""
    words = signs.WORD.findall(text)
    own = _own(words, running)
    points_back = sum(word in signs.BACK for word in words)
    orders = _orders(text)
    wrong = signs.WRONG.search(text)
    if _starts_anew(text, own, orders):
        return MessageKind.REQUEST
    if len(words) > _SHORT and not any(word in signs.EMPTY for word in words):  # not English
        return MessageKind.OTHER if _shared(words, running) else MessageKind.REQUEST
    if signs.ANGER.search(text) and not (orders and len(own) > _SHORT):
        return MessageKind.FRUSTRATION
    if wrong and (wrong.start() == 0 or not orders or points_back or len(own) < 4):
        return MessageKind.CORRECTION
    about_it = points_back > 0 or _shared(words, running)
    if orders and about_it and signs.TO_TELL.match(text):
        return MessageKind.QUESTION
    if orders and running.agent_asked and len(words) <= _SHORT and signs.CHOICE.match(text):
        return MessageKind.OTHER
    if orders:
        return _order(text, own, points_back, opening)
    if _is_question(text, words):
        general = not about_it and signs.GENERAL.match(text) is not None
        return MessageKind.REQUEST if general else MessageKind.QUESTION
    if opening in (MessageKind.THANKS, MessageKind.GO_ON):
        return opening
    if running.agent_asked and len(words) <= _LONG:
        return MessageKind.OTHER
    if wrong:
        return MessageKind.CORRECTION
    wants = signs.WANTS.match(text) is not None and len(own) >= 2
    return (
        MessageKind.REQUEST if wants or len(words) > _LONG or length > _READ else MessageKind.OTHER
    )


def _starts_anew(text: str, own: list[str], orders: bool) -> bool:
    """`Now do the same for feb.csv`, `Next, write …`: said to be another task."""
    if (
        signs.AGAIN_FOR.search(text)
        and own
        and _names_a_thing(own)
        and not signs.WRONG.search(text)
    ):
        return True
    return signs.NEXT.match(text) is not None and orders and len(own) >= 2


def _order(text: str, own: list[str], points_back: int, opening: MessageKind | None) -> MessageKind:
    """An order is a task of its own when it is about something of its own."""
    detail = re.match(r"(?:and |also |oh |plus )", text) is not None
    weight = len(own) - 2 * points_back - 2 * detail + (opening is MessageKind.THANKS)
    weight += _names_a_thing(own)
    return MessageKind.REQUEST if weight >= 2 else MessageKind.OTHER


def _orders(text: str) -> bool:
    """Whether it begins, after all politeness, with a verb that tells somebody to do something."""
    body = text[signs.ORDER_OPENER.match(text).end() :]  # type: ignore[union-attr] # it may be empty
    first = signs.WORD.match(body)
    return first is not None and first[0] in signs.VERBS


def _is_question(text: str, words: list[str]) -> bool:
    return text.rstrip().endswith("?") or bool(words and words[0] in signs.ASKS)


def _own(words: Iterable[str], running: Running) -> list[str]:
    """The words that carry meaning and are not the running task's."""
    known = _content(signs.WORD.findall(running.task.lower()[:_READ]))
    return [
        word
        for word in dict.fromkeys(words)
        if word not in signs.EMPTY and _stem(word) not in known
    ]


def _shared(words: Iterable[str], running: Running) -> bool:
    about = f"{running.task[:_READ]} {running.last_said[-_READ:]}".lower()
    known = _content(signs.WORD.findall(about))
    return any(word not in signs.EMPTY and _stem(word) in known for word in words)


def _content(words: Iterable[str]) -> set[str]:
    return {_stem(word) for word in words if word not in signs.EMPTY}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def _names_a_thing(words: Iterable[str]) -> bool:
    """A file, a path, a number: something that only another task would be about."""
    return any(re.search(r"[./\\_\d]", word.strip(".")) for word in words)
