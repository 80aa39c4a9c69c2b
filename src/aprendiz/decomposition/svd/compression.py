"""What it takes to store a matrix of rank k by its factors, beside all of its cells.

n × d matrix: n·d numbers;     σ_i u_i v_iᵀ for i ≤ k: k·(1 + n + d) numbers                                (1)
fewer than all while k < n·d / (1 + n + d)                                                                 (2)
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compression:
    """The sizes (1) of a matrix of some rows and columns, at some rank."""

    rows: int
    columns: int
    rank: int

    @property
    def cells(self) -> int:
        """n·d."""
        return self.rows * self.columns

    @property
    def storage(self) -> int:
        """k·(1 + n + d)."""
        return self.rank * (1 + self.rows + self.columns)

    @property
    def ratio(self) -> float:
        """Storage as a part of the cells."""
        return self.storage / self.cells

    @property
    def break_even(self) -> int:
        """The largest rank that does not take more than the cells: (2)."""
        return self.cells // (1 + self.rows + self.columns)

    def __str__(self) -> str:
        return (
            f"rank {self.rank}: {self.storage} numbers of {self.cells} ({100 * self.ratio:.3g} %), break-even {self.break_even}"
        )
