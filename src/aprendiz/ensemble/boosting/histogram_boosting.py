"""Gradient boosting on histograms: descent in the space of functions.

The mean loss L of raw predictions f at the rows is a function of n numbers fᵢ. Its descent goes along functions of the
columns that are trees: with g and h the first and second derivative of each loss (losses.py),

    tree   T ≈ argmin Σᵢ gᵢ T(xᵢ) + ½ hᵢ T(xᵢ)²  (+ ½ l2 Σ_leaves T²)     grown greedily (growth.py, split_search.py)      (1)
    step   f ← f + η T,     η = learning_rate                                                                   (2)

For squared errors −g is the residual y − f, so a tree is fitted to what the trees before it left over. AdaBoost is the same
descent with the loss exp(−y f), by members that weigh rows instead of fitting numbers (members/boosting.py).

A state is the ensemble after so many iterations: more are more states, and an interrupted fit is a smaller model.

References: Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29, 2001; Ke et al.,
"LightGBM", NIPS 2017.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import get_scorer_names
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Kind
from aprendiz.core.certificate import Certificate
from aprendiz.core.class_weights import reweight
from aprendiz.core.columns import Columns
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed, hash_one
from aprendiz.core.rows import Array, Rows
from aprendiz.core.targets import plain
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.boosting.constraints import chosen_columns, sets_of, signs_of
from aprendiz.ensemble.boosting.fit_data import BoostingData, data_of
from aprendiz.ensemble.boosting.fixed_point import Units, units_of, write_words
from aprendiz.ensemble.boosting.growth import TreeGrower
from aprendiz.ensemble.boosting.held_out import given_rows, held_out_rows, should_stop, with_given_rows
from aprendiz.ensemble.boosting.losses import Loss, Slopes
from aprendiz.ensemble.boosting.records import Rules
from aprendiz.ensemble.boosting.scores import scorer_of
from aprendiz.ensemble.boosting.steps import add_steps, newton_steps, packed, renewed_steps, take_steps_by_codes
from aprendiz.ensemble.boosting.stored_boosting import BOOSTED
from aprendiz.ensemble.boosting.summed_trees import SummedTrees
from aprendiz.ensemble.forest.forest import ARRAYS, Forest, GrowingArray, GrowingForest, empty_forest
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, Meaning, WeightedTree
from aprendiz.tree.contributions.row_contributions import RowContributions, explain
from aprendiz.tree.growth import records
from aprendiz.tree.shared.decision_tree import gathered_if_few

MANY = 10_000  # rows from which early_stopping="auto" holds some out
LEAST_CURVATURE = 1e-3  # of a branch, in mean weights
SUPPORT = 10  # rows that a level needs to be told from others
WRITTEN = 2**16  # rows whose words are written together
UNLIMITED = 2**62
# what all of them say of themselves (core/learner.py)
DIFFERENCES = {
    "verbose": "no effect: aprendiz.training(progress=True) shows a bar",
    "validation_fraction": "another form: the rows held out are another draw; a class of a single row stays whole",
    "warm_start": "another form: rows of other classes or columns than those of the fit before are refused",
}
EXCEPTIONS = {
    "memory": "the codes of the rows, two bytes for each cell, stay in memory",
    "column order": "of equal gains the first column is taken, and small nodes have many",
    "same answer": "gradients are whole numbers here and of single precision there, which tells equal gains apart",
    "max_iter": "as many trees as were asked for, not a limit that should not be reached",
    "weights": "min_samples_leaf counts rows, whatever they weigh",
}


@dataclass(frozen=True, kw_only=True)
class BoostingState(State):
    """The ensemble after some iterations: the seed, the rows of the largest bin (0 where every value was a candidate
    threshold), the root mean square of the gradients that come next, the start, the arrays of the forest, the mean training
    loss after 0, 1, … iterations, and the scores by which the fit stops (empty where it does not)."""

    seed: int
    largest_bin: int
    slope: float
    baseline: Array
    start: Array
    nodes: Array
    level_start: Array
    level_branch: Array
    impurity: Array
    value: Array
    leaf_rows: Array
    leaf_weight: Array
    losses: Array
    train_score: Array
    validation_score: Array

    @property
    def forest(self) -> Forest:
        """The trees."""
        return Forest(**{name: getattr(self, name) for name in ARRAYS}, classes=0)


class HistogramBoosting(Iterative):
    """The base of histogram-based gradient boosting."""

    State: ClassVar[type[Any]] = BoostingState
    stored_check = BOOSTED
    allows = frozenset({"sparse", "missing", "categories"})
    frames = 4
    recursive_dependence: ClassVar[bool] = True
    loss: Any
    learning_rate: float
    max_iter: int
    max_leaf_nodes: int | None
    max_depth: int | None
    min_samples_leaf: int
    l2_regularization: float
    max_features: float
    max_bins: int
    categorical_features: Any
    monotonic_cst: Any
    interaction_cst: Any
    warm_start: bool
    early_stopping: Any
    scoring: Any
    validation_fraction: Any
    n_iter_no_change: int
    tol: float
    random_state: Any
    class_weight: Any = None
    quantile: float | None = None
    forest_: Forest
    baseline_: Array

    # ---- data ----------------------------------------------------------------------------------------------------------

    def declares_levels(self) -> bool:
        return self.categorical_features is not None and not isinstance(self.categorical_features, str)

    def schema(self, X: Any) -> Columns:
        if isinstance(self.categorical_features, str):
            return Columns.of(X)
        if self.categorical_features is None:
            return Columns.of(X, kinds={one.name: "numeric" for one in X.cells if one.are_numbers})
        names = [one.name for one in X.cells]
        chosen = set(chosen_columns(self.categorical_features, names, not all(isinstance(name, int) for name in names)))
        kinds: dict[Any, Kind] = {one.name: "numeric" for one in X.cells if one.are_numbers}
        return Columns.of(X, kinds=kinds | dict.fromkeys(chosen, "categorical"))

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        if isinstance(self.scoring, str) and self.scoring != "loss" and self.scoring not in get_scorer_names():
            raise ParameterError(f'scoring must be "loss", None, a function or the name of a scorer, got {self.scoring!r}.')
        return with_given_rows(self, super().open(X, y, sample_weight, reset=reset))

    @abstractmethod
    def loss_of(self, rows: Rows) -> Loss:
        """The loss, for the classes there are; targets outside of its domain are refused."""

    def prepared(self, rows: Rows, seed: int) -> BoostingData:
        """The rows to learn from, and those held out."""
        given, rows = getattr(rows, "held_out", 0), gathered_if_few(rows)
        classes = 0 if rows.labels is None else len(rows.labels)
        if self.class_weight is not None:
            rows = reweight(rows, self.class_weight)

        def choose(y: Array, there: Array | None) -> tuple[Array | None, Array | None]:
            if given:
                assert rows.count is not None
                last = np.arange(rows.count)[slice(None) if there is None else there] >= rows.count - given
                return np.flatnonzero(~last), np.flatnonzero(last)
            if not self.stops_early(len(y), given) or self.validation_fraction is None:
                return None, None
            return held_out_rows(len(y), self.validation_fraction, y if classes else None, seed)

        return data_of(rows, classes, self.max_bins, choose)

    def stops_early(self, count: int, given: int = 0) -> bool:
        """Does the fit stop when the scores do not rise?"""
        return bool(given or count > MANY) if self.early_stopping == "auto" else bool(self.early_stopping)

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Fit to X and y, with optional sample weights. X_val, y_val and sample_weight_val are rows to be held out, which tell
        when to stop. Returns the learner itself."""
        with given_rows(X_val, y_val, sample_weight_val):
            return super().fit(X, y, sample_weight)

    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        loss = self.loss_of(rows)
        done = 0 if since is None else since.iteration
        if since is not None and (done >= self.max_iter or (since.settled and self.has_stopped(since))):
            return
        run = BoostingRun(self, rows, loss, seed, since)
        if since is None:
            yield run.state(0)
        while run.iteration < self.max_iter and not run.stopped:
            run.advance()
            yield run.state(run.iteration)

    def has_stopped(self, state: Any) -> bool:
        """Would the fit have stopped at a state?"""
        scores = state.validation_score if len(state.validation_score) else state.train_score
        return should_stop(scores.tolist(), self.n_iter_no_change, self.tol)

    def most_states(self) -> int | None:
        return self.max_iter + 1

    def exhaust(self, rows: Rows, report: Callable[[Any, Any], bool]) -> tuple[Any, str]:
        """As always; that there are as many iterations as were asked for is no reason to warn."""
        state, why = super().exhaust(rows, report)
        return state, "converged" if why == self.reason(state) else why

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        columns = rows.noted.get("columns_")
        levels = None if columns is None else np.array([is_level(column) for column in columns])
        losses = state.losses
        rise = float(np.diff(losses).max(initial=0.0))
        small = 1e-12 * max(1.0, float(np.abs(losses).max()))
        known: dict[str, Any] = {
            "objective": float(losses[-1]),
            "first": float(losses[0]),
            "rise": rise,
            "iterations": int(state.iteration),
            "search": "binned" if state.largest_bin else "exact",
        }
        if state.largest_bin:
            known["largest_bin"] = int(state.largest_bin)
        count = rows.count if rows.count is not None else rows.sum(len)
        return {
            "forest_": state.forest,
            "baseline_": state.baseline,
            "losses_": losses,
            "train_score_": state.train_score,
            "validation_score_": state.validation_score,
            "do_early_stopping_": self.stops_early(count, getattr(rows, "held_out", 0)),
            "is_categorical_": levels if levels is not None and levels.any() else None,
            "n_trees_per_iteration_": len(state.baseline),
            "search_": known["search"],
            "certificate_": Certificate("no iteration raised the training loss", rise <= small, known),
        }

    def row_attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        return {"_state": state if self.warm_start else None}

    def earlier_state(self, rows: Rows) -> Any:
        """The state of the fit before, to which `warm_start` adds trees."""
        since = self.__dict__.get("_state")
        if not self.warm_start or since is None:
            return None
        if self.max_iter < since.iteration:
            raise ParameterError(
                f"max_iter={self.max_iter} must be larger than or equal to n_iter_={since.iteration} when warm_start==True: "
                "raise it, or set warm_start=False."
            )
        labels = getattr(self, "classes_", None)
        same = labels is None or (rows.labels is not None and np.array_equal(labels, rows.labels))
        if rows.columns != self.n_features_in_ or not same:
            raise ParameterError(
                "warm_start=True adds trees to those of the fit before, to other columns or classes: give rows like those, or "
                "set it to False."
            )
        return replace(since, settled=False)  # whoever fits again wants more trees, even if the scores had stopped to rise

    # ---- predictions ---------------------------------------------------------------------------------------------------

    @property
    def n_iter_(self) -> int:
        """Number of iterations."""
        check_is_fitted(self)
        return len(self.forest_) // len(self.baseline_)

    def raw_predictions(self, X: Any) -> Array:
        """f of each row: of shape (rows, K)."""
        rows = self.new_rows(X)
        return rows.each(SummedTrees(self.forest_, self.baseline_).raw)

    def staged_raw_predictions(self, X: Any) -> Iterator[Array]:
        """f after the first iteration, the first two, …"""
        rows = self.new_rows(X)
        return SummedTrees(self.forest_, self.baseline_).staged(rows)

    def additive_trees(self) -> AdditiveTrees:
        """f as a sum of trees, for the contributions of columns."""
        check_is_fitted(self)
        k, labels = len(self.baseline_), tuple(map(plain, getattr(self, "classes_", ())))

        def made(number: int) -> WeightedTree:
            tree = self.forest_.tree(number)
            return WeightedTree(tree, tree.value.reshape(tree.node_count, 1), number % k)

        meaning: Meaning = "number" if self.loss in ("squared_error", "absolute_error", "quantile") else "score"
        return AdditiveTrees(len(self.forest_), made, self.baseline_, meaning, labels[-1:] if k == 1 else labels)

    def additive_response(self, X: Any) -> Array:
        """f of each row."""
        return self.raw_predictions(X)

    def explain(self, row: Any) -> RowContributions:
        """What each column adds to f for one row, in words and as a picture.

        Parameters
        ----------
        row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        """
        return explain(self, row)

    @property
    def fitted_loss(self) -> Loss:
        """The loss of the fit."""
        return Loss.of(self.loss, len(getattr(self, "classes_", ())), self.quantile)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def is_level(column: Any) -> bool:
    """Does a column hold categories? Zeros and ones are as good as numbers."""
    return column.kind != "numeric" and column.levels != (0, 1)


