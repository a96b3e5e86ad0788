"""A skill's program as a tool: what the model is told of it, and what it is told when it errs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hermes.agent.tool import Tool
from hermes.agent.tools.skill_programs import SkillProgram, skill_program_tool, tool_name
from hermes.records.codec import Json
from hermes.records.procedure import Procedure
from hermes.records.skill import Parameter
from hermes.records.tool_answer import ToolAnswer

PARAMETERS = (
    Parameter(name="input_path", type="path", description="The file.", observed=("a.csv", "ü.csv")),
    Parameter(name="top", type="number", description="How many.", observed=("5", "3")),
    Parameter(name="mode", type="choice", observed=("sum", "mean")),
    Parameter(name="strict", type="boolean", required=False, default=False),
    Parameter(name="columns", type="list", required=False, default=["a"]),
)


class Runs:
    """A program that keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[Mapping[str, Json]] = []

    def __call__(self, values: Mapping[str, Json]) -> ToolAnswer:
        self.given.append(values)
        return ToolAnswer(text="ran")


def tool_of(runs: Runs, *, proven: bool = True) -> Tool:
    procedure = Procedure(
        name="csv-totals",
        description="d",
        intent="i",
        parameters=PARAMETERS,
        code_template="input_path = {input_path}\n",
    )
    return skill_program_tool(
        SkillProgram(
            name="csv-totals",
            description="Totals of a CSV.",
            procedure=procedure,
            run=runs,
            cases=("sum up sales.csv",),
            proven=proven,
        )
    )


def test_parameters_become_arguments_with_types_and_earlier_values() -> None:
    tool = tool_of(Runs())
    assert tool.name == "skill_csv_totals"
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "input_path": {
                "type": "string",
                "description": 'The file; earlier: "a.csv", "ü.csv"',
            },
            "top": {"type": "number", "description": "How many; earlier: 5, 3"},
            "mode": {
                "type": "string",
                "enum": ["sum", "mean"],
                "description": 'choice; earlier: "sum", "mean"',
            },
            "strict": {"type": "boolean", "default": False, "description": "boolean"},
            "columns": {"type": "array", "default": ["a"], "description": "list"},
        },
        "required": ["input_path", "top", "mode"],
        "additionalProperties": False,
    }


def test_the_description_says_what_is_known_and_what_it_was_used_for() -> None:
    assert tool_of(Runs()).description == (
        "Totals of a CSV. (skill csv-totals, proven on earlier work; runs at once)"
        " Earlier cases: sum up sales.csv"
    )
    assert "not proven yet" in tool_of(Runs(), proven=False).description


def test_values_arrive_in_their_types_with_the_defaults() -> None:
    runs = Runs()
    arguments = {"input_path": "b.csv", "top": "7", "mode": "sum", "columns": ["x", "y"]}
    text = tool_of(runs).run(arguments).text
    assert text.startswith("ran\n")
    assert "answer now" in text
    assert runs.given == [
        {"input_path": "b.csv", "top": 7, "mode": "sum", "strict": False, "columns": ["x", "y"]}
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "input_path is missing; top is missing; mode is missing"),
        ({"input_path": "b", "top": "many", "mode": "sum"}, "top: a number is wanted, not 'many'"),
        ({"input_path": "b", "top": 1, "mode": "sum", "x": 1}, "there is no parameter 'x'"),
        ({"input_path": "a\0b", "top": 1, "mode": "sum"}, "input_path: a value has no NUL"),
        ({"input_path": "b", "top": None, "mode": "sum"}, "top: a number is wanted"),
    ],
)
def test_wrong_arguments_are_told_with_reasons_and_nothing_runs(
    arguments: Mapping[str, Json], said: str
) -> None:
    runs = Runs()
    answer = tool_of(runs).run(arguments)
    assert answer.failed
    assert answer.text.startswith("csv-totals was not run: ")
    assert said in answer.text
    assert runs.given == []


def test_every_skill_has_a_name_that_providers_take() -> None:
    assert tool_name("a.b-c") == "skill_a_b_c"
    assert len(tool_name("n" * 100)) == 64
