"""A mined procedure as the folder of a skill, without a model."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from skills_ref import validate

from hermes.library.format import AgentSkillFormat
from hermes.records.codec import load
from hermes.records.folder import Folder
from hermes.records.procedure import Lesson, Procedure, ProcedureStep, Support
from hermes.rules.mine import mine
from hermes.rules.mine.narrative import narrative_in
from hermes.rules.requirements import declared
from hermes.stages.extract.writing.document import document
from hermes.testing.recorded_work import RecordedWork

SECTIONS = (
    "Goal",
    "When to use",
    "Inputs",
    "Preferred tools",
    "Steps",
    "Constraints",
    "Output format",
    "Recovery rules",
    "Pitfalls",
    "Verification",
    "Support files",
)
ONE_OF_TWO = Support(examples=1, of=2)


@pytest.fixture(scope="module")
def procedure() -> Procedure:
    works = []
    for at, month in enumerate(("jan", "feb", "mar")):
        program = (
            "import csv, json\n"
            f"limit = {at + 1}\n"
            f"table = csv.DictReader(open('{month}.csv'))\n"
            "rows = [row for row in table if float(row['amount']) > limit]\n"
            f"json.dump(rows, open('{month}_big.json', 'w'))\n"
        )
        wrong = program.replace("amount", "Amount")
        work = RecordedWork(f"Filter big rows of {month}.csv above {at + 1}", number=at)
        trace = "Traceback (most recent call last):\nKeyError: 'Amount'"
        work.bash(f"python3 - <<'EOF'\n{wrong}EOF", trace, failed=True)
        work.bash(f"python3 - <<'EOF'\n{program}EOF").corrected("Keep the order of the rows")
        works.append(work.bash(f"head {month}_big.json", "[]").answered("Done").worked())
    found = mine(works)
    assert isinstance(found, Procedure)
    return found


@pytest.fixture(scope="module")
def folder(procedure: Procedure) -> Folder:
    return document(procedure, AgentSkillFormat())


def text(folder: Folder, path: str = "SKILL.md") -> str:
    return folder.files[path].data.decode()


def test_folder_passes_the_format(procedure: Procedure, folder: Folder, tmp_path: Path) -> None:
    reading = AgentSkillFormat().read(folder, name=procedure.name, strict=True)
    assert reading.errors == ()
    assert reading.warnings == ()
    target = tmp_path / procedure.name
    for path, file in folder.files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(file.data)
    assert validate(target) == []


def test_every_section_is_there_in_order(folder: Folder) -> None:
    heads = [line[3:] for line in text(folder).splitlines() if line.startswith("## ")]
    assert tuple(heads) == SECTIONS


def test_it_is_a_procedure_and_no_story(folder: Folder) -> None:
    body = text(folder).split("---\n", 2)[2]
    assert narrative_in(body) == ""


def test_data_and_prose_travel_together(procedure: Procedure, folder: Folder) -> None:
    data = json.loads(text(folder, "references/procedure.json"))
    assert load(Procedure, data) == procedure
    evidence = text(folder, "references/evidence.md")
    for lesson in (*procedure.pitfalls, *procedure.guardrails, *procedure.success_criteria):
        assert lesson.text in evidence
    assert "trajectory_001#" in evidence
    assert all(example_id in evidence for example_id in procedure.example_ids)


def test_script_does_what_the_examples_did(folder: Folder, tmp_path: Path) -> None:
    assert folder.files["scripts/run.py"].executable
    (tmp_path / "run.py").write_bytes(folder.files["scripts/run.py"].data)
    (tmp_path / "new.csv").write_text("name,amount\na,1\nb,9\n")
    command = [sys.executable, "run.py", "--input-path", "new.csv", "--limit", "5"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert json.loads((tmp_path / "new_big.json").read_text()) == [{"name": "b", "amount": "9"}]
    without = subprocess.run(command[:2], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert without.returncode == 2
    assert "--input-path" in without.stderr


def test_script_declares_its_packages(procedure: Procedure) -> None:
    folder = document(replace(procedure, dependencies=("pandas",)), AgentSkillFormat())
    assert declared(folder) == ("pandas",)


def test_without_a_program_there_is_no_script_and_the_reason_is_told(procedure: Procedure) -> None:
    bare = replace(procedure, code_template=None, why_no_program="step 1 reaches outside")
    folder = document(bare, AgentSkillFormat())
    assert "scripts/run.py" not in folder.files
    assert "step 1 reaches outside" in text(folder)


def test_bulky_detail_stays_out_of_the_body(procedure: Procedure) -> None:
    lines = "".join(f"value_{n} = {n}\n" for n in range(300))
    step = ProcedureStep(
        tool="Bash", title="Run it", code=lines, language="python", support=ONE_OF_TWO
    )
    lessons = tuple(Lesson(text=f"Line {n}.", support=ONE_OF_TWO) for n in range(900))
    bulky = replace(procedure, steps=(step,) * 20, pitfalls=lessons, guardrails=lessons)
    body = text(document(bulky, AgentSkillFormat()))
    assert len(body.splitlines()) < 500
    assert "value_299" not in body


def test_body_has_fewer_lines_than_the_format_asks_for(procedure: Procedure) -> None:
    lessons = tuple(Lesson(text=f"{n}.", support=ONE_OF_TWO) for n in range(600))
    body = text(document(replace(procedure, pitfalls=lessons), AgentSkillFormat()))
    assert len(body.splitlines()) < 500


def test_code_cannot_leave_its_fence(procedure: Procedure) -> None:
    step = replace(procedure.steps[0], code="a = '''\n```\n# Not a heading\n```\n'''\n")
    body = text(document(replace(procedure, steps=(step,)), AgentSkillFormat()))
    assert "   ````python\n" in body
