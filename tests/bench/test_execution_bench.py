"""Turns are measured on a real agent, a real home and a real server; the limits are held."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.bench.execution import Took, TurnCosts, figures_of, turn_costs
from hermes.bench.first_prompt import Wait, first_prompt, first_request, median_wait
from hermes.bench.remembered_set import remembered
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.stub_model import FILE, stub_model
from hermes.testing.topic_embedder import TopicEmbedder


def costs(*added: float) -> TurnCosts:
    """Turns that took so much longer than those without learning, which took 100 ms."""
    return TurnCosts(
        first=Took(300.0, 50.0),
        learning=tuple(Took(100.0 + one, one) for one in added),
        bare=(Took(100.0, 0.0),) * len(added),
    )


@pytest.mark.parametrize(("slowest", "met"), [(29.0, True), (400.0, False)])
def test_the_slow_turns_decide(slowest: float, met: bool) -> None:
    figures = figures_of(costs(*[5.0] * 18, slowest, slowest), "here")
    held = {figure.what: figure.met for figure in figures if figure.met is not None}
    assert held == {"learning in a turn p95, here": met, "computed p95, here": met}


def test_the_usual_turn_without_learning_is_taken_off() -> None:
    assert costs(7.0, 9.0).added(lambda one: one.wall) == [7.0, 9.0]


def test_a_turn_is_compared_with_those_around_it() -> None:
    """A conversation that grows makes both slower, and learning no dearer."""
    growing = [Took(100.0 + number, 0.0) for number in range(20)]
    longer = TurnCosts(
        first=Took(300.0, 50.0),
        learning=tuple(Took(one.wall + 5.0, 0.0) for one in growing),
        bare=tuple(growing),
    )
    assert longer.added(lambda one: one.wall) == pytest.approx([5.0] * 20, abs=2.0)


def test_a_turn_is_measured_with_and_without(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("id,amount\n1,50\n")
    with remembered((), TopicEmbedder(TOPICS)) as store, stub_model(0.0) as stub:
        measured = turn_costs(store, tmp_path, stub, turns=1)
        asked = store.home.database.ask("SELECT COUNT(*) FROM trajectories")
        waiting = store.home.database.ask("SELECT COUNT(*) FROM outbox")
    assert len(measured.learning) == len(measured.bare) == 1
    assert measured.learning[0].cpu > 0
    assert asked == waiting == [(5,)]  # the first, three to warm up, one: those without leave none


def test_starts_are_measured_until_they_can_be_seen(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("id,amount\n1,50\n")
    environ = {"HERMES_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    with stub_model(0.0) as stub:
        asked = first_request(environ, tmp_path, stub)
    prompt = first_prompt(environ, tmp_path)
    assert 0 < prompt.cpu_s < asked.cpu_s  # the model's client is not loaded before the prompt


def test_the_first_start_does_not_count() -> None:
    waits = iter([Wait(9.0, 9.0), Wait(1.0, 0.5), Wait(3.0, 0.7), Wait(2.0, 0.6)])
    assert median_wait(lambda: next(waits), 3) == Wait(2.0, 0.6)
