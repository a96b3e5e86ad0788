"""What of a skill can be tried.

A skill's own tests are `scripts/test_*.py`, `scripts/*_test.py` and `scripts/test_*.sh`; a test
passes when it ends by itself with 0. A code template is one more trial, filled with the skill's
test parameters.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from hermes.errors import WrongCall
from hermes.records.folder import Folder
from hermes.records.skill import Skill
from hermes.records.trial import Trial, TrialKind, TrialOutcome, TrialResult
from hermes.rules.templates import bind

TEMPLATE = "code template"
"""The name of the trial that is not a file."""

_PATTERNS = ("test_*.py", "*_test.py", "test_*.sh")


def is_test(path: str) -> bool:
    """Whether a file of a skill is a test by its place and name."""
    file = PurePosixPath(path)
    return str(file.parent) == "scripts" and any(fnmatchcase(file.name, one) for one in _PATTERNS)


def own_tests(folder: Folder) -> tuple[Trial, ...]:
    """The tests of a folder, by name."""
    return tuple(
        Trial(name=path, kind=_kind(path, folder.files[path].data))
        for path in sorted(filter(is_test, folder.files))
    )


def _kind(path: str, data: bytes) -> TrialKind:
    """A Python file that asks whether it is `__main__` runs its tests by itself."""
    if path.endswith(".sh"):
        return TrialKind.SHELL
    return TrialKind.SCRIPT if b"__main__" in data else TrialKind.FUNCTIONS


def template_of(skill: Skill) -> Trial | TrialResult | None:
    """The trial of its code template; a result where that is known without running it."""
    if skill.code_template is None:
        return None
    values = {one.name: one.default for one in skill.parameters if one.default is not None}
    values |= skill.test_parameters
    unknown = [one.name for one in skill.parameters if one.required and one.name not in values]
    if unknown:
        error = f"no test value for {', '.join(unknown)}"
        return TrialResult(name=TEMPLATE, outcome=TrialOutcome.NOT_RUN, error=error)
    try:
        program = bind(skill.code_template, values)
    except WrongCall as error:
        return TrialResult(name=TEMPLATE, outcome=TrialOutcome.FAILED, error=error.message)
    return Trial(name=TEMPLATE, kind=TrialKind.TEMPLATE, program=program)


def own_modules(folder: Folder) -> frozenset[str]:
    """The names by which a skill's own Python could be imported."""
    paths = [PurePosixPath(path) for path in folder.files if path.endswith(".py")]
    return frozenset(part for path in paths for part in (*path.parent.parts, path.stem))
