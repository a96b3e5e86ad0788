"""Which moves of an example count, and as what."""

from __future__ import annotations

from hermes.rules.mine.deed import Deed, DeedKind
from hermes.rules.mine.deeds import done_in
from hermes.testing.recorded_work import RecordedWork

WRITES = "open('out.csv', 'w').write('x')\n"


def deeds(work: RecordedWork) -> tuple[Deed, ...]:
    return done_in(work.worked()).deeds


def test_looking_around_is_no_deed() -> None:
    work = RecordedWork("Sum").bash("ls -la").bash("cat a.csv | head -3").bash("git status")
    work.call("Read", "1,2", file_path="a.csv").call("Grep", "", pattern="x").call("TodoWrite")
    work.bash("python -c 'import csv; print(list(csv.reader(open(\"a.csv\"))))'")
    work.bash("sort a.csv > b.csv")
    assert [deed.text for deed in deeds(work)] == ["sort a.csv > b.csv"]


def test_program_written_and_run_is_one_deed_with_its_final_text() -> None:
    work = RecordedWork("Sum").write("/home/ann/proj/s.py", "value = 1\n" + WRITES)
    work.bash("python3 s.py", "ok").edit("/home/ann/proj/s.py", "value = 1", "value = 2")
    work.bash("cd /home/ann/proj && python3 s.py", "ok")
    (deed,) = deeds(work)
    assert deed.kind is DeedKind.PYTHON
    assert deed.text == "value = 2\n" + WRITES
    assert deed.steps == (2, 6, 8)


def test_patch_form_of_files_is_followed() -> None:
    added = (
        "*** Begin Patch\n*** Add File: s.py\n+a = 1\n+open('o.txt', 'w').write('a')\n*** End Patch"
    )
    changed = (
        "*** Begin Patch\n*** Update File: s.py\n@@\n-a = 1\n+a = 2\n"
        " open('o.txt', 'w').write('a')\n*** End Patch"
    )
    work = RecordedWork("Sum").call("apply_patch", input=added).call("apply_patch", input=changed)
    (deed,) = deeds(work.bash("python s.py"))
    assert deed.text == "a = 2\nopen('o.txt', 'w').write('a')\n"


def test_programs_come_in_many_wrappings() -> None:
    for command in (
        f"python3 - <<'EOF'\n{WRITES}EOF",
        f"python <<EOF\n{WRITES}EOF",
        f'python3 -c "{WRITES.strip()}"',
        f"cat > s.py <<'EOF'\n{WRITES}EOF\npython3 s.py",
    ):
        (deed,) = deeds(RecordedWork("Do").bash(command))
        assert (deed.kind, deed.text) == (DeedKind.PYTHON, WRITES), command
    (deed,) = deeds(RecordedWork("Do").call("execute_code", code=WRITES))
    assert (deed.kind, deed.text) == (DeedKind.PYTHON, WRITES)


def test_failed_attempt_and_the_one_before_a_better_one_are_left_out() -> None:
    work = RecordedWork("Do").bash("sort a.csv > b.csv", "no such file", failed=True)
    work.bash("sort -n A.csv > b.csv").bash("sort -r A.csv > b.csv")
    assert [deed.text for deed in deeds(work)] == ["sort -r A.csv > b.csv"]


def test_unreported_traceback_is_a_failure() -> None:
    trace = "Traceback (most recent call last):\nKeyError: 'x'"
    work = RecordedWork("Do").bash(f'python3 -c "{WRITES.strip()}" | tail', trace, failed=None)
    assert deeds(work) == ()


def test_chained_commands_are_single_deeds_unless_they_share_state() -> None:
    apart = RecordedWork("Do").bash("mkdir -p out && sort a.csv > out/b.csv; gzip -k out/b.csv")
    assert len(deeds(apart)) == 3
    together = RecordedWork("Do").bash("X=1\nfor f in *.csv; do sort $f > $f.s; done")
    assert len(deeds(together)) == 1


def test_installation_is_a_dependency_and_no_deed() -> None:
    work = RecordedWork("Do").bash("pip install pandas && sort a.csv > b.csv")
    assert [deed.text for deed in deeds(work)] == ["sort a.csv > b.csv"]


def test_where_nothing_is_written_the_answering_query_counts() -> None:
    work = RecordedWork("How many errors?").bash("grep -c INFO a.log", "900")
    work.bash("grep -c ERROR a.log", "17").answered("There are 17 errors.")
    assert [deed.text for deed in deeds(work)] == ["grep -c ERROR a.log"]


def test_checks_are_what_passed_after_the_work() -> None:
    work = RecordedWork("Do").bash("pytest -q", "1 failed", failed=True).bash("wc -l b.csv", "0")
    work.bash("sort a.csv > b.csv").bash("head b.csv", "1").bash("head other.csv", "1")
    work.bash("pytest -q", "3 passed")
    done = done_in(work.worked())
    assert [check.text for check in done.checks] == ["head b.csv", "pytest -q"]


def test_file_content_that_a_tool_showed_is_never_a_program() -> None:
    work = RecordedWork("Do").call("Read", WRITES, file_path="/home/ann/proj/s.py")
    (deed,) = deeds(work.bash("python s.py"))
    assert (deed.kind, deed.text) == (DeedKind.SHELL, "python s.py")
