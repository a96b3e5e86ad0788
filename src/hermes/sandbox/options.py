"""A layout in bubblewrap's own words.

The order matters: what is mounted later covers what is mounted earlier, and the root is made
read-only last of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hermes.records.sandbox import Limits, SandboxRun
from hermes.sandbox.launch import Handover
from hermes.sandbox.layout import HOME, INSIDE_ID, Layout

_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--uid", str(INSIDE_ID), "--gid", str(INSIDE_ID)),
    *("--hostname", "sandbox", "--disable-userns", "--new-session", "--die-with-parent"),
)


def before_binds(limits: Limits) -> list[str]:
    """The namespaces, and the folders that have no counterpart on the host."""
    half = str(limits.memory_bytes // 2)
    return [
        *_NAMESPACES,
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", half, "--tmpfs", "/dev/shm"),
        *("--perms", "1777", "--size", half, "--tmpfs", "/tmp"),
        *("--dir", HOME),
    ]


def after_binds(request: SandboxRun, layout: Layout, handover: Handover) -> list[str]:
    """What covers the binds, the environment, and the folder to start in."""
    options: list[str] = []
    for path, target in layout.links:
        options += ["--symlink", target, path]
    for path in layout.empty:
        options += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    for path, content in layout.files.items():
        options += ["--perms", "0444", "--file", handover.content(content.encode()), path]
    for path in ("/dev", "/"):
        options += ["--remount-ro", path]
    options.append("--clearenv")
    for name, value in layout.environment.items():
        options += ["--setenv", name, value]
    return [*options, "--chdir", request.cwd or request.policy.cwd]


def by_fd(options: Sequence[str], handover: Handover) -> list[str]:
    """Hand the options over out of sight: a command line can be read by who runs inside."""
    return ["--args", handover.content(_joined(options))]


def _joined(options: Iterable[str]) -> bytes:
    return b"".join(option.encode(errors="surrogateescape") + b"\0" for option in options)
