"""Fits the weights of recall on the fitted half of the labelled set and prints both halves.

One weight after another is moved to where it serves best, twice round at most. What it prints
belongs into `Weights` in hermes/rules/recalling/weights.py; nothing is written. Takes some minutes
of CPU time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hermes.app import embedder
from hermes.bench.recall_set.labelled import Half, Question
from hermes.bench.remembered_set import KnownTexts, RememberedSet, remembered
from hermes.bench.retrieval_memory import UNCUT, recall_set, rows_of
from hermes.rules.recalling.weights import Weights

TRIED: dict[str, tuple[float, ...]] = {
    "lexical": (0.4, 0.5, 0.6, 0.7),
    "neighbour": (0.2, 0.3, 0.4, 0.5),
    "next_neighbour": (0.05, 0.1, 0.15, 0.2),
    "speaker": (0.1, 0.15, 0.2, 0.3),
    "time": (0.3, 0.5, 0.7),
    "telling": (0.3, 0.5, 0.65, 0.8),
    "centring": (0.0, 0.25, 0.5, 0.75, 1.0),
    "superseded": (0.1, 0.2, 0.3),
    "fading_floor": (0.7, 0.85, 1.0),
}
ROUNDS = 2
LEAST_GAIN = 0.002
"""Less is the luck of one question of a small class."""


def quality(store: RememberedSet, asked: Sequence[Question], weights: Weights) -> float:
    """Recall@10 and the mean reciprocal rank count the same, and so does every class."""
    answers = store.answers(asked, replace(UNCUT, weights=weights))
    mean = rows_of(answers, Half.FITTED, "hybrid")[-1]
    return (mean.at_10 + mean.mrr) / 2


def fitted(store: RememberedSet, asked: Sequence[Question]) -> Weights:
    weights = UNCUT.weights
    best = quality(store, asked, weights)
    for _ in range(ROUNDS):
        before = weights
        for name, values in TRIED.items():
            for value in values:
                if getattr(weights, name) == value:
                    continue
                tried = replace(weights, **{name: value})
                reached = quality(store, asked, tried)
                if reached > best + LEAST_GAIN:
                    best, weights = reached, tried
        print(f"{best:.4f} {weights}", flush=True)
        if weights == before:
            break
    return weights


def main() -> None:
    labelled = recall_set()
    asked = [one for one in labelled.questions if one.half is Half.FITTED and one.expects]
    with remembered(labelled.memories, KnownTexts(embedder())) as store:
        found = fitted(store, asked)
        for name, weights in (("shipped", UNCUT.weights), ("fitted", found)):
            answers = store.answers(labelled.questions, replace(UNCUT, weights=weights))
            for half in Half:
                for row in rows_of(answers, half, name):
                    print(
                        f"{half:9} {name:8} {row.asked:16} {row.questions:4} "
                        f"@1 {row.at_1:.3f} @5 {row.at_5:.3f} @10 {row.at_10:.3f} "
                        f"mrr {row.mrr:.3f}"
                    )


if __name__ == "__main__":
    main()
