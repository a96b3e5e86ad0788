"""Efficiency, generality, learning value and insights."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.records.observation import SuccessSource
from hermes.rules.actions.moves import moves_of
from hermes.rules.observing.efficiency import Figures, efficiency, figures_of
from hermes.rules.observing.generality import THRESHOLD, Neighbour, generality, overlap
from hermes.rules.observing.insights import insights
from hermes.rules.observing.learning_value import Worth, tools_in, worth
from hermes.rules.observing.outcome import UNKNOWN, Judgement
from hermes.rules.observing.recovery import recoveries_of
from hermes.testing.scripted_steps import ScriptedSteps

RUN = Figures(steps=10, errors=1, seconds=60.0, tokens=4000)


def test_nothing_to_compare_with_is_no_score() -> None:
    assert efficiency(RUN, []) is None


def test_the_median_is_a_half_and_less_is_more() -> None:
    assert efficiency(RUN, [RUN, RUN, RUN]) == 0.5
    lean = replace(RUN, steps=5, errors=0, seconds=30.0, tokens=2000)
    heavy = replace(RUN, steps=30, errors=5, seconds=600.0, tokens=40_000)
    better, worse = efficiency(lean, [RUN] * 3), efficiency(heavy, [RUN] * 3)
    assert better is not None
    assert worse is not None
    assert worse < 0.3 < 0.6 < better


def test_one_outlier_among_the_others_changes_nothing() -> None:
    wild = Figures(steps=10_000, errors=500, seconds=1e6, tokens=10**9)
    assert efficiency(RUN, [RUN, RUN, wild]) == 0.5


def test_one_error_where_others_had_none_is_not_the_end() -> None:
    clean, one_error = Figures(steps=10, errors=0), Figures(steps=10, errors=1)
    assert efficiency(one_error, [clean]) == pytest.approx((0.4 / 2 + 0.2 / 3) / 0.6, abs=1e-4)


def test_what_is_not_known_is_not_compared() -> None:
    silent = Figures(steps=10, errors=1)
    assert efficiency(silent, [RUN]) == 0.5
    assert efficiency(replace(RUN, tokens=1), [silent]) == 0.5


@given(
    st.lists(
        st.builds(
            Figures,
            steps=st.integers(0, 10_000),
            errors=st.integers(0, 100),
            seconds=st.none() | st.floats(0, 1e9),
            tokens=st.none() | st.integers(0, 10**9),
        ),
        min_size=2,
    )
)
def test_a_score_is_a_share(runs: list[Figures]) -> None:
    score = efficiency(runs[0], runs[1:])
    assert score is not None
    assert 0.0 <= score <= 1.0


def test_figures_count_calls_errors_time_and_tokens() -> None:
    script = ScriptedSteps().user("go").run("a", "", 1).run("b").says("done")
    script.steps[1].metadata["tokens"] = 30  # type: ignore[index]
    script.steps[3].metadata["tokens"] = 12  # type: ignore[index]
    figures = figures_of(script.steps, moves_of(script.steps))
    assert figures == Figures(steps=2, errors=1, seconds=3.0, tokens=42)


LIKE = [
    Neighbour(text="clean feb.csv and write monthly totals", similarity=0.8),
    Neighbour(text="clean mar.csv and write totals by month", similarity=0.7),
]


def test_a_task_that_others_resemble_is_generalisable() -> None:
    assert generality("clean jan.csv and write monthly totals", LIKE) >= THRESHOLD


def test_one_look_alike_is_not_enough() -> None:
    assert generality("clean jan.csv and write monthly totals", LIKE[:1]) == 0.0
    far = Neighbour(text="book a table", similarity=0.1)
    assert generality("clean jan.csv and write monthly totals", [LIKE[0], far]) < THRESHOLD


def test_one_off_nouns_cost_and_parameters_do_not() -> None:
    plain = generality("clean jan.csv and write monthly totals", LIKE)
    other_file = generality("clean data/2024/q3.csv and write monthly totals", LIKE)
    one_off = generality("clean jan.csv and write monthly totals for aunt Gertrude's tulips", LIKE)
    assert other_file == plain
    assert one_off < plain


def test_strangers_make_nothing_general() -> None:
    strangers = [Neighbour(text=f"task {n}", similarity=0.15) for n in range(50)]
    assert generality("clean jan.csv and write monthly totals", strangers) < THRESHOLD


def test_words_alone_leave_parameters_out() -> None:
    assert overlap("clean jan.csv now", "clean feb.csv now") == 1.0
    assert overlap("", "") == 0.0


@given(st.text(), st.floats(-1, 1))
def test_generality_is_a_share_of_anything(text: str, similarity: float) -> None:
    near = [Neighbour(text=text, similarity=similarity)] * 3
    assert 0.0 <= generality(text, near) <= 1.0


@pytest.mark.parametrize("succeeded", [False, True])
@pytest.mark.parametrize("many_tools", [False, True])
@pytest.mark.parametrize("recovered", [False, True])
@pytest.mark.parametrize("generalisable", [False, True])
def test_learning_value_is_the_published_sum(
    succeeded: bool, many_tools: bool, recovered: bool, generalisable: bool
) -> None:
    parts = Worth(
        succeeded=succeeded,
        many_tools=many_tools,
        recovered=recovered,
        generalisable=generalisable,
    )
    published = 0.4 * succeeded + 0.2 * many_tools + 0.2 * generalisable
    published += 0.2 if recovered and succeeded else 0.0
    assert parts.value == pytest.approx(published)


def test_a_shell_is_a_door_and_not_a_tool() -> None:
    shell = (
        ScriptedSteps().run("ls && cat a").run("cd x && curl -O u && python b.py").run("psql -c q")
    )
    assert tools_in(moves_of(shell.steps)) == {"Bash", "curl", "python", "psql"}
    plan = ScriptedSteps().call("TodoWrite", {"todos": []}, "ok").read("a.py")
    assert tools_in(moves_of(plan.steps)) == {"Read"}


def test_worth_reads_the_run() -> None:
    script = (
        ScriptedSteps()
        .run("python a.py 1", "ValueError: x", 1)
        .run("python a.py 2")
        .read("a")
        .write("b")
    )
    moves = moves_of(script.steps)
    found = worth(True, moves, recoveries_of(moves), generalisable=False)
    assert found == Worth(succeeded=True, many_tools=True, recovered=True, generalisable=False)
    assert worth(None, moves, (), generalisable=True).value == pytest.approx(0.4)


def test_insights_are_facts_in_sentences() -> None:
    script = ScriptedSteps().run("python a.py 1", "ValueError: x", 1).run("python a.py 2")
    recoveries = recoveries_of(moves_of(script.steps))
    judgement = Judgement(
        success=True, source=SuccessSource.CHECK, confidence=0.9, reason="pytest passed"
    )
    parts = Worth(succeeded=True, many_tools=False, recovered=True, generalisable=False)
    peers = [replace(RUN, steps=4), replace(RUN, steps=8)]
    told = insights(judgement, recoveries, ["no, by month"], parts, RUN, peers)
    assert told == (
        "success (check, confidence 0.9): pytest passed",
        "python failed: It ends with ValueError; what helped: use `2` instead of `1`",
        "the user corrected: no, by month",
        "10 tool calls, 1 error; 2 similar runs took 6 tool calls in the middle",
        "learning value 0.6: success 0.4 + recovered from an error 0.2",
    )


def test_insights_of_a_run_that_tells_nothing() -> None:
    stuck = recoveries_of(moves_of(ScriptedSteps().run("python a.py", "boom", 1).steps))
    parts = Worth(succeeded=False, many_tools=False, recovered=False, generalisable=False)
    told = insights(UNKNOWN, stuck, (), parts, Figures(steps=1, errors=1), ())
    assert told[0] == "outcome unknown: nothing tells how it went"
    assert "1 failure without a recovery" in told
    assert told[-1] == "learning value 0: nothing counts yet"
