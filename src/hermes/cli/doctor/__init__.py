"""`hermes doctor`: what works on this machine, and what to do about what does not.

It looks and tries, but leaves nothing behind: a home that does not exist yet is not made by it.
Nothing is called over the network but the database that is configured, and the server of the model,
which is knocked at and asked nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from hermes.cli.command import Call, Command
from hermes.cli.doctor import machine, parts, places
from hermes.cli.doctor.finding import Finding, bad
from hermes.cli.exits import DONE, FAILED
from hermes.cli.mark import Mark
from hermes.errors import ConfigError
from hermes.settings import locate


def run(call: Call) -> int:
    findings = list(_findings(call))
    works = all(finding.mark is not Mark.BAD for finding in findings)
    if call.json:
        call.out.json({"works": works, "findings": findings})
    else:
        call.out.checks((one.mark, one.part, one.says, one.advice) for one in findings)
        call.out.line()
        call.out.line(
            "Everything that is needed works."
            if works
            else "Something that is needed does not work; see above."
        )
    return DONE if works else FAILED


def _findings(call: Call) -> Iterator[Finding]:
    """In the order in which a person would put things right."""
    yield machine.interpreter()
    yield from machine.other_commands(call.environ)
    try:
        settings = call.settings
    except ConfigError as error:
        yield bad("settings", error.message, error.hint or "mend it, then run this again")
        yield from places.home(locate(call.environ, home=call.home))
        return
    yield from places.home(settings.paths)
    yield places.skills(settings)
    database = parts.database(settings)
    yield database
    yield parts.embedder(settings)
    yield parts.sandbox(settings, call.environ)
    yield parts.model(settings)
    if database.mark is Mark.GOOD:
        yield parts.worker(settings)
    yield parts.postgres(settings)


COMMAND = Command(run=run, json=True)
