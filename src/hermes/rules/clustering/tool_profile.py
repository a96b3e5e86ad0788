"""How a task was done, as a set of short phrases: programs that ran, modules that were imported,
kinds of files that were read, written and edited, tools that only some people have.

Two people who want the same rarely use the same words, but often the same programs. What failed is
no part of it. No phrase holds an argument, a path or the name of a file: of files only the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.actions.reading import action_of
from hermes.rules.mine.shell_text import Heredoc, Token, pieces, tokens_of
from hermes.rules.mine.word_sets import words

_LONGEST = 20_000
"""Characters of a script or program that are read: it says early what it uses."""
_MOST_MOVES, _MOST_PHRASES, _LONGEST_NAME = 400, 80, 60
_PASSED_OVER = words(
    "do then else elif sudo time env nohup xargs exec command if while until ! { npx pipx bunx "
    "stdbuf nice timeout"
)
"""Words before the program that a command is about."""
_NO_PROGRAM = words(
    "for done fi esac case in select function } [ [[ test cd export set source . local declare "
    "trap return exit shift unset read true false wait pushd popd eval"
)
_WITH_ACTS = words(
    "git docker podman npm yarn pnpm cargo go kubectl helm aws gcloud az gh pip pip3 uv poetry "
    "alembic openssl terraform systemctl rails brew apt apt-get conda flask manage.py dotnet mvn "
    "gradle make prisma heroku"
)
"""Programs that are many: the word after their name says which."""
_CLOUDS = frozenset({"aws", "gcloud", "az"})
_RUNNERS = {"uv": "run", "poetry": "run", "bundle": "exec", "pdm": "run", "hatch": "run"}
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?|ipython3?")
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]{0,30}")
_KIND = re.compile(r"[\w*})-]\.([A-Za-z][A-Za-z0-9]{0,4}|[A-Za-z0-9]{1,2}[A-Za-z])$")
_QUOTED_FILE = re.compile(r"['\"][^'\"\n]{0,200}[\w*}]\.([A-Za-z][A-Za-z0-9]{1,4})['\"]")
_IMPORT = re.compile(r"^\s*(?:import|from)\s+([A-Za-z]\w*)((?:\s*,\s*[A-Za-z]\w*)*)", re.MULTILINE)
_EVERYWHERE = words(
    "__future__ os sys re pathlib typing collections datetime argparse time math itertools "
    "functools random string shutil io logging subprocess textwrap dataclasses"
)
"""Modules that say nothing about what a program is for."""
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
_LOOKING = words(
    "ls cat head tail less more bat file stat wc nl grep rg egrep zgrep zcat awk gawk cut sort "
    "uniq sed jq tr diff cmp find xxd od strings identify pdfinfo column"
)
_UNNAMABLE = re.compile(r"[^\w.:/-]+")
"""What a tool's name has no use for, and a stored text or a reader might stumble over."""
_PLACEHOLDER = re.compile(r"<[a-z_]+\d*>")


def tool_profile(moves: Sequence[Move]) -> tuple[str, ...]:
    """Each phrase once, in the order of the alphabet."""
    done = [move.action for move in moves[:_MOST_MOVES] if move.failed is not True]
    phrases = {phrase for action in done for phrase in _phrases(action)}
    return tuple(islice(sorted(phrases), _MOST_PHRASES))


def named_tools(tools: Sequence[str]) -> tuple[str, ...]:
    """All that names alone tell: which tools were used that only some people have."""
    actions = [action_of(tool, {}) for tool in tools]
    return tuple(sorted({phrase for action in actions for phrase in _of_foreign(action)}))


def _of_foreign(action: Action) -> Iterator[str]:
    if action.kind is ActionKind.OTHER and action.tool:
        yield f"uses {_UNNAMABLE.sub('_', action.tool.lower()[:_LONGEST_NAME])}"


def _phrases(action: Action) -> Iterator[str]:
    text, kind = action.text[:_LONGEST], _kind_of(action.path)
    match action.kind:
        case ActionKind.RUN:
            yield from _of_script(text)
        case ActionKind.CODE:
            yield from _of_program(text)
        case ActionKind.READ:
            yield from _file("reads", kind)
        case ActionKind.WRITE:
            yield from _file("writes", kind)
            if kind == "py":
                yield from _of_program(text)
        case ActionKind.EDIT:
            yield from _of_edit(text, kind)
        case ActionKind.FETCH:
            yield "fetches pages"
        case _:
            yield from _of_foreign(action)


