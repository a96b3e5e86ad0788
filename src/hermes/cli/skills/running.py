"""`skills run`: do what a skill does, in the sandbox, on files of one's own."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import name_argument
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED, UsageError
from hermes.errors import Refused

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.cli.skills.run_files import Errand
    from hermes.records.codec import Json
    from hermes.records.folder import Folder
    from hermes.records.procedure import Procedure
    from hermes.records.replay import ReplayRun
    from hermes.records.sandbox import NetworkGrant
    from hermes.records.skill import Parameter

_NAMED = 5  # observed values that a message shows


def run(call: Call) -> int:
    """What is declared as a result comes back to the current folder; nothing else does."""
    from hermes.app import sandbox_replays
    from hermes.cli.skills.run_files import Errand, listed
    from hermes.rules.requirements import declared
    from hermes.rules.templates import bind

    with open_home(call.settings) as home:
        procedure, folder, network = _procedure(home, call.args.name)
    assert procedure.code_template is not None
    here = Path.cwd()
    errand = Errand(procedure, _values(call, procedure), here)
    for text in call.args.input:
        errand.add(text)
    if not call.args.force and (there := listed(errand.occupied(), here)):
        raise Refused(f"{', '.join(there)} is there already", hint="--force overwrites it")
    for name, text in errand.absent:
        call.out.note(f"note: {name}: there is no file '{text}' here to give to the program")
    program = bind(procedure.code_template, errand.values)
    with call.out.progress(f"Running {call.args.name}"):
        done = sandbox_replays(call.settings, network).run(
            program, errand.files, requirements=declared(folder, procedure.dependencies)
        )
    wrote: list[str] = []
    if not done.error:
        wrote = listed(errand.deliver(done.files, force=call.args.force), here)
    return _tell(call, errand, done, wrote)


def _procedure(home: Home, name: str) -> tuple[Procedure, Folder, NetworkGrant | None]:
    """What is live, and the hosts that a person let it reach."""
    from hermes.app.granting import network_grant
    from hermes.cli import picking
    from hermes.rules.procedures import runnable

    skill = picking.skill(home, name)
    version = home.ledger.active(skill)
    if version is None:
        raise Refused(f"skill '{skill.name}' is not live, so it cannot be run")
    folder = home.ledger.versions.folder(version)
    return runnable(folder, skill.name), folder, network_grant(home, skill)


def _values(call: Call, procedure: Procedure) -> Mapping[str, Json]:
    from hermes.rules.parameters import fill

    filling = fill(procedure.parameters, _given(call.args.param))
    if filling.problems:
        raise UsageError("; ".join(filling.problems))
    if filling.missing:
        for one in filling.missing:
            call.out.note(f"  {_described(one)}")
        names = ", ".join(one.name for one in filling.missing)
        raise UsageError(f"{call.args.name} needs {names}", hint=_example(filling.missing))
    return filling.values


def _given(pairs: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for pair in pairs:
        name, joined, value = pair.partition("=")
        if not joined or not name:
            raise UsageError(f"--param wants NAME=VALUE, not {pair!r}")
        if name in given:
            raise UsageError(f"--param {name} is given twice")
        given[name] = value
    return given


def _described(parameter: Parameter) -> str:
    told = f"{parameter.name} ({parameter.type})"
    if parameter.description:
        told += f": {parameter.description}"
    seen = ", ".join(map(str, parameter.observed[:_NAMED]))
    return f"{told}; seen so far: {seen}" if seen else told


def _example(missing: Sequence[Parameter]) -> str:
    return " ".join(
        f"--param {one.name}={one.observed[0] if one.observed else '…'}" for one in missing
    )


def _tell(call: Call, errand: Errand, done: ReplayRun, wrote: Sequence[str]) -> int:
    """The exit code is the truth: 1 for a program that failed or left a result out."""
    unmade = errand.unmade(done.files) if not done.error else []
    unwanted = errand.unwanted(done.files)
    if call.json:
        call.out.json(
            {
                "name": call.args.name,
                "outcome": str(done.outcome),
                "error": done.error or None,
                "exit_code": done.exit_code,
                "stdout": done.stdout,
                "stderr": done.stderr,
                "wrote": wrote,
                "not_written": unmade,
                "not_kept": [*unwanted, *done.unkept],
                "seconds": done.seconds,
            }
        )
        return FAILED if done.error or unmade else DONE
    if done.stdout.strip():
        call.out.block(done.stdout)
    for path in wrote:
        call.out.note(f"wrote {path}")
    for path in (*unwanted, *done.unkept):
        call.out.note(f"not kept, because the skill does not declare it: {path}")
    if "declared, but not installed" in done.error:
        command = f"hermes skills health --name {call.args.name} --install --by NAME"
        raise Refused(done.error, hint=f"`{command}` fetches its packages")
    if done.error:
        raise Refused(f"the program did not succeed: {done.error}")
    if unmade:
        raise Refused(f"the program ended well, but did not write {', '.join(unmade)}")
    return DONE


def _arguments(parser: ArgumentParser) -> None:
    name_argument(parser)
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value for one of its parameters; a path is taken from the current folder",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="FILE",
        help="a file that no parameter names, but the program looks for",
    )
    parser.add_argument(
        "--force", action="store_true", help="let results overwrite files that are there"
    )


COMMANDS = {
    "run": Command(
        run=run,
        arguments=_arguments,
        json=True,
        summary="do what a skill does on files of your own, in the sandbox",
        example="hermes skills run tidy-csv --param file_path=jan.csv",
    ),
}
