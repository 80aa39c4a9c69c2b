"""The rows themselves, as a record: what is smallest while there are fewer of them than columns.

    z = √w·(x − pivot),     Σ w, Σ w (x − pivot) and the scatter of the columns follow from z and √w            (1)

Records add by putting rows beside rows. When there are more of them than columns, their sum is a triangle (moments.py).

Memory: n·d.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.summaries.moments import Moments, Triangle, reduce_rows


@dataclass(frozen=True)
class FewRows(Sums):
    """z and √w of (1), in the pieces in which they came, of the rows with a weight above 0."""

    pieces: tuple[Array, ...]
    roots: tuple[Array, ...]
    pivot: Array

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        """Of the features."""
        X, _, weight = block.X, block.y, block.weight
        if weight is None:
            return cls((X - pivot,), (np.ones(len(X)),), pivot)
        counted = weight > 0
        roots = np.sqrt(weight[counted].astype(np.float64))
        return cls(((X[counted] - pivot) * roots[:, None],), (roots,), pivot)

    def __add__(self, other: FewRows | Triangle | Moments) -> Any:
        if not isinstance(other, FewRows):
            return self.triangle() + other
        if self.rows + other.rows > self.columns:
            return self.triangle() + other.triangle()
        near = other.around(self.pivot)
        return FewRows(self.pieces + near.pieces, self.roots + near.roots, self.pivot)

    def __radd__(self, other: Any) -> Any:
        return other + self.triangle()

    def around(self, pivot: Array) -> FewRows:
        """The same rows around another pivot."""
        if self.pivot is pivot or np.array_equal(self.pivot, pivot):
            return self
        pairs = zip(self.pieces, self.roots, strict=True)
        return FewRows(tuple(Z + root[:, None] * (self.pivot - pivot) for Z, root in pairs), self.roots, pivot)

    def triangle(self) -> Triangle:
        """The same as a triangle."""
        Z = np.column_stack([np.concatenate(self.roots), np.concatenate(self.pieces)])
        return Triangle(reduce_rows(Z, self.columns), self.pivot, None, self.rows)

    def centred(self) -> Array:
        """√w·(x − mean), one row under the other."""
        root = np.concatenate(self.roots)
        return np.concatenate(self.pieces) - root[:, None] * self.offset

    @property
    def finite(self) -> bool:
        """Has no square overflowed?"""
        return all(np.isfinite(np.vdot(Z, Z)) for Z in self.pieces)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.pivot)

    @property
    def rows(self) -> int:
        """That count, whatever they weigh."""
        return sum(map(len, self.roots))

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(sum(root @ root for root in self.roots))

    @property
    def first(self) -> Array:
        """Σ w (x − pivot)."""
        return np.asarray(sum(root @ Z for root, Z in zip(self.roots, self.pieces, strict=True)))

    @property
    def offset(self) -> Array:
        """mean − pivot."""
        return self.first / max(self.weight, np.finfo(float).tiny)

    @property
    def mean(self) -> Array:
        """Mean of each column."""
        return self.pivot + self.offset
