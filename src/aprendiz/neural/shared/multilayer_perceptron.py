"""How networks are trained: from a state to the next one.

    F(θ) = 1/Σω·(Σ ω loss(o(x), y) + α/2·Σ_l ‖W_l‖²)                                                          (1)

    sgd, adam     an epoch of batches (training/batches.py), each followed by a step (training/optimizers.py)
    lbfgs         F and its gradient are sums over all rows (files, Dask), one state for each step (training/quasi_newton.py)

Cost of an epoch: 6·n·Σ k_{l−1}k_l multiplications and additions. Memory: θ, the optimizer's vectors and two batches.
Reference: Rumelhart, Hinton & Williams, "Learning representations by back-propagating errors", Nature 323, 1986.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal, Self

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.visits import Reach
from aprendiz.linear.shared.early_stopping import TrainingRows, split_rows
from aprendiz.linear.shared.epochs import STEPWISE, precision
from aprendiz.locale import _
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.dropout import dropping
from aprendiz.neural.network.layer_values import keep_largest, mask_of
from aprendiz.neural.shared.network_learner import FAR_ABOVE, NetworkLearner, outputs_of
from aprendiz.neural.shared.network_state import NetworkState
from aprendiz.neural.training.batches import Gradients, batches
from aprendiz.neural.training.optimizers import Step, adam_optimizer, momentum_optimizer
from aprendiz.neural.training.quasi_newton import descent

ProperFraction = Annotated[float, Within(0, 1 - 2**-20)]  # below 1
Activation = Literal["identity", "logistic", "sigmoid", "tanh", "relu", "softplus", "cos", "cosine", "step"]
Schedule = Literal["constant", "invscaling", "adaptive", "decreasing"]
DIFFERENCES = {
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "learning_rate": "another form: 'decreasing' beside scikit-learn's",
    "early_stopping": "another form: the rows set aside are drawn for each row, so that more rows do not change the draw",
    "random_state": "another form: other first weights and another order of the rows",
    "loss_": "another form: squares of several outputs are added, as in the gradient; float64 for float32 data too",
    "loss_curve_": "another form: as loss_, float64 for float32 data too",
    "best_loss_": "another form: as loss_, float64 for float32 data too",
    "validation_scores_": "another form: without those of epochs whose loss is no number: training ends before them",
}
EXCEPTIONS = {
    **{law: why for law, why in STEPWISE.items() if not law.startswith("check_")},
    "column order": "first weights are drawn for the place of a column",
    "relabelling": "first weights are drawn for the place of a class",
}
USUAL_BATCH = 200
HALF_LIFE = 1000  # steps after which a decreasing rate is half as large
SHORTEST = 1e-6  # an adaptive rate is not made smaller than this


def goes_by_epochs(learner: NetworkLearner) -> bool:
    """Is there a `partial_fit`?"""
    if learner.solver == "lbfgs":
        raise AttributeError("partial_fit is only available for stochastic optimizers: solver='lbfgs' is not one.")
    return True


class MultilayerPerceptron(NetworkLearner):
    """Layers that are trained by batches, or by L-BFGS on all rows."""

    # ---- states ------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: NetworkState | None = None) -> Iterator[NetworkState]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        rows = split_rows(rows, seed, float(self.validation_fraction)) if self.stops_early else rows
        self.warn_of_batches(rows)
        reach = rows.sum(Reach.of)
        refuse_empty_sums(reach.weight, bool(np.isfinite(reach.square)), rows)
        state = since
        if state is None:
            state = self.begin(rows, seed)
            yield state
        following = self.quasi_newton if self.solver == "lbfgs" else self.run_epoch
        while not (state.settled or state.iteration >= self.max_iter or self.evaluated_enough(state)):
            found = following(state, rows)
            if found is None:
                if state.iteration:
                    yield self.last_good(state, rows)
                return
            state = found
            yield state
        if (good := self.before_it_ran_away(state, rows)) is not None:
            yield good

    def before_it_ran_away(self, state: NetworkState, rows: Rows) -> NetworkState | None:
        """The last good state, if the loss has ended far above its own, and above that of constant outputs."""
        if self.solver == "lbfgs" or self.stops_early or not len(state.curve):
            return None
        if state.curve[-1] <= FAR_ABOVE * self.best_constant(rows) + self.tol:
            return None
        good, objective = self.last_good(state, rows), self.objective(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            return replace(good, settled=False) if objective(state.theta)[0] > FAR_ABOVE * objective(good.theta)[0] else None

    def last_good(self, state: NetworkState, rows: Rows) -> NetworkState:
        """The state at an overflow, to which the last epochs were on the way: with the best weights, or the first ones where
        these have a lower loss."""
        objective = self.objective(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            losses = [(objective(theta)[0], theta) for theta in (state.best_theta, self.begin(rows, state.seed).theta)]
        theta = min(losses, key=lambda one: one[0] if np.isfinite(one[0]) else np.inf)[1]
        return replace(state, theta=theta, best_theta=theta)

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
        """The state in which the fit, or the last `partial_fit`, has left the learner; of another solver only its weights."""
        network, dtype = self.architecture(rows.columns, self.outputs(rows)), self.coefs_[0].dtype
        if [W.shape for W in self.coefs_] != network.shapes:
            raise ValueError(f"The fit has layers of the shapes {[W.shape for W in self.coefs_]}, these rows {network.shapes}.")
        theta = network.packed(self.coefs_, self.intercepts_, dtype)
        begun = self.state_at(theta, draw_seed(self.random_state))
        if self.memory_.shape != begun.memory.shape:  # another solver's
            return begun
        best = getattr(self, "best_loss_", None)  # not of a fit that watched a score
        return replace(
            begun,
            iteration=self.t_epochs_,
            memory=self.memory_,
            updates=self.updates_,
            visits=self.t_,
            rate=self.rate_,
            curve=np.array(self.loss_curve_),
            best=np.inf if best is None else best,
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
                visits += len(batch)
                if batch.weight > 0:
                    penalty = self.alpha / batch.weight
                    squares = float(theta[: network.n_weights] @ theta[: network.n_weights])
                    lost, g = gradients.of(theta, batch, drop)
                    if mask is not None:
                        g *= mask
                    rate = self.rate_of_step(state.rate, updates)
                    updates += 1
                    step(theta, g, updates, rate, penalty)
                    met += len(batch) * (lost / batch.weight + 0.5 * penalty * squares)
        refuse_empty_sums(float(updates - state.updates), True, rows)
        if not (np.isfinite(met) and np.isfinite(theta).all()):
            return None
        keep_largest(theta, network.n_weights, self.max_nonzero)
        after = replace(state, theta=theta, memory=np.array(memory), updates=updates, visits=state.visits + visits)
        return self.judged(after, state.theta, met / visits, rows, network)

    def rate_of_step(self, rate: float, steps: int) -> float:
        """η after so many steps, from that of the epoch."""
        decreasing = self.learning_rate == "decreasing" and self.solver == "sgd"
        return rate * HALF_LIFE / (HALF_LIFE + steps) if decreasing else rate

    def rows_of_a_batch(self, rows: Rows) -> int:
        wanted = USUAL_BATCH if self.batch_size == "auto" else self.batch_size
        return int(wanted if rows.count is None else max(1, min(wanted, rows.count)))

    def warn_of_batches(self, rows: Rows) -> None:
        """Say so where a batch is to hold more rows than there are."""
        if self.solver != "lbfgs" and self.batch_size != "auto" and rows.count is not None and self.batch_size > rows.count:
            said = _("batch_size={size} is more than the {count} rows there are: every epoch is one batch of all rows.")
            warnings.warn(said.format(size=self.batch_size, count=rows.count), UserWarning, stacklevel=self.frames + 3)

    def optimizer(self, memory: tuple[Array, ...], n_weights: int) -> Step:
        if self.solver == "adam":
            return adam_optimizer(memory, n_weights, float(self.beta_1), float(self.beta_2), float(self.epsilon))
        return momentum_optimizer(memory, n_weights, float(self.momentum), bool(self.nesterovs_momentum))

    def judged(self, state: NetworkState, before: Array, met: float, rows: Rows, network: Architecture) -> NetworkState:
        """The same state after it has been compared with the best one, with the rate of the next epoch. `before`: θ from which
        the epoch began, which is known to be as good as what was met."""
        scores = state.scores
        if isinstance(rows, TrainingRows):
            with np.errstate(over="ignore", invalid="ignore"):
                score = self.score_of(outputs_of(network, state.theta, rows.held), rows.held)
            scores = np.append(scores, -np.inf if np.isnan(score) else score)
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
            best_theta=(state.theta if self.stops_early else before) if better else state.best_theta,
            idle=idle,
            rate=rate,
        )

    # ---- all rows at once ----------------------------------------------------------------------------------------------

    def quasi_newton(self, state: NetworkState, rows: Rows) -> NetworkState | None:
        """The state after one more step of L-BFGS."""
        objective = self.objective(rows)
        theta = state.theta.astype(np.float64)
        if state.iteration == 0:
            (F, g), calls = objective(theta), 1
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

    # ---- words -----------------------------------------------------------------------------------------------------------

    def decisive(self) -> frozenset[str]:
        return frozenset()

    def reason(self, state: NetworkState) -> str:
        ended = state.iteration >= self.max_iter or state.idle > self.n_iter_no_change
        if ended and self.went_back(state):
            said = _("the loss ran away to {loss:.3g} with learning_rate_init={rate:g}")
            return said.format(loss=state.curve[-1], rate=self.learning_rate_init)
        if state.iteration >= self.max_iter:
            return "max_iter reached"
        return "max_fun reached" if self.evaluated_enough(state) else self.overflow()

    def went_back(self, state: NetworkState) -> bool:
        """Is this a last good state, to which the fit went back?"""
        by_batches = self.solver != "lbfgs" and not self.stops_early
        return by_batches and state.iteration > 0 and np.array_equal(state.theta, state.best_theta)

    def evaluated_enough(self, state: NetworkState) -> bool:
        """Has L-BFGS evaluated the loss as often as it may?"""
        return self.solver == "lbfgs" and state.updates >= self.max_fun

    def overflow(self) -> str:
        """Why a fit ends whose loss is no number any more."""
        if self.solver == "lbfgs":
            return _("the loss overflowed")
        return _("the loss overflowed with learning_rate_init={rate:g}").format(rate=self.learning_rate_init)

    def remedy(self) -> str:
        if self.solver == "lbfgs":
            said = _(
                "Scale the columns, or raise max_iter (it is {max_iter}) or max_fun (it is {max_fun}) if the loss was still "
                "falling."
            )
            return said.format(max_iter=self.max_iter, max_fun=self.max_fun)
        said = _(
            "Scale the columns, lower learning_rate_init (it is {rate:g}), or raise max_iter (it is {max_iter}) if the loss "
            "was still falling."
        )
        return said.format(rate=self.learning_rate_init, max_iter=self.max_iter)

    def most_states(self) -> int:
        return self.max_iter + 2  # the first one, and a last good one
