"""Leave-one-out: each row, or each group, is tested by a learner of all the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.splits import Split
from aprendiz.locale import _


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
