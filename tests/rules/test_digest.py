"""A session told within a budget: what could teach something stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.digest import digest
from hermes.testing.scripted_steps import ScriptedSteps

REQUEST = "Count the rows above 100 in data.csv"


def _long(failures: int, noise: int = 200, width: int = 2_000) -> ScriptedSteps:
    """Much that went well, with failures and one correction between."""
    work = ScriptedSteps().user(REQUEST)
    for number in range(noise):
        work.run(f"ls part-{number}", "x" * width)
        if number % max(noise // max(failures, 1), 1) == 0 and failures:
            work.run(f"try-{number}", f"no such option {number}", exit_code=1)
    work.says("There are 7 rows.")
    work.user("No, the header does not count", "correction")
    work.run("awk NR", "6")
    return work.says("There are 6 rows.")


def test_a_short_session_is_told_whole() -> None:
    work = ScriptedSteps().user(REQUEST).run("wc -l data.csv", "8").says("Seven.")
    told = digest(work.steps, 1_000)
    assert told.splitlines() == [
        f"1. user: {REQUEST}",
        "2. call Bash: {'command': 'wc -l data.csv'}",
        "3. Bash answered: 8",
        "4. assistant: Seven.",
    ]


def test_of_a_long_one_all_that_teaches_stays_within_the_budget() -> None:
    work = _long(failures=10)
    told = digest(work.steps, 4_000)
    assert len(told) <= 4 * 4_000
    assert REQUEST in told
    assert "(correction): No, the header does not count" in told
    assert "There are 7 rows." in told  # what the correction was about
    assert "There are 6 rows." in told
    for number in range(0, 200, 20):
        assert f"'try-{number}'" in told
        assert f"failed: no such option {number}" in told
    assert "steps left out" in told


def test_a_call_is_found_beside_its_failure_however_far_apart_they_are() -> None:
    work = ScriptedSteps().user(REQUEST)
    work.run("first-call", "broken", exit_code=1)
    for number in range(300):
        work.run(f"ls {number}", "x" * 200)
    call, failure = work.steps[1], work.steps[2]
    apart = [work.steps[0], call, *work.steps[3:], failure]
    assert "first-call" in digest(apart, 1_000)


def test_what_is_left_of_the_room_goes_to_the_latest_steps() -> None:
    told = digest(_long(failures=0, width=20).steps, 1_000)
    assert "part-199" in told
    assert "part-0'" not in told


@given(
    st.integers(0, 60),
    st.integers(0, 80),
    st.integers(0, 5_000),
    st.integers(200, 30_000),
)
def test_no_session_breaks_the_budget(failures: int, noise: int, width: int, tokens: int) -> None:
    assert len(digest(_long(failures, noise, width).steps, tokens)) <= 4 * tokens


def test_an_empty_session_is_an_empty_digest() -> None:
    assert digest([], 100) == ""
