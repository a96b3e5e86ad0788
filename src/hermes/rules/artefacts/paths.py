"""One name for one file: relative to the session's working directory where it lies under it."""

from __future__ import annotations

import posixpath

_NOT_FILES = ("/dev/", "/proc/", "/sys/")
_LONGEST = 1_024


def named(path: str, base: str | None, cwd: str | None) -> str | None:
    """The name of a file that is written as `path` where `base` is the current folder.

    None for what is no file that a run could be given: a device, a home that is not spelled out.
    """
    path = path.strip()
    if not path or len(path) > _LONGEST or "\n" in path or path.startswith(("~", "-")):
        return None
    full = posixpath.normpath(posixpath.join(base or cwd or "", path))
    if full.startswith(_NOT_FILES) or full in (".", ".."):
        return None
    if cwd and full.startswith(f"{cwd.rstrip('/')}/"):
        return full[len(cwd.rstrip("/")) + 1 :]
    return full


def looks_like_a_file(word: str) -> bool:
    """Whether an argument of an unknown program is likely the name of a file."""
    if not word or word.startswith("-") or "://" in word or any(c in word for c in " \n;=@(){}$,"):
        return False
    stem, _, suffix = word.rpartition(".")
    return bool(stem and suffix.isalnum() and len(suffix) <= 8 and not suffix.isdigit())
