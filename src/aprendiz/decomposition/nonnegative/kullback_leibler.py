"""Non-negative factors with the smallest Kullback–Leibler divergence: alternating Newton steps, extrapolated.

    J(U, V) = Σ x ln(x/y) − x + y + penalties,     Y = UVᵀ                                                    (1)

As for the squared error (least_squares.py), each pass lowers U and then V, by sweeps over their entries (newton_sweeps.py),
both are carried on in the direction of their last move, and a pass that has raised J is undone. Only cells above 0 are looked
at, by rows for U and by columns for V, so the table is held twice in memory, without its zeros; rows of files are gathered.
With Σ y = Σ_t (ΣU_t)(ΣV_t),

    J = Σ_{x>0} x ln(x/y) − Σx + Σ_t (ΣU_t)(ΣV_t) + penalties                                                 (2)

Cost: 24·k operations and 4·k divisions for each cell above 0 and pass, with two sweeps.
References: as in newton_sweeps.py; Hien & Gillis, "Algorithms for nonnegative matrix factorization with the Kullback–Leibler
divergence", Journal of Scientific Computing 87, 2021, who compare methods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import compress, in_memory, thin_slice
from aprendiz.core.threads import ordered_map
from aprendiz.decomposition.nonnegative.factors import Factors, carried
from aprendiz.decomposition.nonnegative.least_squares import SHARE
from aprendiz.decomposition.nonnegative.newton_sweeps import newton_rows
from aprendiz.decomposition.nonnegative.penalties import Penalty

PART = 512  # rows that a thread takes at a time
SWEEPS = 2  # of a pass


@dataclass(frozen=True)
class KullbackLeibler:
    """The problem: cells above 0 by rows and by columns, their sum, and the penalties."""

    by_rows: Any
    by_columns: Any
    total: float
    on_rows: Penalty
    on_columns: Penalty
    tol: float

    @classmethod
    def of(cls, rows: Rows, on_rows: Penalty, on_columns: Penalty, tol: float) -> Self:
        X = cells_of_rows(rows)
        return cls(X, sparse.csr_array(X.T.tocsr()), float(X.data.sum()), on_rows, on_columns, tol)

    def next_state(self, state: Factors) -> Factors:
        """A pass, and whether it is the last one: the first sweeps would move J by less than tol²/10 of Σx."""
        beta = 0.0 if state.plain else state.beyond
        V = carried(state.V, state.V_before, beta)
        swept, worth, _unjudged = swept_rows(self.by_rows, V, state.U, self.on_rows, judged=False)
        U = carried(swept, state.U_swept, beta)
        new, more, entropy = swept_rows(self.by_columns, U, V, self.on_columns)
        J = entropy - self.total + float(U.sum(axis=0) @ new.sum(axis=0)) + self.on_rows.on(U) + self.on_columns.on(new)
        rest = worth + more <= SHARE * self.tol * self.tol * self.total
        return state.judged(J, rest, beta > 0, U=U, V=new, U_swept=swept, V_before=state.V)


def cells_of_rows(rows: Rows) -> Any:
    """The cells above 0 of all rows."""
    if in_memory(rows):
        return sparse.csr_array(rows.X)
    return sparse.csr_array(sparse.vstack([sparse.csr_array(block.X) for block in rows.blocks()]))


def swept_rows(
    X: Any, V: Array, U: Array, penalty: Penalty, most: int = SWEEPS, enough: float = 0.0, *, judged: bool = True
) -> tuple[Array, float, float]:
    """The rows of U after some sweeps, in parts that threads share; what the first one was worth, and Σ x ln(x/y), if they are
    to be judged."""

    def part(start: int) -> tuple[Array, float, float]:
        rows = U[start : start + PART].copy()
        some = compress(thin_slice(X, slice(start, start + PART)))
        return rows, *newton_rows(*some, V, rows, penalty.l1, penalty.l2, most, enough, judged)

    found = list(ordered_map(part, range(0, len(U), PART)))
    return np.concatenate([one[0] for one in found]), sum(one[1] for one in found), sum(one[2] for one in found)
