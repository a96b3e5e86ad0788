"""A diff shows every change, hides nothing and ends."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.records.folder import FileContent, Folder
from hermes.rules.diffing import MAX_LINES, unified

LABELS = ("v1", "v2")


def folder(**files: str | bytes) -> Folder:
    return Folder(
        {
            name.replace("_", "."): FileContent(data.encode() if isinstance(data, str) else data)
            for name, data in files.items()
        }
    )


def test_nothing_changed() -> None:
    assert unified(folder(a="x"), folder(a="x"), LABELS) == ""
    assert unified(None, None, LABELS) == ""


def test_a_changed_file() -> None:
    old = folder(SKILL_md="one\ntwo\nthree\n", same="x")
    new = folder(SKILL_md="one\n2\nthree\n", same="x")
    assert unified(old, new, LABELS) == (
        "--- v1/SKILL.md\n+++ v2/SKILL.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
    )


def test_added_and_removed_files() -> None:
    both = unified(folder(a="1\n"), folder(b="2\n"), LABELS)
    assert both == (
        "--- v1/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n"
        "--- /dev/null\n+++ v2/b\n@@ -0,0 +1,1 @@\n+2\n"
    )
    assert unified(None, folder(b="2\n"), LABELS).endswith("+2\n")
    assert unified(folder(b="2\n"), None, LABELS).endswith("-2\n")


def test_the_last_line_end_counts() -> None:
    text = unified(folder(a="1\n"), folder(a="1"), LABELS)
    assert text.endswith("-1\n+1\n\\ No newline at end of file\n")


def test_binary_files_are_named_with_their_sizes() -> None:
    assert unified(folder(a=b"\0"), folder(a=b"\0" * 2000), LABELS) == (
        "binary file changed: a, 1 → 2,000 bytes\n"
    )
    assert unified(None, folder(a=b"\xff\xfe"), LABELS) == "binary file added: a, 2 bytes\n"
    assert unified(folder(a=b"\0"), None, LABELS) == "binary file removed: a, 1 bytes\n"


def test_the_executable_bit_is_shown() -> None:
    old = Folder({"a": FileContent(b"x"), "b": FileContent(b"x", True)})
    new = Folder({"a": FileContent(b"x", True), "b": FileContent(b"x")})
    assert unified(old, new, LABELS) == "a: now executable\nb: no longer executable\n"
    assert unified(None, new, LABELS).startswith("a: now executable\n--- /dev/null\n")


def test_nothing_hides_from_the_reader() -> None:
    hostile = "safe\x1b[2K\rrm -rf \u202e\u200b\x85\u2028\x07\n"
    text = unified(None, folder(a=hostile), LABELS)
    assert "+safe<U+001B>[2K<U+000D>rm -rf <U+202E><U+200B><U+0085><U+2028><U+0007>\n" in text
    path = Folder({"a\x1b[31m": FileContent(b"1\n")})
    assert "v2/a<U+001B>[31m" in unified(None, path, LABELS)


def test_readable_text_stays_readable() -> None:
    assert "+na\u00efve \u65e5\u672c \U0001f600\tx\n" in unified(
        None, folder(a="na\u00efve \u65e5\u672c \U0001f600\tx\n"), LABELS
    )


def test_a_long_diff_is_cut_and_says_so() -> None:
    text = unified(None, folder(a="x\n" * 50_000), LABELS)
    assert text.endswith(f"… cut after {MAX_LINES:,} lines\n")
    assert text.count("\n") == MAX_LINES + 1


def test_a_long_line_is_cut_and_says_so() -> None:
    assert "… (98,000 characters more)" in unified(None, folder(a="x" * 100_000), LABELS)


def _hard_cases() -> list[tuple[str, str]]:
    rng = random.Random(1)
    numbers = [str(rng.randrange(400)) for _ in range(20_000)]
    shuffled = numbers[:]
    rng.shuffle(shuffled)
    unique = [str(n) for n in range(20_000)]
    return [
        ("\n".join(numbers), "\n".join(shuffled)),
        ("\n".join(unique), "\n".join(reversed(unique))),
        ("\n".join(numbers[:3_000]), "\n".join(shuffled[:3_000])),
        ("a\nb\n" * 10_000, "b\na\na\n" * 8_000),
        ("\n".join(unique[:5_000]), "\n".join(reversed(unique[:5_000]))),
        ("a\n" * 100, "a\nb\n" * 100),
        (
            "".join(f"x{n}\nu{n}\n" for n in range(5_000)),
            "".join(f"x{n}\nv{n}\n" for n in range(5_000)),
        ),
    ]


@pytest.mark.parametrize(("old", "new"), _hard_cases())
def test_hard_texts_are_answered_quickly(old: str, new: str) -> None:
    started = time.process_time()
    assert unified(folder(a=old), folder(a=new), LABELS)
    assert time.process_time() - started < 3.0


def test_two_far_changes_in_a_long_text_are_two_hunks() -> None:
    lines = [str(n) for n in range(15_000)]
    changed = [lines[0], "one", *lines[1:-1], "two", lines[-1]]
    text = unified(folder(a="\n".join(lines)), folder(a="\n".join(changed)), LABELS)
    assert text.count("@@ -") == 2
    assert text.count("\n") < 25


def test_one_change_in_a_very_long_text_stays_small() -> None:
    lines = [str(n) for n in range(19_000)]
    changed = [*lines[:9_000], "new", *lines[9_001:]]
    text = unified(folder(a="\n".join(lines)), folder(a="\n".join(changed)), LABELS)
    assert text == (
        "--- v1/a\n+++ v2/a\n@@ -8998,7 +8998,7 @@\n 8997\n 8998\n 8999\n-9000\n+new\n"
        " 9001\n 9002\n 9003\n"
    )


texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12).map("\n".join)


@pytest.mark.skipif(not shutil.which("patch"), reason="no patch command")
@given(texts, texts)
@settings(max_examples=40, deadline=None)
def test_the_patch_command_agrees(tmp_path_factory: pytest.TempPathFactory, a: str, b: str) -> None:
    if a == b or not a or not b:
        return
    place: Path = tmp_path_factory.mktemp("patch")
    (place / "a").write_text(a)
    diff = unified(folder(a=a), folder(a=b), LABELS)
    command = ["patch", "-p1", "--silent"]
    subprocess.run(command, cwd=place, input=diff, text=True, check=True, timeout=20)
    assert (place / "a").read_text() == b
