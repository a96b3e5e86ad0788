"""A model string → what it names. Cheap: it is read by commands that never call a model.

`provider:name`, or `provider:name@http://address/v1` for a server of one's own that speaks the
provider's wire format. One string says it all, so it works the same in config.yaml, in
DEFAULT_MODEL and behind --model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.errors import ConfigError

LOCAL = "local"
PROVIDERS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "ollama": "http://127.0.0.1:11434/v1",
}
"""Where each is when the model string does not say it."""

_FORMS = "openai:NAME, anthropic:NAME, ollama:NAME, local:NAME, or openai:NAME@http://HOST:PORT/v1"
_ADDRESS = re.compile(r"https?://([^\s/?#@:]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[^\s?#@]*)?")
_LOOPBACK = re.compile(r"https?://(localhost|127(\.\d+){3}|\[::1\])(:|/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """`base_url` is "" for a model file on this machine."""

    provider: str
    name: str
    base_url: str = ""
    own_server: bool = False
    """Whether the string itself says where the server is."""

    @property
    def may_see_key(self) -> bool:
        """A key travels encrypted, or it does not leave the machine."""
        return self.base_url.startswith("https://") or bool(_LOOPBACK.match(self.base_url))


def parse(text: str) -> ModelName:
    """What a model string names; a ConfigError says which forms there are."""
    provider, _, rest = text.partition(":")
    provider = provider.strip().lower()
    name, _, address = rest.partition("@http")
    if not name.strip():
        raise ConfigError(f"{text!r} names no model", hint=f"write {_FORMS}")
    if provider == LOCAL and not address:
        return ModelName(provider=LOCAL, name=_file_name(name))
    if provider not in PROVIDERS:
        raise ConfigError(f"{text!r}: {provider!r} is no provider", hint=f"write {_FORMS}")
    if not address:
        return ModelName(provider=provider, name=name, base_url=PROVIDERS[provider])
    base_url = f"http{address}"
    if not _ADDRESS.fullmatch(base_url):
        raise ConfigError(
            f"{text!r}: expected an address like http://127.0.0.1:8080/v1 behind the @",
            hint="without user, password or query; a key goes into the environment",
        )
    return ModelName(provider=provider, name=name, base_url=base_url.rstrip("/"), own_server=True)


def _file_name(name: str) -> str:
    """The name of a file in the models folder, and nothing that could lead out of it."""
    plain = name.removesuffix(".gguf")
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", plain, re.ASCII):
        raise ConfigError(f"{name!r} is no name of a model file", hint="`hermes model list`")
    return plain
