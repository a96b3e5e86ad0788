"""Change one value in the text of config.yaml and leave every other character as it was.

The places of the values come from the YAML parser, so comments, order and layout survive. Then the
new text is read again: if it does not say exactly what the old one said plus the change, the file
is laid out in a way this cannot edit, and it refuses with the line to change by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from hermes.errors import ConfigError
from hermes.settings.config_file import compose

_ONE_LINE = 1_000_000


def edited(text: str, names: Sequence[str], value: object, file: Path) -> str:
    """The text in which the key (as its names from the outside in) has this value."""
    root = compose(text, file)
    wanted = _with(_plain(root), names, value)
    new = _edited(text, root, names, value)
    if not _says(new, wanted, file):
        line = 1 + (_deepest(root, names).start_mark.line if root is not None else 0)
        raise ConfigError(
            f"{file}:{line}: is written in a way that cannot be changed safely from here",
            hint=f"write `{_entry(names, value)}` by hand",
        )
    return new


def _edited(text: str, root: yaml.Node | None, names: Sequence[str], value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    node, depth = root, 0
    while isinstance(node, yaml.MappingNode) and depth < len(names):
        below = _child(node, names[depth])
        if below is None:
            break
        node, depth = below, depth + 1
    missing = names[depth:]
    if not missing and node is not None:
        return _spliced(text, node, _flow(value))
    if node is None:
        return _appended(text, missing, value, newline)
    if not isinstance(node, yaml.MappingNode):  # `skills:` with nothing behind it
        return _spliced(text, node, "{" + _entry(missing, value) + "}")
    if node.flow_style:
        at = node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1
        return text[:at] + (", " if node.value else "") + _entry(missing, value) + text[at:]
    if node is root:
        return _appended(text, missing, value, newline)
    return _line_added(text, node, _entry(missing, value), newline)


def _spliced(text: str, node: yaml.Node, new: str) -> str:
    """The node's own characters replaced; an empty value is a place right behind its colon."""
    start, end = node.start_mark.index, node.end_mark.index
    space = " " if text[start - 1 : start] == ":" else ""
    return text[:start] + space + new + text[end:]


def _appended(text: str, names: Sequence[str], value: object, newline: str) -> str:
    """A new entry at the end of the file, a section on a line of its own."""
    if text and not text.endswith("\n"):
        text += newline
    if len(names) == 1:
        return text + _entry(names, value) + newline
    return f"{text}{names[0]}:{newline}  {_entry(names[1:], value)}{newline}"


def _line_added(text: str, node: yaml.MappingNode, entry: str, newline: str) -> str:
    """A new line below the section's last one, as deep as its first."""
    last: yaml.Node = node
    while isinstance(last, yaml.MappingNode | yaml.SequenceNode) and last.value:
        final = last.value[-1]
        last = final[1] if isinstance(final, tuple) else final
    end = text.find("\n", last.end_mark.index)
    before, after = (text + newline, "") if end < 0 else (text[: end + 1], text[end + 1 :])
    indent = " " * node.value[0][0].start_mark.column
    return f"{before}{indent}{entry}{newline}{after}"


def _child(node: yaml.MappingNode, name: str) -> yaml.Node | None:
    return next((value for key, value in node.value if key.value == name), None)


def _deepest(node: yaml.Node, names: Sequence[str]) -> yaml.Node:
    for name in names:
        below = _child(node, name) if isinstance(node, yaml.MappingNode) else None
        if below is None:
            break
        node = below
    return node


def _entry(names: Sequence[str], value: object) -> str:
    """`name: value` on one line, further names nested in braces."""
    text = _flow(value)
    for name in reversed(names[1:]):
        text = "{" + f"{_flow(name)}: {text}" + "}"
    return f"{_flow(names[0])}: {text}"


def _flow(value: object) -> str:
    """The value on one line, quoted where it has to be."""
    if isinstance(value, str) and not set(value) & set(",[]{}\n"):
        # As a document of its own `openai:gpt-5` needs no quotes; inside braces it would get them.
        return yaml.safe_dump(value, allow_unicode=True, width=_ONE_LINE).split("\n")[0]
    dumped = yaml.safe_dump(
        {"k": value}, default_flow_style=True, sort_keys=False, allow_unicode=True, width=_ONE_LINE
    )
    return dumped.strip().removeprefix("{k: ").removesuffix("}")


def _plain(node: yaml.Node | None) -> Any:
    return (SafeConstructor().construct_document(node) if node is not None else None) or {}


def _with(data: dict[str, Any], names: Sequence[str], value: object) -> dict[str, Any]:
    """What the file must say afterwards."""
    changed: dict[str, Any] = _unshared(data)
    inner = changed
    for name in names[:-1]:
        inner[name] = inner.get(name) or {}
        inner = inner[name]
    inner[names[-1]] = value
    return changed


def _unshared(value: Any) -> Any:
    """A copy in which nothing is the same object twice, as YAML's aliases would make it."""
    if isinstance(value, dict):
        return {name: _unshared(one) for name, one in value.items()}
    return [_unshared(one) for one in value] if isinstance(value, list) else value


def _says(text: str, wanted: dict[str, Any], file: Path) -> bool:
    try:
        return bool(_plain(compose(text, file)) == wanted)
    except ConfigError:
        return False
