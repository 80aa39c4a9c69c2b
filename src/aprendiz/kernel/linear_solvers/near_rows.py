"""Rows that can change sides, and the sums of the others, which need not be read.

While a plane stays within a distance R of some plane θ₀, the score t of a row stays within ‖z‖R of t₀. A row whose score stays
on one side of its end, with the multiplier that belongs there, keeps it whatever the steepness (interval_loss.py):

    γ = 1,  t₀ + ‖z‖R < l      γ = 0,  l < t₀ − ‖z‖R,  t₀ + ‖z‖R < u      γ = −1,  u < t₀ − ‖z‖R                   (1)

Of these rows, the far ones, the sums are known at every θ within R:

    Σ c γ z = v,     Σ c γ e = g,     Σ c ℓ(t) = g − θᵀv,     and no curvature                                  (2)

Near the minimum some hundred rows of a million are near. They are kept in memory, wherever the others are. Cost: a pass over
all rows to tell them apart, two where they are read from a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Sums
from aprendiz.kernel.linear_solvers.interval_loss import STEPS, MarginSums, SlopesAlong

MANY = 8192  # rows, below which all are read
FEW, MOST_CELLS = 0.35, 2**22  # near rows, as a share of all, and cells of them, above which all are read


@dataclass(frozen=True)
class FarSums(Sums):
    """(2) of the far rows, their weight, how many rows are near, of how many, and their numbers if these are asked for."""

    weight: float
    gain: float
    v: Array
    near: int
    rows: int
    numbers: Array

    @classmethod
    def of(cls, theta: Array, scale: float, radius: float, numbered: bool, block: Block) -> FarSums:
        v, numbers = np.zeros(len(theta)), np.empty(len(block), np.int64)
        weight, gain, count = far_pass(block.X, block.y, block.weights, theta, scale, radius, v, numbers)
        return cls(weight, gain, v, count, len(block), block.start + numbers[: count if numbered else 0])

    def __add__(self, other: FarSums) -> FarSums:
        return FarSums(
            weight=self.weight + other.weight,
            gain=self.gain + other.gain,
            v=self.v + other.v,
            near=self.near + other.near,
            rows=self.rows + other.rows,
            numbers=np.concatenate([self.numbers, other.numbers]),
        )

    @property
    def worth_it(self) -> bool:
        """Whether the near rows are few."""
        return self.rows >= MANY and self.near <= FEW * self.rows and self.near * len(self.v) <= MOST_CELLS


@dataclass(frozen=True)
class NearTable(Sums):
    """The near rows of a block."""

    X: Array
    y: Array
    weight: Array

    @classmethod
    def of(cls, theta: Array, scale: float, radius: float, block: Block) -> NearTable:
        numbers = FarSums.of(theta, scale, radius, True, block).numbers - block.start
        return cls(block.X[numbers], block.y[numbers], block.weights[numbers])

    def __add__(self, other: NearTable) -> NearTable:
        return NearTable(*(np.concatenate([getattr(one, name) for one in (self, other)]) for name in ("X", "y", "weight")))


@dataclass(frozen=True)
class NearRows:
    """The near rows, with their multipliers, and the sums of the far ones."""

    rows: Rows  # in memory
    far: FarSums
    centre: Array
    radius: float

    @classmethod
    def of(cls, rows: Rows, theta: Array, scale: float, radius: float) -> Self | None:
        """(1) around θ; None if too many rows are near."""
        if rows.count is not None and rows.count < MANY:
            return None
        far = rows.sum(FarSums.of, theta, scale, radius, in_memory(rows))
        if not far.worth_it:
            return None
        if in_memory(rows):
            parts = (rows.X, rows.y, rows.weight)
            X, y, weight = (None if part is None else read_only(part[far.numbers]) for part in parts)
        else:
            table = rows.sum(NearTable.of, theta, scale, radius)
            X, y, weight = (read_only(part) for part in (table.X, table.y, table.weight))
        return cls(ArrayRows(X, y, weight), far, theta, radius)

    def share_within(self, theta: Array, delta: Array) -> float:
        """How much of a step from θ stays within R, from 0 to 1."""
        a, b = float(delta @ delta), float((theta - self.centre) @ delta)
        room = self.radius**2 - float((theta - self.centre) @ (theta - self.centre))
        if room <= 0.0:
            return 0.0
        if a + 2.0 * b <= room:
            return 1.0
        return float(room / (b + np.sqrt(b * b + a * room)))

    def margin_sums(self, theta: Array, scale: float, kappa: float) -> MarginSums:
        """Those of all rows."""
        far, none = self.far, np.zeros((len(theta), len(theta)))
        apart = MarginSums(far.weight, far.gain - float(theta @ far.v), far.gain, far.v, none, 0)
        return self.rows.sum(MarginSums.of, theta, scale, kappa, False) + apart if self.rows.count else apart

    def slopes(self, theta: Array, delta: Array, scale: float, kappa: float) -> Array:
        """Those of all rows, along a step within R."""
        apart = np.full(len(STEPS), float(delta @ self.far.v))
        return apart + self.rows.sum(SlopesAlong.of, theta, delta, scale, kappa, False).slopes if self.rows.count else apart

    def all_rows(self, rows: ArrayRows) -> ArrayRows:
        """The rows they were taken from, with the multipliers of the near ones."""
        assert rows.y is not None
        assert in_memory(self.rows)
        y = np.array(rows.y)
        y[self.far.numbers] = self.rows.y
        return rows.like(y=read_only(y))


@compiled
def far_pass(
    X: Array, ends: Array, weight: Array, theta: Array, scale: float, radius: float, v: Array, numbers: Array
) -> tuple[float, float, int]:
    """(1) and (2): weight and gain of the far rows, and how many are near; v and the numbers of the near ones are filled in."""
    n, d = X.shape
    total, gain, count = 0.0, 0.0, int64(0)
    for i in range(n):
        w, low, high, gamma = weight[i], ends[i, 0], ends[i, 1], ends[i, 2]
        t, square = scale * theta[d], scale * scale
        for j in range(d):
            t += theta[j] * X[i, j]
            square += X[i, j] * X[i, j]
        reach = radius * np.sqrt(square)
        far = gamma == 0.0 and t - reach > low and t + reach < high
        far = far or (gamma == 1.0 and t + reach < low) or (gamma == -1.0 and t - reach > high) or w == 0.0
        if not far:
            numbers[count] = i
            count += 1
            continue
        total += w
        if gamma != 0.0:
            gain += w * gamma * (low if gamma > 0.0 else high)
            for j in range(d):
                v[j] += w * gamma * X[i, j]
            v[d] += w * gamma * scale
    return total, gain, count
