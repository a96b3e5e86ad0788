"""Pattern B: an access log becomes a short table of the endpoints that fail most.

Six logs, one pipeline. In one session the report's folder is not there yet; in one the user does
not want to see the load balancer's health checks.
"""

from __future__ import annotations

from datetime import UTC, datetime

from demo_logs.scenario import (
    Agent,
    Asks,
    CodexShell,
    Delegates,
    Plans,
    Reads,
    Runs,
    Says,
    Scenario,
    Thinks,
)

_FAILED = "'$9 >= min && $7 !~ /^\\/health/ { sub(/\\?.*/, \"\", $7); print $7 }'"
_FAILED_WITH_HEALTH = "'$9 >= min { sub(/\\?.*/, \"\", $7); print $7 }'"
_TABLE = (
    '\'BEGIN { print "| endpoint | errors |"; print "| --- | ---: |" } '
    '{ print "| " $2 " | " $1 " |" }\''
)


def _at(month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def _report(log: str, least: int, top: int, report: str, failed: str = _FAILED) -> tuple[str, ...]:
    """The pipeline's stages; each agent sets them in lines as it likes."""
    return (
        f"awk -v min={least} {failed} {log}",
        "sort",
        "uniq -c",
        "sort -k1,1nr -k2,2",
        f"head -n {top}",
        f"awk {_TABLE} > {report}",
    )


def _one_line(stages: tuple[str, ...]) -> str:
    return "mkdir -p reports && " + " | ".join(stages)


def _lines(stages: tuple[str, ...]) -> str:
    return "mkdir -p reports && " + " |\n  ".join(stages)


_SHOP = Scenario(
    name="shop-errors",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/shop-api",
    started=_at(3, 2, 17, 5),
    files={"logs/shop-2026-03-02.log": "shop-2026-03-02.log"},
    acts=(
        Asks(
            "Summarise logs/shop-2026-03-02.log: count the server errors (5xx) per endpoint and "
            "put the top 5 as a markdown table into reports/shop-errors.md"
        ),
        Says("I'll check the log's format, then count."),
        Runs("ls logs", "List the logs"),
        Reads("logs/shop-2026-03-02.log"),
        Says(
            "Common log format: the path is field 7, the status field 9. Health checks are noise."
        ),
        Runs(
            _one_line(_report("logs/shop-2026-03-02.log", 500, 5, "reports/shop-errors.md")),
            "Count server errors per endpoint",
        ),
        Runs("cat reports/shop-errors.md", "Show the report"),
        Runs("grep -c '^| /' reports/shop-errors.md", "Check that endpoints are listed"),
        Says(
            "The report is in `reports/shop-errors.md`, query strings cut off, health "
            "checks left out."
        ),
        Asks("Thanks, exactly what I wanted."),
        Says("Happy to help."),
    ),
)

_BILLING = Scenario(
    name="billing-errors",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/billing",
    started=_at(3, 4, 18, 20),
    files={"billing.log": "billing.log"},
    shell=CodexShell.LINE,
    acts=(
        Asks(
            "Which endpoints in billing.log return the most 5xx? Count the errors per endpoint, "
            "top 3 only, as a markdown table in reports/billing-errors.md. No health checks."
        ),
        Runs("ls"),
        Runs("head -n 3 billing.log"),
        Says("Field 9 is the status and field 7 the path."),
        Runs("cat billing.log"),
        Plans(("Count errors per endpoint", "Write the table", "Check it"), done=0),
        Runs(_lines(_report("billing.log", 500, 3, "reports/billing-errors.md"))),
        Says("Query strings are cut off before counting, so `/v2/tax?page=2` is `/v2/tax`."),
        Runs("cat reports/billing-errors.md"),
        Runs("grep -c '^| /' reports/billing-errors.md"),
        Says("`reports/billing-errors.md` lists the three endpoints with the most server errors."),
    ),
)

_SEARCH_STAGES = _report("search-access.log", 400, 5, "reports/search-errors.md")

_SEARCH = Scenario(
    name="search-errors",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/search",
    started=_at(3, 5, 9, 48),
    files={"search-access.log": "search-access.log"},
    acts=(
        Asks(
            "Can you summarise the errors in search-access.log? All 4xx and 5xx, counted per "
            "endpoint, the five worst as a markdown table: reports/search-errors.md"
        ),
        Runs("ls", "What is here"),
        Reads("search-access.log"),
        Says("I'll count every status from 400 up, without the health checks."),
        Runs(" | ".join(_SEARCH_STAGES), "Count errors per endpoint"),
        Says("The folder for the report does not exist yet. I'll make it first."),
        Runs(_one_line(_SEARCH_STAGES), "Make the folder, count again"),
        Reads("reports/search-errors.md"),
        Runs("grep -c '^| /' reports/search-errors.md", "Five endpoints listed?"),
        Says("Done, the table is in `reports/search-errors.md`."),
        Asks("thanks"),
        Says("You're welcome."),
    ),
)

_CHECKOUT = Scenario(
    name="checkout-errors",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/checkout",
    started=_at(3, 9, 15, 31),
    files={"logs/checkout.log": "checkout.log"},
    shell=CodexShell.ARGV,
    acts=(
        Asks(
            "Make me a summary of logs/checkout.log: number of 5xx errors for each endpoint, the 5 "
            "most frequent, markdown table, file reports/checkout-errors.md"
        ),
        Thinks("**Inspecting the log**\n\nThe fields first, then a pipeline."),
        Runs("ls logs"),
        Runs("cat logs/checkout.log"),
        Says("Path in field 7, status in field 9. One pipeline is enough."),
        Runs(
            _lines(
                _report(
                    "logs/checkout.log", 500, 5, "reports/checkout-errors.md", _FAILED_WITH_HEALTH
                )
            )
        ),
        Runs("cat reports/checkout-errors.md"),
        Says("The table is in `reports/checkout-errors.md`; `/healthz` is part of it."),
        Asks("No, don't count the health checks, that is only the load balancer asking."),
        Runs(_lines(_report("logs/checkout.log", 500, 5, "reports/checkout-errors.md"))),
        Runs("cat reports/checkout-errors.md"),
        Runs("grep -c '^| /' reports/checkout-errors.md"),
        Says("Health checks are left out now; the report is rewritten."),
    ),
)

_MEDIA = Scenario(
    name="media-errors",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/media",
    started=_at(3, 11, 13, 14),
    files={"var/log/media-edge.log": "media-edge.log"},
    acts=(
        Asks(
            "Count the errors per endpoint in the access log of the media edge (400 and up), top 3 "
            "as a markdown table in reports/media-errors.md. Skip health checks."
        ),
        Says("I don't know yet where that log lies; I'll have it looked up."),
        Delegates(
            "Find the access log",
            "Where in this repository is the access log of the media edge? Answer with its path.",
            (Runs("find . -name '*.log'", "Look for logs"),),
            "It is var/log/media-edge.log.",
        ),
        Reads("var/log/media-edge.log"),
        Runs(
            "awk -v min=400 '$9 >= min' var/log/media-edge.log | wc -l",
            "How many errors are there?",
        ),
        Runs(
            _one_line(_report("var/log/media-edge.log", 400, 3, "reports/media-errors.md")),
            "Count errors per endpoint",
        ),
        Runs("cat reports/media-errors.md", "Show the report"),
        Runs("grep -c '^| /' reports/media-errors.md", "Three endpoints listed?"),
        Says("`reports/media-errors.md` names the three endpoints with the most errors."),
        Asks("nice, thank you!"),
        Says("You're welcome."),
    ),
)

_GATEWAY = Scenario(
    name="gateway-errors",
    agent=Agent.CODEX,
    cwd="/home/mira/projects/gateway",
    started=_at(3, 12, 19, 2),
    files={"gateway.log": "gateway.log"},
    shell=CodexShell.TERMINAL,
    acts=(
        Asks(
            "Please summarise the access log gateway.log, errors (status 400 or more) counted per "
            "endpoint without health checks. Top 10 into reports/gateway-errors.md as a table."
        ),
        Runs("wc -l gateway.log"),
        Runs("cat gateway.log"),
        Says("One request carries a token in its query string; queries will not be in the report."),
        Plans(("Count per endpoint", "Write the table", "Check the table"), done=0),
        Runs(_one_line(_report("gateway.log", 400, 10, "reports/gateway-errors.md"))),
        Runs("cat reports/gateway-errors.md"),
        Runs("grep -c '^| /' reports/gateway-errors.md"),
        Says("`reports/gateway-errors.md` is written, with the query strings removed."),
        Asks("Works, thanks."),
        Says("Good."),
    ),
)

ACCESS = (_SHOP, _BILLING, _SEARCH, _CHECKOUT, _MEDIA, _GATEWAY)
