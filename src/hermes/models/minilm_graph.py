"""all-MiniLM-L6-v2 as a graph that computes with the 8-bit weights it is shipped with.

The shipped graph unfolds its weights to floats first, so it takes four times the memory and twice
the time. This one multiplies bytes: each token's vector is scaled to [-1, 1] by its own largest
value and rounded to 8 bits, so what a text's vector is does not depend on its batch. Weights are
moved to unsigned bytes: on processors without a dot product of bytes, signed ones may overflow.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hermes.errors import CorruptData
from hermes.models.onnx_file import INT32, INT64, MICROSOFT, Graph, read_tensors

Array = NDArray[Any]

IDS, POSITIONS, MASK, VECTORS = "ids", "positions", "mask", "vectors"

_LAYERS, _HEADS, _PER_LAYER = 6, 12, 6
_EPSILON = 1e-12
_ZERO = 128
"""The byte that stands for 0."""


def byte_graph(shipped: bytes) -> bytes:
    """The graph to run, made of the weights in the shipped file."""
    return _MiniLMGraph(read_tensors(shipped)).to_bytes()


class _MiniLMGraph:
    """The model, operator by operator. `state` is the name of one vector a token."""

    def __init__(self, tensors: dict[str, Array]) -> None:
        self._tensors = tensors
        self._matrices = iter(_matrices(tensors))
        row = ("batch", "tokens")
        inputs = {IDS: (INT64, row), POSITIONS: (INT64, row[1:]), MASK: (INT32, row)}
        self._graph = Graph(inputs, VECTORS)
        self._graph.constant("levels", np.array(1 / (_ZERO - 1), np.float32))
        self._graph.constant("zero", np.array(_ZERO, np.uint8))

    def to_bytes(self) -> bytes:
        state = self._embedded()
        for layer in range(_LAYERS):
            state = self._layer(f"inner.encoder.layer.{layer}.", state)
        self._graph.run("Identity", [state], VECTORS)
        return self._graph.to_bytes()

    def _embedded(self) -> str:
        """Word and place; every text is of the first of the two sorts that BERT knows."""
        graph, where = self._graph, "inner.embeddings."
        word, place = f"{where}word_embeddings.weight", f"{where}position_embeddings.weight"
        bytes_of = graph.run("Gather", [self._kept(f"{word}_q"), IDS], "word_bytes")
        scale_of = graph.run("Gather", [self._kept(f"{word}_scale"), IDS], "word_scale")
        floats = graph.run("Cast", [bytes_of], "word_floats", to=1)
        words = graph.run("Mul", [floats, scale_of], "words")
        places = self._tensors[f"{place}_q"].astype(np.float32) * self._tensors[f"{place}_scale"]
        places = places + self._tensors[f"{where}token_type_embeddings.weight"][0]
        placed = graph.run("Gather", [graph.constant("all_places", places), POSITIONS], "places")
        norm = [self._kept(f"{where}LayerNorm.{part}") for part in ("weight", "bias")]
        summed = graph.run("Add", [words, placed], "words_in_place")
        return graph.run("LayerNormalization", [summed, *norm], "embedded", epsilon=_EPSILON)

    def _layer(self, name: str, state: str) -> str:
        graph, attention = self._graph, f"{name}attention."
        three = [next(self._matrices) for _ in range(3)]
        biases = [self._bias(f"{attention}self.{part}") for part in ("query", "key", "value")]
        joined = np.concatenate([part for part, _ in three], axis=1)
        scales = np.concatenate([scale for _, scale in three])
        seen = self._times(state, f"{name}seen", (joined, scales), np.concatenate(biases))
        parts = [f"{name}{part}" for part in ("query", "key", "value")]
        graph.run("Split", [seen], *parts, axis=2)
        heard = graph.run(
            "MultiHeadAttention",
            [*parts, "", MASK],
            f"{name}heard",
            domain=MICROSOFT,
            num_heads=_HEADS,
        )
        told = self._dense(heard, f"{attention}output.dense")
        state = self._added(told, state, f"{attention}output.LayerNorm")
        wide = self._dense(state, f"{name}intermediate.dense")
        wide = graph.run("Gelu", [wide], f"{name}wide", domain=MICROSOFT)
        return self._added(
            self._dense(wide, f"{name}output.dense"), state, f"{name}output.LayerNorm"
        )

    def _dense(self, state: str, name: str) -> str:
        return self._times(state, name, next(self._matrices), self._bias(name))

    def _times(self, state: str, name: str, matrix: tuple[Array, Array], bias: Array) -> str:
        """State times matrix plus bias, in bytes: each token by its own largest value."""
        graph = self._graph
        weight, scale = matrix
        moved = weight.view(np.uint8) ^ np.uint8(_ZERO)
        size = graph.run("Abs", [state], f"{name}/size")
        largest = graph.run("ReduceMax", [size], f"{name}/largest", axes=(-1,))
        unit = graph.run("Div", [state, largest], f"{name}/unit")
        rounded = graph.run("QuantizeLinear", [unit, "levels", "zero"], f"{name}/bytes")
        product = graph.run(
            "MatMulIntegerToFloat",
            [
                rounded,
                graph.constant(f"{name}/weight", moved),
                "levels",
                graph.constant(f"{name}/scale", scale),
                "zero",
                graph.constant(f"{name}/zero", np.full(moved.shape[1], _ZERO, np.uint8)),
            ],
            f"{name}/product",
            domain=MICROSOFT,
        )
        back = graph.run("Mul", [product, largest], f"{name}/back")
        return graph.run("Add", [back, graph.constant(f"{name}/bias", bias)], f"{name}/done")

    def _added(self, change: str, state: str, name: str) -> str:
        norm = [self._kept(f"{name}.{part}") for part in ("weight", "bias")]
        return self._graph.run(
            "SkipLayerNormalization",
            [change, state, *norm],
            f"{name}/done",
            domain=MICROSOFT,
            epsilon=_EPSILON,
        )

    def _kept(self, name: str) -> str:
        return self._graph.constant(name, self._tensors[name])

    def _bias(self, name: str) -> Array:
        return self._tensors[f"{name}.bias"]


def _matrices(tensors: dict[str, Array]) -> list[tuple[Array, Array]]:
    """Bytes and scales of each weight, in the order the model uses them."""
    numbers = sorted(int(m[1]) for name in tensors if (m := re.fullmatch(r"val_(\d+)_q", name)))
    if len(numbers) != _LAYERS * _PER_LAYER:
        raise CorruptData(f"{len(numbers)} matrices are not those of MiniLM-L6", where="weights")
    return [(tensors[f"val_{at}_q"], tensors[f"val_{at}_scale"].reshape(-1)) for at in numbers]
