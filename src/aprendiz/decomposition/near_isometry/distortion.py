"""How much a projection stretches and shrinks the distances between rows.

    r_ij = ‖Pu_i − Pu_j‖² / ‖u_i − u_j‖²,     distortion = max |r_ij − 1|                                      (1)

over all pairs of the rows, or of some of them that were drawn at random. Rows in one place have no ratio. Far from zero images
are rounded, and those of rows that nearly coincide may lose their digits: then nothing is claimed. With normal numbers k·r_ij
is a χ² of k degrees of freedom, so that all P pairs lie

    between the quantiles δ/2P and 1 − δ/2P of χ²_k/k                                                          (2)

but with probability δ. Where nobody asked for an ε, that is what k coordinates promise; a sparse matrix that misses the cells
of sparse rows does not keep it. `failure` is the bound of dimension.py for all pairs of the table, by normal numbers.

Cost: a difference for each pair, of which there are at most some millions of cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, special

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.core.sums import SMALLEST_SQUARE
from aprendiz.decomposition.near_isometry.dimension import failure_probability

CELLS = 2**25  # of all differences together
MOST_ROWS, FEWEST_ROWS = 400, 24
CHANCE = 1e-6  # δ of (2)
LOST = 1e-6  # of a ratio, which rounding may take
EPS = float(np.finfo(float).eps)
WITHIN_EPS = "squared distances between the rows that were looked at change by at most a part eps"
AS_NORMAL = "squared distances between the rows that were looked at change as normal coordinates change them"


def rows_to_compare(columns: int) -> int:
    """How many rows of so many columns are looked at."""
    return int(np.clip(np.sqrt(2.0 * CELLS / max(columns, 1)), FEWEST_ROWS, MOST_ROWS))


def dense(part: Any) -> Array:
    """Rows as an array of double precision."""
    return np.asarray(part.toarray() if sparse.issparse(part) else part, np.float64)


def ratios(U: Array, images: Array, sizes: Array) -> tuple[Array, float]:
    """r of (1), of the pairs of rows that are not in one place, and how far rounding may have moved them. `sizes` are the
    images of |U| by |P|, which bound what is rounded."""
    unit = 2.0 ** -np.frexp(max(np.abs(U).max(initial=0.0), 2.0**-1000))[1]  # exact, and squares are numbers
    U, V, slip = U * unit, images * unit, EPS * (8.0 + U.shape[1] / 2.0) * np.linalg.norm(sizes * unit, axis=1)
    found, lost = [], 0.0
    for i in range(len(U) - 1):
        difference = U[i + 1 :] - U[i]
        apart = difference.any(axis=1)
        before = (difference[apart] ** 2).sum(axis=1)
        if (before < SMALLEST_SQUARE).any():
            return np.empty(0), np.inf
        after, error = ((V[i + 1 :] - V[i])[apart] ** 2).sum(axis=1), slip[i + 1 :][apart] + slip[i]
        found.append(after / before)
        lost = max(lost, float(((2.0 * np.sqrt(after) + error) * error / before).max(initial=0.0)))
    return (np.concatenate(found) if found else np.empty(0)), lost


@dataclass(frozen=True)
class Compared:
    """Rows that are compared with their images, and what is promised of them: 1 ± ε, or what (2) says of k coordinates."""

    U: Any
    rows: int  # of the whole table
    eps: float
    promised: bool  # whether it is ε

    def certificate(self, image: Callable[[Any, Any], Any], P: Any) -> Certificate:
        """(1) for P, and whether the promise is kept."""
        images, sizes = dense(image(self.U, P)), dense(image(abs(self.U), abs(P)))
        (r, lost), k = ratios(dense(self.U), images, sizes), P.shape[0]
        low, high = (float(r.min()), float(r.max())) if len(r) else (1.0, 1.0)
        distortion, looked = max(1.0 - low, high - 1.0), self.U.shape[0]
        least, most = range_of_ratios(k, max(len(r), 1))
        kept = distortion <= self.eps if self.promised else least <= low and high <= most
        return Certificate(
            WITHIN_EPS if self.promised else AS_NORMAL,
            bool(kept and lost <= LOST),
            {
                "distortion": distortion,
                "eps": self.eps,
                "lowest": low,
                "highest": high,
                "expected_lowest": least,
                "expected_highest": most,
                "rounding": lost,
                "pairs": len(r),
                "rows": looked,
                "all_rows": looked == self.rows,
                "failure": float(failure_probability(self.rows, self.eps, k)),
            },
        )


def range_of_ratios(k: int, pairs: int) -> tuple[float, float]:
    """The quantiles (2), between which all the ratios lie but with probability δ."""
    part = CHANCE / (2.0 * pairs)
    return float(2.0 * special.gammaincinv(k / 2.0, part) / k), float(2.0 * special.gammainccinv(k / 2.0, part) / k)