def _of_edit(text: str, kind: str) -> Iterator[str]:
    """Some agents write and change files with one tool, several files in one call."""
    yield from _file("edits", kind)
    for act, path in _PATCHED.findall(text):
        found = _kind_of(path.strip())
        yield from _file("writes" if act == "Add" else "edits", found)
        if found == "py":
            yield from _of_program(re.sub(r"^\+", "", text, flags=re.MULTILINE))


def _of_script(script: str) -> Iterator[str]:
    for piece in pieces(script):
        if isinstance(piece, Heredoc):
            yield from _of_heredoc(piece)
        else:
            yield from _of_commands(piece)


def _of_heredoc(heredoc: Heredoc) -> Iterator[str]:
    yield from _of_commands(heredoc.command)
    target = _KIND.search(heredoc.command.strip())
    first = heredoc.command.split(maxsplit=1)[:1]
    if (target and target[1] == "py") or (first and _PYTHON.fullmatch(_base(first[0]))):
        yield from _of_program(heredoc.body)


def _of_commands(script: str) -> Iterator[str]:
    command: list[Token] = []
    for token in [*(tokens_of(script) or ()), Token("\n", operator=True)]:
        if token.operator and token.text[-1:] not in "<>" and ">&" not in token.text:
            yield from _of_command(command)
            command = []
        else:
            command.append(token)


def _of_command(command: Sequence[Token]) -> Iterator[str]:
    said: list[str] = []
    written = False
    for token in command:
        if token.operator:
            written = ">" in token.text
        elif written:
            yield from _file("writes", _kind_of(token.text))
            written = False
        else:
            said.append(token.text)
    said = _from_program_on(said)
    if not said or not _PROGRAM.fullmatch(_base(said[0])):
        return
    program, arguments = _base(said[0]), said[1:]
    if _PYTHON.fullmatch(program):
        yield from _of_python(arguments)
        return
    yield _act(program, arguments)
    for word in arguments:
        yield from _file("reads" if program in _LOOKING else "handles", _kind_of(word))


def _from_program_on(said: Sequence[str]) -> list[str]:
    """Without what stands before the program: keywords, settings of variables, runners."""
    rest = list(said)
    while rest:
        first = _base(rest[0])
        if first in _NO_PROGRAM:
            return []
        if len(rest) > 1 and _RUNNERS.get(first) == rest[1]:
            rest = rest[2:]
        elif first in _PASSED_OVER or "=" in first or first.startswith("-") or first.isdigit():
            rest = rest[1:]
        elif _PYTHON.fullmatch(first) and rest[1:2] == ["-m"]:
            rest = rest[2:]
        elif _PYTHON.fullmatch(first) and rest[1:2] == ["manage.py"]:
            rest = rest[1:]
        else:
            return rest
    return rest


def _of_python(arguments: Sequence[str]) -> Iterator[str]:
    yield "runs python"
    if arguments[:1] == ["-c"] and len(arguments) > 1:
        yield from _of_program(arguments[1].replace(";", "\n"))
    else:
        for word in arguments[1:]:
            yield from _file("handles", _kind_of(word))


def _act(program: str, arguments: Sequence[str]) -> str:
    if program not in _WITH_ACTS:
        return f"runs {program}"
    acts = [word for word in arguments if re.fullmatch(r"[a-z][\w:-]{0,30}", word)]
    return " ".join(["runs", program, *acts[: 2 if program in _CLOUDS else 1]])


def _of_program(text: str) -> Iterator[str]:
    for first, others in _IMPORT.findall(text[:_LONGEST]):
        for name in (first, *re.findall(r"\w+", others)):
            if name not in _EVERYWHERE:
                yield f"imports {name}"
    for kind in _QUOTED_FILE.findall(text[:_LONGEST]):
        yield from _file("handles", kind.lower())


def _file(act: str, kind: str) -> Iterator[str]:
    """What is done with a kind of file, and that it is about such files at all."""
    if kind:
        yield f"{kind} files"
        if act != "handles":
            yield f"{act} {kind}"


def _base(word: str) -> str:
    return word.rsplit("/", 1)[-1]


def _kind_of(path: str) -> str:
    """The ending of a file's name in small letters; a name that is its own kind is that."""
    name = _base(_PLACEHOLDER.sub("", path.strip()))
    if name in ("Dockerfile", "Makefile", "Jenkinsfile"):
        return name.lower()
    found = _KIND.search(name)
    return found[1].lower() if found else ""
