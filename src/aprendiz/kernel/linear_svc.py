"""Linear support vector classification: a plane with a margin, one for two classes, one against the rest for each of more.

    min over θ    ½‖θ‖² + C Σ w ξ^p,        ξ = max(0, 1 − s·θᵀz),    z = (x, B),   s = ±1                     (1)
    penalty l1    ‖θ‖₁ + C Σ w ξ²
    prediction    the class whose t = xᵀw + b is largest, b = B·θ_last; of two classes the second where t > 0

p = 2 is the squared hinge, p = 1 the hinge. Rows with ξ = 0 and t away from the margin have no say: the plane is that of the
others. The intercept is B = `intercept_scaling` times an entry of θ, so it is penalised, as in liblinear. Crammer and Singer's
machine fits the planes of all classes together. linear_solvers/linear_machine.py says which solver is used when; each proves
how far it is from the optimum, by a lower bound of the minimum.

Cost: a few passes over the rows, of n·d² multiplications at the beginning and n·d later; with many columns, epochs of twice the
filled cells.
References: Fan, Chang, Hsieh, Wang & Lin, "LIBLINEAR: a library for large linear classification", JMLR 9, 2008; Crammer &
Singer, "On the algorithmic implementation of multiclass kernel-based vector machines", JMLR 2, 2001.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from aprendiz.core.class_weights import Totals, class_factors, reweight
from aprendiz.core.parameters import Positive, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import plain
from aprendiz.kernel.linear_solvers.linear_machine import DIFFERENCES, EXCEPTIONS, LinearMachine
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.solvers.newton import thin


class LinearSVC(LinearClassifier, LinearMachine):
    """Linear support vector classification (drop-in for scikit-learn's; Newton's method on sums, also from files).

    Parameters
    ----------
    penalty : {"l2", "l1"}, default="l2"
        "l1" makes coefficients zero; with the squared hinge only.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
    dual : "auto" or bool, default="auto"
        No effect: the solver is chosen by loss, penalty and size. Values that scikit-learn refuses are refused.
    tol : float, default=1e-4
        Stop when the gap between the objective and its lower bound is at most tol² of it: the coefficients are then within
        tol·√(2F) of the optimum. Below 3e-7, which is as much as rounding allows, nothing changes.
    C : float, default=1.0
        Weight of the losses.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        Each class against the rest, or all planes together with the loss of Crammer and Singer; then `loss`, `penalty` and
        `dual` are not used.
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1
        B: larger values penalise the intercept less.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes. As in liblinear, the plane of a class against the rest weighs its own rows only.
    verbose
        No effect.
    random_state : int, RandomState or None
        Seed for the order of the rows, where there are many columns. None: always the same.
    max_iter : int, default=1000
        Maximum number of steps, or of epochs with many columns.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,); 0.0 without an intercept
    n_iter_ : int
        Steps or epochs, of the plane that took the most.
    certificate_ : Certificate
        The objective and its lower bound, summed over the planes; the largest relative gap of a plane, and what rounding may
        add to it.
    """

    allows = frozenset({"sparse"})
    differences = DIFFERENCES
    exceptions = EXCEPTIONS
    tuning = {"C": (0.01, 0.1, 1.0, 10.0, 100.0)}

    def __init__(
        self,
        penalty: Literal["l1", "l2"] = "l2",
        loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
        *,
        dual: Literal["auto", True, False] = "auto",
        tol: Positive = 1e-4,
        C: PositiveFactor = 1.0,
        multi_class: Literal["ovr", "crammer_singer"] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: PositiveFactor = 1,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        verbose: Whole | bool = 0,
        random_state: Seed = None,
        max_iter: Whole = 1000,
    ):
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        rows = super().open(X, y, sample_weight, reset=reset)
        if not self.joint:
            self.refuse_combinations()
        assert rows.labels is not None
        totals = thin(rows).sum(Totals.of, len(rows.labels)).weight
        if (totals > 0).sum() < 2:
            only = plain(rows.labels[totals.argmax()])
            raise ValueError(f"Only one class, {only!r}, has rows of positive weight; two are needed.")
        if self.joint and len(rows.labels) > 2 and not in_memory(rows):
            raise ValueError("multi_class='crammer_singer' needs a table in memory: use multi_class='ovr', or read it first.")
        return rows

    def refuse_combinations(self) -> None:
        """What cannot go together, and what scikit-learn cannot solve in the way that is asked for."""
        if self.penalty == "l1" and self.loss == "hinge":
            raise ValueError("penalty='l1' is not available with loss='hinge': use loss='squared_hinge'.")
        if (self.penalty == "l1" and self.dual is True) or (self.loss == "hinge" and self.dual is False):
            with_what = "penalty='l1'" if self.penalty == "l1" else "loss='hinge'"
            raise ValueError(f"dual={self.dual} does not go with {with_what}: leave dual='auto'.")

    @property
    def joint(self) -> bool:  # type: ignore[override]
        return self.multi_class == "crammer_singer"

    @property
    def penalised_absolutely(self) -> bool:  # type: ignore[override]
        return self.penalty == "l1" and not self.joint

    def pose(self, rows: Rows) -> MarginProblem:
        assert rows.labels is not None
        classes, factors = len(rows.labels), None
        if self.class_weight is not None and (classes == 2 or self.joint):
            rows = reweight(rows, self.class_weight)
        elif self.class_weight is not None:
            factors = class_factors(thin(rows), self.class_weight)
        squared = self.loss == "squared_hinge" and not self.joint
        doubled = 2.0 if self.joint and classes == 2 else 1.0  # the planes of two classes are opposite
        return replace(self.problem_of(rows, classes, 0.0, squared, doubled), factors=factors)

    def attributes(self, state: PlanesState, rows: Rows) -> dict[str, Any]:
        known, W, b = self.fitted(state, rows)
        return {**known, "classes_": rows.labels, "coef_": W, "intercept_": b if self.fit_intercept else 0.0}
