"""What a view of a file says of it, and what an edit makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from hermes.rules.artefacts.edits import FilePatch, edited, patched, patches_in
from hermes.rules.artefacts.shown import CUT_OUTPUT, NO_TEXT, ONLY_A_PART, is_cut, shown_by_read


@pytest.mark.parametrize(
    "view",
    [
        "     1→a,b\n     2→\n     3→1,2",
        "     1\ta,b\n     2\t\n     3\t1,2\n",
        "1|a,b\n2|\n3|1,2",
        "<file>\n00001| a,b\n00002| \n00003| 1,2\n\n(End of file - total 3 lines)\n</file>",
        "a,b\n\n1,2",
        "     1→a,b\n     2→\n     3→1,2\n<system-reminder>\nBe brief.\n</system-reminder>\n",
    ],
)
def test_a_whole_view_is_the_file(view: str) -> None:
    assert shown_by_read(view, {"file_path": "a.csv"}, {}).text == "a,b\n\n1,2\n"


def test_lines_that_only_look_numbered_stay() -> None:
    for text in ("1|x\n3|y\n", "1: one\nno number\n"):
        assert shown_by_read(text, {}, {}).text == text


@pytest.mark.parametrize(
    ("output", "arguments", "data", "why"),
    [
        ("1→a", {"offset": 10}, {}, ONLY_A_PART),
        ("1→a", {"limit": 10}, {}, ONLY_A_PART),
        ("1→a", {"view_range": [1, 5]}, {}, ONLY_A_PART),
        ("a\n... [120 lines truncated] ...\nb", {}, {}, CUT_OUTPUT),
        ("a\n(File has more lines. Use 'offset' parameter to read beyond)", {}, {}, CUT_OUTPUT),
        ("<tool_use_error>no such file</tool_use_error>", {}, {}, NO_TEXT),
        ("File unchanged since last read.", {}, {}, NO_TEXT),
        ("1→a", {}, {"file": {"content": "a", "numLines": 1, "totalLines": 9}}, ONLY_A_PART),
    ],
)  # fmt: skip
def test_a_part_is_never_taken_for_the_whole(
    output: str, arguments: dict[str, Any], data: dict[str, Any], why: str
) -> None:
    assert shown_by_read(output, arguments, data) == (None, why)


def test_the_agents_own_copy_of_the_file_is_believed() -> None:
    data = {"file": {"content": "a\nb\n", "numLines": 2, "startLine": 1, "totalLines": 2}}
    assert shown_by_read("Read 2 lines", {}, data).text == "a\nb\n"


def test_a_cut_is_seen_wherever_it_is_said() -> None:
    assert is_cut("x" * 50_000 + "…123 tokens truncated…" + "y" * 50_000)
    assert not is_cut("the statement was truncated by the parser; 3 rows omitted")


def test_edits_are_applied_in_their_order() -> None:
    assert edited("a b a", {"old_string": "a", "new_string": "c"}) == "c b a"
    assert edited("a b a", {"old_string": "a", "new_string": "c", "replace_all": True}) == "c b c"
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}]
    assert edited("a", {"edits": edits}) == "c"
    assert edited("x", {"old_string": "a", "new_string": "c"}) is None


PATCH = """*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: src/a.py
@@ def f():
 def f():
-    return 1
+    return 2
@@
 tail
+more
*** Delete File: old.txt
*** Update File: b.py
*** Move to: c.py
@@
-x
+y
*** End Patch"""


def test_a_patch_is_read_file_by_file() -> None:
    added, updated, deleted, moved = patches_in(f"apply_patch <<'EOF'\n{PATCH}\nEOF")
    assert added == FilePatch("new.txt", added="one\ntwo\n")
    assert (deleted.path, deleted.deletes) == ("old.txt", True)
    assert (moved.path, moved.moves_to, moved.hunks) == ("b.py", "c.py", (("x", "y"),))
    before = "def g():\n    return 1\ndef f():\n    return 1\ntail\n"
    after = "def g():\n    return 1\ndef f():\n    return 2\ntail\nmore\n"
    assert patched(before, updated) == after
    assert patched("something else\n", updated) is None
    assert patches_in("no patch") == []


def test_a_hunk_matches_whole_lines_only() -> None:
    (patch,) = patches_in("*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch")
    assert patched("xx\nx\n", patch) == "xx\ny\n"
