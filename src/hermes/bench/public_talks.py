"""Conversations of the LoCoMo set, from its file, as memories and questions.

Nothing is fitted on it. Each conversation has a scope of its own and its turns are the memories. A
question expects the turns that the set names as its evidence, and is asked on the day after the
last session. Questions that are meant to have no answer are left out, and so are those whose
evidence is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hermes.bench.recall_set.labelled import Asked, Half, LabelledSet, Question
from hermes.errors import CorruptData, NotFound
from hermes.records.memory import Memory, MemoryKind, Trust

_ASKED = {1: Asked.MULTI, 2: Asked.WHEN, 3: Asked.OPEN, 4: Asked.SINGLE}
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):(\d+)")
"""Evidence is written by hand: `D1:3`, `D1:03`, `D:1:3`, several in one string."""
_DATE = "%I:%M %p on %d %B, %Y"


def public_talks(file: Path) -> LabelledSet:
    if not file.is_file():
        raise NotFound(f"there is no file {file}", hint="pass the locomo10.json of the set")
    try:
        samples = json.loads(file.read_text("utf-8"))
        read = [_conversation(sample) for sample in samples]
    except OSError as error:
        raise CorruptData(f"cannot be read: {error.strerror}", where=str(file)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        told = f"not the conversations of LoCoMo ({type(error).__name__}: {error})"
        raise CorruptData(told, where=str(file)) from None
    joined = LabelledSet(memories=(), questions=()).joined(*read)
    if not joined.questions:
        raise CorruptData("LoCoMo without a question that has evidence", where=str(file))
    return joined


def _conversation(sample: Mapping[str, Any]) -> LabelledSet:
    scope = f"project:{sample['sample_id']}"
    memories = dict(_turns(sample["conversation"], scope))
    if not memories:
        raise ValueError(f"{sample['sample_id']} has no turns")
    asked_at = max(one.created_at for one in memories.values()) + timedelta(days=1)
    questions = []
    for one in sample["qa"]:
        named = {(int(session), int(turn)) for session, turn in _evidence(one)}
        expects = frozenset(memories[key].id for key in named & memories.keys())
        if expects and one["category"] in _ASKED:
            questions.append(
                Question(
                    text=one["question"],
                    asked=_ASKED[one["category"]],
                    half=Half.MEASURED,
                    topic=str(sample["sample_id"]),
                    scopes=(scope,),
                    expects=expects,
                    asked_at=asked_at,
                )
            )
    return LabelledSet(memories=tuple(memories.values()), questions=tuple(questions))


def _evidence(asked: Mapping[str, Any]) -> list[tuple[str, str]]:
    return _TURN.findall(" ".join(asked.get("evidence", ())))


def _turns(conversation: Mapping[str, Any], scope: str) -> Iterator[tuple[tuple[int, int], Memory]]:
    """Each with its session and its number in it. Of a turn that only shows a picture the set has
    what the picture shows."""
    for name, turns in conversation.items():
        session = _SESSION.fullmatch(name)
        if not session or not turns:
            continue
        start = datetime.strptime(conversation[f"{name}_date_time"], _DATE).replace(tzinfo=UTC)
        for minutes, turn in enumerate(turns):
            ((_, number),) = _TURN.findall(turn["dia_id"])
            text = turn.get("text") or turn.get("blip_caption")
            if text:
                yield (
                    (int(session[1]), int(number)),
                    Memory(
                        id=f"{scope} {turn['dia_id']}",
                        text=f"{turn['speaker']}: {text}",
                        kind=MemoryKind.EPISODIC,
                        scope=scope,
                        source="bench",
                        trust=Trust.IMPORTED,
                        session_id=f"{scope} {name}",
                        created_at=start + timedelta(minutes=minutes),
                    ),
                )
