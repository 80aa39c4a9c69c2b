"""Selectors that score each column by itself, by a function of the table and the target, and keep some of them.

The functions of this family that are sums over the rows are asked for their sums, so that files, Dask and weights work. Any
other function is called with the whole table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, cast

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import Target, features, is_read_in_blocks, open_rows, refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.targets import as_target, same_length
from aprendiz.selection import chi2, f_classif, f_regression, kruskal, r_regression
from aprendiz.selection.keeping.evidence import clear_cut
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.scores.statistics_of_rows import (
    ANOVA,
    CHI_SQUARED,
    FINITE_REGRESSION,
    KRUSKAL,
    SIGNED_CORRELATION,
    Statistic,
)
from aprendiz.selection.shared.selector import Selector, refuse_nothing

F_CLASSIF = cast(Callable[..., Any], f_classif)  # what the rules ask if nothing else is said

OF_SUMS: dict[Any, Statistic] = {
    f_classif: ANOVA,
    f_regression: FINITE_REGRESSION,
    r_regression: SIGNED_CORRELATION,
    chi2: CHI_SQUARED,
    kruskal: KRUSKAL,
}


NOISE_IS_REFUSED = {  # checks of scikit-learn that fit to noise
    "shift": "the kept cells move with their columns",
    **dict.fromkeys(
        (
            *(
                "check_dtype_object",
                "check_estimator_sparse_array",
                "check_estimator_sparse_matrix",
                "check_estimator_sparse_tag",
            ),
            *("check_estimators_dtypes", "check_fit_idempotent", "check_fit_score_takes_y", "check_n_features_in"),
            *("check_n_features_in_after_fitting", "check_sample_weights_not_an_array", "check_sample_weights_pandas_series"),
        ),
        "no column of noise has a small p-value: a choice of none is refused, with how near the best came",
    ),
}


class ScoredColumns(Selector, Passes):
    """Keeps columns by the scores of `score_func`."""

    target: ClassVar[Target] = "classes"  # of the usual function
    allows = frozenset({"sparse", "missing"})
    least_classes: ClassVar[int] = 2
    several_targets: ClassVar[bool] = False
    differences: ClassVar[Mapping[str, str]] = {
        "score_func": "another form: the usual function is f_classif of this library, which gives what scikit-learn's gives"
    }
    score_func: Callable[..., Any]
    scores_: Array
    pvalues_: Array | None

    @abstractmethod
    def keep(self, found: Scored) -> Array:
        """Which columns are kept."""

    def evidence(self, found: Scored, support: Array) -> Certificate:
        """How clear the choice is."""
        return clear_cut(found.scores, found.rounding, support)

    def why_none(self, found: Scored) -> str:
        """What to say if no column is kept."""
        best = np.nanmax(found.scores) if not np.isnan(found.scores).all() else np.nan
        return f"the best score is {best:.6g}. Keep more."

    def warn_of(self, columns: int) -> None:
        """What is to be said of parameters, once the number of columns is known."""

    def refuse_parameters(self) -> None:
        """Stop at parameters that make no sense."""
        check_parameters(self)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        self.refuse_parameters()
        return open_rows(self, X, y, sample_weight, target=OF_SUMS[self.score_func].target, reset=reset)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Score the columns of X, and choose. Returns the learner itself."""
        self.refuse_parameters()
        if is_known(self.score_func):
            return super().fit(X, y, sample_weight)
        if is_read_in_blocks(X):
            raise TypeError(
                f"{name_of(self.score_func)} needs the whole table in memory: read it first, or choose f_classif, "
                "f_regression, r_regression, chi2 or kruskal, which are sums over the rows."
            )
        if sample_weight is not None:
            raise ValueError(
                f"sample_weight cannot be given to {name_of(self.score_func)}, a function of X and y: leave it out."
            )
        table, noted = features(self, X, reset=True)
        if y is not None:
            y = as_target(y)
            same_length("y", len(y), table.shape[0])
        return self.settle({**noted, **self.concluded(called(self.score_func, table, y), table.shape[1])})

    def learned(self, rows: Rows) -> dict[str, Any]:
        found = OF_SUMS[self.score_func].of(rows)
        if np.isnan(found.scores).all():
            refuse_empty_sums(rows.sum(lambda block: float(block.weights.sum())), True, rows)
        return self.concluded(found, rows.columns)

    def concluded(self, found: Scored, columns: int) -> dict[str, Any]:
        """The fitted attributes, from the scores."""
        self.warn_of(columns)
        support = self.keep(found)
        if self.wants_some():
            refuse_nothing(support, self.why_none(found))
        order = best_first(found.scores)
        return {
            "scores_": found.scores,
            "pvalues_": found.pvalues,
            "ranking_": ranks(found.scores, order=order),
            "order_": order[support[order]],
            "support_": support,
            "certificate_": self.evidence(found, support),
        }

    def wants_some(self) -> bool:
        """Is a choice of no column a mistake, rather than what was asked for?"""
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def is_known(function: Any) -> bool:
    """Is it one of the functions that are sums over the rows?"""
    try:
        return function in OF_SUMS
    except TypeError:  # a function without a hash
        return False


def called(function: Callable[..., Any], table: Any, y: Any) -> Scored:
    """The scores of a user's function, and its p-values if it gives some."""
    answer = function(table, y)
    scores, p = answer if isinstance(answer, (list, tuple)) and len(answer) == 2 else (answer, None)
    scores = np.asarray(scores)
    if scores.shape != (table.shape[1],):
        raise ValueError(
            f"{name_of(function)} gave scores of shape {scores.shape} for {table.shape[1]} columns: it must give one for each "
            "column, or two such arrays, scores and p-values."
        )
    return Scored(scores, None if p is None else np.asarray(p))


def name_of(function: Any) -> str:
    """How a function is called."""
    return str(getattr(function, "__name__", type(function).__name__))