class BoostingRun:
    """A fit under way: raw predictions and slopes of all rows, and the trees so far."""

    def __init__(self, learner: HistogramBoosting, rows: Rows, loss: Loss, seed: int, since: Any):
        self.learner, self.rows, self.loss, self.seed = learner, rows, loss, seed
        self.data = learner.prepared(rows, seed)
        self.iteration = 0 if since is None else since.iteration
        train, layout = self.data.train, self.data.codes.coded.layout
        self.baseline = loss.start(train.y, train.weight) if since is None else since.baseline
        trees = (learner.max_iter - self.iteration) * loss.outputs
        self.signs = signs_of(learner.monotonic_cst, rows.names, layout, self.data.classes)
        self.members = sets_of(learner.interaction_cst, rows.columns)
        self.grower: TreeGrower | None = None
        bare = empty_forest(rows.columns, 0, 1, bool(layout[records.UNORDERED].any()))
        self.growing = GrowingForest(bare if since is None else since.forest, max(trees, 1))
        self.raw, self.held_out_raw = self.first_raw(since)
        self.slopes: Slopes = loss.slopes(train.y, train.weight, self.raw)
        self.losses = GrowingArray(np.zeros(0) if since is None else since.losses, max(trees, 1))
        if since is None:
            self.losses.add(np.array([self.slopes.loss]))
        self.scores: tuple[list[float], list[float]] = ([], [])
        if since is not None:
            self.scores = since.train_score.tolist(), since.validation_score.tolist()
        stops = learner.stops_early(len(self.data.y), getattr(rows, "held_out", 0))
        self.scorer = scorer_of(learner, self.data, loss, self.rows, seed) if stops else None
        self.stopped = False
        if since is None:
            self.judge()

    def first_raw(self, since: Any) -> tuple[Array, Array | None]:
        """The raw predictions of the rows to learn from, and of those held out, where the fit begins."""
        train, others = self.data.train, self.data.held_out
        if since is None:
            held_out = None if others is None else np.repeat(self.baseline[:, None], len(others.y), axis=1)
            return np.repeat(self.baseline[:, None], len(train.y), axis=1), held_out
        raw = self.data.source.each(SummedTrees(since.forest, since.baseline).raw)
        raw = np.ascontiguousarray((raw if self.data.there is None else raw[self.data.there]).T)
        if others is None:
            return raw, None
        return np.ascontiguousarray(raw[:, train.rows]), np.ascontiguousarray(raw[:, others.rows])

    def advance(self) -> None:
        """(1) and (2): a tree for each raw prediction."""
        learner, data, loss = self.learner, self.data, self.loss
        if self.grower is None:
            self.grower = data.grower(learner, self.signs, self.members)
        train, used = data.train, data.codes.used
        for k in range(loss.outputs):
            units = self.units(k)
            words = self.words(k, units)
            key = hash_one(self.seed, 2, self.iteration * loss.outputs + k)
            grown = self.grower.grow(words, self.rules(units), key)
            if loss.renews:
                signs = None if self.signs is None else self.signs[used]
                steps = renewed_steps(grown, loss, train.y - self.raw[k], train.weight, signs)
            else:
                steps = newton_steps(grown, units)
            steps = learner.learning_rate * steps
            self.growing.add(packed(grown, steps, units, train.weight, data.codes.coded, used, self.rows.columns))
            add_steps(grown, steps, self.raw[k])
            if self.held_out_raw is not None:
                table = data.held_out_table
                numbers = np.arange(table.columns.shape[1])
                take_steps_by_codes(table, grown.whole, grown.sides, steps, numbers, self.held_out_raw[k])
        self.slopes = loss.slopes(train.y, train.weight, self.raw)
        self.losses.add(np.array([self.slopes.loss]))
        self.iteration += 1
        self.judge()

    def units(self, k: int) -> Units:
        """How the sums of class k are written."""
        (g, h), (mean_g, mean_h) = self.slopes.largest[:, k], self.slopes.mean[:, k]
        return units_of(len(self.data.train.y), g, mean_g, h, mean_h, self.slopes.curvature is None)

    def words(self, k: int, units: Units) -> Array:
        """Gradients and curvatures of class k as whole numbers."""
        n, slopes = len(self.data.train.y), self.slopes
        words = np.empty((n, units.words), np.int64)
        curvature = None if slopes.curvature is None else slopes.curvature[k]

        def write(first: int) -> None:
            last = min(first + WRITTEN, n)
            write_words(slopes.gradient[k], curvature, first, last, units.gradient, units.curvature, units.shift, words)

        for _ in ordered_map(write, range(0, n, WRITTEN)):
            pass
        return words

    def rules(self, units: Units) -> Rules:
        """How the nodes are divided."""
        learner, train = self.learner, self.data.train
        case = 1.0 if train.weight is None else float(train.weight.mean())
        return Rules(
            words=units.words,
            shift=units.shift,
            constant=units.constant,
            l2=float(learner.l2_regularization) * self.data.unit * units.curvature,
            min_curvature=LEAST_CURVATURE * case * units.curvature,
            min_rows=int(learner.min_samples_leaf),
            min_support=SUPPORT,
            max_leaves=-1 if learner.max_leaf_nodes is None else int(learner.max_leaf_nodes),
            max_depth=UNLIMITED if learner.max_depth is None else int(learner.max_depth),
            share=float(learner.max_features),
        )

    def judge(self) -> None:
        """The scores after an iteration, and whether the fit stops."""
        if self.scorer is None:
            return
        train, others = self.scorer.scores(self.raw, self.held_out_raw, self.slopes.loss)
        self.scores[0].append(train)
        if others is not None:
            self.scores[1].append(others)
        learner = self.learner
        self.stopped = should_stop(self.scores[1] or self.scores[0], learner.n_iter_no_change, learner.tol)

    def state(self, iteration: int) -> Any:
        """The state after an iteration."""
        size = float(np.sqrt(np.mean(self.slopes.gradient**2)))
        return self.learner.State(
            iteration,
            self.slopes.loss,
            self.stopped or iteration == self.learner.max_iter,
            seed=self.seed,
            largest_bin=self.data.codes.coded.largest_bin,
            slope=size,
            baseline=self.baseline,
            losses=self.losses.view,
            train_score=np.array(self.scores[0]),
            validation_score=np.array(self.scores[1]),
            **self.growing.forest.arrays,
        )
