"""Where settings meet the disk: every refusal of it becomes a ConfigError that says what to do.

Folders are made when something is first written to them, never by reading the settings.
"""

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
        raise _not_a_folder(folder) from None
    except OSError as error:
        raise ConfigError(f"{folder}: {error.strerror}", hint=_ELSEWHERE) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"{folder}: cannot be written", hint=_ELSEWHERE)
    return folder


def content(file: Path) -> bytes | None:
    """The bytes of a file, None where there is none; a link to nothing is not taken for none."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        if file.is_symlink():
            raise ConfigError(f"{file}: is a link to a file that does not exist") from None
        return None
    except NotADirectoryError:
        raise _not_a_folder(file.parent) from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error


def _not_a_folder(path: Path) -> ConfigError:
    """The error for a path that leads through a file; it names the file."""
    wrong = next((part for part in (path, *path.parents) if part.exists()), path)
    return ConfigError(f"{wrong} is not a folder", hint=_ELSEWHERE)
