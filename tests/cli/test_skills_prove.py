"""`skills prove`: a skill that was mined from recorded work, done again in the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from hermes.app import Home
from hermes.app.replaying import leave_one_out
from hermes.records.candidate import Action, Evidence
from hermes.records.codec import dump
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.procedure import Procedure
from hermes.records.proposal import Proposal
from hermes.rules.mine.mining import mine
from hermes.stages.validate.cases import Case
from hermes.store.blobs import DiskBlobs
from hermes.testing.homes import person, skill_text
from hermes.testing.store import store_ports
from hermes.testing.stored_examples import StoredExamples, bash

NAME = "sum-by-region"
PROGRAM = """python3 - <<'EOF'
import csv
totals = {{}}
with open("{source}", newline="") as file:
    for row in csv.DictReader(file):
        totals[row["region"]] = totals.get(row["region"], 0) + float(row["{column}"])
with open("{target}", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["region", "total"])
    for region in sorted(totals):
        writer.writerow([region, totals[region]])
print("regions:", len(totals))
EOF"""


class Typed(Protocol):
    root: Path

    def __call__(self, *words: str, **environ: str) -> Any: ...
    def open(self) -> Home: ...
    def write(self, name: str, text: str | None = None, file: str = "SKILL.md") -> Path: ...


def example(work: StoredExamples, month: str, column: str, wrong: bool = False) -> str:
    rows = f"region,{column}\nnorth,1.5\nsouth,2\nnorth,3\n"
    totals = "region,total\nnorth,4.5\nsouth,2.0\n"
    recorded = totals.replace("4.5", "99") if wrong else totals
    text = PROGRAM.format(source=f"{month}.csv", column=column, target=f"{month}_totals.csv")
    return work.add(
        f"sum {column} by region in {month}.csv",
        bash(f"head -3 {month}.csv", f"region,{column}\n"),
        bash(text, "regions: 2\n", writes={f"{month}_totals.csv": recorded.encode()}),
        inputs={f"{month}.csv": rows.encode()},
    )


def learned(home: Home, wrong: bool = False) -> tuple[list[str], Procedure]:
    """Recorded examples, and what the miner makes of them."""
    blobs = DiskBlobs(home.settings.paths.blobs_dir)
    work = StoredExamples(store_ports(home.database), blobs)
    months = (("jan", "sales"), ("feb", "cost"), ("mar", "sales"), ("apr", "units"))
    examples = [example(work, *one, wrong=wrong and one[0] == "apr") for one in months]
    check = leave_one_out(home.settings, home.database, lambda: home.trials)
    cases = [case.worked for case in check.cases.read(examples) if isinstance(case, Case)]
    made = mine(cases)
    assert isinstance(made, Procedure), made
    assert made.code_template is not None, made.why_no_program
    return examples, made


def released(home: Home, examples: list[str], made: Procedure) -> None:
    files = {
        "SKILL.md": FileContent(skill_text(NAME).encode()),
        "references/procedure.json": FileContent(json.dumps(dump(made)).encode()),
    }
    outcome = home.loop.propose(
        Proposal(
            name=NAME,
            folder=Folder(files),
            action=Action.CREATE,
            origin=Origin.REQUESTED_BY_USER,
            author="agent",
            summary="learned",
            parent_version_id=None,
            evidence=Evidence(example_ids=tuple(examples)),
            approval=person(),
        )
    )
    assert outcome.release is not None, outcome.reason


def test_every_example_is_proven_by_the_others(shell: Typed) -> None:
    with shell.open() as home:
        examples, made = learned(home)
        released(home, examples, made)
    answer = shell("skills", "prove", NAME)
    assert answer.code == 0, answer.out + answer.err
    assert [row[:3] for row in answer.rows[:4]] == [[one, "proven", "proven"] for one in examples]
    assert "jan_totals.csv, what it printed" in answer.out
    assert answer.out.endswith("leave-one-out replay: 4 of 4 replayable examples\n")
    told = shell("skills", "prove", NAME, "--json").json
    assert told["score"] == 1.0
    assert told["held_out"][0]["compared"] == ["jan_totals.csv", "what it printed"]


def test_the_example_that_breaks_is_shown(shell: Typed) -> None:
    with shell.open() as home:
        examples, made = learned(home, wrong=True)
        released(home, examples, made)
    answer = shell("skills", "prove", NAME)
    assert answer.code == 1
    assert "recorded '99', replayed '4.5'" in answer.out
    assert "3 of 4 replayable examples" in answer.out


def test_what_was_mined_runs_on_a_file_it_never_saw(
    shell: Typed, tmp_path: Path, monkeypatch: Any
) -> None:
    with shell.open() as home:
        examples, made = learned(home)
        released(home, examples, made)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "may.csv").write_text("region,visits\neast,10\nwest,1\neast,5\n")
    names = {one.name for one in made.parameters}
    given = {"input_path": "may.csv", **dict.fromkeys(names - {"input_path"}, "visits")}
    words = [f"--param={name}={value}" for name, value in given.items()]
    answer = shell("skills", "run", NAME, *words)
    assert answer.code == 0, answer.err
    assert answer.out == "regions: 2\n"
    assert (tmp_path / "may_totals.csv").read_text().split() == [
        *("region,total", "east,15.0", "west,1.0"),
    ]


def test_without_examples_there_is_nothing_to_prove(shell: Typed) -> None:
    with shell.open() as home:
        _, made = learned(home)
    made_alone = {**dump(made), "example_ids": []}
    shell.write(NAME, skill_text(NAME))
    shell.write(NAME, json.dumps(made_alone), "references/procedure.json")
    answer = shell("skills", "prove", NAME)
    assert answer.code == 1
    assert "was not made from examples that are known here" in answer.err


def test_a_skill_of_words_has_no_proof(shell: Typed) -> None:
    shell.write(NAME, skill_text(NAME))
    answer = shell("skills", "prove", NAME)
    assert answer.code == 1
    assert "has no program to run, only words to follow" in answer.err
