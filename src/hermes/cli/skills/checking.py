"""`skills validate` and `skills scan`: what is wrong with a skill, in the library or before it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED
from hermes.errors import CorruptData, NotFound

if TYPE_CHECKING:
    from hermes.app import Inspection
    from hermes.rules.scan.finding import Finding, ScanReport

_WORDS = {"note": "note", "medium": "warning", "high": "error", "critical": "error"}


def validate(call: Call) -> int:
    """Every check in its order. Findings name file and line, so that an editor can jump there."""
    path = _place(call)
    try:
        inspection = _inspected(call, path)
    except CorruptData as error:  # a link, a device, a file nobody may read
        return _unreadable(call, path, error)
    problems = _problems(path, inspection)
    checks = [
        {"check": "format", "outcome": _format_outcome(inspection)},
        *({"check": one.name, "outcome": one.outcome.value} for one in inspection.checks),
    ]
    valid = all(check["outcome"] != "failed" for check in checks)
    if call.json:
        call.out.json(
            {
                "path": str(path),
                "valid": valid,
                "errors": problems["error"],
                "warnings": problems["warning"],
                "checks": checks,
                "findings": _as_json(inspection.report.findings),
            }
        )
    else:
        for word, texts in problems.items():
            for text in texts:
                call.out.line(f"{word}: {text}")
        rows = [[check["check"], check["outcome"]] for check in checks]
        call.out.table(["check", "outcome"], rows, empty="nothing was checked")
        call.out.line(_summary(path, valid, problems))
    return DONE if valid else FAILED


def scan(call: Call) -> int:
    """What the package would do: the verdict decides the exit code, for use in scripts."""
    from hermes.app import scan_skill

    path = _place(call)
    report = scan_skill(path)
    if call.json:
        call.out.json(
            {
                "path": str(path),
                "verdict": report.verdict.value,
                "explanation": report.explanation,
                "findings": _as_json(report.findings),
            }
        )
    else:
        _show_scan(call, path, report)
    return FAILED if report.verdict.value == "block" else DONE


def _show_scan(call: Call, path: Path, report: ScanReport) -> None:
    columns = ["severity", "where", "rule", "risk", "what", "what to do"]
    rows = [
        [one.severity, f"{one.file}:{one.line}", one.rule, one.ast, one.message, one.advice]
        for one in report.findings
    ]
    if rows:
        call.out.table(columns, rows, empty="", cut="what to do")
    call.out.line(f"{path}: {report.verdict.value}: {report.explanation}")


def _inspected(call: Call, path: Path) -> Inspection:
    from hermes.app import inspect_skill

    return inspect_skill(call.settings, path, run=not call.args.no_run)


def _unreadable(call: Call, path: Path, error: CorruptData) -> int:
    if call.json:
        call.out.json({"path": str(path), "valid": False, "errors": [str(error)], "warnings": []})
    else:
        call.out.line(f"error: {error}")
        call.out.line(f"{path}: not valid, 1 error")
    return FAILED


def _format_outcome(inspection: Inspection) -> str:
    if inspection.reading.errors:
        return "failed"
    return "warned" if inspection.reading.warnings else "passed"


def _problems(path: Path, inspection: Inspection) -> dict[str, list[str]]:
    """Everything to tell, by how bad it is: first what the format says, then the other checks."""
    folder = path if path.is_dir() else path.parent
    problems = {
        "error": [f"{folder}/{finding}" for finding in inspection.reading.errors],
        "warning": [f"{folder}/{finding}" for finding in inspection.reading.warnings],
        "note": [],
    }
    for one in inspection.report.findings:
        word = "error" if one.rule == "does-not-parse" else _WORDS[one.severity.value]
        told = f"{one.file}:{one.line}: {one.rule} ({one.severity.value}, {one.ast.value})"
        problems[word].append(f"{folder}/{told}: {one.message}; {one.advice}")
    for check in inspection.checks:
        if check.name == "trial":
            word = {"failed": "error", "warned": "warning"}.get(check.outcome.value, "note")
            problems[word] += [f"trial: {finding}" for finding in check.findings]
    return problems


def _as_json(findings: Iterable[Finding]) -> list[dict[str, str | int]]:
    return [finding.to_json() for finding in findings]


def _place(call: Call) -> Path:
    """A path that exists, or the folder of a skill of that name."""
    text = call.args.path
    path = Path(text)
    if text and path.exists():
        return path
    if text and "/" not in text:
        from hermes.app import open_home
        from hermes.records.scope import PERSONAL

        with open_home(call.settings) as home:
            skill = home.ledger.skills.named(text, PERSONAL)
        if skill is not None:
            return Path(call.settings.paths.skills_dir / skill.location)
        inside = Path(call.settings.paths.skills_dir / text)
        if inside.is_dir():
            return inside
    raise NotFound(f"there is neither a file or folder '{text}' nor a skill of that name")


def _summary(path: Path, valid: bool, problems: dict[str, list[str]]) -> str:
    told = f"{path}: {'valid' if valid else 'not valid'}"
    for word in ("error", "warning"):
        if number := len(problems[word]):
            told += f", {number} {word}{'s' if number > 1 else ''}"
    return told


def _path(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a skill's folder, its SKILL.md, or its name")


def _validating(parser: ArgumentParser) -> None:
    _path(parser)
    parser.add_argument(
        "--no-run", action="store_true", help="leave out the skill's own tests, which run sandboxed"
    )


COMMANDS = {
    "validate": Command(
        run=validate,
        arguments=_validating,
        json=True,
        summary="every check on a skill's folder: format, syntax, secrets, code, scan, its tests",
        example="hermes skills validate ./tidy-csv",
    ),
    "scan": Command(
        run=scan,
        arguments=_path,
        json=True,
        summary="would this package harm you? Findings by file and line, and a verdict",
        example="hermes skills scan ./downloaded-skill",
    ),
}
