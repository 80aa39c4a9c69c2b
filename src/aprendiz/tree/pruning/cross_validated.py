"""The price of a leaf, chosen by cross-validation.

The tree of all rows has a path with prices α_1 = 0 < α_2 < … (cost_complexity.py). For each of its subtrees, a price between
its own and the next one stands for it in the folds, where the prices are others:

    β_k = √(α_k·α_{k+1}),     β_last = ∞                                                                      (1)

In each fold a tree is grown on the other rows and pruned by every β_k, and the held-out rows are judged by all of these trees
in one descent (held_out.py). No row is held out twice; with its loss ℓ_i,

    e_k = Σ ω_i ℓ_i / Σ ω_i,     s_k = √( Σ ω_i² (ℓ_i − e_k)² ) / Σ ω_i                                        (2)

The rule "min" takes the largest β with the least e_k; "1se" the largest β with e_k at most one standard error above the least:
the curve is flat around its bottom, and the smaller tree is as good as can be told. Nothing but the rows given is looked at.

Cost: the growth of folds + 1 trees, and O(rows·depth).
Reference: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, sections 3.4.2 and 3.4.3.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import classes, numbers, weights
from aprendiz.core.threads import ordered_map
from aprendiz.summaries.folds import checked_splits
from aprendiz.tree.growth.grow_tree import weight_unit
from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.held_out import Loss, costs_of_answers, passing_sums, squared_errors
from aprendiz.tree.pruning.risk import decisions, equal_costs, impurity_risks, risks

Rule = Literal["1se", "min"]
Risk = Literal["cost", "impurity"]
SAME = 1e-12  # errors, as a share of the largest, that differ by rounding


@dataclass(frozen=True, eq=False)
class PruningErrors:
    """The cross-validated error of each subtree of a path, and the one that was chosen.

    Attributes
    ----------
    alphas, prices : ndarray of shape (stages,)
        α_k and β_k of (1).
    leaves : ndarray of shape (stages,)
        Leaves of the subtrees of the tree of all rows.
    errors, standard_errors : ndarray of shape (stages,)
        e_k and s_k of (2): mean cost of a row, or mean squared error.
    best, chosen : int
        The numbers of the subtree with the least error, and of the one that the rule takes.
    rule : "1se" or "min"
    """

    alphas: Array
    prices: Array
    leaves: Array
    errors: Array
    standard_errors: Array
    best: int
    chosen: int
    rule: Rule

    def __eq__(self, other: Any) -> bool:
        mine, theirs = vars(self), vars(other) if isinstance(other, PruningErrors) else {}
        return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]  # Python's way to say that there is no hash

    @property
    def alpha(self) -> float:
        """The price that was chosen: β_k, or for the root alone the α from which it is the best tree."""
        price = float(self.prices[self.chosen])
        return price if np.isfinite(price) else float(self.alphas[-1])

    @property
    def limit(self) -> float:
        """One standard error above the least error."""
        return float(self.errors[self.best] + self.standard_errors[self.best])

    def __str__(self) -> str:
        width = max(len("leaves"), len(str(self.leaves[0])))
        lines = [f"{'alpha':>10}  {'leaves':>{width}}  {'cv error':>10}  {'std error':>10}"]
        for k, alpha in enumerate(self.alphas):
            mark = f"  chosen ({self.rule})" if k == self.chosen else ""
            error = f"{self.errors[k]:10.4g}  {self.standard_errors[k]:10.4g}"
            lines.append(f"{alpha:10.4g}  {self.leaves[k]:{width}d}  {error}{mark}")
        return "\n".join(lines)


def chosen_alpha(
    learner: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    cv: Any = 10,
    rule: Rule = "1se",
    risk: Risk = "cost",
    random_state: Any = None,
) -> PruningErrors:
    """The errors of all subtrees, and the choice among them.

    `learner` grows without pruning: a fitted clone has `tree_`, `costs_`, `node_of(X)` and, for classes, `classes_`. `cv` is a
    number of folds (shuffled by `random_state`, stratified for classes), a splitter or a list of splits. The path prunes by the
    cost of errors or by the impurity; rows are judged by what they cost in either case.
    """
    refuse_unusable(X, rule, risk)
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    least = getattr(learner, "least_classes", 2)
    labels, target = classes(y, rows, least=least) if is_classifier(learner) else (None, numbers(y, rows))
    table = PruningData(learner, X, target, labels, weights(sample_weight, rows), risk)
    splits = folds(cv, target, labels is not None, random_state)
    whole = table.grow(np.arange(rows))
    path = table.path(whole)
    prices = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
    sums = np.sum(list(ordered_map(lambda split: table.held_out_sums(*split, whole, prices), splits)), axis=0)
    errors, spread = means_and_errors(sums)
    best, chosen = choice(errors, spread, rule)
    return PruningErrors(path.alphas, prices, path.leaves, errors, spread, best, chosen, rule)


def choice(errors: Array, spread: Array, rule: Rule) -> tuple[int, int]:
    """The number of the least error, and of the one that the rule takes; of equal errors the smaller tree."""
    same = SAME * float(errors.max())
    best = int(np.flatnonzero(errors <= errors.min() + same)[-1])
    if rule == "min":
        return best, best
    return best, int(np.flatnonzero(errors <= errors[best] + spread[best] + same)[-1])


# ---- one fold ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PruningData:
    """A learner and its rows: y holds numbers of the labels, or without labels targets."""

    learner: Any
    X: Any
    y: Array
    labels: Array | None
    weight: Array | None
    risk: Risk

    def grow(self, rows: Array) -> Any:
        """A clone of the learner, fitted to some of the rows."""
        X, y = _safe_indexing(self.X, rows), self.y[rows] if self.labels is None else self.labels[self.y[rows]]
        model = clone(self.learner)
        return model.fit(X, y) if self.weight is None else model.fit(X, y, sample_weight=self.weight[rows])

    def path(self, model: Any) -> CostComplexityPath:
        """The path of a fitted clone."""
        by_cost = self.risk == "cost" and self.labels is not None
        return CostComplexityPath.of(
            model.tree_, risks(model.tree_, costs_of(model)) if by_cost else impurity_risks(model.tree_)
        )

    def loss(self, model: Any, whole: Any, rows: Array) -> Loss:
        """What rows lose in the nodes of a model, at the costs of the model of all rows: a fold may lack a class."""
        if self.labels is None:
            return squared_errors(self.y[rows], model.tree_)
        answers = model.classes_[decisions(model.tree_, costs_of(model))]
        return costs_of_answers(self.y[rows], np.searchsorted(self.labels, answers), costs_of(whole))

    def held_out_sums(self, train: Array, test: Array, whole: Any, prices: Array) -> Array:
        """Σωℓ, Σω²ℓ, Σω²ℓ² over the held-out rows for each price, and Σω, Σω², the same for all: of shape (5, prices)."""
        model = self.grow(train)
        path, leaf = self.path(model), np.asarray(model.node_of(_safe_indexing(self.X, test)))
        loss = self.loss(model, whole, test)
        w = np.ones(len(test)) if self.weight is None else self.weight[test] * weight_unit(self.weight)
        amounts: list[Loss] = [
            lambda rows, node: w[rows] * loss(rows, node),
            lambda rows, node: w[rows] ** 2 * loss(rows, node),
            lambda rows, node: (w[rows] * loss(rows, node)) ** 2,
        ]
        at = path.number(prices)
        sums = [path.totals(passing_sums(model.tree_, leaf, amount))[at] for amount in amounts]
        return np.array([*sums, np.full(len(prices), w.sum()), np.full(len(prices), (w**2).sum())])


def costs_of(model: Any) -> Array:
    """The costs of a classifier; equal ones if it has none."""
    return equal_costs(len(model.classes_)) if model.costs_ is None else np.asarray(model.costs_)


def means_and_errors(sums: Array) -> tuple[Array, Array]:
    """e and s of (2)."""
    first, second, third, total, squares = sums
    if not (total > 0).all():
        raise ValueError("The held-out rows have no weight: give sample_weight above 0 to some of them.")
    mean = first / total
    return mean, np.sqrt(np.maximum(third - 2.0 * mean * second + mean**2 * squares, 0.0)) / total


# ---- folds -------------------------------------------------------------------------------------------------------------


def folds(cv: Any, y: Array, for_classes: bool, random_state: Any) -> Sequence[tuple[Array, Array]]:
    """Pairs of training and held-out rows."""
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        most = int(np.bincount(y).max()) if for_classes else len(y)
        if not 2 <= cv <= most:
            where = "in the largest class" if for_classes else "to divide"
            rows = f"n_samples={len(y)}, {most} {where}"
            raise ValueError(f"cv={cv} folds are not possible ({rows}): give at least 2 folds and at most {most}.")
        kind = StratifiedKFold if for_classes else KFold
        cv = kind(int(cv), shuffle=True, random_state=draw_seed(random_state))
    with warnings.catch_warnings():  # a small class need not be in every fold
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        pairs = list(check_cv(cv, y, classifier=for_classes).split(y, y))
    splits = checked_splits(pairs, len(y))
    refuse_rows_held_out_twice(splits, len(y))
    return splits


def refuse_rows_held_out_twice(splits: Sequence[tuple[Array, Array]], rows: int) -> None:
    times = np.bincount(np.concatenate([test for _, test in splits]), minlength=rows)
    if (times > 1).any():
        row = int(np.argmax(times > 1))
        raise ValueError(f"cv holds row {row} out {times[row]} times: (2) needs each row once, use KFold or StratifiedKFold.")
    for train, test in splits:
        if len(both := np.intersect1d(train, test)):
            raise ValueError(f"cv trains on row {both[0]} and holds it out in the same fold: use KFold or StratifiedKFold.")


def refuse_unusable(X: Any, rule: Any, risk: Any) -> None:
    for name, value, known in (("rule", rule, ("1se", "min")), ("risk", risk, ("cost", "impurity"))):
        if value not in known:
            raise ValueError(f"{name}={value!r} is not known: give {known[0]!r} or {known[1]!r}.")
    if is_read_in_blocks(X):
        raise TypeError(
            f"Cross-validated pruning needs the table in memory, got {type(X).__name__}: "
            "read it, or give ccp_alpha as a number."
        )
