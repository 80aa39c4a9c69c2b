"""The error that costs nothing: every row is answered by the members that did not learn from it.

With O_i the members whose bag lacks row i, and v_m(i) the vote of a member (class shares, a class, or a number),

    prediction for row i  =  Σ_{m ∈ O_i} v_m(i) / |O_i|                                                       (1)

About a third of the members of a bootstrap ensemble are in O_i ((1) of bags.py), so (1) is an honest prediction of an
ensemble of M/e members. Adding one member at a time gives the error of the first 1, 2, …, M members in the same pass.

Reference: Breiman, "Out-of-bag estimation", 1996.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _


class OutOfBag:
    """The sums of (1) as members come, and the error after each of them.

    `losses(total, votes, rows)` gives the loss of some rows from their sums; the error is its mean over the rows that have been
    out of some bag, each with its weight.
    """

    def __init__(self, total: Array, votes: Array, weight: Array | None, losses: Callable[[Array, Array, Array], Array]):
        self.total, self.votes, self.losses = total.copy(), votes.copy(), losses
        self.weight = np.ones(len(votes)) if weight is None else weight
        self.loss = np.zeros(len(votes))
        seen = np.flatnonzero(self.votes)
        self.loss[seen] = losses(self.total[seen], self.votes[seen], seen)

    def add(self, rows: Array, said: Array) -> None:
        """Add the predictions of a member for rows that are not in its bag."""
        self.total[rows] += said
        self.votes[rows] += 1
        self.loss[rows] = self.losses(self.total[rows], self.votes[rows], rows)

    @property
    def error(self) -> float:
        """The mean loss of the rows that are answered; NaN if none is."""
        weight = np.where(self.votes > 0, self.weight, 0.0)
        return float(self.loss @ weight / weight.sum()) if weight.any() else np.nan


def means(total: Array, votes: Array) -> Array:
    """(1); NaN for rows that were in every bag."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / np.where(votes > 0, votes, np.nan)[:, None]


def warn_never_out(votes: Array, name: str) -> int:
    """How many rows were in every bag."""
    never = int((votes == 0).sum())
    if never:
        warnings.warn(
            _(
                "{never} of {rows} rows were in the bag of every member of {learner}: they have no out-of-bag prediction (NaN) "
                "and are not in the out-of-bag score. Use more members."
            ).format(never=never, rows=len(votes), learner=name),
            stacklevel=4,
        )
    return never
