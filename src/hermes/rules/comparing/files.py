"""A recorded file against the replayed one, each kind by what it means."""

from __future__ import annotations

from pathlib import PurePosixPath

from hermes.ids import content_hash
from hermes.rules.comparing.comparison import SAME, Comparison, different
from hermes.rules.comparing.images import compare_images, picture_of
from hermes.rules.comparing.normaliser import Normaliser
from hermes.rules.comparing.numbers import Tolerance
from hermes.rules.comparing.structures import compare_json, compare_json_lines
from hermes.rules.comparing.tables import compare_tables
from hermes.rules.comparing.texts import compare_texts

_TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp"))
_SEPARATORS = ",;\t|"


def compare_files(
    name: str,
    recorded: bytes,
    replayed: bytes,
    normaliser: Normaliser,
    tolerance: Tolerance | None = None,
) -> Comparison:
    """Text that cannot be read as what its name says is still compared as text."""
    if recorded == replayed:
        return SAME
    allowed = tolerance or Tolerance()
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in _PICTURES or picture_of(recorded):
        return compare_images(recorded, replayed)
    before, after = _text(recorded), _text(replayed)
    if before is None or after is None:
        return _by_hash(recorded, replayed)
    answer = _by_suffix(suffix, before, after, allowed)
    if answer is not None and (answer.is_same or answer.outcome == "different"):
        return answer
    return compare_texts(before, after, normaliser, allowed)


def _by_suffix(suffix: str, before: str, after: str, tolerance: Tolerance) -> Comparison | None:
    if suffix in _TABLES:
        delimiter = _TABLES[suffix] if suffix != ".csv" else separator(before)
        return compare_tables(before, after, delimiter, tolerance)
    if suffix == ".json":
        return compare_json(before, after, tolerance)
    if suffix in (".jsonl", ".ndjson"):
        return compare_json_lines(before, after, tolerance)
    return None


def separator(text: str) -> str:
    """What separates the cells of a file called .csv: the commonest candidate of its first line."""
    first = text.partition("\n")[0]
    return max(_SEPARATORS, key=first.count) if any(one in first for one in _SEPARATORS) else ","


def _text(data: bytes) -> str | None:
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _by_hash(recorded: bytes, replayed: bytes) -> Comparison:
    before, after = content_hash(recorded)[:12], content_hash(replayed)[:12]
    return different(
        f"recorded {len(recorded):,} bytes ({before}…), replayed {len(replayed):,} ({after}…)"
    )
