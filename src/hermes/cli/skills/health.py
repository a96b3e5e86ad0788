"""`skills health`: run what skills bring to test themselves, and put away what is broken."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import seconds
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED, UsageError
from hermes.errors import OperatorError, Refused

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.health import HealthReport
    from hermes.records.skill import Skill


def health(call: Call) -> int:
    from hermes.cli.log_lines import log_lines

    if call.args.install and call.args.by is None:
        raise UsageError("--install fetches packages, and somebody allows that", hint="--by NAME")
    with open_home(call.settings) as home:
        skills = _chosen(call, home)
        if call.args.install:
            _install(call, home, skills)
        with log_lines("hermes.health") as lines, call.out.progress("Trying skills") as done:
            report = home.health.run(
                skills,
                call.args.budget,
                lambda name, number, total: done(f"Trying skills: {number} of {total}, {name}"),
            )
    if call.json:
        deprecated = [one.name for one in report.deprecated()]
        call.out.json(
            {"skills": report.skills, "deprecated": deprecated, "not_reached": report.not_reached}
        )
    else:
        _show(call, report, lines)
    return FAILED if report.failing() else DONE


def _chosen(call: Call, home: Home) -> Sequence[Skill]:
    from hermes.cli import picking
    from hermes.records.scope import PERSONAL

    if call.args.name is None:
        home.reader.look()
        return [skill for skill in home.ledger.skills.all() if skill.scope == PERSONAL]
    skill = picking.skill(home, call.args.name)
    if skill.active_version_id is None:
        raise Refused(f"skill '{skill.name}' is not live, so there is nothing to check")
    return [skill]


def _install(call: Call, home: Home, skills: Sequence[Skill]) -> None:
    """Skill by skill: one whose packages cannot be had does not keep the others from theirs."""
    from hermes.cli.identity import approval

    by = approval(call.args.by, agent_session_open=home.loop.agent_open()).by
    with call.out.progress("Fetching packages", len(skills)) as done:
        for skill in skills:
            done(f"Fetching packages of {skill.name}")
            try:
                home.health.install(skill, by)
            except (Refused, OperatorError) as error:
                call.out.note(f"problem: {skill.name}: {error}")


def _show(call: Call, report: HealthReport, lines: Sequence[str]) -> None:
    tried = [one for one in report.skills if one.check.environment]
    if tried:
        checks = [(one.name, one.state, one.check) for one in tried]
        call.out.table(
            ("NAME", "HEALTH", "STATE", "SECONDS", "RAN"),
            ((name, c.status, state, round(c.seconds, 2), c.ran) for name, state, c in checks),
            empty="",
        )
    *said, complete = lines
    for line in said:
        call.out.line(line)
    for one in tried:
        if one.check.status == "untested":
            call.out.line(f"Skill '{one.name}' is untested: {one.check.error}")
    if without_tests := len(report.skills) - len(tried):
        call.out.line(f"skills without tests, and so untested: {without_tests}")
    if report.not_reached:
        call.out.line(f"not checked this time: {', '.join(report.not_reached)}")
    call.out.line(complete)
    _offer(call, [one.check.error for one in tried])


def _offer(call: Call, errors: Sequence[str]) -> None:
    """What to do about packages that are not there."""
    if any("declared, but not installed" in error for error in errors) and not call.args.install:
        command = "hermes skills health --install --by NAME"
        call.out.note(f"`{command}` fetches the packages that skills declare, and tries again")
    if any("(not declared)" in error for error in errors):
        call.out.note(
            "only declared packages are fetched: name them in the skill's requirements.txt"
        )


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--budget",
        type=seconds,
        metavar="TIME",
        help="how long it may take, as 60s or 5m; the most urgent first (no limit)",
    )
    parser.add_argument("--name", metavar="NAME", help="only this skill")
    parser.add_argument(
        "--install", action="store_true", help="fetch the packages that skills declare first"
    )
    parser.add_argument("--by", metavar="NAME", help="with --install: who allows these packages")


COMMANDS = {
    "health": Command(
        run=health,
        arguments=_arguments,
        json=True,
        summary="run skills' own tests in the sandbox; exit code 1 when one fails",
        example="hermes skills health --budget 60s",
    ),
}
