"""A polynomial of a symmetric table that is large where the eigenvalues are small.

    s = ((b + a) − 2λ) / (b − a):     s ∈ [−1, 1] for λ ∈ [a, b],     s > 1 for λ < a                             (1)
    T_0 = 1,   T_1 = s,   T_{j+1} = 2 s T_j − T_{j−1}                                                             (2)

Chebyshev's polynomial T_m(s) stays within ±1 on [a, b] and grows below a, to about cosh 4 = 27 at λ = 0 if m = 2√(b/a), as it
is here. So eigenvalues at the lower end, which are close to each other beside the whole spectrum, are far apart after it.

(2) for a block of columns is m products with the table, in one sweep over its entries each, by runs of rows in threads.

Cost: O(m·entries·columns).
Reference: Zhou, Saad, Tiago & Chelikowsky, "Self-consistent-field calculations using Chebyshev-filtered subspace iteration",
J. Comput. Phys. 219, 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import side_by_side

RUN = 4096  # rows that a thread takes at a time
LARGEST_DEGREE = 80  # the largest m


@dataclass(frozen=True)
class ChebyshevFilter:
    """T_m of a sparse symmetric table, by rows."""

    entries: Array
    columns: Array
    starts: Array

    @classmethod
    def of(cls, table: Any) -> Self:
        rows = sparse.csr_array(table)
        return cls(rows.data, rows.indices, rows.indptr)

    def times(self, V: Array, above: float, size: float) -> Array:
        """T_m V, with [a, b] from `above` to `size`."""
        m = int(np.clip(np.ceil(2.0 * np.sqrt(size / above)), 2, LARGEST_DEGREE))
        scale = 2.0 / (size - above)
        middle = (size + above) / (size - above)
        before, now = np.zeros(V.shape), np.ascontiguousarray(V)
        following = self.step(now, before, middle, scale)
        for _ in range(m - 1):
            before, now = now, following
            following = self.step(now, before, 2 * middle, 2 * scale)
        return following

    def step(self, now: Array, before: Array, middle: float, scale: float) -> Array:
        """middle·V − scale·(table V) − the block before."""
        out, n = np.empty(now.shape), len(now)

        def run(start: int) -> None:
            step(self.entries, self.columns, self.starts, now, before, middle, scale, start, min(start + RUN, n), out)

        side_by_side(run, range(0, n, RUN))
        return out


@compiled
def step(
    entries: Array, columns: Array, starts: Array, now: Array, before: Array, middle: float, scale: float, first: int,
    last: int, out: Array,
) -> None:  # fmt: skip
    """(2) for a run of rows."""
    width = now.shape[1]
    total = np.empty(width)
    for i in range(first, last):
        for c in range(width):
            total[c] = 0.0
        for place in range(starts[i], starts[i + 1]):
            w, j = entries[place], columns[place]
            for c in range(width):
                total[c] += w * now[j, c]
        for c in range(width):
            out[i, c] = middle * now[i, c] - scale * total[c] - before[i, c]
