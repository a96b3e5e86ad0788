"""How a task was done is told in the same phrases, whichever agent did it."""

from __future__ import annotations

from typing import Any

import pytest

from hermes.rules.actions.moves import Move
from hermes.rules.actions.reading import action_of
from hermes.rules.clustering.tool_profile import named_tools, tool_profile


def move(tool: str, *, failed: bool | None = None, **arguments: Any) -> Move:
    return Move(
        step_id=1,
        result_id=2,
        action=action_of(tool, arguments),
        output="",
        failed=failed,
        exit_code=None,
        seconds=0.0,
        artefacts=(),
    )


def ran(script: str) -> set[str]:
    return set(tool_profile([move("Bash", command=script)]))


@pytest.mark.parametrize(
    ("script", "phrases"),
    [
        ("git tag --sort=-creatordate", {"runs git tag"}),
        ("aws ec2 describe-volumes --filters x", {"runs aws ec2 describe-volumes"}),
        ("sudo /usr/bin/systemctl restart nginx", {"runs systemctl restart"}),
        ("cd src && PYTHONPATH=. python3 -m pytest -q", {"runs pytest"}),
        ("uv run pytest", {"runs pytest"}),
        ("python manage.py migrate", {"runs manage.py migrate"}),
        ("awk 1 a.log | sort > out.md", {"runs awk", "runs sort", "log files", "reads log"}),
        ("for f in *.png; do convert $f small.jpg; done", {"runs convert", "jpg files"}),
        ("python3 - <<'PY'\nimport pandas, os\nPY", {"runs python", "imports pandas"}),
        ("cat > a.py <<'EOF'\nfrom csv import reader\nEOF", {"runs cat", "imports csv"}),
        ('python3 -c "import yaml; print(1)"', {"runs python", "imports yaml"}),
        ("pdfunite a.pdf b.pdf 2>&1", {"runs pdfunite", "pdf files"}),
    ],
)
def test_a_script_is_told_by_its_programs_and_kinds_of_files(
    script: str, phrases: set[str]
) -> None:
    assert phrases <= ran(script)


def test_what_is_written_is_told_apart_from_what_is_read() -> None:
    assert ran("sort a.csv > b.md") == {
        "runs sort",
        "csv files",
        "reads csv",
        "md files",
        "writes md",
    }


def test_two_agents_do_the_same() -> None:
    code = "import pandas\n"
    one = [
        move("Read", file_path="a.csv"),
        move("Write", file_path="x.py", content=code),
        move("Edit", file_path="y.ts", old_string="a", new_string="b"),
    ]
    patch = f"*** Begin Patch\n*** Add File: x.py\n+{code}*** Update File: y.ts\n-a\n+b\n"
    other = [
        move("shell", command=["bash", "-lc", "cat a.csv"]),
        move("apply_patch", input=patch),
    ]
    assert set(tool_profile(other)) == {*tool_profile(one), "runs cat"}


def test_what_failed_is_no_part_of_it() -> None:
    moves = [move("Bash", command="pdftk a.pdf", failed=True), move("Bash", command="qpdf a.pdf")]
    assert tool_profile(moves) == ("pdf files", "runs qpdf")


def test_a_tool_of_ones_own_is_told_by_its_name() -> None:
    assert tool_profile([move("mcp__jira__find_ticket", key="A-1")]) == (
        "uses mcp__jira__find_ticket",
    )
    assert named_tools(["Bash", "mcp__jira__find_ticket"]) == ("uses mcp__jira__find_ticket",)
    assert named_tools(["my\0tool\ud800 \n" + "x" * 500]) == ("uses my_tool_" + "x" * 50,)


def test_no_argument_path_or_file_name_gets_in() -> None:
    script = "mail -s secret bob@acme.co < /home/ann/plan.txt; ./deploy-acme s3://acme-bucket/x.csv"
    assert not any(
        "acme.co" in phrase or "ann" in phrase or "bucket" in phrase for phrase in ran(script)
    )


@pytest.mark.parametrize(
    "script", ["", "\0", "'", "((((", "a" * 100_000, "x=" * 9_000, "<<<<", "| | |", "\ud800 ls"]
)
def test_broken_and_huge_scripts_do_no_harm(script: str) -> None:
    phrases = ran(script)
    assert all(len(phrase) < 120 for phrase in phrases)
    assert len(phrases) <= 80
