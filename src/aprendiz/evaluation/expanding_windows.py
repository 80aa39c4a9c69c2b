"""Expanding windows, for rows in the order of time: each part is tested by a learner of all the rows before it.

    rows:   1 … n/(k+1) │ next part │ next part │ …
    fold 1  trains        tests
    fold 2  trains        trains      tests

No row is predicted from later ones. With groups, training rows of a group that is tested are left out. A part before which
there is a single class is not tested, for nothing can be learned before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.splits import Split
from aprendiz.locale import _, ngettext


@dataclass(frozen=True)
class ExpandingWindows:
    """Each of k parts of rows in order is tested by a learner of all the rows before it, if these hold two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz.evaluation import ExpandingWindows
    >>> for train, test in ExpandingWindows(3).splits(np.zeros(8), None, False):
    ...     print(train, test)
    [0 1] [2 3]
    [0 1 2 3] [4 5]
    [0 1 2 3 4 5] [6 7]
    """

    k: int = 5

    def __post_init__(self) -> None:
        if not (isinstance(self.k, (int, np.integer)) and not isinstance(self.k, bool) and self.k >= 1):
            raise ParameterError(f"k of ExpandingWindows must be a whole number of at least 1, got {self.k!r}.")

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        if len(y) <= self.k:
            raise ValueError(
                _("{k} windows need at least {least} rows, but there are {found}: use fewer folds.").format(
                    k=self.k, least=self.k + 1, found=len(y)
                )
            )
        found, borders = 0, len(y) - len(y) // (self.k + 1) * np.arange(self.k, -1, -1)
        for start, stop in pairwise(borders.tolist()):
            train, test = np.arange(start), np.arange(start, stop)
            if groups is not None:
                train = train[~np.isin(groups[train], groups[test])]
            if len(train) and (not by_class or len(np.unique(y[train])) > 1):
                found += 1
                yield train, test
        if not found:
            raise ValueError(
                _(
                    "Before the last rows in order of time there is a single class, so nothing can be learned: "
                    "choose other folds."
                )
            )

    def __str__(self) -> str:
        return ngettext(
            "{k} window, trained on the rows before it",
            "{k} windows in order of time, each trained on the rows before it",
            self.k,
        ).format(k=self.k)
