"""What was typed before: kept for its owner, without credentials, whatever happens to the file."""

from __future__ import annotations

import stat
from pathlib import Path

from hermes.cli.chat.history import QuietHistory


def _history(file: Path) -> tuple[QuietHistory, list[str]]:
    told: list[str] = []
    return QuietHistory(file, told.append), told


def test_newest_first_with_all_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "data" / "chat_history"
    one, _ = _history(file)
    other, _ = _history(file)
    one.store_string("first\nof two lines")
    other.store_string("second ö")
    assert list(one.load_history_strings()) == ["second ö", "first\nof two lines"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_credentials_are_not_stored(tmp_path: Path) -> None:
    file = tmp_path / "chat_history"
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    _history(file)[0].store_string(f"push with {secret}")
    assert secret not in file.read_text()
    assert "push with" in file.read_text()


def test_broken_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "chat_history"
    file.write_bytes(b'"good"\n{"no": 1}\n"half\n\xff\xfe\n""\n"better"\n')
    assert list(_history(file)[0].load_history_strings()) == ["better", "good"]


def test_only_the_end_of_a_long_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "chat_history"
    file.write_text('"old"\n' + '"filling"\n' * 100_000 + '"new"\n')
    read = list(_history(file)[0].load_history_strings())
    assert read[0] == "new"
    assert "old" not in read


def test_a_file_that_cannot_be_used_is_told_once(tmp_path: Path) -> None:
    history, told = _history(tmp_path / "chat_history")
    (tmp_path / "chat_history").mkdir()
    assert list(history.load_history_strings()) == []
    history.store_string("hello")
    history.store_string("hello")
    assert len(told) == 1
    assert "is not kept" in told[0]
