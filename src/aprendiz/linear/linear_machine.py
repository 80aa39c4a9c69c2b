"""The linear machine: K linear functions, of which the largest decides.

    t_k(x) = b_k + xᵀw_k,     class k where t_k(x) > t_j(x) for all j ≠ k                                     (1)

The border between k and j is a piece of the plane (b_k − b_j) + xᵀ(w_k − w_j) = 0. Each region is an intersection of
half-spaces, hence convex and connected, and every point that is on no border belongs to one class: neither
one-against-the-rest nor one-against-one planes promise that. The functions may come from

    LDA              w_k = Σ⁻¹(μ_k − m),   b_k = ln π_k − ½(μ_k − m)ᵀΣ⁻¹(μ_k − m) − mᵀw_k                     (2)
    softmax          the minimiser of the logistic loss (logistic_regression.py), of two classes ±½ of its only plane
    least squares    the regressions on indicators of the classes (indicators.py)

μ_k, π_k are mean and share of class k, m the mean of all rows, and Σ the covariance within classes, whose pseudo-inverse is
taken where it is singular. With LDA and softmax, e^{t_k} is proportional to the probability of class k. Where a class lies far
away from the others, the mean of another class takes the place of m in (2): the same borders, without the loss of digits.

Cost: one pass, n·d²/2 multiplications; softmax a few passes, n·((K − 1)·d)²/2 each.
Reference: Duda, Hart & Stork, "Pattern classification", 2nd ed., section 5.2.2.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import BY_INTERRUPT, stopped_early
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Positive
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot
from aprendiz.linear import LogisticRegression
from aprendiz.linear.designs.class_scatter import FAR, ClassMeans, digits_lost, reference
from aprendiz.linear.designs.indicators import indicator_fit
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.solvers.error_bounds import DIGITS, error_of_sums
from aprendiz.locale import _
from aprendiz.summaries.moments import Moments

EPS = float(np.finfo(float).eps)


class LinearMachine(LinearClassifier, Passes):
    """The largest of K linear functions, from LDA, softmax or least squares (regions are convex).

    Parameters
    ----------
    source : {"lda", "softmax", "least_squares"}, default="lda"
        Where the functions come from.
    C : float, default=1.0
        Inverse strength of the penalty of softmax; `np.inf` for none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes, n_features)
        w_k, a row for each class, of two classes too.
    intercept_ : ndarray of shape (n_classes,)
    certificate_ : Certificate
        That of the source: digits of the equations, or the slope of the loss.
    """

    allows = frozenset({"sparse"})

    def __init__(self, source: Literal["lda", "softmax", "least_squares"] = "lda", *, C: Positive = 1.0):
        self.source = source
        self.C = C

    def learned(self, rows: Rows) -> dict[str, Any]:
        found = {"lda": by_lda, "softmax": self.by_softmax, "least_squares": by_least_squares}[self.source](rows)
        return {"classes_": rows.labels, **found}

    def by_softmax(self, rows: Rows) -> dict[str, Any]:
        model = LogisticRegression(C=self.C)
        rows.width = (0 if rows.labels is None else len(rows.labels)) * (1 + rows.columns)
        state, why = model.exhaust(rows, lambda *_: False)
        if why == BY_INTERRUPT:
            raise KeyboardInterrupt
        found = model.settle(model.attributes(state, rows))
        if why != "converged":
            said = stopped_early("LinearMachine", why, found.remedy if state.separated else lambda: _("Scale the columns."))
            warnings.warn(said, ConvergenceWarning, stacklevel=5)
        W, b = found.coef_, found.intercept_
        if len(W) == 1:
            W, b = np.vstack([-0.5 * W, 0.5 * W]), np.append(-0.5 * b, 0.5 * b)
        return {"coef_": W, "intercept_": b, "certificate_": found.certificate_}

    def scores(self, X: Any) -> Array:
        """t_k of each row and class."""
        rows = self.new_rows(X)
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        return rows.each(lambda block: block.X @ coef.T + self.intercept_)

    def decision_function(self, X: Any) -> Array:
        """t_k of each row and class; of two classes, by how much the second is above the first."""
        t = self.scores(X)
        return t[:, 1] - t[:, 0] if t.shape[1] == 2 else t

    def gives_probabilities(self) -> bool:
        if self.source == "least_squares":
            raise AttributeError("Regressions on indicators give no probabilities: use source='lda' or source='softmax'.")
        return True

    @available_if(gives_probabilities)
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        return np.asarray(softmax(self.scores(X), axis=1))

    @available_if(gives_probabilities)
    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        return np.asarray(log_softmax(self.scores(X), axis=1))


# ---- sources -----------------------------------------------------------------------------------------------------------


def by_lda(rows: Rows) -> dict[str, Any]:
    """(2), from the moments of the classes."""
    assert rows.labels is not None
    moments = rows.sum(Moments.by_class, find_pivot(rows), len(rows.labels))
    refuse_empty_sums(moments.weight, moments.finite, rows)
    share = moments.weight / moments.weight.sum()
    middle = share @ moments.offset  # m − pivot
    apart = np.where((share > 0)[:, None], moments.offset - middle, 0.0)
    within = moments.within_scatter()
    if (np.square(moments.offset) > FAR * np.diagonal(within) / moments.weight.sum()).any():
        centres = ClassMeans(moments.pivot, moments.offset, moments.weight, moments.rows)  # once more, around the means
        within = centres.within_scatter(rows, np.ones(len(share)))
    covariance = within / moments.weight.sum()
    found = solved_within(covariance, moments.pivot + middle, apart)
    around = reference(moments.offset, middle, apart @ found.W.T)
    if around is not middle:
        apart = np.where((share > 0)[:, None], moments.offset - around, 0.0)
        found = solved_within(covariance, moments.pivot + around, apart)
    with np.errstate(divide="ignore"):
        b = np.log(share) - 0.5 * (apart * found.W).sum(axis=1) - found.W @ (moments.pivot + around)
    parted = np.abs(apart[:, ~found.varies]) > 4 * EPS * np.abs(moments.pivot + around)[~found.varies]
    known = found.rank == found.varies.sum() and not parted.any() and EPS * digits_lost(apart @ found.W.T) <= 1e-8
    certificate = Certificate.later(lambda: proof(moments, within, found, known))
    return {"coef_": found.W, "intercept_": b, "certificate_": certificate}


class Solved(NamedTuple):
    """w_k in the rows, which columns vary, and of Σ on a unit diagonal: condition number, smallest eigenvalue and rank."""

    W: Array
    varies: Array
    condition: float
    smallest: float
    rank: int


def solved_within(covariance: Array, mean: Array, apart: Array) -> Solved:
    """Σ⁻¹ of some rows, on a unit diagonal; directions in which nothing varies are left out."""
    d = len(covariance)
    deviation = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    varies = deviation > 4 * EPS * np.abs(mean)
    scale = np.where(varies, deviation, 1.0)
    A = np.where(varies[:, None] & varies, covariance / scale / scale[:, None], 0.0)
    values, vectors = linalg.eigh(A, check_finite=False)
    kept = values > 16 * max(d, 10) * EPS * max(values[-1], EPS)
    values, vectors = values[kept], vectors[:, kept]
    W = ((np.where(varies, apart / scale, 0.0) @ vectors) / values) @ vectors.T / scale
    if not len(values):
        return Solved(W, varies, 1.0, 1.0, 0)
    return Solved(W, varies, float(values[-1] / values[0]), float(values[0]), int(kept.sum()))


def proof(moments: Moments, within: Array, found: Solved, known: bool) -> Certificate:
    """That |ŵ − w|ⱼσⱼ ≤ 10^−digits of the largest |wⱼ|σⱼ of its class, w for exactly these data and σ within classes. Sums of m
    terms are off by η = ε·(8 + m/2) of their size N around the pivot; with λ the smallest eigenvalue of Σ on a unit diagonal, w
    is off by η/λ·√d·(N/σ)² of itself, and by η/λ·N/σ for the differences of the means, however small they make w. Nothing
    is claimed where a column that varies depends on others, or one that does not has another value in another class."""
    varies, total = found.varies, moments.weight.sum()
    around, own = np.diagonal(moments.gram.sum(axis=0))[1:], np.diagonal(within)
    ratio = float(np.max(around[varies] / own[varies], initial=1.0))
    largest = (np.abs(found.W[:, varies]) * np.sqrt(own[varies] / total)).max(axis=1, initial=0.0)
    least = float(np.min(largest[moments.weight > 0], initial=np.inf))
    digits = 0.0
    if known and ((own[varies] > 1e-280) & (own[varies] < 1e280)).all() and (least > 0 or not found.rank):
        eta = error_of_sums(moments.rows)
        more = np.sqrt(ratio) / least if found.rank else 0.0
        error = eta / found.smallest * (np.sqrt(max(found.rank, 1)) * ratio + more)
        digits = max(0.0, -float(np.log10(error)))
    return Certificate(DIGITS, digits >= 8, {"digits": digits, "condition": found.condition, "rank": found.rank})


def by_least_squares(rows: Rows) -> dict[str, Any]:
    """Of two classes one regression is enough: the other is 1 minus it."""
    solution, _ = indicator_fit(rows, intercept=True)
    W, b = solution.coef.T, solution.intercept
    if len(W) == 1:
        W, b = np.vstack([-W, W]), np.append(1.0 - b, b)
    return {"coef_": np.ascontiguousarray(W), "intercept_": b, "certificate_": solution.certificate()}
