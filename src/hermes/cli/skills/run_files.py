"""The files of `skills run`: which go into the sandbox, and where what comes out belongs.

A program sees a folder of its own. A file keeps its relative path there; one from elsewhere lies
there under its last name, and so does a result that belongs elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from hermes.errors import DiskFailed, NotFound, Refused
from hermes.records.codec import Json
from hermes.records.procedure import Procedure
from hermes.rules.procedures import PATH, outputs_of

_MOST_BYTES = 200 * 1024 * 1024
_MOST_FILES = 1_000


class Errand:
    """The files of one run. `values` are the parameters as the program is to see them."""

    def __init__(self, procedure: Procedure, values: Mapping[str, Json], here: Path) -> None:
        self.values = dict(values)
        self.files: dict[str, bytes] = {}
        self.absent: list[tuple[str, str]] = []
        self._here = here
        self._room = _MOST_BYTES
        self._results: dict[str, Path] = {}
        for parameter in procedure.parameters:
            value = values.get(parameter.name)
            if parameter.type == PATH and isinstance(value, str) and value:
                self.values[parameter.name] = _inside(value)
                if parameter.name not in procedure.outputs or (here / value).exists():
                    self._bring(parameter.name, value)
        for output in procedure.outputs:
            given = values.get(output)
            for path in outputs_of(replace(procedure, outputs=(output,)), self.values):
                self._expect(_inside(path), here / (given if isinstance(given, str) else path))

    def add(self, text: str) -> None:
        """A file that no parameter names, but the program looks for."""
        if not (self._here / text).exists():
            raise NotFound(f"there is no file '{text}'")
        self._bring("--input", text)

    def occupied(self) -> list[Path]:
        """Where a result would take the place of something that is there."""
        return [place for place in self._results.values() if place.is_file()]

    def deliver(self, made: Mapping[str, bytes], *, force: bool) -> list[Path]:
        """Write each result where it belongs; raises Refused rather than overwrite any."""
        results = list(self._belonging(made))
        for place, _ in results:
            if place.exists() and not force:
                raise Refused(f"{place} is there already", hint="--force overwrites it")
        return [_write(place, data, force) for place, data in results]

    def unwanted(self, made: Mapping[str, bytes]) -> list[str]:
        """What was written besides the declared results."""
        return [path for path in made if self._place(path) is None]

    def unmade(self, made: Mapping[str, bytes]) -> list[str]:
        """Declared results that are not there."""
        return [one for one in self._results if not any(_is_at(path, one) for path in made)]

    def _expect(self, inside: str, place: Path) -> None:
        """A result goes where a parameter says; one that the program names comes to us."""
        if self._results.setdefault(inside, place) != place:
            raise Refused(f"two results would both be called {inside}")

    def _bring(self, name: str, text: str) -> None:
        source = self._here / text
        if not source.exists():
            self.absent.append((name, text))
            return
        inside = PurePosixPath(_inside(text))
        found = sorted(source.rglob("*")) if source.is_dir() else [source]
        for file in (one for one in found if one.is_file()):
            below = file.relative_to(source).as_posix() if source.is_dir() else ""
            self._take(str(inside / below) if below else str(inside), file)

    def _take(self, inside: str, file: Path) -> None:
        try:
            self._room -= file.stat().st_size
            if self._room < 0 or len(self.files) >= _MOST_FILES:
                most = f"{_MOST_FILES:,} files or {_MOST_BYTES // 1024**2} MiB"
                raise Refused(f"the inputs are more than {most}: {file}")
            data = file.read_bytes()
        except OSError as error:
            raise DiskFailed(f"{file} cannot be read: {error.strerror}") from error
        if self.files.setdefault(inside, data) != data:
            raise Refused(f"two inputs would both be called {inside}")

    def _belonging(self, made: Mapping[str, bytes]) -> Iterator[tuple[Path, bytes]]:
        for path, data in made.items():
            place = self._place(path)
            if place is not None:
                yield place, data

    def _place(self, path: str) -> Path | None:
        for inside, place in self._results.items():
            if _is_at(path, inside):
                return place / PurePosixPath(path).relative_to(inside)
        return None


def listed(paths: Sequence[Path], here: Path) -> list[str]:
    """As a person in that folder would type them."""
    return [str(one.relative_to(here)) if one.is_relative_to(here) else str(one) for one in paths]


def _inside(text: str) -> str:
    path = PurePosixPath(os.path.normpath(text))
    leads_out = path.is_absolute() or ".." in path.parts
    return path.name if leads_out else str(path)


def _is_at(path: str, result: str) -> bool:
    return PurePosixPath(path).is_relative_to(result)


def _write(place: Path, data: bytes, force: bool) -> Path:
    """Whole or not at all; what is there already stays unless it may go."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not force:
            with place.open("xb") as file:
                file.write(data)
            return place
        beside = place.with_name(f".{place.name}.{os.getpid()}")
        beside.write_bytes(data)
        beside.replace(place)
    except FileExistsError as error:
        raise Refused(f"{place} is there already", hint="--force overwrites it") from error
    except OSError as error:
        raise DiskFailed(f"{place} cannot be written: {error.strerror}") from error
    return place
