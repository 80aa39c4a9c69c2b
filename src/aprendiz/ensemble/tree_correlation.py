"""How alike the members of an ensemble err: the correlation that limits what an average can gain.

Let e_m(i) be the error of member m at row i: its prediction less the true number, or the shares of the classes that it votes
for less the indicator of the true one. With means over the members that have not seen row i, over pairs of them, and over the
rows,

    σ² = mean_i mean_m |e_m(i)|²,          ρ = mean_i mean_{l≠m} e_l(i)·e_m(i) / σ²                            (1)

Then the mean squared error of an average of B members, its mean over all ways to choose them, is

    ρσ² + (1 − ρ)σ²/B                                                                                        (2)

The second part is the variance of the members' predictions for a row, and more members remove it. The first, the error of
infinitely many members, stays: it holds the noise of the target, the bias of the members, and what other rows would have
changed in all of them alike. Members that see fewer columns or other rows have a smaller ρ, and usually a larger σ².

The means come from S_i = Σ_m e_m(i) and Q_i = Σ_m |e_m(i)|² over the m_i members that have not seen row i, in one pass; rows
that fewer than two have not seen are left out:

    σ² = Σ ω_i Q_i/m_i / Σ ω_i,      ρσ² = Σ ω_i (|S_i|² − Q_i)/(m_i (m_i − 1)) / Σ ω_i                         (3)

Cost: the predictions of all members for all rows.
Reference: Breiman, "Random forests", Machine Learning 45, 2001, section 11.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.ensemble.out_of_bag.rows_of_fit import bags_of, cells_in_memory, rows_of_fit, target_of, weight_of


@dataclass(frozen=True)
class TreeCorrelation:
    """Correlation of the errors of the members of an ensemble.

    Attributes
    ----------
    variance : float
        σ² of (1): the mean squared error of a member.
    correlation : float
        ρ of (1).
    members : int
    """

    variance: float
    correlation: float
    members: int

    @property
    def limit(self) -> float:
        """ρσ²: the mean squared error of infinitely many such members."""
        return self.correlation * self.variance

    def variance_of_mean(self, B: Any = None) -> Any:
        """(2): the mean squared error of an average of B members; by default, of as many as there are."""
        count = np.asarray(self.members if B is None else B)
        if count.dtype.kind not in "iu" or (count < 1).any():
            raise ValueError(f"B={B!r} must be a whole number of at least 1: it counts members.")
        found = self.limit + (1 - self.correlation) * self.variance / count
        return float(found) if np.ndim(found) == 0 else found

    def __str__(self) -> str:
        return (
            f"σ² = {self.variance:.4g}, ρ = {self.correlation:.3g}: mean squared error {self.variance_of_mean():.4g} with "
            f"{self.members} members, {self.limit:.4g} with infinitely many"
        )


def tree_correlation(forest: Any, X: Any = None, y: Any = None, *, oob: bool = True) -> TreeCorrelation:
    """Variance and correlation of the errors of the members of a fitted ensemble.

    Parameters
    ----------
    forest : fitted ensemble
        Of trees, or of other members that are averaged with equal weights.
    X, y : rows and target, optional
        By default the training rows, if the model keeps them. With `oob=False`, rows that no member was trained on.
    oob : bool, default=True
        Whether each member is evaluated on its out-of-bag rows; otherwise all members on all rows of X.

    Examples
    --------
    >>> from aprendiz import RandomForestRegressor
    >>> from aprendiz.ensemble import tree_correlation
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> few = tree_correlation(RandomForestRegressor(200, max_features=2, random_state=0).fit(X, y))
    >>> all_ten = tree_correlation(RandomForestRegressor(200, random_state=0).fit(X, y))
    >>> few.correlation < all_ten.correlation, few.variance > all_ten.variance
    (True, True)
    """
    check_is_fitted(forest)
    what = "tree_correlation"
    if oob:
        bags = bags_of(forest, what)
        rows = rows_of_fit(forest, X, y, what)
        judged: Iterable[Array | slice] = (bags.left_out(member) for member in range(len(forest)))
        weight = weight_of(forest, rows)
    else:
        rows, weight = given_rows(forest, X, y), None
        judged = (slice(None) for _ in range(len(forest)))
    weight = np.ones(rows.X.shape[0]) if weight is None else weight
    truth = truth_of(forest, rows)
    errors = (forest.votes(said, forest.costs_) - truth for said in forest.each_member(rows))
    return pool(errors, judged, weight)


def pool(errors: Iterable[Array], judged: Iterable[Array | slice], weight: Array) -> TreeCorrelation:
    """(3), from the errors of each member for all rows and the rows that judge it."""
    votes, sums, squares, members = np.zeros(len(weight)), np.zeros(0), np.zeros(len(weight)), 0
    for error, rows in zip(errors, judged, strict=True):
        sums = np.zeros_like(error) if not members else sums
        votes[rows] += 1
        sums[rows] += error[rows]
        squares[rows] += (error[rows] ** 2).sum(axis=1)
        members += 1
    weight = np.where(votes > 1, weight, 0.0)
    if not weight.any():
        raise ValueError(
            "No row is out-of-bag for two members, so they cannot be compared: fit more members, or use smaller bags."
        )
    single, pairs = np.maximum(votes, 1), np.maximum(votes * (votes - 1), 1)
    variance = float(np.average(squares / single, weights=weight))
    common = float(np.average(((sums**2).sum(axis=1) - squares) / pairs, weights=weight))
    return TreeCorrelation(variance, common / variance if variance > 0 else np.nan, members)


def given_rows(model: Any, X: Any, y: Any) -> ArrayRows:
    """New rows with their target."""
    if X is None or y is None:
        raise ValueError("oob=False evaluates the members on rows that they were not trained on: give X and y.")
    rows = cells_in_memory(model.new_rows(X))
    return rows.like(y=target_of(model, y, rows.X.shape[0]))


def truth_of(model: Any, rows: ArrayRows) -> Array:
    """The target in the form of a vote."""
    assert rows.y is not None
    if hasattr(model, "classes_"):
        return np.eye(len(model.classes_))[rows.y]
    return rows.y.reshape(len(rows.y), -1)
