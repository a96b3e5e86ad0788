"""Session logs as Claude Code writes them, as many as are asked for; the same seed, the same bytes.

Their files are this package's own modules and tables that are made up, 2 to 20 KB each, and every
session has versions of its own, so that nothing it shows was seen before. The mix of calls is that
of work on code: 40% read a whole file, 30% run a command, 20% edit, 5% write and 5% search. As in
real logs a result stands in its line twice, once as the model saw it and once as the program has
it, and an edit carries the file as it was before. A third of the calls are thought about first (a
thought has a signature of its own), a quarter are announced; every answer has its usage block,
every request a snapshot, and a long command reports its progress. A session has 6 to 14 requests
of 4 to 20 calls: about 1.4 MB in 390 lines, of which most are short and few are long.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import hermes

_CWD = "/home/mira/projects/service"
_SMALLEST, _LARGEST = 2_000, 20_000
_FILES = 30  # that a session works on
_ACTS = ("read", "run", "edit", "write", "search")
_SHARES = (40, 30, 20, 5, 5)
_REQUESTS = (
    "Add a {thing} to {path} and run the tests",
    "Fix the failing test of {path}: it says the {thing} is missing",
    "Write a report on the {thing} of {path}",
    "Rename the {thing} in {path} and update whatever uses it",
    "Why is the {thing} in {path} slow? Measure it and make it faster",
)
_FOLLOW_UPS = ("thanks, go on", "no, that is still wrong: use the other name instead", "ok")
_THINGS = ("timeout", "retry limit", "column total", "cache", "header check", "date filter")
_COMMANDS = (
    "python -m pytest -q {path}",
    "cd /home/mira/projects/service && grep -rn 'def ' {path} | head -40",
    "git diff --stat && git status --short",
    "cat {path}",
    "ls -la src tests",
    "python - <<'EOF'\nimport csv\nrows = list(csv.reader(open('{path}')))\nprint(len(rows))\nEOF",
    "sort -t, -k2 {path} > sorted.csv && wc -l sorted.csv",
    "for f in src/*.py; do wc -l $f; done",
)


def write_corpus(folder: Path, size: int, seed: int = 1) -> int:
    """Sessions into one folder until they have this many bytes; how many they have."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    made = 0
    while made < size:
        session = _Session(chance)
        lines = session.lines()
        made += (folder / f"{session.id}.jsonl").write_bytes(b"".join(lines))
    return made


