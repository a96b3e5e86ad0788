"""Just enough of the ONNX file format to read weights and to write a graph.

ONNX files are protocol buffers: numbered fields, each a varint, a fixed word or a run of bytes. The
few messages needed here take a page; the package that knows all of them takes longer to import
than the model takes to load.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hermes.errors import CorruptData

Array = NDArray[Any]

MICROSOFT = "com.microsoft"
"""Where onnxruntime's own operators live."""

FLOAT, INT32, INT64 = 1, 6, 7
_KINDS: dict[int, np.dtype[Any]] = {
    FLOAT: np.dtype(np.float32),
    2: np.dtype(np.uint8),
    3: np.dtype(np.int8),
    INT32: np.dtype(np.int32),
    INT64: np.dtype(np.int64),
}
_NUMBERS = {kind: number for number, kind in _KINDS.items()}
_VARINT, _EIGHT_BYTES, _RUN, _FOUR_BYTES = 0, 1, 2, 5

_GRAPH_OF_MODEL, _TENSORS_OF_GRAPH = 7, 5
_OPSET, _IR = 17, 8


@dataclass
class Graph:
    """Operators in the order they are run, and the tensors they start from."""

    inputs: Mapping[str, tuple[int, Sequence[str]]]
    """Name to kind and the names of its dimensions."""
    output: str
    _nodes: list[bytes] = field(default_factory=list)
    _tensors: list[bytes | memoryview] = field(default_factory=list)
    """In pieces, and joined once: they are most of the file."""

    def constant(self, name: str, values: Array) -> str:
        number = _NUMBERS[values.dtype]
        dims = b"".join(_number(1, size) for size in values.shape)
        data = np.ascontiguousarray(values).data.cast("B")
        head = dims + _number(2, number) + _run(8, name.encode()) + _opening(9, data.nbytes)
        self._tensors += [_opening(5, len(head) + data.nbytes) + head, data]
        return name

    def run(
        self,
        operator: str,
        inputs: Sequence[str],
        *outputs: str,
        domain: str = "",
        **attributes: int | float | tuple[int, ...],
    ) -> str:
        """Adds one operator; the name of its first output."""
        node = b"".join(_run(1, name.encode()) for name in inputs)
        node += b"".join(_run(2, name.encode()) for name in outputs)
        node += _run(4, operator.encode())
        node += b"".join(_run(5, _attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(node + _run(7, domain.encode()))
        return outputs[0]

    def to_bytes(self) -> bytes:
        inputs = [_run(11, _value(name, kind, dims)) for name, (kind, dims) in self.inputs.items()]
        graph = [
            *(_run(1, node) for node in self._nodes),
            _run(2, b"graph"),
            *self._tensors,
            *inputs,
            _run(12, _value(self.output, FLOAT, ())),
        ]
        size = sum(len(part) for part in graph)
        opsets = [_run(8, _run(1, name) + _number(2, at)) for name, at in _DOMAINS]
        return b"".join([_number(1, _IR), _opening(_GRAPH_OF_MODEL, size), *graph, *opsets])


_DOMAINS = ((b"", _OPSET), (MICROSOFT.encode(), 1))


def read_tensors(model: bytes) -> dict[str, Array]:
    """The tensors stored in a model, by their names: views into its bytes, not copies.

    Those of kinds that hold no weights, as truth values, are left out.
    """
    tensors = {}
    for at, graph in _fields(memoryview(model)):
        if at == _GRAPH_OF_MODEL and isinstance(graph, memoryview):
            for inner, tensor in _fields(graph):
                if inner == _TENSORS_OF_GRAPH and isinstance(tensor, memoryview):
                    tensors.update(_tensor(tensor))
    return tensors


def _tensor(message: memoryview) -> dict[str, Array]:
    dims: list[int] = []
    kind, name, data = 0, "", memoryview(b"")
    for at, value in _fields(message):
        if isinstance(value, int):
            if at == 1:
                dims.append(value)
            elif at == 2:
                kind = value
        elif at == 1:  # packed: all dimensions in one run
            dims.extend(_packed(value))
        elif at == 8:
            name = bytes(value).decode()
        elif at == 9:
            data = value
    if kind not in _KINDS:
        return {}
    try:
        return {name: np.frombuffer(data, dtype=_KINDS[kind]).reshape(dims)}
    except ValueError as error:
        raise _corrupt(f"tensor {name!r} does not have the size it says: {error}") from error


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        form = key & 7
        if form == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if form == _RUN:
            size, at = _varint(message, at)
        elif form in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if form == _EIGHT_BYTES else 4
        else:
            raise _corrupt(f"a field has the unknown form {form}")
        if at + size > len(message):
            raise _corrupt("it ends in the middle of a field")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise _corrupt("it ends in the middle of a number")
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7


def _corrupt(what: str) -> CorruptData:
    return CorruptData(what, where="an ONNX file")


def _packed(run: memoryview) -> Iterator[int]:
    at = 0
    while at < len(run):
        value, at = _varint(run, at)
        yield value


def _value(name: str, kind: int, dims: Sequence[str]) -> bytes:
    shape = b"".join(_run(1, _run(2, dim.encode())) for dim in dims)
    tensor = _number(1, kind) + (_run(2, shape) if dims else b"")
    return _run(1, name.encode()) + _run(2, _run(1, tensor))


def _attribute(name: str, value: int | float | tuple[int, ...]) -> bytes:
    written = _run(1, name.encode())
    if isinstance(value, tuple):
        return written + b"".join(_number(8, one) for one in value) + _number(20, 7)
    if isinstance(value, float):
        return written + _key(2, _FOUR_BYTES) + struct.pack("<f", value) + _number(20, 1)
    return written + _number(3, value) + _number(20, 2)


def _number(at: int, value: int) -> bytes:
    return _key(at, _VARINT) + _as_varint(value & (1 << 64) - 1)


def _run(at: int, data: bytes) -> bytes:
    return _opening(at, len(data)) + data


def _opening(at: int, size: int) -> bytes:
    return _key(at, _RUN) + _as_varint(size)


def _key(at: int, form: int) -> bytes:
    return _as_varint(at << 3 | form)


def _as_varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
