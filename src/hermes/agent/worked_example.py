"""A finished piece of work that a small model is shown before its own: it imitates, where a rule
would be passed over.

It stands before the conversation each time and is no part of it: nothing of it is recorded. The
task is one that nobody will ask for in these words, so that a copied answer is seen as one.
"""

from __future__ import annotations

from collections.abc import Sequence

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

_PROGRAM = """\
words = open("words.txt").read().split()
longest = max(words, key=len)
open("longest.txt", "w").write(longest + "\\n")
print(longest)
"""


def worked_example() -> Sequence[ModelMessage]:
    """Look first; then one program that does all of it and says what it did; then the answer."""
    return (
        ModelRequest(
            [UserPromptPart("Which word of words.txt is the longest? Put it into longest.txt.")]
        ),
        *_call("I look at the file first.", "read_file", {"path": "words.txt"}, "cat\nheron\nowl"),
        *_call(
            "There is one word a line. One program finds the longest, saves it and prints it.",
            "python",
            {"code": _PROGRAM},
            "heron",
        ),
        ModelResponse(
            [
                ThinkingPart("It was found, and the program saved it. Nothing is missing."),
                TextPart("The longest word is heron; it is in longest.txt."),
            ]
        ),
    )


def _call(
    thought: str, tool: str, arguments: dict[str, str], result: str
) -> tuple[ModelResponse, ModelRequest]:
    call = ToolCallPart(tool, dict(arguments), tool_call_id=f"example_{tool}")
    answer = ToolReturnPart(tool, result, tool_call_id=call.tool_call_id)
    return ModelResponse([ThinkingPart(thought), call]), ModelRequest([answer])
