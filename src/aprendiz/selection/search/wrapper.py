"""Wrappers: selectors that ask a learner how good a set of columns is (the estimator comes first, as in scikit-learn).

Sets are judged on inner folds of the rows that `fit` is given (inner_folds.py). The search itself is a generator of states, so
that it can be watched, limited, interrupted and resumed (core/iteration.py). Beside X and y

    sample_weight     goes to the fits of the learner
    groups            goes to the folds
    anything else     goes to the fits, or where scikit-learn's routing sends it, if that is enabled
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import MetaEstimatorMixin, is_classifier, is_regressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from aprendiz.core.columns import Mixed
from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import Target, is_read_in_blocks, open_rows
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.routing import routes_metadata
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import as_target
from aprendiz.selection.search.inner_folds import InnerFolds, look_for_classes, refuse_single_rows
from aprendiz.selection.shared.selector import IN_MEMORY, Selector
from aprendiz.selection.updating.fold_model import FoldModel
from aprendiz.selection.updating.updated_scores import UpdatedScores
from aprendiz.summaries.folds import checked_splits, refuse_cv


@dataclass(frozen=True)
class Told:
    """What fits, folds and scores are told beside X and y."""

    fit: Mapping[str, Any] = field(default_factory=dict)
    split: Mapping[str, Any] = field(default_factory=dict)
    score: Mapping[str, Any] = field(default_factory=dict)


class JudgedRows(ArrayRows):
    """Rows in memory, the table and the target as the learner is given them, and the folds that judge sets of columns."""

    table: Any
    target: Any
    folds: InnerFolds

    @cached_property
    def updated(self) -> UpdatedScores | None:
        """The learner's answers in the folds without new fits, where there is a way."""
        return self.folds.updated(self.labels, self.y, self.weight) if self.folds.splits else None

    @cached_property
    def updated_while_shrinking(self) -> UpdatedScores | None:
        """The same of sets from which columns only leave."""
        return self.folds.updated(self.labels, self.y, self.weight, shrinking=True) if self.folds.splits else None

    @cached_property
    def updated_on_all(self) -> FoldModel | None:
        """The same of a fit to all rows."""
        every = np.arange(self.count or 0)
        found = self.folds.on([(every, every[:1])]).updated(self.labels, self.y, self.weight, shrinking=True)
        return None if found is None else found.models[0]


class Allowed:
    """What X may hold: what the estimator says, of an instance; nothing special, of a class."""

    def __get__(self, wrapper: Any, owner: type) -> frozenset[str]:
        if wrapper is None:
            return frozenset()
        estimator = wrapper.estimator
        if isinstance(estimator, Learner):
            return frozenset(estimator.allows)
        tags = get_tags(estimator).input_tags
        return frozenset(name for name, there in (("sparse", tags.sparse), ("missing", tags.allow_nan)) if there)


