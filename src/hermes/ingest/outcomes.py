"""What a result says of itself, where the agent wrote it into the text: output and exit code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.ingest.decoding import Malformed, decode_text
from hermes.ingest.fields import integer, mapping, plain_text, string
from hermes.records.codec import Json

_HEAD = re.compile(
    r"\A(?:(?:Command|Chunk ID|Wall time|Original token count|Total output lines"
    r"|Process running with session ID|Exit code|Process exited with code)[^\n]*\n)+"
    r"(?:Output:\n?)?"
)
_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,9})[ \t\r]*$", re.MULTILINE)
_OUTPUTS = ("output", "stdout", "content", "result")
_EXITS = ("exit_code", "returncode", "exitCode")


@dataclass(frozen=True, slots=True)
class Outcome:
    """`failed` and `exit_code` stay None where the text does not say it."""

    text: str
    failed: bool | None = None
    exit_code: int | None = None


def outcome_of(output: Json) -> Outcome:
    """The output of a tool as an agent's harness wraps it: a head of lines, JSON, or nothing."""
    text = plain_text(output)
    if text.startswith("{"):
        try:
            return _structured(text, mapping(decode_text(text)))
        except Malformed:
            return Outcome(text)
    head = _HEAD.match(text)
    found = _EXIT.search(head.group()) if head else None
    if head is None or found is None:
        return Outcome(text)
    return _with_exit(text[head.end() :], int(found.group(1)))


def _structured(text: str, fields: dict[str, Json]) -> Outcome:
    known = {**mapping(fields.get("metadata")), **fields}
    exit_code = next(
        (code for key in _EXITS if (code := integer(known.get(key))) is not None), None
    )
    error = fields.get("error")
    shown = [string(fields.get(key)) for key in (*_OUTPUTS, "stderr", "error")]
    words = "\n".join(part for part in shown if part)
    if exit_code is not None:
        return _with_exit(words, exit_code)
    if isinstance(error, str) and error:
        return Outcome(words, failed=True)
    if isinstance(fields.get("success"), bool):
        return Outcome(text, failed=not fields["success"])
    return Outcome(text)


def _with_exit(text: str, exit_code: int) -> Outcome:
    return Outcome(text, failed=exit_code != 0, exit_code=exit_code)
