"""The polynomial kernel: the inner product of all monomials of the columns up to a degree.

    K(x, z) = (γ·xᵀz + c)ᵈ,     c ≥ 0, d a natural number                                                      (1)
    φ(x)_k = √(d!/(k₀!·k₁!⋯) · γᵈ⁻ᵏ⁰ · cᵏ⁰) · Π x_jᵏʲ     for all k₀ + k₁ + … = d                                (2)

For two columns, d = 2 and c = 0: φ(x) = (x₁², √2·x₁x₂, x₂²). With a negative c or a broken d some coefficient of (2) would be
the root of a negative number, and (1) no inner product.

Cost of an entry: d multiplications for the inner product, however many monomials there are.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import Finite, ParameterError, Whole
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.gamma import gamma_of
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.power_of_products import fill_power
from aprendiz.kernel.gram.rounding import largest, product_error

MOST_CELLS = 10**8  # of a table of monomials


class Polynomial(Kernel):
    """K(x, z) = (γ·xᵀz + c)ᵈ.

    Parameters
    ----------
    degree : int, default=3
        d, a natural number.
    gamma : float, "scale" or "auto", default=1.0
        γ. "scale": 1/(number of columns · variance of all cells); "auto": 1/(number of columns).
    c : float, default=0.0
        A constant of at least 0. With c > 0 the monomials of lower degree take part too.

    Examples
    --------
    >>> Polynomial(2)([[1.0, 2.0], [3.0, 1.0]])
    array([[ 25.,  25.],
           [ 25., 100.]])
    >>> Polynomial(2).feature_map([[1.0, 2.0], [3.0, 1.0]]).round(4)
    array([[1.    , 2.8284, 4.    ],
           [9.    , 4.2426, 1.    ]])
    """

    def __init__(self, degree: Whole = 3, *, gamma: Finite | Literal["scale", "auto"] = 1.0, c: Finite = 0.0):
        self.degree = degree
        self.gamma = gamma
        self.c = c

    def on(self, X: Any) -> Self:
        super().on(X)
        return type(self)(self.degree, gamma=gamma_of(self.gamma, X), c=self.c)

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = products(P, Q, out)
        fill_power(found, float(self.gamma), float(self.c), int(self.degree))
        return found

    def diagonal_of(self, P: Points) -> Array:
        found: Array = P.squares[:, None].copy()
        fill_power(found, float(self.gamma), float(self.c), int(self.degree))
        return found.ravel()

    def rounding(self, P: Points, eps: float) -> float:
        """(a + δ)ᵈ − aᵈ ≤ d·|δ|·(a + |δ|)ᵈ⁻¹ with a = γ‖x‖² + c, the largest base."""
        a = float(self.gamma) * largest(P.squares) + self.c
        if a == 0.0 or self.degree == 0:
            return 0.0
        share = (float(self.gamma) * product_error(P, eps) + 2.0 * eps * a) / a
        return float(self.degree * (share + 2.0 * eps) * (1.0 + share) ** (self.degree - 1))

    def feature_map(self, X: Any) -> Array:
        """The monomials of (2), one column for each, in the order of `monomials`."""
        X = self.table(X)
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, np.float64)
        ready, (n, d) = self.on(X), X.shape
        count = comb(d + self.degree - (0 if self.c else 1), self.degree)
        if n * count > MOST_CELLS:
            raise ParameterError(
                f"Polynomial: {d} columns have {count} monomials of degree {self.degree}, too many to list for {n} rows; "
                "the kernel itself does not need them, and Nystroem approximates them by fewer columns."
            )
        found = np.empty((n, count))
        for place, powers in enumerate(ready.monomials(d)):
            chosen = [j for j in powers if j < d]
            ways = factorial(self.degree) / prod(factorial(powers.count(j)) for j in set(powers))
            constant = float(ready.gamma) ** len(chosen) * float(self.c) ** (self.degree - len(chosen))
            found[:, place] = np.sqrt(ways * constant) * np.prod(X[:, chosen], axis=1)
        return found

    def monomials(self, columns: int) -> list[tuple[int, ...]]:
        """The columns that each monomial multiplies; the number after the last column stands for the constant √c."""
        factors = range(columns + 1 if self.c else columns)
        return list(combinations_with_replacement(factors, self.degree))
