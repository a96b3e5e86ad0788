"""`hermes trajectories search`: what was done before, with the place in it."""

from __future__ import annotations

from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.store import store_ports

from .conftest import ATTACK, Shell


def kept(shell: Shell, task: str, number: int = 1, said: str = "Done.") -> str:
    steps = ScriptedSteps().run("psql -h db1", "ECONNREFUSED db1:5432", exit_code=2).says(said)
    with shell.open() as home:
        return steps.kept(store_ports(home.database), task, number).id


def test_a_run_is_shown_with_the_words_marked(shell: Shell) -> None:
    run = kept(shell, "load the orders table")
    answer = shell("trajectories", "search", "ECONNREFUSED 5432")
    assert answer.code == 0
    first, second = answer.out.splitlines()
    assert first.startswith(f"{run}  ")
    assert first.endswith("  hermes  load the orders table")
    assert second == "└── step 2, tool output, failed: «ECONNREFUSED» db1:«5432»"
    assert answer.err == ""


def test_a_program_gets_the_places_of_the_marks(shell: Shell) -> None:
    run = kept(shell, "load the orders table")
    found = shell("trajectories", "search", "ECONNREFUSED", "-k", "1", "--json").json
    (hit,) = found["runs"]
    assert hit["trajectory_id"] == run
    (passage,) = hit["passages"]
    assert (passage["step_id"], passage["kind"]) == (2, "error")
    ((start, end),) = passage["snippet"]["marks"]
    assert passage["snippet"]["text"][start:end] == "ECONNREFUSED"
    assert found["unread"] == 0


def test_it_can_be_narrowed(shell: Shell) -> None:
    for number in (1, 2, 3):
        kept(shell, f"load the orders table {number}", number)
    assert len(shell("trajectories", "search", "orders", "-k", "2", "--json").json["runs"]) == 2
    for narrowed, count in ((("--agent", "codex"), 0), (("--since", "5000w"), 3)):
        answer = shell("trajectories", "search", "orders", *narrowed, "--json").json
        assert len(answer["runs"]) == count


def test_nothing_found_is_an_answer(shell: Shell) -> None:
    answer = shell("trajectories", "search", "narwhal")
    assert (answer.code, answer.out) == (0, "nothing in past work answers this\n")


def test_all_is_read_before_when_asked(shell: Shell) -> None:
    for number in range(1, 40):
        kept(shell, f"count tulips {number}", number)
    found = shell("trajectories", "search", "tulips", "-k", "50", "--catch-up", "--json").json
    assert (len(found["runs"]), found["unread"]) == (39, 0)


def test_what_a_run_says_cannot_command_the_terminal(shell: Shell) -> None:
    kept(shell, f"narwhal {ATTACK}", said=f"narwhal {ATTACK}")
    out = shell("trajectories", "search", "narwhal").out
    assert "narwhal" in out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_wrong_words_are_told(shell: Shell) -> None:
    for words in ((), (" ",), ("x", "-k", "0"), ("x", "--since", "yesterday")):
        answer = shell("trajectories", "search", *words)
        assert answer.code == 2
        assert len(answer.err.splitlines()) == 1
