"""A process of its own that remembers and recalls as it is told, line by line, on an open home.

    python -m hermes.testing.memory_process        the home and its database from the environment

Each line that comes in is a JSON list, `["add", TEXT]`, `["search", QUERY]`, `["upkeep"]` or
`["work", TIMES]`; each line that goes out is the JSON answer. What it warns of is on stderr.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from hermes.app import open_home
from hermes.app.memory import MemoryRoom
from hermes.app.remembering import memory_room, search
from hermes.errors import EmbedderUnavailable
from hermes.records.memory import MemoryKind, Trust
from hermes.settings import load


class MemoryProcess:
    """The other end: started on entering, told by `tell`, ended with the block.

    It has read its settings when it is entered; `errors` is the file that holds its warnings.
    """

    def __init__(self, environ: Mapping[str, str], errors: Path) -> None:
        self._environ = {**os.environ, **environ}
        self._errors = errors

    def __enter__(self) -> MemoryProcess:
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                env=self._environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.answer() == "ready"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def warnings(self) -> str:
        return self._errors.read_text()

    def begin(self, *order: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"it ended: {self.warnings}")
        return json.loads(line)

    def tell(self, *order: object) -> Any:
        self.begin(*order)
        return self.answer()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> None:
    with open_home(load(os.environ)) as home, memory_room(home) as room:
        print(json.dumps("ready"), flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            print(json.dumps(_done(room, *order)), flush=True)


def _done(room: MemoryRoom, verb: str, *what: Any) -> Any:
    if verb == "add":
        kept = room.remember.add(
            what[0], MemoryKind.EPISODIC, scope="personal", source="test", trust=Trust.USER
        )
        return kept.memory is not None
    if verb == "search":
        found = search(room, what[0], scopes=["personal"]).items
        return [(hit.memory.text, hit.why.semantic) for hit in found]
    if verb == "upkeep":
        try:
            return room.upkeep.run()
        except EmbedderUnavailable as error:
            return str(error)
    if verb == "work":
        for number in range(what[0]):
            text = f"Somebody watered tulip{number}of{os.getpid()}"
            _done(room, "add", text)
            assert text in [said for said, _ in _done(room, "search", text)]
        return what[0]
    raise ValueError(verb)


if __name__ == "__main__":
    main()
