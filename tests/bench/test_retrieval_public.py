"""Public sets are read as they are published, and measured without being installed here."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hermes.bench.public_talks import public_talks
from hermes.bench.public_tools import CATEGORIES, installed_data, public_tools
from hermes.bench.recall_set.labelled import Asked
from hermes.bench.retrieval_public import measure_public
from hermes.cli.bench_retrieval import tell_public
from hermes.cli.output import Output
from hermes.errors import CorruptData, NotFound
from hermes.records.memory import MemoryKind
from hermes.testing.topic_embedder import TopicEmbedder


def _function(name: str, does: str) -> dict[str, Any]:
    shape = {"type": "dict", "properties": {"place": {"type": "string", "description": "Where"}}}
    return {"name": name, "description": does, "parameters": shape}


def _request(at: str, said: str, *functions: dict[str, Any]) -> dict[str, Any]:
    turns = [[{"role": "system", "content": "be brief"}, {"role": "user", "content": said}]]
    return {"id": at, "question": turns, "function": list(functions)}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Where pip puts it. `tide.now` is offered twice with the same words, once with others."""
    folder = tmp_path / "lib" / "python3.11" / "site-packages" / "bfcl_eval" / "data"
    (folder / "possible_answer").mkdir(parents=True)
    tide, moon = _function("tide.now", "Level of the sea"), _function("moon", "Phase of the moon")
    other = _function("tide.now", "Height of the water in a harbour")
    rows = {
        "simple_python": [_request("s0", "sea level at Brest?", tide)],
        "parallel_multiple": [_request("p0", "sea level, and the moon", moon, tide)],
        "live_simple": [_request("l0", "how high is the harbour", other)],
    }
    calls = {"s0": ["tide.now"], "p0": ["tide.now", "tide.now", "moon"], "l0": ["tide.now"]}
    for category in CATEGORIES:
        asked = rows.get(category, [])
        answers = [
            {"id": row["id"], "ground_truth": [{name: {}} for name in calls[row["id"]]]}
            for row in asked
        ]
        name = f"BFCL_v4_{category}.json"
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in asked))
        told = "".join(f"{json.dumps(row)}\n" for row in answers)
        (folder / "possible_answer" / name).write_text(told)
    return folder


def test_the_data_is_found_beside_the_peers_python(data: Path, tmp_path: Path) -> None:
    assert installed_data(tmp_path / "bin" / "python") == data
    assert installed_data(tmp_path / "elsewhere" / "bin" / "python") is None


def test_a_function_is_one_memory_however_often_it_is_offered(data: Path) -> None:
    made = public_tools(data)
    assert [json.loads(one.text)["description"] for one in made.memories] == [
        "Level of the sea",
        "Phase of the moon",
        "Height of the water in a harbour",
    ]
    assert {one.kind for one in made.memories} == {MemoryKind.DECLARATIVE}
    level, moon, harbour = (one.id for one in made.memories)
    assert [(one.text, one.expects) for one in made.questions] == [
        ("sea level at Brest?", {level}),
        ("sea level, and the moon", {level, moon}),
        ("how high is the harbour", {harbour}),
    ]


def test_a_broken_line_is_told_by_its_place(data: Path) -> None:
    broken = data / "BFCL_v4_multiple.json"
    broken.write_text("{\n")
    with pytest.raises(CorruptData, match=r"BFCL_v4_multiple\.json:1"):
        public_tools(data)


def _sample() -> dict[str, Any]:
    def turn(dia_id: str, speaker: str, text: str, **more: str) -> dict[str, str]:
        return {"dia_id": dia_id, "speaker": speaker, "text": text, **more}

    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ada", "I planted plums."),
                turn("D1:2", "Ben", "", blip_caption="a photo of a plum tree"),
            ],
            "session_2_date_time": "10:05 am on 25 May, 2023",
            "session_2": [turn("D2:1", "Ben", "The kayak leaks.")],
            "session_3_date_time": "10:05 am on 30 June, 2023",
        },
        "qa": [
            {"question": "Who planted plums?", "evidence": ["D1:1; D1:02"], "category": 1},
            {"question": "When did the kayak leak?", "evidence": ["D:2:1", "D9:9"], "category": 2},
            {"question": "What is not said?", "evidence": ["D2:1"], "category": 5},
            {"question": "Where is the evidence?", "evidence": ["D9:9"], "category": 4},
            {"question": "Is there any?", "category": 4},
        ],
    }


def _written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "locomo.json"
    file.write_text(text)
    return file


def test_turns_are_memories_and_evidence_is_what_a_question_expects(tmp_path: Path) -> None:
    made = public_talks(_written(tmp_path, json.dumps([_sample()])))
    assert [one.text for one in made.memories] == [
        "Ada: I planted plums.",
        "Ben: a photo of a plum tree",
        "Ben: The kayak leaks.",
    ]
    first, second, third = made.memories
    assert first.session_id == second.session_id != third.session_id
    assert first.created_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [(one.asked, one.expects) for one in made.questions] == [
        (Asked.MULTI, {first.id, second.id}),
        (Asked.WHEN, {third.id}),
    ]
    assert {one.asked_at.date().isoformat() for one in made.questions} == {"2023-05-26"}


def test_every_conversation_is_asked_by_itself(tmp_path: Path) -> None:
    other = {**_sample(), "sample_id": "conv-2"}
    made = public_talks(_written(tmp_path, json.dumps([_sample(), other])))
    assert len({one.id for one in made.memories}) == 6
    assert {one.scopes for one in made.questions} == {("project:conv-1",), ("project:conv-2",)}


@pytest.mark.parametrize("text", ["", "[", "{}x", "[]", "[1]", '[{"sample_id": "a"}]', '{"a": 1}'])
def test_a_file_of_something_else_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorruptData, match="LoCoMo"):
        public_talks(_written(tmp_path, text))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"locomo10\.json"):
        public_talks(tmp_path / "nowhere.json")


def test_all_methods_are_measured_and_held_against_the_aim(tmp_path: Path) -> None:
    made = public_talks(_written(tmp_path, json.dumps([_sample()])))
    report = measure_public(TopicEmbedder({}), "LoCoMo", made, (0.72, 10))
    every = {row.method: row for row in report.rows if row.asked == "every question"}
    assert every.keys() == {"words", "meaning", "hybrid"}
    assert {row.asked for row in report.rows} == {"every question", "multi", "when"}
    assert every["hybrid"].questions == 2
    assert report.reached == every["hybrid"].at_10 == 1.0
    page = io.StringIO()
    tell_public(Output(page, io.StringIO()), report)
    assert "hybrid recall@10 1.000, aim 0.72: met" in page.getvalue()
