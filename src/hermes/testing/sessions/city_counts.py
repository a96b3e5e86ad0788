"""One kind of work, done again and again: how many rows of a table there are for each city."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from hermes.testing.sessions.doing import BEGAN, Session

NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_CITIES = ("Bern", "Basel", "Chur", "Genf", "Olten", "Thun")
_WORDINGS = (
    "Count the orders per city in {table} and write the counts to {report}",
    "Please count how many orders each city has in {table}; the counts go to {report}",
    "I need the orders of {table} counted per city, written to {report}",
    "Count orders by city: {table} in, {report} out",
)


def table_of(number: int) -> str:
    """Orders in no order at all, other ones for each number."""
    rows = [
        f"{1000 + row},{_CITIES[(row * (number + 3) + row * row) % (3 + number % 4)]},{row % 7 + 1}"
        for row in range(1, 24 + number)
    ]
    return "\n".join(("id,city,amount", *rows)) + "\n"


def command(table: str, report: str) -> str:
    """What every one of these sessions runs."""
    return (
        f"mkdir -p reports && tail -n +2 {table} | cut -d, -f2 | sort | uniq -c | "
        f"awk '{{print $2 \",\" $1}}' > {report}"
    )


def begun(number: int, folder: Path, *, table: str | None = None) -> Session:
    """The session up to where the agent knows its input."""
    name = NAMES[number]
    path, report = f"data/{name}.csv", f"reports/{name}_cities.csv"
    session = Session(
        name,
        folder,
        {path: table_of(number) if table is None else table},
        began=BEGAN + timedelta(days=number),
    )
    session.user(_WORDINGS[number % len(_WORDINGS)].format(table=path, report=report))
    return session.agent("I look at the table first.").runs("ls data").reads(path)


def counted(session: Session) -> Session:
    """The work itself, with a check at its end."""
    name = session.name
    path, report = f"data/{name}.csv", f"reports/{name}_cities.csv"
    session.agent("The city is the second column.").runs(command(path, report))
    return session.runs(f"cat {report}").runs(f"cut -d, -f1 {report} | sort -c -u && echo ok")


def thanked(session: Session) -> Session:
    session.agent(f"The counts are in `reports/{session.name}_cities.csv`.")
    return session.user("Perfect, thanks!").agent("You're welcome.")


def city_count(number: int, folder: Path) -> Session:
    """A whole session that went well."""
    return thanked(counted(begun(number, folder)))
