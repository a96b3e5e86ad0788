"""The names of a group are written down; they are those that its files hold."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from types import ModuleType

import pytest

from hermes.cli import memory, skills
from hermes.cli.command import Command
from hermes.cli.group import Group


@pytest.mark.parametrize("group", [skills, memory], ids=lambda group: group.__name__)
def test_every_file_of_the_group_is_named_with_its_commands(group: ModuleType) -> None:
    files = {info.name for info in pkgutil.iter_modules(group.__path__)}
    held = {
        file: " ".join(import_module(f"{group.__name__}.{file}").COMMANDS)
        for file in files
        if hasattr(import_module(f"{group.__name__}.{file}"), "COMMANDS")
    }
    assert held == dict(group.COMMAND.modules)


def test_only_the_file_of_the_command_is_imported() -> None:
    group = Group("hermes.cli.skills", {"listing": "list", "nowhere": "missing"})
    assert isinstance(group["list"], Command)
    assert list(group) == ["list", "missing"]
    assert "hermes.cli.skills.nowhere" not in sys.modules
