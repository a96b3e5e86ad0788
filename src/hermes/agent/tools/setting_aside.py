"""What a command made and other programs would obey: put out of their way, and said so.

A guarded file that is there cannot be changed in the sandbox. One that is not there yet cannot be
kept from appearing; it is renamed as soon as the command has ended, and nothing is lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from hermes.records.sandbox import SandboxResult, ViolationKind, Witness

ENDING = ".set-aside"


def set_aside(result: SandboxResult) -> list[str]:
    """What is to be told of it, a line for each."""
    return [
        f"[{path} is run or obeyed by other programs, so it was renamed to {renamed}; "
        "tell the user if it is wanted]"
        for path in _appeared(result)
        if (renamed := _rename(path))
    ]


def _appeared(result: SandboxResult) -> Iterator[str]:
    for one in result.violations:
        by_disk = one.kind is ViolationKind.WRITE and one.witness is Witness.DISK
        if by_disk and os.path.lexists(one.subject) and not _is_bare_repository(one.subject):
            yield one.subject


def _is_bare_repository(path: str) -> bool:
    """What `git init` makes: its configuration, and hooks that are samples only."""
    folder, name = os.path.split(path)
    if os.path.basename(folder) != ".git":
        return False
    if name == "hooks" and os.path.isdir(path):
        return all(hook.endswith(".sample") for hook in os.listdir(path))
    return name == "config"


def _rename(path: str) -> str:
    """The new name, or nothing where it could not be done."""
    for number in range(100):
        renamed = f"{path}{ENDING}{number or ''}"
        if os.path.lexists(renamed):
            continue
        try:
            os.rename(path, renamed)
        except OSError:
            return ""
        return os.path.basename(renamed)
    return ""
