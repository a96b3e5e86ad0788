"""Packages for a skill: wheels, by hash, allowed or approved, never imported out here."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import zipfile
from pathlib import Path

import pytest

from hermes.errors import CorruptData, Refused
from hermes.records.sandbox import SandboxPolicy
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.dependencies import Environments, distribution_of

pytest.importorskip("pip")


def wheel(folder: Path, name: str, code: str, *, needs: str = "", version: str = "1.0") -> Path:
    """The smallest wheel that pip takes."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += f"Requires-Dist: {needs}\n" if needs else ""
    files = {
        f"{name}/__init__.py": code,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_digest(text)},\n" for path, text in files.items())
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name_, text in files.items():
            archive.writestr(name_, text)
        archive.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return path


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


@pytest.fixture
def index(tmp_path: Path) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    wheel(folder, "left", "import right\nsays = 'left and ' + right.says", needs="right>=1")
    wheel(folder, "right", "says = 'right'")
    wheel(folder, "trap", f"open({str(tmp_path / 'sprung')!r}, 'w').write('x')")
    return folder


@pytest.fixture
def environments(tmp_path: Path, index: Path, bubblewrap: Bubblewrap) -> Environments:
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index), "OPENAI_API_KEY": "secret"}
    root = tmp_path / "environments"
    return Environments(root, bubblewrap, allowed=["Left", "right"], environment=settings)


def test_allowed_packages_are_built_once_and_found_again(
    environments: Environments, bubblewrap: Bubblewrap
) -> None:
    assert environments.find(["left"]) is None
    lock = environments.plan(["left"])
    assert [(pin.name, pin.version, pin.requested) for pin in lock.pins] == [
        ("left", "1.0", True),
        ("right", "1.0", False),
    ]
    packages = environments.build(lock)
    assert environments.find(["left"]) == packages
    with bubblewrap.scratch() as place:
        policy = SandboxPolicy.trial(skills=place.skills, data=place.data, packages=packages)
        code = "import left; print(left.says, left.__cached__)"
        result = bubblewrap.run(["python", "-c", code], policy)
    assert result.stdout_text.startswith("left and right /app/packages/left/__pycache__/")
    assert (Path(packages) / "left" / "__pycache__").is_dir()


def test_what_nobody_allowed_is_refused_until_somebody_approves(
    environments: Environments, tmp_path: Path
) -> None:
    lock = environments.plan(["trap"])
    with pytest.raises(Refused, match="trap"):
        environments.build(lock)
    environments.build(lock, approved_by="ada")
    installed = environments.lock_of(["trap"])
    assert installed is not None
    assert installed.approved_by == "ada"
    assert not (tmp_path / "sprung").exists()
    assert "trap" not in sys.modules


def test_a_dependency_of_a_dependency_must_be_allowed_too(
    tmp_path: Path, index: Path, bubblewrap: Bubblewrap
) -> None:
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index)}
    strict = Environments(tmp_path / "e", bubblewrap, allowed=["left"], environment=settings)
    with pytest.raises(Refused, match="right"):
        strict.build(strict.plan(["left"]))


def test_a_file_that_changed_after_the_plan_is_refused(
    environments: Environments, index: Path, tmp_path: Path
) -> None:
    lock = environments.plan(["right"])
    wheel(index, "right", "says = 'something else'")
    with pytest.raises(Refused, match="cannot be had"):
        environments.build(lock)
    assert environments.find(["right"]) is None
    assert [path.name for path in (tmp_path / "environments").iterdir()] == []


def test_a_package_that_is_not_there_is_a_clear_refusal(environments: Environments) -> None:
    with pytest.raises(Refused, match="no-such-package"):
        environments.plan(["no-such-package"])


def test_a_source_archive_is_not_taken(environments: Environments, index: Path) -> None:
    (index / "source-1.0.tar.gz").write_bytes(b"not even one")
    with pytest.raises(Refused, match="cannot be had"):
        environments.plan(["source"])


@pytest.mark.parametrize(
    "requirement",
    [
        "--index-url=http://evil",
        "-e .",
        "./local",
        "/etc/passwd",
        "name @ http://evil/x.whl",
        "git+https://evil/x",
        "a b",
        "",
    ],
)
def test_only_plain_requirements(environments: Environments, requirement: str) -> None:
    with pytest.raises(Refused, match="plain requirement"):
        environments.plan([requirement])


@pytest.mark.parametrize("good", ["left", "left==1.0", "left>=1,<2", "left ~= 1.0", "left[x]>=1"])
def test_plain_requirements(environments: Environments, good: str) -> None:
    assert environments.plan([good]).pins


def test_a_damaged_lock_is_told(environments: Environments) -> None:
    packages = environments.build(environments.plan(["right"]))
    (Path(packages).parent / "lock.json").write_text(json.dumps({"pins": []}))
    with pytest.raises(CorruptData, match=r"lock\.json"):
        environments.lock_of(["right"])


def test_which_package_brings_a_module() -> None:
    assert distribution_of("yaml") == "pyyaml"
    assert distribution_of("PIL.Image") == "pillow"
    assert distribution_of("some_thing.part") == "some-thing"