class Wrapper(MetaEstimatorMixin, Selector, Iterative):
    """A search for columns that is told by an estimator how good they are."""

    estimator: Any
    scoring: Any = None
    cv: Any = None
    n_jobs: int | None = None
    told: Told = Told()  # of the fit under way
    allows = Allowed()
    several_targets = False
    least_classes = 2
    frames = 4
    exceptions: ClassVar[Mapping[str, str]] = {
        **Selector.exceptions,
        "files": IN_MEMORY,
        "dask": IN_MEMORY,
        "monotone": "the objective is a score of the inner folds, which some steps lower and others raise",
        "row order": "the inner folds are counted by row number",
    }

    # ---- the data --------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Search the columns of X. `params`: sample_weight, groups, and whatever the fits of the estimator take."""
        told = self.route(params)
        of_fit = dict(told.fit)
        weight = of_fit.pop("sample_weight", None)
        self.told = Told(of_fit, told.split, told.score)
        try:
            return super().fit(X, y, weight)
        finally:
            del self.told

    def row_attributes(self, state: Any, rows: Any) -> dict[str, Any]:
        """None; but by now every fit has been made, also those to the columns that were chosen."""
        rows.folds.failed.warn(self.estimator, self.frames + 1)
        return {}

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> JudgedRows:
        """Training data as checked rows, with their folds."""
        check_parameters(self)
        refuse_no_estimator(self.estimator)
        if is_read_in_blocks(X):
            raise TypeError(
                f"{type(self).__name__} fits {type(self.estimator).__name__} to many sets of columns, which needs the rows in "
                "memory: give an array or a frame."
            )
        target = as_target(y) if y is not None else None
        several = target is not None and target.ndim == 2 and target.shape[1] > 1
        kind = self.kind_of_target(several)
        rows = open_rows(self, X, y, sample_weight, target=kind, reset=reset).compact()
        refuse_single_column(rows.columns)
        self.check_size(rows.columns)
        found = JudgedRows(rows.X, rows.y, rows.weight, rows.names)  # type: ignore[attr-defined]
        found.labels, found.noted, found.width = rows.labels, rows.noted, rows.width
        found.table = as_given(X) if isinstance(found.X, Mixed) else found.X
        found.target = target if several or target is None else target.ravel()
        found.folds = self.inner_folds(found)
        return found

    def check_size(self, columns: int) -> None:
        """Refuse, or warn of, a number of columns that cannot be."""

    def kind_of_target(self, several: bool) -> Target:
        """What the estimator predicts, where one target is checked here; else the estimator checks it."""
        if is_classifier(self.estimator) and not (several and get_tags(self.estimator).target_tags.multi_output):
            return "classes"
        return "numbers" if is_regressor(self.estimator) else "none"

    def inner_folds(self, rows: JudgedRows) -> InnerFolds:
        """The folds that judge sets of columns."""
        if self.cv is not None:
            refuse_cv(type(self).__name__, self.cv)
        cv = check_cv(self.cv, rows.target, classifier=is_classifier(self.estimator))
        splits = checked_splits(cv.split(rows.table, rows.target, **self.told.split), rows.count or 0)
        if rows.labels is not None:
            look_for_classes(splits, rows.y, rows.labels)  # type: ignore[arg-type]
        if is_regressor(self.estimator) and self.scoring in (None, "r2"):
            refuse_single_rows(splits)
        of_fit = dict(self.told.fit) | ({} if rows.weight is None else {"sample_weight": rows.weight})
        return InnerFolds(
            self.estimator, rows.table, rows.target, splits, self.scoring, self.scorer(), of_fit, self.told.score, self.n_jobs
        )

    def scorer(self) -> Any:
        """The measure, as scikit-learn calls it."""
        return check_scoring(self.estimator, scoring=self.scoring)

    # ---- metadata ----------------------------------------------------------------------------------------------------------

    def route(self, params: Mapping[str, Any]) -> Told:
        """Who is told what."""
        given = {name: value for name, value in params.items() if value is not None}
        if routes_metadata():
            routed = process_routing(self, "fit", **given)
            return Told(dict(routed.estimator.fit), dict(routed.splitter.split), dict(routed.scorer.score))
        groups = {"groups": given.pop("groups")} if "groups" in given else {}
        return Told(given, groups)

    def get_metadata_routing(self) -> MetadataRouter:
        """What is routed to the estimator, the folds and the measure."""
        router = MetadataRouter(owner=self)
        router.add(estimator=self.estimator, method_mapping=self.mapping_of_estimator())
        cv = check_cv(self.cv, classifier=is_classifier(self.estimator))
        router.add(splitter=cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router.add(scorer=self.scorer(), method_mapping=self.mapping_of_scorer())

    def mapping_of_estimator(self) -> MethodMapping:
        """The methods of the estimator that each of our methods calls."""
        return MethodMapping().add(caller="fit", callee="fit")

    def mapping_of_scorer(self) -> MethodMapping:
        """Our methods that ask the measure."""
        return MethodMapping().add(caller="fit", callee="score")


def refuse_no_estimator(estimator: Any, name: str = "estimator") -> None:
    """Anything that is not a learner."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise ParameterError(f"{name} must be a learner with a method fit, such as Ridge(), got {estimator!r}.")


def refuse_single_column(columns: int) -> None:
    """A table in which there is nothing to select."""
    if columns < 2:
        raise ValueError(f"Found array with {columns} feature(s) while a minimum of 2 is required: there is nothing to select.")


def as_given(X: Any) -> Any:
    """A table with words, so that rows and columns of it can be taken."""
    return X if as_frame(X) is not None or sparse.issparse(X) else np.asarray(X, dtype=object)


def wanted_columns(wanted: Any, columns: int) -> int:
    """A number of columns, from a number or a fraction of them; at least one."""
    if isinstance(wanted, (float, np.floating)):
        return max(1, int(columns * wanted))
    return int(wanted)


def best_place(scores: Array, rounding: float) -> int:
    """The first of the best scores; differences up to rounding are none, and NaN is worse than any number."""
    best = np.nanmax(scores)
    return int(np.flatnonzero(scores >= best - rounding * max(1.0, abs(best)))[0])


def mask_of(columns: Any, count: int) -> Array:
    """A set of columns as a mask."""
    found = np.zeros(count, dtype=bool)
    found[np.asarray(columns, dtype=np.intp)] = True
    return found
