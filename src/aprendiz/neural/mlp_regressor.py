"""Multilayer perceptron for numbers: layers of neurons whose last outputs are the predictions.

    loss      squared error, absolute error, Huber's, or Poisson's with outputs e^v (losses/numbers.py)

How they are trained is in shared/multilayer_perceptron.py, the passes through the layers in network/passes.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import column_or_1d

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import ArrayLike, Count, Factor, Fraction, NonNegative, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import as_target
from aprendiz.linear.shared.early_stopping import determination
from aprendiz.neural.losses.constant import loss_of_means, target_totals
from aprendiz.neural.losses.loss import Loss, NumberLoss
from aprendiz.neural.shared.multilayer_perceptron import (
    DIFFERENCES,
    EXCEPTIONS,
    Activation,
    MultilayerPerceptron,
    ProperFraction,
    Schedule,
    goes_by_epochs,
)


class MLPRegressor(Regressor, MultilayerPerceptron):
    """Multilayer perceptron for numbers (drop-in for scikit-learn's; absolute error, Huber, dropout, masks, files).

    Parameters
    ----------
    loss : {"squared_error", "poisson", "absolute_error", "huber"}, default="squared_error"
    huber_epsilon : float, default=1.0
        Where Huber's loss becomes linear.

    scale_target : bool, default=False
        Whether to learn (y − mean)/deviation of the rows of the first fit: steps of 0.001 are small where y is in thousands.

    The other parameters are those of MLPClassifier, without `class_weight`.

    Attributes
    ----------
    out_activation_ : {"identity", "exp"}
    validation_scores_ : list of float or None
        R² on the rows set aside, after each epoch.

    target_units_ : ndarray of shape (2, n_outputs) or None
        Means and deviations of the targets, if they were scaled. Losses and the certificate are those of the scaled ones.
    certificate_ : Certificate
        The gradient beside a complex step, its largest entry, and the objective beside that of constant outputs.

    The other attributes are those of MLPClassifier, without `classes_`.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0]
    >>> model = MLPRegressor(hidden_layer_sizes=(8,), activation="tanh", solver="lbfgs", random_state=0).fit(X, y)
    >>> bool(abs(model.predict(X) - y).max() < 0.1)
    True
    """

    differences = {**DIFFERENCES, "tol": "another form: of several outputs it watches the sum of the losses, not their mean"}
    exceptions = EXCEPTIONS
    tuning = {"hidden_layer_sizes": ((20,), (100,), (100, 50)), "alpha": (1e-4, 1e-2, 1.0)}

    def __init__(
        self,
        loss: Literal["squared_error", "poisson", "absolute_error", "huber"] = "squared_error",
        hidden_layer_sizes: Count | tuple[int, ...] | ArrayLike = (100,),
        activation: Activation | ArrayLike = "relu",
        *,
        solver: Literal["lbfgs", "sgd", "adam"] = "adam",
        alpha: Factor = 0.0001,
        batch_size: Count | Literal["auto"] = "auto",
        learning_rate: Schedule = "constant",
        learning_rate_init: PositiveFactor = 0.001,
        power_t: NonNegative = 0.5,
        max_iter: Count = 200,
        shuffle: bool = True,
        random_state: Seed = None,
        tol: NonNegative = 1e-4,
        verbose: Whole | bool = False,
        warm_start: bool = False,
        momentum: Fraction = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: Fraction = 0.1,
        beta_1: ProperFraction = 0.9,
        beta_2: ProperFraction = 0.999,
        epsilon: PositiveFactor = 1e-8,
        n_iter_no_change: NonNegative = 10,
        max_fun: Count = 15000,
        temperature: PositiveFactor | ArrayLike = 1.0,
        dropout: ProperFraction = 0.0,
        masks: list[Any] | tuple[Any, ...] | None = None,
        max_nonzero: Count | None = None,
        huber_epsilon: PositiveFactor = 1.0,
        scale_target: bool = False,
    ):
        self.loss = loss
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.temperature = temperature
        self.dropout = dropout
        self.masks = masks
        self.max_nonzero = max_nonzero
        self.huber_epsilon = huber_epsilon
        self.scale_target = scale_target

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        if y is not None and not is_read_in_blocks(X) and as_target(y).shape[1:] == (1,):
            y = column_or_1d(as_target(y), warn=True)
        return self.in_units(super().open(X, y, sample_weight, reset=reset), reset)

    def in_units(self, rows: Rows, reset: bool) -> Rows:
        """The same rows with the targets in their units; of a fit that goes on, in those of the first one."""
        units, goes_on = getattr(self, "target_units_", None), hasattr(self, "coefs_") and (self.warm_start or not reset)
        if goes_on and (units is not None) != self.scale_target:
            raise ValueError("scale_target was another one in the first fit, whose weights are kept: fit anew.")
        if self.scale_target and self.loss == "poisson":
            raise ValueError("scale_target=True is for differences: loss='poisson' takes counts as they are.")
        if self.scale_target and not goes_on:
            units = units_of(rows)
        changed = scaled(rows, units) if self.scale_target and units is not None else rows
        changed.noted = {**rows.noted, "target_units_": units if self.scale_target else None}
        return changed

    def prepare(self, rows: Rows) -> Rows:
        if self.loss == "poisson" and (lowest := rows.sum(lowest_target)[0]) < 0:
            raise ValueError(f"loss='poisson' is for counts: y holds {lowest:g}, which is negative.")
        return rows

    def outputs(self, rows: Rows) -> int:
        return rows.first(lambda block: 1 if block.y.ndim == 1 else block.y.shape[1])

    def loss_function(self, rows: Rows) -> Loss:
        return NumberLoss(self.loss, float(self.huber_epsilon))

    def score_of(self, V: Array, rows: Rows) -> float:
        y = rows.each(lambda block: block.y.reshape(len(block), -1))
        return float(determination(self.loss_function(rows).predictions(V), y, rows.each(lambda block: block.weights)).mean())

    def best_constant(self, rows: Rows) -> float:
        """The loss of the means, which no constant is better than by squares and Poisson; of the others, an upper bound."""
        return loss_of_means(rows, self.loss_function(rows), counts=self.loss == "poisson")

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        flat = rows.first(lambda block: block.y.ndim == 1)
        return {**super().attributes(state, rows), "flat_": flat}

    flat_: bool
    target_units_: Array | None

    @available_if(goes_by_epochs)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over the given rows."""
        first = not hasattr(self, "coefs_")
        return self.went_on(self.open(X, y, sample_weight, reset=first), first)

    def predict(self, X: Any) -> Array:
        """The outputs of each row."""
        V = NumberLoss(self.loss).predictions(self.outputs_for(X))
        if self.target_units_ is not None:
            mean, spread = self.target_units_
            V = V * spread.astype(V.dtype) + mean.astype(V.dtype)
        return V[:, 0] if self.flat_ else V


def lowest_target(block: Block) -> Array:
    """The negative targets of a block, added up."""
    return np.array([block.y.min(initial=0.0)])


def units_of(rows: Rows) -> Array:
    """Mean and standard deviation of each target; 1 for one that does not vary."""
    total = rows.sum(target_totals)
    mean = total[1:] / total[0]
    spread = np.sqrt(rows.sum(squared_deviations, mean) / total[0])
    return np.array([mean, np.where(spread > 0, spread, 1.0)])


def squared_deviations(mean: Array, block: Block) -> Array:
    """Σω(y − mean)²."""
    return block.weights @ (block.y.reshape(len(block), -1) - mean) ** 2


def scaled(rows: Rows, units: Array) -> Rows:
    """The same rows with targets in their units."""

    def change(block: Block) -> Block:
        mean, spread = units[:, 0] if block.y.ndim == 1 else units
        return replace(block, y=read_only((block.y - mean) / spread))

    if in_memory(rows):
        return rows.like(y=change(Block(rows.X, rows.y, rows.weight, 0)).y)
    return rows.changed(change)
