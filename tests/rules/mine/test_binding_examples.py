"""The values an example itself used, found by its own steps."""

from __future__ import annotations

from hermes.records.procedure import Procedure
from hermes.rules.mine import NotBound, bind, mine
from hermes.testing.recorded_work import RecordedWork


def mined(*works: RecordedWork) -> Procedure:
    procedure = mine([work.worked() for work in works])
    assert isinstance(procedure, Procedure)
    return procedure


def heredoc(program: str) -> str:
    return f"python3 - <<'EOF'\n{program}EOF"


def picking(at: int, name: str, column: str, least: int, tail: str = "") -> RecordedWork:
    program = (
        "import csv\n"
        f"table = csv.DictReader(open('{name}.csv'))\n"
        f"rows = [r for r in table if float(r['{column}']) > {least}]\n"
        f"with open('{name}_above_{least}.txt', 'w') as out:\n"
        f"    out.write(f'{{len(rows)}} of {name} above {least}{tail}')\n"
    )
    return RecordedWork(f"Rows of {name}.csv above {least}", number=at).bash(heredoc(program))


def test_values_are_read_off_where_the_steps_are_the_same() -> None:
    procedure = mined(picking(0, "jan", "amount", 10), picking(1, "feb", "cost", 20))
    values = bind(procedure, picking(2, "mar", "price", 35).worked())
    assert values == {"input_path": "mar.csv", "value_column": "price", "threshold": 35}


def test_another_program_is_read_by_use() -> None:
    procedure = mined(picking(0, "jan", "amount", 10), picking(1, "feb", "cost", 20))
    program = (
        "import csv\nfound = 0\nfor line in csv.DictReader(open('mar.csv')):\n"
        "    if float(line['price']) > 35:\n        found += 1\n"
        "open('n.txt', 'w').write(str(found))\n"
    )
    other = RecordedWork("Rows of mar.csv above 35").bash(heredoc(program)).worked()
    assert bind(procedure, other) == {
        "input_path": "mar.csv",
        "value_column": "price",
        "threshold": 35,
    }


def test_value_that_nothing_shows_is_not_guessed() -> None:
    procedure = mined(picking(0, "jan", "amount", 10), picking(1, "feb", "cost", 20))
    other = RecordedWork("Sort mar.csv").bash("sort mar.csv > mar.txt").worked()
    found = bind(procedure, other)
    assert isinstance(found, NotBound)
    assert "'value_column'" in found.reason
    assert isinstance(bind(procedure, RecordedWork("Hi").worked()), NotBound)


def test_default_stands_in_for_what_an_example_does_not_say() -> None:
    columns = ("amount", "amount", "amount", "cost")
    procedure = mined(*(picking(at, "abcd"[at], columns[at], at) for at in range(4)))
    other = RecordedWork("Sort mar.csv above 35").bash("sort --least 3 mar.csv > mar.txt").worked()
    found = bind(procedure, other)
    assert isinstance(found, NotBound)
    assert "threshold" in found.reason


def test_one_parameter_has_one_value_in_all_its_places() -> None:
    works = [
        RecordedWork(f"Copy {name}", number=at).bash(f"sort {name}.csv > x && tail {name}.csv > y")
        for at, name in enumerate(("one", "two"))
    ]
    procedure = mined(*works)
    assert [one.name for one in procedure.parameters] == ["input_path"]
    odd = RecordedWork("Copy").bash("sort three.csv > x && tail three.csv > y").worked()
    assert bind(procedure, odd) == {"input_path": "three.csv"}


def test_flags_with_an_equals_sign() -> None:
    works = [
        RecordedWork("Convert", number=at).bash(
            f"pandoc --to={kind} notes.md --output=notes.{kind}"
        )
        for at, kind in enumerate(("html", "docx"))
    ]
    procedure = mined(*works)
    assert procedure.steps[0].code.startswith("pandoc --to={to} ")
    other = RecordedWork("Convert").bash("pandoc --to=rst notes.md --output=notes.rst").worked()
    values = bind(procedure, other)
    assert isinstance(values, dict)
    assert values["to"] == "rst"


def test_two_values_for_one_parameter_are_no_binding() -> None:
    works = [
        RecordedWork(f"Double {name}", number=at).bash(f"paste {name}.csv {name}.csv > x")
        for at, name in enumerate(("one", "two"))
    ]
    odd = RecordedWork("Double").bash("paste three.csv four.csv > x").worked()
    assert isinstance(bind(mined(*works), odd), NotBound)
