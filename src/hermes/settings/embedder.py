"""`memory.embedder`: where vectors come from when it is not the offline model."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hermes.settings.values import Section, section


@section
class EmbedderEndpoint(Section):
    """An OpenAI-compatible embeddings endpoint; the key itself is only ever in the environment."""

    base_url: str
    model: str
    dimensions: int
    api_key_env: str | None = None


_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
_KEYS = {"base_url", "model", "dimensions", "api_key_env"}
_ADDRESS = re.compile(
    r"https?://(?:[^\s/?#@:\[\]]+|\[[0-9a-fA-F:.]+\])(?::(?P<port>\d{1,5}))?(?:/[^\s?#@]*)?"
)
_KNOWN_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


def embedder_endpoint(value: object) -> EmbedderEndpoint | None:
    """As the settings keep it; a ValueError says what is wrong."""
    if value is None or isinstance(value, EmbedderEndpoint):
        return value
    if isinstance(value, str):
        provider, _, name = value.partition(":")
        if provider == "openai" and name.strip():
            value = {"base_url": _OPENAI, "model": name, "api_key_env": _OPENAI_KEY}
    if not isinstance(value, Mapping) or not value.keys() <= _KEYS:
        raise ValueError
    model, variable = value.get("model"), value.get("api_key_env")
    if not isinstance(model, str) or not model.strip():
        raise ValueError
    if variable is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", str(variable)):
        raise ValueError("api_key_env is the name of a variable, not the key itself")
    dimensions = value.get("dimensions", _KNOWN_DIMENSIONS.get(model))
    if type(dimensions) is not int or not 1 <= dimensions <= 8192:
        raise ValueError(f"dimensions: how many numbers does a vector of {model} have, 1 to 8192?")
    return EmbedderEndpoint(
        base_url=_web_address(value.get("base_url")),
        model=model,
        dimensions=dimensions,
        api_key_env=variable,
    )


def _web_address(value: object) -> str:
    address = _ADDRESS.fullmatch(str(value))
    if address is None or int(address["port"] or 0) > 65535:
        raise ValueError(f"base_url: expected an address like {_OPENAI}, without user or password")
    return address[0].rstrip("/")
