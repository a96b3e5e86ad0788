"""Folders of ours, made when they are first needed: reading the settings must not need a disk."""

from __future__ import annotations

import os

from hermes.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_ELSEWHERE = "point HERMES_HOME, PERSISTENT_DIR or --home to a folder that can be written"


def private_folder(folder: Path) -> Path:
    """Make the folder, for its owner only; a ConfigError says why it cannot be used."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise not_a_folder(folder) from None
    except OSError as error:
        raise ConfigError(f"{folder}: {error.strerror}", hint=_ELSEWHERE) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"{folder}: cannot be written", hint=_ELSEWHERE)
    return folder


def not_a_folder(path: Path) -> ConfigError:
    """The error for a path that leads through a file; it names the file."""
    wrong = next((part for part in (path, *path.parents) if part.exists()), path)
    return ConfigError(f"{wrong} is not a folder", hint=_ELSEWHERE)
