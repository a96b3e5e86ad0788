"""A skill as others publish them: it validates, and runs in the sandbox on real packages.

The wheels of pandas and matplotlib lie where set-up put them; nothing is asked of an index here.
"""

from __future__ import annotations

import ast
import csv
import shutil
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import open_home
from hermes.cli.main import main
from hermes.records.scope import PERSONAL
from hermes.rules.comparing.images import picture_of
from hermes.rules.procedures import procedure_of
from hermes.rules.templates import bind

NAME = "csv-sales-trend-analysis"
PUBLISHED = Path(__file__).parents[1] / "data" / "published" / NAME
WHEELS = Path(sys.prefix) / "wheels"
VALUES = {
    "file_path": "orders.csv",
    "date_column": "day",
    "value_column": "revenue",
    "output_path": "trend.png",
}


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    shutil.copytree(PUBLISHED, home / "skills" / NAME)
    return {"HERMES_HOME": str(home), "HOME": str(home)}


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """90 days that grow by one a day, newest first."""
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.chdir(desk)
    with (desk / "orders.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["revenue", "day"])
        for number in reversed(range(90)):
            rows.writerow([100 + number, date(2026, 1, 1) + timedelta(number)])
    return desk


def test_it_validates_and_its_row_is_filled(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["skills", "validate", NAME], environ) == 0
    assert "valid" in capsys.readouterr().out
    with open_home(settings.load(environ)) as home:
        home.reader.look()
        skill = home.ledger.skills.named(NAME, PERSONAL)
        assert skill is not None
        assert [one.name for one in skill.parameters] == list(VALUES)
        assert skill.dependencies == ("matplotlib", "pandas")
        assert skill.pitfalls == ("a date cannot be read: name the row and stop, do not drop it",)


def test_substitution_leaves_other_braces_alone(environ: dict[str, str]) -> None:
    with open_home(settings.load(environ)) as home:
        home.reader.look()
        skill = home.ledger.skills.named(NAME, PERSONAL)
        assert skill is not None
        version = home.ledger.active(skill)
        assert version is not None
        made = procedure_of(home.ledger.versions.folder(version))
    assert made is not None
    assert made.code_template is not None
    program = bind(made.code_template, {**VALUES, "date_column": "{day}"})
    ast.parse(program)
    assert "file_path = 'orders.csv'\ndate_column = '{day}'\n" in program
    for kept in ('{"figures": "#9aa5b1"', "{len(df)}", '"{}: {:+.1f}%".format(month, percent)'):
        assert kept in made.code_template
        assert kept in program


@pytest.mark.skipif(not WHEELS.is_dir(), reason=f"set-up put no wheels into {WHEELS}")
def test_it_runs_on_real_pandas_and_matplotlib(
    environ: dict[str, str],
    orders: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(WHEELS))
    given = [f"--param={name}={value}" for name, value in VALUES.items()]
    assert main(["skills", "run", NAME, *given], environ) == 1
    assert "missing dependency matplotlib (declared, but not installed" in capsys.readouterr().err
    words = ["skills", "health", "--name", NAME, "--install", "--by", "ana"]
    assert main(words, environ) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert main(["skills", "run", NAME, *given], environ) == 0, capsys.readouterr().err
    # 31 days from 100 on, then 28, then 31: sums 3565, 4046 and 5394.
    assert capsys.readouterr().out.splitlines() == [
        "rows: 90",
        "last rolling mean: 186.00",
        "2026-02: +13.5%",
        "2026-03: +33.3%",
    ]
    picture = picture_of((orders / "trend.png").read_bytes())
    assert str(picture) == "PNG of 1000×800"
