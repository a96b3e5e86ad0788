"""A search in a process that has loaded nothing yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_SEARCH = """
import sys

from hermes import settings
from hermes.app import open_home
from hermes.app.memory import open_memory


class Probe:
    name, dimensions = "probe", 4

    def embed(self, texts):
        loaded = sys.modules.get("numpy")
        print("whole" if loaded and not loaded.__spec__._initializing else "not whole")
        return [bytes(16) for _ in texts]


assert "numpy" not in sys.modules
with open_home(settings.load({"HERMES_HOME": sys.argv[1]})) as home:
    room = open_memory(home, embedder=Probe())
    room.recall.search("which port does staging use", scopes=["personal"])
    room.close()
"""


def test_numpy_is_whole_before_a_second_thread_asks_for_it(tmp_path: Path) -> None:
    """Its parts import each other: two threads that begin at once may get one without the rest."""
    words = [sys.executable, "-c", _SEARCH, str(tmp_path / "home")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("whole\n", "")
