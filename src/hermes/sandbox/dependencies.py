"""The packages that a skill declares, as a folder that its sandbox can mount.

Found out and fetched here, where there is a network, and used in there, where there is none. Only
wheels are taken, pinned by hash: to unpack a wheel runs none of its code, and nothing of it is
ever imported on this side. Bytecode is made inside the sandbox too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from hermes.errors import CorruptData, MissingPart, Refused
from hermes.ids import canonical_json, content_hash
from hermes.ports import Sandbox
from hermes.records.codec import CodecError, dump, load
from hermes.records.sandbox import PACKAGES_TARGET, Limits, Mount, Purpose, SandboxPolicy
from hermes.sandbox.scratch import remove

# A name with extras and versions; no address, no path, no option, no marker.
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?\s*((==|>=|<=|~=|!=|<|>)\s*[\w.*+!-]+\s*,?\s*)*"
)
_PIP_MAY_KNOW = re.compile(r"PIP_\w+|SSL_\w+|\w+_CA_BUNDLE|\w+_(proxy|PROXY)|HOME|PATH|LANG")
_WHEELS_ONLY = ("--only-binary", ":all:", "--no-input", "--disable-pip-version-check")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_PATIENCE = 600.0
_WHICH_PYTHON = (
    "import os, sys; v = sys.version_info;"
    "print(f'cp{v.major}{v.minor}', sys.platform, os.uname().machine)"
)
_COMPILING = Limits(seconds=300.0, cpu_seconds=300.0, memory_bytes=1 << 30, disk_bytes=2 << 30)

# Modules that come from a package of another name, as often seen in skills.
_DISTRIBUTIONS = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "git": "gitpython",
    "jwt": "pyjwt",
    "pil": "pillow",
    "pptx": "python-pptx",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


BY_POLICY = "policy:allowed_packages"
"""Who let packages in that nobody had to be asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One package, exactly. `requested` is False for what only another one needs."""

    name: str
    version: str
    sha256: str
    requested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What a set of requirements comes to, for one Python (such as `cp311 linux x86_64`)."""

    requirements: tuple[str, ...]
    python: str
    pins: tuple[Pin, ...]
    approved_by: str = ""

    @property
    def key(self) -> str:
        return _key(self.requirements, self.python)


