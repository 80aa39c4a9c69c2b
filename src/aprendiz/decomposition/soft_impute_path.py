"""Completions of a matrix for many penalties, each from the factors of the one before."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.decomposition import SoftImpute
from aprendiz.decomposition.completion.factor_search import strongest_penalty, triplets_of
from aprendiz.decomposition.completion.penalty_path import CompletionPath, along, grid
from aprendiz.decomposition.completion.ridge_rows import ridge_rows


def soft_impute_path(X: Any, *, penalties: Any = 10, eps: float = 0.01, **settings: Any) -> CompletionPath:
    """Ranks, nuclear norms, objectives and errors along the penalties.

    Parameters
    ----------
    X : table
        With NaN in unknown cells, or sparse.
    penalties : int or array, default=10
        The penalties, or how many, from the one that makes M = 0 down to the part `eps` of it.
    eps : float, default=0.01
        The smallest penalty as a part of the largest.
    **settings
        Other parameters of SoftImpute.

    Examples
    --------
    >>> X = [[5, None, 4], [None, 3, 4], [4, 4, None]]
    >>> soft_impute_path(X, penalties=[5.0, 1.0]).ranks
    array([1, 1])
    """
    model = SoftImpute(**settings)
    rows = model.open(X)
    with single_blas(rows.work):
        known = grid(strongest_penalty(rows.cells, rows.units), penalties, eps)
        problem = model.chosen_problem(rows, 0)
        states = list(along(problem, np.ldexp(known, -rows.units.unit), model.max_iter))
        norms, errors = np.empty(len(known)), np.empty(len(known))
        for number, (state, penalty) in enumerate(zip(states, np.ldexp(known, -rows.units.unit), strict=True)):
            U, squares = ridge_rows(rows.cells.by_rows, state.V, float(penalty))
            norms[number] = triplets_of(U, state.V).sizes.sum()
            errors[number] = np.sqrt(squares.sum() / len(rows.cells.by_rows.values))
    objectives = 0.5 * errors**2 * len(rows.cells.by_rows.values) + np.ldexp(known, -rows.units.unit) * norms
    unit = rows.units.unit
    return CompletionPath(
        known,
        np.array([state.V.shape[1] for state in states]),
        np.ldexp(norms, unit),
        np.ldexp(objectives, 2 * unit),
        np.ldexp(errors, unit),
    )
