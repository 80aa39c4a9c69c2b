"""Singular vectors of a small table, exact: by a triangle, so that nothing is squared.

    R = the triangle of √w·(1, x − pivot),  RᵀR = their sums of products       (summaries/moments.py)         (1)
    A = U₀ R₀,     R₀ = R with the pivot added back to its columns,     U₀ᵀU₀ = I                              (2)
    R₀ = W S Vᵀ                                                                                                (3)

U₀ is never formed: A and R₀ have the same S and V. A table with more columns than rows is its own R, but for a rotation.

Cost: one pass, 4·n·d² multiplications (n²·d if n < d), and the decomposition (3) of min(n, d) rows.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Rows
from aprendiz.core.sums import find_pivot
from aprendiz.decomposition.svd.singular_space import SingularSpace, upright
from aprendiz.summaries.moments import Triangle

LARGEST = 1e150  # of an entry, whose square is a number


def by_triangle(rows: Rows, k: int) -> SingularSpace:
    """The first k triplets."""
    record = rows.sum(Triangle.of, find_pivot(rows))
    refuse_empty_sums(record.weight, bool(np.abs(record.R).max(initial=0.0) < LARGEST), rows)
    return triplets(record, k)


def triplets(record: Triangle, k: int) -> SingularSpace:
    """(2) and (3) of a triangle."""
    n, d = record.weight, record.columns
    centred = record.R[1:, 1:]
    _W, S, V = linalg.svd(record.around(np.zeros(d)).R[:, 1:], full_matrices=False, check_finite=False)
    if len(S) < k:  # rows of weight 0 left fewer than there are
        raise ValueError(f"n_components={k} is more than the {len(S)} rows that count: ask for fewer.")
    vectors, beyond = upright(V[:k]), S[k:]
    return SingularSpace(
        vectors=vectors,
        values=S[:k],
        variances=((centred @ vectors.T) ** 2).sum(axis=0) / n,
        total_variance=float((centred**2).sum() / n),
        rows=record.rows,
        norm=float(linalg.norm(S)),
        left=float(linalg.norm(beyond)),
        spectral=(float(beyond.max(initial=0.0)),) * 2,
        residual=0.0,
        method="triangle",
    )
