"""What was seen of some folders is one question, and has one answer for each that was seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.library.index import Index, Seen


def seen(location: str, tree: str = "t") -> Seen:
    return Seen(location, location.rsplit("/", 1)[-1], "", tree, "head", "signature")


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index(tmp_path / "index.db")
    made.put([seen("a"), seen("tidy/ü b"), seen("/elsewhere/c")])
    return made


def test_only_those_that_were_asked_for(index: Index) -> None:
    assert index.some(["tidy/ü b", "/elsewhere/c", "unknown"]) == {
        "tidy/ü b": seen("tidy/ü b"),
        "/elsewhere/c": seen("/elsewhere/c"),
    }
    assert index.some([]) == {}
    assert index.get("a") == seen("a")
    assert index.get("unknown") is None
