"""Is the store whole? Every check reads; none repairs, because only a person knows what was meant.

A row that cannot be read becomes a problem, and the checks go on: the list is complete.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hermes.errors import CorruptData
from hermes.ids import content_hash
from hermes.records.codec import field_names
from hermes.records.event import FIRST, Event
from hermes.records.intent import Intent
from hermes.records.release import Release, ReleaseState
from hermes.records.skill import Skill
from hermes.records.version import Version, VersionState
from hermes.store.database import Database
from hermes.store.layout import TABLES, Layout
from hermes.store.pages import pages
from hermes.store.rows import rows_of

_RESTORE = "restore a backup: hermes db restore FILE"
(_CONTENTS,) = (layout for layout in TABLES if layout.table == "contents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong where, and what to do. A note is worth knowing and no damage."""

    table: str
    id: str
    what: str
    todo: str
    is_note: bool = False


def verify(database: Database) -> list[Problem]:
    """Everything that is wrong with the store; each check looks at one moment of it."""
    checks = (
        _damage(database),
        _references(database),
        _rows(database),
        _contents(database),
        _trail(database),
        _live_versions(database),
        _steps(database),
        _generations(database),
        _pending(database),
    )
    return [problem for check in checks for problem in _survive(database, check)]


def _survive(database: Database, check: Iterator[Problem]) -> Iterator[Problem]:
    """A page that cannot be read ends its check, not the others."""
    try:
        with database.snapshot():
            yield from check
    except CorruptData as error:
        yield Problem(table="database", id=database.where, what=error.message, todo=_RESTORE)


def _damage(database: Database) -> Iterator[Problem]:
    """What the database itself finds wrong with its files and indexes."""
    for (what,) in database.all("own_problems"):
        if what != "ok":
            yield Problem(table="database", id=database.where, what=what, todo=_RESTORE)


def _references(database: Database) -> Iterator[Problem]:
    for layout in TABLES:
        for column, target in layout.references:
            orphans = database.ask(
                f"SELECT {layout.key[0]}, {column} FROM {layout.table} AS holder"
                f" WHERE {column} IS NOT NULL AND NOT EXISTS"
                f" (SELECT 1 FROM {target} AS held WHERE held.id = holder.{column})"
            )
            for row_id, missing in orphans:
                what = f"{column} is {missing}, which is not in {target}"
                yield Problem(table=layout.table, id=str(row_id), what=what, todo=_RESTORE)


def _rows(database: Database) -> Iterator[Problem]:
    """Every row is a record: known states, whole JSON, times with a zone, trees of their files."""
    for layout in TABLES:
        if layout.record is not None:
            for key, reading in _readings(database, layout):
                if isinstance(reading, CorruptData):
                    what = reading.message
                    yield Problem(table=layout.table, id=key, what=what, todo=_RESTORE)


def _contents(database: Database) -> Iterator[Problem]:
    """Every file of every version is there, and is what its hash says."""
    sound: set[str] = set()
    for name, data in pages(database, _CONTENTS, ("data",)):
        if content_hash(data) == name:
            sound.add(name)
        else:
            what = "the bytes have another hash than their name"
            yield Problem(table="contents", id=name, what=what, todo=_RESTORE)
    for version in _records(database, Version):
        for entry in version.files:
            if entry.content not in sound:
                what = f"{entry.path} is gone or altered ({entry.content})"
                yield Problem(table="versions", id=version.id, what=what, todo=_RESTORE)


def _trail(database: Database) -> Iterator[Problem]:
    """Numbered from 1 without gaps, each line carrying the hash of the one before it."""
    expected, previous = 1, FIRST
    todo = "somebody altered the audit trail; compare it with a backup"
    for event in _records(database, Event):
        fault = ""
        if event.seq != expected:
            fault = f"lines {expected} to {event.seq - 1} are gone or unreadable"
        elif event.previous != previous:
            fault = "it does not follow the line before it"
        elif event.hash != event.expected_hash():
            fault = "its content is not what its hash says"
        if fault:
            yield Problem(table="events", id=str(event.seq), what=fault, todo=todo)
        expected, previous = event.seq + 1, event.hash


def _live_versions(database: Database) -> Iterator[Problem]:
    """Skill, release and version tell the same story of what is live."""
    todo = "roll the skill back to the version you want: hermes skills rollback NAME"
    releases: dict[str, list[Release]] = defaultdict(list)
    for release in _records(database, Release):
        if release.state is ReleaseState.ACTIVE:
            releases[release.skill_id].append(release)
    active: dict[str, list[str]] = defaultdict(list)
    for version in _records(database, Version):
        if version.state is VersionState.ACTIVE:
            active[version.skill_id].append(version.id)
    for skill in _records(database, Skill):
        live = [skill.active_version_id] if skill.active_version_id else []
        released = [release.version_id for release in releases[skill.id]]
        if len(released) > 1:
            what = f"it has {len(released)} active releases"
            yield Problem(table="skills", id=skill.id, what=what, todo=todo)
        elif released != live:
            what = f"its active version is {_names(live)}, its release is of {_names(released)}"
            yield Problem(table="skills", id=skill.id, what=what, todo=todo)
        if active[skill.id] != live:
            states = _names(active[skill.id])
            what = f"its active version is {_names(live)}, in the state `active` is {states}"
            yield Problem(table="skills", id=skill.id, what=what, todo=todo)


def _steps(database: Database) -> Iterator[Problem]:
    for trajectory_id, steps, last in database.all("uneven_steps"):
        what = f"it has {steps} steps, the last is number {last}"
        yield Problem(table="steps", id=trajectory_id, what=what, todo=_RESTORE)


def _generations(database: Database) -> Iterator[Problem]:
    """A skill ahead of the counter would not be seen when it changes next."""
    ((counter,),) = database.all("current_generation")
    for skill_id, generation in database.all("skills_ahead", generation=counter):
        what = f"its generation {generation} is ahead of the library's {counter}"
        yield Problem(table="skills", id=skill_id, what=what, todo=_RESTORE)


def _pending(database: Database) -> Iterator[Problem]:
    homes = Counter(intent.home for intent in _records(database, Intent))
    for home, intents in homes.items():
        yield Problem(
            table="journal",
            id=home,
            what=f"{intents} changes of its skills folder are not finished",
            todo="the next command in that home finishes them",
            is_note=True,
        )


def _records(database: Database, record: Any) -> Iterator[Any]:
    """The records of a table that can be read; `_rows` tells of the others."""
    (layout,) = (one for one in TABLES if one.record is record)
    for _, reading in _readings(database, layout):
        if not isinstance(reading, CorruptData):
            yield reading


def _readings(database: Database, layout: Layout) -> Iterator[tuple[str, Any]]:
    """(key, record) of every row, or (key, CorruptData) where it is none."""
    rows, width = rows_of(layout.record), len(layout.key)
    for row in pages(database, layout, field_names(layout.record)):
        key = "/".join(map(str, row[:width]))
        try:
            reading = rows.record(row[width:], layout.table)
        except CorruptData as error:
            reading = error
        yield key, reading


def _names(versions: list[str]) -> str:
    return ", ".join(versions) or "none"
