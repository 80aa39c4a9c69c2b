"""Linear correlation of each column with a target of numbers.

    r = S_xy / √(S_xx S_yy),     F = r² / (1 − r²)·(n − 2)                                                    (1)

with the scatters of the known cells of the column and of the target in the same rows. Where column and target are independent
and one of them normal, F has an F distribution with 1 and n − 2 degrees of freedom. Two classes are numbers too, 0 and 1; more
have no order that r could speak of.

Sums are taken around a pivot inside each block (sums_of_rows.py) and added by Chan's formula:

    S_xy = S₁ + S₂ + (n₁n₂/n)·δ_x δ_y                                                                         (2)

Cost: one pass, O(n·d).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import SMALLEST_SQUARE, Sums
from aprendiz.selection.scores.column_chunks import sum_of_columns
from aprendiz.selection.scores.scored import Scored, rounding_of_sums, share_lost, tails_of_f
from aprendiz.selection.scores.sums_of_rows import (
    FEW,
    TILE,
    TURNED,
    add_rows,
    known_rows,
    mean_of_first,
    room_to_turn,
    turn_columns,
)


@dataclass(frozen=True)
class Covariation(Sums):
    """For each column: weight of the known cells, means of column and target as pivot and rest, and their scatters."""

    weight: Array
    x: Array
    x_rest: Array
    y: Array
    y_rest: Array
    xx: Array
    yy: Array
    xy: Array
    lost: Array  # the largest part that has cancelled in a scatter of a block, in scatters

    @classmethod
    def of(cls, columns: slice, block: Block) -> Self:
        width = columns.stop - columns.start
        pivot, weight, x, xx, y, yy, xy = (np.zeros(width) for _ in range(7))
        target = np.asarray(block.y, dtype=np.float64).reshape(len(block))
        rows, middle = np.flatnonzero(block.weights > 0), 0.0
        if len(rows):
            some = target[rows[:FEW]]
            middle = some[0] + (some - some[0]).mean()
            turned = room_to_turn(block)
            add_products(block.X, turned, target - middle, block.weights, rows, columns.start, pivot, weight, x, xx, y, yy, xy)
        total = np.where(weight > 0, weight, 1.0)
        xx, yy = np.maximum(xx - x * (x / total), 0.0), np.maximum(yy - y * (y / total), 0.0)
        lost = np.maximum(share_lost(x, weight, xx), share_lost(y, weight, yy))
        return cls(weight, pivot, x / total, np.full(width, middle), y / total, xx, yy, xy - x * (y / total), lost)

    def __add__(self, other: Self) -> Self:
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        mine, theirs = self.weight > 0, other.weight > 0
        both = mine & theirs
        dx = np.where(both, (other.x - self.x) + (other.x_rest - self.x_rest), 0.0)
        dy = np.where(both, (other.y - self.y) + (other.y_rest - self.y_rest), 0.0)
        part = self.weight * share
        return type(self)(
            weight,
            np.where(mine, self.x, other.x),
            np.where(mine, self.x_rest + share * dx, other.x_rest),
            np.where(mine, self.y, other.y),
            np.where(mine, self.y_rest + share * dy, other.y_rest),
            self.xx + other.xx + part * dx**2,
            self.yy + other.yy + part * dy**2,
            self.xy + other.xy + part * (dx * dy),  # (2)
            np.maximum(self.lost, other.lost),
        )

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.weight)

    @property
    def vanished_columns(self) -> Array:
        """Whether the squares of the column have lost their digits below the smallest double."""
        return (self.xx < SMALLEST_SQUARE) & ((self.xx > 0) | (self.x_rest != 0))

    @property
    def correlation(self) -> Array:
        """r of (1); NaN where column or target is constant."""
        with np.errstate(divide="ignore", invalid="ignore"):
            r = (self.xy / np.sqrt(self.xx)) / np.sqrt(self.yy)
        return np.clip(r, -1.0, 1.0)

    @property
    def rounding(self) -> Array:
        """How far r may be off."""
        return 3.0 * rounding_of_sums(self.weight) * (1.0 + 4.0 * self.lost)

    @property
    def cosine(self) -> Array:
        """The same around zero instead of the means."""
        x, y = self.x + self.x_rest, self.y + self.y_rest
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = np.sqrt(self.xx + self.weight * x * x) * np.sqrt(self.yy + self.weight * y * y)
            return np.clip((self.xy + self.weight * x * y) / squares, -1.0, 1.0)


def covariation(rows: Rows) -> Covariation:
    """The sums of all columns."""
    return sum_of_columns(rows, Covariation.of)


def analysis_of_regression(r: Array, free: Array, rounding: Array) -> Scored:
    """F of (1) and its p-value, with so many degrees of freedom; ∞ and 0 where column and target lie on a line."""
    with np.errstate(divide="ignore", invalid="ignore"):
        free = np.where(free > 0, free, np.nan)
        rest = (1.0 - r) * (1.0 + r)
        F = r**2 / rest * free
        steep = free * rounding * (2.0 * np.abs(r) + rounding) / rest**2
        return Scored(F, tails_of_f(1.0, free, F), np.where(np.isfinite(F), steep, 0.0))


@compiled
def add_products(
    X: Array,
    turned: Array | None,
    t: Array,
    w: Array,
    rows: Array,
    low: int,
    pivot: Array,
    weight: Array,
    x: Array,
    xx: Array,
    y: Array,
    yy: Array,
    xy: Array,
) -> None:
    """Pivots of the columns from `low` on, as many as there are pivots, and around them Σ w, Σ w z, Σ w z², Σ w t, Σ w t² and
    Σ w z t over some rows, where t is the target around its own pivot."""
    for start in range(0, len(pivot), TILE if turned is None else TURNED):
        if turned is not None:
            tile = slice(start, min(start + TURNED, len(pivot)))
            turn_columns(X, low + start, tile.stop - start, turned)
            mean_of_first(turned, rows, 0, pivot[tile])
            add_rows(turned, w, t, rows, 0, pivot[tile], x[tile], xx[tile], xy[tile])
        else:
            tile = slice(start, min(start + TILE, len(pivot)))
            mean_of_first(X, rows, low + start, pivot[tile])
            add_rows(X, w, t, rows, low + start, pivot[tile], x[tile], xx[tile], xy[tile])
    total, first, second = target_sums(t, w, rows)
    some = np.empty(len(rows), np.int64)
    for j in range(len(pivot)):
        weight[j], y[j], yy[j] = total, first, second
        if not np.isfinite(x[j]):
            known = some[: known_rows(X, rows, low + j, some)]
            pivot[j] = x[j] = xx[j] = xy[j] = 0.0
            weight[j], y[j], yy[j] = target_sums(t, w, known)
            if len(known):
                one = slice(j, j + 1)
                mean_of_first(X, known, low + j, pivot[one])
                add_rows(X, w, t, known, low + j, pivot[one], x[one], xx[one], xy[one])


@compiled(inner=True)
def target_sums(t: Array, w: Array, rows: Array) -> tuple[float, float, float]:
    """Σ w, Σ w t and Σ w t² over some rows."""
    total = first = second = 0.0
    for i in rows:
        total += w[i]
        first += w[i] * t[i]
        second += (w[i] * t[i]) * t[i]
    return total, first, second
