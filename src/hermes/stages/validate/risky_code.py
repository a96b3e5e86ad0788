"""Python constructs that are easily misused, found by bandit; notes for the reviewer.

Imported inside the examiner's child only. Honest skills run subprocesses and hash with MD5, so
nothing bandit says changes a verdict: what code does is judged by its effects.
"""

from __future__ import annotations

import io
import logging
import sys
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.finding import Finding, Severity
from hermes.rules.scan.natures import nature_of
from hermes.rules.scan.package import readable

_MOST = 10  # of one file
_TOLD = ("HIGH", "MEDIUM")
"""What bandit calls LOW (an assert, an import of subprocess) is in every second honest script."""


def findings(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """What bandit finds in the Python files, worst first."""
    for path, data in sorted(files.items()):
        text = readable(data)
        if text is None or nature_of(path, text) != "python":
            continue
        for issue in _issues(path, text)[:_MOST]:
            detail = f"{issue.test_id} {issue.text}"
            yield RULES["risky-code"].finding(path, issue.lineno, Severity.NOTE, detail)


def _issues(path: str, text: str) -> list[Any]:
    visitor_class, tests, metrics = load()
    data = text.encode()
    metrics.begin(path)
    visitor = visitor_class(path, io.BytesIO(data), None, tests, False, {}, metrics)
    try:
        visitor.process(data)
    except (SyntaxError, ValueError, RecursionError):
        return []  # told by the syntax check, with the line
    told = [issue for issue in visitor.tester.results if issue.severity in _TOLD]
    return sorted(told, key=lambda issue: (_TOLD.index(issue.severity), issue.lineno))


@cache
def load() -> tuple[Any, Any, Any]:
    """bandit's parts without its command line, whose progress bars cost more than its checks."""
    progress = types.ModuleType("rich.progress")
    rich = types.ModuleType("rich")
    rich.__dict__["progress"] = progress
    sys.modules.setdefault("rich", rich)
    sys.modules.setdefault("rich.progress", progress)
    logging.getLogger("bandit").setLevel(logging.CRITICAL)
    from bandit.core.config import BanditConfig
    from bandit.core.metrics import Metrics
    from bandit.core.node_visitor import BanditNodeVisitor
    from bandit.core.test_set import BanditTestSet

    return BanditNodeVisitor, BanditTestSet(BanditConfig()), Metrics()
