"""A finished piece of work that a small model is shown before its own: it imitates, where a rule
would be passed over.

It stands before the conversation each time and is no part of it: nothing of it is recorded. The
task is one that nobody will ask for in these words, so that a copied answer is seen as one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from hermes.records.procedure import is_program

_PROGRAM = """\
import csv
rows = csv.DictReader(open("staff.csv"))
young = [row["name"] for row in rows if float(row["age"]) < 30]
open("young.txt", "w").write("\\n".join(young) + "\\n")
print(young)
"""


def worked_example(tools: Collection[str]) -> Sequence[ModelMessage]:
    """Look first; then one program that does all of it and says what it did; then the answer.

    None where a skill's own program is offered: what is imitated would be done instead of it.
    """
    if any(map(is_program, tools)):
        return ()
    return (
        ModelRequest(
            [UserPromptPart("Who in staff.csv is younger than 30? Save the names in young.txt.")]
        ),
        *_call(
            "I look at the file first.",
            "read_file",
            {"path": "staff.csv"},
            "name,age\nAna,41\nBo,28\nCy,25",
        ),
        *_call(
            "The task wants the names where age < 30, in young.txt. One program picks them, saves "
            "them and prints them.",
            "python",
            {"code": _PROGRAM},
            "['Bo', 'Cy']",
        ),
        ModelResponse(
            [
                ThinkingPart("The names were picked and saved. Nothing is missing."),
                TextPart("Bo and Cy are younger than 30; their names are in young.txt."),
            ]
        ),
    )


def _call(
    thought: str, tool: str, arguments: dict[str, str], result: str
) -> tuple[ModelResponse, ModelRequest]:
    call = ToolCallPart(tool, dict(arguments), tool_call_id=f"example_{tool}")
    answer = ToolReturnPart(tool, result, tool_call_id=call.tool_call_id)
    return ModelResponse([ThinkingPart(thought), call]), ModelRequest([answer])
