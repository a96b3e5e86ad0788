"""Which files a skill's folder may hold, and what their paths may be.

Two readers meet here. What an agent sends is held to every rule (`strict`), because it can send
something better. What a person made or a hub delivered is already on a disk: it is refused only
where keeping it would be unsafe or impossible, and warned about otherwise. Every message says what
to send instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes.records.folder import SKILL_FILE, Folder
from hermes.rules.names import DEVICE_NAMES, check_skill_name, skeleton

SUPPORT_FOLDERS = ("scripts", "references", "templates", "assets")

MAX_SKILL_CHARACTERS = 100_000
"""A SKILL.md enters a prompt whole; Hermes Agent, which shares the folder, draws the line here."""
MAX_FILE_BYTES = 1024 * 1024
"""Larger files are data, not knowledge; every version keeps all of them. Hermes Agent's limit."""
MAX_FILES = 200
"""A reviewer has to be able to look at every file of what an agent wrote."""
MAX_TOTAL_BYTES = 10 * 1024 * 1024
"""Each version is stored, and swapped into place within the second a rollback may take."""
MAX_ADOPTED_FILES = 1_000
"""What common installers of skills accept at most; beyond it, the folder is something else."""
MAX_ADOPTED_BYTES = 50 * 1024 * 1024
"""The same, in bytes."""
MAX_COMPONENT_BYTES = 200
"""File systems stop at 255 bytes; the rest is room for the names of temporary files."""
MAX_DEPTH = 5
"""Clients stop looking for files a few levels down."""
MAX_PATH_BYTES = 1_024
"""Beyond it no system opens the file, and comparing paths would be slow."""

_WINDOWS_FORBIDS = re.compile(r'[<>:"|?*]')
_DRIVE = re.compile(r"[A-Za-z]:")
_CODE = (".py", ".sh", ".js", ".ts", ".rb", ".pl", ".ps1", ".bash")
_PROSE = (".md", ".txt", ".rst", ".pdf", ".html")
_SHOWN = 80  # characters of a path in a message


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about one file; `fatal` keeps the folder out."""

    path: str
    line: int | None
    message: str
    fatal: bool

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line is not None else self.path
        return f"{place}: {self.message}"


def check_path(path: str) -> str | None:
    """The first thing wrong with a path inside a skill; None when it may be used anywhere."""
    for message, _ in _path_faults(path):
        return message
    return None


def check_support_path(path: str) -> str | None:
    """As `check_path`, for a file an agent adds: it goes into one of the four support folders."""
    return check_path(path) or _misplaced(path)


def skill_file(paths: Iterable[str]) -> str | None:
    """Which of a folder's files is its SKILL.md; other spellings count when it is not there."""
    names = sorted(path for path in paths if path.lower() == SKILL_FILE.lower())
    return SKILL_FILE if SKILL_FILE in names else next(iter(names), None)


def check_folder(folder: Folder, *, name: str, strict: bool) -> list[Finding]:
    """Everything about the folder's structure; what SKILL.md says is not looked at here."""
    findings = [Finding(SKILL_FILE, None, text, strict) for text in check_skill_name(name)]
    findings += _skill_file_findings(folder, strict)
    for path in sorted(folder.files):
        for message, unsafe in _path_faults(path):
            findings.append(Finding(path, None, message, unsafe or strict))
        misplaced = None if path == SKILL_FILE else _misplaced(path)
        if misplaced:
            findings.append(Finding(path, None, misplaced, strict))
    findings += _size_findings(folder, strict)
    findings += _collisions(sorted(folder.files), strict)
    return findings


def _skill_file_findings(folder: Folder, strict: bool) -> Iterator[Finding]:
    found = skill_file(folder.files)
    if found is None:
        message = f"there is no {SKILL_FILE}: send one with a name and a description"
        yield Finding(SKILL_FILE, None, message, True)
        return
    if found != SKILL_FILE:
        yield Finding(found, None, f"is read by few clients: rename it to {SKILL_FILE}", strict)
    data = folder.files[found].data
    length = len(data.decode("utf-8", "replace"))
    if length > MAX_SKILL_CHARACTERS:
        message = (
            f"has {length:,} characters, at most {MAX_SKILL_CHARACTERS:,} are read: "
            "move detail into files under references/"
        )
        yield Finding(found, None, message, strict or len(data) > MAX_FILE_BYTES)


def _size_findings(folder: Folder, strict: bool) -> Iterator[Finding]:
    total = 0
    for path, file in sorted(folder.files.items()):
        total += len(file.data)
        if len(file.data) > MAX_FILE_BYTES:
            message = (
                f"has {len(file.data):,} bytes, a file has at most {MAX_FILE_BYTES:,}: "
                "keep the part that is needed, or say in SKILL.md where to get it"
            )
            yield Finding(path, None, message, strict)
    count = len(folder.files)
    if count > MAX_FILES:
        message = f"the folder has {count:,} files, at most {MAX_FILES}: join or leave out some"
        yield Finding(SKILL_FILE, None, message, strict or count > MAX_ADOPTED_FILES)
    if total > MAX_TOTAL_BYTES:
        message = (
            f"the folder has {total:,} bytes, at most {MAX_TOTAL_BYTES:,}: leave out large files"
        )
        yield Finding(SKILL_FILE, None, message, strict or total > MAX_ADOPTED_BYTES)


