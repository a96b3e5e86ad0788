"""`hermes db`: the database as a whole, kept, moved and checked."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hermes import app
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED
from hermes.errors import CorruptData, NotFound, Refused


def migrate(call: Call) -> None:
    before, known = app.store_schema(call.settings)
    database = app.open_store(call.settings)  # opening brings the schema up to date
    database.close()
    if call.json:
        call.out.json({"before": before, "schema": known, "database": database.where})
    elif before == known:
        call.out.line(f"{database.where} has schema {known}, which is the newest")
    else:
        call.out.line(f"{database.where} went from schema {before} to {known}")


def verify(call: Call) -> int:
    with call.out.progress("Reading every row"):
        problems = app.store_problems(call.settings)
    damage = [problem for problem in problems if not problem.is_note]
    if call.json:
        call.out.json({"whole": not damage, "problems": problems})
        return FAILED if damage else DONE
    for problem in problems:
        place = " ".join(part for part in (problem.table, problem.id) if part)
        kind = "note" if problem.is_note else "problem"
        call.out.line(f"{kind}: {place + ': ' if place else ''}{problem.what}")
        call.out.line(f"  {problem.todo}")
    found = f"{len(damage)} problem{'s' if len(damage) > 1 else ''} found"
    call.out.line(found if damage else "the database is whole")
    return FAILED if damage else DONE


def backup(call: Call) -> None:
    file = Path(call.args.file)
    if file.exists():
        raise Refused(f"{file} is there already", hint="name a file that is not there yet")
    if not file.absolute().parent.is_dir():
        raise NotFound(f"there is no folder {file.absolute().parent}")
    with _told(call, "Backing up") as progress:
        manifest = app.back_up(call.settings, file.absolute(), progress)
    size = file.stat().st_size
    if call.json:
        call.out.json({"file": str(file), "size": size, "manifest": manifest})
    else:
        rows = sum(table.rows for table in manifest.tables.values())
        call.out.line(f"{file}: {rows:,} rows, {size:,} bytes")


def restore(call: Call) -> None:
    """The database, then the folders of live skills that this disk lacks."""
    file = Path(call.args.file)
    if not file.is_file():
        raise NotFound(f"there is no file {file}")
    with _advice(call, file), _told(call, "Restoring") as progress:
        manifest, kept = app.restore_backup(
            call.settings, file, progress, replace=call.args.replace
        )
    written, problems = _checked_out(call, file)
    if call.json:
        answer = {"kept": str(kept) if kept else None, "folders_written": written}
        call.out.json({"manifest": manifest, "problems": problems, **answer})
        return
    rows = sum(table.rows for table in manifest.tables.values())
    call.out.line(f"{rows:,} rows restored from {file}, made on {manifest.created_at:%Y-%m-%d}")
    call.out.line(f"{len(written)} skill folder{'' if len(written) == 1 else 's'} written")
    if kept:
        call.out.note(f"the database that was here is kept as {kept}")
    for problem in problems:
        call.out.note(f"problem: {problem}")


@contextmanager
def _advice(call: Call, file: Path) -> Iterator[None]:
    """A database that is in the way can be replaced; whoever did not ask for that is told so."""
    try:
        yield
    except (Refused, CorruptData) as error:
        is_about_backup = isinstance(error, CorruptData) and error.where == str(file)
        if call.args.replace or is_about_backup or call.settings.database_url is not None:
            raise
        hint = "pass --replace: the old file is kept beside the new one"
        raise Refused(error.message, hint=hint) from error


def _checked_out(call: Call, file: Path) -> tuple[list[str], list[str | None]]:
    """The skills whose folders were written, and what is wrong with folders that were here."""
    from hermes.cli.identity import approval

    written = []
    with app.open_home(call.settings) as home, call.out.progress("Writing folders") as done:
        is_open = home.loop.agent_open()
        said = approval(call.args.by, agent_session_open=is_open, note=f"restored from {file.name}")
        for name in home.loop.check_out(said):
            written.append(name)
            done(f"Writing {name}")
        home.reader.look()
        return written, [seen.problem for seen in home.reader.problems()]


def copy(call: Call) -> None:
    with _told(call, "Copying") as progress:
        digests, where = app.copy_store(call.settings, call.args.to, progress)
    if call.json:
        call.out.json({"to": where, "tables": digests})
        return
    call.out.table(
        ("TABLE", "ROWS", "SHA-256, EQUAL IN BOTH"),
        ((name, digest.rows, digest.sha256) for name, digest in digests.items()),
        empty="there was nothing to copy",
    )
    call.out.note(f"copied to {where}; this home still uses its own database")
    call.out.note("MEMORY_DB_URL set to a postgresql:// URL makes it use that one")


@contextmanager
def _told(call: Call, label: str) -> Iterator[Callable[[str, int, int], None]]:
    """Progress that names the table and counts its rows."""
    with call.out.progress(label) as done:
        yield lambda table, rows, total: done(f"{label} {table}: {rows:,} of {total:,}")


def _file(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the backup")


def _restore_arguments(parser: ArgumentParser) -> None:
    from hermes.cli.identity import optional_by_option

    _file(parser)
    optional_by_option(parser)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="where a database is already: keep its file beside the new one",
    )


def _copy_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--to", metavar="URL", required=True, help="a postgresql:// URL, or a file")


COMMAND = {
    "migrate": Command(
        run=migrate,
        json=True,
        summary="bring the schema up to date; every command does so when it starts",
        example="hermes db migrate",
    ),
    "verify": Command(
        run=verify,
        json=True,
        summary="read everything and say what is damaged; exit code 1 when something is",
        example="hermes db verify",
    ),
    "backup": Command(
        run=backup,
        arguments=_file,
        json=True,
        summary="everything in one file, while others go on writing",
        example="hermes db backup hermes-2026-11-15.zip",
    ),
    "restore": Command(
        run=restore,
        arguments=_restore_arguments,
        json=True,
        summary="fill an empty database from a backup, and write the skills' folders",
        example="hermes db restore hermes-2026-11-15.zip",
    ),
    "copy": Command(
        run=copy,
        arguments=_copy_arguments,
        json=True,
        summary="everything into another, empty database; compared by hash",
        example="hermes db copy --to postgresql://hermes@db.example/hermes",
    ),
}
