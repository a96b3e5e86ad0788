"""Opening a home again in one process, as each job of a worker does, keeps the locks of the first.

Closing any descriptor of a file lets go of every lock that the process has on it. Without its lock
a connection does not count: the next process that closes takes the write-ahead log away from under
it, and what is written then is lost, or the file is malformed.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from hermes.store.open import open_database
from hermes.testing import samples
from hermes.testing.store import store_ports

_ANOTHER = (
    "import sys; from hermes.store.open import open_database; "
    "d = open_database(sys.argv[1]); d.all('count_outbox'); d.close()"
)


def test_the_log_of_an_open_database_stays_when_another_process_closes(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    with closing(open_database(str(path))) as first:
        store_ports(first).tasks.add(samples.task())
        with closing(open_database(str(path))) as second:
            second.all("count_outbox")
            subprocess.run([sys.executable, "-c", _ANOTHER, str(path)], check=True)
            assert Path(f"{path}-wal").exists()
            later = samples.task()
            store_ports(first).tasks.add(later)
    with closing(open_database(str(path))) as again:
        assert store_ports(again).tasks.get(later.id) == later
