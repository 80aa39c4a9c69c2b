"""Cross-validation in k folds, several times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aprendiz.core.rows import Array
from aprendiz.evaluation import KFolds
from aprendiz.evaluation.folds.splits import Split
from aprendiz.locale import _


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
