"""The uniform distribution over a finite set: each of its values is as probable.

    P(x) = 1/|S| for x in S, else 0;     ML:  S = the values that occur                                        (1)

The smaller the set, the more probable each value: n rows that all lie in S have the likelihood |S|^(−n). Among given sets
with prior weights, the posterior is that of a finite hypothesis space; the family has no conjugate prior of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.bayes.distributions.categorical import Categorical
from aprendiz.bayes.distributions.distribution import Drawable
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.label_counts import LabelCounts
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target


@dataclass(frozen=True, eq=False)
class FiniteUniform(Drawable, Family):
    """Each value of a set with the same probability.

    Parameters
    ----------
    values : array-like or set
        Words or numbers; one that is given twice counts once.
    """

    values: Any

    discrete = True

    def __post_init__(self) -> None:
        given = list(self.values) if isinstance(self.values, (set, frozenset, range)) else as_target(self.values)
        values = np.unique(LabelCounts.of(given).labels)
        if not len(values):
            raise ValueError("values of FiniteUniform is empty: give at least one value.")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n_parameters(self) -> int:
        """The values of the set."""
        return len(self)

    @property
    def mean(self) -> float:
        """Of values that are numbers."""
        return self.as_categorical().mean

    @property
    def variance(self) -> float:
        """Of values that are numbers."""
        return self.as_categorical().variance

    def as_categorical(self) -> Categorical:
        """The same distribution with its probabilities."""
        return Categorical(np.full(len(self), 1 / len(self)), self.values)

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> LabelCounts:
        """The values that occur."""
        return LabelCounts.of(x, weights)

    @classmethod
    def from_statistics(cls, statistics: LabelCounts) -> Self:
        """(1)."""
        insist_on_rows(float(statistics.counts.sum()))
        return cls(statistics.labels)

    def log_density(self, x: Any) -> Array:
        """−ln |S| for each value in the set, −∞ for any other, 0 for a missing one."""
        return self.as_categorical().log_density(x)

    def sample(self, n: int, seed: Any = None) -> Array:
        """n independent values."""
        return self.as_categorical().sample(n, seed)

    def points(self) -> Array:
        """The values."""
        return np.asarray(self.values)
