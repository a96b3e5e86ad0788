"""Which files of a skill are tests, and what becomes of its code template."""

from __future__ import annotations

import pytest

from hermes.records.folder import FileContent, Folder
from hermes.records.skill import Parameter
from hermes.records.trial import Trial, TrialKind, TrialOutcome, TrialResult
from hermes.rules.trials import is_test, own_modules, own_tests, template_of
from hermes.testing import samples


def folder(**files: str) -> Folder:
    paths = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    return Folder({path: FileContent(text.encode()) for path, text in paths.items()})


@pytest.mark.parametrize("name", ["test_tidy.py", "tidy_test.py", "test_tidy.sh", "test_.py"])
def test_a_test_is_known_by_place_and_name(name: str) -> None:
    assert is_test(f"scripts/{name}")
    for elsewhere in ("", "tests/", "scripts/more/", "assets/scripts/", "Scripts/"):
        assert not is_test(elsewhere + name)


@pytest.mark.parametrize("name", ["tidy.py", "latest_py", "testing.py", "contest.py", "test_a.js"])
def test_other_scripts_are_no_tests(name: str) -> None:
    assert not is_test(f"scripts/{name}")


def test_how_a_test_is_run_is_seen_in_it() -> None:
    found = own_tests(
        folder(
            scripts__test_c_dot_sh="true",
            scripts__b_test_dot_py="if __name__ == '__main__': main()",
            scripts__test_a_dot_py="def test_a(): pass",
            scripts__a_dot_py="",
            SKILL_dot_md="scripts/test_d.py",
        )
    )
    assert [(one.name, one.kind) for one in found] == [
        ("scripts/b_test.py", TrialKind.SCRIPT),
        ("scripts/test_a.py", TrialKind.FUNCTIONS),
        ("scripts/test_c.sh", TrialKind.SHELL),
    ]


def test_a_skill_without_a_template_has_no_such_trial() -> None:
    assert template_of(samples.skill()) is None


def test_a_template_is_filled_with_its_test_parameters() -> None:
    skill = samples.skill(
        code_template="f({rows}, '{name}', {mode})",
        parameters=(
            Parameter(name="rows", type="int"),
            Parameter(name="name", type="str", default="by default"),
            Parameter(name="mode", type="str", required=False),
        ),
        test_parameters={"rows": 3},
    )
    assert template_of(skill) == Trial(
        name="code template", kind=TrialKind.TEMPLATE, program="f(3, 'by default', {mode})"
    )


def test_a_parameter_without_a_test_value_keeps_the_template_from_being_run() -> None:
    wanted = (Parameter(name="rows", type="int"), Parameter(name="path", type="str"))
    skill = samples.skill(code_template="f({rows})", parameters=wanted, test_parameters={"rows": 1})
    answer = template_of(skill)
    assert isinstance(answer, TrialResult)
    assert answer.outcome is TrialOutcome.NOT_RUN
    assert answer.error == "no test value for path"


def test_a_template_that_is_not_python_has_failed() -> None:
    answer = template_of(samples.skill(code_template="def {name}(): pass"))
    assert isinstance(answer, TrialResult)
    assert answer.outcome is TrialOutcome.FAILED
    assert answer.error == "it is not Python: line 1: invalid syntax"


def test_own_modules_are_those_the_skill_brings() -> None:
    brought = own_modules(folder(scripts__tidy_dot_py="", lib__csv__io_dot_py="", data_dot_txt=""))
    assert brought == {"scripts", "tidy", "lib", "csv", "io"}
