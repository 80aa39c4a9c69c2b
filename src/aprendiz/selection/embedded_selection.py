"""Embedded selection: the columns that a learner itself chooses while it is fitted.

    keep the columns that the learner uses, or the best by the scores it gives                                (1)

The lasso and the logistic lasso, shrunken centroids, trees and forests have scores of their own; any other learner with
coefficients or importances has these (importances/embedded_scores.py). Columns that matter only together can be
found, for the price of a fit; the choice is that of this learner.

References: Tibshirani, JRSS B 58, 1996; Tibshirani, Hastie, Narasimhan & Chu, PNAS 99, 2002; Breiman, Machine Learning 45,
2001.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import get_tags

from aprendiz.core.blas import single_blas
from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import is_read_in_blocks, open_rows
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import Count, ParameterError, Seed, check_parameters
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import as_target
from aprendiz.selection.importances.embedded_scores import ALLOWED, METHODS, EmbeddedScores, Embedding, by_learner
from aprendiz.selection.information.column_codes import is_quantity
from aprendiz.selection.keeping.evidence import clear_cut
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.search.wrapper import refuse_no_estimator
from aprendiz.selection.shared.selector import IN_MEMORY, Selector, refuse_nothing
from aprendiz.selection.shared.target_of_task import Task, refuse_constant
from aprendiz.summaries.folds import refuse_cv


class AllowedByMethod:
    """What X may hold: what the method or the learner takes, of an instance; nothing special, of a class."""

    def __get__(self, selector: Any, owner: type) -> frozenset[str]:
        if selector is None:
            return frozenset()
        estimator = selector.estimator
        if isinstance(estimator, str):
            return ALLOWED.get(estimator, frozenset())
        if isinstance(estimator, Learner):
            return frozenset(estimator.allows)
        tags = get_tags(estimator).input_tags
        return frozenset(name for name, there in (("sparse", tags.sparse), ("missing", tags.allow_nan)) if there)


class EmbeddedSelection(MetaEstimatorMixin, Selector):
    """Keep the columns that a learner chooses.

    Parameters
    ----------
    estimator : {"lasso", "shrunken_centroids", "tree", "forest"} or learner, default="lasso"
        "lasso": the path of the lasso, of classes that of logistic regression with absolute penalties, on columns of equal mean
        square. "shrunken_centroids": the threshold up to which a class differs in a column. "tree": the decrease of the
        impurity. "forest": what out-of-bag rows lose when a column is permuted. Or a learner with `coef_` or
        `feature_importances_`.
    keep : "auto", int, fraction or ("threshold", number), default="auto"
        "auto": the columns that the learner uses; penalties and thresholds are chosen on inner folds. Or how many columns,
        which share of them, or those whose score is at least a number.
    cv : int, splitter or list of splits, default=5
        The inner folds of "auto".
    n_estimators : int, default=300
        Trees of "forest".
    importance_getter : str or function, default="auto"
        Of a learner: "auto", an attribute, a function of the fitted learner, or "oob_permutation" of a forest.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is one of classes or a quantity, as in `VariableRanking`.
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; equal columns share a place.
    order_ : ndarray
        The kept columns, the best first; of equal ones the first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    estimator_ : the fitted learner, None for the path of the lasso alone
    classes_ : ndarray or None
    certificate_ : Certificate
        How clear the choice is: the last score that is kept and the next one.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> EmbeddedSelection("lasso", keep=2).fit(X, y).order_
    array([2, 3])
    """

    allows = AllowedByMethod()
    least_classes = 2
    several_targets = False
    exceptions = {
        **Selector.exceptions,
        "files": IN_MEMORY,
        "dask": IN_MEMORY,
        "row order": "the inner folds are counted by row number",
    }

    def __init__(
        self,
        estimator: Any = "lasso",
        *,
        keep: Any = "auto",
        cv: Any = 5,
        n_estimators: Count = 300,
        importance_getter: str | Callable[..., Any] = "auto",
        task: Task = "auto",
        random_state: Seed = 0,
    ):
        self.estimator = estimator
        self.keep = keep
        self.cv = cv
        self.n_estimators = n_estimators
        self.importance_getter = importance_getter
        self.task = task
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the learner, and keep what it chooses. Returns the selector itself."""
        check_parameters(self)
        self.refuse_estimator()
        refuse_cv(type(self).__name__, self.cv)
        rule, number = rule_of(self.keep)
        rows = self.opened(X, y, sample_weight)
        if rule == "count" and number > rows.columns:
            raise ParameterError(f"keep={int(number)}, but X has {rows.columns} columns: keep at most so many.")
        seed = draw_seed(self.random_state)
        target = None if y is None else as_target(y).ravel() if isinstance(self.estimator, str) else as_target(y)
        task = Embedding(rows, X, target, self.cv, seed, self.n_estimators, rule == "auto")
        with single_blas(rows.work):
            found = self.scored(task)
        empty = empty_columns(rows)
        if rule == "count" and number > (~empty).sum():
            raise ValueError(
                f"keep={int(number)}, but only {(~empty).sum()} of the {rows.columns} columns have a cell that is not missing: "
                "keep at most so many."
            )
        scores = np.where(empty, np.nan, found.scores)
        return self.settle({**rows.noted, **self.chosen(found, scores, rule, number), "classes_": rows.labels})

    def refuse_estimator(self) -> None:
        """Neither the name of a method nor a learner."""
        if isinstance(self.estimator, str):
            if self.estimator not in METHODS:
                raise ParameterError(f"estimator must be one of {', '.join(METHODS)}, or a learner, got {self.estimator!r}.")
        else:
            refuse_no_estimator(self.estimator)

    def opened(self, X: Any, y: Any, sample_weight: Any) -> ArrayRows:
        """Checked rows with the target of the task."""
        if is_read_in_blocks(X):
            raise TypeError(f"{type(self).__name__} needs the rows in memory: read them first, as an array or a frame.")
        task = self.task
        if task == "auto":
            task = "regression" if is_quantity(y) else "classification"
        several = y is not None and as_target(y).ndim == 2 and as_target(y).shape[1] > 1
        of_learner = not isinstance(self.estimator, str) and (y is None or several)
        kind = "none" if of_learner else "numbers" if task == "regression" else "classes"
        rows = open_rows(self, X, y, sample_weight, target=kind).compact()  # type: ignore[arg-type]
        assert isinstance(rows, ArrayRows)
        if rows.y is not None:
            rows = rows if rows.y.ndim == 1 else rows.like(y=rows.y.ravel())
            refuse_constant(rows.y, rows.labels)  # type: ignore[arg-type]
        return rows

    def scored(self, task: Embedding) -> EmbeddedScores:
        """The scores of the method or of the learner."""
        if isinstance(self.estimator, str):
            return METHODS[self.estimator](task)
        return by_learner(task, self.estimator, self.importance_getter)

    def chosen(self, found: EmbeddedScores, scores: Array, rule: str, number: float) -> dict[str, Any]:
        """The fitted attributes."""
        order = best_first(scores)
        support = np.zeros(len(scores), bool)
        if rule == "auto":
            assert found.used is not None
            support = np.asarray(found.used).copy()
            refuse_nothing(support, f"{found.why}. Keep a number of columns instead.")
        elif rule == "threshold":
            support = scores >= number
            refuse_nothing(
                support, f"no score is at least {number:.6g}, the largest is {np.nanmax(scores):.6g}. Lower the threshold."
            )
        else:
            support[order[: int(number) if rule == "count" else max(1, round(number * len(scores)))]] = True

        return {
            "scores_": scores,
            "ranking_": ranks(scores, order=order),
            "order_": order[support[order]],
            "support_": support,
            "estimator_": found.model,
            "certificate_": clear_cut(scores, None, support),
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse, tags.input_tags.allow_nan = "sparse" in self.allows, "missing" in self.allows
        return tags


def empty_columns(rows: ArrayRows) -> Array:
    """Which columns have no cell, of which a learner that takes missing cells says 0."""
    X: Any = rows.X
    if isinstance(X, Mixed):
        return np.asarray(X.missing.all(axis=0))
    if sparse.issparse(X) or X.dtype.kind != "f":
        return np.zeros(rows.columns, bool)
    return np.asarray(np.isnan(X).all(axis=0))


def rule_of(keep: Any) -> tuple[str, float]:
    """What `keep` asks for: the rule and its number."""
    if isinstance(keep, str) and keep == "auto":
        return "auto", 0.0
    if isinstance(keep, (tuple, list)) and len(keep) == 2 and keep[0] == "threshold" and is_number(keep[1]):
        return "threshold", float(keep[1])
    if isinstance(keep, (int, np.integer)) and not isinstance(keep, bool) and keep >= 1:
        return "count", float(keep)
    if is_number(keep) and not isinstance(keep, (int, np.integer)) and 0 < keep <= 1:
        return "fraction", float(keep)
    raise ParameterError(
        "keep of EmbeddedSelection must be 'auto', a whole number of at least 1, a fraction above 0 and at most 1, or "
        f"('threshold', number), got {keep!r}."
    )


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) and bool(value == value)
