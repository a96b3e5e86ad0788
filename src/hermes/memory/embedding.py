"""What a vector is labelled with, so that no two embedders' are ever compared."""

from __future__ import annotations

import re

from hermes.ids import content_hash
from hermes.ports import Embedder

_PLAIN = re.compile(r"[\w./-]{1,120}")


def label_of(embedder: Embedder) -> str:
    """Its name and dimensions; a name that a database would have to quote is hashed."""
    name = embedder.name
    if not _PLAIN.fullmatch(name):
        name = content_hash(name.encode())[:32]
    return f"{name}/{embedder.dimensions}"
