"""Cross-validation in k folds, with the same shares of the classes in each, and no group in two of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.splits import Split, refuse_few_rows
from aprendiz.locale import _


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
