"""The part of a table that its first singular vectors span, from a few passes over the rows.

A block of directions is multiplied by XᵀX in each pass, and what they have come to holds the largest singular values:

    Q ← orthonormal(XᵀX Q),     then σ² and b from QᵀXᵀXQ,     XB = (σ_1 a_1, …, σ_l a_l),     X ≈ (XB)Bᵀ     (1)

Cost: 4·(k + 10) operations a cell and pass. Memory: k + 10 numbers for each row and column; without XB, for each column.
Reference: Halko, Martinsson & Tropp, "Finding structure with randomness", SIAM Review 53, 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.products import times, turned
from aprendiz.kernel.solvers.tiles import runs

PASSES, MORE = 4, 10  # of (1), and directions beside the k
ROUGH = 2  # passes where the table is seldom read, so that each counts, and the factors leave the start far behind
FEW = 4  # times as many columns as directions, up to which all directions are taken
LARGE, CHEAPER = 2**20, 4  # cells of a table, and times that its products cost more, from which on those of the part save time
RUN = 2**14  # rows that are turned at a time
STREAM = 2**42  # of random numbers


@dataclass(frozen=True)
class SingularPart:
    """σ, and XB and B of (1), a column for each direction, the largest σ first."""

    values: Array
    of_rows: Array
    of_columns: Array

    @classmethod
    def of(cls, rows: Rows, k: int, seed: int, passes: int = ROUGH) -> Self:
        """k + 10 directions; of few columns, all."""
        Q = directions(rows, k, seed, passes)
        Z = rows.each(lambda block: times(block.X, Q))
        values, axes = largest_first(Z.T @ Z)
        for run in runs(0, len(Z), RUN):
            Z[run] = Z[run] @ axes
        return cls(values, Z, Q @ axes)


def singular_axes(rows: Rows, k: int, seed: int) -> tuple[Array, Array]:
    """The first k of σ and B alone, from sums over the rows."""
    Q = directions(rows, k, seed, PASSES)
    values, axes = largest_first(rows.sum(Squared.of, Q).gram)
    return values[:k], Q @ axes[:, :k]


def directions(rows: Rows, k: int, seed: int, passes: int) -> Array:
    """Q of (1)."""
    few = rows.columns <= FEW * (k + MORE)
    many = rows.columns if few else k + MORE
    Q = np.eye(many) if few else np.column_stack([uniforms(seed, STREAM + t, rows.columns) - 0.5 for t in range(many)])
    for _pass in range(0 if few else passes):
        Q = np.linalg.qr(rows.sum(Doubled.of, Q).product)[0]
    return Q


def largest_first(gram: Array) -> tuple[Array, Array]:
    """The roots of the eigenvalues, descending, and the eigenvectors."""
    squares, axes = np.linalg.eigh(gram)
    return np.sqrt(np.maximum(squares[::-1], 0.0)), axes[:, ::-1]


def takes_little(k: int) -> bool:
    """Is the part at most twice as large as the factors? In memory the table is larger still."""
    return k >= MORE


def saves_time(rows: int, columns: int, k: int) -> bool:
    """Are products with the part so much cheaper than those with a table of this size?"""
    cells = float(rows) * columns
    return cells >= LARGE and CHEAPER * (k + MORE) * (rows + columns) <= cells


@dataclass(frozen=True)
class Doubled(Sums):
    """XᵀX Q of (1)."""

    product: Array

    @classmethod
    def of(cls, Q: Array, block: Block) -> Self:
        return cls(turned(block.X, times(block.X, Q)))


@dataclass(frozen=True)
class Squared(Sums):
    """QᵀXᵀXQ of (1)."""

    gram: Array

    @classmethod
    def of(cls, Q: Array, block: Block) -> Self:
        Z = times(block.X, Q)
        return cls(Z.T @ Z)
