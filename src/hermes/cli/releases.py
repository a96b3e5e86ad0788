"""`hermes releases`: what is live, what was, and who let it live."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import deque
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli import picking, wording
from hermes.cli.arguments import id_argument, limit_option
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.release import Release


def list_(call: Call) -> None:
    with open_home(call.settings) as home:
        releases = _latest(home, call.args.limit)
        if call.json:
            call.out.json(releases)
            return
        rows = [_row(home, release) for release in releases]
    call.out.table(
        ("RELEASE", "SKILL", "VERSION", "STATE", "SINCE", "BY", "ENDED"),
        rows,
        empty="nothing was ever released",
    )


def show(call: Call) -> None:
    with open_home(call.settings) as home:
        releases = home.ledger.releases
        release = picking.by_id(call.args.id, "release", releases.get, releases.page)
        if call.json:
            call.out.json(release)
            return
        version = home.ledger.version(release.version_id)
        before = release.previous_version_id
        call.out.fields(
            [
                ("release", release.id),
                ("skill", home.ledger.skill(release.skill_id).name),
                ("version", version.number),
                ("state", str(release.state)),
                ("share", f"{release.share:.0%} of tasks"),
                ("since", release.released_at),
                ("who", wording.approved(release.approval)),
                ("before it", f"version {home.ledger.version(before).number}" if before else None),
                ("ended", release.ended_at),
                ("why it ended", release.end_reason),
            ]
        )


def _latest(home: Home, limit: int) -> list[Release]:
    """The last ones, oldest of them first; ids sort by time, so pages come in order."""
    kept: deque[Release] = deque(maxlen=limit)
    after = ""
    while page := home.ledger.releases.page(after, 500):
        kept.extend(page)
        after = page[-1].id
    return list(kept)


def _row(home: Home, release: Release) -> tuple[object, ...]:
    return (
        release.id,
        home.ledger.skill(release.skill_id).name,
        home.ledger.version(release.version_id).number,
        str(release.state),
        release.released_at,
        release.approval.by,
        release.end_reason,
    )


def _list_arguments(parser: ArgumentParser) -> None:
    limit_option(parser, 50)


COMMAND = {
    "list": Command(
        run=list_,
        arguments=_list_arguments,
        json=True,
        summary="the last releases: what went live, when, by whom",
        example="hermes releases list --limit 20",
    ),
    "show": Command(
        run=show,
        arguments=id_argument,
        json=True,
        summary="one release: who approved it, by which channel, what it replaced",
        example="hermes releases show release_0c8xk2",
    ),
}
