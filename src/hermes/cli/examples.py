"""`hermes examples`: what is kept to learn from, and what people say of it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hermes.app import open_home
from hermes.app.examples import add_example, examples_of, review_example
from hermes.cli import picking
from hermes.cli.arguments import id_argument, limit_option
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, by_option, optional_by_option

if TYPE_CHECKING:
    from hermes.records.example import Example

_STATUSES = ("captured", "approved", "rejected")
_LATEST = 50
_PAGE = 500


def list_(call: Call) -> None:
    from collections import deque

    from hermes.records.example import ExampleStatus

    wanted = ExampleStatus(call.args.status) if call.args.status else None
    latest: deque[Example] = deque(maxlen=call.args.limit)
    with open_home(call.settings) as home:
        examples, after = examples_of(home), ""
        while page := examples.page(wanted, after, _PAGE):
            latest.extend(page)
            after = page[-1].id
    if call.json:
        call.out.json(list(latest))
        return
    call.out.table(
        ("EXAMPLE", "STATUS", "BY", "TOOLS", "TASK", "KEPT"),
        map(_row, latest),
        empty="nothing is kept to learn from yet: `hermes learn PATH` reads an agent's logs",
        cut="TASK",
    )


def _row(one: Example) -> tuple[object, ...]:
    tools = ", ".join(one.tools_used)
    return one.id, str(one.status), one.reviewer, tools, one.task, one.created_at


def show(call: Call) -> None:
    from hermes.app.examples import pattern_book, patterns_of
    from hermes.ids import canonical_json

    with open_home(call.settings) as home:
        examples = examples_of(home)
        one = picking.by_id(call.args.id, "example", examples.get, _all(examples.page))
        placed = pattern_book(home).clusters.of(one.id)
        pattern = patterns_of(home).get(placed[0]) if placed else None
    if call.json:
        call.out.json({"example": one, "pattern": pattern.id if pattern else None})
        return
    call.out.fields(
        [
            ("example", one.id),
            ("task", one.task),
            ("status", str(one.status)),
            ("reviewer", one.reviewer),
            ("why", one.notes),
            ("tools", ", ".join(one.tools_used)),
            ("inputs", canonical_json(dict(one.inputs)) if one.inputs else None),
            ("environment", canonical_json(dict(one.environment)) if one.environment else None),
            ("expected", one.expected_output),
            ("from", one.trajectory_id or "written down by a person"),
            ("pattern", pattern.id if pattern else "none: nothing like it yet"),
            ("kept", one.created_at),
        ]
    )


def approve(call: Call) -> None:
    _review(call, "approved", call.args.note)


def reject(call: Call) -> None:
    _review(call, "rejected", call.args.reason)


def _review(call: Call, word: str, note: str) -> None:
    from hermes.records.example import ExampleStatus

    with open_home(call.settings) as home:
        examples = examples_of(home)
        one = picking.by_id(call.args.id, "example", examples.get, _all(examples.page))
        said = approval(call.args.by, agent_session_open=home.loop.agent_open(), note=note)
        reviewed = review_example(home, one, ExampleStatus(word), said)
    if call.json:
        call.out.json(reviewed)
    else:
        call.out.line(f"{reviewed.id} is {word} by {reviewed.reviewer}: {reviewed.notes}")


def add(call: Call) -> None:
    fields = _read(call.args.file)
    with open_home(call.settings) as home:
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        one = add_example(home, fields, said)
    if call.json:
        call.out.json(one)
    else:
        call.out.line(f"{one.id} is kept, {one.status}")


def _read(path: str) -> Any:
    import json
    from pathlib import Path

    from hermes.errors import NotFound, WrongCall

    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFound(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise WrongCall(f"{path} is not JSON: {error}") from error


def _all(page: Callable[..., Sequence[Example]]) -> Callable[[str, int], Sequence[Example]]:
    """Pages of every status, as picking wants them."""
    return lambda after, limit: page(None, after, limit)


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--status", choices=_STATUSES, help="only these")
    limit_option(parser, _LATEST)


def _approve_arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    by_option(parser)
    parser.add_argument("--note", required=True, metavar="TEXT", help="why it is a good example")


def _reject_arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    by_option(parser)
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why not to learn from it")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.json", help="one example as a JSON object")
    optional_by_option(parser)


COMMAND = {
    "list": Command(
        run=list_,
        arguments=_list_arguments,
        json=True,
        summary="what is kept to learn from, oldest first",
        example="hermes examples list --status captured",
    ),
    "show": Command(
        run=show,
        arguments=id_argument,
        json=True,
        summary="one example: what was asked, what came of it, why it is good",
        example="hermes examples show example_0c8xk2",
    ),
    "approve": Command(
        run=approve,
        arguments=_approve_arguments,
        json=True,
        summary="say that it is good to learn from, and why",
        example='hermes examples approve example_0c8xk2 --by ana --note "names the owner"',
    ),
    "reject": Command(
        run=reject,
        arguments=_reject_arguments,
        json=True,
        summary="keep it out of everything that is learned; it can be approved later",
        example='hermes examples reject example_0c8xk2 --by ana --reason "wrong totals"',
    ),
    "add": Command(
        run=add,
        arguments=_add_arguments,
        json=True,
        summary="keep an example that you wrote down yourself",
        example="hermes examples add on-call.json",
    ),
}
