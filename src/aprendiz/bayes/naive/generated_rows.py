"""New rows and the density of rows, for naive Bayes whose factors are distributions of one cell.

    p(x) = Σ_k π_k Π_j p_j(x_j | k)                                                                           (1)

A new row draws its class from π, then each cell from the distribution of its column in that class. Rows of small p(x) are
outliers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.naive.independent_columns import IndependentColumns
from aprendiz.core.parameters import refuse_count
from aprendiz.core.precision import double
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block


class GeneratedRows(IndependentColumns):
    """(1)."""

    @abstractmethod
    def draw_rows(self, owner: Array, random: np.random.Generator) -> Array:
        """A row for each number of a class."""

    def joint_density_function(self) -> Callable[[Block], Array]:
        """The function that gives log P(k, x) of a block, rows × classes, with what all classes share."""
        return self.log_joint_function()

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, whatever its class, from its known cells: small for outliers."""
        rows, log_joint = self.check_rows(self.new_rows(X)), self.joint_density_function()
        return rows.each(lambda block: logsumexp(log_joint(block), axis=1))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Array, Array]:
        """New rows and their classes."""
        owner, random = self.drawn_classes(n_samples, random_state)
        return self.draw_rows(owner, random), self.classes_[owner]

    def drawn_classes(self, n_samples: int, random_state: Any) -> tuple[Array, np.random.Generator]:
        """The number of the class of each new row, and the generator that goes on."""
        check_is_fitted(self)
        refuse_count("n_samples", n_samples)
        random = np.random.default_rng(draw_seed(random_state))
        prior = np.exp(double(self.log_prior()))
        return random.choice(len(self.classes_), n_samples, p=prior / prior.sum()), random


def drawn_codes(tables: list[Array], owner: Array, random: np.random.Generator) -> Array:
    """For each column, a code by the probabilities of the class of the row; `tables` are classes × codes."""
    columns = []
    for table in tables:
        ends = np.cumsum(table, axis=1)[owner]
        columns.append((random.uniform(size=(len(owner), 1)) * ends[:, -1:] >= ends).sum(axis=1))
    return np.column_stack(columns).astype(np.float64)
