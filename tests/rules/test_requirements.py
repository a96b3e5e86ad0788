"""Which packages a skill declares, and where."""

from __future__ import annotations

from hermes.records.folder import FileContent, Folder
from hermes.rules.requirements import declared

SCRIPT = """#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "httpx<1",
#   "rich",
# ]
# ///
print(1)
"""


def folder(files: dict[str, str]) -> Folder:
    return Folder({path: FileContent(text.encode()) for path, text in files.items()})


def test_a_list_a_script_and_the_row_are_joined() -> None:
    skill = folder(
        {
            "requirements.txt": "pandas>=2  # tables\n\n# nothing\nrich\n",
            "scripts/requirements.txt": "numpy",
            "scripts/run.py": SCRIPT,
            "SKILL.md": "pip install left-pad",
        }
    )
    assert declared(skill, ("polars", "rich")) == (
        *("httpx<1", "numpy", "pandas>=2", "polars", "rich"),
    )


def test_what_lies_elsewhere_declares_nothing() -> None:
    skill = folder({"assets/requirements.txt": "numpy", "run.py": SCRIPT, "scripts/a.txt": SCRIPT})
    assert declared(skill) == ()


def test_a_block_ends_where_it_says_so() -> None:
    windows = SCRIPT.replace("\n", "\r\n")
    assert declared(folder({"scripts/a.py": windows})) == ("httpx<1", "rich")
    for broken in (
        SCRIPT.replace("# ///\n", ""),
        SCRIPT.replace("# ]\n", ""),
        SCRIPT.replace("script", "other", 1),
        SCRIPT.replace("dependencies", "dependency"),
    ):
        assert declared(folder({"scripts/a.py": broken})) == ()


def test_a_strange_line_is_kept_for_whoever_refuses_it() -> None:
    lines = "-r other.txt\npandas @ https://example.org/p.whl\n"
    kept = declared(folder({"requirements.txt": lines}))
    assert kept == ("-r other.txt", "pandas @ https://example.org/p.whl")


def test_bytes_that_are_no_text_declare_nothing_usable() -> None:
    assert declared(Folder({"scripts/a.py": FileContent(b"\xff\xfe# /// script")})) == ()
