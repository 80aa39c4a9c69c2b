"""Holdout: some rows are set apart and tested once. The other protocols are told in folds/splits.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.splits import Split
from aprendiz.locale import _, percent


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
