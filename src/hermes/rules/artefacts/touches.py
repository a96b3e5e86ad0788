"""A tool call and its result → which files it read and wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hermes.records.codec import Json
from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.artefacts.edits import FilePatch, edited, patched, patches_in
from hermes.rules.artefacts.ledger import FileLedger, Touch
from hermes.rules.artefacts.paths import named
from hermes.rules.artefacts.programs import files_of_program
from hermes.rules.artefacts.scripts import ScriptFiles
from hermes.rules.artefacts.shown import Shown, shown_by_read

NOT_BEFORE = "what it held before the edit is not in the log"
_NAME = re.compile(r"[\w./+-]+\.\w{1,8}\b")
_LISTED = 65_536  # characters of a listing that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One call with what came of it; `output` is None where the log has no result."""

    action: Action
    output: str | None
    failed: bool | None = None
    data: Mapping[str, Json] = field(default_factory=dict)


class FileWatch:
    """Follows one session. `cwd` is where it worked."""

    def __init__(self, cwd: str | None, ledger: FileLedger) -> None:
        self._cwd = cwd
        self._ledger = ledger
        self._by_kind: dict[ActionKind, Callable[[Done], Iterator[Touch]]] = {
            ActionKind.READ: self._read,
            ActionKind.WRITE: self._write,
            ActionKind.EDIT: self._edit,
            ActionKind.RUN: self._run,
            ActionKind.CODE: self._code,
            ActionKind.SEARCH: self._search,
        }

    def touches(self, done: Done) -> list[Touch]:
        """The files of one call, in the order in which it touched them."""
        follow = self._by_kind.get(done.action.kind)
        return [] if follow is None else list(follow(done))

    def _name(self, path: str) -> str | None:
        return named(path, None, self._cwd)

    def _read(self, done: Done) -> Iterator[Touch]:
        name = self._name(done.action.path)
        if name is None or done.failed or done.output is None:
            return
        shown = shown_by_read(done.output, done.action.arguments, done.data)
        yield self._ledger.read(name, _encoded(shown), shown.why)

    def _write(self, done: Done) -> Iterator[Touch]:
        name = self._name(done.action.path)
        if name is not None and not done.failed and done.output is not None:
            yield self._ledger.write(name, done.action.text.encode())

    def _edit(self, done: Done) -> Iterator[Touch]:
        if done.failed or done.output is None:
            return
        patches = patches_in(done.action.text)
        if patches:
            yield from self._patch(patches)
            return
        name = self._name(done.action.path)
        if name is None:
            return
        before = done.data.get("originalFile")
        if isinstance(before, str) and before:
            self._ledger.read(name, before.encode())
        text = self._ledger.text(name)
        after = edited(text, done.action.arguments) if text is not None else None
        yield self._ledger.change(name, after.encode() if after is not None else None, NOT_BEFORE)

    def _patch(self, patches: list[FilePatch]) -> Iterator[Touch]:
        for patch in patches:
            name = self._name(patch.path)
            if name is None:
                continue
            if patch.deletes:
                self._ledger.forget(name)
            elif patch.added is not None:
                yield self._ledger.write(name, patch.added.encode())
            else:
                yield from self._update(name, patch)

    def _update(self, name: str, patch: FilePatch) -> Iterator[Touch]:
        text = self._ledger.text(name)
        after = patched(text, patch) if text is not None else None
        data = after.encode() if after is not None else None
        target = self._name(patch.moves_to) if patch.moves_to else None
        if target is None:
            yield self._ledger.change(name, data, NOT_BEFORE)
            return
        yield self._ledger.read(name)
        self._ledger.forget(name)
        yield self._ledger.write(target, data, NOT_BEFORE)

    def _run(self, done: Done) -> Iterator[Touch]:
        folder = done.action.arguments.get("workdir") or done.action.arguments.get("cwd")
        base = folder if isinstance(folder, str) else None
        patches = [] if done.failed else patches_in(done.action.text)
        if patches:
            yield from self._patch(patches)
            return
        script = ScriptFiles(self._ledger, self._cwd, base)
        yield from script.follow(done.action.text, done.output, failed=bool(done.failed))

    def _code(self, done: Done) -> Iterator[Touch]:
        files = files_of_program(done.action.text)
        for path in files.reads:
            if (name := self._name(path)) is not None:
                yield self._ledger.read(name)
        for path in files.writes:
            if (name := self._name(path)) is not None:
                yield self._ledger.write(name, None)

    def _search(self, done: Done) -> Iterator[Touch]:
        """A search reads no file as a whole, but what it names was there."""
        found = _NAME.findall((done.output or "")[:_LISTED])
        self._ledger.list_names(name for path in found if (name := self._name(path)) is not None)
        return iter(())


def _encoded(shown: Shown) -> bytes | None:
    return None if shown.text is None else shown.text.encode()