def _path_faults(path: str) -> Iterator[tuple[str, bool]]:
    """(what is wrong and what to send, whether it is unsafe and not only unportable)."""
    if not path:
        yield "the path is empty: send one such as references/notes.md", True
        return
    shown = _shown(path)
    if _is_too_long(path):
        yield f"{shown} is longer than {MAX_PATH_BYTES:,} bytes: send a shorter path", True
        return
    if path.startswith("/") or _DRIVE.match(path):
        yield f"{shown} is absolute: send one inside the skill, such as references/notes.md", True
    if "\\" in path:
        yield f"{shown} has a backslash: separate folders with /", True
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in path):
        yield f"{shown} has control or unreadable characters: leave them out", True
    components = path.split("/")
    if any(part in ("", ".", "..") for part in components):
        yield f"{shown} has an empty, . or .. component: send the plain path inside the skill", True
        return
    for message in _portability_faults(path, components):
        yield message, False


def _portability_faults(path: str, components: list[str]) -> Iterator[str]:
    shown = _shown(path)
    if any(part.startswith(".") for part in components):
        yield f"{shown} is hidden: a skill has no hidden files, name it without the leading dot"
    if any(part != part.strip() or part.endswith(".") for part in components):
        yield f"{shown} has a component with outer spaces or a final dot: leave them out"
    if any(part.partition(".")[0].strip().lower() in DEVICE_NAMES for part in components):
        yield f"{shown} has the name of a Windows device: choose another name"
    if _WINDOWS_FORBIDS.search(path):
        yield f'{shown} has one of <>:"|?*, which not every system can store: use letters, - and _'
    if not path.isascii():
        if not unicodedata.is_normalized("NFC", path):
            yield f"{shown} is not in Unicode's composed form: send {_shown(_composed(path))}"
        if any(unicodedata.category(c) == "Cf" for c in path):
            yield f"{shown} has invisible characters: leave them out"
    if any(len(part.encode("utf-8", "replace")) > MAX_COMPONENT_BYTES for part in components):
        yield f"{shown} has a component over {MAX_COMPONENT_BYTES} bytes: shorten it"
    if len(components) > MAX_DEPTH:
        yield f"{shown} is more than {MAX_DEPTH} levels deep: put it higher up"


def _misplaced(path: str) -> str | None:
    folder, slash, _ = path.partition("/")
    if slash and folder in SUPPORT_FOLDERS:
        return None
    better = "assets"
    if path.endswith(_CODE):
        better = "scripts"
    elif path.endswith(_PROSE):
        better = "references"
    places = ", ".join(f"{name}/" for name in SUPPORT_FOLDERS)
    leaf = path.rpartition("/")[2]
    return f"{_shown(path)} is outside {places}: send {_shown(f'{better}/{leaf}')}"


def _collisions(paths: list[str], strict: bool) -> Iterator[Finding]:
    """Two spellings of one place: by case, by looks, or a file where another has a folder."""
    spelled: dict[str, str] = {}
    drawn: dict[str, str] = {}
    files = set(paths)
    seen: set[str] = set()
    for path in paths:
        if _is_too_long(path):
            continue
        for prefix in _prefixes(path):
            if prefix in files and prefix != path:
                message = f"cannot be inside {_shown(prefix)}, which is a file: rename one"
                yield Finding(path, None, message, True)
            if prefix in seen:
                continue
            seen.add(prefix)
            twin = spelled.setdefault(_composed(_composed(prefix).casefold()), prefix)
            if twin != prefix:
                message = f"differs from {_shown(twin)} by case or Unicode form only: rename one"
                yield Finding(path, None, message, strict)
                continue
            twin = drawn.setdefault(skeleton(prefix), prefix)
            if twin != prefix:
                # 0 and o, 1 and l are told apart by most fonts; letters of two scripts by none.
                fatal = strict and not (twin.isascii() and prefix.isascii())
                message = f"looks like {_shown(twin)} but is another file: rename one"
                yield Finding(path, None, message, fatal)


def _prefixes(path: str) -> Iterator[str]:
    """`a`, `a/b`, `a/b/c` of `a/b/c`."""
    end = path.find("/")
    while end != -1:
        yield path[:end]
        end = path.find("/", end + 1)
    yield path


def _composed(path: str) -> str:
    """The one Unicode spelling that every system stores alike."""
    return unicodedata.normalize("NFC", path)


def _is_too_long(path: str) -> bool:
    return len(path.encode("utf-8", "replace")) > MAX_PATH_BYTES


def _shown(path: str) -> str:
    """A path for a message: in ASCII, so that nothing in it can fool a terminal, and short."""
    return ascii(path) if len(path) <= _SHOWN else f"{path[:_SHOWN]!a}…"
