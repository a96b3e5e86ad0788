"""One tenant's data out of what extraction, models, skills and exports see.

The same value becomes the same placeholder, so that what belongs together still does; the mapping
stays with the redactor, so that a replay can put the values back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from hermes.rules.redact.credentials import without_credentials
from hermes.rules.redact.looking import Span
from hermes.rules.redact.tenant_data import tenant_spans

_PLACEHOLDER = re.compile(r"<(?:email|name|host|account|card|phone|path)_\d+>")


class Redactor:
    """One for each trajectory. Paths under `workspace`, its working directory, become relative.

    Credentials go too, for ever: no placeholder of theirs is in the mapping.
    """

    def __init__(self, workspace: str | None = None) -> None:
        self._workspace = _Workspace(workspace) if workspace and len(workspace) > 1 else None
        self._placeholder_of: dict[tuple[str, str], str] = {}
        self._value_of: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._names: re.Pattern[str] | None = None

    @property
    def mapping(self) -> Mapping[str, str]:
        """Placeholder → the value it stands for."""
        return MappingProxyType(self._value_of)

    def text(self, text: str) -> str:
        """The text without credentials, without this tenant's data, with paths made relative."""
        text = without_credentials(text)
        if self._workspace is not None:
            text = self._workspace.relative(text)
        while spans := self._spans(text):  # what stood in the way of one is gone in the next round
            text = self._replaced(text, spans)
        return text

    def restore(self, text: str) -> str:
        """What `text` was made from, but for credentials and the workspace's own path."""
        return _PLACEHOLDER.sub(lambda found: self._value_of.get(found[0], found[0]), text)

    def _spans(self, text: str) -> list[Span]:
        """Without overlaps, in order. A placeholder that is already there is left alone."""
        taken = bytearray(len(text))
        for there in _PLACEHOLDER.finditer(text):
            taken[there.start() : there.end()] = b"x" * len(there[0])
        found = list(tenant_spans(text))
        for start, end, kind in found:
            if kind == "name":
                self._remember_name(text[start:end])
        if self._names is not None:
            found += [(*match.span(), "name") for match in self._names.finditer(text)]
        kept = []
        for start, end, kind in found:
            if not any(taken[start:end]):
                taken[start:end] = b"x" * (end - start)
                kept.append((start, end, kind))
        return sorted(kept)

    def _replaced(self, text: str, spans: list[Span]) -> str:
        parts: list[str] = []
        past = 0
        for start, end, kind in spans:
            value = text[start:end]
            parts += (text[past:start], self._placeholder(kind, value))
            past = end
        parts.append(text[past:])
        return "".join(parts)

    def _placeholder(self, kind: str, value: str) -> str:
        known = self._placeholder_of.get((kind, value))
        if known is None:
            self._counts[kind] += 1
            known = f"<{kind}_{self._counts[kind]}>"
            self._placeholder_of[kind, value] = known
            self._value_of[known] = value
        return known

    def _remember_name(self, name: str) -> None:
        """A full name that was met once is one wherever it comes again."""
        if " " in name and ("name", name) not in self._placeholder_of:
            self._placeholder("name", name)
            names = [value for kind, value in self._placeholder_of if kind == "name"]
            known = "|".join(re.escape(value) for value in sorted(names, key=len, reverse=True))
            self._names = re.compile(rf"(?<![\w<])(?:{known})(?!\w)")


class _Workspace:
    """`cd /home/ann/proj && X` is X; `/home/ann/proj/data/a.csv` is `data/a.csv`."""

    def __init__(self, path: str) -> None:
        root = re.escape(path.rstrip("/"))
        self._root = path.rstrip("/")
        self._entering = re.compile(rf"\bcd [\"']?{root}/?[\"']?\s*(?:&&|;)\s*")
        self._inside = re.compile(rf"(?<![\w./-]){root}/(?=[\w.-])")
        self._itself = re.compile(rf"(?<![\w./-]){root}/?(?![\w.-])(?!/)")

    def relative(self, text: str) -> str:
        if self._root not in text:
            return text
        text = self._entering.sub("", text)
        text = self._inside.sub("", text)
        return self._itself.sub(".", text)
