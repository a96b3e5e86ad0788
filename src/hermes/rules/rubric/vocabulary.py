"""The words the rubric knows, by what they tell. General on purpose: classes, never sentences.

Words are compared by their stem, so `report`, `reports` and `reporting` are one entry.
"""

from __future__ import annotations

from enum import StrEnum

from hermes.rules.similarity.stemming import stem


class ToolKind(StrEnum):
    """A kind of tool that a task would need; two programs of one kind count once."""

    FILES = "files"
    DATABASE = "database"
    NETWORK = "network"
    COMPUTING = "computing"
    DOCUMENTS = "documents"
    MESSAGES = "messages"
    SOURCE_CODE = "source code"
    TESTS = "tests and builds"
    SYSTEM = "system"
    SEARCH = "search"
    TRACKERS = "trackers"


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


VERBS = _stems(
    "add aggregate alert analyze append archive assert attach backup benchmark build bump bundle "
    "calculate capture chart check clean collect commit compare compile compress compute configure "
    "convert copy count crawl create deduplicate delete deploy detect diff download draw email "
    "enrich export extract fetch filter fix flag forecast format generate geocode group import "
    "index ingest insert install join label lint list load log mail mask measure merge migrate "
    "monitor move notify open parse patch ping plot post process profile provision publish pull "
    "push query rank read rebase rebuild recalculate reconcile record refresh release remove "
    "rename render replace report resize restart restore retry rotate run sample save scan "
    "schedule scrape search send sort split stage store summarize sync tag test tidy train "
    "transcribe transform translate trim unpack unzip update upgrade upload validate verify "
    "visualize write zip"
)
"""What a tool can be told to do."""

LOOSE_VERBS = _stems(
    "help improve organize handle manage deal think look make do work play figure "
    "optimize enhance brainstorm suggest recommend advise discuss imagine"
)
"""What can be meant in many ways."""

FORMATS = _stems(
    "csv tsv json jsonl xml yaml toml parquet avro pdf html markdown docx xlsx xls excel pptx "
    "powerpoint png jpg jpeg svg webp mp3 mp4 wav srt zip tar gz sql ics epub geojson rst txt "
    "protobuf orc hdf5 sqlite ndjson gif"
)

ARTEFACTS = _stems(
    "archive attachment backup badge branch build bundle calendar changelog chart checklist column "
    "commit coverage dashboard database dataset diagram digest directory document "
    "dump email export feed field file folder graph heatmap histogram image index inventory "
    "invoice label ledger list log logs message metric migration model notebook page photo "
    "playlist plot post presentation project query record release report request roster row schema "
    "scoreboard screenshot script sheet slide spreadsheet statement subtitle summary table tag "
    "template test thumbnail ticket transcript transaction video workbook"
)
"""Things that can be handed over and looked at."""

SYSTEMS = _stems(
    "s3 gcs azure blob bucket ftp sftp api endpoint webhook url website rss postgres postgresql "
    "mysql mariadb sqlite mongodb redis bigquery snowflake redshift clickhouse elasticsearch "
    "kafka salesforce hubspot stripe shopify zendesk jira github gitlab bitbucket slack teams "
    "gmail outlook imap calendar drive dropbox sharepoint notion airtable confluence pagerduty "
    "grafana prometheus datadog sentry kubernetes docker ecr registry pypi npm jenkins ci "
    "warehouse database crm erp mailbox inbox server cluster repository repo queue"
)
"""Where data comes from or goes to, outside the task's own files."""

KINDS: dict[ToolKind, frozenset[str]] = {
    ToolKind.FILES: _stems(
        "file folder directory csv tsv json jsonl xml yaml parquet zip unzip tar archive log txt "
        "rename unpack image photo spreadsheet"
    ),
    ToolKind.DATABASE: _stems(
        "database sql query postgres postgresql mysql mariadb sqlite mongodb redis bigquery "
        "snowflake redshift clickhouse warehouse schema migration"
    ),
    ToolKind.NETWORK: _stems(
        "download upload fetch scrape crawl api endpoint webhook url website http https s3 gcs "
        "bucket ftp sftp rss feed salesforce hubspot stripe shopify zendesk drive dropbox "
        "sharepoint ping"
    ),
    ToolKind.COMPUTING: _stems(
        "calculate compute aggregate average median total sum growth rate regression forecast "
        "model train cluster rank python pandas numpy deduplicate merge join filter clean convert "
        "transform normalize resize reconcile statistic metric enrich geocode compare sort split "
        "group count score segment percentile validate"
    ),
    ToolKind.DOCUMENTS: _stems(
        "report pdf chart plot graph excel xlsx workbook spreadsheet slide powerpoint pptx "
        "presentation dashboard document docx markdown html invoice heatmap histogram visualize "
        "render changelog digest summary summarize"
    ),
    ToolKind.MESSAGES: _stems(
        "email mail slack teams notify notification alert sms message post tweet page pagerduty "
        "telegram newsletter remind reminder"
    ),
    ToolKind.SOURCE_CODE: _stems(
        "git commit branch repository repo github gitlab bitbucket "
        "rebase refactor codebase tag changelog diff"
    ),
    ToolKind.TESTS: _stems(
        "test pytest lint build compile ci coverage benchmark typecheck mypy eslint deploy docker "
        "release staging registry package wheel publish pypi npm"
    ),
    ToolKind.SYSTEM: _stems(
        "server service process cron disk cpu backup restart ssh kubernetes pod cluster container "
        "systemd nginx certificate dns rotate compress restore rsync"
    ),
    ToolKind.SEARCH: _stems("search grep find scan crawl lookup"),
    ToolKind.TRACKERS: _stems("jira ticket issue calendar sprint backlog trello asana notion crm"),
}

_SMALL_WORDS = (
    "a the and or of to on for with from by if is are be it this that each every all at as into "
    "not use then when me my your you how what why who can do please help give make any using "
    "than out up"
)
ENGLISH = frozenset(_SMALL_WORDS.split())
"""Small words that nearly every English sentence has."""

KNOWN = VERBS | FORMATS | ARTEFACTS | SYSTEMS | frozenset().union(*KINDS.values())
