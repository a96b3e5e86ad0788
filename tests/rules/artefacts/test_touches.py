"""Calls in a session → what is known of its files, version by version."""

from __future__ import annotations

from typing import Any

import pytest

from hermes.records.artefact import ArtefactRole
from hermes.rules.actions.reading import action_of
from hermes.rules.artefacts.ledger import (
    CHANGED_UNSEEN,
    MAYBE_WRITTEN,
    NOT_SHOWN,
    FileLedger,
    Touch,
)
from hermes.rules.artefacts.scripts import ADDED_TO
from hermes.rules.artefacts.shown import CUT_OUTPUT, ONLY_A_PART
from hermes.rules.artefacts.touches import NOT_BEFORE, Done, FileWatch

CWD = "/home/ann/proj"
READ, WRITTEN = ArtefactRole.READ, ArtefactRole.WRITTEN


class Session:
    def __init__(self) -> None:
        self.ledger = FileLedger()
        self.watch = FileWatch(CWD, self.ledger)
        self.ledger.begin_task()

    def does(
        self, tool: str, output: str | None = "", failed: bool = False, **arguments: Any
    ) -> list[Touch]:
        data = arguments.pop("data", {})
        action = action_of(tool, arguments)
        return self.watch.touches(Done(action=action, output=output, failed=failed, data=data))

    def bash(self, command: str, output: str | None = "", **more: Any) -> list[Touch]:
        return self.does("Bash", output, command=command, **more)

    def given(self) -> dict[str, bytes | str | None]:
        """What the task was given: its content, or why that is not known."""
        return {touch.name: touch.data or touch.why for touch in self.ledger.given()}


@pytest.fixture
def session() -> Session:
    return Session()


def _plain(touches: list[Touch]) -> list[tuple[str, ArtefactRole, bytes | None]]:
    return [(touch.name, touch.role, touch.data) for touch in touches]


def test_what_was_read_first_was_given(session: Session) -> None:
    touches = session.does("Read", "     1→a", file_path=f"{CWD}/data/jan.csv")
    assert _plain(touches) == [("data/jan.csv", READ, b"a\n")]
    session.does("Write", "ok", file_path=f"{CWD}/out.md", content="x")
    session.does("Read", "     1→x", file_path=f"{CWD}/out.md")
    assert session.given() == {"data/jan.csv": b"a\n"}


def test_what_a_view_cannot_show_a_write_could(session: Session) -> None:
    session.does("Write", "ok", file_path="a.txt", content="no line end")
    (seen,) = session.does("Read", "1→no line end", file_path="a.txt")
    assert seen.data == b"no line end"


def test_a_part_of_a_file_is_not_the_file(session: Session) -> None:
    (touch,) = session.does("Read", "1→a", file_path="a.txt", limit=1)
    assert (touch.data, touch.why) == (None, ONLY_A_PART)
    assert session.given() == {"a.txt": NOT_SHOWN}
    session.bash("head -n 3 b.txt", "x")
    session.bash("cat c.txt", "x\n... [5 lines truncated] ...\ny")
    assert session.given().keys() == {"a.txt", "b.txt", "c.txt"}
    (cut,) = session.bash("cat c.txt", "x\n... [5 lines truncated] ...\ny")
    assert cut.why == CUT_OUTPUT


def test_an_input_is_known_once_it_is_shown(session: Session) -> None:
    session.bash("sort data.csv > sorted.csv")
    assert session.given() == {"data.csv": NOT_SHOWN}
    session.bash("cat data.csv", "b\na")
    assert session.given() == {"data.csv": b"b\na\n"}


def test_a_result_is_known_once_it_is_shown(session: Session) -> None:
    (read, result) = session.bash("sort data.csv > sorted.csv")
    assert _plain([read, result]) == [("data.csv", READ, None), ("sorted.csv", WRITTEN, None)]
    session.bash("cd /home/ann/proj && cat sorted.csv", "a\nb")
    assert result.data == b"a\nb\n"
    later = session.bash("sort -r data.csv > sorted.csv")[1]
    assert later.data is None, "the second version was not seen"
    assert result.data == b"a\nb\n"


