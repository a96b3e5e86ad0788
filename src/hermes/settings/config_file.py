"""config.yaml → values, each checked where it stands, so that an error can name its line.

Imported only where there is such a file: YAML costs as much as the rest of a start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.reader import ReaderError

from hermes.errors import ConfigError
from hermes.settings.shape import Settings
from hermes.settings.values import Section, accepted, in_config_file, section_of

_NULL = "tag:yaml.org,2002:null"
_NOT_HERE = {
    "paths": "set HERMES_HOME, HERMES_SKILLS_DIR or PERSISTENT_DIR in the environment",
    "database_url": "set MEMORY_DB_URL in the environment",
    "openai_api_key": "set OPENAI_API_KEY in the environment; no key is kept in this file",
    "anthropic_api_key": "set ANTHROPIC_API_KEY in the environment; no key is kept in this file",
    "embedder_api_key": "name its variable in memory.embedder.api_key_env; no key is kept here",
}


def decode(data: bytes, file: Path) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file}:{line}: is not UTF-8 text") from None


def parse(text: str, file: Path) -> tuple[dict[str, Any], dict[str, int]]:
    """The values for Settings, and the line of each dotted key; a ConfigError on anything else."""
    root = compose(text, file)
    if root is None:
        return {}, {}
    reader = _Reader(file)
    return reader.values(Settings, root, ""), reader.lines


def compose(text: str, file: Path) -> yaml.Node | None:
    """The nodes of the file with their places; None where it says nothing."""
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{file}:{line}: is not YAML: {error.problem}") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(f"{file}:{line}: is not YAML: {error.reason}") from None
    except RecursionError:
        raise ConfigError(f"{file}: is nested too deeply") from None
    return node


class _Reader:
    """Walks the nodes of one file along the shape of the settings."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.lines: dict[str, int] = {}

    def values(self, kind: type[Section], node: yaml.Node, prefix: str) -> dict[str, Any]:
        """What a mapping says for a section. `skills:` with nothing behind it says nothing."""
        if node.tag == _NULL:
            return {}
        if not isinstance(node, yaml.MappingNode):
            place = f"{prefix[:-1]}: " if prefix else ""
            raise self._error(node, f"{place}expected keys with values")
        known = {item.name: item for item in fields(kind) if in_config_file(item)}
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            name = key_node.value if isinstance(key_node, yaml.ScalarNode) else "?"
            if name not in known:
                raise self._unknown(key_node, prefix, name)
            if name in values:
                raise self._error(key_node, f"{prefix}{name} is there twice")
            self.lines[prefix + name] = key_node.start_mark.line + 1
            values[name] = self._value(known[name], value_node, prefix + name)
        return values

    def _value(self, item: Field[Any], node: yaml.Node, key: str) -> object:
        kind = section_of(item)
        try:
            if kind is not None:
                return kind(**self.values(kind, node, f"{key}."))
            value = accepted(item, SafeConstructor().construct_document(node))
        except (ValueError, RecursionError) as error:
            raise self._error(node, f"{key}: {error}") from None
        except yaml.MarkedYAMLError as error:
            raise self._error(node, f"{key}: {error.problem}") from None
        if isinstance(node, yaml.MappingNode):  # each MCP server is shown with its own line
            for name, _ in node.value:
                self.lines[f"{key}.{name.value}"] = name.start_mark.line + 1
        return value

    def _unknown(self, node: yaml.Node, prefix: str, name: str) -> ConfigError:
        if not prefix and name in _NOT_HERE:
            return self._error(node, f"{name} is not set here", _NOT_HERE[name])
        return self._error(node, f"{prefix}{name} is not a setting", suggestion(prefix + name))

    def _error(self, node: yaml.Node, message: str, hint: str = "") -> ConfigError:
        return ConfigError(f"{self._file}:{node.start_mark.line + 1}: {message}", hint=hint)


def check_value(key: str, value: object) -> tuple[str, ...]:
    """The names that lead to the key in the file, if it may hold this value; else a ConfigError."""
    kind: type[Section] = Settings
    names = key.split(".")
    for depth, name in enumerate(names, start=1):
        item = {one.name: one for one in fields(kind) if in_config_file(one)}.get(name)
        rest = ".".join(names[depth:])  # the name of an MCP server may hold dots
        if item is None or (rest and item.default_factory is MISSING):
            break
        inner = section_of(item)
        if inner is None:
            try:
                accepted(item, {rest: value} if rest else value)
            except ValueError as error:
                raise ConfigError(f"{key}: {error}") from None
            return (*names[:depth], rest) if rest else tuple(names)
        if not rest:
            raise ConfigError(f"{key} is a section", hint="set one of its keys")
        kind = inner
    raise ConfigError(f"{key} is not a setting", hint=suggestion(key))


def suggestion(wrong: str) -> str:
    """What to say to somebody who wrote a key that does not exist."""
    if hint := _NOT_HERE.get(wrong.partition(".")[0]):
        return hint
    known = list(_keys(Settings, ""))
    word = wrong.rpartition(".")[2]
    last_words = [key.rpartition(".")[2] for key in known]
    # The right word in the wrong section first, then a near spelling, then a near last word.
    near = [key for key, last in zip(known, last_words, strict=True) if last == word]
    near = near or get_close_matches(wrong, known, n=1)
    for close in get_close_matches(word, last_words, n=1) if not near else ():
        near = [known[last_words.index(close)]]
    return f"did you mean {near[0]}?" if near else "`hermes config show` lists the settings"


def _keys(kind: type[Section], prefix: str) -> Iterator[str]:
    """Every dotted key that config.yaml may hold, sections included."""
    for item in fields(kind):
        if in_config_file(item):
            yield prefix + item.name
        inner = section_of(item)
        if inner is not None:
            yield from _keys(inner, f"{prefix}{item.name}.")