@cache
def _modules() -> tuple[str, ...]:
    files = sorted(Path(hermes.__file__).parent.rglob("*.py"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    return tuple(text for text in texts if _SMALLEST <= len(text) <= _LARGEST)


@dataclass(slots=True)
class _Session:
    """One log on its way; each line names the one before as its parent."""

    chance: random.Random
    id: str = ""
    _at: datetime = datetime(2026, 3, 1, 9, tzinfo=UTC)
    _parent: str | None = None
    _files: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.id = self._uuid()
        self._at += timedelta(seconds=self.chance.randrange(10_000_000))
        for number in range(_FILES):
            is_table = number % 5 == 0
            name = f"data/table{number}.csv" if is_table else f"src/module{number}.py"
            text = self._table() if is_table else self.chance.choice(_modules())
            self._files[f"{_CWD}/{name}"] = f"# {self.id} {number}\n{text}"

    def lines(self) -> Iterator[bytes]:
        for number in range(self.chance.randint(6, 14)):
            yield self._snapshot()
            yield self._said("user", self._request(number))
            for _ in range(self.chance.randint(4, 20)):
                yield from self._call()
            yield self._answer([{"type": "text", "text": self._words(60)}])

    def _request(self, number: int) -> str:
        if number and self.chance.random() < 0.3:
            return self.chance.choice(_FOLLOW_UPS)
        path = self._path().removeprefix(f"{_CWD}/")
        text = self.chance.choice(_REQUESTS)
        return text.format(thing=self.chance.choice(_THINGS), path=path)

    def _call(self) -> Iterator[bytes]:
        if self.chance.random() < 0.33:
            thought = {"thinking": self._words(80), "signature": self._token(900)}
            yield self._answer([{"type": "thinking", **thought}])
        if self.chance.random() < 0.25:
            yield self._answer([{"type": "text", "text": self._words(20)}])
        (act,) = self.chance.choices(_ACTS, _SHARES)
        call = f"toolu_01{self._token(22)}"
        tool, arguments, shown, data = getattr(self, f"_{act}")()
        yield self._answer([{"type": "tool_use", "id": call, "name": tool, "input": arguments}])
        if act == "run" and self.chance.random() < 0.3:
            yield self._line({"type": "progress", "data": {"type": "bash_progress"}})
        result = {"tool_use_id": call, "type": "tool_result", "content": shown, "is_error": False}
        yield self._said("user", [result], toolUseResult=data)

    def _read(self) -> tuple[str, Any, str, Any]:
        path = self._path()
        text = self._files[path]
        lines = text.split("\n")
        shown = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))
        count = len(lines)
        file = {"filePath": path, "content": text, "numLines": count, "totalLines": count}
        return (
            "Read",
            {"file_path": path},
            shown,
            {"type": "text", "file": {**file, "startLine": 1}},
        )

    def _run(self) -> tuple[str, Any, str, Any]:
        path = self._path().removeprefix(f"{_CWD}/")
        command = self.chance.choice(_COMMANDS).replace("{path}", path)
        lines = self.chance.choice(_modules()).split("\n")
        shown = "\n".join(lines[: int(self.chance.paretovariate(0.8) * 4)])
        data = {"stdout": shown, "stderr": "", "interrupted": False, "isImage": False}
        return "Bash", {"command": command, "description": self._words(5)}, shown, data

    def _edit(self) -> tuple[str, Any, str, Any]:
        path = self._path()
        text = self._files[path]
        start = self.chance.randrange(len(text) // 2)
        old = text[start : start + self.chance.randint(40, 600)]
        new = f"{old}\n{self._words(12)}"
        self._files[path] = text.replace(old, new, 1)
        lines = [*(f"-{line}" for line in old.split("\n")), *(f"+{one}" for one in new.split("\n"))]
        patch = {"oldStart": 1, "oldLines": 4, "newStart": 1, "newLines": 5, "lines": lines}
        change = {"oldString": old, "newString": new, "originalFile": text}
        shown = f"The file {path} has been updated. Here's a part of it:\n{new}"
        arguments = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
        return "Edit", arguments, shown, {"filePath": path, **change, "structuredPatch": [patch]}

    def _write(self) -> tuple[str, Any, str, Any]:
        path = f"{_CWD}/reports/{self._token(8)}.md"
        text = "\n".join(self._words(14) for _ in range(self.chance.randint(20, 150)))
        self._files[path] = text
        data = {"type": "create", "filePath": path, "content": text, "structuredPatch": []}
        shown = f"File created successfully at: {path}"
        return "Write", {"file_path": path, "content": text}, shown, data

    def _search(self) -> tuple[str, Any, str, Any]:
        names = self.chance.sample(sorted(self._files), 8)
        data = {"mode": "files_with_matches", "filenames": names, "numFiles": len(names)}
        arguments = {"pattern": self.chance.choice(_THINGS), "path": _CWD}
        return "Grep", arguments, "\n".join(["Found 8 files", *names]), data

    def _answer(self, content: list[dict[str, Any]]) -> bytes:
        counts = {key: self.chance.randrange(20_000) for key in _USAGE}
        message = {
            "model": "claude-sonnet-4-5-20250929",
            "id": f"msg_01{self._token(22)}",
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {**counts, "service_tier": "standard"},
        }
        return self._line({"type": "assistant", "message": message, "requestId": self._token(24)})

    def _said(self, role: str, content: Any, **more: Any) -> bytes:
        return self._line({"type": role, "message": {"role": role, "content": content}, **more})

    def _line(self, fields: dict[str, Any]) -> bytes:
        self._at += timedelta(milliseconds=self.chance.randint(200, 9_000))
        above, self._parent = self._parent, self._uuid()
        head = {
            "parentUuid": above,
            "isSidechain": False,
            "userType": "external",
            "cwd": _CWD,
            "sessionId": self.id,
            "version": "2.1.63",
            "gitBranch": "main",
        }
        return _json({**head, **fields, "uuid": self._parent, "timestamp": self._time()})

    def _snapshot(self) -> bytes:
        backups = {path: {"backupFileName": None, "version": 1} for path in list(self._files)[:8]}
        snapshot = {"messageId": self._uuid(), "trackedFileBackups": backups}
        return _json({"type": "file-history-snapshot", "snapshot": snapshot})

    def _time(self) -> str:
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _path(self) -> str:
        return self.chance.choice(list(self._files))

    def _table(self) -> str:
        rows = range(self.chance.randint(60, 500))
        cells = self.chance.choices(range(100_000), k=len(rows))
        return "".join(f"2026-01-{row % 28 + 1:02},item {row},{cells[row]}\n" for row in rows)

    def _words(self, count: int) -> str:
        return " ".join(self.chance.choices(_WORDS, k=count))

    def _token(self, length: int) -> str:
        return "".join(self.chance.choices(_LETTERS, k=length))

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))


_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)
_SENTENCE = (
    "the test reads a file and then checks each row before it writes the total so the report has "
    "every column that was asked for while an empty line is left out because nobody wants it there"
)
_WORDS = tuple(_SENTENCE.split())
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
