"""The procedure in a skill's folder, and what a skill's row repeats of it.

The file travels with the folder, so the row always says what the live version can do: it is filled
from the version that goes live, and emptied again by a rollback to one that has no procedure.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from hermes.errors import Refused, WrongCall
from hermes.records.codec import CodecError, Json, load, to_plain
from hermes.records.folder import Folder
from hermes.records.procedure import Lesson, Procedure
from hermes.records.skill import Parameter, Skill
from hermes.rules.templates import bind

PROCEDURE_FILE = "references/procedure.json"
PATH = "path"
"""The type of a parameter that names a file."""


class ProcedureFault(ValueError):
    """The file is not a procedure; the text names the field."""


def procedure_of(folder: Folder) -> Procedure | None:
    """What the folder brings; raises ProcedureFault where that cannot be read or run."""
    file = folder.files.get(PROCEDURE_FILE)
    if file is None:
        return None
    try:
        procedure = load(Procedure, _completed(Procedure, json.loads(file.data)))
    except CodecError as error:
        raise ProcedureFault(str(error)) from error
    except json.JSONDecodeError as error:
        raise ProcedureFault(f"it is not JSON: line {error.lineno}: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise ProcedureFault("it is not JSON: it is no text, or nested too deeply") from error
    _check_names(procedure)
    _check_template(procedure)
    return procedure


def runnable(folder: Folder, name: str) -> Procedure:
    """The procedure of this skill, which has a program; raises Refused where there is none."""
    try:
        procedure = procedure_of(folder)
    except ProcedureFault as fault:
        raise Refused(f"skill '{name}' cannot be run: {PROCEDURE_FILE}: {fault}") from fault
    if procedure is None or procedure.code_template is None:
        why = f": {procedure.why_no_program}" if procedure and procedure.why_no_program else ""
        raise Refused(
            f"skill '{name}' has no program to run, only words to follow{why}",
            hint=f"`hermes skills show {name}` shows them; a program is in {PROCEDURE_FILE}",
        )
    return procedure


def _completed(record: Any, data: Json) -> Json:
    """With the defaults of what is not said.

    A file that a person wrote is brief, and one from an earlier version knows fewer fields.
    """
    if not isinstance(data, dict):
        return data
    hints = typing.get_type_hints(record)
    completed = dict(data)
    for field in dataclasses.fields(record):
        inner = next(iter(typing.get_args(hints[field.name])), None)
        hint = inner if typing.get_origin(hints[field.name]) is tuple else hints[field.name]
        if field.name not in data:
            if field.default is not dataclasses.MISSING:
                completed[field.name] = to_plain(field.default)
            elif field.default_factory is not dataclasses.MISSING:
                completed[field.name] = to_plain(field.default_factory())
        elif dataclasses.is_dataclass(hint):
            value = data[field.name]
            each = [_completed(hint, one) for one in value] if isinstance(value, list) else None
            completed[field.name] = _completed(hint, value) if each is None else each
    return completed


def _check_names(procedure: Procedure) -> None:
    names = [one.name for one in procedure.parameters]
    for name in names:
        if not name.isidentifier():
            raise ProcedureFault(f"Procedure.parameters: {name!r} cannot be a variable's name")
        if names.count(name) > 1:
            raise ProcedureFault(f"Procedure.parameters: '{name}' is there twice")
    for field in ("test_parameters", "how_to_find"):
        said = getattr(procedure, field)
        used = said if isinstance(said, Mapping) else [clue.parameter for clue in said]
        for name in used:
            if name not in names:
                raise ProcedureFault(f"Procedure.{field}: there is no parameter '{name}'")


def _check_template(procedure: Procedure) -> None:
    """Filled with any text it must be a program; what it then does is for a trial to say."""
    if procedure.code_template is None:
        return
    try:
        bind(procedure.code_template, {one.name: "x" for one in procedure.parameters})
    except WrongCall as error:
        raise ProcedureFault(f"Procedure.code_template: {error.message}") from error


def triable(procedure: Procedure, files: Collection[str]) -> Procedure:
    """Without its test values where one names an input that the folder does not bring.

    Such a test would fail for want of a file, and say nothing about the skill.
    """
    absent = [
        one.name
        for one in procedure.parameters
        if one.type == PATH
        and one.name not in procedure.outputs
        and procedure.test_parameters.get(one.name, "") not in files
    ]
    return replace(procedure, test_parameters={}) if absent else procedure


def with_procedure(skill: Skill, procedure: Procedure | None) -> Skill:
    """The skill's row as this procedure fills it; None empties what one filled before."""
    said = procedure or Procedure(name=skill.name, description="", intent="")
    return replace(
        skill,
        trigger_conditions=said.trigger_conditions,
        code_template=said.code_template,
        parameters=said.parameters,
        test_parameters=said.test_parameters,
        dependencies=said.dependencies,
        pitfalls=tuple(map(_sentence, said.pitfalls)),
        success_criteria=tuple(map(_sentence, said.success_criteria)),
    )


def outputs_of(procedure: Procedure, values: Mapping[str, Json]) -> tuple[str, ...]:
    """The paths that it writes: a parameter stands for its value, any other text for itself.

    A text may be made from values: `{input_path_stem}_clean.csv`.
    """
    from hermes.rules.mine.forms import filled  # the row of a skill is read without it

    names = {one.name for one in procedure.parameters}
    paths = (
        str(values.get(one, "")) if one in names else filled(one, values)
        for one in procedure.outputs
    )
    return tuple(path for path in paths if path)


def defaults_of(parameters: Collection[Parameter]) -> dict[str, Json]:
    """A value for each parameter that need not be given; None is a value too."""
    return {
        one.name: one.default for one in parameters if not one.required or one.default is not None
    }


def _sentence(lesson: Lesson) -> str:
    return f"{lesson.text}: {lesson.remedy}" if lesson.remedy else lesson.text