@pytest.mark.parametrize(
    ("command", "content"),
    [
        ("cat > f.txt <<'EOF'\none\n$two\nEOF", b"one\n$two\n"),
        ("tee f.txt <<'EOF' > /dev/null\none\nEOF", b"one\n"),
        ("cat <<'EOF' | tee f.txt\none\nEOF", None),
        ("echo 'a  b' c > f.txt", b"a  b c\n"),
        ("echo -n x > f.txt", None),
        ("printf 'a' > f.txt", None),
        ("date > f.txt", None),
        (": > f.txt", b""),
    ],
)
def test_what_a_command_writes(session: Session, command: str, content: bytes | None) -> None:
    touches = session.bash(command)
    assert _plain(touches)[-1] == ("f.txt", WRITTEN, content)
    assert session.given() == {}


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("tail -n +2 a.csv", {"a.csv"}),
        ("tail +2 a.csv", {"a.csv"}),
        ("head -5 a.csv b.csv", {"a.csv", "b.csv"}),
        ("sort -t , -k 2 a.csv", {"a.csv"}),
        ("cut -d , -f 1 a.csv | sort | uniq -c", {"a.csv"}),
        ("awk -F , -v min=400 '$9 >= min { print $7 }' a.log", {"a.log"}),
        ("awk -f p.awk a.log", {"p.awk", "a.log"}),
        ("grep -c 'b c' a.log", {"a.log"}),
        ("grep -e x a.log", {"a.log"}),
        ("jq '.a[] | .b' a.json", {"a.json"}),
        ("wc -l < a.csv", {"a.csv"}),
    ],
)
def test_which_words_of_a_command_are_files(session: Session, command: str, read: set[str]) -> None:
    touches = session.bash(command)
    assert {touch.name for touch in touches if touch.role is READ} == read
    assert session.given().keys() == read


def test_a_sort_onto_its_own_file(session: Session) -> None:
    read, written = session.bash("sort -o a.csv a.csv")
    assert (read.role, written.role, written.name) == (READ, WRITTEN, "a.csv")
    assert session.given() == {"a.csv": NOT_SHOWN}


def test_adding_to_a_file(session: Session) -> None:
    (unknown,) = session.bash("echo x >> log.txt")
    assert (unknown.data, unknown.why) == (None, ADDED_TO)
    assert session.given() == {"log.txt": NOT_SHOWN}
    session.bash("echo a > own.txt")
    (known,) = session.bash("echo b >> own.txt")
    assert known.data == b"a\nb\n"


def test_an_edit_changes_what_was_given(session: Session) -> None:
    session.does("Read", "1→a = 1\n2→b = 2", file_path="m.py")
    (touch,) = session.does("Edit", "ok", file_path="m.py", old_string="1", new_string="3")
    assert touch.data == b"a = 3\nb = 2\n"
    assert session.given() == {"m.py": b"a = 1\nb = 2\n"}
    (unknown,) = session.does("Edit", "ok", file_path="n.py", old_string="1", new_string="3")
    assert (unknown.data, unknown.why) == (None, NOT_BEFORE)
    (told,) = session.does(
        "Edit", "ok", file_path="o.py", old_string="1", new_string="3", data={"originalFile": "1\n"}
    )
    assert told.data == b"3\n"
    assert session.given()["o.py"] == b"1\n"


def test_a_patch_adds_changes_moves_and_deletes(session: Session) -> None:
    session.bash("cat b.txt", "x")
    patch = "*** Begin Patch\n*** Add File: a.txt\n+new\n*** Update File: b.txt\n@@\n-x\n+y\n"
    touches = session.does("apply_patch", "ok", input=f"{patch}*** End Patch")
    assert _plain(touches) == [("a.txt", WRITTEN, b"new\n"), ("b.txt", WRITTEN, b"y\n")]
    assert session.given() == {"b.txt": b"x\n"}
    moving = (
        "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-y\n+z\n*** End Patch"
    )
    touches = session.does(
        "shell", "ok", command=["bash", "-lc", f"apply_patch <<'E'\n{moving}\nE"]
    )
    assert _plain(touches)[-1] == ("c.txt", WRITTEN, b"z\n")


def test_copies_and_moves(session: Session) -> None:
    session.bash("cat a.txt", "x")
    assert _plain(session.bash("cp a.txt b.txt"))[-1] == ("b.txt", WRITTEN, b"x\n")
    session.bash("rm a.txt")
    (gone,) = session.bash("sort a.txt")
    assert gone.data is None