class Environments:
    """A folder of built environments, one for each set of requirements.

    `allowed` are the names that need nobody's approval. `environment` is where pip's own settings
    come from.
    """

    def __init__(
        self,
        root: Path,
        sandbox: Sandbox,
        *,
        allowed: Collection[str] = (),
        environment: Mapping[str, str],
    ) -> None:
        self._root = root
        self._sandbox = sandbox
        self._allowed = frozenset(normal_name(name) for name in allowed)
        self._environment = {
            name: value for name, value in environment.items() if _PIP_MAY_KNOW.fullmatch(name)
        }
        self._inside: str | None = None

    def find(self, requirements: Sequence[str]) -> str | None:
        """The packages folder, if it was built before."""
        place = self._root / _key(_checked(requirements), self._python())
        return str(place / "packages") if (place / "lock.json").exists() else None

    def allows(self, requirements: Sequence[str]) -> bool:
        """Whether nobody has to be asked about these. What they need in turn, `build` looks at."""
        names = (_NAME.match(one) for one in _checked(requirements))
        return all(name and normal_name(name[0]) in self._allowed for name in names)

    def plan(self, requirements: Sequence[str]) -> Lock:
        """Ask the index what they come to. Installs nothing."""
        wanted = _checked(requirements)
        with tempfile.TemporaryDirectory() as nowhere:
            report = self._pip(
                "install",
                *_WHEELS_ONLY,
                *("--dry-run", "--ignore-installed", "--quiet", "--report", "-"),
                *("--target", nowhere, *_flags(self._python()), *wanted),
            )
        pins = [_pin(entry) for entry in json.loads(report)["install"]]
        pins.sort(key=lambda pin: pin.name)
        return Lock(requirements=wanted, python=self._python(), pins=tuple(pins))

    def build(self, lock: Lock, *, approved_by: str = "") -> str:
        """The packages folder of a lock; raises Refused for what nobody allowed."""
        strangers = [pin.name for pin in lock.pins if pin.name not in self._allowed]
        if strangers and not approved_by:
            raise Refused(
                f"not on the list of allowed packages: {', '.join(strangers)}",
                hint="somebody has to approve them, or add them to sandbox.allowed_packages",
            )
        self._root.mkdir(parents=True, exist_ok=True)
        work = tempfile.mkdtemp(prefix=".building-", dir=self._root)
        try:
            self._install(lock, Path(work))
            approved = Lock(
                requirements=lock.requirements,
                python=lock.python,
                pins=lock.pins,
                approved_by=approved_by or BY_POLICY,
            )
            (Path(work) / "lock.json").write_text(canonical_json(dump(approved)))
            return self._publish(work, lock.key)
        finally:
            if os.path.exists(work):
                remove(work)

    def lock_of(self, requirements: Sequence[str]) -> Lock | None:
        """What was installed and who approved it."""
        found = self.find(requirements)
        if found is None:
            return None
        file = Path(found).parent / "lock.json"
        try:
            return load(Lock, json.loads(file.read_text()))
        except (CodecError, ValueError) as error:
            raise CorruptData(str(error), where=str(file), hint="remove its folder") from error

    def _python(self) -> str:
        """The Python that will use the packages: a container has one of its own."""
        if self._inside is None:
            with self._sandbox.scratch() as place:
                policy = SandboxPolicy.trial(skills=place.skills, data=place.data)
                answer = self._sandbox.run(["python", "-c", _WHICH_PYTHON], policy)
            if not answer.ok:
                raise Refused(f"the sandbox has no Python: {answer.stderr_text.strip()}")
            self._inside = answer.stdout_text.strip()
        return self._inside

    def _install(self, lock: Lock, work: Path) -> None:
        packages = work / "packages"
        packages.mkdir()
        listing = work / "requirements.txt"
        listing.write_text(
            "".join(f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n" for pin in lock.pins)
        )
        self._pip(
            "install",
            *_WHEELS_ONLY,
            *("--require-hashes", "--no-deps", "--no-compile", "--quiet"),
            *("--target", str(packages), *_flags(lock.python), "--requirement", str(listing)),
        )
        self._compile(packages)

    def _compile(self, packages: Path) -> None:
        """Only for speed, so its failure is not ours: the packages work without."""
        mount = Mount(source=str(packages), target=PACKAGES_TARGET, writable=True, lendable=True)
        policy = SandboxPolicy(purpose=Purpose.TRIAL, mounts=(mount,), limits=_COMPILING)
        options = ("-q", "--invalidation-mode", "unchecked-hash")
        self._sandbox.run(["python", "-m", "compileall", *options, PACKAGES_TARGET], policy)

    def _publish(self, work: str, key: str) -> str:
        place = self._root / key
        try:
            os.rename(work, place)
        except OSError:
            if not (place / "lock.json").exists():
                raise
            # Somebody else built the same meanwhile; theirs is as good.
        return str(place / "packages")

    def _pip(self, *arguments: str) -> str:
        if find_spec("pip") is None:
            raise MissingPart(
                "pip is not installed", hint="python -m ensurepip, or uv pip install pip"
            )
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-m", "pip", *arguments],
                env=self._environment,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            why = f"pip did not end within {_PATIENCE:g} s"
            raise Refused(f"the packages cannot be had: {why}") from None
        if done.returncode:
            raise Refused(f"the packages cannot be had: {_reason(done.stderr)}")
        return done.stdout


def distribution_of(module: str) -> str:
    """The package that most likely brings a module."""
    top = module.partition(".")[0].lower()
    return _DISTRIBUTIONS.get(top, normal_name(top))


def normal_name(name: str) -> str:
    """One spelling for one package, as the index has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _checked(requirements: Sequence[str]) -> tuple[str, ...]:
    for requirement in requirements:
        if not _REQUIREMENT.fullmatch(requirement.strip()):
            raise Refused(
                f"{requirement!r} is not a plain requirement",
                hint="a name and versions, such as requests>=2.31",
            )
    return tuple(sorted({requirement.strip() for requirement in requirements}))


def _key(requirements: Sequence[str], python: str) -> str:
    return content_hash(canonical_json([list(requirements), python]).encode())


def _flags(python: str) -> list[str]:
    """What tells pip to look for another Python's wheels than our own."""
    tag, system, machine = python.split()
    if (tag, system, machine) == (_tag(), sys.platform, os.uname().machine):
        return []
    platforms = (f"manylinux_2_28_{machine}", f"manylinux2014_{machine}", f"linux_{machine}")
    flags = ["--implementation", "cp", "--python-version", f"{tag[2]}.{tag[3:]}"]
    for name in platforms:
        flags += ["--platform", name]
    return flags


def _tag() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def _pin(entry: Mapping[str, object]) -> Pin:
    match entry:
        case {
            "metadata": {"name": str(name), "version": str(version)},
            "download_info": {"archive_info": {"hashes": {"sha256": str(sha256)}}},
            "requested": bool(requested),
        }:
            return Pin(name=normal_name(name), version=version, sha256=sha256, requested=requested)
    raise Refused("the index gives no hash for a package, so it cannot be pinned")


def _reason(stderr: str) -> str:
    errors = [line for line in stderr.splitlines() if line.startswith("ERROR:")]
    return (errors or stderr.strip().splitlines() or ["pip said nothing"])[-1]
