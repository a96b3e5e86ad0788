"""Secrets in a package, found by detect-secrets.

Imported inside the examiner's child only. detect-secrets can ask services whether a secret is real;
here it must not, so the HTTP library it wants for that is not loaded (which also halves its start).
"""

from __future__ import annotations

import math
import re
import sys
import types
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.finding import Finding, Severity
from hermes.rules.scan.package import readable

_PLUGINS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("npm", "NpmDetector"),
    ("openai", "OpenAIDetector"),
    ("private_key", "PrivateKeyDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
"""Detectors of things with a form of their own; guesses by entropy or by the word `password` cry
wolf in documentation, and a gate that cries wolf is switched off."""

_HINT = re.compile(
    r"AKIA|ASIA|A3T|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk[-_]|rk_live|-----BEGIN|SG\.|AccountKey=|"
    r"npm_|_authToken|pypi-|sq0|-us\d|AC[a-z0-9]{32}|SK[a-z0-9]{32}|\d{8,10}:[\w-]{35}|[MNO][\w-]{23}\.|"
    r"hooks\.slack\.com"
)
_MADE_UP = re.compile(
    r"(?i)example|sample|dummy|fake|placeholder|your|xxx|\.\.\.|<|\*\*\*|test|123456|abcdef|0000"
)
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{40,}")
_LEAST_ENTROPY = 3.0


def findings(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """One finding for each secret; what is plainly an example is a note."""
    for path, data in sorted(files.items()):
        text = readable(data)
        if text is None or not _HINT.search(text):
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines, start=1):
            if not _HINT.search(line):
                continue
            for kind, found in _secrets(line):
                secret = _whole(found, line)
                severity = Severity.HIGH if _is_real(kind, secret, lines, number) else Severity.NOTE
                yield RULES["contains-secret"].finding(path, number, severity, kind)


def may_hold_secret(data: bytes) -> bool:
    """Whether it is worth loading the detectors at all."""
    return bool(_HINT.search(data.decode("latin-1")))


def _secrets(line: str) -> set[tuple[str, str]]:
    return {
        (plugin.secret_type, secret) for plugin in load() for secret in plugin.analyze_string(line)
    }


def _whole(found: str, line: str) -> str:
    """Some detectors give only the beginning of what they found; the rest stands behind it."""
    tokens = re.findall(r"[\w./+=:-]+", line)
    return max((token for token in tokens if found in token), key=len, default=found)


def _is_real(kind: str, secret: str, lines: list[str], number: int) -> bool:
    if kind == "Private Key":
        body = "\n".join(lines[number : number + 4])
        return len(_KEY_BODY.findall(body)) >= 2 and not _MADE_UP.search(body)
    return not _MADE_UP.search(secret) and _entropy(secret) >= _LEAST_ENTROPY


def _entropy(text: str) -> float:
    """Bits per character: made-up keys repeat themselves."""
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares) if text else 0.0


@cache
def load() -> tuple[Any, ...]:
    sys.modules.setdefault("requests", types.ModuleType("requests"))
    from importlib import import_module

    made = []
    for module, name in _PLUGINS:
        made.append(getattr(import_module(f"detect_secrets.plugins.{module}"), name)())
    return tuple(made)
