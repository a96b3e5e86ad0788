"""Pattern A: a messy table of sales becomes a clean one of monthly totals.

Six times the same work for six files. In one the export starts with a byte order mark and is
separated by semicolons; in one the user says what the agent had not thought of.
"""

from __future__ import annotations

from datetime import UTC, datetime

from demo_logs.scenario import (
    Abandons,
    Agent,
    Asks,
    CodexShell,
    Edits,
    Plans,
    Reads,
    Runs,
    Says,
    Scenario,
    Thinks,
    Writes,
)


def _at(month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def _heredoc(path: str, program: str) -> str:
    """The same as writing it with a tool, the way it is done by those who have only a shell."""
    return f"cat > {path} <<'EOF'\n{Writes(path, program).text}EOF"


_WEBSHOP = Scenario(
    name="webshop",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/webshop",
    started=_at(4, 1, 9, 12),
    files={"exports/orders_q1.csv": "orders_q1.csv"},
    acts=(
        Asks(
            "Please clean up the sales in exports/orders_q1.csv and write the totals per month to "
            "orders_q1_monthly.csv. Cancelled orders don't count."
        ),
        Says("I'll look at the export first."),
        Runs("ls exports", "List the exports"),
        Reads("exports/orders_q1.csv"),
        Says(
            "Currency signs, thousands separators, stray blanks, empty amounts, and `cancelled` in "
            "several spellings. A short program will do, with the standard library only."
        ),
        Writes("monthly.py", "webshop.py.txt"),
        Runs("python3 monthly.py", "Write the monthly totals"),
        Reads("orders_q1_monthly.csv"),
        Runs(
            "tail -n +2 orders_q1_monthly.csv | cut -d, -f1 | sort -c -u && echo ok",
            "Check that every month is there once, in order",
        ),
        Says(
            "`orders_q1_monthly.csv` is written: one line per month with the number of orders and "
            "their total. Cancelled orders and rows without an amount are left out, and the months "
            "add up to the sum of the rows kept."
        ),
        Asks("Perfect, thanks!"),
        Says("You're welcome."),
    ),
)

_WHOLESALE = Scenario(
    name="wholesale",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/wholesale",
    started=_at(1, 8, 14, 3),
    files={"invoices_2025h2.csv": "invoices_2025h2.csv"},
    shell=CodexShell.ARGV,
    acts=(
        Asks(
            "invoices_2025h2.csv is a messy sales export (blank lines, empty amounts). Clean it "
            "and make a CSV with the total per month, without cancelled ones: invoices_by_month.csv"
        ),
        Thinks("**Looking at the file**\n\nI need the column names and what is messy about it."),
        Runs("head -n 5 invoices_2025h2.csv"),
        Runs("cat invoices_2025h2.csv"),
        Plans(("Read the invoices", "Sum them by month", "Check the result"), done=1),
        Says("The columns are clear. I'll write a small program that cleans and sums."),
        Writes("by_month.py", "wholesale.py.txt"),
        Says("Now I run it and look at what it wrote."),
        Runs("python3 by_month.py"),
        Runs("cat invoices_by_month.csv"),
        Runs("tail -n +2 invoices_by_month.csv | cut -d, -f1 | sort -c -u && echo ok"),
        Says(
            "Done: `invoices_by_month.csv` has one row per month with the number of invoices and "
            "the total. Cancelled invoices and those without an amount are not in it."
        ),
    ),
)

_BERN_OPENING = """with open(SOURCE, newline='', encoding='utf-8') as handle:
    records = list(csv.DictReader(handle))
"""
_BERN_REPAIRED = """with open(SOURCE, newline='', encoding='utf-8-sig') as handle:
    header = handle.readline()
    separator = max(',;\\t', key=header.count)
    handle.seek(0)
    records = list(csv.DictReader(handle, delimiter=separator))
"""

_BERN = Scenario(
    name="bern",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/bern",
    started=_at(3, 3, 10, 40),
    files={"umsatz_bern.csv": "umsatz_bern.csv"},
    acts=(
        Asks(
            "The Bern branch sent its sales, umsatz_bern.csv. Clean the file and give me monthly "
            "totals in bern_monthly.csv, leaving out what was cancelled."
        ),
        Runs("ls", "What is here"),
        Reads("umsatz_bern.csv"),
        Says("German headings, amounts with and without CHF. I'll sum them by month."),
        Writes("bern.py", "bern_draft.py.txt"),
        Runs("python3 bern.py", "Sum the sales by month"),
        Thinks("The row has no such key: the whole header is one field, since it has semicolons."),
        Says(
            "The file is separated by semicolons and starts with a byte order mark. I'll take the "
            "separator from the header line and read it as utf-8-sig."
        ),
        Edits("bern.py", _BERN_OPENING, _BERN_REPAIRED),
        Runs("python3 bern.py", "Run it again"),
        Runs("cat bern_monthly.csv", "Show the result"),
        Runs(
            "tail -n +2 bern_monthly.csv | cut -d, -f1 | sort -c -u && echo ok",
            "Months unique and sorted?",
        ),
        Says(
            "`bern_monthly.csv` is there, and its totals equal the sum of the rows kept. The first "
            "try failed on the semicolons and the byte order mark; the program now handles both."
        ),
    ),
)

_TICKETS_KEPT = "    if not price:\n"
_TICKETS_LEFT_OUT = '    if not price or sale["status"].strip().lower() == "cancelled":\n'

_TICKETS = Scenario(
    name="tickets",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/tickets",
    started=_at(2, 11, 16, 25),
    files={"ticket_sales.csv": "ticket_sales.csv"},
    shell=CodexShell.LINE,
    acts=(
        Asks(
            "I need monthly totals of our ticket sales. The raw data is ticket_sales.csv, it needs "
            "some cleaning. Result as tickets_per_month.csv please."
        ),
        Runs("ls && wc -l ticket_sales.csv"),
        Runs("cat ticket_sales.csv"),
        Says("Some prices carry a euro sign, some are missing. I'll strip and skip those."),
        Writes("per_month.py", "tickets_draft.py.txt"),
        Runs("python3 per_month.py"),
        Runs("cat tickets_per_month.csv"),
        Says("`tickets_per_month.csv` has the number of tickets and the total for each month."),
        Asks("No, leave out the cancelled orders, those were refunded."),
        Thinks("**Leaving out cancelled sales**\n\nThe status is spelled in two ways."),
        Edits("per_month.py", _TICKETS_KEPT, _TICKETS_LEFT_OUT),
        Runs("python3 per_month.py"),
        Runs("cat tickets_per_month.csv"),
        Runs("tail -n +2 tickets_per_month.csv | cut -d, -f1 | sort -c -u && echo ok"),
        Says(
            "Right, cancelled sales are out now, however they are spelled. The file is rewritten."
        ),
        Asks("Good, that's it."),
        Says("Glad it fits."),
    ),
)

_COFFEE = Scenario(
    name="coffee",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/coffee",
    started=_at(5, 4, 8, 55),
    files={"exports/subscriptions.csv": "subscriptions.csv"},
    acts=(
        Abandons(
            (
                Asks("Tell me about exports/subscriptions.csv"),
                Runs("head -n 4 exports/subscriptions.csv", "First lines"),
                Says(
                    "It lists coffee subscriptions: a number, a day, the plan, an amount, a state."
                ),
            )
        ),
        Asks(
            "Take /home/mira/projects/coffee/exports/subscriptions.csv, clean it and write the monthly "
            "totals to subscriptions_monthly.csv, cancelled ones excluded. I'll mail it to "
            "lena.fischer@example.com myself."
        ),
        Says("Let me see what the export looks like."),
        Reads("exports/subscriptions.csv"),
        Runs("cut -d, -f5 exports/subscriptions.csv | sort | uniq", "Which states are there?"),
        Says("Only `cancelled` has to go. I'll write the program."),
        Writes("totals.py", "coffee.py.txt"),
        Runs("python3 totals.py", "Write the totals"),
        Runs("cat subscriptions_monthly.csv", "Look at the result"),
        Runs(
            "tail -n +2 subscriptions_monthly.csv | cut -d, -f1 | sort -c -u && echo ok",
            "Check the months",
        ),
        Says(
            "The totals are in `subscriptions_monthly.csv`, three months, checked against the rows."
        ),
        Asks("Great, thank you"),
        Says("Any time."),
    ),
)

_MARKET = Scenario(
    name="market",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/market",
    started=_at(7, 2, 11, 30),
    files={"data/stall_sales.tsv": "stall_sales.tsv"},
    shell=CodexShell.TERMINAL,
    acts=(
        Asks(
            "Monthly totals from data/stall_sales.tsv please: clean the sales rows, drop cancelled "
            "ones, save to stalls_monthly.csv and make sure the sums are right"
        ),
        Runs("ls data"),
        Runs("cat data/stall_sales.tsv"),
        Says("Tab separated this time, with blanks and euro signs in the takings."),
        Plans(("Write the program", "Run it", "Check the months"), done=0),
        Runs(_heredoc("stalls.py", "market.py.txt")),
        Runs("python3 stalls.py"),
        Says("It ran through, its own check included. One look at the file:"),
        Runs("cat stalls_monthly.csv"),
        Runs("tail -n +2 stalls_monthly.csv | cut -d, -f1 | sort -c -u && echo ok"),
        Says(
            "`stalls_monthly.csv` is ready. The program reads the file back and compares: the "
            "months add up to the takings of all rows that were kept."
        ),
    ),
)

SALES = (_WEBSHOP, _WHOLESALE, _BERN, _TICKETS, _COFFEE, _MARKET)
