"""Sequential selection: forward, backward or floating, to a given number of columns or to the best (search/sequential.py).

Without a number of columns the search goes on to `max_features`, and the set with the best score on the way is kept, the
smallest of those that are equally good. This score is the largest of many, and so it flatters: the error of the whole procedure
is that of `evaluate(selection and learner in a pipeline)`, with folds around it (evaluation.selection_bias shows the
difference).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from aprendiz.core.parameters import Count, ParameterError, Within
from aprendiz.selection.search.sequential import SearchState, SequentialSearch
from aprendiz.selection.search.wrapper import JudgedRows, best_place, wanted_columns

Share = Annotated[float, Within(0, 1, above=True)]


class SequentialSelection(SequentialSearch):
    """Columns that enter or leave one at a time, each time the one after which the learner is best on inner folds.

    Parameters
    ----------
    estimator : learner
        Of this library or compatible with scikit-learn; copies of it are fitted.
    n_features_to_select : "best", int or float, default="best"
        Number of columns, or a fraction of them. "best": that of the best set on the way.
    direction : {"forward", "backward", "floating"}, default="forward"
        From no column, from all, or forward with columns that may leave again.
    max_features : int, optional
        With "best", the number of columns at which the search ends, or begins to keep sets if it is backward; by default half
        as many as there are rows.
    scoring : str, function or None
        A measure of scikit-learn; by default the learner's own, accuracy or R².
    cv : int, splitter or iterable of pairs, default=5
        The inner folds: their number, or how to split.
    n_jobs : int, optional
        Number of processes for learners that are fitted anew.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Whether each column is chosen.
    n_features_ : int
        Number of chosen columns.
    order_, ranking_ : ndarray
        The chosen columns in the order in which they entered; of all columns the rank, 1 for the chosen ones.
    path_, path_scores_ : ndarray of shape (n_steps,)
        The column that was added or left out in each step, and the score after it.
    scores_ : ndarray of shape (n_features + 1,)
        The best score of the sets of each size that were met, −∞ where none was.
    score_, fold_scores_ : float and ndarray of shape (n_folds,)
        The score by which the set was chosen, and those of new fits in its columns.
    n_iter_ : int
        Number of steps.
    certificate_ : Certificate
        Whether the score of the chosen columns is that of new fits.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import LinearDiscriminantAnalysis, SequentialSelection
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> y = X[:, 3] + X[:, 8] > 0
    >>> SequentialSelection(LinearDiscriminantAnalysis(), n_features_to_select=2).fit(X, y).order_
    array([3, 8])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_features_to_select: Literal["best"] | Count | Share = "best",
        direction: Literal["forward", "backward", "floating"] = "forward",
        max_features: Count | None = None,
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.direction = direction
        self.max_features = max_features
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs

    def check_size(self, columns: int) -> None:
        if self.n_features_to_select != "best" and (wanted := wanted_columns(self.n_features_to_select, columns)) > columns:
            raise ParameterError(f"n_features_to_select={wanted} columns are asked for, and there are {columns}: give fewer.")

    def target_size(self, columns: int, rows: int) -> int:
        if self.n_features_to_select == "best":
            return 1 if self.direction == "backward" else self.largest(columns, rows)
        return wanted_columns(self.n_features_to_select, columns)

    @property
    def ends_anywhere(self) -> bool:
        return bool(self.n_features_to_select == "best")

    def largest(self, columns: int, rows: int) -> int:
        """The size of the largest set that may be kept as the best."""
        return min(columns, max(1, rows // 2) if self.max_features is None else self.max_features)

    def may_keep_all(self, rows: JudgedRows) -> bool:
        backward = self.direction == "backward" and self.n_features_to_select == "best"
        return backward and self.largest(rows.columns, rows.count or 0) == rows.columns

    def chosen_size(self, state: SearchState, rows: JudgedRows) -> int:
        if self.n_features_to_select != "best" or not len(state.path):
            return super().chosen_size(state, rows)
        scores = state.best[1 : self.largest(rows.columns, rows.count or 0) + 1]
        if not (scores > -float("inf")).any():  # stopped before it came so far
            return super().chosen_size(state, rows)
        return 1 + best_place(scores, 1e-12)
