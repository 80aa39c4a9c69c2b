"""The factors of naive Bayes: what each cell of a row says for each class, their logarithms, draws, and the table of one row.

    gaussian              log p = −½ [log 2πσ² + (x − μ)²/σ²]                                                 (1)
    Student               log p = c − (ν + 1)/2 · log[1 + (x − μ)²/(ν·s²)]                                    (2)
    bernoulli             log p = log θ or log(1 − θ)                                                         (3)
    poisson               log p = x·log λ − λ − log x!                                                        (4)
    negative binomial     log p = log Γ(x + r) − log Γ(r) − log x! + r·log β/(β + 1) − x·log(β + 1), r = β·λ  (5)

c makes (2) a density. A cell that is missing has the factor 1. Rows are drawn by the inverse distribution functions.

Cost: O(n·d·K) for n rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma
from typing import Any

import numpy as np
from scipy import special, stats

from aprendiz.bayes.naive.class_counts import add_logarithms
from aprendiz.bayes.naive.independent_columns import log_posterior
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

GAUSSIAN, STUDENT, BERNOULLI, POISSON, NEGATIVE_BINOMIAL = range(5)
LAST_BIT = 2.0**-54  # half a step of the uniform numbers, so that none of them is 0


@dataclass(frozen=True)
class ColumnFactors:
    """The distributions of the columns of numbers (classes × columns), and a table of log θ for each column of categories."""

    families: Sequence[str]
    theta: Array
    var: Array
    strength: Array | None  # ν of (2) and β of (5), which average over the parameters
    tables: Sequence[Array]

    def __call__(self, numbers: Array, codes: Array) -> Array:
        """Σ_j log p_j(x_j | k) of some rows, rows × classes."""
        total = np.zeros((len(numbers), len(self.theta)))
        add_factors(numbers, *self.coefficients, total)
        if self.tables:
            add_logarithms(codes, *self.logarithms, total)
        return total

    @cached_property
    def logarithms(self) -> tuple[Array, Array, Array]:
        """The tables one under the other, categories × classes, and where each begins and ends."""
        ends = np.cumsum([table.shape[1] for table in self.tables])
        return np.ascontiguousarray(np.hstack(self.tables).T), np.concatenate([[0], ends[:-1]]), ends

    @cached_property
    def coefficients(self) -> tuple[Array, Array, Array, Array, Array]:
        """The number of the family of each column, and four coefficients of it, columns × classes."""
        kinds, found = np.zeros(len(self.families), np.int64), np.zeros((4, *self.theta.shape))
        for family in set(self.families):
            at = np.flatnonzero([one == family for one in self.families])
            strength = None if self.strength is None else self.strength[:, at]
            kinds[at], *coefficients = coefficients_of(family, self.theta[:, at], self.var[:, at], strength)
            found[:, :, at] = coefficients
        a, b, c, e = (np.ascontiguousarray(one.T) for one in found)
        return kinds, a, b, c, e

    def draw_number(self, column: int, k: Array, u: Array) -> Array:
        """Cells of a column of numbers in the classes k, from uniform numbers."""
        family, theta = self.families[column], self.theta[k, column]
        beta = None if self.strength is None else self.strength[k, column]
        u = u + LAST_BIT
        if family == "bernoulli":
            return np.where(u > 1.0 - theta, 1.0, 0.0)
        if family == "poisson":
            return (
                stats.poisson.ppf(u, theta) if beta is None else stats.nbinom.ppf(u, least(beta * theta), beta / (beta + 1.0))
            )
        z = special.ndtri(u) if beta is None else special.stdtrit(beta, u)
        return np.asarray(theta + np.sqrt(self.var[k, column]) * z)

    def draw_code(self, column: int, k: Array, u: Array) -> Array:
        """Codes of a column of categories in the classes k, from uniform numbers."""
        below = np.cumsum(np.exp(self.tables[column]), axis=1)[:, :-1]
        return np.asarray((u[:, None] >= below[k]).sum(axis=1))


def coefficients_of(family: str, theta: Array, var: Array, strength: Array | None) -> tuple[Any, ...]:
    """What `add_factors` needs of the columns of a family: its number, and four coefficients, classes × columns."""
    none = np.zeros_like(theta)
    with np.errstate(divide="ignore"):
        if family == "bernoulli":
            return BERNOULLI, np.log(theta), np.log1p(-theta), none, none
        if family == "poisson" and strength is None:
            return POISSON, np.log(theta), theta, none, none
        if family == "poisson":
            assert strength is not None
            r = least(strength * theta)
            constant = r * np.log(strength / (strength + 1.0)) - special.gammaln(r)
            return NEGATIVE_BINOMIAL, -np.log(strength + 1.0), constant, r, none
    if strength is None:
        return GAUSSIAN, theta, 1.0 / var, np.log(2.0 * np.pi * var), none
    half = (strength + 1.0) / 2.0
    constant = special.gammaln(half) - special.gammaln(strength / 2.0) - 0.5 * np.log(np.pi * strength * var)
    return STUDENT, theta, 1.0 / (strength * var), constant, half


def least(r: Array) -> Array:
    """Events of (5), above 0: a column of zeros has a distribution too."""
    return np.maximum(r, 1e-300)


@compiled
def add_factors(X: Array, kind: Array, a: Array, b: Array, c: Array, e: Array, total: Array) -> None:
    """Add (1) to (5) of each known cell, for all classes; the coefficients have a row for each column."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            x = float(X[i, j])
            if x != x:
                continue
            for k in range(total.shape[1]):
                if kind[j] == GAUSSIAN:
                    z = x - a[j, k]
                    total[i, k] -= 0.5 * (c[j, k] + z * z * b[j, k])
                elif kind[j] == STUDENT:
                    z = x - a[j, k]
                    total[i, k] += c[j, k] - e[j, k] * np.log1p(z * z * b[j, k])
                elif kind[j] == BERNOULLI:
                    total[i, k] += a[j, k] if x == 1.0 else b[j, k]
                elif kind[j] == POISSON:
                    total[i, k] += (x * a[j, k] if x > 0.0 else 0.0) - b[j, k] - lgamma(x + 1.0)
                else:
                    total[i, k] += lgamma(x + c[j, k]) + x * a[j, k] + b[j, k] - lgamma(x + 1.0)


