"""Monomials: all products of powers of the columns, from one degree to another.

    x₁^e₁ · x₂^e₂ ⋯ x_d^e_d,     low ≤ e₁ + … + e_d ≤ high                                                    (1)

by degree, and within a degree in the order of their columns: 1, x₀, x₁, x₀², x₀x₁, x₁². With `interaction_only` no exponent
is above 1. Each one is its first column times a monomial that stands before it, so each costs one multiplication.

Cost: C(d + high, high) multiplications a row, C(d, 1) + … + C(d, high) with interactions only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array


def how_many(columns: int, low: int, high: int, interaction_only: bool, bias: bool) -> int:
    """The number of monomials (1), the constant 1 counted only as `bias`."""
    low = max(1, low)
    if interaction_only:
        return bias + sum(comb(columns, k) for k in range(low, min(high, columns) + 1))
    return bias + max(0, comb(columns + high, columns) - comb(columns + low - 1, columns))


@dataclass(frozen=True)
class Monomials:
    """(1) as products, the first of which is 1: number k is number `parent[k]` times column `factor[k]`."""

    products: tuple[tuple[int, ...], ...]  # their columns, in order
    parent: Array
    factor: Array
    kept: Array

    @staticmethod
    @lru_cache(maxsize=16)
    def of(columns: int, low: int, high: int, interaction_only: bool, bias: bool) -> Monomials:
        choose = combinations if interaction_only else combinations_with_replacement
        products = [product for k in range(high + 1) for product in choose(range(columns), k)]
        number = {product: k for k, product in enumerate(products)}
        parent = np.array([number[product[1:]] for product in products], np.intp)
        factor = np.array([product[0] if product else 0 for product in products], np.intp)
        kept = [k for k, product in enumerate(products) if (len(product) >= low if product else bias)]
        return Monomials(tuple(products), parent, factor, np.array(kept, np.intp))

    @property
    def number(self) -> int:
        return len(self.kept)

    def values(self, X: Array, start: int | None = None) -> Array:
        """The monomials of each row."""
        out = np.empty((len(X), len(self.kept)), X.dtype)
        multiply(X, self.parent, self.factor, self.kept, np.empty(len(self.parent), X.dtype), out)
        return out

    def names(self, columns: Sequence[str]) -> list[str]:
        """x0^2 x1, as scikit-learn writes them."""
        counted = (Counter(self.products[k]) for k in self.kept)
        powers = ((columns[j] if e == 1 else f"{columns[j]}^{e}" for j, e in one.items()) for one in counted)
        return [" ".join(one) or "1" for one in powers]


@compiled(exact=True)
def multiply(X: Array, parent: Array, factor: Array, kept: Array, room: Array, out: Array) -> None:
    """Each product from one before it; in `room`, if some of them are not wanted in the end."""
    whole = len(kept) == len(parent)
    for i in range(X.shape[0]):
        product = out[i] if whole else room
        product[0] = 1.0
        for k in range(1, len(parent)):
            product[k] = product[parent[k]] * X[i, factor[k]]
        if not whole:
            for c in range(len(kept)):
                out[i, c] = product[kept[c]]
