"""The procedure in a folder: read whole or refused by field, and what a skill's row keeps of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hermes.ids import canonical_json
from hermes.records.codec import Json, dump
from hermes.records.folder import FileContent, Folder
from hermes.records.procedure import Clue, Lesson, Procedure, Support
from hermes.records.skill import Parameter
from hermes.rules.procedures import (
    ProcedureFault,
    defaults_of,
    outputs_of,
    procedure_of,
    triable,
    with_procedure,
)
from hermes.testing import samples

SUPPORT = Support(examples=2, of=3)
MADE = Procedure(
    name="tidy-csv",
    description="Tidies.",
    intent="tidy a file",
    trigger_conditions=("a table is messy",),
    parameters=(
        Parameter(name="file_path", type="path"),
        Parameter(name="out", type="path"),
        Parameter(name="limit", type="number", default=3),
    ),
    test_parameters={"file_path": "assets/a.csv", "out": "b.csv"},
    how_to_find=(Clue(parameter="file_path", how="the request names it"),),
    code_template="file_path = {file_path}\nout = {out}\nlimit = {limit}\nprint({'a': {1}})\n",
    outputs=("out", "log.txt"),
    dependencies=("pandas",),
    success_criteria=(Lesson(text="rows are sorted", support=SUPPORT),),
    pitfalls=(Lesson(text="no header", remedy="say so", support=SUPPORT),),
)


def folder(data: bytes) -> Folder:
    return Folder({"references/procedure.json": FileContent(data)})


def written(**changes: Json) -> Folder:
    return folder(canonical_json({**dump(MADE), **changes}).encode())


def test_it_is_read_as_it_was_written() -> None:
    assert procedure_of(written()) == MADE
    assert procedure_of(Folder({})) is None


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it is not JSON: line 1"),
        (b"{\n  oops", "it is not JSON: line 2"),
        (b"\xff\xfe\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "Procedure: expected an object, got list"),
        (b"{}", "Procedure: unknown [], missing ['description', 'intent', 'name']"),
    ],
)
def test_what_is_no_procedure_says_so(data: bytes, told: str) -> None:
    with pytest.raises(ProcedureFault) as caught:
        procedure_of(folder(data))
    assert told in str(caught.value)


PARAMETER = dump(Parameter(name="x", type="text"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"outputs": [1]}, "Procedure.outputs: expected str, got int"),
        (
            {"parameters": [{"name": "x"}]},
            "Procedure.parameters: Parameter: unknown [], missing ['type']",
        ),
        ({"parameters": [PARAMETER, PARAMETER]}, "Procedure.parameters: 'x' is there twice"),
        (
            {"parameters": [{**PARAMETER, "name": "x; y"}]},
            "Procedure.parameters: 'x; y' cannot be a variable's name",
        ),
        ({"test_parameters": {"y": 1}}, "Procedure.test_parameters: there is no parameter 'y'"),
        ({"code_template": "print(1"}, "Procedure.code_template: it is not Python: line 1"),
        ({"extra": 1}, "Procedure: unknown ['extra'], missing []"),
    ],
)
def test_a_fault_names_its_field(changes: dict[str, Json], told: str) -> None:
    with pytest.raises(ProcedureFault) as caught:
        procedure_of(written(**changes))
    assert told in str(caught.value)


def test_what_a_brief_file_does_not_say_has_its_default() -> None:
    said = {
        "name": "a",
        "description": "b",
        "intent": "c",
        "parameters": [{"name": "x", "type": "text"}],
    }
    pitfall = {"text": "d", "support": {"examples": 1, "of": 2}}
    read = procedure_of(folder(json.dumps({**said, "pitfalls": [pitfall]}).encode()))
    assert read == Procedure(
        name="a",
        description="b",
        intent="c",
        parameters=(Parameter(name="x", type="text"),),
        pitfalls=(Lesson(text="d", support=Support(examples=1, of=2)),),
    )


def test_a_row_is_filled_and_emptied() -> None:
    skill = samples.skill(name="tidy-csv")
    full = with_procedure(skill, MADE)
    assert full.code_template == MADE.code_template
    assert full.parameters == MADE.parameters
    assert full.test_parameters == MADE.test_parameters
    assert full.dependencies == ("pandas",)
    assert full.trigger_conditions == ("a table is messy",)
    assert full.pitfalls == ("no header: say so",)
    assert full.success_criteria == ("rows are sorted",)
    assert with_procedure(full, None) == skill


def test_a_test_value_that_names_a_file_nobody_brings_tests_nothing() -> None:
    assert triable(MADE, {"assets/a.csv"}) == MADE
    assert triable(MADE, {"assets/other.csv"}).test_parameters == {}
    only_results = replace(MADE, parameters=MADE.parameters[1:], test_parameters={"out": "x"})
    assert triable(only_results, set()) == only_results


def test_outputs_are_paths_and_defaults_are_values() -> None:
    assert outputs_of(MADE, {"out": "b.csv", "file_path": "a.csv"}) == ("b.csv", "log.txt")
    optional = Parameter(name="sep", type="text", required=False)
    assert defaults_of((*MADE.parameters, optional)) == {"limit": 3, "sep": None}


def test_the_published_skill_can_be_read(published: Folder) -> None:
    made = procedure_of(published)
    assert made is not None
    assert [one.name for one in made.parameters] == [
        *("file_path", "date_column", "value_column", "output_path"),
    ]
    assert json.loads(published.files["references/procedure.json"].data)["name"] == made.name
