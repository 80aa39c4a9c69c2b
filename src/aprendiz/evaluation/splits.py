"""How rows are divided into those that teach and those that test.

    Holdout(0.3)       some rows are set apart and tested once
    KFolds(10)         each of k parts is tested by a learner of the others
    Repeated(10, 5)    that, several times
    LeaveOneOut()      each row is tested by a learner of all the others

For classes, the parts have the same shares of them. With groups (patients, sites), no group is on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.locale import _, percent

Split = tuple[Array, Array]  # numbers of the training rows, numbers of the test rows


@dataclass(frozen=True)
class Holdout:
    """Some rows are set apart and tested once."""

    test: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.test < 1:
            raise ParameterError(f"test of Holdout must be a share between 0 and 1, got {self.test!r}.")

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        kind = GroupShuffleSplit if groups is not None else StratifiedShuffleSplit if by_class else ShuffleSplit
        return kind(1, test_size=self.test, random_state=self.seed).split(np.zeros(len(y)), y, groups)

    def __str__(self) -> str:
        return _("holdout of {share} of the rows").format(share=percent(self.test, 0))


@dataclass(frozen=True)
class KFolds:
    """Each of k parts is tested once, by a learner fitted to the others."""

    k: int = 10
    seed: int | None = 0  # None: the rows are not shuffled

    def __post_init__(self) -> None:
        if not (isinstance(self.k, (int, np.integer)) and self.k >= 2):
            raise ParameterError(f"k of KFolds must be a whole number of at least 2, got {self.k!r}.")

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        refuse_few_rows(self.k, y, groups, by_class)
        shuffled = {"shuffle": self.seed is not None, "random_state": self.seed}
        if groups is not None:
            kind: Any = StratifiedGroupKFold if by_class else GroupKFold
        else:
            kind = StratifiedKFold if by_class else KFold
        return kind(self.k, **shuffled).split(np.zeros(len(y)), y, groups)

    def __str__(self) -> str:
        return _("{k}-fold cross-validation").format(k=self.k)


@dataclass(frozen=True)
class Repeated:
    """`KFolds` several times, shuffled anew each time."""

    k: int = 10
    times: int = 5
    seed: int = 0

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        for number in range(self.times):
            yield from KFolds(self.k, self.seed + number).splits(y, groups, by_class)

    def __str__(self) -> str:
        return _("{k}-fold cross-validation, {times} times").format(k=self.k, times=self.times)


@dataclass(frozen=True)
class LeaveOneOut:
    """Each row (each group, if there are groups) is tested by a learner fitted to all others."""

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        numbers = np.arange(len(y))
        for one in np.unique(groups) if groups is not None else numbers:
            test = numbers == one if groups is None else groups == one
            yield numbers[~test], numbers[test]

    def __str__(self) -> str:
        return _("leave-one-out")


Protocol = Holdout | KFolds | Repeated | LeaveOneOut


def refuse_few_rows(k: int, y: Array, groups: Array | None, by_class: bool) -> None:
    """Folds that could not be filled."""
    if groups is not None and (found := len(np.unique(groups))) < k:
        raise ValueError(
            _("{k} folds need at least {k} groups, there are {found}: ask for fewer folds.").format(k=k, found=found)
        )
    if len(y) < k:
        raise ValueError(
            _("{k} folds need at least {k} rows, there are {found}: ask for fewer folds.").format(k=k, found=len(y))
        )
    if by_class:
        counts = np.unique(y, return_counts=True)[1]
        if counts.max() < k:
            raise ValueError(
                _("{k} folds need a class with at least {k} rows; the largest has {found}.").format(k=k, found=counts.max())
            )


def refuse_single_rows(y: Array) -> None:
    """A class of one row is either taught or tested."""
    labels, counts = np.unique(y, return_counts=True)
    if counts.min() < 2:
        rare = labels[counts.argmin()]
        raise ValueError(
            _("The class {label} has a single row: it cannot be learned and tested. Leave it out or join it.").format(
                label=repr(str(rare))
            )
        )
