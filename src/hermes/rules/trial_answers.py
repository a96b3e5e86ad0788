"""What the run of a trial says.

Whatever kept a trial from being run is told apart from a trial that ran and failed: a package that
is not here, or a test written for pytest, says nothing about the skill.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from hermes.records.sandbox import MEBIBYTE, KilledBy, Limits, SandboxResult
from hermes.records.trial import Trial, TrialOutcome, TrialResult

NO_TESTS_RAN = 5
"""The exit code by which unittest, pytest and our own runner say so."""

_NOT_FOUND = 127
_LONGEST_ERROR = 300
_MOST_VIOLATIONS = 3
_MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_MISSING_COMMAND = re.compile(r": line \d+: (\S+): command not found$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a trial had around it.

    `modules` are those that the skill brings itself; `package_of` names the package that brings
    another one. `installed` says that what the skill declares was there.
    """

    limits: Limits
    modules: Collection[str]
    package_of: Callable[[str], str]
    declared: tuple[str, ...] = ()
    installed: bool = False


def judge(trial: Trial, result: SandboxResult, around: Surroundings) -> TrialResult:
    """What a run says of what was tried."""
    outcome, error = _answer(result, around)
    violations = result.violations[:_MOST_VIOLATIONS]
    refused = tuple(f"{one.kind} {_plain(one.subject)}" for one in violations)
    if outcome is TrialOutcome.FAILED and refused:
        error = f"{error} (the sandbox refused: {', '.join(refused)})"
    return TrialResult(
        name=trial.name, outcome=outcome, error=error, refused=refused, seconds=result.seconds
    )


def _answer(result: SandboxResult, around: Surroundings) -> tuple[TrialOutcome, str]:
    if not result.isolated:  # no backend should have run it; what it says then counts for nothing
        return TrialOutcome.NOT_RUN, f"{result.backend} did not isolate it"
    if result.killed_by is not None:
        return TrialOutcome.FAILED, _beyond(result.killed_by, around.limits)
    if result.ok:
        return TrialOutcome.PASSED, ""
    error = first_error(result)
    if result.exit_code == NO_TESTS_RAN:
        return TrialOutcome.NOT_RUN, error
    if (module := _missing_module(error)) and module not in around.modules:
        return _without_package(around.package_of(module), around)
    if command := _missing_command(result):
        return TrialOutcome.NOT_RUN, f"missing dependency {command}"
    return TrialOutcome.FAILED, error


def _without_package(package: str, around: Surroundings) -> tuple[TrialOutcome, str]:
    """A package that is not here is nobody's fault, unless all that was declared is here."""
    if around.installed:
        return TrialOutcome.FAILED, f"missing dependency {package}, which it does not declare"
    why = "declared, but not installed for trials" if around.declared else "not declared"
    return TrialOutcome.NOT_RUN, f"missing dependency {package} ({why})"


def first_error(result: SandboxResult) -> str:
    """The line that a person would look for: what was raised first, else what was said first."""
    lines = result.stderr_text.splitlines()
    last_words = reversed(result.stdout_text.splitlines())
    said = (*_raised(lines), *_flush_left(lines), *_flush_left(last_words))
    return said[0] if said else f"it ended with exit code {result.exit_code}"


def _raised(lines: Sequence[str]) -> list[str]:
    """The exception of the first traceback; one without a message is told with its line of code."""
    code = ""
    in_traceback = False
    for line in lines:
        if line.startswith("Traceback (most recent call last)"):
            in_traceback = True
        elif in_traceback and (raised := _flush_left([line])):
            return raised if ":" in line or not code else [f"{raised[0]}: {code}"]
        elif _plain(line).strip("^~ "):  # below the code, some Pythons underline a part of it
            code = _plain(line)
    return []


def _flush_left(lines: Iterable[str]) -> list[str]:
    """Lines that say something, without those that only rule a page off or show a place in code."""
    return [_plain(line) for line in lines if _plain(line).strip("-=") and not line[0].isspace()]


def _missing_module(error: str) -> str:
    found = _MISSING_MODULE.search(error)
    return found[1].partition(".")[0] if found else ""


def _missing_command(result: SandboxResult) -> str:
    if result.exit_code != _NOT_FOUND:
        return ""
    found = _MISSING_COMMAND.search(result.stderr_text)
    return _plain(found[1]) if found else ""


def _beyond(limit: KilledBy, limits: Limits) -> str:
    return {
        KilledBy.TIME: f"it ran for more than {limits.seconds:g} s",
        KilledBy.CPU: f"it computed for more than {limits.cpu_seconds:g} s",
        KilledBy.MEMORY: f"it needed more than {limits.memory_bytes / MEBIBYTE:g} MiB of memory",
        KilledBy.PROCESSES: f"it started more than {limits.processes} processes",
        KilledBy.OUTPUT: f"it printed more than {limits.output_bytes / MEBIBYTE:g} MiB",
        KilledBy.DISK: f"it wrote more than {limits.disk_bytes / MEBIBYTE:g} MiB",
    }[limit]


def _plain(text: str) -> str:
    """One line that can be stored, logged and shown, whatever a program printed."""
    line = "".join(one if one.isprintable() else " " for one in text).strip()
    return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}…"
