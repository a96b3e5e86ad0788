"""The default model file, for tests that run where it is.

HERMES_TEST_MODEL names it; else the models folder of the home is looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.models.known import DEFAULT


def _file() -> Path | None:
    named = os.environ.get("HERMES_TEST_MODEL")
    home = Path(os.environ.get("HERMES_HOME") or "~/.hermes").expanduser()
    file = Path(named) if named else home / "loop" / "models" / f"{DEFAULT.name}.gguf"
    return file if file.is_file() else None


NEEDS_MODEL_FILE = [
    pytest.mark.skipif(_file() is None, reason="the model file is not here: hermes model pull"),
    pytest.mark.timeout(1800),  # a small model on a busy machine takes its time
]


def model_file() -> Path:
    """For a test that is marked with the above."""
    file = _file()
    assert file is not None
    return file
