"""B-splines: smooth bumps of piecewise polynomials that sum to 1, a basis of all splines with the given knots.

On knots t₀ < t₁ < …, by the recursion of Cox and de Boor,

    B_{i,0}(x) = 1 if t_i ≤ x < t_{i+1}, else 0
    B_{i,p}(x) = (x − t_i)/(t_{i+p} − t_i) · B_{i,p−1}(x) + (t_{i+p+1} − x)/(t_{i+p+1} − t_{i+1}) · B_{i+1,p−1}(x)      (1)
    B'_{i,p}   = p·( B_{i,p−1}/(t_{i+p} − t_i) − B_{i+1,p−1}/(t_{i+p+1} − t_{i+1}) )                                    (2)

At any x only p + 1 of them are not zero. k knots over the data are continued by p more on either side, at the distance of the
outermost two, which gives k + p − 1 splines; around a period, k − 1 splines.

Beyond the knots the splines stay at their last value ("constant"), go on along their tangent ("linear", by (2)) or as their
polynomials ("continue"), repeat ("periodic"), or the value is refused ("error").

Cost: O(p²) a value.
Reference: de Boor, "A practical guide to splines", revised ed., 2001, chapter X.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Splines:
    """The B-splines of one column; without `all`, the last one is left out, and 1 is no longer a sum of them."""

    knots: Array
    degree: int
    extrapolation: str
    all: bool

    @property
    def number(self) -> int:
        around = self.extrapolation == "periodic"
        return len(self.knots) - 1 + (0 if around else self.degree) - (not self.all)

    def values(self, x: Array, start: int | None = None) -> Array:
        """(1) at each x."""
        low, high = self.knots[0], self.knots[-1]
        outside = (x < low) | (x > high)
        if self.extrapolation == "error" and outside.any():
            row = int(np.flatnonzero(outside)[0])
            where = "" if start is None else f" in row {start + row}"
            raise ValueError(
                f"The value {x[row]:.6g}{where} lies beyond the knots, {low:.6g} to {high:.6g}: "
                'leave the row out, or choose another extrapolation, such as "constant".'
            )
        inside = np.asarray(x, dtype=np.float64)
        if self.extrapolation == "periodic":
            inside = low + np.remainder(inside - low, high - low)
        elif self.extrapolation != "continue":
            inside = np.clip(inside, low, high)
        B = np.zeros((len(x), self.number + (not self.all)))
        add_splines(inside, self.extended_knots(), self.degree, B)
        if self.extrapolation == "linear" and outside.any():
            first, last = self.slopes()
            beyond = (x - inside)[outside, None]
            B[outside] += beyond * np.where(beyond < 0, first, last)
        return B if self.all else B[:, :-1]

    def extended_knots(self) -> Array:
        """The knots with those that are added on either side."""
        t, p = self.knots, self.degree
        around = self.extrapolation == "periodic"
        if len(t) < (max(2, p + 1) if around else 2):
            raise ValueError(f"{len(t)} knots are too few for splines of degree {p}: give more.")
        if around:
            period = t[-1] - t[0]
            return np.concatenate([t[-(p + 1) : -1] - period, t, t[1 : p + 1] + period])
        steps = np.arange(1, p + 1)
        return np.concatenate([t[0] - (steps * (t[1] - t[0]))[::-1], t, t[-1] + steps * (t[-1] - t[-2])])

    def slopes(self) -> tuple[Array, Array]:
        """(2) at the first knot and at the last, where the splines of the outer intervals end."""
        t, p = self.extended_knots(), self.degree
        found = np.zeros((2, len(t) - p - 1))
        for slope, x, m in zip(found, (self.knots[0], self.knots[-1]), (p, len(t) - p - 2), strict=True):
            lower = np.zeros(len(t) - p)
            if p > 0:
                lower[m - p + 1 : m + 1] = splines_at(x, m, t, p - 1, np.empty(p))
                share = p * lower / np.maximum(t[p:] - t[: len(t) - p], np.finfo(float).tiny)
                slope += share[:-1] - share[1:]
        return found[0], found[1]

    def names(self, column: str) -> list[str]:
        """As scikit-learn's SplineTransformer has them."""
        return [f"{column}_sp_{i}" for i in range(self.number)]


@compiled
def splines_at(x: float, m: int, t: Array, p: int, B: Array) -> Array:
    """(1) at an x of the interval m: B of the splines m − p to m."""
    B[0] = 1.0
    for j in range(1, p + 1):
        saved = 0.0
        for r in range(j):
            right, left = t[m + r + 1], t[m + 1 - j + r]
            share = B[r] / (right - left)
            B[r] = saved + (right - x) * share
            saved = (x - left) * share
        B[j] = saved
    return B


@compiled
def add_splines(x: Array, t: Array, p: int, out: Array) -> None:
    """(1) at each x, added to the columns of the splines; beyond the last column they begin again."""
    last = len(t) - p - 2
    B = np.empty(p + 1)
    for i in range(len(x)):
        m, above = p, last + 1
        while above - m > 1:  # the interval m of x, an outer one if x is beyond the knots
            middle = (m + above) // 2
            if t[middle] <= x[i]:
                m = middle
            else:
                above = middle
        splines_at(x[i], m, t, p, B)
        for r in range(p + 1):
            out[i, (m - p + r) % out.shape[1]] += B[r]
