"""What an example's result is: its files without its tools, its outputs and which one is last."""

from __future__ import annotations

from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.trajectory import Step, StepType
from hermes.rules.comparing.recorded import recorded_of


def call(number: int, tool: str, output: str, **arguments: str) -> list[Step]:
    named = {"tool_name": tool, "call_id": str(number)}
    return [
        Step(
            step_id=2 * number,
            type=StepType.TOOL_CALL,
            content=tool,
            timestamp=0.0,
            metadata={**named, "arguments": arguments},
        ),
        Step(
            step_id=2 * number + 1,
            type=StepType.OBSERVATION,
            content=output,
            timestamp=0.0,
            metadata={**named, "error": output.startswith("Error")},
        ),
    ]


def with_file(
    steps: list[Step], name: str, content: str | None, role: ArtefactRole = ArtefactRole.WRITTEN
) -> list[Step]:
    artefact = Artefact(name=name, role=role, content=content, size=1)
    first, *rest = steps
    return [
        Step(
            step_id=first.step_id,
            type=first.type,
            content=first.content,
            timestamp=0.0,
            metadata=first.metadata,
            artefacts=(*first.artefacts, artefact),
        ),
        *rest,
    ]


def test_the_last_content_counts_and_a_program_that_was_run_does_not() -> None:
    steps = [
        *with_file(call(1, "Write", "ok", file_path="clean.py", content="…"), "clean.py", "a"),
        *with_file(call(2, "Bash", "wrote 3\n", command="python clean.py in.csv"), "out.csv", "b"),
        *with_file(call(3, "Bash", "", command="sort -o out.csv out.csv"), "out.csv", "c"),
        *with_file(call(4, "Write", "ok", file_path="tool.py", content="…"), "tool.py", "d"),
    ]
    assert recorded_of(steps).files == {"out.csv": "c", "tool.py": "d"}


def test_what_was_removed_is_no_result_and_what_was_shown_is_known() -> None:
    read = ArtefactRole.READ
    steps = [
        *with_file(call(1, "Bash", "", command="./make > out.csv"), "out.csv", None),
        *with_file(call(2, "Bash", "a,b\n", command="cat out.csv"), "out.csv", "seen", read),
        *with_file(call(3, "Bash", "", command="./make > tmp.csv"), "tmp.csv", "x"),
        *call(4, "Bash", "", command="rm -f tmp.csv"),
        *with_file(call(5, "Read", "…", file_path="in.csv"), "in.csv", "y", read),
    ]
    assert recorded_of(steps).files == {"out.csv": "seen"}


def test_what_a_failed_call_would_have_written_is_no_result() -> None:
    steps = [
        *with_file(
            call(1, "Bash", "Error: no folder", command="./make > x/a.csv"), "x/a.csv", None
        ),
        *with_file(call(2, "Bash", "Error: later", command="./make > b.csv"), "b.csv", "seen"),
    ]
    assert recorded_of(steps).files == {"b.csv": "seen"}


def test_the_final_output_is_more_than_a_look() -> None:
    steps = [
        *call(1, "Bash", "jan.csv\n", command="ls -1"),
        *call(2, "Bash", "Error: no such file\n", command="python sum.py jam.csv"),
        *call(3, "Bash", "total 3\n", command="python sum.py jan.csv"),
        *call(4, "Bash", "total 3\n", command="cat out.txt | head -2 && grep total out.txt"),
        *call(5, "Read", "1\n", file_path="jan.csv"),
    ]
    recorded = recorded_of(steps)
    assert recorded.printed == ("jan.csv\n", "total 3\n", "total 3\n")
    assert recorded.final == 1


def test_where_all_was_looking_the_last_look_is_the_result() -> None:
    steps = [*call(1, "Bash", "a\n", command="ls"), *call(2, "Bash", "7\n", command="wc -l < a")]
    assert recorded_of(steps).final == 1
    assert recorded_of([]).final is None


def test_an_output_that_was_cut_is_not_compared() -> None:
    (asked, answered) = call(1, "Bash", "lines …\n", command="python list.py")
    cut = Step(
        step_id=answered.step_id,
        type=answered.type,
        content=answered.content,
        timestamp=0.0,
        metadata={**answered.metadata, "truncated": True},
    )
    assert recorded_of([asked, answered]).printed == ("lines …\n",)
    assert recorded_of([asked, cut]).printed == ()
