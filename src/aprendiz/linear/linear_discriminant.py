"""Criteria of linear discrimination side by side: four answers to what makes a plane between two classes good.

    g(x) = 1 where t = b + xᵀw > 0, else 0;     y = 0 or 1,  s = 2y − 1

    least squares      Σ ω (y − ½ − c·t)²/Σ ω,   c ≥ 0 the best factor       explicit                          (1)
    perceptron         Σ ω max(0, −s·t)/(Σ ω·|wᵀ(μ₁ − μ₀)|)                  convex (perceptron_criterion.py)  (2)
    squared sigmoid    Σ ω (y − σ(h·t/sd t))²/Σ ω                            not convex (squared_sigmoid.py)   (3)
    zero–one           Σ ω [g(x) ≠ y]/Σ ω                                    combinatorial (erm_hyperplane.py) (4)

Only (4) is the error. The others stand in for it, and for (1), (2), and (3) with a small h there are distributions on which
their plane errs nearly always where another one hardly errs. All four are written so that the length of (b, w) does not
matter: they judge the plane, and may be compared for any plane.

Cost: (1) one pass, n·d²/2 multiplications; (2), (3) such a pass for each step; (4) 2·C(n, d) candidates.
Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, chapter 4.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import open_rows
from aprendiz.core.iteration import stopped_early
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Count, ParameterError, Positive, PositiveFactor, Seed, fits
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.linear import ERMHyperplane
from aprendiz.linear.designs.indicators import indicator_fit
from aprendiz.linear.designs.whitened import Whitened
from aprendiz.linear.losses.perceptron_criterion import least_missed
from aprendiz.linear.losses.squared_sigmoid import minimise_sigmoid, starts
from aprendiz.linear.shared.binary_classifier import BinaryClassifier
from aprendiz.locale import _

Criterion = Literal["least_squares", "perceptron", "squared_sigmoid", "zero_one"]


class LinearDiscriminant(BinaryClassifier, Passes):
    """A plane between two classes by one of four criteria (all of them can be compared).

    Parameters
    ----------
    criterion : {"least_squares", "perceptron", "squared_sigmoid", "zero_one"}, default="least_squares"
        What is minimised: (1) exactly, (2) to a certified gap, (3) to a stationary plane, (4) over planes through d rows, all
        of them or 10 000 drawn at random.
    slope : float, default=10.0
        h of (3).
    n_init : int, default=4
        Starts of (3): least squares, the same turned round, then random directions.
    tol : float, default=1e-6
        The gap of (2) as a part of its value; the slope of (3).
    max_iter : int, default=1000
        Passes of (2), and of each start of (3).
    random_state : int, RandomState or None
        The seed of the starts of (3) and of the planes of (4).

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    criterion_value_ : float
        The criterion at this plane.
    n_iter_ : int
        Steps of (2), or of all starts of (3); else 1.
    history_ : ndarray
        (2) after each smoother function, (3) after each step of the best start; else the value alone.
    certificate_ : Certificate
        Digits of (1), the gap of (2), the slope of (3), the candidates of (4).
    """

    not_iterative = "each criterion has a search of its own, two of them without steps; the longest takes some fifty passes"

    def __init__(
        self,
        criterion: Criterion = "least_squares",
        *,
        slope: PositiveFactor = 10.0,
        n_init: Count = 4,
        tol: Positive = 1e-6,
        max_iter: Count = 1000,
        random_state: Seed = None,
    ):
        self.criterion = criterion
        self.slope = slope
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def learned(self, rows: Rows) -> dict[str, Any]:
        found = {
            "least_squares": self.by_least_squares,
            "perceptron": self.by_perceptron,
            "squared_sigmoid": self.by_sigmoid,
            "zero_one": self.by_errors,
        }[self.criterion](rows)
        w, b = found["coef_"], found["intercept_"]
        value = found.get("criterion_value_")
        if value is None:
            value = criteria_at(w, b, rows, self.slope)[self.criterion]
        if not found["certificate_"].holds and self.criterion in ("perceptron", "squared_sigmoid"):
            words = _("the criterion is not within tol={tol} after {steps} steps")
            why = words.format(tol=f"{self.tol:g}", steps=found["n_iter_"])
            warnings.warn(stopped_early("LinearDiscriminant", why, self.remedy), ConvergenceWarning, stacklevel=5)
        return {
            "history_": np.array([value]),
            "n_iter_": 1,
            **found,
            "classes_": rows.labels,
            "coef_": w[None],
            "intercept_": np.array([b]),
            "criterion_value_": value,
        }

    def scores(self, block: Block) -> Array:
        """t of each row."""
        return np.asarray(block.X @ self.coef_[0] + self.intercept_[0])

    def remedy(self) -> str:
        """What to do if the fit stopped early."""
        return _("Raise max_iter (it is {max_iter}) or tol.").format(max_iter=self.max_iter)

    def by_least_squares(self, rows: Rows) -> dict[str, Any]:
        solution, _ = indicator_fit(rows, intercept=True)
        w, b = solution.coef[:, 0], float(solution.intercept[0]) - 0.5
        return {"coef_": w, "intercept_": b, "certificate_": solution.certificate()}

    def by_perceptron(self, rows: Rows) -> dict[str, Any]:
        """The certificate: criterion − its minimum over planes of the given orientation ≤ gap ≤ tol·criterion. Of columns that
        depend on others, but for rounding, `rank` directions are left, and nothing is claimed about more."""
        space = space_of(rows)
        found = least_missed(rows, space, self.tol, self.max_iter)
        known = {"objective": found.value, "gap": found.gap, "passes": found.passes, "rank": len(space.apart)}
        claim = (
            "no plane that puts the mean of the second class above that of the first lowers the criterion by more than the gap"
        )
        certificate = Certificate(claim, found.gap <= self.tol * found.value, known)
        w, b = space.plane(found.white)
        attributes = {"criterion_value_": found.value, "history_": found.history, "n_iter_": max(1, found.passes)}
        return {"coef_": w, "intercept_": b, "certificate_": certificate, **attributes}

    def by_sigmoid(self, rows: Rows) -> dict[str, Any]:
        """The certificate: the gradient, in whitened coordinates, is at most tol, and of `n_init` starts none ended lower. A
        local minimum: nothing is claimed about others, nor about directions beyond the `rank` in which the rows vary by more
        than rounding."""
        space = space_of(rows)
        first = starts(space, self.n_init, draw_seed(self.random_state))
        ends = [minimise_sigmoid(rows, space, white, self.slope, self.tol, self.max_iter) for white in first]
        best = min(ends, key=lambda end: end.place.value)
        known: dict[str, Any] = {"objective": best.place.value, "slope": best.place.steepness}
        known |= {"starts": len(ends), "rank": len(space.apart)}
        claim = "the gradient of the criterion is at most tol, and no other start ended lower"
        certificate = Certificate(claim, best.place.steepness <= self.tol, known)
        w, b = space.plane(best.place.white)
        steps = max(1, sum(end.passes for end in ends))
        attributes = {"criterion_value_": best.place.value, "history_": best.history, "n_iter_": steps}
        return {"coef_": w, "intercept_": b, "certificate_": certificate, **attributes}

    def by_errors(self, rows: Rows) -> dict[str, Any]:
        """Rows on the hyperplane count as the first class: it is moved half the way to the nearest row above. The certificate
        is that of ERMHyperplane, and holds if the plane that was moved errs no more."""
        model = ERMHyperplane(random_state=self.random_state)
        model.settle({**rows.noted, **model.learned(rows)})
        t = rows.each(model.scores)
        way = 0.5 * float(np.min(t[t > 0], initial=np.inf))
        b = float(model.intercept_[0]) - (way if np.isfinite(way) and model.coef_.any() else 0.0)
        error, known = criteria_at(model.coef_[0], b, rows, self.slope)["zero_one"], model.certificate_
        holds = known.holds and error <= model.error_ + 1e-9
        certificate = Certificate(known.claim, holds, {**known.values, "error": error})
        return {"coef_": model.coef_[0], "intercept_": b, "criterion_value_": error, "certificate_": certificate}

    def criteria(self, X: Any, y: Any = None, sample_weight: Any = None) -> dict[str, float]:
        """The value of each criterion, (1) to (4), at the fitted plane on some rows."""
        rows = open_rows(self, X, y, sample_weight, target="classes", reset=False, among=self.classes_)
        return criteria_at(self.coef_[0], float(self.intercept_[0]), rows, self.slope)


def space_of(rows: Rows) -> Whitened:
    """White coordinates; there must be some."""
    space = Whitened.of(rows)
    if not len(space.T):
        raise ValueError(
            "Every column of X is constant: there is no direction to separate classes in. Leave these columns out."
        )
    return space


# ---- any plane ---------------------------------------------------------------------------------------------------------


def plane_criteria(
    coef: Any, intercept: float, X: Any, y: Any = None, sample_weight: Any = None, *, slope: float = 10.0
) -> dict[str, float]:
    """The value of each criterion, (1) to (4), at the plane b + xᵀw > 0 on some rows.

    Parameters
    ----------
    coef, intercept : array of shape (n_features,), float
        w and b; their length does not matter.
    X, y, sample_weight
        The rows, with two classes; the second, in order, is where b + xᵀw > 0.
    slope : float, default=10.0
        h of (3).
    """
    if not fits(slope, PositiveFactor):
        raise ParameterError(f"slope must be a number above 0 and at most 1e100, got {slope!r}.")
    w = np.asarray(coef, dtype=np.float64).ravel()
    rows = LinearDiscriminant().open(X, y, sample_weight)
    if len(w) != rows.columns:
        raise ValueError(f"coef has {len(w)} entries, X has {rows.columns} columns: give one for each column.")
    return criteria_at(w, float(intercept), rows, slope)


def criteria_at(w: Array, b: float, rows: Rows, h: float) -> dict[str, float]:
    """(1) to (4) at a plane."""
    t = rows.each(lambda block: block.X @ w + b).astype(np.float64)
    y = rows.each(lambda block: block.y).astype(np.float64)
    share = rows.each(lambda block: block.weights)
    share = share / share.sum()
    return {
        "least_squares": squares(t, y, share),
        "perceptron": distances(t, y, share),
        "squared_sigmoid": sigmoid_squares(t, y, share, h),
        "zero_one": float(share @ ((t > 0) != (y == 1))),
    }


def squares(t: Array, y: Array, share: Array) -> float:
    """(1)."""
    size = float(share @ t**2)
    factor = max(0.0, float(share @ ((y - 0.5) * t)) / size) if size > 0 else 0.0
    return float(share @ (y - 0.5 - factor * t) ** 2)


def distances(t: Array, y: Array, share: Array) -> float:
    """(2); infinite where the means have the same t and a row is on the wrong side."""
    apart = abs(mean_of(t, share * y) - mean_of(t, share * (1.0 - y)))
    missed = float(share @ np.maximum(0.0, np.where(y == 1, -t, t)))
    return missed / apart if apart > 0 else np.inf if missed > 0 else 0.0


def sigmoid_squares(t: Array, y: Array, share: Array, h: float) -> float:
    """(3)."""
    deviation = np.sqrt(float(share @ (t - share @ t) ** 2))
    return float(share @ (y - expit(h * t / deviation if deviation > 0 else h * np.sign(t))) ** 2)


def mean_of(t: Array, share: Array) -> float:
    total = float(share.sum())
    return float(share @ t) / total if total > 0 else 0.0
