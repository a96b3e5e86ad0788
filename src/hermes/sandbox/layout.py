"""What a sandboxed program sees: the few folders of the host, and everything else made up.

Nothing is there unless it is named here or in the policy. The host's Python is shown without its
installed packages, so that a trial cannot lean on what happens to be installed, and cannot import
this very package.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from glob import glob

from hermes.errors import Refused
from hermes.records.sandbox import PACKAGES_TARGET, Mount, Purpose, SandboxPolicy

INSIDE_ID = 1000
HOME = "/tmp/home"
PROXY_PORT = 3128

_SYSTEM = ("/usr", "/nix/store", "/gnu/store")
_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("/etc/alternatives", "/etc/ld.so.cache")
_ETC_NETWORK = ("/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted")
_FILES = {
    "/etc/passwd": f"sandbox:x:{INSIDE_ID}:{INSIDE_ID}::{HOME}:/bin/sh\n",
    "/etc/group": f"sandbox:x:{INSIDE_ID}:\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    # Names are asked of the network, though there is none: so a lookup is refused and reported.
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}


@dataclass(frozen=True, slots=True)
class Bind:
    """A host path in the sandbox. `ours`: the program may read it as its owner would."""

    source: str
    target: str
    writable: bool = False
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """`binds` in the order in which they cover each other; `empty` folders cover them all."""

    binds: tuple[Bind, ...]
    links: tuple[tuple[str, str], ...]
    empty: tuple[str, ...]
    environment: dict[str, str]

    @property
    def files(self) -> dict[str, str]:
        return _FILES


@dataclass(frozen=True, slots=True)
class Private:
    """Host folders that no mount may show, but for the `shareable` parts of them."""

    folders: tuple[str, ...] = ()
    shareable: tuple[str, ...] = ()


NOTHING_PRIVATE = Private()


@dataclass(frozen=True, slots=True)
class Shown:
    """What of the host a policy shows, whatever the backend."""

    binds: tuple[Bind, ...]
    empty: tuple[str, ...]


def shown(policy: SandboxPolicy, private: Private) -> Shown:
    """The mounts, with parts of them covered; Refused where one is private."""
    guarded, concealed = _existing(policy.guarded), _existing(policy.concealed)
    covers = [path for mount in policy.mounts for path in _covers(mount, private)]
    binds = (
        *(Bind(one.source, one.target, one.writable, ours=True) for one in policy.mounts),
        *_pinned(policy, (*guarded, *concealed, *covers)),
        *(Bind(path, path, ours=True) for path in guarded),
        *(Bind("/dev/null", path) for path in concealed if os.path.isfile(path)),
    )
    return Shown(binds, (*(path for path in concealed if os.path.isdir(path)), *covers))


def compose(policy: SandboxPolicy, private: Private) -> Layout:
    """The whole layout of a policy."""
    system, links = _system()
    if policy.network is not None:
        system += tuple(Bind(path, path) for path in _ETC_NETWORK if os.path.exists(path))
    own = shown(policy, private)
    packages = _package_folders() if policy.purpose is not Purpose.WORKSPACE else ()
    binds, empty = (*system, *own.binds), (*packages, *own.empty)
    return Layout(binds, links, empty, _environment(policy))


def host_path(policy: SandboxPolicy, path: str) -> str | None:
    """The host's name of a path in the sandbox that lies on a mount."""
    for mount in policy.mounts:
        if _is_in(path, mount.target):
            return mount.source + path[len(mount.target) :]
    return None


def _covers(mount: Mount, private: Private) -> list[str]:
    """Which targets to cover with nothing so that the mount shows no private folder."""
    if os.path.realpath(mount.source) != mount.source:
        raise Refused(
            f"{mount.source} goes through a symlink or does not exist", hint="give its real path"
        )
    if any(_is_in(mount.source, os.path.realpath(one)) for one in private.shareable):
        return []
    covers = []
    for folder in map(os.path.realpath, private.folders):
        if _is_in(mount.source, folder):
            raise Refused(f"{mount.source} is not shown to any sandbox")
        if _is_in(folder, mount.source) and os.path.isdir(folder):
            covers.append(os.path.join(mount.target, os.path.relpath(folder, mount.source)))
    return covers


def _pinned(policy: SandboxPolicy, protected: Sequence[str]) -> list[Bind]:
    """Every folder on the way to a protected path, mounted onto itself: what is a mount cannot be
    renamed, so nobody can move the path away and put another in its place."""
    pins: dict[str, Bind] = {}
    for mount in policy.writable():
        for path in protected:
            folder = os.path.dirname(path)
            while _is_in(folder, mount.target) and folder != mount.target:
                source = mount.source + folder[len(mount.target) :]
                pins[folder] = Bind(source, folder, writable=True, ours=True)
                folder = os.path.dirname(folder)
    return [pins[folder] for folder in sorted(pins)]


def _is_in(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def _existing(paths: Sequence[str]) -> list[str]:
    """Those that can be mounted over; a symlink cannot, and leads to what is not shown."""
    return [path for path in paths if os.path.exists(path) and os.path.realpath(path) == path]


@cache
def _system() -> tuple[tuple[Bind, ...], tuple[tuple[str, str], ...]]:
    folders = [path for path in _SYSTEM if os.path.isdir(path)]
    links = [
        ("/app/bin/python", os.path.realpath(_interpreter())),
        ("/app/bin/python3", os.path.realpath(_interpreter())),
    ]
    for path in _SYSTEM_LINKS:
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
        elif os.path.isdir(path):
            folders.append(path)
    prefix = os.path.realpath(sys.base_prefix)
    if prefix != "/" and not any(
        prefix == path or prefix.startswith(path + "/") for path in folders
    ):
        folders.append(prefix)
    binds = [Bind(path, path) for path in folders]
    binds += [Bind(os.path.realpath(path), path) for path in _ETC if os.path.exists(path)]
    return tuple(binds), tuple(links)


def _interpreter() -> str:
    """The Python below any virtual environment: the environment itself is not shown."""
    return getattr(sys, "_base_executable", None) or sys.executable


@cache
def _package_folders() -> tuple[str, ...]:
    """Every folder that a Python of the system section would import packages from."""
    found = set(site.getsitepackages([sys.base_prefix, sys.base_exec_prefix]))
    for pattern in ("/usr/lib/python3*/*-packages", "/usr/local/lib/python3*/*-packages"):
        found.update(glob(pattern))
    return tuple(sorted({os.path.realpath(path) for path in found if os.path.isdir(path)}))


def _environment(policy: SandboxPolicy) -> dict[str, str]:
    """Made from nothing: no variable of ours, least of all a key, gets in by itself."""
    path = "/app/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    environment = {
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "LOGNAME": "sandbox",
        "PATH": path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": "/tmp",
        "TZ": "UTC",
        "USER": "sandbox",
    }
    if any(mount.target == PACKAGES_TARGET for mount in policy.mounts):
        environment["PYTHONPATH"] = PACKAGES_TARGET
        environment["PATH"] = f"{PACKAGES_TARGET}/bin:{path}"
    if policy.network is not None:
        proxy = f"http://127.0.0.1:{PROXY_PORT}"
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            environment |= {name: proxy, name.lower(): proxy}
    return environment | dict(policy.environment)
