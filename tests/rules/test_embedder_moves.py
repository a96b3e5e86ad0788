"""Which earlier move keeps a process from taking the store's vectors back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hermes.records.embedder_move import EmbedderMove
from hermes.rules.embedder_moves import left_behind

NOW = datetime(2026, 5, 10, 12, tzinfo=UTC)


def move(before: str, after: str, hours_ago: float) -> EmbedderMove:
    return EmbedderMove(
        before=before,
        after=after,
        name=after,
        by="ana",
        host="desk",
        pid=1,
        at=NOW - timedelta(hours=hours_ago),
    )


def behind(
    *moves: EmbedderMove, opened_hours_ago: float = 0.0, running: bool = False
) -> EmbedderMove | None:
    """As the embedder `ours` sees it; the latest move first."""
    opened = NOW - timedelta(hours=opened_hours_ago)
    return left_behind("ours", moves, opened, NOW, lambda _: running)


def test_where_nobody_moved_anything_nothing_stands_in_the_way() -> None:
    assert behind() is None


def test_who_was_left_within_a_day_waits_to_be_told() -> None:
    assert behind(move("ours", "other", 23)) is not None
    assert behind(move("ours", "other", 25)) is None


def test_a_process_that_was_open_before_never_takes_it_back() -> None:
    assert behind(move("ours", "other", 50), opened_hours_ago=51) is not None
    assert behind(move("ours", "other", 50), opened_hours_ago=49) is None


def test_as_long_as_the_mover_runs_its_move_counts() -> None:
    assert behind(move("ours", "other", 500), running=True) is not None


def test_a_move_from_somebody_else_is_nothing_to_us() -> None:
    assert behind(move("theirs", "other", 1), running=True) is None


def test_what_came_after_the_move_does_not_hide_it() -> None:
    first = move("ours", "other", 2)
    assert behind(move("other", "third", 1), first) == first
