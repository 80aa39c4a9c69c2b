"""Squares of the columns around the pivot and around the mean: what a scale is made of, and what rounding may have taken.

    a_j = Σ w (x_j − p_j)²,     b_j = Σ w (x_j − m_j)²,     ρ_j = ε·t·a_j/b_j       lost of b_j, at most          (1)

A sum of t terms of one sign is off by at most ε·t of it: more is lost, the farther the pivot p is from the mean m.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import MOST_ROWS, Array
from aprendiz.core.sums import Spread
from aprendiz.decomposition.spectrum.few_rows import FewRows
from aprendiz.summaries.moments import Moments, Triangle

Record = Moments | Triangle | FewRows
LEAST = 1e-280  # sums of squares below which some of the squares may have lost their digits
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True)
class ColumnSquares:
    """a_j, b_j and t of (1), and Σ w (x_j − p_j)."""

    around: Array
    within: Array
    first: Array
    terms: float

    @classmethod
    def of(cls, record: Record | Spread) -> Self:
        if isinstance(record, Spread):
            around, within, first, rows = record.second, record.scatter, record.first, int(record.known.max())
        elif isinstance(record, FewRows):
            around = np.asarray(sum(np.einsum("ij,ij->j", Z, Z) for Z in record.pieces))
            first, rows = record.first, record.rows
            within = np.maximum(around - first * record.offset, 0.0)
        elif isinstance(record, Moments):
            around, within = np.diagonal(record.gram)[1:], np.diagonal(record.scatter)
            first, rows = record.gram[0, 1:], record.rows
        else:
            around, within = (record.R[:, 1:] ** 2).sum(axis=0), (record.R[1:, 1:] ** 2).sum(axis=0)
            first, rows = record.R[0, 1:], record.rows
        return cls(around, within, first, 8.0 + min(rows, MOST_ROWS) / 2.0 + record.columns)

    def deviations(self, weight: float | Array) -> Array:
        """√(b_j/(n − 1)), and 1 where a column is constant but for rounding."""
        varies = self.within > EPSILON * self.terms * self.around
        return np.where(varies, np.sqrt(self.within / np.maximum(weight - 1.0, 1.0)), 1.0)

    def lost(self, scale: Array | None) -> float:
        """What rounding may have done to the scatter of the columns, divided by their scale, as a part of the whole; infinite
        where squares leave the range of doubles."""
        if not self.around.any():
            return np.inf if self.first.any() else 0.0  # squares that vanished, or rows that are all alike
        if not self.in_range(scale):
            return np.inf
        unit = 1.0 if scale is None else scale**2
        size, total = float((self.around / unit).sum()), float((self.within / unit).sum())
        return EPSILON * self.terms * size / total if total > 0 else np.inf

    def in_range(self, scale: Array | None) -> bool:
        """Are the squares ordinary numbers: those of all columns together, or of each one that is divided by its own?"""
        if scale is None:
            return LEAST < float(self.within.sum()) < 1 / LEAST
        some = self.around[(self.around > 0) | (self.first != 0)]
        return bool(((some > LEAST) & (some < 1 / LEAST)).all())
