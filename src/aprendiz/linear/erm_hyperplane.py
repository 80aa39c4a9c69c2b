"""The hyperplane that errs least on the rows, of all that go through d of them.

    g(x) = second class where t > 0, first class where t ≤ 0,     t = wᵀ(x − x_i)                                (1)
    minimise  Σ ω [g(x) ≠ y]     over the C(n, d) sets of d rows, and w and −w for each                          (2)

The d rows on the hyperplane have t = 0: they count as the first class whichever way w points. If no d + 1 rows lie on one
hyperplane, the best of (2) errs on at most d rows more than the best of all hyperplanes: the training error is minimised
itself, up to d/n and without a surrogate loss, at the price of 2·C(n, d) candidates. Their number is known before the
search starts. `n_candidates` says how many are tried: all, or a random sample in which every set of rows is equally likely.

Cost: about d³/3 + n·d multiplications for a set of rows (hyperplanes_through_rows.py), both candidates of it included.
Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, section 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Count, Seed, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, about_a_hundred_rows, refuse_tiny_column
from aprendiz.linear.diagnostics.deviation_bounds import expected_hyperplane_bound, hyperplane_bound, hyperplane_candidates
from aprendiz.linear.shared.binary_classifier import BinaryClassifier
from aprendiz.linear.solvers.hyperplanes_through_rows import CandidateRows, Gains, all_sets, drawn_sets, planes_through, slack
from aprendiz.summaries.moments import count_rows
from aprendiz.summaries.sample import Sample

POOL = 1 << 19  # cells of the rows that hyperplanes may go through
EQUAL = 1e-12  # errors that differ by less, of the whole weight, differ by rounding


class ERMHyperplane(BinaryClassifier, Passes):
    """The hyperplane with the smallest training error (of those through d rows: all of them, or a sample).

    Parameters
    ----------
    n_candidates : int or "all", default=10_000
        How many of the candidates are tried, two for each hyperplane: a number (all, if there are no more), or all of them.
    max_candidates : int, default=10_000_000
        The most that "all" may mean; if there are more, the fit is refused with their number.
    random_state : int, RandomState or None, default=None
        The seed of the sample.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coef_ : ndarray of shape (1, n_features)
        w of (1), scaled so that Σ|w_j|·u_j = 1, u_j the range of column j, rounded up to a power of 2.
    intercept_ : ndarray of shape (1,)
        −wᵀx_i.
    origin_ : ndarray of shape (n_features,)
        x_i, a row on the hyperplane.
    error_ : float
        (2) as a share of the weight: the training error.
    candidates_ : int
        2·C(n, d), n the number of different rows that count.
    tried_ : int
        How many of them were tried.
    n_samples_ : int
        Rows that count.
    certificate_ : Certificate
        The training error, the candidates and the number of them that were tried.
    """

    exceptions = {
        "column order": "rows are put in order by their first columns, so a sample, or the first of equal candidates, differs",
        "relabelling": "a row on the hyperplane itself counts as the first class",
    }

    classes_: Array
    coef_: Array
    intercept_: Array
    origin_: Array
    candidates_: float
    tried_: int
    n_samples_: int
    n_features_in_: int

    def __init__(
        self,
        n_candidates: Annotated[int, Within(2)] | Literal["all"] = 10_000,
        *,
        max_candidates: Count = 10_000_000,
        random_state: Seed = None,
    ):
        self.n_candidates = n_candidates
        self.max_candidates = max_candidates
        self.random_state = random_state

    def learned(self, rows: Rows) -> dict[str, Any]:
        """The certificate: of the hyperplanes through d rows that were tried, all of them or a sample, none has a smaller
        training error by (1); it holds by the search itself, if the plane as it is stored errs no more than the search says.
        Directions in which the rows vary by rounding alone are left out: d is the number of the others, and rows as near to a
        hyperplane as rounding are on it."""
        totals, seed = rows.sum(ClassTotals.of), draw_seed(self.random_state)
        refuse_empty_sums(totals.weight, True, rows)
        refuse_tiny_column(rows.first(about_a_hundred_rows, False), rows.names)
        corners, whole = corners_of(rows, seed)
        d, n = len(corners.kept), len(corners.Z) if whole else totals.rows
        candidates = hyperplane_candidates(n, d)
        tried = self.number(candidates, n, d, whole)
        every = tried == candidates and whole
        best = constant_rule(totals, corners)
        for sets in all_sets(n, d) if every else drawn_sets(len(corners.Z), d, tried // 2, seed):
            best = or_better(best, corners, sets, rows, totals)
        claim = "no hyperplane through d rows has a smaller training error"
        if not every:
            claim = "no hyperplane of the sample has a smaller training error"
        elif d < rows.columns:
            claim = "no hyperplane through as many rows as they have directions has a smaller training error"
        refuse_endless(best.w, rows)
        found, number = best.error / totals.weight, countable(candidates)
        plane = (best.w, best.origin, best.constant or -float(best.w @ best.origin))
        error = rows.sum(Wrong.of, *plane).weight / totals.weight
        kept = error <= found + 1e-9
        return {
            "classes_": rows.labels,
            "coef_": best.w[None, :],
            "intercept_": np.array([plane[2]]),
            "origin_": best.origin,
            "error_": error,
            "candidates_": number,
            "tried_": tried,
            "n_samples_": totals.rows,
            "certificate_": Certificate(claim, kept, {"error": error, "candidates": number, "tried": tried}),
        }

    def number(self, candidates: int, n: int, d: int, whole: bool) -> int:
        """How many candidates to try."""
        if self.n_candidates != "all":
            return min(candidates, 2 * (self.n_candidates // 2))
        if candidates > self.max_candidates or not whole:
            number = f"{candidates:,}" if candidates < 10**15 else f"about 10^{log10(candidates):.0f}"
            limit = f"more than max_candidates={self.max_candidates}" if whole else "of rows that cannot all be held"
            raise ValueError(
                f"{n} different rows and {d} columns have 2·C({n}, {d}) = {number} candidates, {limit}: "
                "ask for a sample of them, as in n_candidates=10_000, use fewer columns, or raise max_candidates."
            )
        return candidates

    def scores(self, block: Block) -> Array:
        """t of (1), exactly 0 on the hyperplane."""
        return scores_of(self.coef_[0], self.origin_, float(self.intercept_[0]), block)

    def bound(self, eps: float) -> float:
        """The most that P(error of this rule − least error of any hyperplane > ε) can be, for rows drawn independently."""
        self.insist_on_all()
        return hyperplane_bound(self.n_samples_, self.n_features_in_, eps)

    def expected_bound(self) -> float:
        """The most that the mean of that difference can be."""
        self.insist_on_all()
        return expected_hyperplane_bound(self.n_samples_, self.n_features_in_)

    def insist_on_all(self) -> None:
        check_is_fitted(self)
        if self.tried_ < self.candidates_:
            tried = f"{self.tried_} of {self.candidates_:.6g} candidates"
            raise ValueError(f"Only {tried} were tried, and the bound is one of all of them: fit with n_candidates='all'.")


def scores_of(w: Array, origin: Array, constant: float, block: Block) -> Array:
    """t of (1), exactly 0 on the hyperplane; the constant where there is none."""
    if not w.any():
        return np.full(len(block), constant)
    t = (block.X - origin) @ w
    t[np.abs(t) <= slack(len(w))] = 0.0
    return np.asarray(t)


@dataclass(frozen=True)
class Wrong(Sums):
    """The weight of the rows that a hyperplane puts on the wrong side."""

    weight: float

    @classmethod
    def of(cls, w: Array, origin: Array, constant: float, block: Block) -> Self:
        said = scores_of(w, origin, constant, block) > 0
        return cls(float(block.weights @ (said != (block.y == 1))))


def refuse_endless(w: Array, rows: Rows) -> None:
    """Stop at a coefficient that no number can hold."""
    if not np.isfinite(w).all():
        column = int(np.argmin(np.isfinite(w)))
        name = column if rows.names is None else repr(rows.names[column])
        raise ValueError(
            f"Input X holds values too close to compute with: those of column {name} differ so little that the coefficient of "
            "the hyperplane is too large for a number. Scale the column."
        )


def countable(number: int) -> int | float:
    """A whole number where a double holds all of them, else about as much."""
    if number < 2**53:
        return number
    return float(number) if number < 10**300 else np.inf


# ---- what is known of the rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClassTotals(Sums):
    """Weight of the first class, of the second, and rows that count."""

    first: float
    second: float
    rows: int

    @classmethod
    def of(cls, block: Block) -> Self:
        first, second = np.bincount(block.y, block.weight, 2)
        return cls(float(first), float(second), count_rows(block))

    @property
    def weight(self) -> float:
        return self.first + self.second


@dataclass(frozen=True)
class CandidateHyperplane:
    """w and a row on the hyperplane; or a constant t, where w is 0."""

    w: Array
    origin: Array
    constant: float
    error: float


def corners_of(rows: Rows, seed: int) -> tuple[CandidateRows, bool]:
    """The rows that hyperplanes may go through, and whether these are all; of very many rows a sample."""
    sample = Sample.drawn(rows, max(1, POOL // rows.columns), seed)
    X = sample.X if sample.weight is None else sample.X[sample.weight > 0]
    if not len(X):
        raise ValueError(f"sample_weight: none of {len(sample.X)} rows drawn at random counts: leave out the rows of weight 0.")
    return CandidateRows.of(X), sample.level == 0


def constant_rule(totals: ClassTotals, corners: CandidateRows) -> CandidateHyperplane:
    """The more frequent class: the answer only where no set of rows lies on a single hyperplane."""
    constant = 1.0 if totals.second > totals.first else -1.0
    return CandidateHyperplane(np.zeros(len(corners.unit)), corners.X[0], constant, min(totals.first, totals.second))


def or_better(
    best: CandidateHyperplane, corners: CandidateRows, sets: Array, rows: Rows, totals: ClassTotals
) -> CandidateHyperplane:
    """The best of a candidate and those through some sets of rows; of equal ones the first."""
    planes = np.empty((len(sets), 1 + len(corners.kept)))
    planes_through(corners.Z, sets, planes)
    errors = totals.second - rows.sum(Gains.of, corners.inward, planes).gain
    errors[np.isnan(planes[:, 0])] = np.inf
    equal = EQUAL * totals.weight
    number, side = np.unravel_index(np.argmax(errors <= errors.min() + equal), errors.shape)
    error = float(errors[number, side])
    if np.isinf(error) or (best.w.any() and not error < best.error - equal):
        return best
    w = (1.0 - 2.0 * side) * corners.outward(planes[number])
    return CandidateHyperplane(w, corners.X[sets[number, 0]], 0.0, error)
