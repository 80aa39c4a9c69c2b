"""What the classifier and the regressor share: training, from a state to the next one, and the answer.

    F(θ) = 1/Σω·(Σ ω loss(o(x), y) + α/2·Σ_l ‖W_l‖²)                                                          (1)

    sgd, adam     an epoch of batches (training/batches.py), each followed by a step (training/optimizers.py)
    lbfgs         F and its gradient are sums over all rows (files, Dask), one state for each step (training/quasi_newton.py)

Cost of an epoch: 6·n·Σ k_{l−1}k_l multiplications and additions. Memory: θ, the optimizer's vectors and two batches.
Reference: Rumelhart, Hinton & Williams, "Learning representations by back-propagating errors", Nature 323, 1986.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal, Self

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import Within, check_parameters
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.linear.designs.visits import Reach
from aprendiz.linear.shared.early_stopping import TrainingRows, split_rows
from aprendiz.linear.shared.epochs import STEPWISE, precision
from aprendiz.locale import _
from aprendiz.neural.losses.loss import Loss
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.dropout import dropping
from aprendiz.neural.network.layer_values import activation_names, hidden_sizes, keep_largest, mask_of, temperatures_of
from aprendiz.neural.network.passes import Passes
from aprendiz.neural.shared.network_state import NetworkState
from aprendiz.neural.training.batches import Gradients, batches
from aprendiz.neural.training.loss_sum import LossSum, gradient_error
from aprendiz.neural.training.optimizers import Step, adam_optimizer, momentum_optimizer
from aprendiz.neural.training.quasi_newton import descent

ProperFraction = Annotated[float, Within(0, 1 - 2**-20)]  # below 1
Activation = Literal["identity", "logistic", "sigmoid", "tanh", "relu", "softplus", "cos"]
DIFFERENCES = {
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "early_stopping": "another form: the rows set aside are drawn for each row, so that more rows do not change the draw",
    "random_state": "another form: other first weights and another order of the rows",
    "loss_": "another form: squares of several outputs are added, as in the gradient; float64 for float32 data too",
    "loss_curve_": "another form: as loss_, float64 for float32 data too",
    "best_loss_": "another form: as loss_, float64 for float32 data too",
}
EXCEPTIONS = {
    **{law: why for law, why in STEPWISE.items() if not law.startswith("check_")},
    "column order": "first weights are drawn for the place of a column",
    "relabelling": "first weights are drawn for the place of a class",
}
USUAL_BATCH = 200
SHORTEST = 1e-6  # an adaptive rate is not made smaller than this


class MultilayerPerceptron(Iterative):
    """A network of layers. A leaf gives `loss_function`, `outputs` and `score_of`."""

    State = NetworkState
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
        return self.ready(super().open(X, y, sample_weight, reset=reset))

    def ready(self, rows: Rows) -> Rows:
        """The rows as they are visited."""
        rows = self.prepare(rows)
        rows = rows.like(thin=True) if in_memory(rows) and rows.sparse else rows
        rows.width = max(rows.width, *hidden_sizes(self.hidden_layer_sizes), 2)
        return rows

    def prepare(self, rows: Rows) -> Rows:
        """The same rows, their targets and weights as the loss wants them."""
        return rows

    # ---- states ------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: NetworkState | None = None) -> Iterator[NetworkState]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        rows = split_rows(rows, seed, float(self.validation_fraction)) if self.stops_early else rows
        reach = rows.sum(Reach.of)
        refuse_empty_sums(reach.weight, bool(np.isfinite(reach.square)), rows)
        state = since
        if state is None:
            state = self.begin(rows, seed)
            yield state
        following = self.quasi_newton if self.solver == "lbfgs" else self.run_epoch
        while not state.settled and state.iteration < self.max_iter:
            found = following(state, rows)
            if found is None:
                return
            state = found
            yield state

    @property
    def stops_early(self) -> bool:
        return self.early_stopping and self.solver != "lbfgs"

    def begin(self, rows: Rows, seed: int) -> NetworkState:
        """State 0: random parameters, or those of the last fit."""
        network, dtype = self.architecture(rows.columns, self.outputs(rows)), np.dtype(precision(rows))
        theta = network.first_parameters(seed, dtype)
        if (mask := mask_of(self.masks, network)) is not None:
            theta *= mask
        if self.warm_start and hasattr(self, "coefs_"):
            if [W.shape for W in self.coefs_] != network.shapes:
                raise ValueError(
                    f"warm_start=True: the last fit has layers of the shapes {[W.shape for W in self.coefs_]}, the parameters "
                    f"say {network.shapes}. Fit anew, or keep the layers."
                )
            theta = network.packed(self.coefs_, self.intercepts_, dtype)
        return self.state_at(theta, seed)

    def state_at(self, theta: Array, seed: int) -> NetworkState:
        vectors = {"sgd": 1, "adam": 2, "lbfgs": 0}[self.solver]
        shape = (0, 2, len(theta)) if self.solver == "lbfgs" else (vectors, len(theta))
        return NetworkState(
            iteration=0,
            objective=np.inf,
            settled=False,
            theta=theta,
            memory=np.zeros(shape, theta.dtype),
            gradient=np.empty(0),
            updates=0,
            visits=0,
            rate=float(self.learning_rate_init),
            curve=np.empty(0),
            scores=np.empty(0),
            best=np.inf,
            best_theta=theta,
            idle=0,
            seed=seed,
        )

    def earlier(self, rows: Rows) -> NetworkState:
        """The state in which the fit, or the last `partial_fit`, has left the learner."""
        network, dtype = self.architecture(rows.columns, self.outputs(rows)), self.coefs_[0].dtype
        if [W.shape for W in self.coefs_] != network.shapes:
            raise ValueError(f"The fit has layers of the shapes {[W.shape for W in self.coefs_]}, these rows {network.shapes}.")
        theta = network.packed(self.coefs_, self.intercepts_, dtype)
        return replace(
            self.state_at(theta, draw_seed(self.random_state)),
            iteration=self.t_epochs_,
            memory=self.memory_,
            updates=self.updates_,
            visits=self.t_,
            rate=self.rate_,
            curve=np.array(self.loss_curve_),
            best=self.best_loss_,
        )

    def went_on(self, rows: Rows, first: bool) -> Self:
        """One epoch over the given rows; the certificate claims no more than that."""
        if self.early_stopping:
            raise ValueError("partial_fit does not support early_stopping=True: it makes one epoch and sets no rows aside.")
        with single_blas(rows.work):
            before = self.begin(rows, draw_seed(self.random_state)) if first else self.earlier(rows)
            state = self.run_epoch(before, rows)
            if state is None:
                raise ValueError(f"{self.overflow()} The learner is as it was before. {self.remedy()}")
            known = {"objective": state.objective, "epochs": state.iteration}
            certificate = Certificate("the rows of the last call were visited once", True, known)
            found = {**self.attributes(state, rows), "n_iter_": 1, "certificate_": certificate}
            return self.settle({**rows.noted, **found})

    # ---- batches -----------------------------------------------------------------------------------------------------

    def run_epoch(self, state: NetworkState, rows: Rows) -> NetworkState | None:
        """The state after one more epoch; None where the loss runs away."""
        network, loss = self.architecture(rows.columns, self.outputs(rows)), self.loss_function(rows)
        theta, memory = state.theta.copy(), tuple(vector.copy() for vector in state.memory)
        step, size = self.optimizer(memory, network.n_weights), self.rows_of_a_batch(rows)
        gradients = Gradients(network, loss, size, theta.dtype, float(self.dropout))
        drop, mask = dropping(float(self.dropout), state.seed, state.iteration), mask_of(self.masks, network)
        met, visits, updates = 0.0, 0, state.updates
        with np.errstate(over="ignore", invalid="ignore"):
            for batch in batches(rows, size, loss, theta.dtype, state.seed, state.iteration, self.shuffle):
                weight = float(batch.weights.sum(dtype=np.float64))
                visits += len(batch)
                if weight > 0:
                    penalty = self.alpha / weight
                    squares = float(theta[: network.n_weights] @ theta[: network.n_weights])
                    lost, g = gradients.of(theta, batch, drop)
                    if mask is not None:
                        g *= mask
                    updates += 1
                    step(theta, g, updates, state.rate, penalty)
                    met += len(batch) * (lost / weight + 0.5 * penalty * squares)
        refuse_empty_sums(float(updates - state.updates), True, rows)
        if not (np.isfinite(met) and np.isfinite(theta).all()):
            return None
        keep_largest(theta, network.n_weights, self.max_nonzero)
        after = replace(state, theta=theta, memory=np.array(memory), updates=updates, visits=state.visits + visits)
        return self.judged(after, met / visits, rows, network)

    def rows_of_a_batch(self, rows: Rows) -> int:
        wanted = USUAL_BATCH if self.batch_size == "auto" else self.batch_size
        return int(wanted if rows.count is None else max(1, min(wanted, rows.count)))

    def optimizer(self, memory: tuple[Array, ...], n_weights: int) -> Step:
        if self.solver == "adam":
            return adam_optimizer(memory, n_weights, float(self.beta_1), float(self.beta_2), float(self.epsilon))
        return momentum_optimizer(memory, n_weights, float(self.momentum), bool(self.nesterovs_momentum))

    def judged(self, state: NetworkState, met: float, rows: Rows, network: Architecture) -> NetworkState:
        """The same state after it has been compared with the best one, with the rate of the next epoch."""
        scores = state.scores
        if isinstance(rows, TrainingRows):
            scores = np.append(scores, self.score_of(outputs_of(network, state.theta, rows.held), rows.held))
        now = -float(scores[-1]) if len(scores) else met
        idle = state.idle + 1 if now > state.best - self.tol else 0
        rate = state.rate
        if self.learning_rate == "invscaling" and self.solver == "sgd":
            rate = self.learning_rate_init / (state.visits + 1) ** self.power_t
        tired = idle > self.n_iter_no_change
        if tired and self.learning_rate == "adaptive" and self.solver == "sgd" and rate > SHORTEST:
            rate, idle, tired = rate / 5.0, 0, False
        better = now < state.best
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=met,
            settled=tired,
            curve=np.append(state.curve, met),
            scores=scores,
            best=min(now, state.best),
            best_theta=state.theta if better or not self.stops_early else state.best_theta,
            idle=idle,
            rate=rate,
        )

    # ---- all rows at once ----------------------------------------------------------------------------------------------

    def quasi_newton(self, state: NetworkState, rows: Rows) -> NetworkState | None:
        """The state after one more step of L-BFGS."""
        objective = partial(self.objective, rows)
        theta = state.theta.astype(np.float64)
        if state.iteration == 0:
            F, g, calls = *objective(theta), 1
        else:
            F, g, calls = state.objective, state.gradient, 0
        if not np.isfinite(F):
            return None
        new, F_new, g_new, pairs, trials = descent(objective, theta, F, g, state.memory.astype(np.float64))
        still = float(np.abs(g_new).max()) <= self.tol or F - F_new <= 1e7 * np.finfo(float).eps * max(abs(F), abs(F_new), 1.0)
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=F_new,
            settled=bool(still),
            theta=new,
            memory=pairs,
            gradient=g_new,
            updates=state.updates + calls + trials,
            curve=np.append(state.curve, F_new),
            best=F_new,
            best_theta=new,
        )

    def objective(self, rows: Rows, theta: Array) -> tuple[float, Array]:
        """(1) and its gradient."""
        network, loss = self.architecture(rows.columns, self.outputs(rows)), self.loss_function(rows)
        sums = rows.sum(LossSum.of, network, loss, theta)
        refuse_empty_sums(sums.weight, True, rows)
        W = network.n_weights
        g, weights = sums.gradient / sums.weight, theta[:W].astype(np.float64)
        g[:W] += self.alpha / sums.weight * weights
        if (mask := mask_of(self.masks, network)) is not None:
            g *= mask
        return sums.loss / sums.weight + 0.5 * self.alpha / sums.weight * float(weights @ weights), g

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: NetworkState, rows: Rows) -> dict[str, Any]:
        loss, outputs = self.loss_function(rows), self.outputs(rows)
        network = self.architecture(rows.columns, outputs)
        theta = state.best_theta.astype(precision(rows))
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
        }
        if self.solver != "lbfgs":
            found["loss_curve_"] = state.curve.tolist()
            found["best_loss_"] = None if self.early_stopping else state.best
            found["validation_scores_"] = state.scores.tolist() if self.early_stopping else None
            found["best_validation_score_"] = -state.best if self.early_stopping else None
        return found

    def row_attributes(self, state: NetworkState, rows: Rows) -> dict[str, Any]:
        return {"certificate_": self.certificate(state, rows)}

    def certificate(self, state: NetworkState, rows: Rows) -> Certificate:
        """That the gradient is right, and that the network is not worse than its outputs without columns."""
        rows = split_rows(rows, state.seed, float(self.validation_fraction)) if self.stops_early else rows
        network, loss = self.architecture(rows.columns, self.outputs(rows)), self.loss_function(rows)
        theta = state.best_theta.astype(precision(rows))
        F, g = self.objective(rows, theta)
        constant = self.best_constant(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            error = rows.first(gradient_error, network, loss, theta, state.seed)
        known = {"objective": F, "gradient_norm": float(np.abs(g).max()), "gradient_error": error, "constant": constant}
        holds = state.settled and error <= 1e-9 and constant * (1 + 1e-9) + 1e-12 >= F
        return Certificate(
            "the gradient is that of complex steps, and the objective is at most that of the means as outputs", holds, known
        )

    @abstractmethod
    def best_constant(self, rows: Rows) -> float:
        """The least objective of a network whose outputs do not depend on the columns."""

    def decisive(self) -> frozenset[str]:
        return frozenset()

    def reason(self, state: NetworkState) -> str:
        return "max_iter reached" if state.iteration >= self.max_iter else self.overflow()

    def overflow(self) -> str:
        """Why a fit ends whose loss is no number any more."""
        return _("the loss overflowed with learning_rate_init={rate:g}").format(rate=self.learning_rate_init)

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}), scale the columns, or lower learning_rate_init (it is {rate:g}).").format(
            rate=self.learning_rate_init, max_iter=self.max_iter
        )

    def most_states(self) -> int:
        return self.max_iter + 1

    def plot(self, ax: Any = None) -> Picture:
        """The layers with their weights as lines (LayersDisplay)."""
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
