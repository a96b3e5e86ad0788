"""Does every script and settings file parse? Nothing is run: compile, `bash -n`, JSON, YAML.

Runs inside the examiner's limited child only: parsers are not made for hostile input.
"""

from __future__ import annotations

import json
import subprocess
import warnings
from collections.abc import Callable, Iterator, Mapping

import yaml

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.finding import Finding, Severity
from hermes.rules.scan.natures import CONFIG, JSON, nature_of
from hermes.rules.scan.package import readable

_BASH_SECONDS = 5
_UNFINISHED = ("templates/", "assets/")
"""Folders of parts to be filled in: a template need not parse before it is."""

Fault = tuple[int, str]


def syntax_findings(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """One finding for each file that is not what its name says."""
    for path, data in sorted(files.items()):
        text = readable(data)
        if text is None or path.startswith(_UNFINISHED):
            continue
        nature = nature_of(path, text)
        parse = _PARSERS.get(nature)
        if nature == CONFIG and not path.endswith((".yaml", ".yml")):
            parse = None
        fault = parse(text) if parse else None
        if fault:
            line, message = fault
            yield RULES["does-not-parse"].finding(path, line, Severity.NOTE, message)


def _python(text: str) -> Fault | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "script", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1, str(error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return 1, f"cannot be compiled ({type(error).__name__})"
    return None


def _shell(text: str) -> Fault | None:
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-n"],
        input=text.encode(),
        capture_output=True,
        timeout=_BASH_SECONDS,
        check=False,
        env={},
    )
    if done.returncode == 0:
        return None
    said = done.stderr.decode("utf-8", "replace").splitlines()
    first = said[0] if said else "does not parse"
    number, _, message = first.removeprefix("bash: line ").partition(": ")
    return (int(number), message) if number.isdigit() else (1, first)


def _json(text: str) -> Fault | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno, error.msg
    except RecursionError:
        return 1, "is nested too deeply"
    return None


def _yaml(text: str) -> Fault | None:
    try:
        for _ in yaml.safe_load_all(text):
            continue
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return (mark.line + 1 if mark else 1), str(error.problem)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return 1, f"cannot be read ({type(error).__name__})"
    return None


_PARSERS: dict[str, Callable[[str], Fault | None]] = {
    "python": _python,
    "shell": _shell,
    JSON: _json,
    CONFIG: _yaml,
}
