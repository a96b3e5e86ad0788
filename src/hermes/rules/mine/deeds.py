"""The moves of an example → its deeds: what has to be done again to get the same result.

Left out: looking around, attempts that failed, runs whose program was changed and run again,
installations (they are dependencies). A program written to a file and then run is one deed, with
the text it had when it last ran.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.mine.deed import Deed, DeedKind, Done
from hermes.rules.mine.exploring import (
    installed_by,
    is_test,
    only_asks,
    only_looks,
    program_reaches_outside,
    program_writes,
    reaches_outside,
)
from hermes.rules.mine.files_made import FilesMade, normal
from hermes.rules.mine.likeness import likeness
from hermes.rules.mine.program_call import ProgramCall, program_call
from hermes.rules.mine.shell_text import Heredoc, pieces, targets, tokens_of
from hermes.rules.mine.worked import Worked

_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):", re.MULTILINE)
_SAME_PROGRAM = 0.6
_FILE_NAME = re.compile(r"[\w./-]+\.[A-Za-z]\w{0,5}")
_TELLING = re.compile(r"\d[\d.,]*\d|\d|[A-Za-z]\w{3,}")
_IGNORED = (ActionKind.READ, ActionKind.SEARCH, ActionKind.PLAN)


def went_wrong(move: Move) -> bool:
    """By what the log says of it, or by a traceback that nobody reported as a failure."""
    if move.failed:
        return True
    is_run = move.action.kind in (ActionKind.RUN, ActionKind.CODE)
    return is_run and _TRACEBACK.search(move.output or "") is not None


def done_in(worked: Worked) -> Done:
    """Everything an example did that counts."""
    reading = _Reading()
    for move in worked.moves:
        reading.take(move)
    deeds = _without_superseded(reading.all_deeds())
    writers = [deed for deed in deeds if deed.writes]
    if not writers:
        kept = _answering(deeds, worked)
        return Done(deeds=tuple(kept), checks=tuple(reading.tests()))
    written = frozenset(name for deed in writers for name in _names_in(deed))
    last = max(writers[-1].steps)
    checks = [
        deed
        for deed in reading.asked
        if min(deed.steps) > last and (is_test(deed.text) or _names_in(deed) & written)
    ]
    return Done(deeds=tuple(writers), checks=tuple(checks), written=written)


class _Reading:
    """Collects deeds while it follows which files exist."""

    def __init__(self) -> None:
        self.files = FilesMade()
        self.asked: list[Deed] = []
        self._deeds: list[Deed] = []
        self._run: set[str] = set()

    def take(self, move: Move) -> None:
        action = move.action
        wrong = went_wrong(move)
        if action.kind is ActionKind.RUN:
            self._script(action.text, move, wrong)
        elif wrong or action.kind in _IGNORED:
            return
        elif action.kind in (ActionKind.WRITE, ActionKind.EDIT):
            if not self.files.note(action, move.step_id):
                reason = f"it edits {action.path or 'a file'}, whose content no step shows"
                self._add(DeedKind.CALL, action.text, move, path=action.path, outside=reason)
        elif action.kind is ActionKind.CODE:
            self._python(ProgramCall(code=action.text), move)
        else:
            reason = f"the tool {action.tool} acts outside the workspace"
            self._add(DeedKind.CALL, "", move, outside=reason)

    def all_deeds(self) -> list[Deed]:
        """In the order of their last step, files that no program consumed among them."""
        loose = [
            Deed(
                kind=DeedKind.WRITE,
                tool="write",
                text=text,
                path=path,
                steps=tuple(self.files.steps[path]),
            )
            for path, text in self.files.content.items()
            if path not in self._run
        ]
        return sorted([*self._deeds, *loose], key=lambda deed: deed.steps[-1])

    def tests(self) -> Iterator[Deed]:
        return (deed for deed in self.asked if is_test(deed.text))

    def _script(self, script: str, move: Move, wrong: bool) -> None:
        for piece in pieces(script):
            if isinstance(piece, Heredoc):
                self._heredoc(piece, move, wrong)
            elif not wrong and installed_by(piece) is None:
                self._command(piece, move)

    def _heredoc(self, heredoc: Heredoc, move: Move, wrong: bool) -> None:
        """A file is made even where a later command of the same script fails."""
        words = tokens_of(heredoc.command) or []
        texts = [word.text for word in words]
        match texts:
            case ["cat", ">", path] | ["tee", path] | ["tee", path, ">", "/dev/null"]:
                self.files.put(path, heredoc.body, move.step_id)
                return
        if wrong:
            return
        call = program_call(heredoc.command)
        if call is not None and call.path in ("", "-") and not call.code:
            self._python(replace(call, code=heredoc.body), move)
        elif texts and texts[0] in ("bash", "sh") and len(texts) == 1:
            self._command(heredoc.body.strip(), move)
        else:
            self._shell(f"{heredoc.command} <<'EOF'\n{heredoc.body}EOF", move)

    def _command(self, command: str, move: Move) -> None:
        call = program_call(command)
        if call is not None and call.code:
            self._python(call, move)
            return
        if call is not None and (text := self.files.get(call.path)) is not None:
            path = normal(call.path)
            self._run.add(path)
            self._python(replace(call, code=text), move, self.files.steps[path])
            return
        words = [word.text for word in tokens_of(command) or []]
        if len(words) == 2 and words[0] in ("bash", "sh"):
            script = self.files.get(words[1])
            if script is not None:
                self._run.add(normal(words[1]))
                self._shell(script.strip(), move, self.files.steps[normal(words[1])])
                return
        self._shell(command, move)

    def _python(self, call: ProgramCall, move: Move, made: Sequence[int] = ()) -> None:
        text = textwrap.dedent(call.code).strip() + "\n"
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):  # another Python's grammar, or a notebook's magic
            self._add(DeedKind.CALL, text, move, outside="its program cannot be read as Python")
            return
        module = program_reaches_outside(tree)
        self._add(
            DeedKind.PYTHON,
            text,
            move,
            made=made,
            call=call,
            writes=program_writes(tree) or bool(call.stdout),
            outside=f"the program uses {module}" if module else "",
        )

    def _shell(self, script: str, move: Move, made: Sequence[int] = ()) -> None:
        if only_looks(script):
            self.asked.append(_asking(script, move))
            return
        name = reaches_outside(script)
        outside = f"the command {name} acts outside the workspace" if name else ""
        if is_test(script):
            self.asked.append(_asking(script, move))
            return
        self._add(
            DeedKind.SHELL, script, move, made=made, writes=not only_asks(script), outside=outside
        )

    def _add(
        self,
        kind: DeedKind,
        text: str,
        move: Move,
        *,
        made: Sequence[int] = (),
        call: ProgramCall | None = None,
        **rest: object,
    ) -> None:
        deed = Deed(
            kind=kind,
            tool=move.action.tool,
            text=text,
            steps=(*made, move.step_id),
            argv=call.argv if call else (),
            stdin=call.stdin if call else "",
            stdout=call.stdout if call else "",
            output=move.output or "",
            **rest,  # type: ignore[arg-type]
        )
        self._deeds.append(deed)
        if not deed.writes:
            self.asked.append(deed)


def _asking(script: str, move: Move) -> Deed:
    return Deed(
        kind=DeedKind.SHELL,
        tool=move.action.tool,
        text=script,
        steps=(move.step_id,),
        writes=False,
        output=move.output or "",
    )


def _without_superseded(deeds: Sequence[Deed]) -> list[Deed]:
    """A deed that was done again, better, is no step of the procedure."""
    return [
        deed
        for at, deed in enumerate(deeds)
        if not any(_supersedes(later, deed) for later in deeds[at + 1 :])
    ]


def _supersedes(later: Deed, earlier: Deed) -> bool:
    if later.kind is not earlier.kind or later.argv != earlier.argv:
        return False
    if later.text == earlier.text:
        return later.path == earlier.path
    if later.kind is DeedKind.SHELL:
        made = targets(later.text)
        return bool(made) and made == targets(earlier.text) and ">>" not in later.text
    return (
        later.kind is DeedKind.PYTHON
        and _names_in(later) == _names_in(earlier)
        and likeness(later, earlier) >= _SAME_PROGRAM
    )


def _answering(deeds: Sequence[Deed], worked: Worked) -> list[Deed]:
    """Where nothing was written, the deeds whose output the answer tells; else the last one."""
    told = set(_TELLING.findall(worked.answer)) - set(_TELLING.findall(worked.task))
    kept = [deed for deed in deeds if told & set(_TELLING.findall(deed.output))]
    numbers = {word for word in told if word[0].isdigit()}
    exact = [deed for deed in kept if numbers & set(_TELLING.findall(deed.output))]
    return exact or kept[-1:] or list(deeds[-1:])


def _names_in(deed: Deed) -> set[str]:
    """What could be the name of a file in a deed's own text and arguments."""
    parts = (deed.text, deed.path, deed.stdout, deed.stdin, *deed.argv)
    return {name for part in parts for name in _FILE_NAME.findall(part)}
