"""A definition as a person would read it out.

The definition of a function or a skill is written for a machine: `getUserById`, `"type": "string"`,
braces. A vector of that text is for the most part a vector of the notation, and near to every other
definition. Words are indexed from the text as it is; only what is embedded is put this way.
"""

from __future__ import annotations

import re

_TYPES = re.compile(
    r"""["'](?:type|format)["']\s*:\s*["'][\w./-]{0,40}["']\s*,?"""
    r"""|["']required["']\s*:\s*(?:\[[^][]{0,2000}\]|[Tt]rue|[Ff]alse)\s*,?"""
)
_KEYS = re.compile(
    r"""["'](?:type|format|name|title|description|parameters|properties|items|function)["']\s*:"""
)
_SIGNS = re.compile(r"""[{}\[\]"]+|(?<!\w)'|'(?!\w)""")
_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z0-9])[_.](?=[A-Za-z])")


def read_out(text: str) -> str:
    """The same without the notation of a schema, and with every identifier as its words."""
    plain, schemas = _TYPES.subn(" ", text)
    plain, keys = _KEYS.subn(" ", plain)
    if schemas or keys:
        plain = _SIGNS.sub(" ", plain)
    return " ".join(_JOINTS.sub(" ", plain).split()) or text
