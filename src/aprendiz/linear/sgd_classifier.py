"""Linear classification by stochastic gradient descent (solvers/stochastic_gradient.py): one plane for two classes, one for
each class against the rest if there are more.

With the hinge loss this is a linear support vector machine, with the logarithmic loss logistic regression, each with α times n
as the strength of its penalty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.special import expit
from sklearn.utils.metaestimators import available_if

from aprendiz.core.parameters import Count, Factor, Fraction, NonNegative, PositiveFactor, PositiveFraction, Seed, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.visits import plane_sides
from aprendiz.linear.shared.epochs import STEPWISE, VisitingClassifier
from aprendiz.linear.solvers.stochastic_gradient import (
    DIFFERENCES,
    LOSS_FUNCTIONS,
    THIN_INTERCEPT,
    Penalty,
    Power,
    Schedule,
    StochasticGradient,
)


class SGDClassifier(StochasticGradient, VisitingClassifier):
    """Linear classifiers by stochastic gradient descent (drop-in for scikit-learn's; with a bound on what is left to gain).

    Parameters
    ----------
    loss : str, default="hinge"
        ℓ: "hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron", "squared_error", "huber",
        "epsilon_insensitive" or "squared_epsilon_insensitive".
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
    learning_rate : {"optimal", "constant", "invscaling", "adaptive", "decreasing", "pa1", "pa2"}, default="optimal"
        η: see stochastic_epoch.py; "adaptive" is η₀, divided by 5 whenever the objective has stopped improving; "pa1" and "pa2"
        are the passive-aggressive steps, for "hinge" only.
    eta0, power_t : float, default=0.01 and 0.5
        η₀, of "pa1" and "pa2" the aggressiveness C; and the power of "invscaling".
    early_stopping : bool, default=False
        Whether to set rows of each class aside, and stop when the accuracy of each plane on them has not improved by `tol` in
        `n_iter_no_change` epochs. For tables in memory, and not for `partial_fit`.
    validation_fraction : float, default=0.1
        Share of the rows of each class that is set aside.
    n_iter_no_change : int, default=5
    class_weight : dict, "balanced" or None, default=None
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    average : bool or int, default=False
        Whether to average the coefficients over all steps; an int averages from that step on.
    verbose, n_jobs
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : int
        Epochs.
    t_ : int
        Number of rows visited, plus one.
    history_ : ndarray of shape (n_iter_, 1) or (n_iter_, n_classes)
        The objective of each epoch, summed as the rows are visited.
    last_planes_ : ndarray of shape (1 or n_classes, 1 + n_features)
        (b, w) after the last step, from which `partial_fit` goes on.
    n_averaged_ : ndarray of shape (1,) or (n_classes,)
        Number of steps averaged.
    certificate_ : Certificate
        The objective over the rows learned from, and its duality gap: no coefficients are better by more; with early stopping,
        the mean accuracy of the planes on the rows set aside.
    """

    differences = {**DIFFERENCES, "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS"}
    exceptions = {**STEPWISE, **THIN_INTERCEPT}
    loss_functions: ClassVar[Mapping[str, tuple[Any, ...]]] = LOSS_FUNCTIONS
    tuning = {"alpha": (1e-5, 1e-4, 1e-3, 1e-2)}

    def __init__(
        self,
        loss: Literal[
            "hinge",
            "log_loss",
            "modified_huber",
            "squared_hinge",
            "perceptron",
            "squared_error",
            "huber",
            "epsilon_insensitive",
            "squared_epsilon_insensitive",
        ] = "hinge",
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
        n_jobs: int | None = None,
        random_state: Seed = None,
        learning_rate: Schedule = "optimal",
        eta0: PositiveFactor = 0.01,
        power_t: Power = 0.5,
        early_stopping: bool = False,
        validation_fraction: PositiveFraction = 0.1,
        n_iter_no_change: Count = 5,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.average = average

    targets = staticmethod(plane_sides)

    def shape(self, planes: Array, rows: Rows) -> dict[str, Any]:
        return {"classes_": rows.labels, "coef_": planes[:, 1:].copy(), "intercept_": planes[:, 0].copy()}

    def gives_probabilities(self) -> bool:
        if self.loss not in ("log_loss", "modified_huber"):
            raise AttributeError(
                f"loss={self.loss!r} gives no probabilities: use 'log_loss', or CalibratedClassifierCV to calibrate the scores."
            )
        return True

    @available_if(gives_probabilities)
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, those of several planes divided by their sum."""
        t = self.decision_function(X)
        p = expit(t) if self.loss == "log_loss" else (np.clip(t, -1.0, 1.0) + 1.0) / 2.0
        if p.ndim == 1:
            return np.column_stack([1.0 - p, p])
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p, 1.0) / np.where(total > 0, total, p.shape[1])

    @available_if(gives_probabilities)
    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
