"""The logs that the demo learns from: what their script makes today is what is bundled.

Besides, they keep what they promise: both agents' forms, and something hard in each pattern.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = ROOT / "scripts"
LOGS = ROOT / "src" / "hermes" / "cli" / "demo" / "logs"
UNSEEN = LOGS / "unseen"
CLAUDE_CODE = sorted((LOGS / "claude-code").rglob("*.jsonl"))
CODEX = sorted((LOGS / "codex").rglob("*.jsonl"))
SESSIONS = [path for path in (*CLAUDE_CODE, *CODEX) if "subagents" not in path.parts]

Line = dict[str, Any]


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def claude_parts(path: Path, kind: str) -> Iterator[Line]:
    for line in lines(path):
        content = line.get("message", {}).get("content", "")
        if isinstance(content, list):
            yield from (part for part in content if part["type"] == kind)


def items(path: Path) -> list[Line]:
    return [line["payload"] for line in lines(path) if line["type"] == "response_item"]


def said(path: Path) -> str:
    """The log's words as a reader sees them, with JSON's own escapes undone."""
    return json.dumps(lines(path), ensure_ascii=False)


def test_the_script_makes_the_bundled_logs_byte_for_byte(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, SCRIPTS / "make_demo_logs.py", tmp_path], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    fresh, bundled = contents(tmp_path), contents(LOGS)
    assert sorted(fresh) == sorted(bundled)
    differing = [name for name in fresh if fresh[name] != bundled[name]]
    assert differing == [], "run: python scripts/make_demo_logs.py"


def test_two_patterns_in_two_forms_and_four_one_offs() -> None:
    def about(word: str) -> Counter[str]:
        return Counter(path.relative_to(LOGS).parts[0] for path in SESSIONS if word in said(path))

    assert about("month,orders,total") == {"claude-code": 3, "codex": 3}
    assert about("| endpoint | errors |") == {"claude-code": 3, "codex": 3}
    assert len(SESSIONS) == 16


@pytest.mark.parametrize("path", CLAUDE_CODE, ids=lambda path: path.stem)
def test_every_message_hangs_on_one_before_it(path: Path) -> None:
    known: set[str | None] = {None}
    for line in lines(path):
        if "uuid" in line:
            assert line["parentUuid"] in known
            known.add(line["uuid"])
    calls = [part["id"] for part in claude_parts(path, "tool_use")]
    assert [part["tool_use_id"] for part in claude_parts(path, "tool_result")] == calls


def test_one_session_was_rewound_and_one_has_a_subagent() -> None:
    def branches(path: Path) -> int:
        children = Counter(line["parentUuid"] for line in lines(path) if "uuid" in line)
        return sum(count - 1 for count in children.values())

    assert sorted(branches(path) for path in CLAUDE_CODE)[-2:] == [0, 1]
    (side,) = [path for path in CLAUDE_CODE if "subagents" in path.parts]
    parent = side.parent.parent.with_suffix(".jsonl")
    assert {line["sessionId"] for line in lines(side)} == {parent.stem}
    assert all(line["isSidechain"] for line in lines(side))
    assert side.stem.removeprefix("agent-") in said(parent)
    times = [line["timestamp"] for line in lines(parent) if "uuid" in line]
    assert times == sorted(times)
    assert sum(lines(side)[0]["timestamp"] > time for time in times) == 3


@pytest.mark.parametrize("path", CODEX, ids=lambda path: path.stem[8:27])
def test_every_call_of_codex_is_answered(path: Path) -> None:
    first = lines(path)[0]
    assert first["type"] == "session_meta"
    assert path.stem.endswith(first["payload"]["id"])
    calls = [item["call_id"] for item in items(path) if item["type"].endswith("_call")]
    answers = [item["call_id"] for item in items(path) if item["type"].endswith("_output")]
    assert answers == calls


def test_codex_speaks_the_three_forms_of_its_shell() -> None:
    names = {item["name"] for path in CODEX for item in items(path) if "name" in item}
    assert names == {"shell", "shell_command", "exec_command", "apply_patch", "update_plan"}


def test_what_failed_is_logged_as_failed_and_was_repaired() -> None:
    failures = [
        part["content"]
        for path in CLAUDE_CODE
        for part in claude_parts(path, "tool_result")
        if part.get("is_error")
    ]
    assert len(failures) == 2
    assert any("KeyError: 'Betrag'" in text for text in failures)
    assert any("No such file or directory" in text for text in failures)


def test_each_pattern_has_a_correction_by_the_user() -> None:
    corrected = [path for path in CODEX if any("No, " in text for text in _asked(path))]
    assert len(corrected) == 2


def _asked(path: Path) -> Iterator[str]:
    for item in items(path):
        if item["type"] == "message" and item["role"] == "user":
            yield item["content"][0]["text"]


@pytest.mark.parametrize(
    "planted", ["lena.fischer@example.com", "/home/mira/projects/coffee", "token=hl_demo_9f8e7d6c"]
)
def test_there_is_something_to_redact(planted: str) -> None:
    assert sum(planted in said(path) for path in SESSIONS) == 1


def test_no_log_knows_the_unseen_files_or_the_machine_they_were_made_on() -> None:
    cases = json.loads((UNSEEN / "cases.json").read_text())
    words = [case[key] for case in cases for key in ("input", "output")]
    words += [str(ROOT), "demo-logs-", sys.prefix]
    assert [(path.name, word) for path in SESSIONS for word in words if word in said(path)] == []


def _case(number: int) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((UNSEEN / "cases.json").read_text())[number]
    return case


def test_the_program_of_a_session_gives_the_expected_totals(tmp_path: Path) -> None:
    case = _case(0)
    (log,) = [path for path in CLAUDE_CODE if "webshop" in str(path)]
    (program,) = [
        part["input"]["content"]
        for part in claude_parts(log, "tool_use")
        if part["name"] == "Write"
    ]
    values = {
        "exports/orders_q1.csv": str(UNSEEN / case["input"]),
        "orders_q1_monthly.csv": case["output"],
        '"order_date"': f'"{case["values"]["date_column"]}"',
        '"amount"': f'"{case["values"]["amount_column"]}"',
        '"status"': f'"{case["values"]["status_column"]}"',
    }
    for old, new in values.items():
        assert old in program
        program = program.replace(old, new)
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    assert (tmp_path / case["output"]).read_text() == (UNSEEN / case["expected"]).read_text()


def test_the_pipeline_of_a_session_gives_the_expected_errors(tmp_path: Path) -> None:
    case = _case(1)
    (log,) = [path for path in CLAUDE_CODE if "projects-search" in str(path)]
    commands = [part["input"].get("command", "") for part in claude_parts(log, "tool_use")]
    (pipeline,) = [text for text in commands if text.startswith("mkdir")]
    values = {
        "search-access.log": str(UNSEEN / case["input"]),
        "reports/search-errors.md": case["output"],
        "min=400": f"min={case['values']['min']}",
        "head -n 5": f"head -n {case['values']['top']}",
    }
    for old, new in values.items():
        assert old in pipeline
        pipeline = pipeline.replace(old, new)
    subprocess.run(["bash", "-c", pipeline], cwd=tmp_path, env={"LC_ALL": "C"}, check=True)
    assert (tmp_path / case["output"]).read_text() == (UNSEEN / case["expected"]).read_text()
