"""The parts that can be missing: database, embedder, sandbox, model, worker, PostgreSQL."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hermes import app
from hermes.app.backlog import backlog_of
from hermes.app.models import model_lacks, model_silence
from hermes.cli.doctor.finding import Finding, bad, good, less
from hermes.errors import HermesError
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.settings import Settings

_SOON = timedelta(hours=1)  # in which a worker that was started is done with what waited
_QUICKLY_READ = 50_000_000  # bytes of a database that are checked without being asked


def database(settings: Settings) -> Finding:
    """Reached and read, neither made nor migrated."""
    file = settings.paths.database_file
    if settings.database_url is None and not file.exists():
        return good("database", f"SQLite; the first command will make {file}")
    where = str(settings.database_url or file)
    try:
        has, known = app.store_schema(settings)
        if has > known:
            return bad("database", f"{where} was written by a newer version", "upgrade hermes-loop")
        if has < known:
            return less(
                "database",
                f"{where} has schema {has}, this version uses {known}",
                "the next command brings it up to date; `hermes db backup FILE` first, if you like",
            )
        problems = _damage(settings)
    except HermesError as error:
        return bad("database", error.message, error.hint or "mend it, then run this again")
    says = f"{_kind(settings)}, schema {has}, {problems[0] if problems else 'whole'}"
    if problems:
        return bad("database", says, "`hermes db verify` lists everything and says what to do")
    return good("database", says)


def _kind(settings: Settings) -> str:
    if settings.database_url is not None:
        return f"PostgreSQL at {settings.database_url}"
    size = settings.paths.database_file.stat().st_size
    return f"SQLite, {size / 1_000_000:.1f} MB"


def _damage(settings: Settings) -> list[str]:
    """What is wrong with a database that can be read in a moment; a large one is not read."""
    file = settings.paths.database_file
    if settings.database_url is not None or file.stat().st_size > _QUICKLY_READ:
        return []
    return [problem.what for problem in app.store_problems(settings) if not problem.is_note]


def embedder(settings: Settings) -> Finding:
    """Two texts are embedded just now, by the one that searches use."""
    chosen = app.home_embedder(settings, tell=lambda _: None) or app.embedder()
    started = time.perf_counter()
    try:
        chosen.embed(["the first text loads the model"])
        loaded = time.perf_counter()
        chosen.embed(["the second one shows what a search costs"])
    except HermesError as error:
        return less("embedder", f"searches go by words alone: {error.message}", error.hint)
    a_text = 1000 * (time.perf_counter() - loaded)
    at = settings.memory.embedder
    where = f"{at.model} at {at.base_url} answers" if at else "loads"
    return good("embedder", f"{where} in {loaded - started:.1f} s, then {a_text:.0f} ms a text")


def sandbox(settings: Settings, environ: Mapping[str, str] | None) -> Finding:
    """Whether generated code could run behind walls; each backend has run a program just now."""
    facts = app.sandbox_facts(settings, os.environ if environ is None else environ)
    wanted = [fact for fact in facts if settings.sandbox.backend in ("auto", fact.name)]
    for fact in wanted:
        if fact.works:
            return good("sandbox", f"{fact.name} works, {fact.detail}")
    reasons = "; ".join(f"{fact.name}: {fact.detail}" for fact in wanted)
    advice = wanted[0].advice if wanted else "set sandbox.backend to auto, bubblewrap or docker"
    return less("sandbox", f"generated code will not run here: {reasons}", advice)


def model(settings: Settings) -> Finding:
    """Whether one is configured and its server answers, which is asked nothing that costs."""
    if settings.model is None:
        return less(
            "model",
            "none is configured; the library, reviews and search work without one",
            "`hermes model use openai:gpt-5`, or `hermes model pull` for one without a key",
        )
    lacking = model_lacks(settings, settings.model)
    if lacking is not None:
        return less("model", lacking.message, lacking.hint)
    silence = model_silence(settings.model)
    if silence:
        return less(
            "model",
            f"the server of {settings.model} does not answer: {silence}",
            "start it or check the network; `hermes model use NAME` chooses another",
        )
    return good("model", f"{settings.model} can be used")


def worker(settings: Settings) -> Finding:
    """Whether background work is done. Somebody has to start it: a chat, a run, or cron."""
    if settings.database_url is None and not settings.paths.database_file.exists():
        return good("worker", "nothing waits to be learned from")
    backlog = backlog_of(settings)
    at_work = f", {backlog.workers} at work" if backlog.workers else ""
    if backlog.since is None:
        return good("worker", f"nothing waits to be learned from{at_work}")
    waited = now() - backlog.since
    runs = "1 run waits" if backlog.runs == 1 else f"{backlog.runs} runs wait"
    says = f"{runs} to be learned from, since {_long(waited)}{at_work}"
    if backlog.workers or waited < _SOON:
        return good("worker", says)
    return less("worker", says, "`hermes worker --until-idle` does it; a cron line keeps it so")


def _long(waited: timedelta) -> str:
    """A duration as one would say it."""
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        number = int(waited.total_seconds() // seconds)
        if number:
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return "a moment"


def postgres(settings: Settings) -> Finding:
    installed = find_spec("psycopg") is not None and find_spec("pgvector") is not None
    if installed:
        return good("postgresql", "its driver is installed")
    advice = "pip install 'hermes-loop[postgres]'"
    if settings.database_url is not None:
        return bad("postgresql", "MEMORY_DB_URL needs a driver that is not installed", advice)
    return good("postgresql", f"not installed, and not needed with SQLite ({advice})")
