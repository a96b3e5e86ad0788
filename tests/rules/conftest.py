"""Skills that were published, as folders in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.records.folder import FileContent, Folder

PUBLISHED = Path(__file__).parents[1] / "data" / "published"


@pytest.fixture
def published() -> Folder:
    """csv-sales-trend-analysis, byte for byte."""
    root = PUBLISHED / "csv-sales-trend-analysis"
    return Folder(
        {
            path.relative_to(root).as_posix(): FileContent(path.read_bytes())
            for path in root.rglob("*")
            if path.is_file()
        }
    )
