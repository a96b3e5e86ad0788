"""`skills validate`: what the format says about a skill, before or after it is in the library."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED
from hermes.errors import CorruptData, NotFound


def validate(call: Call) -> int:
    """Findings name file and line, so that an editor can jump there."""
    from hermes.app import check_skill

    path = _place(call)
    folder = path if path.is_dir() else path.parent
    try:
        reading = check_skill(path)
        errors = [f"{folder}/{finding}" for finding in reading.errors]
        warnings = [f"{folder}/{finding}" for finding in reading.warnings]
    except CorruptData as error:  # a link, a device, a file nobody may read
        errors, warnings = [str(error)], []
    if call.json:
        valid = not errors
        call.out.json({"path": str(path), "valid": valid, "errors": errors, "warnings": warnings})
    else:
        for finding in errors:
            call.out.line(f"error: {finding}")
        for finding in warnings:
            call.out.line(f"warning: {finding}")
        call.out.line(_summary(path, len(errors), len(warnings)))
    return FAILED if errors else DONE


def _place(call: Call) -> Path:
    """A path that exists, or the folder of a skill of that name."""
    text = call.args.path
    path = Path(text)
    if text and path.exists():
        return path
    if text and "/" not in text:
        from hermes.app import open_home
        from hermes.records.scope import PERSONAL

        with open_home(call.settings) as home:
            skill = home.ledger.skills.named(text, PERSONAL)
        if skill is not None:
            return Path(call.settings.paths.skills_dir / skill.location)
        inside = Path(call.settings.paths.skills_dir / text)
        if inside.is_dir():
            return inside
    raise NotFound(f"there is neither a file or folder '{text}' nor a skill of that name")


def _summary(path: Path, errors: int, warnings: int) -> str:
    told = f"{path}: {'not valid' if errors else 'valid'}"
    for number, word in ((errors, "error"), (warnings, "warning")):
        if number:
            told += f", {number} {word}{'s' if number > 1 else ''}"
    return told


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a skill's folder, its SKILL.md, or its name")


COMMANDS = {
    "validate": Command(
        run=validate,
        arguments=_arguments,
        json=True,
        summary="what is wrong with a skill's folder, with file and line",
        example="hermes skills validate ./tidy-csv",
    ),
}
