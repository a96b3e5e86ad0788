"""What may be in a skill's folder: everything for a person's, little for an agent's."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.records.folder import SKILL_FILE, FileContent, Folder
from hermes.rules import folder_rules
from hermes.rules.folder_rules import (
    Finding,
    check_folder,
    check_path,
    check_support_path,
    skill_file,
)


def folder(*paths: str, **sized: int) -> Folder:
    files = {path: FileContent(b"x") for path in paths}
    files.setdefault(SKILL_FILE, FileContent(b"---\nname: x\n---\n"))
    for path, size in sized.items():
        files[path.replace("__", "/")] = FileContent(b"x" * size)
    return Folder(files)


def fatal(findings: list[Finding]) -> list[str]:
    return [str(finding) for finding in findings if finding.fatal]


def strict(value: Folder) -> list[str]:
    return fatal(check_folder(value, name="pdf-tools", strict=True))


def adopted(value: Folder) -> list[str]:
    return fatal(check_folder(value, name="pdf-tools", strict=False))


GOOD = ["scripts/run.py", "references/a/b/c/d.md", "assets/caf\u00e9.png", "templates/x y.md"]


def test_a_proper_folder_has_no_findings() -> None:
    assert check_folder(folder(*GOOD), name="pdf-tools", strict=True) == []


@pytest.mark.parametrize("path", [*GOOD, "SKILL.md", "LICENSE", "console.txt", "a..b", "x" * 200])
def test_good_paths(path: str) -> None:
    assert check_path(path) is None


UNSAFE = [
    ("", "empty"),
    ("/etc/passwd", "absolute"),
    ("C:/x", "absolute"),
    ("c:x", "absolute"),
    ("../x", "component"),
    ("scripts/../../x", "component"),
    ("scripts/./x", "component"),
    ("scripts//x", "component"),
    ("scripts/", "component"),
    ("scripts\\x", "backslash"),
    ("scripts/a\nb", "control"),
    ("scripts/a\x00b", "control"),
    ("scripts/a\x7fb", "control"),
    ("scripts/a\x85b", "control"),
    ("scripts/\udcff", "unreadable"),
    ("a/" * 600 + "x", "longer"),
]
UNPORTABLE = [
    ("scripts/.env", "hidden"),
    (".git/config", "hidden"),
    ("scripts/x.", "final dot"),
    ("scripts/x ", "outer spaces"),
    ("scripts /x", "outer spaces"),
    ("scripts/NUL", "device"),
    ("scripts/com1.py", "device"),
    ("aux/x", "device"),
    ("scripts/a:b", "not every system"),
    ("scripts/a?b", "not every system"),
    ("assets/cafe\u0301.png", "composed form: send 'assets/caf\\xe9.png'"),
    ("scripts/a\u200bb", "invisible"),
    ("scripts/a\u202eb", "invisible"),
    ("scripts/" + "x" * 201, "200 bytes"),
    ("scripts/" + "\u00e9" * 101, "200 bytes"),
    ("scripts/1/2/3/4/5", "levels deep"),
]


@pytest.mark.parametrize(("path", "said"), UNSAFE + UNPORTABLE)
def test_bad_paths_say_why(path: str, said: str) -> None:
    message = check_path(path)
    assert message is not None
    assert said in message
    assert ":" in message, "what to send instead"
    assert message.isprintable()


@pytest.mark.parametrize(("path", "said"), UNSAFE)
def test_an_unsafe_path_is_fatal_for_everybody(path: str, said: str) -> None:
    assert any(said in text for text in strict(folder(path)))
    assert any(said in text for text in adopted(folder(path)))


@pytest.mark.parametrize(("path", "said"), UNPORTABLE)
def test_an_unportable_path_is_fatal_for_agents_only(path: str, said: str) -> None:
    assert any(said in text for text in strict(folder(path)))
    assert adopted(folder(path)) == []
    warnings = check_folder(folder(path), name="pdf-tools", strict=False)
    assert any(said in str(finding) for finding in warnings)


@given(st.text(alphabet=st.characters(), max_size=60))
def test_a_path_that_passes_stays_inside_the_folder(path: str) -> None:
    if check_path(path) is None:
        parts = path.split("/")
        assert path == path.strip()
        assert not {"", ".", ".."} & set(parts)
        assert "\\" not in path
        assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in path)
        assert len(parts) <= folder_rules.MAX_DEPTH


@pytest.mark.parametrize(
    ("path", "better"),
    [
        ("run.py", "scripts/run.py"),
        ("notes.md", "references/notes.md"),
        ("docs/notes.md", "references/notes.md"),
        ("logo.png", "assets/logo.png"),
        ("scripts", "assets/scripts"),
        ("Scripts/run.py", "scripts/run.py"),
    ],
)
def test_support_files_have_four_places(path: str, better: str) -> None:
    message = check_support_path(path)
    assert message is not None
    assert message.endswith(f"send '{better}'")
    assert check_support_path(better) is None
    assert any(f"send '{better}'" in text for text in strict(folder(path)))
    assert adopted(folder(path)) == []


def test_an_unsafe_support_path_is_refused_for_that() -> None:
    assert "component" in (check_support_path("scripts/../x") or "")


def test_skill_md_must_be_there() -> None:
    empty = Folder({"scripts/x.py": FileContent(b"")})
    assert any("there is no SKILL.md" in text for text in strict(empty))
    assert any("there is no SKILL.md" in text for text in adopted(empty))


def test_other_spellings_of_skill_md() -> None:
    lower = Folder({"skill.md": FileContent(b"x")})
    assert any("rename it to SKILL.md" in text for text in strict(lower))
    assert adopted(lower) == []
    assert skill_file(["a/SKILL.md", "skill.md", "Skill.md"]) == "Skill.md"
    assert skill_file(["skill.md", "SKILL.md"]) == SKILL_FILE
    assert skill_file(["a/SKILL.md", "SKILL.txt"]) is None


def test_skill_md_counts_characters_not_bytes() -> None:
    limit = folder_rules.MAX_SKILL_CHARACTERS
    at_limit = Folder({SKILL_FILE: FileContent("\u00e9".encode() * limit)})
    over = Folder({SKILL_FILE: FileContent(b"x" * (limit + 1))})
    assert strict(at_limit) == []
    assert any("100,001 characters" in text for text in strict(over))
    assert adopted(over) == []


def test_a_skill_md_that_cannot_be_read_is_fatal_for_everybody() -> None:
    huge = Folder({SKILL_FILE: FileContent(b"x" * (folder_rules.MAX_FILE_BYTES + 1))})
    assert any("characters" in text for text in adopted(huge))


def test_large_files() -> None:
    limit = folder_rules.MAX_FILE_BYTES
    assert strict(folder(assets__data=limit)) == []
    assert any(
        "assets/data: has 1,048,577 bytes" in t for t in strict(folder(assets__data=limit + 1))
    )
    assert adopted(folder(assets__data=limit + 1)) == []


def test_many_files() -> None:
    def with_files(count: int) -> Folder:
        return folder(*(f"assets/{n:04}" for n in range(count - 1)))

    assert strict(with_files(folder_rules.MAX_FILES)) == []
    assert any("201 files" in text for text in strict(with_files(folder_rules.MAX_FILES + 1)))
    assert adopted(with_files(folder_rules.MAX_ADOPTED_FILES)) == []
    assert any("1,001 files" in t for t in adopted(with_files(folder_rules.MAX_ADOPTED_FILES + 1)))


def test_many_bytes() -> None:
    megabyte = FileContent(b"x" * folder_rules.MAX_FILE_BYTES)

    def with_megabytes(count: int) -> Folder:
        return Folder(
            {SKILL_FILE: FileContent(b"x"), **{f"assets/{n}": megabyte for n in range(count)}}
        )

    assert strict(with_megabytes(9)) == []
    assert any("leave out large files" in text for text in strict(with_megabytes(10)))
    assert adopted(with_megabytes(10)) == []
    assert any("leave out large files" in text for text in adopted(with_megabytes(50)))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("scripts/Run.py", "scripts/run.py", "by case"),
        ("references/a.md", "References/b.md", "by case"),
        ("assets/caf\u00e9", "assets/cafe\u0301", "Unicode form"),
        ("assets/stra\u00dfe", "assets/strasse", "by case"),
        ("scripts/run.py", "scripts/r\u03c5n.py", "looks like"),
        ("scripts/\uff52un.py", "scripts/run.py", "looks like"),
    ],
)
def test_two_spellings_of_one_place(one: str, other: str, said: str) -> None:
    assert any(said in text for text in strict(folder(one, other)))
    assert not any(said in text for text in adopted(folder(one, other)))


def test_a_false_skill_md() -> None:
    assert any("looks like" in text for text in strict(folder("\u0405KILL.md")))


def test_look_alike_digits_are_a_warning() -> None:
    findings = check_folder(folder("assets/a1", "assets/al"), name="pdf-tools", strict=True)
    assert [finding.fatal for finding in findings] == [False]
    assert "looks like" in findings[0].message


def test_a_file_cannot_be_a_folder_too() -> None:
    assert any("which is a file" in text for text in adopted(folder("assets/a", "assets/a/b")))


def test_one_finding_for_a_folder_of_two_spellings() -> None:
    both = folder(*(f"scripts/{n}" for n in range(50)), *(f"Scripts/{n}x" for n in range(50)))
    assert sum("by case" in text for text in strict(both)) == 1


def test_the_name_is_checked() -> None:
    assert fatal(check_folder(folder(), name="PDF Tools", strict=True))
    findings = check_folder(folder(), name="PDF Tools", strict=False)
    assert findings
    assert not fatal(findings)


def test_hostile_paths_cost_nothing() -> None:
    hostile = folder("a/" * 200_000, "x" * 5_000_000, *(f"{'d/' * 300}{n}" for n in range(300)))
    started = time.process_time()
    findings = check_folder(hostile, name="pdf-tools", strict=False)
    assert time.process_time() - started < 1.0
    assert all(len(finding.message) < 1_000 for finding in findings)


def test_a_finding_names_its_line() -> None:
    assert str(Finding("SKILL.md", 3, "odd", False)) == "SKILL.md:3: odd"
    assert str(Finding("SKILL.md", None, "odd", False)) == "SKILL.md: odd"
