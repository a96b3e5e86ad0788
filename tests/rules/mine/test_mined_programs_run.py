"""Procedures that are mined from all examples but one give the one's own result when they run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.records.procedure import Procedure
from hermes.rules.mine import bind, mine
from hermes.rules.procedures import outputs_of
from hermes.rules.templates import bind as fill
from hermes.testing.recorded_work import RecordedWork

MONTHS = ("jan", "feb", "mar", "apr")
REGIONS = ("north", "south", "east")


def sales(at: int) -> str:
    rows = [f"{REGIONS[n % 3]},{(at + 1) * 10 + n}.5,{n}" for n in range(7)]
    return "region,amount,count\n" + "\n".join(rows) + "\n"


def heredoc(program: str) -> str:
    return f"python3 - <<'EOF'\n{program}EOF"


def csv_totals(at: int) -> RecordedWork:
    """Two authors: one flat program, one with a main, other names and an inlined path."""
    month = MONTHS[at]
    work = RecordedWork(f"Total the amounts per region of {month}.csv", number=at)
    work.bash(f"head -2 {month}.csv", "region,amount,count")
    if at % 2:
        return work.bash(
            heredoc(
                "import csv, collections\n"
                "def main():\n"
                "    sums = collections.defaultdict(float)\n"
                f"    with open('{month}.csv') as handle:\n"
                "        for line in csv.DictReader(handle):\n"
                "            sums[line['region']] += float(line['amount'])\n"
                f"    with open('{month}_totals.csv', 'w') as out:\n"
                "        for key in sorted(sums):\n"
                "            out.write(f'{key},{sums[key]}\\n')\n"
                "if __name__ == '__main__':\n"
                "    main()\n"
            )
        )
    return work.bash(
        heredoc(
            "import csv\nfrom collections import defaultdict\n"
            f"path = '{month}.csv'\n"
            "totals = defaultdict(float)\n"
            "with open(path) as f:\n"
            "    for row in csv.DictReader(f):\n"
            "        totals[row['region']] += float(row['amount'])\n"
            f"with open('{month}_totals.csv', 'w') as f2:\n"
            "    for name in sorted(totals):\n"
            "        f2.write(f'{name},{totals[name]}\\n')\n"
            f"print('wrote {month}')\n"
        )
    )


def script_with_arguments(at: int) -> RecordedWork:
    month, column = MONTHS[at], ("amount", "count")[at % 2]
    script = (
        "import sys, csv\n"
        "path, column, out = sys.argv[1], sys.argv[2], sys.argv[3]\n"
        "total = sum(float(row[column]) for row in csv.DictReader(open(path)))\n"
        "open(out, 'w').write(f'{column}: {total}\\n')\n"
    )
    work = RecordedWork(f"Add up {column} in {month}.csv", number=at)
    work.write("/home/ann/proj/add.py", script.replace("float(row", "int(row"))
    work.bash(
        f"python add.py {month}.csv {column} {month}.txt",
        "Traceback (most recent call last):\nValueError: invalid literal for int() with base 10",
        failed=True,
    )
    work.edit("/home/ann/proj/add.py", "int(row", "float(row")
    return work.bash(f"cd /home/ann/proj && python add.py {month}.csv {column} {month}.txt")


def argparse_script(at: int) -> RecordedWork:
    month = MONTHS[at]
    script = (
        "import argparse, csv, json\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('source')\n"
        "parser.add_argument('--region', required=True)\n"
        "parser.add_argument('--out', required=True)\n"
        "args = parser.parse_args()\n"
        "rows = [r for r in csv.DictReader(open(args.source)) if r['region'] == args.region]\n"
        "json.dump(rows, open(args.out, 'w'))\n"
    )
    region = REGIONS[at % 3]
    command = f"python3 pick.py {month}.csv --region {region} --out {month}-{region}.json"
    work = RecordedWork(f"Save the {region} rows of {month}.csv as JSON", number=at)
    return work.bash(f"cat > pick.py <<'EOF'\n{script}EOF\n{command}")


def shell_pipeline(at: int) -> RecordedWork:
    month, column = MONTHS[at], 1 + at % 2
    work = RecordedWork(f"Count the values of column {column} in {month}.csv", number=at)
    command = f"tail -n +2 {month}.csv | cut -d, -f {column} | sort | uniq -c > counts_{month}.txt"
    return work.call("shell", "", command=["bash", "-lc", command])


def awk_program(at: int) -> RecordedWork:
    month, column = MONTHS[at], 2 + at % 2
    work = RecordedWork(f"Sum column {column} of {month}.csv", number=at)
    return work.bash(f"awk -F, 'NR>1 {{s+=${column}}} END {{print s}}' {month}.csv > {month}.sum")


def two_steps(at: int) -> RecordedWork:
    """A file in between is made by the first step and is no input of the procedure."""
    month = MONTHS[at]
    work = RecordedWork(f"Clean and summarise {month}.csv", number=at)
    work.bash(f"mkdir -p out && grep -v south {month}.csv > out/{month}_clean.csv")
    return work.bash(
        heredoc(
            "from pathlib import Path\n"
            f"lines = Path('out/{month}_clean.csv').read_text().splitlines()\n"
            f"Path('out/{month}_report.txt').write_text(f'{{len(lines) - 1}} rows\\n')\n"
        )
    )


def redirected_program(at: int) -> RecordedWork:
    month = MONTHS[at]
    program = "import sys\nfor line in sys.stdin:\n    print(line.strip().upper())\n"
    work = RecordedWork(f"Upper-case {month}.csv", number=at)
    work.write("/home/ann/proj/upper.py", program)
    return work.bash(f"python upper.py < {month}.csv > {month}.upper")


SCENARIOS = (
    csv_totals,
    script_with_arguments,
    argparse_script,
    shell_pipeline,
    awk_program,
    two_steps,
    redirected_program,
)


def lay_out(folder: Path, work: RecordedWork, at: int) -> None:
    folder.mkdir()
    (folder / f"{MONTHS[at]}.csv").write_text(sales(at))
    for step in work.steps:
        arguments = step.metadata.get("arguments", {})
        if "content" in arguments:
            (folder / Path(arguments["file_path"]).name).write_text(arguments["content"])


def run_recorded(folder: Path, work: RecordedWork) -> None:
    """Does again what the log says, in order."""
    for step in work.steps:
        arguments = step.metadata.get("arguments", {})
        if "old_string" in arguments:
            file = folder / Path(arguments["file_path"]).name
            text = file.read_text().replace(arguments["old_string"], arguments["new_string"])
            file.write_text(text)
        elif "command" in arguments:
            command = arguments["command"]
            script = command[2] if isinstance(command, list) else command
            script = script.replace("cd /home/ann/proj && ", "")
            subprocess.run(["bash", "-c", script], cwd=folder, check=False, capture_output=True)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
@pytest.mark.parametrize("held_out", range(len(MONTHS)))
def test_held_out_example_gets_its_own_result(
    scenario: Callable[[int], RecordedWork], held_out: int, tmp_path: Path
) -> None:
    works = [scenario(at) for at in range(len(MONTHS))]
    procedure = mine([work.worked() for at, work in enumerate(works) if at != held_out])
    assert isinstance(procedure, Procedure)
    values = bind(procedure, works[held_out].worked())
    assert isinstance(values, dict), values
    assert procedure.code_template is not None, procedure.why_no_program

    expected, got = tmp_path / "expected", tmp_path / "got"
    lay_out(expected, works[held_out], held_out)
    run_recorded(expected, works[held_out])
    got.mkdir()
    (got / f"{MONTHS[held_out]}.csv").write_text(sales(held_out))
    program = fill(procedure.code_template, values)
    subprocess.run([sys.executable, "-"], input=program.encode(), cwd=got, check=True)

    outputs = outputs_of(procedure, values)
    assert outputs
    for path in outputs:
        assert (got / path).read_text() == (expected / path).read_text() != ""
