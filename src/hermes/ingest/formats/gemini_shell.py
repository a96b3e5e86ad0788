"""What Gemini CLI's shell tool answers: the output between labels that the tool itself wrote.

Only labels at the very beginning and the very end are its own; a command may print any of them.
"""

from __future__ import annotations

import re

from hermes.ingest.outcomes import Outcome

_BEFORE = re.compile(r"\A(?:Directory: [^\n]*\n)?(?:Output|Stdout): ")
_AFTER = re.compile(
    r"(?:\nError: [^\n]*)?(?:\nExit Code: (?P<code>[^\n]*))?(?:\nSignal: [^\n]*)?"
    r"(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: [^\n]*)?\n?\Z"
)
_ERRORS = "\nStderr: "
_NOTHING = "(empty)"
_LONGEST_LABELS = 4_000


def shell_outcome(text: str, command: str) -> Outcome:
    """The command's own output; an answer of another shape stays as it is, its exit unknown."""
    answer = text.removeprefix(f"Command: {command}\n")
    before = _BEFORE.match(answer)
    if before is None:
        return Outcome(text)
    body = answer[before.end() :]
    after = _AFTER.search(body, max(0, len(body) - _LONGEST_LABELS))
    assert after is not None  # it matches the empty end as well
    said, _, errors = body[: after.start()].partition(_ERRORS)
    shown = "\n".join(part for part in (said, errors) if part not in ("", _NOTHING))
    code = (after["code"] or "").strip()
    if not re.fullmatch(r"-?\d{1,9}", code):
        return Outcome(shown)
    return Outcome(shown, failed=code != "0", exit_code=int(code))
