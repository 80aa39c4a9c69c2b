"""Scores of a graph that are sums over its families: how well a node follows from its parents, and what that costs.

With N_jk the rows (or their weight) in which the parents of a node have their j-th configuration and the node its level k,
N_j = Σ_k N_jk, n the weight of all rows, r levels of the node and q configurations of its parents:

    log-likelihood     Σ_jk N_jk ln N_jk − Σ_j N_j ln N_j                                                      (1)
    AIC, BIC           (1) − c·(r − 1)·q,      c = 1,  c = ½ ln n                                              (2)
    K2, BDeu           Σ_jk t(N_jk, β) − Σ_j t(N_j, r·β),      t(m, β) = ln Γ(m + β) − ln Γ(β),                (3)
                       the marginal likelihood of a Dirichlet prior with β = 1, and with β = α / (r·q)

The signs are those of bnlearn: the larger, the better. All are Σ_jk t(N_jk) − Σ_j t(N_j) − penalty with t(m, 0) = m ln m. The
terms are rounded to whole multiples of 2⁻ˢ and added as whole numbers. A sum has then the same bits in any order of the cells,
so it does not matter by which way a search comes to a family, nor where it was interrupted; and families with the same score,
such as those of a → b and b → a, are equal to the last bit. The power s leaves the sum of all terms below 2⁶⁰, and so every
penalty that cannot be avoided.

References: Cooper & Herskovits, "A Bayesian method for the induction of probabilistic networks from data", Machine Learning 9,
1992; Heckerman, Geiger & Chickering, "Learning Bayesian networks", Machine Learning 20, 1995.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.parameters import Within
from aprendiz.core.rows import Array
from aprendiz.graphical.structure.distinct_rows import DistinctRows

ScoreName = Literal["loglik", "aic", "bic", "k2", "bdeu"]
PriorRows = Annotated[float, Within(1e-6, 1e6)]  # α of BDeu: ln Γ has digits enough for (3) there
LARGEST_SUM = 60  # power of two above the sum of all terms
REFUSED = -(2**62)  # the score of a family that is too large to be considered
MOST_CELLS = 2**50  # of a family: whole numbers that doubles hold
LOOKED_UP = 2**22  # counts of rows whose terms are looked up
NO_TABLE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class FamilyScore:
    """A score for `rows` different rows of total weight `weight` (the smallest is `least`; are all whole?), columns of up to so
    many levels, and families of which one that no search can leave out has so many free `parameters`."""

    name: ScoreName
    alpha: float
    rows: int
    weight: float
    least: float
    whole: bool
    levels: int
    parameters: int

    @classmethod
    def of(cls, name: ScoreName, alpha: float, rows: DistinctRows, parameters: int = 0) -> Self:
        """The score for these rows."""
        weight, least = rows.weight, float(rows.weights.min(initial=math.inf))
        if name == "bic" and weight < 1:
            raise ValueError(
                f"sample_weight: the weights sum to {weight:g}, which BIC takes for the number of rows: it must be at least 1. "
                "Scale them so that their sum is the number of rows."
            )
        return cls(name, alpha, len(rows.weights), weight, least, rows.whole, int(rows.sizes.max()), parameters)

    @property
    def bayesian(self) -> bool:
        """Is it a marginal likelihood (3)?"""
        return self.name in ("k2", "bdeu")

    @cached_property
    def size(self) -> float:
        """A bound of the sum of all terms t in size."""
        if self.bayesian:
            prior = math.log(MOST_CELLS) + abs(math.log(self.alpha))
            return self.rows * prior + self.weight * (math.log(self.weight + self.alpha + 2.0**21) + 1.0)
        return self.weight * (max(abs(math.log(self.weight)), abs(math.log(self.least))) + 1.0)

    @cached_property
    def power(self) -> int:
        """s."""
        return LARGEST_SUM - math.frexp(max(self.size, self.each * self.parameters))[1]

    @cached_property
    def terms(self) -> Array:
        """t(m, 0) for m = 0, 1, …, n, where rows are counted and there are not too many."""
        if self.bayesian or not self.whole or self.weight > LOOKED_UP:
            return NO_TABLE
        m = np.arange(1.0, self.weight + 1.0)
        return np.concatenate([[0], np.floor(np.ldexp(m * np.log(m), self.power) + 0.5).astype(np.int64)])

    def pseudo_counts(self, levels: int, configurations: Array) -> Array:
        """β of the cells and r·β of the configurations in (3), a row for each number of configurations; zeros for (1)."""
        found = np.zeros((len(configurations), 2))
        if self.name == "bdeu":
            found[:, 0], found[:, 1] = self.alpha / (configurations * levels), self.alpha / configurations
        elif self.name == "k2":
            found[:, 0], found[:, 1] = 1.0, levels
        return found

    def penalty(self, levels: int, configurations: Any) -> Any:
        """What (2) takes off, in units, for each number of configurations."""
        return (levels - 1) * configurations * self.per_parameter

    def is_too_large(self, levels: int, configurations: Any) -> Any:
        """Is a family so large that a search leaves it out? Its table is beyond count, or its penalty above twice all terms
        together: one parent less takes half of it off, which is more than that parent can explain."""
        above = (levels - 1.0) * configurations * self.per_parameter >= 2.0 ** (LARGEST_SUM + 1)
        return above | (configurations > MOST_CELLS // levels)

    @property
    def each(self) -> float:
        """c of (2); 0 where there is no penalty."""
        return {"aic": 1.0, "bic": 0.5 * math.log(self.weight)}.get(self.name, 0.0)

    @cached_property
    def per_parameter(self) -> int:
        """c of (2) in units."""
        return round(math.ldexp(self.each, self.power))

    def value(self, units: int) -> float:
        """A sum of scores as a number."""
        return math.ldexp(units, -self.power)

    @cached_property
    def rounding(self) -> float:
        """How far the score of a family may lie from the exact one, at most: sums of weights that are not whole, logarithms
        that are right to a few units in their last place, terms and penalty that are rounded to units. (Families whose penalty
        is larger than all terms are left out: they are not close to any other.)"""
        eps, terms = float(np.finfo(float).eps), self.size
        if self.bayesian:
            reach = self.weight + self.alpha + (self.rows * (self.levels + 1.0) if self.name == "k2" else 0.0)
            terms += reach * (math.log(reach + 2.0) + 1.0)
        parameters = self.parameters + (2.0 * self.size / self.each if self.each else 0.0)
        sums = 0.0 if self.whole else 2.0 * self.rows
        return (16.0 + sums) * eps * terms + math.ldexp(2.0 * self.rows + parameters, -self.power)


@compiled(exact=True)
def sum_of_counts(counts: Array, beta: float, power: int, terms: Array) -> int:
    """Σ t(m, β) of some counts, in units."""
    scale, units, at_zero = 2.0**power, int64(0), math.lgamma(beta) if beta > 0.0 else 0.0
    for m in counts:
        if m > 0:
            units += terms[int64(m)] if len(terms) else rounded_term(float(m), beta, at_zero, scale)
    return units


@compiled(exact=True)
def sum_of_terms(table: Array, levels: int, beta: float, beta_row: float, power: int, terms: Array) -> int:
    """Σ_jk t(N_jk, β) − Σ_j t(N_j, r·β) of a table whose rows have so many levels, in units."""
    scale, units = 2.0**power, int64(0)
    cell_zero = math.lgamma(beta) if beta > 0.0 else 0.0
    row_zero = math.lgamma(beta_row) if beta > 0.0 else 0.0
    for j in range(0, len(table), levels):
        total = table[j]
        total -= total
        for k in range(j, j + levels):
            m = table[k]
            if m > 0:
                total += m
                units += terms[int64(m)] if len(terms) else rounded_term(float(m), beta, cell_zero, scale)
        if total > 0:
            units -= terms[int64(total)] if len(terms) else rounded_term(float(total), beta_row, row_zero, scale)
    return units


@compiled(exact=True, inner=True)
def rounded_term(m: float, beta: float, at_zero: float, scale: float) -> int:
    """t(m, β), rounded."""
    t = m * math.log(m) if beta == 0.0 else math.lgamma(m + beta) - at_zero
    return int64(math.floor(t * scale + 0.5))
