"""Proximity of rows: the share of the trees in which two of them come to the same leaf.

    P_ij = Σ_m o_mi o_mj 1[leaf_m(x_i) = leaf_m(x_j)] / Σ_m o_mi o_mj                                         (1)

With o = 1 throughout, all trees count, and P is a kernel: symmetric, 1 on the diagonal, no eigenvalue below 0. Of the rows of
the fit, those that stood in the same bag are too close to each other; `oob` counts only the trees in which both are out of the
bag (o_mi = 1), and a pair that never is has NaN. With Z the indicators of all leaves of all trees, a sparse matrix with one
entry for each row and tree, the numerators are Z Zᵀ.

A row is an outlier of its class k if it is close to none of it: with n_k the rows of the class,

    out_i = n_k / Σ_{j of k} P_ij²,     score_i = (out_i − median) / mean |out − median|,  both inside the class      (2)

Cost: O(n·M·rows of a leaf), and n² numbers unless sparse.
Reference: Breiman & Cutler, "Random forests", manual of 2003.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse as sp

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.out_of_bag.rows_of_fit import bags_of, rows_of_fit

if TYPE_CHECKING:
    from aprendiz.ensemble.members.ensemble import Ensemble

TOGETHER = 1024  # rows that are compared with all others at once


def proximities(
    model: Ensemble, X: Any = None, *, of: Any = None, oob: bool = False, sparse: bool = False, limit: int = 20_000
) -> Any:
    """See `Ensemble.proximities` (members/ensemble.py)."""
    model.refuse_models("proximities")
    refuse_count("limit", limit)
    table = rows_of_fit(model, X, None, "proximities", target=False) if oob or X is None else model.new_rows(X)
    out = out_of_bags(model) if oob else None
    across = leaf_matrix(model.forest_, table, out)
    counts = across.shape[0]
    if not sparse and counts > limit:
        raise ValueError(
            f"X has {counts} rows, and a full matrix of proximities would take {8e-9 * counts**2:.3g} GB for as many: give "
            f"sparse=True, fewer rows, or a larger limit than {limit}."
        )
    down = across if of is None else leaf_matrix(model.forest_, model.new_rows(of))
    down_out = out if of is None or out is None else np.ones((down.shape[0], len(model)), np.float32)
    parts = list(compare(down, across, down_out, out, len(model), sparse))
    return sp.vstack(parts, format="csr") if sparse else np.vstack(parts)


def out_of_bags(model: Ensemble) -> Array:
    """o of (1): float32 of shape (rows, trees)."""
    bags = bags_of(model, "proximities(oob=True)")
    out = np.zeros((bags.given, len(model)), np.float32)
    for tree in range(len(model)):
        out[bags.left_out(tree), tree] = 1.0
    return out


def leaf_matrix(forest: Forest, rows: Rows, out: Array | None = None) -> Any:
    """Z: an entry for each row and tree that count, at its leaf."""
    leaf = rows.each(ForestDescent(forest).leaves) + forest.start[:-1]
    counts, trees = leaf.shape
    entries = np.ones(leaf.size, np.float32) if out is None else out.ravel().copy()
    Z = sp.csr_array((entries, leaf.ravel(), np.arange(counts + 1) * trees), shape=(counts, int(forest.start[-1])))
    Z.eliminate_zeros()
    return Z


def outlier_scores(model: Ensemble, X: Any = None, y: Any = None) -> Array:
    """(2); see `Ensemble.outlier_scores` (members/ensemble.py)."""
    model.refuse_models("outlier_scores")
    rows = rows_of_fit(model, X, y, "outlier_scores", target=hasattr(model, "classes_"))
    kind = rows.y if hasattr(model, "classes_") else np.zeros(len(rows.X), np.int64)
    Z, scores = leaf_matrix(model.forest_, rows), np.zeros(len(rows.X))
    for k in np.unique(kind):  # type: ignore[arg-type]
        inside = np.flatnonzero(kind == k)
        parts = compare(Z[inside], Z[inside], None, None, len(model), True)
        out = len(inside) / np.concatenate([np.asarray(part.power(2).sum(axis=1)).ravel() for part in parts])
        far = out - np.median(out)
        spread = np.abs(far).mean()
        scores[inside] = far / spread if spread > 0 else 0.0
    return scores


def compare(down: Any, across: Any, down_out: Any, out: Any, trees: int, sparse: bool) -> Iterator[Any]:
    """(1) for some rows after the others."""
    across_columns = across.T.tocsr()
    for begin in range(0, down.shape[0], TOGETHER):
        shared = (down[begin : begin + TOGETHER] @ across_columns).astype(np.float64)
        together = float(trees) if out is None else (down_out[begin : begin + TOGETHER] @ out.T).astype(np.float64)
        yield quotient(shared, together, sparse)


def quotient(shared: Any, together: Any, sparse: bool) -> Any:
    """Trees in which rows share a leaf by trees that count."""
    if not sparse:
        with np.errstate(invalid="ignore", divide="ignore"):
            return shared.toarray() / together
    if np.ndim(together):
        row = np.repeat(np.arange(shared.shape[0]), np.diff(shared.indptr))
        together = together[row, shared.indices]
    shared.data = shared.data / together
    return shared
