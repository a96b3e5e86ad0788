"""The words the corpus of skills is made of: ten trades, each with its own verbs, things and tools.

Words of one trade stay together, so that a search for one of its tasks has right answers, near
misses from the same trade, and thousands of skills that have nothing to do with it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trade:
    """Every trade has as many words of each sort. `commands` have a hole for the thing."""

    category: str
    verbs: tuple[str, ...]
    things: tuple[str, ...]
    tools: tuple[str, ...]
    commands: tuple[str, ...]
    pitfalls: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


TRADES = (
    Trade(
        "finance",
        _words("reconcile, import, forecast, audit, summarise, categorise"),
        _words(
            "bank statements, invoices, expense reports, ledgers, payroll runs, tax filings,"
            " purchase orders, cash flow tables"
        ),
        _words("pandas, duckdb, excel, beancount, quickbooks"),
        ("python scripts/load.py --kind {thing}", "duckdb ledger.db -c 'select * from {thing}'"),
        ("Banks change the separator without notice.", "Amounts may use a comma for decimals."),
    ),
    Trade(
        "devops",
        _words("deploy, roll back, monitor, scale, harden, migrate"),
        _words(
            "containers, clusters, load balancers, build pipelines, secrets, dns zones,"
            " virtual machines, message queues"
        ),
        _words("kubernetes, terraform, ansible, docker, helm"),
        ("kubectl get {thing} --all-namespaces", "terraform plan -target={thing}"),
        ("A plan made yesterday may be stale.", "Two runs at once fight over the state lock."),
    ),
    Trade(
        "data",
        _words("clean, join, profile, deduplicate, validate, sample"),
        _words(
            "csv exports, parquet files, sensor readings, survey answers, event logs,"
            " customer tables, time series, address lists"
        ),
        _words("polars, spark, sqlite, arrow, jq"),
        ("polars-cli describe {thing}", "sqlite3 work.db '.import {thing} raw'"),
        ("Missing values hide as empty text.", "Time zones differ between two exports."),
    ),
    Trade(
        "documents",
        _words("fill, merge, translate, redact, convert, proofread"),
        _words(
            "pdf forms, contracts, slide decks, meeting minutes, scanned letters, manuals,"
            " spreadsheets, certificates"
        ),
        _words("pypdf, libreoffice, pandoc, tesseract, docx"),
        ("pandoc {thing} -o out.md", "tesseract {thing} out -l eng"),
        ("Scans have no text layer.", "Fonts that are not embedded change the layout."),
    ),
    Trade(
        "security",
        _words("scan, triage, patch, rotate, review, investigate"),
        _words(
            "dependencies, access keys, firewall rules, phishing mails, container images,"
            " audit trails, certificates, permissions"
        ),
        _words("trivy, semgrep, nmap, vault, osquery"),
        ("trivy fs --scanners vuln {thing}", "semgrep scan --config auto {thing}"),
        ("A finding without a fix is still a finding.", "Rotated keys stay valid for a while."),
    ),
    Trade(
        "research",
        _words("survey, cite, compare, replicate, annotate, outline"),
        _words(
            "papers, preprints, data sets, patents, interviews, benchmarks, grant proposals,"
            " lab notebooks"
        ),
        _words("zotero, arxiv, latex, jupyter, crossref"),
        ("arxiv search '{thing}' --limit 20", "latexmk -pdf {thing}.tex"),
        ("Preprints change after they are cited.", "A missing seed makes a result unrepeatable."),
    ),
    Trade(
        "support",
        _words("answer, route, escalate, translate, classify, close"),
        _words(
            "tickets, refund requests, bug reports, chat transcripts, warranty claims,"
            " feature requests, outage notices, complaints"
        ),
        _words("zendesk, intercom, slack, jira, salesforce"),
        ("jira issue list --query '{thing}'", "slack post '#support' '{thing}'"),
        ("Closing a ticket mails the customer.", "Two tickets may be one problem."),
    ),
    Trade(
        "frontend",
        _words("build, test, style, localise, profile, refactor"),
        _words(
            "forms, navigation menus, charts, login pages, design tokens, image galleries,"
            " tables, onboarding flows"
        ),
        _words("react, svelte, tailwind, playwright, storybook"),
        ("npx playwright test {thing}", "npm run storybook -- --filter {thing}"),
        ("Screenshots differ between two machines.", "Long words break narrow columns."),
    ),
    Trade(
        "media",
        _words("trim, transcribe, caption, tag, compress, archive"),
        _words(
            "podcasts, lecture videos, photo albums, voice notes, screen recordings,"
            " music stems, interviews, animations"
        ),
        _words("ffmpeg, whisper, exiftool, sox, imagemagick"),
        ("ffmpeg -i {thing} -c copy out.mkv", "exiftool -r {thing}"),
        ("Copying streams cuts at key frames only.", "Dates in file names are local time."),
    ),
    Trade(
        "planning",
        _words("schedule, prioritise, estimate, track, report, split"),
        _words(
            "sprints, roadmaps, offsites, release dates, hiring plans, budgets,"
            " milestones, shift rosters"
        ),
        _words("linear, notion, calendar, airtable, asana"),
        ("linear issue list --project '{thing}'", "notion export '{thing}'"),
        ("Holidays differ by country.", "An estimate without a range is a promise."),
    ),
)

SETTINGS = (
    *("for a small team", "for auditors", "in staging", "in production", "every week"),
    *("before a release", "after an outage", "for a new customer", "across regions"),
    *("with large inputs", "by hand-over notes", "on a laptop", "without network"),
)
"""What tells two skills of one trade apart when verb, thing and tool are the same."""
