"""Two stages for very many columns: a quick ranking, then a slow selection among those that are left.

    100 000 columns  → ranking →  10 000  → forest, wrapper, … →  those that are kept                          (1)

The ranking is one pass over the rows, also of a file; the second stage sees the rows of the columns that are left, in memory. A
column that says something only together with others may be lost in the first stage: leave it wide. Both stages belong into the
folds, as every selection does: put the whole into a pipeline.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags

from aprendiz.core.certificate import Certificate
from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import is_read_in_blocks, note_columns, with_own_target
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.tables import first_bad_cell, refuse_cell
from aprendiz.selection import EmbeddedSelection, VariableRanking
from aprendiz.selection.search.wrapper import refuse_no_estimator
from aprendiz.selection.shared.selector import Selector


class AllowedByBoth:
    """What X may hold: what both stages take, of an instance; nothing special, of a class."""

    def __get__(self, selector: Any, owner: type) -> frozenset[str]:
        if selector is None:
            return frozenset()
        stages: tuple[Any, Any] = selector.stages()
        return frozenset.intersection(*(frozenset(getattr(stage, "allows", ())) for stage in stages))


class TwoStageSelection(MetaEstimatorMixin, Selector):
    """Rank all columns quickly, then select among the best.

    Parameters
    ----------
    first : selector, int or fraction, default=0.1
        The first stage. A number or a fraction is the `keep` of `VariableRanking`.
    second : selector or learner, optional
        The second stage; by default `EmbeddedSelection("forest")`. A learner that is no selector is put into
        `EmbeddedSelection`.

    Attributes
    ----------
    first_, second_ : the fitted selectors
    scores_ : ndarray of shape (n_features,)
        Those of the second stage; NaN for columns that did not come so far, or if it gives none.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column. Columns that did not come to the second stage follow in the order of the first.
    order_ : ndarray
        The kept columns, the best first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    certificate_ : Certificate
        How many columns came so far, and whether the evidence of both stages holds.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 1000))
    >>> y = (X[:, 7] + X[:, 70] > 0).astype(int)
    >>> sorted(TwoStageSelection(50, EmbeddedSelection("forest", keep=2)).fit(X, y).order_.tolist())
    [7, 70]
    """

    allows = AllowedByBoth()

    def __init__(self, first: Any = 0.1, second: Any = None):
        self.first = first
        self.second = second

    def stages(self) -> tuple[Any, Any]:
        """The two selectors, unfitted."""
        first, second = self.first, self.second
        if isinstance(first, (int, float, np.integer, np.floating)):
            first = VariableRanking(keep=first)
        if second is None:
            second = EmbeddedSelection("forest")
        for name, stage in (("first", first), ("second", second)):
            refuse_no_estimator(stage, name)
        if not hasattr(first, "get_support"):
            raise ParameterError(
                f"first must be a selector, such as VariableRanking(keep=0.1), or how many columns to keep, got {first!r}."
            )
        return first, second if hasattr(second, "get_support") else EmbeddedSelection(second)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Rank, then select. Returns the selector itself."""
        check_parameters(self)
        first, second = (clone(stage) for stage in self.stages())
        told = {} if sample_weight is None else {"sample_weight": sample_weight}
        try:
            first.fit(X, y, **told)
        except ParameterError as error:
            raise ParameterError(f"first={self.first!r}: {error}") from error
        left = first.get_support(indices=True)
        if not len(left):
            raise ValueError("No column is chosen: the first stage keeps none. Let it keep more.")
        table = first.transform(X)
        if is_read_in_blocks(X):
            table, y, weight = in_memory_of(self, table, y, sample_weight)
            told = {} if weight is None else {"sample_weight": weight}
        self.refuse_bad_cell(table, left, getattr(first, "feature_names_in_", None))
        second.fit(table, y, **told)
        return self.settle({**self.noted_of(X, first), **chosen(first, second, left)})

    def refuse_bad_cell(self, table: Any, left: Array, names: Any) -> None:
        """Stop at a cell that the second stage does not take, which would count the columns that are left."""
        if not isinstance(table, np.ndarray) or table.dtype.kind != "f" or "missing" in self.allows:
            return
        if bad := first_bad_cell(table, missing_is_fine=False):
            refuse_cell(bad[0], int(left[bad[1]]), bad[2], names)

    def noted_of(self, X: Any, first: Any) -> dict[str, Any]:
        """Number and names of the columns, and their schema if there are words."""
        frame = None if is_read_in_blocks(X) else as_frame(X)  # what is read in blocks was named by the first stage
        names = X.names if isinstance(X, Rows) else None if frame is None else list(frame.columns)
        noted = note_columns(self, X, len(first.get_support()), names, reset=True)
        noted["feature_names_in_"] = getattr(first, "feature_names_in_", noted["feature_names_in_"])
        return {**noted, "columns_": getattr(first, "columns_", None)}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.input_tags.allow_nan = "sparse" in self.allows, "missing" in self.allows
        tags.input_tags.string = all(get_tags(stage).input_tags.string for stage in self.stages())
        tags.target_tags.required = True
        return tags


def in_memory_of(selector: Any, table: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """The table, the target and the weights of rows that are read in blocks, or of a lazy collection."""
    found, y, weight = with_own_target(selector, table, y, sample_weight)
    return found.each(lambda block: block.X) if isinstance(found, Rows) else found.compute(), y, weight


def chosen(first: Any, second: Any, left: Array) -> dict[str, Any]:
    """The fitted attributes of both stages, in terms of all columns."""
    d, inner = len(first.get_support()), second.get_support()
    support, scores = np.zeros(d, bool), np.full(d, np.nan)
    support[left] = inner
    if has_entries(second, "scores_", len(left)):
        scores[left] = second.scores_
    order = getattr(second, "order_", None)
    kept = left[np.asarray(order, np.intp)] if order is not None and len(order) == inner.sum() else np.flatnonzero(support)
    places = places_of(second, inner)
    ranking = np.empty(d, np.int64)
    ranking[left] = places
    out = np.setdiff1d(np.arange(d), left)
    earlier = places_of(first, first.get_support())[out]
    ranking[out] = len(left) + np.unique(earlier, return_inverse=True)[1] + 1
    sure = [bool(stage.certificate_.holds) for stage in (first, second) if hasattr(stage, "certificate_")]
    known = {"columns": d, "second_stage": len(left), "kept": int(support.sum())}
    return {
        "first_": first,
        "second_": second,
        "support_": support,
        "scores_": scores,
        "ranking_": ranking,
        "order_": kept,
        "certificate_": Certificate("the choices of both stages are clear", all(sure), known),
    }


def places_of(stage: Any, support: Array) -> Array:
    """The ranking of a stage; of one without a ranking, kept columns before the others."""
    if has_entries(stage, "ranking_", len(support)):
        return np.asarray(stage.ranking_, np.int64)
    return np.where(support, 1, 2)


def has_entries(stage: Any, name: str, count: int) -> bool:
    """Has a stage such an attribute, with an entry for each column?"""
    value: Any = getattr(stage, name, None)
    return value is not None and np.shape(value) == (count,)
