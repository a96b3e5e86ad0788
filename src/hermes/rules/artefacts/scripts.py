"""The files of a shell command: what it writes, reads, lists and shows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from hermes.rules.artefacts.ledger import FileLedger, Touch
from hermes.rules.artefacts.paths import looks_like_a_file, named
from hermes.rules.artefacts.programs import files_of_program
from hermes.rules.artefacts.shell import Command, Word, commands_of
from hermes.rules.artefacts.shown import CUT_OUTPUT, ONLY_A_PART, is_cut, with_last_newline

ADDED_TO = "what it held before more was added is not in the log"

_SILENT = frozenset(
    ("cd", "mkdir", "rm", "cp", "mv", "touch", "chmod", "export", "set", "true", ":", "source", ".")
)
_PARTLY = frozenset(("head", "tail", "less", "more"))
_PLAIN_READERS = frozenset(
    (
        *("cat", "sort", "uniq", "cut", "wc", "nl", "tac", "rev", "paste", "join", "comm", "diff"),
        *("cmp", "column", "md5sum", "sha256sum", "xxd", "file", "stat", "csvcut", "csvstat"),
        *_PARTLY,
    )
)
_PATTERN_READERS = frozenset(("grep", "egrep", "rg", "awk", "gawk", "sed", "jq"))
_VALUE_OPTIONS = {
    "sort": "kotST",
    "cut": "dfcb",
    "head": "nc",
    "tail": "nc",
    "uniq": "fsw",
    "paste": "d",
    "join": "12aeot",
    "column": "csot",
    "grep": "ABCmef",
    "egrep": "ABCmef",
    "rg": "ABCmegt",
    "awk": "Fvf",
    "gawk": "Fvf",
    "sed": "ef",
}
_LISTERS = frozenset(("ls", "find", "tree", "fd"))
_OUTPUT_OPTION = re.compile(r"-o|--?(?:out\w*|output[\w-]*|dest\w*|save[\w-]*|report|target)")
_PYTHON = re.compile(r"python[\d.]*|uv|pypy3?")
_LISTED_NAME = re.compile(r"[\w./+-]+\.\w{1,8}\b")
_LISTED = 65_536  # characters of a listing that are looked at


class ScriptFiles:
    """Follows the commands of one script; `base` is the folder they start in."""

    def __init__(self, ledger: FileLedger, cwd: str | None, base: str | None) -> None:
        self._ledger = ledger
        self._cwd = cwd
        self._base = base

    def follow(self, script: str, output: str | None, *, failed: bool) -> Iterator[Touch]:
        commands = commands_of(script)
        if commands is None:
            return
        speakers = [command for command in commands if _speaks(command)]
        for command in commands:
            shown = None
            if command.name in _LISTERS and output:
                self._list(output)
            if speakers == [command] and not failed and output is not None:
                shown = output
            yield from self._command(command, shown)

    def _name(self, word: Word | str) -> str | None:
        if isinstance(word, Word):
            return named(word.text, self._base, self._cwd) if word.literal else None
        return named(word, self._base, self._cwd)

    def _list(self, output: str) -> None:
        found = _LISTED_NAME.findall(output[:_LISTED])
        self._ledger.list_names(name for path in found if (name := self._name(path)) is not None)

    def _command(self, command: Command, shown: str | None) -> Iterator[Touch]:
        if command.name == "cd":
            self._change_folder(command.arguments)
            return
        yield from self._read_redirects(command)
        if _PYTHON.fullmatch(command.name):
            yield from self._python(command)
        elif command.name in ("cp", "mv", "rm"):
            yield from self._move(command)
        else:
            yield from self._reads(command, shown)
        yield from self._writes(command)

    def _change_folder(self, arguments: Sequence[Word]) -> None:
        if len(arguments) == 1 and arguments[0].literal:
            self._base = posixpath.join(self._base or self._cwd or "", arguments[0].text)

    def _read_redirects(self, command: Command) -> Iterator[Touch]:
        for redirect in command.redirects:
            if redirect.sign == "<" and (name := self._name(redirect.target)) is not None:
                yield self._ledger.read(name)

    def _reads(self, command: Command, shown: str | None) -> Iterator[Touch]:
        names = [name for word in _inputs(command) if (name := self._name(word)) is not None]
        in_place = command.name == "sed" and any(
            word.text.startswith(("-i", "--in-place")) for word in command.arguments
        )
        for name in names:
            if in_place:
                yield self._ledger.change(name, None)
            elif command.name == "cat" and len(names) == 1 and shown is not None and _bare(command):
                cut = is_cut(shown)
                data = None if cut else with_last_newline(shown).encode()
                yield self._ledger.read(name, data, CUT_OUTPUT)
            elif command.name in _PARTLY:
                yield self._ledger.read(name, why=ONLY_A_PART)
            else:
                yield self._ledger.read(name)
        if not names and command.name not in _SILENT | _LISTERS | {"cat", "echo", "printf", "tee"}:
            yield from self._mentions(command.arguments)

    def _mentions(self, arguments: Sequence[Word]) -> Iterator[Touch]:
        """The arguments of a program that nobody knows."""
        written = False
        for word in arguments:
            option, _, value = word.text.partition("=")
            name = self._name(value or word.text) if word.literal else None
            if (written or value) and _OUTPUT_OPTION.fullmatch(option if value else "-o") and name:
                yield self._ledger.write(name, None)
            elif name is not None and looks_like_a_file(word.text):
                touch = self._ledger.mention(name)
                if touch is not None:
                    yield touch
            written = not value and _OUTPUT_OPTION.fullmatch(word.text) is not None

    def _python(self, command: Command) -> Iterator[Touch]:
        """`python - <<EOF`, `python -c …` and `python script.py …`: the text says which files."""
        words = [word.text for word in command.arguments]
        if command.name == "uv":
            words = words[2:] if words[:2] == ["run", "python"] else []
        while words and words[0].startswith("-") and words[0] not in ("-", "-c", "-m"):
            words.pop(0)  # -u, -X, …
        code, argv = None, words
        if words[:1] == ["-c"] and len(words) > 1:
            code, argv = words[1], ["-c", *words[2:]]
        elif command.document is not None and words[:1] in ([], ["-"]):
            code = command.document
        elif words and words[0] not in ("-", "-m") and (name := self._name(words[0])) is not None:
            yield self._ledger.read(name)
            code = self._ledger.text(name)
        files = files_of_program(code or "", argv)
        for path in files.reads:
            if (name := self._name(path)) is not None:
                yield self._ledger.read(name)
        for path in files.writes:
            if (name := self._name(path)) is not None:
                yield self._ledger.write(name, None)
        told = {*files.reads, *files.writes}
        rest = [word for word in command.arguments if word.text in argv[1:]]
        yield from self._mentions([word for word in rest if word.text not in told])

    def _move(self, command: Command) -> Iterator[Touch]:
        names = [self._name(word) for word in command.arguments if not word.text.startswith("-")]
        if command.name == "rm":
            for name in filter(None, names):
                self._ledger.forget(name)
        elif len(names) == 2 and names[0] is not None and names[1] is not None:
            source = self._ledger.read(names[0])
            yield source
            if command.name == "mv":
                self._ledger.forget(names[0])
            yield self._ledger.write(names[1], source.data)

    def _writes(self, command: Command) -> Iterator[Touch]:
        text = _said(command)
        targets = [
            (redirect.target, redirect.sign == ">>")
            for redirect in command.redirects
            if redirect.sign.startswith(">") and redirect.stream in ("", "1", "&")
        ]
        if command.name == "tee":
            adds = any(word.text in ("-a", "--append") for word in command.arguments)
            targets += [(word, adds) for word in command.arguments if not _is_option(word)]
        if command.name == "sort":
            pairs = zip(command.arguments, command.arguments[1:], strict=False)
            targets += [(target, False) for option, target in pairs if option.text == "-o"]
        for target, adds in targets:
            name = self._name(target)
            if name is not None:
                yield (
                    self._add(name, text)
                    if adds
                    else self._ledger.write(name, None if text is None else text.encode())
                )

    def _add(self, name: str, text: str | None) -> Touch:
        before = self._ledger.text(name)
        known = before is not None and text is not None
        return self._ledger.change(name, f"{before}{text}".encode() if known else None, ADDED_TO)


def _speaks(command: Command) -> bool:
    """Whether what the command says comes to the output that the agent saw."""
    redirected = any(
        one.sign.startswith(">") and one.stream in ("", "1", "&") for one in command.redirects
    )
    return not (command.feeds or redirected or command.name in _SILENT or not command.words)


def _bare(command: Command) -> bool:
    """`cat file` and nothing else that could alter what it shows."""
    return len(command.arguments) == 1 and not command.fed and not command.feeds


def _said(command: Command) -> str | None:
    """What the command puts out, where its text tells it."""
    if command.fed:
        return None
    if command.name in ("cat", "tee") and command.document is not None:
        return command.document if command.name == "tee" or len(command.words) == 1 else None
    words = command.arguments
    if command.name == "echo" and all(word.literal for word in words):
        if (words and words[0].text.startswith("-")) or any("\\" in word.text for word in words):
            return None
        return " ".join(word.text for word in words) + "\n"
    return "" if command.name in (":", "") else None


def _is_option(word: Word) -> bool:
    return word.text.startswith("-")


def _inputs(command: Command) -> list[Word]:
    """The words that name files, for programs of which that is known."""
    if command.name in _PLAIN_READERS:
        return _without_options(command)
    if command.name not in _PATTERN_READERS:
        return []
    asked = any(word.text in ("-e", "-f", "--regexp") for word in command.arguments)
    return _without_options(command)[0 if asked else 1 :]


def _without_options(command: Command) -> list[Word]:
    """`-k 2`, `-v min=400`: the value of an option is no file. Nor is the `+2` of `tail`."""
    with_value = _VALUE_OPTIONS.get(command.name, "")
    words: list[Word] = []
    before = ""
    for word in command.arguments:
        option = _is_option(word) or (word.text.startswith("+") and command.name in _PARTLY)
        is_value = len(before) == 2 and before[0] == "-" and before[1] in with_value
        is_program = before == "-f" and command.name in _PATTERN_READERS  # awk -f sum.awk
        if is_program or not (option or is_value):
            words.append(word)
        before = word.text
    return words
