"""Where the file tools may go: no trick with a path leads anywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.agent.confinement import Confinement
from hermes.errors import HermesError, Refused, WrongCall


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("a")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("s")
    return folder


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret",
        "src/../../outside/secret",
        "/etc/passwd",
        "out",
        "out/secret",
        "link-to-secret",
        "chain",
        "src/./../link-to-secret",
    ],
)
def test_no_path_leads_out_of_the_project(project: Path, path: str) -> None:
    (project / "out").symlink_to(project.parent / "outside")
    (project / "link-to-secret").symlink_to("../outside/secret")
    (project / "chain").symlink_to("link-to-secret")
    place = Confinement(project)
    for go in (place.readable, place.writable):
        with pytest.raises(Refused, match="outside the project"):
            go(path)


@pytest.mark.parametrize("path", ["", "a\0b", "\0"])
def test_what_is_no_path_is_told_as_that(project: Path, path: str) -> None:
    with pytest.raises(WrongCall):
        Confinement(project).readable(path)


def test_a_very_long_path_and_a_loop_of_links_are_no_way_in(project: Path) -> None:
    (project / "loop-a").symlink_to("loop-b")
    (project / "loop-b").symlink_to("loop-a")
    place = Confinement(project)
    for path in ("x/" * 5_000, "n" * 5_000, "loop-a/x"):
        try:
            assert place.readable(path).is_relative_to(place.root)
        except HermesError as error:
            assert len(str(error)) < 12_000  # noqa: PT017 - either way is right


def test_links_inside_the_project_are_followed(project: Path) -> None:
    (project / "short").symlink_to("src/a.py")
    place = Confinement(project)
    assert place.readable("short") == place.root / "src" / "a.py"
    assert place.readable(str(project / "src" / "a.py")) == place.root / "src" / "a.py"


@pytest.mark.parametrize(
    "path",
    [
        ".bashrc",
        "deep/in/the/tree/.zshrc",
        ".git/hooks/pre-commit",
        ".GIT/Hooks/pre-commit",
        "sub/.git/config",
        ".git/modules/sub/hooks/post-checkout",
        ".mcp.json",
        "sub/.mcp.json",
        ".claude/settings.json",
        "packages/one/.codex/config.toml",
        ".cursor/mcp.json",
        ".vscode/tasks.json",
        ".config/fish/config.fish",
        "hooked",
        "via/pre-commit",
    ],
)
def test_what_other_programs_obey_is_not_written(project: Path, path: str) -> None:
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / "hooked").symlink_to(".git/hooks/pre-commit")
    (project / "via").symlink_to(".git/hooks")
    with pytest.raises(Refused, match="run or obeyed"):
        Confinement(project).writable(path)


@pytest.mark.parametrize("path", [".ssh/id_ed25519", "home/.aws/credentials", ".netrc", ".NETRC"])
def test_where_credentials_lie_nothing_is_even_read(project: Path, path: str) -> None:
    with pytest.raises(Refused, match="credentials"):
        Confinement(project).readable(path)


def test_ordinary_names_that_look_alike_are_fine(project: Path) -> None:
    place = Confinement(project)
    for path in ("git/hooks/x", ".gitignore", ".github/workflows/ci.yml", "bashrc", "mcp.json"):
        assert place.writable(path) == place.root / path


def test_our_own_folders_are_hidden_or_only_read(project: Path) -> None:
    loop, skills = project / "hh" / "loop", project / "hh" / "skills"
    (skills / "a").mkdir(parents=True)
    loop.mkdir()
    (project / "back").symlink_to(loop)
    (project / "live").symlink_to(skills)
    place = Confinement(project, hidden=(loop,), kept=(skills,))
    for path in ("hh/loop/loop.db", "hh/loop", "back/loop.db", "src/../hh/loop/x"):
        with pytest.raises(Refused, match="belongs to Hermes itself"):
            place.readable(path)
    assert place.readable("live/a") == place.root / "hh" / "skills" / "a"
    for path in ("hh/skills/a/SKILL.md", "live/new/SKILL.md", "hh/skills"):
        with pytest.raises(Refused, match="live skills"):
            place.writable(path)
    assert place.is_hidden(place.root / "hh" / "loop" / "blobs")


def test_a_project_inside_our_own_folders_is_none(project: Path) -> None:
    for kind in ("hidden", "kept"):
        with pytest.raises(Refused, match="start in a project's folder"):
            Confinement(project / "src", **{kind: (project,)})


def test_the_project_itself_is_not_a_file(project: Path) -> None:
    for path in (".", "src/.."):
        with pytest.raises(Refused):
            Confinement(project).writable(path)
