"""Models, and the rows by which each is calibrated: none of them was fitted to those.

    split    one model, fitted to some rows; the others calibrate it
    plus     a model for each fold, calibrated by the rows of the fold; predictions use all of them (CV+)
    base     the same, but predictions come from one model, fitted to all rows
    frozen   a model that was fitted elsewhere; all rows calibrate it

Learners of one pass are fitted from the sums of the other folds (summaries/other_folds.py). Rows of one group stay together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.utils import _safe_indexing, column_or_1d

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target
from aprendiz.locale import _
from aprendiz.summaries.folds import checked_splits, is_partition
from aprendiz.summaries.other_folds import OtherFolds

FOLDS = 5


@dataclass(frozen=True)
class Division:
    """Which rows train a model, and which calibrate it."""

    splits: list[tuple[Array, Array]]

    @property
    def apart(self) -> bool:
        """Is no row on both sides, and none calibrates twice?"""
        tested = np.concatenate([test for _train, test in self.splits])
        once = len(np.unique(tested)) == len(tested)
        return once and not any(np.isin(test, train).any() for train, test in self.splits)


@dataclass(frozen=True)
class CalibrationPlan:
    """How rows are divided: the parameters of a conformal predictor."""

    method: str
    cv: Any
    calibration_size: float
    random_state: Any

    def divide(self, X: Any, y: Array, groups: Array | None, by_class: bool) -> Division:
        """The rows of each model."""
        if self.method == "split":
            found = checked_splits(self.one_split(by_class).split(X, y, groups), len(y))
        else:
            found = checked_splits(self.folds(y, groups, by_class).split(X, y, groups), len(y))
            if not is_partition(found, len(y)):
                raise ValueError(
                    _("cv must test every row once and train on the others: give the number of folds, or such folds.")
                )
        return Division(found)

    def one_split(self, by_class: bool) -> Any:
        """A single split, of cv if there is one."""
        if self.cv is not None:
            found = check_cv(self.cv)
            if found.get_n_splits() != 1:
                raise ValueError(
                    _("method='split' needs a single split: omit cv, give one with a single split, or use method='plus'.")
                )
            return found
        kind = StratifiedShuffleSplit if by_class else ShuffleSplit
        return GroupsOr(kind, GroupShuffleSplit, {"n_splits": 1, "test_size": self.calibration_size}, self.random_state)

    def folds(self, y: Array, groups: Array | None, by_class: bool) -> Any:
        """Shuffled folds, of each class or group where there are some; or those that were given."""
        if self.cv is not None and not isinstance(self.cv, int):
            return check_cv(self.cv)
        wanted = FOLDS if self.cv is None else self.cv
        most = len(y) if groups is None else len(np.unique(groups))
        if not 2 <= wanted <= most:
            raise ValueError(
                _("cv = {folds} folds cannot divide {rows} rows or groups: give from 2 to {rows}.").format(
                    folds=wanted, rows=most
                )
            )
        kinds = (StratifiedKFold, StratifiedGroupKFold) if by_class else (KFold, GroupKFold)
        return GroupsOr(*kinds, {"n_splits": wanted, "shuffle": True}, self.random_state)


@dataclass(frozen=True)
class GroupsOr:
    """A splitter for rows, or one for groups where there are some."""

    plain: Any
    of_groups: Any
    options: dict[str, Any]
    seed: Any

    def split(self, X: Any, y: Array, groups: Array | None) -> Any:
        kind = self.plain if groups is None else self.of_groups
        return kind(**self.options, random_state=self.seed).split(np.zeros(len(y)), y, groups)


Scorer = Callable[[Any, Any, Array], Array]  # of a model, rows and their targets


def is_frozen(estimator: Any) -> bool:
    return isinstance(estimator, FrozenEstimator)


def fitted_to(estimator: Any, X: Any, y: Array, rows: Array) -> Any:
    """A copy fitted to some rows."""
    return clone(estimator).fit(_safe_indexing(X, rows), y[rows])


def models_of(estimator: Any, X: Any, y: Array, division: Division) -> list[Any]:
    """A model for each split."""
    shortcut = OtherFolds.of(estimator, X, y, division.splits) if len(division.splits) > 1 else None
    if shortcut is None:
        return [fitted_to(estimator, X, y, train) for train, _test in division.splits]
    found = [clone(estimator) for _split in division.splits]
    for number, model in enumerate(found):
        shortcut.fit(model, number)
    return found


def refuse_no_estimator(estimator: Any, method: str, example: str) -> None:
    """What is no estimator, or cannot do what is needed."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise ValueError(
            _("estimator must be a learner, such as {example}, got {value}.").format(example=example, value=repr(estimator))
        )
    if not hasattr(estimator, method):
        raise ValueError(
            _("{name} has no {method}: give a learner that has, such as {example}.").format(
                name=type(estimator).__name__, method=method, example=example
            )
        )


def one_column(y: Any) -> Array:
    """A target of one column and at least two rows."""
    target = np.asarray(column_or_1d(as_target(y), warn=True))
    if len(target) < 2:
        raise ValueError(f"Found {len(target)} sample: a fit and its calibration need rows of their own, give more.")
    return target
