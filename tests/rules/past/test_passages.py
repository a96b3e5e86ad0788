"""A run is cut into passages that name their place and lose no word that is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes.records.past import PassageKind
from hermes.rules.past.passages import (
    LONGEST,
    Passage,
    passages_of,
    searchable,
    terms_of,
    worth_a_vector,
)
from hermes.testing.scripted_steps import ScriptedSteps


def kinds(steps: ScriptedSteps, task: str = "count the rows") -> list[tuple[int, PassageKind]]:
    return [(one.step_id, one.kind) for one, _ in passages_of(task, steps.steps)]


def test_every_step_says_whose_words_it_has() -> None:
    steps = ScriptedSteps().run("wc -l a.csv", "12").run("wc -l b.csv", "no", exit_code=1)
    steps.says("Done.").user("thanks")
    assert kinds(steps) == [
        (0, PassageKind.REQUEST),
        (1, PassageKind.CALL),
        (2, PassageKind.RESULT),
        (3, PassageKind.CALL),
        (4, PassageKind.ERROR),
        (5, PassageKind.AGENT),
        (6, PassageKind.USER),
    ]


def test_a_request_that_a_step_repeats_is_there_once() -> None:
    steps = ScriptedSteps().user("count the rows\n").says("12")
    assert kinds(steps) == [(1, PassageKind.REQUEST), (2, PassageKind.AGENT)]


def test_a_call_is_found_by_its_arguments_however_deep() -> None:
    steps = ScriptedSteps().call("Ask", {"a": [{"b": "deep"}, 7, None, True]}, "ok")
    assert searchable(steps.steps[0]) == "Ask deep 7"


def test_of_a_long_result_the_ends_are_read() -> None:
    output = "begins " + "x" * 50_000 + " ends"
    texts = [text for _, text in passages_of("t", ScriptedSteps().run("c", output).steps)]
    assert texts[2].startswith("begins")
    assert texts[-1].endswith("ends")
    assert sum(map(len, texts)) < 3 * LONGEST


def test_a_run_of_many_steps_keeps_its_beginning_and_its_end() -> None:
    steps = ScriptedSteps().says("first")
    for _ in range(2_500):
        steps.says("x")
    steps.says("last")
    texts = [text for _, text in passages_of("t", steps.steps)]
    assert texts[1] == "first"
    assert texts[-1] == "last"
    assert len(texts) < 2_100


@given(st.text(alphabet="ab \n🧪é", max_size=6_000))
def test_the_pieces_of_a_message_are_the_message(said: str) -> None:
    steps = ScriptedSteps().says(said).steps
    cut = [(one, text) for one, text in passages_of("t", steps) if one.step_id == 1]
    assert "".join(text for _, text in cut).split() == said.split()
    for passage, text in cut:
        assert said[passage.start : passage.end] == text
        assert 0 < len(text) <= LONGEST


def test_terms_are_counted_as_a_query_reads_them() -> None:
    assert terms_of("ParseCsv parse_csv E1234")["e1234"] == 1
    assert terms_of("ParseCsv parse_csv E1234")["csv"] == 2


def test_meaning_is_kept_of_request_answer_and_the_ends_of_errors() -> None:
    passages = [
        Passage(0, PassageKind.REQUEST, 0, 9),
        Passage(1, PassageKind.AGENT, 0, 9),
        Passage(2, PassageKind.CALL, 0, 9),
        Passage(3, PassageKind.ERROR, 0, 9),
        Passage(3, PassageKind.ERROR, 90, 99),
        Passage(4, PassageKind.RESULT, 0, 9),
        *(Passage(number, PassageKind.ERROR, 0, 9) for number in range(5, 15)),
        Passage(20, PassageKind.AGENT, 0, 9),
    ]
    assert worth_a_vector(passages) == [0, 4, 6, 14, 15, 16]
    assert worth_a_vector([]) == []
