"""The one-class support vector machine: a region that holds most of the rows, for new rows that are unlike them.

    minimise  ½‖w‖² − ρ·ν·n + Σξ_i     with  wᵀφ(x_i) ≥ ρ − ξ_i,  ξ ≥ 0                                         (1)

f(x) = Σα_i K(x_i, x) − ρ is positive inside. At most ν·n training rows are outside, at least ν·n are support vectors. The dual:

    minimise  ½αᵀKα     over 0 ≤ α_i ≤ 1,  Σα_i = ν·n                                                            (2)

Reference: Schölkopf et al., "Estimating the support of a high-dimensional distribution", Neural Computation 13, 2001.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import NonNegative, Positive, PositiveFraction, Whole
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.fixed_sums import fill_to_sum
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import DIFFERENCES, EXCEPTIONS, KernelMachine, Training
from aprendiz.kernel.shared.one_sum import answer_of_rows, plane_of


class OneClassSVM(OutlierMixin, KernelMachine):
    """One-class support vector machine (drop-in for scikit-learn's; with its duality gap and any kernel object).

    Parameters
    ----------
    kernel, degree, gamma, coef0, tol, cache_size, max_iter
        As for SVC.
    nu : float, default=0.5
        ν: an upper bound on the share of training rows outside, a lower bound on that of support vectors.
    shrinking, verbose
        No effect.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, n_iter_, fit_status_, shape_fit_
        As in scikit-learn.
    offset_ : ndarray of shape (1,)
        ρ, so that decision_function = score_samples − offset_.
    kernel_, certificate_
        As for SVC.

    Examples
    --------
    >>> model = OneClassSVM(nu=0.5, gamma=0.1).fit([[0.0], [1.0], [2.0], [9.0]])
    >>> model.predict([[1.0], [20.0]])
    array([ 1, -1])
    """

    differences = DIFFERENCES
    exceptions = {**EXCEPTIONS, "same answer": "support vectors on the edge of the region are in or out by their last digit"}
    moves_freely = False
    frames = 4
    tuning = {"nu": (0.05, 0.1, 0.5)}

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: Whole = 3,
        gamma: NonNegative | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        tol: Positive = 1e-3,
        nu: PositiveFraction = 0.5,
        shrinking: bool = True,
        cache_size: Positive = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def problems(self, rows: Rows, training: Training) -> list[DualProblem]:
        """(2)."""
        weight = rows.each(lambda block: np.asarray(block.weights, np.float64))
        none = np.zeros(len(weight))
        return [DualProblem(training.kernel, training.points, none, none, weight)]

    def start(self, problem: DualProblem) -> Array:
        return fill_to_sum(problem.high, self.nu * float(problem.high.sum()))

    def conclude(self, training: Training, parts: list[DualState], evidence: list[Any], rows: Rows) -> dict[str, Any]:
        rho = multipliers(training.problems[0], parts[0].beta, parts[0].g)[0]
        found = answer_of_rows(training, parts[0].beta, -rho, parts[0])
        return {**found, "offset_": np.array([rho])}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to the rows of X; y is not looked at. Returns the learner itself."""
        return super().fit(X, None, sample_weight)

    def score_samples(self, X: Any) -> Array:
        """Σα_i K(x_i, x) of each row."""
        check_is_fitted(self)
        dual = self.dual_coef_.toarray() if sparse.issparse(self.dual_coef_) else self.dual_coef_
        return self.sums_over_support(X, np.ascontiguousarray(dual[0]))

    def decision_function(self, X: Any) -> Array:
        """f(x), positive inside."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Array:
        """1 inside, −1 outside."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def plot(self, X: Any, *, columns: Any = None, ax: Any = None) -> Picture:
        """The region over two columns of the training rows, and the rows outside: a `OneClassDisplay`. Needs matplotlib."""
        return display("OneClassDisplay")(self, X, columns=columns).plot(ax)

    @property
    def coef_(self) -> Any:
        """The plane of the linear kernel."""
        return plane_of(self)
