"""Which hosts a skill may reach when it is run.

Whoever grants a host has looked at one version. The grant holds for that version and for what a
person made of it by hand; a version that anybody else wrote does not inherit it
(docs/decisions/0013-a-network-grant-is-for-a-version.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hermes.errors import WrongCall
from hermes.records.grant import Grant
from hermes.records.origin import Origin
from hermes.records.version import Version

_LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"(?P<name>{_LABEL}(\.{_LABEL})*|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{{1,5}}))?")
_LONGEST_NAME = 253
_LAST_PORT = 65_535


def plain_host(text: str) -> str:
    """`host` or `host:port` in one spelling; raises WrongCall for an address, a path, a `*`."""
    host = text.strip().lower()
    found = _HOST.fullmatch(host)
    if found is None or len(found["name"]) > _LONGEST_NAME:
        raise WrongCall(
            f"{text!r} is not a host", hint="name it as api.example.com or api.example.com:8443"
        )
    if found["port"] is not None and not 1 <= int(found["port"]) <= _LAST_PORT:
        raise WrongCall(f"{text!r} has no port from 1 to {_LAST_PORT}")
    return host


def in_force(
    grants: Iterable[Grant], live: Version | None, versions: Sequence[Version]
) -> tuple[Grant, ...]:
    """The grants that the live version has, one for each host, the oldest; none without one."""
    trusted = {version.id for version in _by_hand_since(live, versions)}
    found: dict[str, Grant] = {}
    for grant in grants:
        if grant.revoked is None and grant.version_id in trusted:
            found.setdefault(grant.host, grant)
    return tuple(found.values())


def _by_hand_since(live: Version | None, versions: Sequence[Version]) -> Iterator[Version]:
    """The live version, and what it was made from as long as a person made it by hand."""
    by_id = {version.id: version for version in versions}
    version = live
    while version is not None:
        yield version
        made_by_hand = version.origin is Origin.USER and version.parent_id is not None
        version = by_id.get(version.parent_id or "") if made_by_hand else None