# ---- one row -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FactorTable:
    """The factors of one row, as one writes them down: prior, a factor for each known cell, product, posterior.

    Attributes
    ----------
    classes : tuple
    log_prior : ndarray of shape (n_classes,)
    cells : tuple of (column, value)
        The known cells of the row.
    log_factors : ndarray of shape (n_cells, n_classes)
        log p_j(x_j | k); of measurements it is a density, which may be above 0.
    """

    classes: tuple[Any, ...]
    log_prior: Array
    cells: tuple[tuple[Any, Any], ...]
    log_factors: Array

    @property
    def factors(self) -> Array:
        return np.exp(self.log_factors)

    @property
    def log_product(self) -> Array:
        """log P(k, x), which does not vanish however many the factors."""
        return np.asarray(self.log_prior + self.log_factors.sum(axis=0))

    @property
    def product(self) -> Array:
        """P(k, x)."""
        return np.exp(self.log_product)

    @property
    def posterior(self) -> Array:
        """P(k | x); the prior, where no class allows the row."""
        found = np.exp(log_posterior(self.log_product[None].copy()))[0]
        return np.exp(self.log_prior) if np.isnan(found).any() else found

    def lines(self) -> list[tuple[str, Array]]:
        """Every line of the table: its name, and the logarithm of its numbers."""
        factors = [
            (f"{name} = {format_cell(value)}", logs) for (name, value), logs in zip(self.cells, self.log_factors, strict=True)
        ]
        with np.errstate(divide="ignore"):
            last = [("product", self.log_product), ("posterior", np.log(self.posterior))]
        return [("prior", self.log_prior), *factors, *last]

    def frame(self) -> Any:
        """A pandas frame: a row for each factor, a column for each class."""
        import pandas as pd

        names, logs = zip(*self.lines(), strict=True)
        return pd.DataFrame(np.exp(np.array(logs)), index=list(names), columns=list(self.classes))

    def __str__(self) -> str:
        rows = [["", *map(str, self.classes)], *([name, *map(from_log, logs)] for name, logs in self.lines())]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        texts = ([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows)
        return "\n".join("  ".join(cells) for cells in texts)


def format_cell(value: Any) -> str:
    """A cell as one writes it."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def from_log(log: float) -> str:
    """Four digits of a number whose logarithm is given; it may be too small to be stored."""
    if np.isneginf(log) or abs(log) < 690.0:
        return f"{np.exp(log):.4g}"
    whole, rest = divmod(log / np.log(10.0), 1.0)
    return f"{10.0**rest:.3f}e{int(whole):+d}"
