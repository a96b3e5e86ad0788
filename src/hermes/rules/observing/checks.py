"""Checks a run made of its own work: tests, builds, linters, comparisons, asserts.

Which commands check is a table of programs; whether a check passed is its exit code where that is
the check's own, else the last lines the check itself printed. What a tool prints is never believed
beyond that: a file that says "all tests passed" is not a check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from hermes.records.artefact import ArtefactRole
from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.observing.commands import SimpleCommand, commands_of, stops_at_failure

_ALWAYS_TEXT = (
    "pytest unittest tox nox jest vitest mocha rspec phpunit ctest bats mypy pyright ruff flake8 "
    "pylint eslint tsc shellcheck hadolint yamllint jsonlint xmllint diff cmp test [ [[ "
    "py_compile compileall json.tool playwright cypress doctest golangci-lint clippy"
)
_ALWAYS = frozenset(_ALWAYS_TEXT.split())
_WITH_WORD: dict[str, frozenset[str]] = {
    "cargo": frozenset({"test", "build", "check", "clippy"}),
    "go": frozenset({"test", "build", "vet"}),
    "mvn": frozenset({"test", "verify", "package", "install", "compile"}),
    "gradle": frozenset({"test", "check", "build"}),
    "gradlew": frozenset({"test", "check", "build"}),
    "dotnet": frozenset({"test", "build"}),
    "docker": frozenset({"build"}),
    "terraform": frozenset({"validate", "plan"}),
    "cmake": frozenset({"--build"}),
    "git": frozenset({"--exit-code"}),
    "sort": frozenset({"-c", "-C", "--check"}),
    "sha256sum": frozenset({"-c", "--check"}),
    "md5sum": frozenset({"-c", "--check"}),
    "black": frozenset({"--check"}),
    "prettier": frozenset({"--check"}),
    "grep": frozenset({"-q", "-qE", "-qF", "-Eq", "-Fq", "-qi"}),
    **dict.fromkeys(
        ("npm", "yarn", "pnpm", "bun", "make", "ninja", "just"),
        frozenset({"test", "tests", "build", "lint", "check", "all", "verify"}),
    ),
}
_BUILDERS = frozenset({"make", "ninja", "just"})
_IN_ITS_OWN_WORDS = frozenset({"test", "[", "[[", "grep", "sort"})
"""What they look for is written in the call itself, by whoever is being checked."""
_COMPARES = frozenset({"diff", "cmp", "sha256sum", "md5sum"})
_BY_TEST_FILES_TEXT = (
    "pytest unittest tox nox jest vitest mocha rspec phpunit bats go cargo npm yarn pnpm bun mvn "
    "gradle gradlew dotnet make"
)
_BY_TEST_FILES = frozenset(_BY_TEST_FILES_TEXT.split())
_INTERPRETERS = re.compile(r"^(?:python[\d.]*|bash|sh|zsh|node|ruby|perl)$")
_CHECK_SCRIPT = re.compile(r"^(?:test|check|verify|validate)[\w.-]*\.\w+$|_(?:test|check)\.\w+$")
_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec)/|(?:^|/)(?:test_[^/]*|[^/]*_test|[^/]*[._]spec|"
    r"[^/]*\.test|conftest)\.\w+$"
)
_PATCHED = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b/)?)(\S.*)$", re.M)
"""The files that a patch in either of the two common forms says it changes."""
_ASSERTS = re.compile(r"^\s*assert\b|;\s*assert\b|\.assert\w*\(|sys\.exit\(1\)", re.M)
_FAILED = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|errors?)\b|\bFAILED\b|^FAIL\b|\bBUILD FAILED\b|"
    r"^(?:\w+\.)*\w*(?:Error|Exception)\b|Traceback \(most recent|\berror(?:\[\w+\])?:",
    re.M,
)
_PASSED = re.compile(
    r"\b\d+ pass(?:ed|ing)\b|^OK\b|^PASS\b|\bBUILD SUCCESS|\btest result: ok\b|\b0 (?:failed|"
    r"failures|errors)\b|\ball checks passed\b|\bno issues found\b|^ok\s+\S+\s+[\d.]+s",
    re.M | re.I,
)
_TAIL = 2_000
"""Characters at the end of a check's output in which its own summary stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One run of a check. `own` says that the run wrote what it was checked by.

    `by_exit` tells an exit code from a summary that was read; `narrow` a check of named files.
    """

    step_id: int
    name: str
    passed: bool | None
    by_exit: bool
    own: bool
    narrow: bool


def checks_of(moves: Sequence[Move]) -> tuple[CheckRun, ...]:
    """Every check in the order it was run."""
    changed: set[str] = set()
    found = []
    for move in moves:
        check = _check(move, changed)
        if check is not None:
            found.append(check)
        changed |= set(changes(move))
    return tuple(found)


def changes(move: Move) -> Iterable[str]:
    """The files that a move wrote or edited, as far as the log tells."""
    if move.failed:
        return
    if move.action.kind in (ActionKind.WRITE, ActionKind.EDIT):
        named = [move.action.path] if move.action.path else _PATCHED.findall(move.action.text)
        yield from named or [f"a file, by {move.action.tool}"]
    yield from (one.name for one in move.artefacts if one.role is ArtefactRole.WRITTEN)


def _check(move: Move, changed: set[str]) -> CheckRun | None:
    if move.action.kind is ActionKind.CODE:
        return _inline(move) if _ASSERTS.search(move.action.text) else None
    if move.action.kind is not ActionKind.RUN:
        return None
    commands = commands_of(move.action.text)
    for at, command in enumerate(commands):
        name = _name(command)
        if name:
            passed, by_exit = _passed(move, commands[at:])
            return CheckRun(
                step_id=move.step_id,
                name=name,
                passed=passed,
                by_exit=by_exit,
                own=_is_own(command, changed),
                narrow=any(_is_path(word) for word in command.arguments),
            )
    return _inline(move) if _runs_asserts(move, commands) else None


def _inline(move: Move) -> CheckRun:
    failed = move.failed
    return CheckRun(
        step_id=move.step_id,
        name="assert",
        passed=None if failed is None else not failed,
        by_exit=True,
        own=True,
        narrow=False,
    )


def _runs_asserts(move: Move, commands: Sequence[SimpleCommand]) -> bool:
    """A program handed over in the command itself, with asserts in it."""
    inline = any(_INTERPRETERS.match(one.program) for one in commands) and (
        "<<" in move.action.text or " -c " in move.action.text
    )
    return inline and bool(_ASSERTS.search(move.action.text))


def _name(command: SimpleCommand) -> str:
    """What the check is called; empty where the command checks nothing."""
    program, words = command.program, command.arguments
    if program in _ALWAYS:
        return "test" if program in ("[", "[[") else program
    if program in _BUILDERS and not any(word[:1].isalpha() for word in words):
        return program  # its default target: the build
    if words and _INTERPRETERS.match(program) and _CHECK_SCRIPT.search(_file_name(words[0])):
        return _file_name(words[0])
    if _CHECK_SCRIPT.search(program):
        return program
    wanted = _WITH_WORD.get(program)
    found = [word for word in words if wanted and word.split(":")[0] in wanted]
    if not found:
        return ""
    return program if found[0].startswith("-") else f"{program} {found[0]}"


def _passed(move: Move, commands: Sequence[SimpleCommand]) -> tuple[bool | None, bool]:
    """Whether the first of these commands passed, and whether its exit code says so."""
    summary = (move.output or "")[-_TAIL:]
    says_failed, says_passed = _FAILED.search(summary), _PASSED.search(summary)
    rest = [command.after for command in commands[:-1]]
    alone = all(after == "&&" for after in rest) or stops_at_failure(move.action.text)
    if move.failed:
        return False, alone
    if move.failed is False and alone:
        return True, True
    if says_failed:
        return False, False
    return (True if says_passed else None), False


def _is_own(command: SimpleCommand, changed: set[str]) -> bool:
    """Whether the run changed what decides this check."""
    if command.program in _IN_ITS_OWN_WORDS:
        return True
    named = [word for word in command.arguments if _is_path(word)]
    if command.program in _COMPARES:
        return bool(named) and all(_among(word, changed) for word in named)
    if _INTERPRETERS.match(command.program) or _CHECK_SCRIPT.search(command.program):
        return any(_among(word, changed) for word in (command.program, *named))
    if command.program in _BY_TEST_FILES:
        tests = {path for path in changed if _TEST_FILE.search(path)}
        build_files = {path for path in changed if _file_name(path) in ("Makefile", "package.json")}
        return bool(tests or build_files)
    return False


def _is_path(word: str) -> bool:
    return not word.startswith("-") and bool(re.search(r"/|\.\w{1,8}$", word))


def _among(word: str, changed: set[str]) -> bool:
    """By the end of the path: a log names one file now from the root, now from the folder."""
    word = word.removeprefix("./")
    return any(
        path == word or path.endswith(f"/{word}") or word.endswith(f"/{path}") for path in changed
    )


def _file_name(path: str) -> str:
    return PurePosixPath(path).name
