"""`skills run`: files in, a program in the sandbox, results back, and the truth as exit code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from hermes.records.codec import dump
from hermes.records.procedure import Procedure
from hermes.records.skill import Parameter
from hermes.testing.homes import skill_text

TEMPLATE = """
file_path = {file_path}
column = {column}
factor = {factor}
output_path = {output_path}
import csv, os
with open(file_path, newline="") as file:
    rows = list(csv.DictReader(file))
total = sum(float(row[column]) for row in rows) * factor
with open(output_path, "w") as file:
    file.write(f"{total:g}\\n")
open("scrap.txt", "w").close()
print(f"{len(rows)} rows, total {total:g}", {"set"})
"""
MADE = Procedure(
    name="sum-column",
    description="Sums a column.",
    intent="sum a column",
    parameters=(
        Parameter(name="file_path", type="path", description="the table", observed=("jan.csv",)),
        Parameter(name="column", type="column", observed=("sales", "cost")),
        Parameter(name="factor", type="number", default=1),
        Parameter(name="output_path", type="path", default="total.txt"),
    ),
    code_template=TEMPLATE,
    outputs=("output_path",),
)


class Answered(Protocol):
    code: int
    out: str
    err: str
    json: dict[str, object]


class Typed(Protocol):
    root: Path

    def __call__(self, *words: str, **environ: str) -> Answered: ...
    def write(self, name: str, text: str | None = None, file: str = "SKILL.md") -> Path: ...


@pytest.fixture
def desk_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the person is: a folder with a table in it."""
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "jan.csv").write_text("sales,cost\n1,5\n2.5,6\n")
    monkeypatch.chdir(folder)
    return folder


def install(shell: Typed, made: Procedure | None = MADE) -> None:
    shell.write("sum-column", skill_text("sum-column"))
    if made is not None:
        shell.write("sum-column", json.dumps(dump(made)), "references/procedure.json")


def run(shell: Typed, *words: str) -> Answered:
    return shell("skills", "run", "sum-column", *words)


GIVEN = ("--param", "file_path=jan.csv", "--param", "column=sales")


