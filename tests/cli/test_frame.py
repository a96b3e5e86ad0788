"""The frame: every ending of a command has its exit code and at most one line on stderr."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from hermes.cli.command import Call, Command
from hermes.cli.main import main
from hermes.cli.table import COMMANDS, Entry
from hermes.errors import NotFound

Serve = Callable[..., int]


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """An environment of its own: what fails here must not leave a log in a person's home."""
    return {"HERMES_HOME": str(tmp_path)}


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Call `hermes sample …` where sample is the given command or group."""

    def call(command: object, *words: str, home: Path = tmp_path, **environ: str) -> int:
        module = ModuleType("sample_command")
        module.COMMAND = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "sample_command", module)
        commands = {"sample": Entry("sample_command", "try a thing", "hermes sample go")}
        return main(["sample", *words], {"HERMES_HOME": str(home), **environ}, commands)

    return call


def raising(error: BaseException) -> Command:
    def run(call: Call) -> None:
        raise error

    return Command(run=run)


def buffered(**environ: str) -> dict[str, str]:
    """The environment of a child whose output is buffered, as it is for everybody."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, **environ}


def process(*words: str, home: Path, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "hermes", *words],
        env=buffered(HERMES_HOME=str(home)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )


# Help and version.


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(
    words: list[str], nowhere: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words, nowhere) == 0
    out = capsys.readouterr().out
    for name, entry in COMMANDS.items():
        assert f"  {name}" in out
        assert entry.summary in out


