"""t-SNE: maps of overlapping groups and of images of digits.

Contenders have the defaults of their libraries but for the number of threads: openTSNE makes 750 steps, the others 1 000. The
measure is KL(P‖Q) of the map, computed for everybody by the same function, from all pairs and without exaggeration.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks import THREADS
from benchmarks.harness import Case
from benchmarks.peers import OPENTSNE, OURS, SKLEARN, Contender, Data, also, fixed
from benchmarks.quality import Objective

PERPLEXITY = 30.0  # the default of all of them


def groups(rows: int) -> Data:
    """Ten groups in fifty columns, which touch."""
    random = np.random.default_rng(0)
    centres = 0.5 * random.normal(size=(10, 50))
    return (centres[random.integers(0, 10, rows)] + random.normal(size=(rows, 50)),)


def digits(rows: int) -> Data:
    """Images of digits, 64 columns."""
    from sklearn.datasets import load_digits

    return (load_digits().data[:rows],)


def divergence(data: Data, found: Any) -> float:
    """KL(P‖Q) of a map: of a model its `embedding_`, or what openTSNE gives, which is an array."""
    places = np.array(getattr(found, "embedding_", found), dtype=np.float64)
    return float(forces(data[0].tobytes(), data[0].shape).at(places, True).divergence)


@lru_cache(2)
def forces(cells: bytes, shape: tuple[int, int]) -> Any:
    """Our neighbourhoods of a table, with sums over all pairs."""
    from aprendiz.decomposition.neighbor_embedding.affinities import affinities
    from aprendiz.decomposition.neighbor_embedding.forces import Forces

    table = np.frombuffer(cells).reshape(shape)
    return Forces(affinities(table, PERPLEXITY, False, "euclidean", None), 2, exact=True)


CONTENDERS = {
    OURS: Contender(OURS, "aprendiz.decomposition", "TSNE", fixed(random_state=0)),
    SKLEARN: Contender(SKLEARN, "sklearn.manifold", "TSNE", fixed(random_state=0, n_jobs=THREADS)),
    **also(OPENTSNE, "TSNE", fixed(random_state=0, n_jobs=THREADS)),
}
QUALITY = Objective("divergence", divergence, 0.01)
SLOW = tuple(name for name in CONTENDERS if name != OURS)

CASES = (
    Case("TSNE, digits, 1 797 × 64", 1_797, digits, CONTENDERS, QUALITY, once=SLOW, grows=False),
    Case("TSNE, 2 000 × 50", 2_000, groups, CONTENDERS, QUALITY, once=SLOW, grows=False),
    Case("TSNE, 20 000 × 50", 20_000, groups, CONTENDERS, QUALITY, once=SLOW, grows=False),
)
