"""What Python's own functions make of a text that is known: decoding, joining, replacing."""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Callable

_NETWORK = (
    "requests",
    "httpx",
    "aiohttp",
    "urllib",
    "urllib3",
    "http.client",
    "socket",
    "websocket",
    "websockets",
    "pycurl",
)


def is_network(name: str) -> bool:
    """Whether a dotted name belongs to a library that talks to other machines."""
    return (
        name.startswith(_NETWORK)
        or ".Session" in name
        or "ClientSession" in name
        or "httpx" in name
        or "recv" in name
    )


def decoded(name: str, text: str) -> str | None:
    """What a decoding function would make of a known text."""
    how: Callable[[bytes], bytes] = base64.b64decode
    if "hex" in name:
        how = binascii.unhexlify
    elif "32" in name:
        how = base64.b32decode
    elif "85" in name:
        how = base64.b85decode
    elif name == "codecs.decode":
        return codecs.decode(text, "rot13")
    try:
        return how(text.encode()).decode("utf-8", "replace")
    except (ValueError, binascii.Error):
        return None


METHODS: dict[str, Callable[[str, list[str]], str | None]] = {
    "join": lambda base, args: base.join(args[0].split(" ")) if args and args[0] else None,
    "replace": lambda base, args: (
        base.replace(args[0], args[1]) if len(args) > 1 and args[0] else base
    ),
    "format": lambda base, args: base,
    "joinpath": lambda base, args: "/".join([base, *args]),
    "with_name": lambda base, args: args[0] if args else None,
    "expanduser": lambda base, args: base,
    "reverse": lambda base, args: base[::-1],
}
