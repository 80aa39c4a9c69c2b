"""Non-negative factors from batches of rows: the parts change after each batch, not after a reading of all rows.

    X ≈ W H,     W ≥ 0, H ≥ 0,     J as of NMF                                                                (1)

For each batch the best W of its rows is found, what it says of H is added to what earlier batches have said, which is slowly
forgotten, and H follows from the sums (nonnegative/stream.py). Weights of rows are not kept, so memory does not grow with them.
The fit ends when the running mean of the cost of a row,

    e ← (1 − α)·e + α·J_B/|B|,     α = min(1, |B|/(n + 1)),                                                   (2)

has found no new minimum for `max_no_improvement` batches (lower by α·10⁻³ of itself, and by α·tol of the first cost, at least),
or when no batch of an epoch has changed H by more than `tol` of its size.

Cost: that of a pass of NMF for each epoch. Memory: a batch, and (d + k)·k numbers.
Reference: Mairal, Bach, Ponce & Sapiro, "Online learning for matrix factorization and sparse coding", JMLR 11, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np

from aprendiz.cluster.centroids.random_batches import batches
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Count, Factor, Fraction, NonNegative, Seed, Whole
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.decomposition.nonnegative.divergences import Beta
from aprendiz.decomposition.nonnegative.parts import Parts
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.starts import start_of_columns
from aprendiz.decomposition.nonnegative.stream import Problem, Stream, total_cost
from aprendiz.decomposition.nonnegative.table_facts import TableFacts, stay_thin
from aprendiz.locale import _

WORTH = 1e-3  # the part of the running mean by which it must fall in an epoch to count as a new minimum
IN_BLOCKS = "rows that are not in memory are shuffled within blocks of a few thousand, a table in memory as a whole"
FOUND_ANEW = "no effect: the weights of the rows of a batch are always found anew"


class MiniBatchNMF(Parts):
    """Non-negative matrix factorisation from batches of rows (drop-in for scikit-learn's; also from files and streams).

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Number of parts k; the number of columns for "auto" and None, unless H is given.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"}, tuple (W, H) or None, default=None
        The start; None is "nndsvda", or "random" for more parts than rows or columns. "custom" takes W and H of `fit`.
    batch_size : int, default=1024
        Rows of a batch; the batches of an epoch are as equal in size as possible.
    beta_loss : {"frobenius", "kullback-leibler", "itakura-saito"} or float, default="frobenius"
        D by its name or by β (2, 1 and 0).
    tol : float, default=1e-4
        Stop when no batch of an epoch has changed H by more than this part of its size; 0 is never.
    max_no_improvement : int or None, default=10
        Stop when (2) has not improved for this many batches.
    max_iter : int, default=200
        Maximum number of epochs.
    alpha_W, alpha_H, l1_ratio : default=0.0, "same", 0.0
        Penalties, as of NMF.
    forget_factor : float, default=0.7
        What is left of the sums after an epoch (after a call of `partial_fit`).
    fresh_restarts
        No effect.
    fresh_restarts_max_iter : int, default=30
        Steps for the weights of the rows of a batch, where D is not the squared error.
    transform_max_iter : int, optional
        The same for new rows; `max_iter` by default.
    random_state : int, RandomState or None
        The seed of start and orders.
    verbose
        No effect.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        H.
    n_components_ : int
        k.
    reconstruction_err_ : float
        ‖X − WH‖, or √(2ΣD), for the rows of the fit.
    n_iter_, n_steps_ : int
        Epochs, the last of which may be incomplete, and batches.
    products_, curvature_, remembered_ : arrays and float
        What the batches have left; `partial_fit` continues from it.
    certificate_ : Certificate
        The mean cost of a row at the end, which is not above that of the start.

    Examples
    --------
    >>> X = [[1.0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 3, 1], [1, 1, 3, 1]]
    >>> model = MiniBatchNMF(2, random_state=0).fit(X)
    >>> print(model.transform(X).dot(model.components_).round(2)[3], model.certificate_.holds)
    [1. 1. 3. 1.] True
    """

    State = Stream
    differences = {
        "beta_loss": "another form: β between −100 and 100, since powers of cells must be numbers",
        "init": "another form: singular vectors from a few passes, filled in the units of the largest cell; also (W, H)",
        "batch_size": "another form: the rows are shuffled once, and cut into equal batches",
        "tol": "another form: no batch of a whole epoch has changed the parts by more",
        "max_no_improvement": "another form: falls of the running mean that are nothing but slow creeping do not count",
        "fresh_restarts": FOUND_ANEW,
        "n_iter_": "another form: epochs of our solver",
        "verbose": "no effect: use aprendiz.training(progress=True)",
    }
    exceptions = {
        "shift": "parts add up from 0",
        "scaling": "W and H share the units of the table",
        "row order": "batches are cut from an order of the row numbers: another order of the rows, other batches",
        "partial_fit": "one more batch, not a fit to all rows",
        "same answer": "where it ends depends on the batches, which scikit-learn draws otherwise",
        "monotone": "a batch that is far from its parts raises the running mean",
        "files": IN_BLOCKS,
        "dask": IN_BLOCKS,
    }

    def __init__(
        self,
        n_components: Count | Literal["auto"] | None = "auto",
        *,
        init: Literal["random", "nndsvd", "nndsvda", "nndsvdar", "custom"] | tuple[Any, ...] | None = None,
        batch_size: Count = 1024,
        beta_loss: Beta | Literal["frobenius", "kullback-leibler", "itakura-saito"] = "frobenius",
        tol: NonNegative = 1e-4,
        max_no_improvement: Count | None = 10,
        max_iter: Count = 200,
        alpha_W: Factor = 0.0,
        alpha_H: Factor | Literal["same"] = "same",
        l1_ratio: Fraction = 0.0,
        forget_factor: Fraction = 0.7,
        fresh_restarts: bool = False,
        fresh_restarts_max_iter: Count = 30,
        transform_max_iter: Count | None = None,
        random_state: Seed = None,
        verbose: Whole | bool = 0,
    ):
        self.n_components = n_components
        self.init = init
        self.batch_size = batch_size
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.max_iter = max_iter
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.forget_factor = forget_factor
        self.fresh_restarts = fresh_restarts
        self.fresh_restarts_max_iter = fresh_restarts_max_iter
        self.transform_max_iter = transform_max_iter
        self.random_state = random_state
        self.verbose = verbose

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Stream | None = None) -> Iterator[Stream]:
        facts = self.facts(rows)
        problem, state = self.problem(facts.columns), since
        if state is None:
            seed = draw_seed(self.random_state)
            state = Stream.first(self.first_parts(rows, facts, seed), seed, problem.divergence)
            yield state
        for epoch in range(state.epoch, self.max_iter):
            done = state.batch if epoch == state.epoch else 0
            for number, last, batch in batches(rows, self.batch_size, state.seed, 0):  # the same ones
                if state.settled:
                    return
                if number < done:
                    continue
                final = last and epoch + 1 == self.max_iter and not self.watches()
                state = self.visit(
                    replace(state, epoch=epoch, batch=number + 1), stay_thin(batch()), problem, facts.rows, final
                )
                yield state

    def first_parts(self, rows: Rows, facts: TableFacts, seed: int) -> Array:
        """V of state 0."""
        if self.starts_as_given():
            return self.given_factors(facts)[1]
        return start_of_columns(rows, facts, self.number_of_parts(facts), self.init, seed)

    def visit(self, state: Stream, batch: Rows, problem: Problem, count: int, final: bool) -> Stream:
        """(2) for one batch, and whether it is the last one."""
        sums = batch.sum(problem.of_block, state.V)
        share = min(1.0, sums.rows / (count + 1.0))
        new = problem.after(state, sums, float(self.forget_factor) ** (sums.rows / count))
        cost = sums.cost / sums.rows + problem.on_parts.on(state.V)
        running = cost if state.objective == np.inf else state.objective + share * (cost - state.objective)
        moved = float(np.linalg.norm(new.V - state.V))
        still = state.still + sums.rows if moved <= self.tol * float(np.linalg.norm(new.V)) else 0
        calm = self.tol > 0 and still >= count
        first = cost if state.iteration == 0 else state.first_cost
        worth = share * (WORTH * running + self.tol * first)
        idle = 0 if running < state.lowest - worth else state.idle + 1
        tired = self.max_no_improvement is not None and idle >= self.max_no_improvement
        return replace(
            new,
            objective=running,
            lowest=min(running, state.lowest),
            idle=idle,
            still=still,
            first_cost=first,
            settled=bool(calm or tired or final),
        )

    def watches(self) -> bool:
        """Is there a rule that ends the fit?"""
        return self.max_no_improvement is not None or self.tol > 0

    def problem(self, columns: int) -> Problem:
        """What each batch lowers, and how."""
        alpha_H, share = self.alpha_W if self.alpha_H == "same" else self.alpha_H, float(self.l1_ratio)
        penalties = Penalty.of(self.alpha_W, share, columns), Penalty.of(alpha_H, share, 1)
        return Problem(self.divergence, *penalties, float(self.tol), self.fresh_restarts_max_iter)

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: Stream, rows: Rows) -> dict[str, Any]:
        return {
            "components_": state.V.T.copy(),
            "n_components_": state.V.shape[1],
            "n_iter_": state.epoch + (state.batch > 0),
            "n_steps_": state.iteration,
            "products_": state.products.T.copy(),
            "curvature_": state.curvature.copy() if self.squared else state.curvature.T.copy(),
            "remembered_": state.remembered,
        }

    def row_attributes(self, state: Stream, rows: Rows) -> dict[str, Any]:
        facts = self.facts(rows)
        error = self.known_of(state.V, np.empty(0), rows)["reconstruction_err_"]
        return {"reconstruction_err_": error, "certificate_": self.not_above(rows, state.start, state.V, facts)}

    def not_above(self, rows: Rows, before: Array, after: Array, facts: TableFacts) -> Certificate:
        """That the mean cost of a row, with its best weights, is not above what it was with the parts before."""
        problem = self.problem(facts.columns)
        first, last = (total_cost(rows, problem, V, facts.rows) for V in (before, after))
        claim = "the mean cost of the rows is not above that of the start"
        return Certificate(claim, bool(last <= first * (1 + 1e-12)), {"objective": last, "before": first})

    def partial_fit(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Self:
        """Update the parts with one batch, all rows of X; the first call also finds a start from them (W and H for
        init="custom")."""
        first = not hasattr(self, "products_")
        rows = self.open(X, reset=first)
        with single_blas(rows.work):
            facts = self.facts(rows)
            problem = self.problem(facts.columns)
            if first:
                given, self.init = self.init, self.with_start(W, H)
                try:
                    seed = draw_seed(self.random_state)
                    state = Stream.first(self.first_parts(rows, facts, seed), seed, problem.divergence)
                finally:
                    self.init = given
            else:
                state = self.resume()
            sums = rows.sum(problem.of_block, state.V)
            new = replace(problem.after(state, sums, float(self.forget_factor)), batch=1)
            found = self.attributes(new, rows)
            return self.settle({**rows.noted, **found, "certificate_": self.not_above(rows, state.V, new.V, facts)})

    def resume(self) -> Stream:
        """The state in which the fit, or the last `partial_fit`, has left the learner."""
        V = np.array(self.components_.T, np.float64, order="C")
        curvature = np.array(self.curvature_ if self.squared else self.curvature_.T, order="C")
        state = Stream.first(V, draw_seed(self.random_state), self.divergence)
        known = {"products": np.array(self.products_.T, order="C"), "curvature": curvature, "remembered": self.remembered_}
        return replace(state, **known, iteration=self.n_steps_, epoch=self.n_iter_ - 1)

    def most_steps(self) -> int:
        return self.max_iter if self.transform_max_iter is None else self.transform_max_iter

    def decisive(self) -> frozenset[str]:
        return frozenset() if self.watches() else frozenset({"max_iter"})

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}) or tol.").format(max_iter=self.max_iter)
