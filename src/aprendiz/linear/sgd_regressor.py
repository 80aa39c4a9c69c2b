"""Linear regression by stochastic gradient descent (solvers/stochastic_gradient.py): a plane for each target.

With the squared loss this is ridge regression with α times n as the strength of its penalty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils import column_or_1d

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import Count, Factor, Fraction, NonNegative, PositiveFactor, PositiveFraction, Seed, Whole
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import as_target
from aprendiz.linear.shared.early_stopping import determination, plane_values
from aprendiz.linear.shared.epochs import STEPWISE
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.shared.sparse_coefficients import sparse_coefficients
from aprendiz.linear.solvers.stochastic_gradient import (
    DIFFERENCES,
    LOSS_FUNCTIONS,
    THIN_INTERCEPT,
    Penalty,
    Power,
    Schedule,
    StochasticGradient,
    dense,
)

REGRESSION = ("squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive")  # losses of numbers


class SGDRegressor(StochasticGradient, LinearRegressor):
    """Linear regression by stochastic gradient descent (drop-in for scikit-learn's; several targets too).

    Parameters
    ----------
    loss : {"squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"}, default="squared_error"
        ℓ.
    penalty : {"l2", "l1", "elasticnet"} or None, default="l2"
    alpha : float, default=0.0001
        Strength of the penalty, and scale of the steps of "optimal".
    l1_ratio : float or None, default=0.15
        ρ, the share of ‖w‖₁ in "elasticnet"; None where it is not used.
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Epochs.
    tol : float or None, default=1e-3
        Stop when the objective of an epoch has not improved by `tol` in `n_iter_no_change` epochs. None: run all epochs.
    shuffle : bool, default=True
    epsilon : float, default=0.1
        ε of the losses that have one.
    random_state : int, RandomState or None
        Seed for the order of the rows.
    learning_rate : {"optimal", "constant", "invscaling", "adaptive", "decreasing", "pa1", "pa2"}, default="invscaling"
        η: see stochastic_epoch.py; "adaptive" is η₀, divided by 5 whenever the objective has stopped improving; "pa1" and "pa2"
        are the passive-aggressive steps, for "epsilon_insensitive" only.
    eta0, power_t : float, default=0.01 and 0.25
        η₀, of "pa1" and "pa2" the aggressiveness C; and the power of "invscaling".
    early_stopping : bool, default=False
        Whether to set rows aside, and stop when R² on them has not improved by `tol` in `n_iter_no_change` epochs. For tables
        in memory, and not for `partial_fit`.
    validation_fraction : float, default=0.1
        Share of the rows that is set aside.
    n_iter_no_change : int, default=5
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    average : bool or int, default=False
        Whether to average the coefficients over all steps; an int averages from that step on.
    verbose
        No effect.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : ndarray of shape (1,) or (n_targets,)
    n_iter_ : int
        Epochs.
    t_ : int
        Number of rows visited, plus one.
    history_ : ndarray of shape (n_iter_, n_targets)
        The objective of each epoch, summed as the rows are visited.
    last_planes_ : ndarray of shape (n_targets, 1 + n_features)
        (b, w) after the last step, from which `partial_fit` goes on.
    n_averaged_ : ndarray of shape (n_targets,)
        Number of steps averaged.
    certificate_ : Certificate
        The objective over the rows learned from, and its duality gap: no coefficients are better by more; with early stopping,
        R² on the rows set aside.
    """

    differences = {
        **DIFFERENCES,
        "coef_": "another form: a row for each of several targets, which scikit-learn refuses",
    }
    exceptions = {**STEPWISE, **THIN_INTERCEPT}
    loss_functions: ClassVar[Mapping[str, tuple[Any, ...]]] = {loss: LOSS_FUNCTIONS[loss] for loss in REGRESSION}
    tuning = {"alpha": (1e-5, 1e-4, 1e-3, 1e-2)}

    def __init__(
        self,
        loss: Literal["squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"] = "squared_error",
        *,
        penalty: Penalty | None = "l2",
        alpha: Factor = 0.0001,
        l1_ratio: Fraction | None = 0.15,
        fit_intercept: bool = True,
        max_iter: Count = 1000,
        tol: NonNegative | None = 1e-3,
        shuffle: bool = True,
        verbose: Whole | bool = 0,
        epsilon: NonNegative = 0.1,
        random_state: Seed = None,
        learning_rate: Schedule = "invscaling",
        eta0: PositiveFactor = 0.01,
        power_t: Power = 0.25,
        early_stopping: bool = False,
        validation_fraction: PositiveFraction = 0.1,
        n_iter_no_change: Count = 5,
        warm_start: bool = False,
        average: bool | Count = False,
    ):
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        if y is not None and not is_read_in_blocks(X) and as_target(y).shape[1:] == (1,):
            y = column_or_1d(as_target(y), warn=True)
        return super().open(X, y, sample_weight, reset=reset)

    def outputs(self, rows: Rows) -> int:
        return len(rows.first(first_target))

    @staticmethod
    def targets(plane: int, planes: int, block: Block) -> Array:
        return np.ascontiguousarray(block.y.reshape(len(block), planes)[:, plane], dtype=np.float64)

    def plane_scores(self, planes: Array, held: ArrayRows) -> Array:
        assert held.y is not None
        return determination(plane_values(planes, held), held.y.reshape(-1, len(planes)), held.weight)

    def shape(self, planes: Array, rows: Rows) -> dict[str, Any]:
        flat = rows.first(lambda block: block.y.ndim == 1)
        return {"coef_": planes[0, 1:].copy() if flat else planes[:, 1:].copy(), "intercept_": planes[:, 0].copy()}

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over the given rows."""
        first = not hasattr(self, "last_planes_")
        rows = self.open(X, y, sample_weight, reset=first)
        if not first and self.outputs(rows) != len(self.last_planes_):
            raise ValueError(f"y has {self.outputs(rows)} targets, before it had {len(self.last_planes_)}: give the same ones.")
        return self.went_on(rows, first)

    def predict(self, X: Any) -> Array:
        """b + xᵀw of each row."""
        rows = self.new_rows(X)
        coef = dense(self.coef_)
        return rows.each(lambda block: block.X @ coef.T + self.intercept_)

    coef_: Any

    def sparsify(self) -> Self:
        """Keep the coefficients as a sparse matrix."""
        self.coef_ = sparse_coefficients(self.coef_)
        return self

    def densify(self) -> Self:
        """Keep the coefficients as an array."""
        self.coef_ = dense(self.coef_)
        return self


def first_target(block: Block) -> Array:
    """The targets of the first row."""
    return np.atleast_1d(block.y[0])
