"""The nearest vectors in this process: by matrix, by graph, and from a file that can be lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hermes.errors import CorruptData
from hermes.memory.local_vectors import LocalVectors
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.testing import samples
from hermes.testing.store import StorePorts, store_ports

LABEL, DIMENSIONS = "random/16", 16
LIMIT = 50


def _vector(seed: int) -> bytes:
    row = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return bytes((row / np.linalg.norm(row)).tobytes())


def _fill(ports: StorePorts, count: int, scope: str = "personal", first: int = 0) -> list[str]:
    added = []
    with ports.transactions.transaction():
        for seed in range(first, first + count):
            kind = MemoryKind.SEMANTIC if seed % 10 else MemoryKind.DECLARATIVE
            memory = samples.memory(kind=kind, scope=scope)
            ports.memories.add(memory)
            ports.memory_words.put(memory.id, {}, str(seed))
            ports.memory_vectors.put(memory.id, LABEL, _vector(seed))
            added.append(memory.id)
    return added


@pytest.fixture
def ports(tmp_path: Path) -> StorePorts:
    return store_ports(open_database(tmp_path / "loop.db"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


def _local(ports: StorePorts, folder: Path) -> LocalVectors:
    words = ports.memory_words
    return LocalVectors(ports.memory_vectors, words, (LABEL, DIMENSIONS), folder, LIMIT)


def _first(local: LocalVectors, seed: int) -> float:
    return max(local.nearest(["personal"], _vector(seed), 5).cosines.values())


def test_the_nearest_come_with_their_cosines(ports: StorePorts, folder: Path) -> None:
    _fill(ports, 30)
    local = _local(ports, folder)
    found = local.nearest(["personal"], _vector(7), 3).cosines
    assert len(found) == 3
    assert max(found.values()) == pytest.approx(1.0, abs=1e-5)
    pairs = local.cosines(["personal"], _vector(7), list(found))
    assert {number: cosine for number, (cosine, _) in pairs.items()} == pytest.approx(found)
    assert all(cosine == seen for cosine, seen in pairs.values())
    assert local.nearest(["team:ops"], _vector(7), 3).mean is None
    assert local.cosines(["personal"], _vector(7), [10**9]) == {}
    assert local.nearest(["team:ops"], _vector(7), 3).cosines == {}


def test_a_rare_kind_fills_the_answer(ports: StorePorts, folder: Path) -> None:
    _fill(ports, 200)
    local = _local(ports, folder)
    assert local.build("personal")
    assert len(local.nearest(["personal"], _vector(3), 15, ["declarative"]).cosines) == 15
    assert local.nearest(["personal"], _vector(3), 15, ["episodic"]).cosines == {}


def test_graph_and_matrix_agree(ports: StorePorts, folder: Path) -> None:
    _fill(ports, 300)
    matrix, graph = _local(ports, folder), _local(ports, folder)
    assert graph.build("personal")
    for seed in range(0, 300, 30):
        exact = matrix.nearest(["personal"], _vector(seed), 10).cosines
        near = graph.nearest(["personal"], _vector(seed), 10).cosines
        assert len(exact.keys() & near.keys()) >= 9
        for number in exact.keys() & near.keys():
            assert near[number] == pytest.approx(exact[number], abs=0.01)


def test_a_small_scope_gets_no_graph(ports: StorePorts, folder: Path) -> None:
    _fill(ports, LIMIT)
    assert not _local(ports, folder).build("personal")
    assert not folder.exists()


def test_the_file_is_used_and_brought_up_to_date(ports: StorePorts, folder: Path) -> None:
    ids = _fill(ports, 100)
    _local(ports, folder).build("personal")
    _fill(ports, 5, first=500)
    ports.memories.delete(ids[7])
    again = _local(ports, folder)
    assert _first(again, 502) == pytest.approx(1.0, abs=0.01)
    assert _first(again, 7) < 0.99
    again.close()
    (file,) = folder.iterdir()
    assert json.loads(file.open("rb").readline())["count"] == 104


def _cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _flip_a_byte(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))


def _of_another_scope(file: Path) -> None:
    head, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(head.replace(b'"personal"', b'"team:ops"') + b"\n" + rest)


def _from_the_future(file: Path) -> None:
    head, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(json.dumps(json.loads(head) | {"generation": 10**9}).encode() + b"\n" + rest)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize(
    "harm", [Path.unlink, _empty, _cut_off, _flip_a_byte, _of_another_scope, _from_the_future]
)
def test_a_file_that_cannot_be_trusted_is_made_again(
    ports: StorePorts, folder: Path, harm: Callable[[Path], None]
) -> None:
    _fill(ports, 100)
    _local(ports, folder).build("personal")
    (file,) = folder.iterdir()
    harm(file)
    again = _local(ports, folder)
    assert _first(again, 42) == pytest.approx(1.0, abs=1e-5)  # the matrix: exact
    assert again.build("personal")
    assert _first(_local(ports, folder), 42) == pytest.approx(1.0, abs=0.01)


def test_a_death_while_building_leaves_the_old_file(ports: StorePorts, folder: Path) -> None:
    _fill(ports, 100)
    _local(ports, folder).build("personal")
    (file,) = folder.iterdir()
    before = file.read_bytes()
    file.with_suffix(".4242.tmp").write_bytes(before[:500])  # what a killed process leaves
    assert _first(_local(ports, folder), 42) == pytest.approx(1.0, abs=0.01)
    assert file.read_bytes() == before


def test_a_vector_of_the_wrong_length_is_damage(ports: StorePorts, folder: Path) -> None:
    memory = samples.memory()
    ports.memories.add(memory)
    ports.memory_vectors.put(memory.id, LABEL, b"\0\0\x80\x3f" * 3)
    with pytest.raises(CorruptData):
        _local(ports, folder).nearest(["personal"], _vector(1), 3)


def test_the_index_file_is_for_its_owner_only(ports: StorePorts, folder: Path) -> None:
    _fill(ports, 100)
    _local(ports, folder).build("personal")
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0


def test_an_older_database_in_its_place_is_read_anew(
    ports: StorePorts, folder: Path, tmp_path: Path
) -> None:
    _fill(ports, 20)
    local = _local(ports, folder)
    assert len(local.nearest(["personal"], _vector(1), 50).cosines) == 20
    database = ports.transactions
    assert isinstance(database, Database)
    database.ask("DELETE FROM memory_vectors WHERE number > 30")
    database.ask("UPDATE generation SET value = 31")
    assert len(local.nearest(["personal"], _vector(1), 50).cosines) < 20
