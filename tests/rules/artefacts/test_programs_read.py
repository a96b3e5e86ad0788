"""The files that a Python program names."""

from __future__ import annotations

from hermes.rules.artefacts.programs import ProgramFiles, files_of_program


def test_the_usual_ways_to_open_a_file() -> None:
    code = """
import json, sys
import pandas as pd
from pathlib import Path
SOURCE = "in.csv"
folder = Path("out")
frame = pd.read_csv(SOURCE)
json.load(open("conf.json"))
with open(sys.argv[1]) as f, open("b.txt", mode="w") as g:
    g.write(f.read())
(folder / "report.md").write_text("x")
frame.to_csv(sys.argv[2], index=False)
Path("notes.md").read_text()
plt.savefig("chart.png")
shutil.copy("c1", "c2")
"""
    files = files_of_program(code, ["run.py", "jan.csv", "sum.csv"])
    assert set(files.reads) == {"in.csv", "conf.json", "jan.csv", "notes.md", "c1"}
    assert set(files.writes) == {"b.txt", "out/report.md", "sum.csv", "chart.png", "c2"}


def test_what_a_program_reads_back_is_not_what_it_was_given() -> None:
    code = "OUT = 'o.csv'\nwith open(OUT, 'w') as f: f.write('x')\nassert open(OUT).read() == 'x'\n"
    assert files_of_program(code) == ProgramFiles((), ("o.csv",))
    in_place = "text = open('a').read()\nopen('a', 'w').write(text.upper())\n"
    assert files_of_program(in_place) == ProgramFiles(("a",), ("a",))


def test_a_name_that_is_not_spelled_out_is_unknown() -> None:
    code = """
name = "a"
name = "b"
open(name); open(f"{name}.csv"); open(sys.argv[7]); open("https://x.org/a.csv"); open(find())
"""
    assert files_of_program(code, ["run.py"]) == ProgramFiles()


def test_what_is_no_python_names_nothing() -> None:
    for text in ("SELECT 1", "def (", "x" * 100_000, "(" * 5_000, "\0"):
        assert files_of_program(text) == ProgramFiles()