def test_results_come_back_and_nothing_else(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    answer = run(shell, *GIVEN, "--param", "factor=2")
    assert answer.code == 0, answer.err
    assert answer.out == "2 rows, total 7 {'set'}\n"
    assert (desk_folder / "total.txt").read_text() == "7\n"
    assert sorted(path.name for path in desk_folder.iterdir()) == ["jan.csv", "total.txt"]
    assert "wrote total.txt" in answer.err
    assert "not kept, because the skill does not declare it: scrap.txt" in answer.err


def test_the_answer_for_a_program(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    answer = run(shell, *GIVEN, "--json")
    told = answer.json
    assert (answer.code, told["outcome"], told["exit_code"]) == (0, "passed", 0)
    assert told["stdout"] == "2 rows, total 3.5 {'set'}\n"
    assert (told["wrote"], told["not_kept"]) == (["total.txt"], ["scrap.txt"])


def test_nothing_is_overwritten_unasked(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    (desk_folder / "total.txt").write_text("mine")
    answer = run(shell, *GIVEN)
    assert answer.code == 1
    assert answer.err == "hermes: total.txt is there already (--force overwrites it)\n"
    assert (desk_folder / "total.txt").read_text() == "mine"
    assert run(shell, *GIVEN, "--force").code == 0
    assert (desk_folder / "total.txt").read_text() == "3.5\n"


def test_of_a_folder_of_results_none_is_overwritten(shell: Typed, desk_folder: Path) -> None:
    template = "import os\nos.makedirs({out})\nfor name in 'ab':\n"
    template += "    open(os.path.join({out}, name), 'w').write('new')\n"
    parameters = (Parameter(name="out", type="path"),)
    install(shell, replace(MADE, parameters=parameters, code_template=template, outputs=("out",)))
    assert run(shell, "--param", "out=charts").code == 0
    (desk_folder / "charts" / "a").unlink()
    (desk_folder / "charts" / "b").write_text("mine")
    wanted = replace(MADE, parameters=parameters, outputs=("out",))
    made = template.replace("os.makedirs({out})", "os.makedirs({out}, exist_ok=True)")
    install(shell, replace(wanted, code_template=made))
    answer = run(shell, "--param", "out=charts")
    assert answer.code == 1
    assert "charts/b is there already (--force overwrites it)" in answer.err
    assert not (desk_folder / "charts" / "a").exists()
    assert (desk_folder / "charts" / "b").read_text() == "mine"


def test_files_from_and_for_elsewhere(shell: Typed, desk_folder: Path, tmp_path: Path) -> None:
    install(shell)
    elsewhere = tmp_path / "other" / "feb.csv"
    elsewhere.parent.mkdir()
    elsewhere.write_text("sales\n10\n")
    result = tmp_path / "results" / "feb.txt"
    words = ("--param", f"file_path={elsewhere}", "--param", "column=sales")
    answer = run(shell, *words, "--param", f"output_path={result}")
    assert answer.code == 0, answer.err
    assert result.read_text() == "10\n"
    up = run(shell, "--param", "file_path=../other/feb.csv", "--param", "column=sales")
    assert up.code == 0, up.err
    assert (desk_folder / "total.txt").read_text() == "10\n"


def test_a_result_named_after_its_input_comes_to_us(
    shell: Typed, desk_folder: Path, tmp_path: Path
) -> None:
    template = "file_path = {file_path}\nopen(file_path[:-4] + '_total.txt', 'w').write('1')\n"
    made = replace(
        MADE,
        parameters=MADE.parameters[:1],
        code_template=template,
        outputs=("{file_path_stem}_total.txt",),
    )
    install(shell, made)
    elsewhere = tmp_path / "other.csv"
    elsewhere.write_text("sales\n10\n")
    answer = run(shell, "--param", f"file_path={elsewhere}")
    assert answer.code == 0, answer.err
    assert (desk_folder / "other_total.txt").read_text() == "1"


def test_what_is_missing_is_described(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    answer = run(shell)
    assert answer.code == 2
    assert "  file_path (path): the table; seen so far: jan.csv\n" in answer.err
    assert "  column (column); seen so far: sales, cost\n" in answer.err
    assert "hermes: sum-column needs file_path, column (--param file_path=jan.csv" in answer.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--param", "factor=two"), "factor: a number is wanted, not 'two'"),
        (("--param", "colour=red"), "there is no parameter 'colour': it has file_path, column"),
        (("--param", "column"), "--param wants NAME=VALUE, not 'column'"),
        (("--param", "column=a", "--param", "column=b"), "--param column is given twice"),
    ],
)
def test_wrong_values_are_wrong_usage(
    shell: Typed, desk_folder: Path, words: tuple[str, ...], told: str
) -> None:
    install(shell)
    answer = run(shell, *words)
    assert answer.code == 2
    assert told in answer.err


def test_a_value_is_a_value_and_never_code(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    (desk_folder / "x.csv").write_text("a');print('owned\n1\n")
    answer = run(shell, "--param", "file_path=x.csv", "--param", "column=a');print('owned")
    assert answer.code == 0, answer.err
    assert answer.out == "1 rows, total 1 {'set'}\n"


def test_a_program_that_fails_leaves_nothing(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    answer = run(shell, "--param", "file_path=jan.csv", "--param", "column=profit")
    assert answer.code == 1
    assert answer.err.endswith("hermes: the program did not succeed: KeyError: 'profit'\n")
    assert not (desk_folder / "total.txt").exists()
    told = run(shell, "--param", "file_path=jan.csv", "--param", "column=profit", "--json")
    assert (told.code, told.json["error"], told.json["wrote"]) == (1, "KeyError: 'profit'", [])


def test_a_result_that_is_not_written_is_a_failure(shell: Typed, desk_folder: Path) -> None:
    lazy = replace(MADE, code_template="print({column})\n")
    install(shell, lazy)
    answer = run(shell, *GIVEN)
    assert answer.code == 1
    assert "the program ended well, but did not write total.txt" in answer.err


def test_a_file_that_is_not_there_is_told(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    answer = run(shell, "--param", "file_path=jam.csv", "--param", "column=sales")
    assert answer.code == 1
    assert "note: file_path: there is no file 'jam.csv' here" in answer.err
    assert "FileNotFoundError" in answer.err


def test_further_files_and_folders(shell: Typed, desk_folder: Path) -> None:
    listing = "print(sorted(os.path.join(p, f) for p, _, fs in os.walk('.') for f in fs))\n"
    made = Procedure(
        name="sum-column",
        description="Lists.",
        intent="list",
        parameters=(Parameter(name="folder", type="path"),),
        code_template=f"import os\nfolder = {{folder}}\n{listing}",
    )
    install(shell, made)
    (desk_folder / "months").mkdir()
    (desk_folder / "months" / "feb.csv").write_text("x")
    words = ("--param", "folder=months", "--input", "jan.csv")
    assert run(shell, *words).out == "['./jan.csv', './months/feb.csv']\n"
    lost = run(shell, *words, "--input", "nowhere.csv")
    assert (lost.code, lost.err) == (1, "hermes: there is no file 'nowhere.csv'\n")


def test_packages_that_are_not_there_are_told_with_the_way_to_them(
    shell: Typed, desk_folder: Path
) -> None:
    wants = replace(
        MADE, code_template="import no_such_thing\n" + TEMPLATE, dependencies=("no-such-thing",)
    )
    install(shell, wants)
    answer = run(shell, *GIVEN)
    assert answer.code == 1
    assert "missing dependency no-such-thing (declared, but not installed" in answer.err
    assert "hermes skills health --name sum-column --install --by NAME" in answer.err


def test_a_skill_of_words_cannot_be_run(shell: Typed, desk_folder: Path) -> None:
    install(shell, None)
    answer = run(shell)
    assert answer.code == 1
    assert "skill 'sum-column' has no program to run, only words to follow" in answer.err


def test_without_a_sandbox_nothing_runs(shell: Typed, desk_folder: Path) -> None:
    install(shell)
    config = shell.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("sandbox: {backend: none}\n")
    answer = run(shell, *GIVEN)
    assert answer.code == 1
    assert not (desk_folder / "total.txt").exists()
