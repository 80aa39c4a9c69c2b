"""Sequential selection as scikit-learn has it: forward or backward, to a given number of columns (search/sequential.py).

Cost: of each step, a fit for each inner fold and column; for least squares, ridge regression, linear discriminants and naive
Bayes hardly more than a step of one of them, since their answers are updated.
"""

from __future__ import annotations

from numbers import Integral
from typing import Annotated, Any, Literal

from aprendiz.core.parameters import Count, ParameterError, Within
from aprendiz.selection.search.sequential import SequentialSearch
from aprendiz.selection.search.wrapper import wanted_columns

Share = Annotated[float, Within(0, 1, above=True)]


class SequentialFeatureSelector(SequentialSearch):
    """Columns that enter or leave one at a time (drop-in for scikit-learn's; budgets, Ctrl-C, going on, updating).

    Parameters
    ----------
    estimator : learner
        Of this library or compatible with scikit-learn; copies of it are fitted.
    n_features_to_select : "auto", int or float, default="auto"
        Number of columns, or a fraction of them. "auto": as many as improve the score by `tol`; half of them if there is no
        `tol`.
    tol : float, optional
        What the score of a step must gain with "auto"; with direction="backward" it may be negative: what it may lose.
    direction : {"forward", "backward"}, default="forward"
        Whether to begin with no column, or with all.
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
    n_features_to_select_ : int
        Number of chosen columns.
    order_, ranking_ : ndarray
        The chosen columns in the order in which they entered; of all columns the rank, 1 for the chosen ones.
    path_, path_scores_ : ndarray of shape (n_steps,)
        The column that was added or left out in each step, and the score after it.
    scores_ : ndarray of shape (n_features + 1,)
        The score of the set of each size, −∞ where none was met.
    score_, fold_scores_ : float and ndarray of shape (n_folds,)
        The score by which the set was chosen, and those of new fits in its columns.
    n_features_in_, feature_names_in_
    certificate_ : Certificate
        Whether the score of the chosen columns is that of new fits.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_features_to_select: Literal["auto"] | Count | Share = "auto",
        tol: float | None = None,
        direction: Literal["forward", "backward"] = "forward",
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.tol = tol
        self.direction = direction
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs

    def check_size(self, columns: int) -> None:
        wanted = self.n_features_to_select
        if isinstance(wanted, Integral) and wanted >= columns:
            raise ParameterError(
                f"n_features_to_select must be < n_features: {wanted} columns are asked for, and there are {columns}."
            )
        if self.tol is not None and self.tol < 0 and self.direction == "forward":
            raise ParameterError(f"tol must be strictly positive when doing forward selection, got {self.tol!r}.")

    def target_size(self, columns: int, rows: int) -> int:
        wanted, forward = self.n_features_to_select, self.direction == "forward"
        if wanted == "auto":
            steps = columns // 2 if self.tol is None else columns - 1
            return steps if forward else columns - steps
        return wanted_columns(wanted, columns)

    def least_gain(self) -> float | None:
        return self.tol if self.n_features_to_select == "auto" else None
