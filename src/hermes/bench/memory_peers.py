"""The same memories and the same vectors in a peer, asked in the same run.

A peer runs out of process, in an environment of its own that `make bench-peers` makes: what it
needs is never installed beside us. One that is not there or fails is told with the reason.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hermes.app.memory import note_of
from hermes.bench import peer_run
from hermes.bench.recall_set.labelled import NOW, Half, LabelledSet, Question
from hermes.bench.remembered_set import DEEPEST, Answer, KnownTexts, remembered
from hermes.bench.retrieval_memory import SHIPPED, recall_set, rows_of

if TYPE_CHECKING:
    from hermes.ports import Embedder

Say = Callable[[str], None]
PEERS = ("chromadb", "mem0")
PYTHON = Path(".venv-peers/bin/python")
_LONGEST_S = 2400
_QUIET = {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "OPENAI_API_KEY": "none"}
"""No peer reports to its makers; mem0 wants a key to start, and is given no use for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRow:
    """Recall@10 and MRR are means of the classes of the measured half.

    `p50_ms` is the CPU time of one search with the query's vector known, `adds_a_second` what is
    on disk in a second, its vector being known too, and `add_cpu_ms` the CPU time of one of these.
    """

    name: str
    version: str
    at_10: float
    mrr: float
    p50_ms: float
    adds_a_second: float
    add_cpu_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerReport:
    """Ourselves first; `missing` says of each peer that is not there why."""

    memories: int
    questions: int
    rows: tuple[PeerRow, ...]
    missing: dict[str, str]


def measure_peers(
    embedder: Embedder, say: Say, python: Path = PYTHON, labelled: LabelledSet | None = None
) -> PeerReport:
    chosen = labelled or recall_set()
    known = KnownTexts(embedder)
    asked = [one for one in chosen.questions if one.half is Half.MEASURED and one.expects]
    say(f"embedding {len(chosen.memories):,} memories and {len(asked)} questions")
    vectors = known.embed(
        [*(memory.text for memory in chosen.memories), *(question.text for question in asked)]
    )
    say("hermes")
    rows, missing = [_ours(chosen, asked, known)], {}
    for name in PEERS:
        say(name)
        with tempfile.TemporaryDirectory(prefix="hermes-peer-") as folder:
            _write_material(Path(folder), chosen, asked, vectors)
            answer = _run(name, python, Path(folder))
        if isinstance(answer, str):
            missing[name] = answer
        else:
            rows.append(_row(name, chosen, asked, answer))
    return PeerReport(
        memories=len(chosen.memories), questions=len(asked), rows=tuple(rows), missing=missing
    )


def _ours(chosen: LabelledSet, asked: Sequence[Question], known: KnownTexts) -> PeerRow:
    """Everything as it is for recall; the adding of it is timed in a store of its own."""
    with remembered(chosen.memories, known) as store:
        answers, taken = store.answers(asked, SHIPPED), []
        with store.room(SHIPPED) as room:
            for timed in (False, True):
                for one in asked[:: peer_run.TIMED_OF]:
                    begun = time.process_time_ns()
                    room.recall.search(one.text, scopes=one.scopes, k=DEEPEST, now=NOW)
                    if timed:
                        taken.append((time.process_time_ns() - begun) / 1e6)
    notes = [note_of(memory) for memory in chosen.memories]
    with remembered((), known) as empty, empty.room(SHIPPED) as room:
        start, used = time.perf_counter(), time.process_time()
        room.remember.add_many(notes)
        added, spent = time.perf_counter() - start, time.process_time() - used
    adding = (len(notes) / added, spent * 1000 / len(notes))
    return _measured("hermes", "", answers, taken, adding)


def _write_material(
    folder: Path, chosen: LabelledSet, asked: Sequence[Question], vectors: Sequence[bytes]
) -> None:
    items = [{"id": one.id, "text": one.text, "scope": one.scope} for one in chosen.memories]
    questions = [{"text": one.text, "scopes": list(one.scopes)} for one in asked]
    (folder / "items.json").write_text(json.dumps(items), "utf-8")
    (folder / "questions.json").write_text(json.dumps(questions), "utf-8")
    rows = [np.frombuffer(vector, dtype=np.float32) for vector in vectors]
    np.save(folder / "vectors.npy", np.stack(rows))


def _run(name: str, python: Path, folder: Path) -> dict[str, Any] | str:
    """What the peer answered, or why it did not."""
    if not python.exists():
        return f"there is no {python}: make bench-peers installs the peers"
    environ = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "MEM0_DIR": str(folder)}
    try:
        done = subprocess.run(
            [python.absolute(), peer_run.__file__, name, folder],
            env=environ | _QUIET,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {_LONGEST_S // 60} minutes"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        return f"it failed: {last[0]}"
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def _row(
    name: str, chosen: LabelledSet, asked: Sequence[Question], answer: dict[str, Any]
) -> PeerRow:
    answers = [
        Answer(
            question,
            tuple(place for place, item in enumerate(found) if item in question.expects),
            len(found),
            0,
        )
        for question, found in zip(asked, answer["found"], strict=True)
    ]
    count = len(chosen.memories)
    adding = (count / answer["add_s"], answer["add_cpu_s"] * 1000 / count)
    return _measured(name, answer["version"], answers, answer["search_ms"], adding)


def _measured(
    name: str,
    version: str,
    answers: Sequence[Answer],
    taken: Sequence[float],
    adding: tuple[float, float],
) -> PeerRow:
    mean = rows_of(answers, Half.MEASURED, name)[-1]
    return PeerRow(
        name=name,
        version=version,
        at_10=mean.at_10,
        mrr=mean.mrr,
        p50_ms=statistics.median(taken),
        adds_a_second=adding[0],
        add_cpu_ms=adding[1],
    )
