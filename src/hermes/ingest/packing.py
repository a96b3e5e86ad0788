"""Values between the process that writes and those that read for it: packed, with their length.

Both sides import this; what reading needs is imported by neither because of it.
"""

from __future__ import annotations

import io
import operator
import pickle
import struct
from collections.abc import Callable
from typing import IO, Any

from hermes.records.artefact import Artefact
from hermes.records.codec import field_names
from hermes.records.trajectory import Step

_Reduced = tuple[Callable[..., Any], tuple[Any, ...]]
_LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], value: Any) -> None:
    packed = io.BytesIO()
    packer = pickle.Pickler(packed, pickle.HIGHEST_PROTOCOL)
    packer.dispatch_table = _SHORT_FORMS
    packer.dump(value)
    stream.write(_LENGTH.pack(packed.tell()))
    stream.write(packed.getbuffer())
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """One value, still packed; None where the other side has ended."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def unpacked(data: bytes) -> Any:
    """The value that was sent. Only for what a process that we started says."""
    return pickle.loads(data)


def _by_fields(cls: Any) -> Callable[[Any], _Reduced]:
    fields = operator.attrgetter(*field_names(cls))
    return lambda record: (_made, (cls, fields(record)))


def _made(cls: Any, values: tuple[Any, ...]) -> Any:
    return cls(**dict(zip(field_names(cls), values, strict=True)))


_SHORT_FORMS: dict[type, Callable[[Any], _Reduced]] = {
    cls: _by_fields(cls) for cls in (Step, Artefact)
}
"""Steps and artefacts are most of what is sent: by their fields they cost half as much."""