def test_a_python_program_tells_its_files(session: Session) -> None:
    code = "rows = list(csv.reader(open('in.csv')))\njson.dump(rows, open('o.json', 'w'))\n"
    touches = session.bash(f"python3 - <<'EOF'\n{code}EOF")
    assert _plain(touches) == [("in.csv", READ, None), ("o.json", WRITTEN, None)]
    copying = "import sys\nopen(sys.argv[2], 'w').write(open(sys.argv[1]).read())"
    session.bash(f"cat > run.py <<'EOF'\n{copying}\nEOF")
    touches = session.bash("python run.py jan.csv feb.csv")
    assert [(touch.name, touch.role) for touch in touches] == [
        ("run.py", READ),
        ("jan.csv", READ),
        ("feb.csv", WRITTEN),
    ]
    assert "run.py" not in session.given()
    assert _plain(session.does("execute_code", "", code="open('z.txt')")) == [("z.txt", READ, None)]


def test_an_unknown_program_may_read_or_write(session: Session) -> None:
    """A result that is laid out as an input would prove everything."""
    session.bash("./convert in.csv out.json")
    session.bash("cat out.json", "{}")
    assert session.given() == {"out.json": MAYBE_WRITTEN}
    session.bash("ls", "data.csv notes.txt")
    session.bash("./convert data.csv --output sum.json")
    (result,) = [touch for touch in session.bash("cat sum.json", "{}") if touch.name == "sum.json"]
    assert result.data == b"{}\n"
    assert session.given() == {"out.json": MAYBE_WRITTEN, "data.csv": NOT_SHOWN}


def test_a_program_that_changes_its_input_wrote_it(session: Session) -> None:
    session.bash("cat data.csv", "b\na")
    (touch,) = session.bash("./tidy data.csv")
    assert touch.role is READ
    session.bash("cat data.csv", "a\nb")
    assert (touch.role, touch.data) == (WRITTEN, b"a\nb\n")
    assert session.given() == {"data.csv": b"b\na\n"}


def test_a_file_that_changed_between_tasks_is_not_believed(session: Session) -> None:
    session.bash("cat data.csv", "old")
    session.ledger.begin_task()
    session.bash("wc data.csv", "1")
    assert session.given() == {"data.csv": b"old\n"}
    session.bash("cat data.csv", "new")
    assert session.given() == {"data.csv": CHANGED_UNSEEN}


def test_what_one_task_wrote_the_next_is_given(session: Session) -> None:
    session.bash("echo a > a.txt")
    session.ledger.begin_task()
    session.bash("sort a.txt")
    assert session.given() == {"a.txt": b"a\n"}


def test_what_failed_shows_and_writes_nothing(session: Session) -> None:
    assert session.does("Read", "no such file", failed=True, file_path="a.txt") == []
    assert session.does("Write", "denied", failed=True, file_path="a.txt", content="x") == []
    (touch,) = session.bash("cat a.txt", "cat: a.txt: No such file", failed=True)
    assert touch.data is None


def test_output_of_several_commands_is_nobodys_file(session: Session) -> None:
    (touch,) = session.bash("date && cat a.txt", "today\nx")
    assert touch.data is None
    first, second = session.bash("cat a.txt b.txt", "x\ny")
    assert (first.data, second.data) == (None, None)
    assert session.bash("cat a.txt | tr a b", "x")[0].data is None


def test_devices_homes_and_unknown_tools_are_no_files(session: Session) -> None:
    assert session.bash("cat /dev/null ~/.bashrc $HOME/x > /dev/null") == []
    assert session.does("TodoWrite", "ok", todos=[]) == []
    session.does("Grep", "src/a.py:3: x", pattern="x")
    assert session.ledger.knows("src/a.py")


def test_a_file_elsewhere_keeps_its_whole_path(session: Session) -> None:
    (touch,) = session.bash("cd /srv && cat data.csv", "x")
    assert touch.name == "/srv/data.csv"


def test_a_session_that_shows_very_much_forgets(session: Session) -> None:
    for number in range(5):
        session.does("Write", "ok", file_path=f"{number}.txt", content="x" * 20_000_000)
    known = [session.ledger.text(f"{number}.txt") is not None for number in range(5)]
    assert known[-1]
    assert not all(known)
