"""What was asked before and made a skill: who asks for the same again improves that skill."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from hermes.ports import Clusters
from hermes.rules.clustering.likeness import SAME_REQUEST, calibrated
from hermes.rules.clustering.profiles import against, text_of

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

_MOST = 2_000
"""Examples of skills that a newcomer is compared with, the latest."""


class KnownRequests:
    """The requests of examples that skills were made from."""

    def __init__(self, clusters: Clusters, example_ids: Iterable[str]) -> None:
        import numpy as np

        self._clusters = clusters
        latest = islice(sorted(example_ids, reverse=True), _MOST)
        placed = [(one, found[1]) for one in latest if (found := clusters.of(one)) is not None]
        self._ids = [one for one, _ in placed]
        texts = [text_of(np.frombuffer(vector, dtype=np.float32)) for _, vector in placed]
        self._texts = np.stack(texts) if texts else None

    def cluster_of(self, vector: Vector) -> str | None:
        """Where the example lies that asked for the same, by its text; None where none did."""
        import numpy as np

        if self._texts is None:
            return None
        products = self._texts @ against(text_of(vector))
        nearest = int(np.argmax(products))
        if calibrated(float(products[nearest])) < SAME_REQUEST:
            return None
        placed = self._clusters.of(self._ids[nearest])
        return None if placed is None else placed[0]
