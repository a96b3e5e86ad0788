"""`hermes score-task`: how much there is to learn from a task, told from its words."""

from __future__ import annotations

from argparse import ArgumentParser

from hermes.cli.command import Call, Command


def run(call: Call) -> None:
    from hermes.rules.rubric.score import score_task

    score = score_task(call.args.task)
    if call.json:
        call.out.json(score)
        return
    call.out.fields(
        [
            ("total", f"{score.total:.2f}, {score.level}"),
            ("repeatability", f"{score.repeatability:.2f}"),
            ("clarity", f"{score.clarity:.2f}"),
            ("tool diversity", f"{score.tool_diversity:.2f} {_kinds(score.tool_kinds)}".rstrip()),
            ("error scenarios", f"{score.error_scenarios:.2f}"),
        ]
    )
    for line in score.advice:
        call.out.line(f"better: {line}")
    for note in score.notes:
        call.out.note(f"note: {note}")


def _kinds(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(kinds)})" if kinds else ""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="the task, as you would ask for it")


COMMAND = Command(run=run, arguments=_arguments, json=True)