def test_version(nowhere: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"], nowhere) == 0
    assert capsys.readouterr().out == "hermes-loop 0.1.0\n"


def test_every_listed_command_exists_with_summary_and_example(
    nowhere: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, entry in COMMANDS.items():
        assert main([name, "--help"], nowhere) == 0
        out = capsys.readouterr().out
        assert f"example: {entry.example}" in out
        assert entry.example.startswith(f"hermes {name}")
        target = __import__(entry.module, fromlist=["COMMAND"]).COMMAND
        for inner, command in {} if isinstance(target, Command) else target.items():
            assert main([name, inner, "--help"], nowhere) == 0
            out = capsys.readouterr().out
            assert command.summary
            assert f"example: hermes {name} {inner}" in out


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_of_a_group_builds_no_parser(
    word: str, serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    def explode(parser: ArgumentParser) -> None:
        raise AssertionError

    group = {"go": Command(run=lambda call: None, arguments=explode, summary="go there")}
    assert serve(group, word) == 0
    assert "  go  go there" in capsys.readouterr().out


def test_help_as_a_word(nowhere: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "config", "get"], nowhere) == 0
    assert capsys.readouterr().out.startswith("usage: hermes config get")


def test_only_the_chosen_parser_is_built(serve: Serve) -> None:
    built = []
    group = {
        name: Command(run=lambda call: None, arguments=lambda parser, n=name: built.append(n))
        for name in ("go", "stay")
    }
    assert serve(group, "go") == 0
    assert built == ["go"]


# Endings.


def test_codes_of_a_command_are_passed_on(serve: Serve) -> None:
    assert serve(Command(run=lambda call: None)) == 0
    assert serve(Command(run=lambda call: 1)) == 1


def test_our_errors_are_one_line(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(raising(NotFound("no\nskill \x1b[2J", hint="look"))) == 1
    assert capsys.readouterr().err == "hermes: no; skill \\x1b[2J (look)\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["canary"], "hermes: 'canary' is not a command of `hermes` (see `hermes --help`)"),
        (["confg"], "hermes: 'confg' is not a command of `hermes` (did you mean `hermes config`?)"),
        (["config", "sow"], "(did you mean `hermes config show`?)"),
        (["config"], "hermes config show|get|set: which one? (see `hermes config --help`)"),
        (["config", "get"], "arguments are required: KEY (see `hermes config get --help`)"),
        (["config", "get", "model", "--jso"], "unrecognized arguments: --jso"),
        (["--frobnicate"], "--frobnicate is not an option of `hermes`"),
        (["--home"], "--home needs a PATH"),
        (["help", "nothing"], "'nothing' is not a command"),
    ],
)
def test_wrong_usage(
    words: list[str], said: str, nowhere: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words, nowhere) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_interrupt_leaves_no_traceback(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(raising(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == ""


def test_a_crash_is_written_down(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = raising(RuntimeError("bad header Bearer sk-hush"))
    assert serve(command, OPENAI_API_KEY="sk-hush") == 1
    [log] = (tmp_path / "loop" / "logs").iterdir()
    line = capsys.readouterr().err
    assert line.startswith("hermes: unexpected RuntimeError: bad header Bearer ******** (")
    assert str(log) in line
    assert line.count("\n") == 1
    text = log.read_text()
    assert "Traceback" in text
    assert "command: sample" in text
    assert "hush" not in text
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_crash_without_a_place_for_its_log(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "file"
    home.write_text("")
    assert serve(raising(RuntimeError("boom")), home=home) == 1
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert said.endswith("no log could be written)\n")


def test_a_crash_is_logged_in_the_home_that_was_named_last(serve: Serve, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert serve(raising(RuntimeError("boom")), "--home", str(other)) == 1
    assert list((other / "loop" / "logs").iterdir())
    assert not (tmp_path / "loop").exists()


def test_a_reader_who_leaves(tmp_path: Path) -> None:
    child = process("config", "show", home=tmp_path)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    said = child.stderr.read()
    assert (child.wait(30), said) == (141, "")
    child.stderr.close()


def test_a_full_disk_behind_stdout(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hermes", "--version"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=buffered(),
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "hermes: the output cannot be written: No space left on device\n"


def test_closed_streams_do_not_matter(tmp_path: Path) -> None:
    script = f'"{sys.executable}" -m hermes --version >&- 2>&-'
    assert subprocess.run(["sh", "-c", script], check=False).returncode == 0


def test_ctrl_c_from_outside(tmp_path: Path) -> None:
    """While `config set` waits for another writer's lock."""
    import fcntl

    folder = tmp_path / "loop"
    folder.mkdir()
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # A shell starts what it runs in the background deaf to Ctrl-C, and the tests may be run so.
    listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    child = process("config", "set", "model", "a:b", home=tmp_path, preexec_fn=listens)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    os.close(lock)
    assert (child.returncode, said) == (130, "")


# What a command is given.


def test_settings_are_read_only_when_asked_for(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "config.yaml").write_text("nonsense: 1\n")
    assert serve(Command(run=lambda call: None)) == 0
    assert serve(Command(run=lambda call: call.settings and None)) == 1


@pytest.mark.parametrize("words", [["--home", "HERE"], ["--home=HERE"]])
def test_home_is_taken_from_anywhere(
    words: list[str], serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("HERE", str(tmp_path / "x")) for word in words]
    group = {"go": Command(run=lambda call: call.out.line(str(call.settings.paths.home)))}
    assert serve(group, "go", *given) == 0
    assert serve(group, *given, "go") == 0
    assert capsys.readouterr().out == f"{tmp_path / 'x'}\n" * 2


def test_words_behind_a_double_dash_are_left_alone(serve: Serve) -> None:
    seen = []
    command = Command(
        run=lambda call: seen.extend(call.args.words),
        arguments=lambda parser: parser.add_argument("words", nargs="*") and None,
    )
    assert serve(command, "--", "--home", "x") == 0
    assert seen == ["--home", "x"]


def test_nobody_is_asked_in_a_pipe(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    def run(call: Call) -> int:
        return int(call.confirm("Archive 3 skills?", instead="--yes"))

    assert serve(Command(run=run)) == 2
    assert "Archive 3 skills? Nobody is there to answer (pass --yes)" in capsys.readouterr().err


# The start budget.


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_the_start_imports_almost_nothing(word: str, tmp_path: Path) -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from hermes.cli.main import main; main(sys.argv[1:])\n"
        "heavy = {'argparse', 'dataclasses', 'typing', 'rich', 'yaml', 'json', 're', 'pathlib'}\n"
        "print(sorted(heavy & (set(sys.modules) - before)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, word], capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


def test_the_start_is_fast(tmp_path: Path) -> None:
    def cpu(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # The best of several: other work on the machine adds to a run, nothing takes away from it.
    best = min(cpu(sys.executable, "-m", "hermes", "--version") for _ in range(7))
    assert best <= 0.10
