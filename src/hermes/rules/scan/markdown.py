"""Cuts a Markdown file into pieces: sentences, code, and what a reader of the page does not see.

Text that quotes an attack in order to warn of it is marked `warned`, by the words around it. The
mark lowers what a mention weighs; it never lowers what a script does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes.rules.scan.effects import Piece, Surface

_FENCE = re.compile(r"^\s{0,12}(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|^\s*>+\s?|^\s*\|")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_LINK_COMMENT = re.compile(r"^\[[^\]]*\]:\s*(?:#|<>)\s*[\"'(](.*?)[\"')]?\s*$", re.MULTILINE)
_UNSEEN_STYLE = re.compile(
    r"<(\w{1,20})\b[^<>]{0,300}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"opacity\s*:\s*0(?![.\d])|color\s*:\s*(?:#fff\b|#ffffff|white|transparent)|\shidden\b)"
    r"[^<>]{0,300}>(.{0,4000}?)(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LINK_TITLE = re.compile(r"\]\([^()\s]{1,400}\s{1,8}[\"']([^\"']{20,2000})[\"']\)")
_ALT_TEXT = re.compile(r"!\[([^\[\]]{40,2000})\]\(")
_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,600}?)(?<!`)\1(?!`)", re.DOTALL)
_SENTENCE = re.compile(
    r"(?<=[.!?;])[\"')\]*_]*\s+(?=[\"'(\[*_`>]*[A-Z0-9ÀÁÉÍÑÓÚÜÄÖА-Я])|(?<=[。！？；])"
)
_SHELL_START = re.compile(
    r"^\s*(?:[$>#%]\s+)?(?:sudo\s+|env\s+|nohup\s+)?(?:\w+=\S*\s+)*(?:\./|~/|/|\.\s)?"
    r"(?:curl|wget|bash|sh|zsh|python3?|node|npx|npm|pnpm|yarn|bunx?|pip3?|uvx?|brew|apt(?:-get)?|git|gh|docker|"
    r"kubectl|aws|cat|echo|printf|tar|zip|unzip|cp|mv|rm|chmod|chown|export|source|eval|nc|ncat|ssh|scp|rsync|dig|"
    r"nslookup|crontab|systemctl|launchctl|osascript|security|xattr|open|find|grep|sed|awk|base64|openssl|perl|ruby|"
    r"php|powershell|pwsh|iex|iwr|irm|start|certutil|mshta|cmd|cd|mkdir|touch|tee|xargs|\w+\.sh|scripts/\S+)\b",
)

_BAD_EXAMPLE = re.compile(
    r"(?i)\b(?:bad|wrong|unsafe|insecure|vulnerable|malicious|attack|exploit|dangerous|anti-?pattern)\b|❌|🚫|✗"
)


_AGAINST = re.compile(
    r"""(?ix)
      \bnever\b | \bdo\ not\b | \bdon'?t\b | \bmust\ not\b | \bshould\ not\b | \bavoid\b | \brefus\w* | \breject\w*
    | \bforbid\w* | \bprohibit\w* | \bprevent\w* | \bblock(?:s|ed|ing)?\b | \bflag(?:s|ged|ging)?\b | \bdetect\w*
    | \bred[\s-]flags? | \bsuspicious\b | \bmalicious\b | \battack\w* | \badversar\w* | \bvulnerab\w* | \bexploit\w*
    | \bunsafe\b | \bdangerous\b | \binsecure\b | \bphishing\b | \bthreats?\b | \binjection\b | \banti-?patterns?
    | \bbad\b | \bwrong\b | \bwarning\ signs? | \bcompromis\w* | \bscam\w* | \bthie(?:f|ves)\b | \blook\ for\b | \bwatch\ for\b
    | \bindicators?\b | \bsmells?\b | \bviolat\w* | \bmisuse\b | \brisks?\b | \bwarn\ (?:about|of|if|when|the)\b | \baudit\w* | \bscan(?:s|ner|ning)?\ for
    | ❌ | 🚫 | ⛔ | ⚠ | 🚩 | 危险 | 恶意 | 禁止 | 避免 | 攻击 | 検出 | 危険
    """
)


@dataclass
class _Reader:
    """Where we are on the page."""

    file: str
    heading: str = ""
    lead: str = ""

    def piece(self, text: str, line: int, surface: Surface, language: str, near: str) -> Piece:
        warned = speaks_against(f"{self.heading} {near}")
        return Piece(self.file, line, text, surface, language, self.heading, warned)


def speaks_against(text: str) -> bool:
    """Whether the words around something say that it is bad."""
    return bool(_AGAINST.search(text))


def pieces_of(file: str, text: str, first_line: int = 1) -> Iterator[Piece]:
    """The pieces of a page whose first line has this number."""
    yield from _unseen(file, text, first_line)
    page = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    reader = _Reader(file)
    lines = page.split("\n")
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        if fence:
            end = _fence_end(lines, at, fence[1])
            body = "\n".join(lines[at + 1 : end])
            yield _code(reader, body, first_line + at + 1, fence[2].lower())
            at = end + 1
            continue
        heading = _HEADING.match(lines[at])
        if heading:
            title = lines[at].lstrip().startswith("# ")
            reader.heading, reader.lead = "" if title else heading[1].strip(), ""
            yield Piece(file, first_line + at, heading[1], Surface.PROSE, "", reader.heading)
            at += 1
            continue
        end = _block_end(lines, at)
        if end > at:
            yield from _block(reader, lines[at:end], first_line + at)
        at = max(end, at + 1)


def _unseen(file: str, text: str, first_line: int) -> Iterator[Piece]:
    found = [(match.start(1), match[1]) for match in _COMMENT.finditer(text)]
    found += [(match.start(1), match[1]) for match in _LINK_COMMENT.finditer(text)]
    found += [(match.start(2), match[2]) for match in _UNSEEN_STYLE.finditer(text)]
    found += [(match.start(1), match[1]) for match in _LINK_TITLE.finditer(text)]
    found += [(match.start(1), match[1]) for match in _ALT_TEXT.finditer(text)]
    for start, hidden in found:
        line = first_line + text.count("\n", 0, start)
        yield from sentences(Piece(file, line, hidden, Surface.HIDDEN, "", "hidden text"))


def _fence_end(lines: list[str], at: int, mark: str) -> int:
    for end in range(at + 1, len(lines)):
        if lines[end].strip().startswith(mark[:3]) and not lines[end].strip().strip(mark[0]):
            return end
    return len(lines)


def _block_end(lines: list[str], at: int) -> int:
    """The end of the paragraph or of the list item that begins here."""
    if not lines[at].strip():
        return at
    if _indented(lines, at):
        end = at
        while end < len(lines) and (
            lines[end].startswith(("    ", "\t")) or not lines[end].strip()
        ):
            end += 1
        return end
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_anew(lines[end]):
        end += 1
    return end


def _starts_anew(line: str) -> bool:
    return bool(_ITEM.match(line) or _HEADING.match(line) or _FENCE.match(line))


def _indented(lines: list[str], at: int) -> bool:
    """An indented code block follows a blank line and is no nested list item."""
    return (
        lines[at].startswith(("    ", "\t"))
        and not _ITEM.match(lines[at])
        and (at == 0 or not lines[at - 1].strip())
    )


def _code(reader: _Reader, body: str, line: int, language: str) -> Piece:
    comment = re.match(r"\s*(?:#|//|--|<!--)\s*(.*)", body)
    shown_as_bad = bool(comment and _BAD_EXAMPLE.search(comment[1]))
    language = language or guess_language(body)
    piece = reader.piece(body, line, Surface.SNIPPET, language, reader.lead)
    return replace(piece, warned=piece.warned or shown_as_bad)


def _block(reader: _Reader, lines: list[str], line: int) -> Iterator[Piece]:
    if _indented(["", *lines], 1):
        body = "\n".join(
            part[4:] if part.startswith("    ") else part.lstrip("\t") for part in lines
        )
        yield _code(reader, body, line, "")
        return
    text = "\n".join(_ITEM.sub("", part) for part in lines)
    introduced = reader.lead if reader.lead.endswith((":", "：")) else ""
    whole = reader.piece(text, line, Surface.PROSE, "", introduced if _ITEM.match(lines[0]) else "")
    for sentence in sentences(whole):
        yield sentence
        yield from _inline_code(sentence)
    if not _ITEM.match(lines[0]) or text.rstrip().endswith((":", "：")):
        reader.lead = text.strip()[-300:]


def _inline_code(sentence: Piece) -> Iterator[Piece]:
    for match in _INLINE.finditer(sentence.text):
        code = match[2].strip()
        if len(code) > 8 and (_SHELL_START.match(code) or "|" in code or "(" in code):
            clause = re.split(r"[;:.]\s", sentence.text[: match.start()])[-1]
            offset = sentence.text.count("\n", 0, match.start())
            part = sentence.part(code, offset, Surface.SNIPPET, guess_language(code))
            yield replace(part, warned=sentence.warned or speaks_against(clause))


def sentences(piece: Piece) -> Iterator[Piece]:
    """The sentences of a stretch of prose, each with its own line."""
    start = 0
    for match in [*_SENTENCE.finditer(piece.text), None]:
        end = match.start() if match else len(piece.text)
        text = piece.text[start:end]
        if text.strip():
            lead = len(text) - len(text.lstrip())
            offset = piece.text.count("\n", 0, start + lead)
            yield piece.part(text.strip(), offset, piece.surface, "")
        start = match.end() if match else end


def guess_language(text: str) -> str:
    """The language of code nobody labelled."""
    head = text.lstrip()[:400]
    if re.match(r"(?:import |from \w[\w.]* import |def |class |async def |print\()", head):
        return "python"
    if re.match(r"[{\[]\s*[\"\n]", head):
        return "json"
    if re.match(
        r"(?:const |let |var |import .* from |require\(|await |fetch\(|\(\)\s*=>|function )", head
    ):
        return "javascript"
    if re.search(
        r"(?i)^\s*(?:iwr|irm|iex|Set-\w+|Invoke-\w+|\$env:|Start-Process|New-Object)\b",
        head,
        re.MULTILINE,
    ):
        return "powershell"
    if any(_SHELL_START.match(line) for line in head.split("\n")[:6]) or head.startswith("#!"):
        return "shell"
    return ""
