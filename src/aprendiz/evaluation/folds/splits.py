"""How rows are divided into those that teach and those that test.

    Holdout(0.3)       some rows are set apart and tested once
    KFolds(10)         each of k parts is tested by a learner of the others
    Repeated(10, 5)    that, several times
    LeaveOneOut()      each row is tested by a learner of all the others
    Bootstrap(200)     rows drawn with replacement teach, those that were not drawn test

For classes, the parts have the same shares of them. With groups (patients, sites), no group is on both sides.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _

Split = tuple[Array, Array]  # numbers of the training rows, numbers of the test rows


class Protocol(typing.Protocol):
    """What `evaluate` needs of a protocol: the splits of some rows. `str` says in words how they are divided."""

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]: ...


def refuse_few_rows(k: int, y: Array, groups: Array | None, by_class: bool) -> None:
    """Folds that could not be filled."""
    if groups is not None and (found := len(np.unique(groups))) < k:
        raise ValueError(
            _("{k} folds need at least {k} groups, but there are {found}: use fewer folds.").format(k=k, found=found)
        )
    if len(y) < k:
        raise ValueError(
            _("{k} folds need at least {k} rows, but there are {found}: use fewer folds.").format(k=k, found=len(y))
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
            _(
                "Class {label} has a single row, which cannot be both trained on and tested: remove it or merge the class."
            ).format(label=repr(str(rare)))
        )
