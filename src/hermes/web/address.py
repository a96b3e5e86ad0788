"""Which addresses only this machine can reach."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address, IPv6Address

from hermes.errors import WrongCall

_ITSELF = IPv6Address("::1")


def loopback_address(host: str) -> str | None:
    """The address that a host stands for; None where somebody else could reach it.

    `localhost` is what everybody takes it for, whatever a name server says.
    """
    if host.lower() == "localhost":
        return "127.0.0.1"
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        if ":" in bare:
            return "::1" if IPv6Address(bare) == _ITSELF else None
        return bare if IPv4Address(bare).is_loopback else None
    except AddressValueError:
        return None


def own_address(host: str) -> str:
    """The same, for whoever is about to listen there."""
    address = loopback_address(host)
    if address is None:
        raise WrongCall(
            f"{host} may be reached by others, and there are no users yet to tell them apart",
            hint="use 127.0.0.1, and a tunnel to come from another machine",
        )
    return address


def is_loopback_header(value: str) -> bool:
    """Whether a `Host` header, with or without a port, names this machine.

    The port may be any: a forwarded one is not ours.
    """
    host, colon, port = value.rpartition(":")
    if not colon or value.endswith("]"):
        host, port = value, "0"
    return port.isascii() and port.isdigit() and loopback_address(host) is not None
