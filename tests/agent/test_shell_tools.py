"""Shell and Python at work in a real sandbox: what they reach, what they are kept from, and who
may let them out."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.app.agent import AgentSession, Request
from hermes.cli.event_sentences import sentence
from hermes.errors import Refused
from hermes.records.trajectory import Step, StepType
from hermes.testing.agents import Answers, Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import Place
from hermes.testing.http_thread import HttpThread


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def ask(home: Home, project: Path, *calls: Call, asker: Answers | None = None) -> list[Step]:
    """What the calls were answered, as it is recorded."""
    session = session_of(home, ScriptedAgent(*calls, "Done."), project, asker=asker)
    return asked(home, session)


def asked(home: Home, session: AgentSession) -> list[Step]:
    try:
        turn = session.ask(Request(text="do it"), Watcher())
    finally:
        session.close()
    _, steps = run_of(home, turn.trajectory_id)
    return [step for step in steps if step.type is StepType.OBSERVATION]


def opened(root: Path, **environ: str) -> Home:
    return open_home(settings.load({"HERMES_HOME": str(root), "HOME": str(root), **environ}))


def sh(command: str, **more: object) -> Call:
    return Call("shell", {"command": command, **more})  # type: ignore[dict-item]


def test_a_command_says_how_it_ended(lone_home: Home, project: Path) -> None:
    good, bad, quiet, program, wrong = ask(
        lone_home,
        project,
        sh("echo out; echo err >&2; pwd"),
        sh("ls nope; exit 3"),
        sh("true"),
        Call("python", {"code": "import sys\nprint(6 * 7)\nsys.exit(0)"}),
        Call("python", {"code": "1/0"}),
    )
    assert good.content == f"out\n{project}\n\n[stderr]\nerr\n"
    assert (good.metadata["error"], good.metadata["exit_code"]) == (False, 0)
    assert "[exit code 3]" in bad.content
    assert (bad.metadata["error"], bad.metadata["exit_code"]) == (True, 3)
    assert quiet.content == "(no output)"
    assert program.content.strip() == "42"
    assert "ZeroDivisionError" in wrong.content
    assert wrong.metadata["error"] is True


def test_endless_commands_and_endless_output_are_ended_and_said_so(
    lone_home: Home, project: Path
) -> None:
    endless, flood = ask(
        lone_home,
        project,
        sh("(sleep 1000 &) ; sleep 1000", seconds=1),
        Call("python", {"code": "import sys\nfor _ in range(1600): sys.stdout.write('x' * 65536)"}),
    )
    assert "[killed: it took too much time]" in endless.content
    assert endless.metadata["error"] is True
    assert len(flood.content) < 70_000
    assert flood.metadata["truncated"] is True
    assert "too much output" in flood.content or "[cut: there was more]" in flood.content


def test_nothing_of_the_machine_is_there(
    lone_home: Home, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-this-is-ours")
    (tmp_path / "private.txt").write_text("private")
    (project / "out").symlink_to(tmp_path)
    reads = ask(
        lone_home,
        project,
        sh("env"),
        sh(f"cat {tmp_path}/private.txt"),
        sh("cat out/private.txt"),
        sh(f"ls {lone_home.settings.paths.loop_dir}"),
        Call("python", {"code": f"print(open({str(tmp_path / 'private.txt')!r}).read())"}),
        sh(f"echo x > {tmp_path}/written; echo x > out/written; touch /usr/x /etc/x"),
    )
    assert "sk-this-is-ours" not in reads[0].content
    assert all(step.metadata["error"] is True for step in reads[1:])
    assert "private\n" not in "".join(step.content for step in reads)
    assert not (tmp_path / "written").exists()


def _home_in(project: Path) -> Home:
    return Place(project / "deep" / "hh").open()


def test_a_home_inside_the_project_is_neither_read_nor_replaced(project: Path) -> None:
    home = _home_in(project)
    paths = home.settings.paths
    skill = paths.skills_dir / "mine" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine")
    (project / "way").symlink_to(paths.loop_dir)
    steps = ask(
        home,
        project,
        sh("cat deep/hh/loop/loop.db || ls deep/hh/loop/* || cat way/loop.db"),
        sh("echo evil > deep/hh/skills/mine/SKILL.md"),
        sh("mkdir deep/hh/skills/evil"),
        sh("mv deep/hh deep/h2 || mv deep deeper"),
        sh("rm -rf deep"),
        Call("python", {"code": "import shutil; shutil.move('deep/hh/skills', 'stolen')"}),
        Call("read_file", {"path": "deep/hh/loop/config.yaml"}),
        Call("read_file", {"path": "way/loop.db"}),
        Call("write_file", {"path": "deep/hh/skills/mine/SKILL.md", "content": "evil"}),
        Call("write_file", {"path": "deep/hh/loop/x", "content": "evil"}),
        Call("search_files", {"pattern": ".", "path": "deep/hh/loop"}),
    )
    assert [step.metadata["error"] for step in steps] == [True] * len(steps)
    assert skill.read_text() == "mine"
    assert [path.name for path in paths.skills_dir.iterdir()] == ["mine"]
    assert paths.database_file.is_file()
    home.close()
    _home_in(project).close()  # it still opens


def test_the_project_may_be_the_home_directory_itself(tmp_path: Path) -> None:
    person = tmp_path / "person"
    place = Place(person / ".hermes")
    home = place.open()
    (person / ".bashrc").write_text("mine")
    (person / ".ssh").mkdir()
    (person / ".ssh" / "id").write_text("key")
    skills = home.settings.paths.skills_dir
    steps = ask(
        home,
        person,
        sh("cat .hermes/loop/loop.db"),
        sh("echo evil >> .bashrc"),
        sh("cat .ssh/id"),
        sh("echo evil > .ssh/authorized_keys"),
        sh(f"mkdir -p {skills}/evil"),
        sh("mv .hermes .h"),
        Call("write_file", {"path": ".hermes/skills/evil/SKILL.md", "content": "x"}),
        Call("write_file", {"path": ".hermes/config.yaml", "content": "x"}),
    )
    assert [step.metadata["error"] for step in steps] == [True] * len(steps)
    assert (person / ".bashrc").read_text() == "mine"
    assert sorted(path.name for path in (person / ".ssh").iterdir()) == ["id"]
    assert not (skills / "evil").exists()
    fine = ask(home, person, sh("echo note > todo.txt"))
    assert fine[0].metadata["error"] is False
    home.close()


def test_the_home_itself_the_skills_and_the_loop_are_no_projects(lone_home: Home) -> None:
    paths = lone_home.settings.paths
    for folder in (paths.skills_dir, paths.loop_dir, paths.skills_dir / "one"):
        with pytest.raises(Refused, match="belongs to Hermes itself"):
            session_of(lone_home, ScriptedAgent(), folder)
    with pytest.raises(Refused, match="start it in a project's folder"):
        session_of(lone_home, ScriptedAgent(), Path("/usr"))


def test_a_database_elsewhere_is_as_hidden(tmp_path: Path, project: Path) -> None:
    home = opened(tmp_path / "home", PERSISTENT_DIR=str(project / "kept"))
    steps = ask(
        home,
        project,
        sh("cat kept/loop.db"),
        sh("rm -rf kept; mv kept away"),
        Call("read_file", {"path": "kept/loop.db"}),
    )
    assert [step.metadata["error"] for step in steps] == [True] * 3
    assert (project / "kept" / "loop.db").is_file()
    home.close()


def test_what_other_programs_obey_stays_as_it_is_anywhere_in_the_tree(
    lone_home: Home, project: Path
) -> None:
    guarded = [
        ".git/hooks/pre-commit",
        "vendor/lib/.git/config",
        "vendor/lib/.mcp.json",
        "packages/one/.claude/settings.json",
        ".envrc",
    ]
    for name in guarded:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("theirs")
    writes = [sh(f"echo evil > {name}") for name in guarded]
    tricks = [sh("mv .git g && mkdir -p .git/hooks"), sh("mv vendor v && mkdir vendor")]
    removal = sh("rm -rf packages/one/.claude && mkdir packages/one/.claude")
    steps = ask(lone_home, project, *writes, *tricks, removal)
    assert [step.metadata["error"] for step in steps] == [True] * len(steps)
    assert [(project / name).read_text() for name in guarded] == ["theirs"] * len(guarded)
    fine = ask(lone_home, project, sh("echo x > vendor/lib/code.py && echo y > .git/description"))
    assert fine[0].metadata["error"] is False


def test_what_would_be_obeyed_and_was_not_there_is_set_aside(
    lone_home: Home, project: Path
) -> None:
    made, again, hook = ask(
        lone_home,
        project,
        sh("echo evil > .mcp.json; mkdir .claude; echo evil > .claude/settings.json; echo ran"),
        Call("python", {"code": "open('.mcp.json', 'w').write('evil')"}),
        sh("git init -q . && echo evil > .git/hooks/pre-commit"),
    )
    for step in (made, again, hook):
        assert step.metadata["error"] is True
        assert "was renamed to" in step.content
    assert "ran" in made.content
    left = sorted(path.name for path in project.glob(".*"))
    assert left == [".claude.set-aside", ".git", ".mcp.json.set-aside", ".mcp.json.set-aside1"]
    assert not (project / ".git" / "hooks").exists()
    (fresh,) = ask(lone_home, project / "new", sh("git init -q . && git status --short"))
    assert fresh.metadata["error"] is False
    assert (project / "new" / ".git" / "hooks").is_dir()


def test_a_guarded_name_that_is_a_link_guards_what_it_leads_to(
    lone_home: Home, project: Path
) -> None:
    (project / "dotfiles").mkdir()
    (project / "dotfiles" / "bashrc").write_text("mine")
    (project / ".bashrc").symlink_to("dotfiles/bashrc")
    steps = ask(
        lone_home,
        project,
        sh("echo evil >> .bashrc"),
        sh("echo evil >> dotfiles/bashrc"),
        sh("mv dotfiles d && mkdir dotfiles"),
        Call("write_file", {"path": ".bashrc", "content": "evil"}),
        Call("write_file", {"path": "dotfiles/bashrc", "content": "evil"}),
    )
    assert [step.metadata["error"] for step in steps] == [True] * 5
    assert (project / "dotfiles" / "bashrc").read_text() == "mine"


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"a page")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def web() -> Iterator[str]:
    with HttpThread(ThreadingHTTPServer(("127.0.0.1", 0), _Page)) as server:
        yield f"127.0.0.1:{server.port}"


_FETCH = "python3 -c \"import urllib.request as u; print(u.urlopen('http://{}').read().decode())\""


@pytest.mark.parametrize(("answer", "why"), [(None, "nobody is there"), (False, "the user said")])
def test_no_network_where_nobody_says_yes(
    lone_home: Home, project: Path, web: str, answer: bool | None, why: str
) -> None:
    asker = Answers(answer)
    plain, denied, host = ask(
        lone_home,
        project,
        sh(_FETCH.format(web)),
        sh(_FETCH.format(web), network=[web]),
        sh("touch made", outside_sandbox=True),
        asker=asker,
    )
    assert plain.metadata["error"] is True
    assert "a page" not in plain.content
    for step in (denied, host):
        assert step.content.startswith(f"Denied: {why}")
        assert str(step.metadata["denied"]).startswith(why)
    assert not (project / "made").exists()
    assert len(asker.questions) == 2
    assert _FETCH.format(web) in asker.questions[0]
    assert web in asker.questions[0]
    assert lone_home.ledger.events.latest() == []


def test_a_grant_is_for_one_command_and_stays_on_record(
    home: Home, project: Path, web: str
) -> None:
    asker = Answers(True)
    granted, again, other = ask(
        home,
        project,
        sh(_FETCH.format(web), network=[web]),
        sh(_FETCH.format(web)),
        sh("true", network=["*"]),
        asker=asker,
    )
    assert "a page" in granted.content
    assert str(granted.metadata["granted"]).startswith(f"network to {web}, by ")
    assert again.metadata["error"] is True
    assert "without wildcards" in other.content
    assert len(asker.questions) == 1  # what cannot be granted is not asked for
    (event,) = [one for one in home.ledger.events.latest() if one.kind == "command.granted"]
    assert event.data["command"] == _FETCH.format(web)
    assert f"have a network to {web} for: python3 -c" in sentence(event, "")


def test_a_host_command_runs_after_a_yes_and_says_that_nothing_isolated_it(
    lone_home: Home, project: Path
) -> None:
    where = project.parent / "outside.txt"
    (step,) = ask(
        lone_home, project, sh(f"echo x > {where}", outside_sandbox=True), asker=Answers(True)
    )
    assert where.read_text() == "x\n"
    assert step.metadata["isolated"] == "no"
    (event,) = [one for one in lone_home.ledger.events.latest() if one.kind == "command.granted"]
    assert event.data["what"] == "host command"


def test_a_question_hides_nothing_of_the_command(lone_home: Home, project: Path) -> None:
    asker = Answers(False)
    ask(lone_home, project, sh("rm -rf /\x1b[2K\recho hi", outside_sandbox=True), asker=asker)
    assert "\x1b" not in asker.questions[0]
    assert "\r" not in asker.questions[0]
    assert "rm -rf /" in asker.questions[0]


def test_without_a_working_sandbox_nothing_runs(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No isolating backend is to be had, so the answer is no: never the bare host instead."""
    config = tmp_path / "home" / "loop" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("sandbox: {backend: docker}\n")
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
    home = opened(tmp_path / "home")
    steps = ask(
        home,
        project,
        sh("touch made"),
        Call("python", {"code": "open('made', 'w')"}),
        Call("write_file", {"path": "still.txt", "content": "files work"}),
    )
    for step in steps[:2]:
        assert "does not run here, for nothing would isolate it" in step.content
        assert step.metadata["error"] is True
    assert steps[2].metadata["error"] is False
    assert not (project / "made").exists()
    home.close()
