"""Sentences → effects: who is told to do what, with what, toward whom.

A sentence counts when it joins what an attack must join: an act, an object worth taking and a
destination; or a file the agent obeys and an order to write it; or the user and an order to keep
something from them. A sentence that says not to do it is marked as speaking against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hermes.rules.scan import phrases
from hermes.rules.scan.destinations import Reach, bare_names, is_strange, reach_of, urls
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.holdings import (
    AGENT_PLACE,
    ENV_FILE,
    KEY_VARIABLE,
    PRIVATE_WORDS,
    SECRET_PLACE,
    SECRET_WORDS,
)
from hermes.rules.scan.markdown import speaks_against

MAX_SENTENCE = 1_200


def prose_effects(sentences: Sequence[Piece]) -> Iterator[Effect]:
    """The effects of the sentences of one file, each read with the one before it."""
    before = ""
    for sentence in sentences:
        text = sentence.text[:MAX_SENTENCE]
        near = f"{before} {text}" if len(before) + len(text) < MAX_SENTENCE else text
        for effect in _read(text, near, sentence.surface, sentence.warned):
            line = sentence.line + effect.line
            yield replace(effect, file=sentence.file, line=line)
        before = text


@lru_cache(maxsize=20_000)
def _read(text: str, near: str, surface: Surface, warned: bool) -> tuple[Effect, ...]:
    """The effects of a sentence, by lines from its own first. Patches leave most sentences alone,
    so what was read once is remembered."""
    sentence = Piece("", 0, text, surface, warned=warned)
    return (
        *_obedience(sentence, text, near),
        *_handing_over(sentence, text, near),
        *_bringing_in(sentence, text, near),
        *_lasting(sentence, text),
        *_manner(sentence, text),
    )


def _said(
    sentence: Piece, kind: Kind, text: str, at: int, *, what: str = "", host: str = ""
) -> Effect:
    """An effect of a sentence; marked as warned when its own words turn it round."""
    clause = re.split(r"[.;:]\s", text[:at])[-1]
    turned = bool(phrases.NEGATED.search(clause)) or _is_quoted_example(text, at)
    effect = sentence.effect(kind, text.count("\n", 0, at), what=what, host=host)
    return replace(effect, warned=sentence.warned or turned)


def _is_quoted_example(text: str, at: int) -> bool:
    """`reject "ignore previous instructions"`: in quotes, after a word that speaks against it."""
    opened = max(text.rfind('"', 0, at), text.rfind("“", 0, at), text.rfind("`", 0, at))
    return opened >= 0 and at - opened < 3 and speaks_against(text[:opened])


_GUIDE = re.compile(
    r"(?i)\b(?:install\w*|setup|guide|documentation|docs|readme|tutorial|quick\s?start)\b"
)


def _obedience(sentence: Piece, text: str, near: str) -> Iterator[Effect]:
    override = phrases.OVERRIDE.search(text)
    if override:
        found = _said(sentence, Kind.OVERRIDE, text, override.start(), what=override[0][:80])
        yield replace(found, warned=sentence.warned or _reported(text, override.start()))
    mark = phrases.ROLE_MARK.search(text)
    if mark and not text.lstrip().startswith(("`", "|")):
        yield _said(sentence, Kind.ROLE_MARK, text, mark.start(), what=mark[0].strip())
    host = _address(near) if "://" in near else ""
    if host and phrases.FETCHING.search(near) and not _GUIDE.search(near):
        obey = phrases.OBEY.search(text)
        if obey:
            what = obey[0][:60]
            yield _said(sentence, Kind.OBEY_REMOTE, text, obey.start(), what=what, host=host)


def _reported(text: str, at: int) -> bool:
    """Told about rather than told: in quotation marks, or named as an attempt or an example."""
    before = text[max(0, at - 60) : at]
    return (
        bool(re.search(r"[\"'“‘`(]\s*$", before))
        or speaks_against(before)
        or bool(
            re.search(
                r"(?i)\b(?:attempts?|tr(?:y|ies|ying)|such\s+as|e\.g\.|like|example|says?|contain\w*|phrases?|patterns?)\b",
                before,
            )
        )
    )


_TOWARD = re.compile(
    r"(?i)(?:\b(?:to|into|toward|towards|via|against|with|à|an|nach|al?)\b[^.]{0,28}|"
    r"\b(?:post|put|endpoint|url|server|service|request)\b\W{0,12}|[=→>]\s*)[`\"'(<]*$|到\s*$|至\s*$"
)
_FROM = re.compile(
    r"(?i)\b(?:from|see|visit|docs?|documentation|sign\s+up|register|get\s+(?:an?|your|one|it)|obtain|free|"
    r"(?:go|navigate|head|log\s*in|sign\s*in|refer|according|similar|links?|linked|access)\s+to)\b[^.]{0,30}$"
)


def _address(text: str) -> str:
    """The least trusted address written in full; empty when there is none."""
    order = list(Reach)
    found = (url for _, url in urls(text))
    return max(found, key=lambda url: order.index(reach_of(url)), default="")


def _goal(text: str) -> str:
    """The least trusted place something is sent to, as against one that something comes from."""
    found = [*urls(text)] or [*bare_names(text)]
    goals = []
    for at, url in found:
        before = text[max(0, at - 48) : at]
        if _TOWARD.search(before) and not _FROM.search(before):
            goals.append(url)
    order = list(Reach)
    return max(goals, key=lambda url: order.index(reach_of(url)), default="") or _mail(text)


_IMAGE_DATA = re.compile(r"!\[[^\]]*\]\(\s*https?://[^)]*[?&]\w+=\s*(?:[A-Z_]{4,}|[{<$%])")


def _handing_over(sentence: Piece, text: str, near: str) -> Iterator[Effect]:
    addressed = "://" in near or "@" in near
    sending = (phrases.SENDING if addressed else phrases.STRONG_SENDING).search(text)
    unseen = phrases.SENDING.search(text) if sentence.surface is Surface.HIDDEN else None
    said = sending if sending and (addressed or any(bare_names(near))) else unseen
    if said:
        yield from _sent(sentence, text, near, sending or said)
    place = SECRET_PLACE.search(text)
    if place and phrases.TAKING.search(near):
        taking = phrases.TAKING.search(text)
        at = min(taking.start() if taking else place.start(), place.start())
        yield _said(sentence, Kind.SECRET_READ, text, at, what=place[0].strip())
    asking = phrases.ASKING.search(text)
    if asking:
        yield _said(sentence, Kind.ASK_SECRET, text, asking.start(), what=asking[0][:80])
    deceiving = phrases.DECEIVING.search(text)
    if deceiving:
        yield _said(sentence, Kind.DECEIVE, text, deceiving.start(), what=deceiving[0][:80])
    if sentence.surface is Surface.HIDDEN:
        yield from _hidden_wish(sentence, text)
    image = _IMAGE_DATA.search(text) if "![" in text else None
    if image:
        what = "data in the address of an image"
        yield _said(sentence, Kind.LEAK, text, image.start(), what=what, host=_address(text))


def _hidden_wish(sentence: Piece, text: str) -> Iterator[Effect]:
    """In text nobody sees, wanting a secret is enough: there is no honest reason to ask there."""
    secret = SECRET_PLACE.search(text) or SECRET_WORDS.search(text) or KEY_VARIABLE.search(text)
    if secret and (phrases.TAKING.search(text) or phrases.SENDING.search(text)):
        yield sentence.effect(Kind.PRIVATE_READ, what=secret[0].strip())


_THING = re.compile(
    r"(?i)\b(?:files?|documents?|data|results?|contents?|reports?|summar(?:y|ies)|output|input|"
    r"images?|code|logs?|details|information|copy|diff)\b"
)


def _sent(sentence: Piece, text: str, near: str, sending: re.Match[str]) -> Iterator[Effect]:
    """An act of sending, its object and its goal; without an object or a goal it is only talk."""
    secret = SECRET_PLACE.search(text) or SECRET_WORDS.search(text) or ENV_FILE.search(text)
    held = secret or PRIVATE_WORDS.search(text)
    strong = phrases.STRONG_SENDING.search(text)
    goal = _goal(text)
    if not goal and (strong or _is_parameter(near)):
        goal = _goal(near)
    at = (strong or sending).start()
    if held and goal and (strong or secret or _is_parameter(near)):
        yield _said(sentence, Kind.LEAK, text, at, what=held[0].strip(), host=goal)
    elif strong and goal and (held or _THING.search(text)):
        yield _said(sentence, Kind.SEND, text, at, what=strong[0], host=goal)


def _mail(text: str) -> str:
    """A mail address something is sent to; placeholders are filled in by the user."""
    for match in phrases.EMAIL.finditer(text):
        host = match[0].rsplit("@", 1)[1]
        before = text[: match.start()]
        if reach_of(host) is not Reach.CHOSEN and re.search(
            r"(?i)\b(?:to|cc|bcc|copy|add|at)\b[^.@]{0,40}$", before
        ):
            return host
    return ""


def _is_parameter(text: str) -> bool:
    return bool(
        re.search(r"(?i)\b(?:parameter|header|query|field|body|payload|json|form|request)\b", text)
    )


def _bringing_in(sentence: Piece, text: str, near: str) -> Iterator[Effect]:
    locked = phrases.LOCKED.search(text)
    if locked and phrases.ARCHIVE.search(near):
        yield _said(
            sentence,
            Kind.LOCKED_ARCHIVE,
            text,
            locked.start(),
            what=locked[0][:60],
            host=_address(near),
        )
    paste = phrases.PASTING.search(text)
    if paste:
        yield _said(
            sentence, Kind.PASTE, text, paste.start(), what=paste[0][:80], host=_address(near)
        )
    starting = phrases.STARTING.search(text)
    host = _address(text)
    download = re.search(
        r"(?i)\b(?:download|get|fetch|grab|install|laden|herunterladen|descarga|télécharge|下载|скача)\w*",
        text,
    )
    if (
        starting
        and download
        and host
        and (is_strange(host) or reach_of(host) is Reach.SHARED or "releases/download" in host)
    ):
        yield _said(
            sentence, Kind.FETCH_RUN, text, starting.start(), what=starting[0][:60], host=host
        )


def _lasting(sentence: Piece, text: str) -> Iterator[Effect]:
    place = AGENT_PLACE.search(text) or phrases.MEMORY.search(text)
    writing = phrases.REMEMBERING.search(text) if place else None
    if place and writing:
        what, goal = place[0].strip(), _goal(text)
        yield _said(sentence, Kind.AGENT_WRITE, text, writing.start(), what=what, host=goal)
    guard = phrases.GUARDS.search(text)
    if guard:
        yield _said(sentence, Kind.GUARD_OFF, text, guard.start(), what=guard[0][:80])
    order = phrases.IRREVERSIBLE.search(text)
    if order and phrases.OCCASION.search(text) and not phrases.HARMLESS.search(text):
        yield _said(sentence, Kind.STANDING_ORDER, text, order.start(), what=order[0][:80])
    destroying = phrases.DESTROYING.search(text)
    if destroying:
        yield _said(sentence, Kind.DESTROY, text, destroying.start(), what=destroying[0][:80])


def _manner(sentence: Piece, text: str) -> Iterator[Effect]:
    for pattern, kind in (
        (phrases.CONCEAL, Kind.CONCEAL),
        (phrases.UNASKED, Kind.UNASKED),
        (phrases.ALWAYS, Kind.ALWAYS),
    ):
        match = pattern.search(text)
        if match:
            effect = sentence.effect(kind, text.count("\n", 0, match.start()), what=match[0][:80])
            yield replace(effect, warned=sentence.warned or _reported(text, match.start()))
    run = re.search(
        r"(?i)\b(?:run|execute|call|start|invoke|use|launch)\w*\s+(?:the\s+)?[`'\"]?(?:(?:ba|z)?sh\s+|python3?\s+|node\s+)?([\w./-]+\.(?:sh|py|js|mjs|rb|ps1|ts))",
        text,
    )
    if run:
        yield _said(sentence, Kind.RUN, text, run.start(), what=run[1])
    if sentence.surface is Surface.HIDDEN and phrases.ADDRESSING.search(text):
        yield sentence.effect(Kind.ROLE_MARK, what="hidden text speaks to the agent")
