"""What a front door hands to the agent with a task: its files, and what decides success."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import DiskFailed, NotFound, WrongCall
from hermes.records.artefact import Artefact, ArtefactRole

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ports.execution import Verifier


def given_inputs(home: Home, project: Path, files: Sequence[str]) -> tuple[Artefact, ...]:
    """The files that a person named, kept as they are now. They have to lie in the project."""
    from hermes.store.blobs import DiskBlobs

    blobs = DiskBlobs(home.settings.paths.blobs_dir)
    given = []
    for name in files:
        path = (project / name).resolve()
        if not path.is_file():
            raise NotFound(f"there is no file {name}", hint="--input names a file of the project")
        if not path.is_relative_to(project.resolve()):
            raise WrongCall(f"{name} lies outside the project", hint="copy it here first")
        size = path.stat().st_size
        given.append(
            Artefact(
                name=str(path.relative_to(project.resolve())),
                role=ArtefactRole.GIVEN,
                content=blobs.put(_read(path)) if size <= blobs.limit else None,
                size=size,
                media_type=mimetypes.guess_type(path.name)[0] or "application/octet-stream",
            )
        )
    return tuple(given)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DiskFailed(f"{path}: {error.strerror}", hint="make it readable") from error


def verifier_of(
    home: Home, project: Path, command: str | None, expected: Sequence[str]
) -> Verifier | None:
    """What decides success; None where the person named nothing."""
    from hermes.agent.verifying import AllOf, CommandPasses, FileWritten
    from hermes.app.sandbox import workspace_ground

    verifiers: list[Verifier] = []
    for text in expected:
        name, same, other = text.partition("=")
        if same and not (project / other).is_file():
            raise NotFound(f"there is no file {other} to compare {name} with")
        verifiers.append(FileWritten(project / name, project / other if same else None))
    if command is not None:
        sandbox, policy, _ = workspace_ground(home.settings, project.resolve())
        verifiers.append(CommandPasses(command, sandbox, policy))
    return AllOf(verifiers) if verifiers else None
