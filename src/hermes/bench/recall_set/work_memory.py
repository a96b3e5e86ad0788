"""What engineers wrote down about their services: facts told with values, and their questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from hermes.bench.recall_set.dressing import dressed
from hermes.bench.recall_set.labelled import NOW, Asked, Half, LabelledSet, Question
from hermes.bench.recall_set.sheets import Fact, facts, lines
from hermes.bench.recall_set.slots import (
    PROJECTS,
    RETIRED,
    SERVICES,
    choices,
    day_in_words,
    drawn,
    filled,
    names_in,
    project_of,
)
from hermes.bench.recall_set.times import Moment, moments
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.records.scope import PERSONAL

TEAM = "team:works"
SCOPES = (PERSONAL, TEAM, *(f"project:{name}" for name in PROJECTS))
_TOLD_OF = 15
_TIMELINES = 5
_ASKED_OF = {Asked.PARAPHRASE: 1, Asked.IDENTIFIER: 2, Asked.TEMPORAL: 3}
_TRUSTS = (Trust.USER, Trust.DERIVED, Trust.TOOL_OUTPUT, Trust.IMPORTED)


@dataclass(frozen=True, slots=True)
class _Told:
    """A fact told once; `when` is how a question may name its time."""

    memory: Memory
    values: dict[str, str]
    when: str = ""


def work_memory() -> LabelledSet:
    memories: list[Memory] = []
    questions: list[Question] = []
    for fact in facts():
        told = list(_told(fact))
        memories.extend(one.memory for one in told)
        questions.extend(_questions(fact, told))
    questions.extend(_negatives())
    return LabelledSet(memories=tuple(memories), questions=tuple(questions))


def _told(fact: Fact) -> Iterator[_Told]:
    draw = Random(fact.id)
    wanted = choices([*fact.wordings, *fact.tails])
    match fact.how:
        case "timeline":
            for service in draw.sample(SERVICES, _TIMELINES):
                yield from _timeline(fact, wanted, service, draw)
        case "user":
            subject, written = next(iter(wanted.items()))
            for at, value in enumerate(written.split("|")):
                yield _one(fact, wanted, {subject: value}, draw, f"{fact.id}-{at}")
        case "single":
            yield _one(fact, wanted, {"svc": ""}, draw, fact.id)
        case _:
            for service in draw.sample(SERVICES, _TOLD_OF):
                yield _one(fact, wanted, {"svc": service}, draw, f"{fact.id}-{service}")


def _timeline(fact: Fact, wanted: dict[str, str], service: str, draw: Random) -> Iterator[_Told]:
    """The same of one service at several times; what is known, not what happened, is replaced."""
    told = []
    for at, moment in enumerate(moments(draw)):
        name = f"{fact.id}-{service}-{at}"
        one = _one(fact, wanted, {"svc": service}, draw, name, moment)
        told.append(one)
    for one, later in zip(told, [*told[1:], None], strict=True):
        if later is not None and fact.kind is MemoryKind.SEMANTIC:
            yield replace(one, memory=replace(one.memory, superseded_by=later.memory.id))
        else:
            yield one


def _one(
    fact: Fact,
    wanted: dict[str, str],
    known: dict[str, str],
    draw: Random,
    name: str,
    moment: Moment | None = None,
) -> _Told:
    created = moment.at if moment else NOW - timedelta(hours=draw.randint(30, 24 * 300))
    day = created.date() + timedelta(days=draw.randint(5, 90))
    values = drawn(wanted, draw, {**known, "date": day_in_words(day, draw)})
    tails = tuple(filled(tail, values) for tail in fact.tails)
    text = dressed(filled(draw.choice(fact.wordings), values), fact.kind, tails, draw)
    memory = Memory(
        id=name,
        text=text[0].upper() + text[1:],
        kind=fact.kind,
        scope=_scope_of(fact, values, draw),
        source="bench",
        trust=Trust.USER if fact.how == "user" else draw.choice(_TRUSTS),
        created_at=created,
    )
    return _Told(memory, values, moment.words if moment else "")


def _scope_of(fact: Fact, values: dict[str, str], draw: Random) -> str:
    if fact.how == "user":
        return PERSONAL
    service = values.get("svc")
    return f"project:{project_of(service)}" if service else draw.choice((PERSONAL, TEAM))


def _questions(fact: Fact, told: Sequence[_Told]) -> Iterator[Question]:
    draw = Random(f"{fact.id} asked")
    current = [one for one in told if one.memory.superseded_by is None]
    for asked, wording in fact.questions:
        possible = list(told) if asked is Asked.TEMPORAL else current
        for one in draw.sample(possible, min(_ASKED_OF[asked], len(possible))):
            named = names_in(wording)
            values = {**one.values, "when": one.when}
            right = [
                other.memory
                for other in possible
                if all({**other.values, "when": other.when}[name] == values[name] for name in named)
            ]
            yield Question(
                text=filled(wording, values),
                asked=asked,
                half=fact.half,
                topic=fact.topic,
                scopes=_scopes_asked(one.memory.scope, draw),
                expects=frozenset(memory.id for memory in right),
            )


def _scopes_asked(scope: str, draw: Random) -> tuple[str, ...]:
    """Whoever asks sees all projects, or one beside what is personal and the team's."""
    project = scope if scope.startswith("project:") else f"project:{draw.choice(list(PROJECTS))}"
    return SCOPES if draw.random() < 0.6 else (PERSONAL, TEAM, project)


def _negatives() -> Iterator[Question]:
    draw = Random("negatives")
    for line in lines("negatives"):
        half, _, wording = line.partition(" ")
        yield Question(
            text=filled(wording, {"svc": draw.choice(SERVICES)}),
            asked=Asked.NEGATIVE,
            half=Half(half),
            topic="nothing",
            scopes=SCOPES,
            expects=frozenset(),
        )


def stale_clutter(count: int) -> Iterator[Memory]:
    """Old items of the same kinds: of services that are gone, and outdated ones of those here."""
    draw = Random("clutter")
    sheets = [fact for fact in facts() if fact.how in ("each", "timeline")]
    for number in range(count):
        fact = draw.choice(sheets)
        wanted = choices([*fact.wordings, *fact.tails])
        service = draw.choice(SERVICES + RETIRED)
        told = _one(fact, wanted, {"svc": service}, draw, f"clutter-{number}")
        age = timedelta(days=draw.randint(500, 1800), minutes=draw.randint(0, 1440))
        yield replace(told.memory, created_at=NOW - age)
