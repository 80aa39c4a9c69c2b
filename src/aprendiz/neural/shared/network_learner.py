"""What is trained: layers with a loss, its sum over all rows, and the answer of a fit.

The certificate costs one pass: the objective with its gradient, for L-BFGS what it has already. A layer of neurons that are
silent for every row (relu, or saturated) lets nothing through: then the loss has no slope at all for its biases.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import check_parameters
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.stored import Check
from aprendiz.linear.shared.early_stopping import split_rows
from aprendiz.linear.shared.epochs import precision
from aprendiz.locale import _
from aprendiz.neural.losses.loss import Loss
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.layer_values import (
    activation_names,
    hidden_sizes,
    keep_largest,
    mask_of,
    refuse_steps,
    temperatures_of,
)
from aprendiz.neural.network.passes import Passes
from aprendiz.neural.shared.network_state import NetworkState
from aprendiz.neural.training.loss_sum import LossSum, gradient_error
from aprendiz.neural.training.quasi_newton import Objective

FAR_ABOVE = 2.0  # times a loss that is known, a loss is one of a fit that failed


def layers_follow(held: Mapping[str, Any]) -> bool:
    """Does each layer take what the one before gives, with an intercept for each of its neurons?"""
    weights, biases = held.get("coefs_"), held.get("intercepts_")
    if weights is None and biases is None:
        return True
    if not (isinstance(weights, list) and isinstance(biases, list) and len(weights) == len(biases) > 0):
        return False
    if not all(isinstance(part, np.ndarray) and part.dtype.kind == "f" for part in (*weights, *biases)):
        return False
    if any(W.ndim != 2 or b.shape != W.shape[1:] for W, b in zip(weights, biases, strict=True)):
        return False
    columns = held.get("n_features_in_", len(weights[0]))
    return len(weights[0]) == columns and all(W.shape[1] == len(V) for W, V in pairwise(weights))


LAYERS = Check(layers_follow, "coefs_, intercepts_ and n_features_in_ do not go together; fit it again")


class NetworkLearner(Iterative):
    """Layers, their loss, and the answer. A leaf gives `loss_function`, `outputs` and `score_of`."""

    State = NetworkState
    stored_check = LAYERS
    allows = frozenset({"sparse"})

    hidden_layer_sizes: Any
    activation: Any
    temperature: Any
    solver: str
    alpha: float
    batch_size: Any
    learning_rate: str
    learning_rate_init: float
    power_t: float
    max_iter: int
    shuffle: bool
    random_state: Any
    tol: float
    warm_start: bool
    momentum: float
    nesterovs_momentum: bool
    early_stopping: bool
    validation_fraction: float
    beta_1: float
    beta_2: float
    epsilon: float
    n_iter_no_change: float
    max_fun: int
    dropout: float
    masks: Any
    max_nonzero: int | None
    coefs_: list[Array]
    intercepts_: list[Array]
    updates_: int
    memory_: Array
    rate_: float
    t_: int
    t_epochs_: int
    loss_curve_: list[float]
    best_loss_: float
    n_outputs_: int

    @abstractmethod
    def loss_function(self, rows: Rows) -> Loss:
        """The loss of these rows."""

    @abstractmethod
    def outputs(self, rows: Rows) -> int:
        """The number of outputs."""

    @abstractmethod
    def score_of(self, V: Array, rows: Rows) -> float:
        """How good outputs are on rows set aside."""

    # ---- the network -------------------------------------------------------------------------------------------------

    def architecture(self, columns: int, outputs: int) -> Architecture:
        """The layers, from the parameters."""
        hidden = hidden_sizes(self.hidden_layer_sizes)
        sigmas, temperatures = activation_names(self.activation, len(hidden)), temperatures_of(self.temperature, len(hidden))
        return Architecture((columns, *hidden, outputs), sigmas, temperatures)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        if self.max_nonzero is not None and self.solver == "lbfgs":
            raise ValueError("max_nonzero keeps the largest weights after each epoch: solver='lbfgs' has none, use 'adam'.")
        if self.dropout > 0 and self.solver == "lbfgs":
            raise ValueError("dropout silences other neurons at each step of 'sgd' and 'adam': solver='lbfgs' needs dropout=0.")
        return self.ready(super().open(X, y, sample_weight, reset=reset))

    def ready(self, rows: Rows) -> Rows:
        """The rows as they are visited."""
        refuse_steps(activation_names(self.activation, len(hidden_sizes(self.hidden_layer_sizes))))
        rows = self.prepare(rows)
        rows = rows.like(thin=True) if in_memory(rows) and rows.sparse else rows
        rows.width = max(rows.width, *hidden_sizes(self.hidden_layer_sizes), 2)
        return rows

    def prepare(self, rows: Rows) -> Rows:
        """The same rows, their targets and weights as the loss wants them."""
        return rows

    # ---- the loss of all rows --------------------------------------------------------------------------------------------

    @property
    def stops_early(self) -> bool:
        return self.early_stopping and self.solver != "lbfgs"

    def objective(self, rows: Rows) -> Objective:
        """(1) and its gradient, as a function of θ."""
        network, loss = self.architecture(rows.columns, self.outputs(rows)), self.loss_function(rows)
        mask, W = mask_of(self.masks, network), network.n_weights

        def value_and_gradient(theta: Array) -> tuple[float, Array]:
            sums = rows.sum(LossSum.of, network, loss, theta)
            refuse_empty_sums(sums.weight, True, rows)
            g, weights, penalty = sums.gradient / sums.weight, theta[:W].astype(np.float64), self.alpha / sums.weight
            g[:W] += penalty * weights
            if mask is not None:
                g *= mask
            with np.errstate(over="ignore"):
                return sums.loss / sums.weight + 0.5 * penalty * float(weights @ weights), g

        return value_and_gradient

    def kept(self, state: NetworkState, network: Architecture) -> Array:
        """θ of the answer: where rows are set aside, that of the epoch with the highest score.

        Where the loss overflows at once it is the first one, of which no more than `max_nonzero` weights are kept either."""
        theta = (state.best_theta if self.stops_early else state.theta).copy()
        keep_largest(theta, network.n_weights, self.max_nonzero)
        return theta

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: NetworkState, rows: Rows) -> dict[str, Any]:
        loss, outputs = self.loss_function(rows), self.outputs(rows)
        network = self.architecture(rows.columns, outputs)
        theta = self.kept(state, network).astype(precision(rows))
        found = {
            "coefs_": [W.copy() for W in network.weights(theta)],
            "intercepts_": [b.copy() for b in network.biases(theta)],
            "loss_": float(state.curve[-1]) if len(state.curve) else np.inf,
            "n_iter_": state.iteration,
            "n_layers_": len(network.sizes),
            "n_outputs_": outputs,
            "n_parameters_": network.n_parameters,
            "out_activation_": loss.link,
            "t_": state.visits,
            "updates_": state.updates,
            "memory_": state.memory.copy(),
            "rate_": state.rate,
            "t_epochs_": state.iteration,
            "loss_curve_": state.curve.tolist(),
        }
        if self.solver != "lbfgs":
            found["best_loss_"] = None if self.early_stopping else state.best
            found["validation_scores_"] = state.scores.tolist() if self.early_stopping else None
            found["best_validation_score_"] = -state.best if self.early_stopping else None
        return found

    def row_attributes(self, state: NetworkState, rows: Rows) -> dict[str, Any]:
        found = self.certificate(state, rows)
        if found.silent_layers:
            said = _(
                "{learner}: no neuron of hidden layer {layer} passes anything on, whatever the row: nothing more is learned. "
                "Standardise the columns, lower learning_rate_init (it is {rate:g}), or take activation='tanh'."
            )
            said = said.format(learner=type(self).__name__, layer=found.silent_layers[0], rate=self.learning_rate_init)
            warnings.warn(said, ConvergenceWarning, stacklevel=self.frames + 1)
        elif state.settled and not self.stops_early and found.objective > FAR_ABOVE * found.constant + self.tol:
            said = _(
                "{learner}: the loss came to rest at {loss:.3g}, above the {constant:.3g} of the means as outputs: nothing was "
                "learned. Standardise the columns (and the target of a regression), or change learning_rate_init (it is "
                "{rate:g})."
            )
            said = said.format(
                learner=type(self).__name__, loss=found.objective, constant=found.constant, rate=self.learning_rate_init
            )
            warnings.warn(said, ConvergenceWarning, stacklevel=self.frames + 1)
        return {"certificate_": found}

    def certificate(self, state: NetworkState, rows: Rows) -> Certificate:
        """That the gradient is right, and that the network is not worse than its outputs without columns."""
        rows = split_rows(rows, state.seed, float(self.validation_fraction)) if self.stops_early else rows
        network, loss = self.architecture(rows.columns, self.outputs(rows)), self.loss_function(rows)
        theta = self.kept(state, network).astype(precision(rows))
        F, g = self.known_at(theta, state, rows)
        constant = self.best_constant(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            error = rows.first(gradient_error, network, loss, theta, state.seed)
        known = {
            "objective": F,
            "gradient_norm": float(np.abs(g).max()),
            "gradient_error": error,
            "constant": constant,
            "silent_layers": silent_layers(network.biases(g)),
        }
        holds = state.settled and error <= 1e-9 and constant * (1 + 1e-9) + 1e-12 >= F
        return Certificate(
            "the gradient is that of complex steps, and the objective is at most that of the means as outputs", holds, known
        )

    def known_at(self, theta: Array, state: NetworkState, rows: Rows) -> tuple[float, Array]:
        """F and its gradient, which L-BFGS has already; of other solvers, by one more pass."""
        if len(state.gradient) and np.array_equal(theta, state.theta):
            return state.objective, state.gradient
        return self.objective(rows)(theta)

    @abstractmethod
    def best_constant(self, rows: Rows) -> float:
        """The least objective of a network whose outputs do not depend on the columns."""

    def plot(self, ax: Any = None) -> Picture:
        """Draw the layers with their weights as lines: `LayersDisplay`. Needs matplotlib."""
        return display("LayersDisplay").from_estimator(self, ax=ax)

    # ---- predictions -------------------------------------------------------------------------------------------------

    def fitted_network(self) -> tuple[Architecture, Array]:
        """The layers of the fit, and θ."""
        network = self.architecture(len(self.coefs_[0]), self.n_outputs_)
        return network, network.packed(self.coefs_, self.intercepts_, self.coefs_[0].dtype)

    def outputs_for(self, X: Any) -> Array:
        """o of each row."""
        rows = self.new_rows(X)
        network, theta = self.fitted_network()
        return outputs_of(network, theta, rows)


def outputs_of(network: Architecture, theta: Array, rows: Rows) -> Array:
    """o of each row."""

    def of_block(block: Block) -> Array:
        X: Any = block.X
        dtype = np.result_type(X.dtype, theta.dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            return Passes(network, len(block), dtype).forward(theta.astype(dtype, copy=False), X.astype(dtype, copy=False))

    return rows.each(of_block)


def silent_layers(slopes: list[Array]) -> tuple[int, ...]:
    """The hidden layers, from 1, through which nothing comes back: ∂F/∂b_l is 0 in all entries, and is not for the outputs."""
    *hidden, last = slopes
    return tuple(layer for layer, slope in enumerate(hidden, 1) if last.any() and not slope.any())
