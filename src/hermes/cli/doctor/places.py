"""The home and the skills folder: can they be written, and by what means."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.cli.doctor.finding import Finding, bad, good, less
from hermes.errors import HermesError

if TYPE_CHECKING:
    from hermes.settings import Paths, Settings

_REMOTE = ("nfs", "cifs", "smb", "9p", "fuse", "afs", "ceph", "gluster", "lustre", "virtiofs")
_THEIRS = ("config.yaml", "state.db")


def home(paths: Paths) -> Iterator[Finding]:
    place = _existing(paths.data_dir)
    kind = filesystem_of(place)
    try:
        with tempfile.TemporaryDirectory(dir=place, prefix=".hermes-doctor-") as trial:
            swaps = _swaps(Path(trial))
    except OSError as error:
        yield bad(
            "home",
            f"{paths.home} cannot be written: {error.strerror} in {place}",
            "mend its permissions, or point HERMES_HOME or --home to another folder",
        )
        return
    made = "" if paths.home.is_dir() else ", which the first command will make"
    yield good("home", f"{paths.home} on {kind}{made}")
    if kind.startswith(_REMOTE):
        yield less(
            "disk",
            f"{kind} may be a network disk, where SQLite is not safe with several machines",
            "set PERSISTENT_DIR to a local folder, or MEMORY_DB_URL to a PostgreSQL",
        )
    if swaps:
        yield good("disk", "swaps two folders in one step")
    else:
        yield less(
            "disk",
            "cannot swap two folders in one step; two steps and the journal do it instead",
            "nothing has to be done; another disk would be a little safer for readers",
        )
    if any((paths.home / name).exists() for name in _THEIRS):
        yield good("shared home", "Hermes Agent lives here too; its files are never written")


def skills(settings: Settings) -> Finding:
    """Counted as the disk has them; nothing is recorded by looking."""
    from hermes.app import skills_on_disk

    folder = settings.paths.skills_dir
    if not folder.is_dir():
        return good("skills", f"{folder} has none yet")
    try:
        names, problems = skills_on_disk(settings)
    except HermesError as error:
        return bad("skills", error.message, error.hint)
    says = f"{len(names)} in {folder}"
    if not problems:
        return good("skills", says)
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    return less(
        "skills",
        f"{says}, {len(problems)} of them with a problem: {problems[0]}{more}",
        "`hermes skills list` names every problem with file and line",
    )


def filesystem_of(place: Path) -> str:
    """The kind of filesystem that a folder is on, by the system's own list of mounts."""
    try:
        mounts = Path("/proc/self/mounts").read_text(errors="replace").splitlines()
    except OSError:  # not a Linux
        return "an unknown filesystem"
    real = os.path.realpath(place)
    best, kind = "", "an unknown filesystem"
    for mount in mounts:
        _, point, name, *_ = mount.split(" ")
        point = point.replace("\\040", " ")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):  # a later mount hides an earlier one
            best, kind = point, name
    return kind


def _existing(path: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    while not path.is_dir() and path != path.parent:
        path = path.parent
    return path


def _swaps(trial: Path) -> bool:
    from hermes.app import exchanges_folders

    return exchanges_folders(trial)
