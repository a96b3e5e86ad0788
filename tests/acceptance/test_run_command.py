"""`hermes run` over real HTTP, in both wire formats: what works, and what a bad day looks like."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes import settings
from hermes.app import open_home
from hermes.cli.main import main
from hermes.records.trajectory import Step, TrajectoryState
from hermes.store.tables.outbox import OutboxTable
from hermes.testing.agents import run_of
from hermes.testing.model_servers import (
    BreaksOff,
    Calls,
    Fails,
    Garbage,
    Hangs,
    Reply,
    Says,
    ScriptedServer,
    Usage,
    anthropic_server,
    openai_server,
)

Server = Callable[..., ScriptedServer]
TASK = "how many lines of data.csv have amount > 100? write the number to out.txt"
COUNT = "awk -F, 'NR>1 && $2>100' data.csv | wc -l | tr -d ' ' > out.txt"


@dataclass(frozen=True)
class Ran:
    """How the command ended, what it printed, and what the record says."""

    code: int
    out: str
    err: str
    state: TrajectoryState | None
    steps: tuple[Step, ...]

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Desk:
    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project = root / "project"
        self.project.mkdir()
        (self.project / "data.csv").write_text("id,amount\n1,50\n2,150\n3,200\n")
        self.environ = {"HERMES_HOME": str(root / "home"), "HOME": str(root)}
        self._capsys = capsys
        main(["config", "set", "jobs.detach", "false"], self.environ)

    def run(self, *words: str, **environ: str) -> Ran:
        self._capsys.readouterr()
        code = main(["run", *words], {**self.environ, **environ})
        out, err = self._capsys.readouterr()
        with open_home(settings.load(self.environ)) as home:
            waiting = OutboxTable(home.database).pending()
            if not waiting:
                return Ran(code, out, err, None, ())
            run, steps = run_of(home, waiting[-1].trajectory_id)
        return Ran(code, out, err, run.state, tuple(steps))


@pytest.fixture
def desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    made = Desk(tmp_path, capsys)
    monkeypatch.chdir(made.project)
    return made


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> tuple[str, Server]:
    servers = {"openai": openai_server, "anthropic": anthropic_server}
    return request.param, servers[request.param]


def _model(wire: str, server: ScriptedServer) -> str:
    return f"{wire}:scripted@{server.url}"


def test_a_task_is_done_checked_and_recorded(desk: Desk, wire: tuple[str, Server]) -> None:
    name, serve = wire
    with serve(Calls("shell", {"command": COUNT}), Says("Two lines.")) as server:
        ran = desk.run(
            TASK,
            *("--model", _model(name, server), "--expect", "out.txt"),
            *("--verify", "grep -qx 2 out.txt", "--json"),
        )
    assert ran.code == 0
    assert ran.json["succeeded"] is True
    assert ran.json["answer"].strip() == "Two lines."
    assert (ran.json["steps"], ran.json["verified"]) == (2, True)
    assert ran.state is TrajectoryState.FINISHED
    assert (desk.project / "out.txt").read_text() == "2\n"
    assert ran.steps[2].artefacts[0].name == "out.txt"


def test_a_check_that_fails_is_the_exit_code(desk: Desk) -> None:
    with openai_server(Says("I wrote it.")) as server:
        ran = desk.run(TASK, "--model", _model("openai", server), "--expect", "out.txt")
    assert ran.code == 1
    assert "out.txt was not written" in ran.err
    assert ran.out.strip() == "I wrote it."
    assert ran.steps[-1].metadata["verify"] == {"command": "--expect out.txt", "ok": False}


def test_a_file_is_compared_with_one_the_run_left_alone(desk: Desk) -> None:
    (desk.project / "wanted.txt").write_text("2\n")
    with openai_server(Calls("shell", {"command": COUNT}), Says("ok")) as server:
        ran = desk.run(TASK, "--model", _model("openai", server), "--expect", "out.txt=wanted.txt")
    assert (ran.code, ran.steps[-1].content) == (0, "out.txt is as expected")
    cheat = "echo 7 > out.txt; echo 7 > wanted.txt"
    with openai_server(Calls("shell", {"command": cheat}), Says("ok")) as server:
        ran = desk.run(TASK, "--model", _model("openai", server), "--expect", "out.txt=wanted.txt")
    assert ran.code == 1
    assert "changed by the run itself" in ran.err


def test_the_task_may_come_by_stdin(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("say hello"))
    with openai_server(Says("hello")) as server:
        ran = desk.run("-", "--model", _model("openai", server))
    assert (ran.code, ran.out.strip()) == (0, "hello")
    assert ran.steps[0].content == "say hello"


def test_the_environment_names_the_model(desk: Desk) -> None:
    ran = desk.run(TASK, LLM_PROVIDER="openai", DEFAULT_MODEL="gpt-4o")
    assert ran.code == 1
    assert "openai:gpt-4o needs a key" in ran.err
    assert "OPENAI_API_KEY" in ran.err
    assert ran.state is None


def test_the_environment_names_model_and_key(desk: Desk) -> None:
    with openai_server(Says("hello")) as server:
        named = {"LLM_PROVIDER": "openai", "DEFAULT_MODEL": f"m@{server.url}"}
        ran = desk.run(TASK, **named, OPENAI_API_KEY="a-key-of-mine")
    assert (ran.code, ran.out.strip()) == (0, "hello")
    assert server.keys == ["a-key-of-mine"]
    assert "a-key-of-mine" not in str(ran)


def test_a_file_that_is_handed_over_has_to_be_there(desk: Desk) -> None:
    with openai_server() as server:
        model = _model("openai", server)
        missing = desk.run(TASK, "--model", model, "--input", "nothing.csv")
        outside = desk.run(TASK, "--model", model, "--input", "../home/loop/config.yaml")
    assert (missing.code, "there is no file nothing.csv" in missing.err) == (1, True)
    assert (outside.code, "lies outside the project" in outside.err) == (1, True)
    assert missing.state is None


@pytest.mark.parametrize("steps", ["0", "-3", "many"])
def test_no_steps_at_all_is_wrong_usage(desk: Desk, steps: str) -> None:
    assert desk.run(TASK, f"--max-steps={steps}").code == 2


def test_a_task_that_is_no_text_is_wrong_usage(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00"), "utf-8"))
    ran = desk.run("-")
    assert (ran.code, "is no text" in ran.err) == (2, True)
    assert desk.run("  \n").code == 2


LIMITS: dict[str, tuple[str, Calls]] = {
    "max_steps": ("3", Calls("list_files", {"pattern": "*.csv"})),
    "max_tokens": ("50", Calls("list_files", {}, Usage(input=40, output=20))),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_stops_and_names_its_setting(desk: Desk, limit: str) -> None:
    value, reply = LIMITS[limit]
    main(["config", "set", f"limits.{limit}", value], desk.environ)
    times = 3 if limit == "max_steps" else 1
    with openai_server(*[reply] * times) as server:
        ran = desk.run(TASK, "--model", f"openai:gpt-4o@{server.url}", "--json")
    assert (ran.code, ran.json["end"]) == (1, "stopped")
    assert f"limits.{limit}" in ran.json["reason"]
    assert ran.state is TrajectoryState.INTERRUPTED
    assert ran.steps[-1].metadata["end"] == "stopped"


def test_a_limit_of_money_that_cannot_be_kept_is_told_before_the_first_request(desk: Desk) -> None:
    main(["config", "set", "limits.max_cost_usd", "0.01"], desk.environ)
    with openai_server() as server:
        ran = desk.run(TASK, "--model", _model("openai", server))
    assert (ran.code, ran.state) == (1, None)
    assert "the price of own-server:scripted" in ran.err


def test_what_a_step_cost_is_in_the_record(desk: Desk) -> None:
    replies: list[Reply] = [
        Calls("list_files", {}, Usage(input=900, output=100, cached=400)),
        Says("One file."),
    ]
    with openai_server(*replies) as server:
        ran = desk.run(TASK, "--model", f"openai:gpt-4o@{server.url}", "--json")
    call, answer = ran.steps[1], ran.steps[2]
    told = ("tokens", "input_tokens", "cached_tokens", "output_tokens")
    assert [call.metadata[one] for one in told] == [1000, 900, 400, 100]
    assert not {*told} & {*answer.metadata}
    assert ran.json["cost_usd"] is None  # nobody knows what this server takes
    assert [step.timestamp for step in ran.steps] == sorted(step.timestamp for step in ran.steps)


def test_calls_of_one_name_are_told_apart(desk: Desk, wire: tuple[str, Server]) -> None:
    """The scripted servers name a call after its tool, as small servers do."""
    name, serve = wire
    replies = [Calls("shell", {"command": f"echo {n}"}) for n in range(3)]
    with serve(*replies, Says("Three.")) as server:
        ran = desk.run(TASK, "--model", _model(name, server))
    assert ran.code == 0, ran.err
    pairs: dict[object, list[str]] = {}
    for step in ran.steps:
        if call_id := step.metadata.get("call_id"):
            pairs.setdefault(call_id, []).append(step.content.strip())
    assert list(pairs.values()) == [[f"shell: echo {n}", str(n)] for n in range(3)]


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("nonsense", "names no model"),
        ("parrot:polly", "no provider"),
        ("local:../../etc/passwd", "no name of a model file"),
        ("openai:", "names no model"),
    ],
)
def test_an_unknown_model_is_one_clear_line(desk: Desk, model: str, told: str) -> None:
    ran = desk.run(TASK, "--model", model)
    assert ran.code == 1
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_no_model_says_how_to_get_one(desk: Desk) -> None:
    ran = desk.run(TASK)
    assert ran.code == 1
    assert "hermes model use" in ran.err


BAD_DAYS: dict[str, tuple[list[Reply], str]] = {
    "wrong key": ([Fails(401, "bad key", "invalid_api_key")], "does not accept the key"),
    "unknown": ([Fails(404, "no such model", "model_not_found")], "is not there"),
    "garbage": ([Garbage(), Garbage()], "no answer"),
    "breaks off": ([BreaksOff("Two")], "answer"),
    "fails in the middle": ([Fails(500, "out of order", in_stream="Two")], "out of order"),
    "says nothing": ([Says(""), Says("  ")], "answered nothing, twice"),
}


@pytest.mark.parametrize("day", BAD_DAYS)
def test_a_bad_day_is_told_and_the_record_is_true(
    desk: Desk, wire: tuple[str, Server], day: str
) -> None:
    name, serve = wire
    replies, told = BAD_DAYS[day]
    with serve(*replies) as server:
        ran = desk.run(TASK, "--model", _model(name, server))
    assert ran.code == 1
    assert told in ran.err
    assert ran.state is TrajectoryState.INTERRUPTED
    assert ran.steps[0].content == TASK
    assert ran.steps[-1].metadata["end"] == "failed"
    assert told in ran.steps[-1].content


def test_a_server_that_is_not_there(desk: Desk) -> None:
    ran = desk.run(TASK, "--model", "openai:m@http://127.0.0.1:9/v1")
    assert ran.code == 1
    assert "no connection" in ran.err
    assert ran.state is TrajectoryState.INTERRUPTED


def test_a_server_that_hangs_is_given_up_on(desk: Desk) -> None:
    main(["config", "set", "limits.answer_timeout_s", "1"], desk.environ)
    with openai_server(Hangs(), Hangs()) as server:
        ran = desk.run(TASK, "--model", _model("openai", server))
    assert ran.code == 1
    assert "silent for too long" in ran.err
    assert ran.state is TrajectoryState.INTERRUPTED


def test_a_model_that_calls_for_nonsense_is_told_so_and_goes_on(
    desk: Desk, wire: tuple[str, Server]
) -> None:
    name, serve = wire
    replies = [
        Calls("shell", '{"command": ') if name == "openai" else Calls("shell", {"cmd": 1}),
        Calls("teleport", {"to": "Mars"}),
        Calls("shell", {"command": ""}),
        Says("I could not."),
    ]
    with serve(*replies) as server:
        ran = desk.run(TASK, "--model", _model(name, server))
    assert ran.code == 0
    failed = [step for step in ran.steps if step.metadata.get("error")]
    assert len(failed) == 3
    assert "There is no tool 'teleport'" in failed[1].content


def test_an_endless_loop_ends(desk: Desk) -> None:
    with openai_server(*(Calls("list_files", {}) for _ in range(5))) as server:
        ran = desk.run(TASK, "--model", _model("openai", server))
    assert ran.code == 1
    assert "5 times with the same outcome" in ran.err
    assert ran.state is TrajectoryState.INTERRUPTED


def test_a_command_that_never_ends_is_killed_and_one_that_floods_is_cut(desk: Desk) -> None:
    replies: list[Reply] = [
        Calls("shell", {"command": "sleep 1000", "seconds": 1}),
        Calls("shell", {"command": "yes | head -c 100000000"}),
        Says("Neither worked."),
    ]
    with openai_server(*replies) as server:
        ran = desk.run(TASK, "--model", _model("openai", server))
    assert ran.code == 0
    answers = [step for step in ran.steps if "error" in step.metadata]
    assert "killed" in answers[0].content
    assert len(answers[1].content) < 70_000


def test_a_home_that_cannot_be_written_is_one_clear_line(desk: Desk, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    with openai_server() as server:
        ran_code = main(
            ["run", TASK, "--model", _model("openai", server)],
            {"HERMES_HOME": str(blocked), "HOME": str(tmp_path)},
        )
    assert ran_code == 1


def test_a_worker_that_cannot_be_started_does_not_make_the_run_a_failure(desk: Desk) -> None:
    main(["config", "set", "jobs.detach", "true"], desk.environ)
    Path(desk.environ["HERMES_HOME"], "loop", "logs").write_text("no folder")
    with openai_server(Says("Two.")) as server:
        ran = desk.run("how many?", "--model", _model("openai", server))
    assert (ran.code, ran.out.strip()) == (0, "Two.")
    assert "the run is recorded" in ran.err


def test_nobody_is_asked_by_a_script(desk: Desk) -> None:
    replies: list[Reply] = [
        Calls("shell", {"command": "curl http://example.org", "network": ["example.org"]}),
        Calls("shell", {"command": "id", "outside_sandbox": True}),
        Says("Denied."),
    ]
    with openai_server(*replies) as server:
        ran = desk.run(TASK, "--model", _model("openai", server))
    denied = [step.content for step in ran.steps if step.metadata.get("denied")]
    assert len(denied) == 2
    assert all("nobody is there to allow it" in one for one in denied)
