"""Stability selection: the columns that a method selects again and again in other halves of the rows.

    π_j = share of the 2B halves whose first q columns include j,        keep π_j ≥ τ                          (1)

A half is half of the rows at random, its pair the other half (stability/half_samples.py). The path of the lasso, or of a
logistic lasso if the target is one of classes, gives the first q columns of each; or a learner that is given. How many columns
of no use are kept on average is bounded (stability/false_selections.py): q is so large that the bound is `expected_false`.

Weights belong to the fits: halves are halves of the rows, whatever these weigh, so the bound holds as without weights. A row of
weight 2 is not the same as two rows, which may lie in different halves; a row of weight 0 is left out before.

Cost: 2B paths of half the rows, each until q columns have entered, side by side.
References: Meinshausen & Bühlmann, "Stability selection", JRSS B 72, 2010; Shah & Samworth, JRSS B 75, 2013.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self, cast

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils.validation import has_fit_parameter

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Count, ParameterError, Positive, Seed, Within, check_parameters
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.locale import _
from aprendiz.selection.importances.importance_threshold import norms
from aprendiz.selection.importances.penalty_paths import falling, standardised
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.search.wrapper import refuse_no_estimator
from aprendiz.selection.shared.feature_importances import raw_importances
from aprendiz.selection.shared.selector import IN_MEMORY, Selector, refuse_nothing
from aprendiz.selection.shared.target_of_task import Task, as_floats, open_for_task, refuse_few_rows
from aprendiz.selection.stability.false_selections import Assumption, bound_on_false, columns_per_sample
from aprendiz.selection.stability.half_samples import Selections, part_of, selections, selections_by

PENALTIES, LEAST = 60, 0.05  # of a path, and the last one as a part of the first
Threshold = Annotated[float, Within(0.5, 1.0, above=True)]
TWO_ROWS = "two rows may lie in different halves, a row of weight two does not"


class StabilitySelection(MetaEstimatorMixin, Selector):
    """Keep the columns that are selected in most halves of the rows, with a bound on how many of them are of no use.

    Parameters
    ----------
    estimator : learner, optional
        With `coef_` or `feature_importances_`: the q columns of largest importance are selected. By default the path of the
        lasso, of classes the logistic one, on columns of equal mean square: the first q that enter.
    threshold : float above 0.5, default=0.75
        τ of (1).
    expected_false : float, default=1.0
        How many columns of no use may be kept on average; q follows. Not used if `n_features_per_sample` is given.
    n_features_per_sample : int, optional
        q.
    assumption : {"none", "unimodal", "r_concave"}, default="unimodal"
        What the bound takes for granted of the shares of columns of no use: nothing (Meinshausen and Bühlmann), one peak, or a
        fall like a power (Shah and Samworth).
    n_pairs : int, default=50
        B, the number of pairs of halves.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is one of classes or a quantity, as in `VariableRanking`.
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        π of (1).
    ranking_ : ndarray of shape (n_features,)
        1 for the most stable column; equal columns share a place.
    order_ : ndarray
        The kept columns, the most stable first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    penalties_ : ndarray of shape (n_penalties,)
        The penalties of the paths, as parts of the largest; a single one with an estimator.
    stability_path_ : ndarray of shape (n_features, n_penalties)
        The share of the halves that selected each column up to each penalty.
    n_features_per_sample_ : int
        q.
    expected_false_ : float
        The bound, with the assumption that was made; `bounds_` has all three.
    bounds_ : dict
    classes_ : ndarray or None
    certificate_ : Certificate
        That the bound is at most `expected_false`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 200))
    >>> y = X[:, 3] - X[:, 8] + 0.5 * np.random.default_rng(1).normal(size=100)
    >>> StabilitySelection().fit(X, y).get_support(indices=True)
    array([3, 8])
    """

    allows = frozenset()
    least_classes = 2
    several_targets = False
    exceptions: ClassVar[Mapping[str, str]] = {
        **Selector.exceptions,
        "files": IN_MEMORY,
        "dask": IN_MEMORY,
        "row order": "halves are drawn by row number",
        "weights": TWO_ROWS,
        "check_sample_weight_equivalence_on_dense_data": TWO_ROWS,
        "check_sample_weight_equivalence_on_sparse_data": TWO_ROWS,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        threshold: Threshold = 0.75,
        expected_false: Positive = 1.0,
        n_features_per_sample: Count | None = None,
        assumption: Assumption = "unimodal",
        n_pairs: Count = 50,
        task: Task = "auto",
        random_state: Seed = 0,
    ):
        self.estimator = estimator
        self.threshold = threshold
        self.expected_false = expected_false
        self.n_features_per_sample = n_features_per_sample
        self.assumption = assumption
        self.n_pairs = n_pairs
        self.task = task
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Select in halves of the rows, with weights in the fits. Returns the selector itself."""
        check_parameters(self)
        if self.estimator is not None:
            refuse_no_estimator(self.estimator)
        rows = open_for_task(self, X, y, self.task, sample_weight)
        refuse_few_rows(rows.count or 0, 4, "halves of them need")
        q, found = self.wanted(rows.columns), None
        seed = draw_seed(self.random_state)
        with single_blas():
            if self.estimator is None:
                Z, penalties = standardised(as_floats(rows.X), rows.weight), falling(PENALTIES, LEAST)
                refuse_nothing(np.asarray(Z.any(axis=0)), "every column is constant. Check how the table was read.")
                found = selections(Z, rows.y, rows.labels, penalties, q, self.n_pairs, seed, rows.weight)  # type: ignore[arg-type]
        if found is None:
            found = self.by_learner(rows, q, seed)
        return self.settle({**rows.noted, **self.chosen(found, q), "classes_": rows.labels})

    def wanted(self, columns: int) -> int:
        """q."""
        given = self.n_features_per_sample
        if given is None:
            return columns_per_sample(columns, self.threshold, self.expected_false, self.n_pairs, self.assumption)
        if given > columns:
            raise ParameterError(f"n_features_per_sample={given} is more than the {columns} columns of X: give fewer.")
        return int(given)

    def by_learner(self, rows: ArrayRows, q: int, seed: int) -> Selections:
        """The selections of the learner that was given."""
        y = rows.y if rows.labels is None else rows.labels[rows.y]
        assert y is not None
        if rows.weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"sample_weight cannot be given: {type(self.estimator).__name__} takes none. Leave it out, or choose another "
                "learner."
            )

        def importances(half: Array) -> Array:
            weight = part_of(rows.weight, half)
            told = {} if weight is None else {"sample_weight": weight}
            model = clone(self.estimator).fit(rows.X[half], y[half], **told)
            return norms(raw_importances(model), 2)

        codes = None if rows.labels is None else rows.y
        return selections_by(importances, len(y), codes, q, self.n_pairs, seed)

    def chosen(self, found: Selections, q: int) -> dict[str, Any]:
        """The fitted attributes."""
        path = found.shares
        scores = path[:, -1].copy()
        support = scores >= self.threshold - 1e-12
        columns, pairs = len(scores), self.n_pairs
        bounds = {kind: bound_on_false(q, columns, self.threshold, pairs, kind) for kind in ("none", "unimodal", "r_concave")}
        bound = bounds[self.assumption]
        if not support.any():
            self.warn_of_none(scores, q)
        order = best_first(scores)
        claim = "on average at most so many columns of no use are kept as allowed"
        known = {"expected_false": bound, "allowed": self.expected_false, "per_sample": q, "kept": int(support.sum())}
        return {
            "scores_": scores,
            "ranking_": ranks(scores, order=order),
            "order_": order[support[order]],
            "support_": support,
            "penalties_": found.penalties,
            "stability_path_": path,
            "n_features_per_sample_": q,
            "expected_false_": bound,
            "bounds_": bounds,
            "certificate_": Certificate(claim, bool(bound <= self.expected_false), known),
        }

    def warn_of_none(self, scores: Array, q: int) -> None:
        """That no column is stable."""
        words = _(
            "No column is selected in a share of {threshold} of the halves: the most stable, column {best}, in {largest}. "
            "Lower the threshold, or allow more false selections (each half selects {q} columns now)."
        )
        best = int(scores.argmax())
        shown = {"threshold": f"{self.threshold:g}", "best": best, "largest": f"{scores[best]:.3g}", "q": q}
        warnings.warn(words.format(**shown), UserWarning, stacklevel=4)

    def transform(self, X: Any) -> Any:
        """The kept columns of X."""
        refuse_nothing(self.get_support(), f"none is selected in a share of {self.threshold:g} of the halves. See `scores_`.")
        return super().transform(X)

    def plot(self, ax: Any = None) -> Picture:
        """The shares along the path, a `StabilityPathsDisplay`. Needs matplotlib."""
        names = getattr(self, "feature_names_in_", None)
        shown = display("StabilityPathsDisplay")(
            self.penalties_, self.stability_path_, names, threshold=self.threshold, penalty=len(self.penalties_) > 1
        )
        return cast(Picture, shown.plot(ax))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
