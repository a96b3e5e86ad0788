"""kill -9 before every single operation on the disk and on the database, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.library.filesystem import Files
from hermes.testing.chaos import (
    OPERATIONS,
    Tell,
    Worker,
    broken_promises,
    run_in_child,
    trees,
)
from hermes.testing.faults import Countdown, Point, SteppedFiles, TwoStepFiles, killed
from hermes.testing.homes import Place
from hermes.testing.points import Points
from hermes.testing.wholeness import faults_of

Open = Callable[[Place, Point], Home]
NAME = "alpha"
FAR_AWAY = 10**9
ON_DISK = [operation for operation in OPERATIONS if operation != "propose"]


def on_disk(place: Place, point: Point) -> Home:
    return place.open(files=SteppedFiles(point))


def on_a_disk_without_exchange(place: Place, point: Point) -> Home:
    return place.open(files=SteppedFiles(point, TwoStepFiles()))


def in_the_database(place: Place, point: Point) -> Home:
    return place.open(point=point)


def prepared(place: Place, operation: str, name: str = NAME) -> None:
    home = place.open()
    Worker(home, lambda *_: None).prepare(operation, name)
    home.close()


def die_at(place: Place, operation: str, number: int, opened: Open) -> bool:
    """Whether the operation had that many points; then it was killed there, and all is well."""
    name = f"{NAME}-{number}" if operation == "create" else NAME
    prepared(place, operation, name)
    before = trees(place)

    def work(tell: Tell) -> None:
        point = Countdown(FAR_AWAY, killed)

        def begin(*words: str | None) -> None:
            point.start(number)
            tell(*words)

        Worker(opened(place, point), begin, number).do(operation, name)

    told, signal_ = run_in_child(work)
    home = place.open(files=TwoStepFiles() if opened is on_a_disk_without_exchange else Files())
    home.reader.look()
    assert [*broken_promises(before, told, home), *faults_of(home)] == [], (operation, number)
    home.close()
    return signal_ == 9


@pytest.mark.parametrize("operation", OPERATIONS)
def test_killed_before_every_statement(operation: str, place: Place, points: Points) -> None:
    assert points_met(points, place, operation, in_the_database) > 4


@pytest.mark.parametrize("operation", ON_DISK)
def test_killed_before_every_operation_on_disk(
    operation: str, place: Place, points: Points
) -> None:
    assert points_met(points, place, operation, on_disk) > 4


@pytest.mark.parametrize("operation", ON_DISK)
def test_the_same_where_two_folders_cannot_be_exchanged(
    operation: str, tmp_path: Path, points: Points
) -> None:
    assert points_met(points, Place(tmp_path / "home"), operation, on_a_disk_without_exchange) > 4


def points_met(points: Points, place: Place, operation: str, opened: Open) -> int:
    """The first number that the operation has no point for; it was killed at those before."""
    return next(number for number in points if not die_at(place, operation, number, opened))


@pytest.mark.parametrize("opened", [on_disk, in_the_database])
def test_killed_at_every_point_of_the_recovery_too(
    opened: Open, place: Place, points: Points
) -> None:
    """A patch dies after its swap; then every recovery of it dies a little later than the last."""
    prepared(place, "patch")

    def patch(tell: Tell) -> None:
        # The swap is done, the end is not committed: the most that can be left to recover.
        point = _KilledAfter("exchange")
        Worker(place.open(files=SteppedFiles(point)), tell).do("patch", NAME)

    def recover(number: int) -> Callable[[Tell], None]:
        def act(tell: Tell) -> None:
            tell("ready", "", None, None)
            opened(place, Countdown(number, killed)).reader.look()

        return act

    for number in points:
        before = trees(place)
        told, signal_ = run_in_child(patch)
        assert signal_ == 9
        _, again = run_in_child(recover(number))
        home = place.open()
        home.reader.look()
        assert [*broken_promises(before, told, home), *faults_of(home)] == [], number
        home.close()
        if again == 0:
            assert number > 3
            return
    raise AssertionError("the recovery never came to its end")


class _KilledAfter:
    """Kills at the first point after the named operation."""

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self._met = False

    def __call__(self, operation: str) -> None:
        if self._met:
            killed()
        self._met = operation == self._operation
