"""Mutual information of each column with the target, with what chance alone would give.

    I(x; y) = Σ p(x, y) log p(x, y) / p(x)p(y)        in nats                                                 (1)

Three estimates of it, for tables of words and numbers with missing cells: by counts, corrected for their bias; by bins that
adapt to the classes; and by nearest neighbours, without bins. information/ has the formulas of each, in count_information.py,
column_codes.py and neighbor_information.py.

Cost: O(n·log n) for each column, times the permutations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import Count, ParameterError, Whole, fits
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.selection.information.column_codes import is_quantity, usual_bins
from aprendiz.selection.information.count_information import chi_square_p, permutation_p
from aprendiz.selection.information.estimates import Method, of_adaptive_bins, of_counts, of_neighbors, target_codes
from aprendiz.selection.information.table_of_columns import read_columns


def mutual_information(
    X: Any,
    y: Any,
    *,
    method: Method = "counts",
    discrete_features: Any = "auto",
    bins: Literal["quantile", "uniform"] = "quantile",
    n_bins: int | None = None,
    n_neighbors: int = 3,
    permutations: int = 0,
    random_state: Any = 0,
) -> MutualInformation:
    """Estimate the mutual information of each column with the target, and how probable it is by chance.

    Parameters
    ----------
    X : table of numbers or words, sparse matrix, or opened rows
        Words are codes, and so are whole numbers of few different values unless `method` is "neighbors".
    y : array of shape (n_samples,)
        Classes, or a quantity: numbers that are not whole, or of which more than 20 and a quarter of the rows differ.
    method : {"counts", "adaptive", "neighbors"}, default="counts"
        Counts of codes and bins, corrected for bias; bins where the classes differ, as many as pay; or nearest neighbours.
    discrete_features : "auto", bool, mask or numbers of columns, default="auto"
        Which columns are codes, whatever they hold.
    bins : {"quantile", "uniform"}, default="quantile"
        Of "counts": bins of equal weight or of equal width.
    n_bins : int, optional
        Of "counts", and of a quantity: by default n/3, at least 2 and at most 10.
    n_neighbors : int, default=3
        Of "neighbors".
    permutations : int, default=0
        Permutations of y that the estimates are compared with. Without them, counts have a p value of the χ² distribution.
    random_state : int, RandomState or None, default=0

    Returns
    -------
    MutualInformation

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> found = mutual_information(X, y, permutations=999)
    >>> found.value.round(3), found.pvalues.round(3)
    (array([0.248, 0.   , 0.02 ]), array([0.062, 0.493, 0.29 ]))
    """
    for name, given, hint in (("n_neighbors", n_neighbors, Count), ("permutations", permutations, Whole)):
        if not fits(given, hint):
            raise ParameterError(f"{name} must be a whole number of at least {int(hint is Count)}, got {given!r}.")
    if n_bins is not None and not (fits(n_bins, Count) and n_bins > 1):
        raise ParameterError(f"n_bins must be a whole number of at least 2, or None, got {n_bins!r}.")
    if method not in ("counts", "adaptive", "neighbors"):
        raise ParameterError(f"method must be 'counts', 'adaptive' or 'neighbors', got {method!r}.")
    if bins not in ("quantile", "uniform"):
        raise ParameterError(f"bins must be 'quantile' or 'uniform', got {bins!r}.")
    seed = draw_seed(random_state)
    pvalues: Array | None = None
    table = read_columns(X, y, "numbers" if is_quantity(y) else "classes", discrete_features)
    target = table.y
    if method == "neighbors":
        estimate = of_neighbors(table, n_neighbors, seed)
    else:
        n_bins = usual_bins(len(target)) if n_bins is None else n_bins
        target = target_codes(target, n_bins) if table.labels is None else target
        if method == "adaptive":
            estimate = of_adaptive_bins(table)
        else:
            codes, estimate = of_counts(table, bins, n_bins)
            pvalues = None if permutations else chi_square_p(codes, target)
    value = estimate(target)
    if permutations:
        pvalues = permutation_p(estimate, target, value, permutations, seed)
    return MutualInformation(np.maximum(value, 0.0), value, pvalues, method, permutations)


@dataclass(frozen=True, repr=False, eq=False)
class MutualInformation(ShortRepr):
    """What each column says of the target.

    Attributes
    ----------
    value : ndarray of shape (n_features,)
        The estimates, in nats, never below 0.
    unbiased : ndarray of shape (n_features,)
        The same as they are: an unbiased estimate of nothing is below 0 as often as above.
    pvalues : ndarray of shape (n_features,), or None
        How probable so much information, or more, is if column and target are independent.
    method : {"counts", "adaptive", "neighbors"}
    permutations : int
        That the p values come from; 0 if they come from the χ² distribution, or there are none.
    """

    value: Array
    unbiased: Array
    pvalues: Array | None
    method: str
    permutations: int
