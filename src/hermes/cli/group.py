"""A group of commands whose files are imported when one of them is called.

`skills list` must not pay for what `skills health` needs. The names are written down, in the order
in which help shows them, and a test compares them with what the files hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from hermes.cli.command import Command


class Group(Mapping[str, Command]):
    """`modules` maps each file of the package to the names of its commands."""

    def __init__(self, package: str, modules: Mapping[str, str]) -> None:
        self._package = package
        self.modules = modules
        self._module_of = {name: file for file, names in modules.items() for name in names.split()}

    def __getitem__(self, name: str) -> Command:
        file = self._module_of[name]
        commands: Mapping[str, Command] = import_module(f"{self._package}.{file}").COMMANDS
        return commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._module_of)

    def __len__(self) -> int:
        return len(self._module_of)
