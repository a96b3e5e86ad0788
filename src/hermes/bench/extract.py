"""What learning costs: reading logs, arranging requests, mining a pattern, writing a skill.

Every number is measured in this run. The logs are made up as real ones are (log_corpus.py); beside
them, copies of those it is given, under new ids: short sessions that are dense with steps.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hermes import settings
from hermes.app import Home, embedder, open_home
from hermes.app.learn import imported_runs, write_skill
from hermes.bench.figures import Figure
from hermes.bench.intents import BY_BOTH, FEW, MANY, MOST, IntentReport, measure
from hermes.bench.log_corpus import write_corpus
from hermes.rules.mine import NotMined, Worked, mine
from hermes.testing.scripted_model import ScriptedModel

Say = Callable[[str], None]
_INGESTED = 192_000_000
_INGESTED_DENSE = 8_000_000
_MINED = 10
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractReport:
    figures: tuple[Figure, ...]
    intents: IntentReport


def extract_report(logs: Path, say: Say) -> ExtractReport:
    """`logs` is a folder of session logs of one kind of agent, some of them of one pattern."""
    say(f"reading {_INGESTED / 1e6:.0f} MB of logs")
    figures = ingest_figures(logs)
    say("mining and writing")
    figures += mining_figures(logs)
    say("arranging the labelled requests, then up to 40,000")
    intents = measure(embedder().embed)
    return ExtractReport(figures=(*figures, *_intent_figures(intents)), intents=intents)


def ingest_figures(logs: Path) -> list[Figure]:
    """Logs as they are on most disks, and small dense ones: copies of those that are given."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        usual, dense = Path(folder, "usual"), Path(folder, "dense")
        size = write_corpus(usual, _INGESTED)
        spent, peak = _ingest(usual, Path(folder, "home"))
        dense_size = _copies(logs, dense, _INGESTED_DENSE)
        dense_spent, _ = _ingest(dense, Path(folder, "dense-home"))
    return [
        Figure(what="ingest, logs into the store", value=size / 1e6 / spent, unit="MB/s", least=20),
        Figure(what="ingest, peak memory of all processes", value=peak, unit="MB", limit=300),
        Figure(
            what="ingest, sessions of a few short steps",
            value=dense_size / 1e6 / dense_spent,
            unit="MB/s",
        ),
    ]


def _ingest(logs: Path, home: Path) -> tuple[float, float]:
    """Seconds that an import takes, and the megabytes of all its processes together at most."""
    code = (
        "import sys; from pathlib import Path; from hermes import settings\n"
        "from hermes.app import open_home; from hermes.app.importing import import_logs\n"
        "import_logs(open_home(settings.load()), [Path(sys.argv[1])])"
    )
    start = time.perf_counter()
    peak = 0.0
    with subprocess.Popen(
        [sys.executable, "-c", code, str(logs)],
        env={"HERMES_HOME": str(home), "HOME": str(home), "PATH": ""},
    ) as process:
        while process.poll() is None:
            peak = max(peak, _memory_mb(process.pid))
            time.sleep(0.1)
    assert process.returncode == 0
    return time.perf_counter() - start, peak


def _memory_mb(pid: int) -> float:
    """Of a process and those that it started; only Linux tells."""
    pages = 0
    with suppress(OSError):  # it has ended in the meantime
        for task in Path(f"/proc/{pid}/task").iterdir():
            for one in (str(pid), *(task / "children").read_text().split()):
                if one != str(pid) or task.name == one:
                    pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def mining_figures(logs: Path) -> list[Figure]:
    """The largest group of runs on one kind of file, brought up to ten."""
    with _home() as home:
        runs, transcript = imported_runs(home, [logs])
    examples = _ten(_largest_pattern(runs))
    start = time.perf_counter()
    procedure = mine(examples, [])
    spent = time.perf_counter() - start
    assert not isinstance(procedure, NotMined), procedure.reason
    written = write_skill(procedure, ScriptedModel([_prose(len(procedure.steps))]))
    assert not written.failure, written.failure
    spent_tokens = written.input_tokens + written.output_tokens
    told = sum(transcript[one.trajectory_id] for one in examples) / 4
    return [
        Figure(what=f"mining {len(examples)} runs of one pattern", value=spent, unit="s", limit=1),
        Figure(
            what="tokens to write the skill with a model, of those of its transcripts",
            value=100 * spent_tokens / told,
            unit="%",
            limit=20,
        ),
    ]


def _prose(steps: int) -> str:
    """An answer about as long as a good one is."""
    sentence = "Read the input file, keep what counts and write the totals to the output file."
    return json.dumps(
        {
            "title": "Totals of a table",
            "description": f"{sentence} Use when totals of a table are asked for.",
            "goal": f"{sentence} {sentence}",
            "when_to_use": [sentence] * 4,
            "steps": [f"{sentence} {sentence}"] * steps,
            "output_format": f"{sentence} {sentence}",
        }
    )


def _intent_figures(report: IntentReport) -> list[Figure]:
    unseen = next(one for one in report.halves if (one.half, one.by) == ("unseen", BY_BOTH))
    return [
        Figure(what="arranging 10,000 tasks", value=report.seconds[MANY], unit="s", limit=60),
        Figure(what="time of 10,000 tasks against 1,000", value=report.growth(FEW, MANY), unit="×"),
        Figure(
            what="time of 40,000 tasks against 10,000",
            value=report.growth(MANY, MOST),
            unit="×",
            limit=4.7,  # near-linear: at most 13 times for ten times as many
        ),
        Figure(what="pairs put together rightly", value=unseen.precision, unit="", least=0.85),
        Figure(what="pairs that belong together, found", value=unseen.recall, unit="", least=0.75),
    ]


def _copies(logs: Path, target: Path, size: int) -> int:
    """Every log again and again, each time as other sessions; how many bytes that made."""
    sources = [(path.relative_to(logs), path.read_text()) for path in logs.rglob("*.jsonl")]
    made = 0
    while made < size:
        renamed: dict[str, str] = {}

        def another(found: re.Match[str], renamed: dict[str, str] = renamed) -> str:
            return renamed.setdefault(found[0], str(uuid.uuid4()))

        for name, text in sources:
            place = target / _UUID.sub(another, str(name))
            place.parent.mkdir(parents=True, exist_ok=True)
            made += place.write_text(_UUID.sub(another, text))
    return made


def _largest_pattern(runs: Sequence[Worked]) -> list[Worked]:
    """Runs whose first input has the same kind of name."""
    groups: dict[str, list[Worked]] = {}
    for run in runs:
        names = [artefact.name for move in run.moves for artefact in move.artefacts]
        suffix = Path(names[0]).suffix if names else ""
        if suffix:
            groups.setdefault(suffix, []).append(run)
    return max(groups.values(), key=len)


def _ten(runs: Sequence[Worked]) -> list[Worked]:
    copies = []
    for number in range(_MINED):
        run = runs[number % len(runs)]
        again = f"-{number // len(runs)}" if number >= len(runs) else ""
        copies.append(
            replace(run, example_id=f"{run.example_id}{again}", trajectory_id=run.trajectory_id)
        )
    return copies


@contextmanager
def _home() -> Iterator[Home]:
    with (
        tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder,
        open_home(settings.load({"HERMES_HOME": folder, "HOME": folder})) as home,
    ):
        yield home
