"""A forked process is what `python -m` would have started, but for what it has loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from hermes.testing.forked import Forked, forked

_TELLS = """
import os, sys
print(sys.argv[1:], os.getcwd(), sorted(os.environ), sys.stdin.read(), os.getpid())
print("said", file=sys.stderr)
sys.exit(7)
"""
_WAITS = """
import signal
print("here", flush=True)
signal.pause()
"""


def _forked(folder: Path, program: str, *words: str) -> Forked:
    (folder / "ordered.py").write_text(program)
    (folder / "in").write_text("typed")
    with (
        (folder / "in").open() as typed,
        (folder / "out").open("w") as out,
        (folder / "err").open("w") as err,
    ):
        stdio = (typed.fileno(), out.fileno(), err.fileno())
        return forked(["ordered", *words], {"ONLY": "this"}, folder, stdio)


def test_it_has_its_own_words_folder_environment_and_files(tmp_path: Path) -> None:
    process = _forked(tmp_path, _TELLS, "--two", "words")
    assert process.wait(60) == 7
    assert process.poll() == 7
    told = f"['--two', 'words'] {tmp_path} ['ONLY'] typed {process.pid}\n"
    assert (tmp_path / "out").read_text() == told
    assert (tmp_path / "err").read_text() == "said\n"
    process.kill()  # of one that has ended is nobody's business


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_as_it_ends_any_process(tmp_path: Path, how: signal.Signals) -> None:
    process = _forked(tmp_path, _WAITS)
    while not (tmp_path / "out").read_text():
        assert process.poll() is None
        time.sleep(0.01)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(how)
    assert process.wait(60) == -how
    assert ("KeyboardInterrupt" in (tmp_path / "err").read_text()) is (how is signal.SIGINT)


def test_its_ids_are_its_own(tmp_path: Path) -> None:
    """What two processes drew from the same beginning would be the same."""
    program = "import random, uuid\nfrom hermes.ids import new_id\n"
    program += "print(random.random(), uuid.uuid4(), new_id('run'))\n"
    drawn = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        assert _forked(tmp_path / name, program).wait(60) == 0
        drawn += (tmp_path / name / "out").read_text().split()
    assert len(set(drawn)) == 6


def test_on_a_terminal_it_hears_the_keys(tmp_path: Path) -> None:
    (tmp_path / "ordered.py").write_text(_WAITS)
    ours, its = os.openpty()
    process = forked(["ordered"], os.environ, tmp_path, (its, its, its), is_terminal=True)
    os.close(its)
    assert os.read(ours, 100).strip() == b"here"
    os.write(ours, b"\x03")
    assert process.wait(60) == -signal.SIGINT
    os.close(ours)
