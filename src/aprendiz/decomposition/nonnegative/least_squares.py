"""Non-negative factors with the smallest squared error: alternating coordinate descent, extrapolated.

    J(U, V) = ½‖X − UVᵀ‖² + penalties                                                                         (1)

For fixed V the rows of U are problems of their own (coordinate_descent.py), and so are those of V for fixed U. A pass reads the
table once: block by block it lowers U, and adds what V needs,

    U ← sweeps of  VᵀV, XV        G = Σ UᵀU,   B = Σ XᵀU        V ← sweeps of  G, B                           (2)

Both sweeps lower J. They zigzag along narrow valleys, so each factor is carried on in the direction of its last move:

    U' = max(0, U + β(U − U_before)),     V' likewise                                                        (3)

and J is judged there. If it has risen, the factors before stay, β shrinks, and the next pass is plain (2), which never raises
J; otherwise β follows from how fast J falls (factors.py). J of the new factors follows from what the pass has summed,

    J = ½‖X‖² − ⟨B, V⟩ + ½⟨G, VᵀV⟩ + penalties                                                               (4)

and where that difference has lost its digits (J below 10⁻⁷·½‖X‖²), the squares are summed once more, cell by cell.

Large dense tables are read more seldom: between two readings, further passes are made over the part of the table that the
singular vectors of the start span (between_readings.py).

Cells may be missing: then the squares of the others are summed. Each half of a pass stands in place of a missing cell what the
factors say of it, U Vᵀ, and lowers (1) for the table so completed, which is above J and equal to it where it begins.

Cost: 4·k operations for each cell of the table (each stored cell, if it is sparse) and some 2k²·4 for each row of U and V.
Memory: the table, and four factors of k numbers a row and column.
References: Gillis & Glineur, "Accelerated multiplicative updates and hierarchical ALS algorithms", Neural Computation 24, 2012;
Ang & Gillis, "Accelerating nonnegative matrix factorization algorithms using extrapolation", Neural Computation 31, 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.between_readings import PassesBetween, remainders
from aprendiz.decomposition.nonnegative.coordinate_descent import ENOUGH, MOST, sweep_in_parts, sweep_rows
from aprendiz.decomposition.nonnegative.factors import Factors, carried
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.products import times, turned
from aprendiz.decomposition.nonnegative.singular_part import SingularPart
from aprendiz.decomposition.nonnegative.table_facts import TableFacts

EXACT = 1e-7  # of ½‖X‖²: below it, (4) is summed cell by cell
SHARE = 0.1  # of tol²·‖X‖²: what is not worth a pass


@dataclass(frozen=True)
class LeastSquares:
    """The problem: the rows, and the penalties on U and V."""

    rows: Rows
    facts: TableFacts
    on_rows: Penalty
    on_columns: Penalty
    tol: float
    part: SingularPart | None = None

    def next_state(self, state: Factors) -> Factors:
        """(2) and (3), and whether they have come to rest: the first sweeps would move J by less than tol²/10 of ‖X‖²."""
        if state.between:
            return self.next_reading(state)
        beta = 0.0 if state.plain else state.beyond
        V = carried(state.V, state.V_before, beta)
        half, new, J, rest = self.read(state.U, state.U_swept, V, beta)
        return state.judged(J, rest, beta > 0, U=new[0], V=new[1], U_swept=np.concatenate(half.swept), V_before=state.V)

    def next_reading(self, state: Factors) -> Factors:
        """(2) from where passes between two readings of the table have come to (between_readings.py)."""
        assert self.part is not None
        U, V = state.U, state.V
        if not state.plain:
            rests = state.rest_of_rows, state.rest_of_columns
            penalties, constant = (self.on_rows, self.on_columns), 0.5 * self.facts.squares
            U, V = PassesBetween(self.part, *rests, *penalties, self.negligible, constant).lowered(U, V, state.between)
        half, new, J, rest = self.read(U, U, V, 0.0)
        if state.objective < J and not state.plain:
            return state.with_fewer_between()
        rests = remainders(self.part, new[0], V, np.concatenate(half.read), half.products)
        return state.judged(J, rest, False, U=new[0], V=new[1], rest_of_rows=rests[0], rest_of_columns=rests[1])

    def read(self, U: Array, U_swept: Array, V: Array, beta: float) -> tuple[HalfPass, tuple[Array, Array], float, bool]:
        """(2) once: what it has summed, the new factors, J, and whether they have come to rest."""
        half = self.rows.sum(HalfPass.of, U, U_swept, V, self.on_rows, beta, self.facts.has_gaps)
        new = np.concatenate(half.U)
        V, moved = sweep_in_parts(V, self.on_columns.curved(half.gram), half.products, self.on_columns.l1)
        return half, (new, V), self.objective(new, V, half), half.moved + moved <= self.negligible

    @property
    def negligible(self) -> float:
        """What is not worth a pass."""
        squares = self.facts.squares
        return SHARE * self.tol * self.tol * squares if squares > 0 else 0.0

    def objective(self, U: Array, V: Array, half: HalfPass) -> float:
        """(4)."""
        error = 0.0 if self.facts.has_gaps else squared_error(self.facts.squares, half, V)
        if error <= EXACT * self.facts.squares:
            error = self.rows.sum(cell_errors, U, V)
        return 0.5 * error + self.on_rows.on(U) + self.on_columns.on(V)


def squared_error(squares: float, half: HalfPass, V: Array) -> float:
    """‖X − UVᵀ‖² by (4)."""
    return squares - 2.0 * float(np.vdot(half.products, V)) + float(np.vdot(half.gram, V.T @ V))


@dataclass(frozen=True)
class HalfPass(Sums):
    """What (2) sums: G, B, and by rows the new U, before and after it is carried on, and XV."""

    gram: Array
    products: Array
    moved: float
    U: tuple[Array, ...]
    swept: tuple[Array, ...]
    read: tuple[Array, ...]

    @classmethod
    def of(cls, U: Array, U_swept: Array, V: Array, penalty: Penalty, beta: float, gaps: bool, block: Block) -> Self:
        here = slice(block.start, block.start + len(block))
        swept = np.array(U[here])
        X = completed(block.X, swept, V) if gaps else block.X
        read = times(X, V)
        moved = sweep_rows(swept, penalty.curved(V.T @ V), read, penalty.l1, MOST, ENOUGH)
        new = carried(swept, U_swept[here], beta)
        X = completed(block.X, new, V) if gaps else block.X
        return cls(new.T @ new, turned(X, new), moved, (new,), (swept,), (read,))


def completed(X: Array, U: Array, V: Array) -> Array:
    """X, with UVᵀ in place of its missing cells."""
    return np.where(np.isnan(X), U @ V.T, X)


def cell_errors(U: Array, V: Array, block: Block) -> float:
    """‖X − UVᵀ‖² of some rows, cell by cell, those that are missing left out."""
    X: Any = block.X
    here = U[block.start : block.start + len(block)]
    if not sparse.issparse(X):
        left = X - here @ V.T
        error = float(np.vdot(left, left))
        return float(np.nansum(left * left)) if np.isnan(error) else error
    stored = X.tocoo()
    found = np.einsum("ij,ij->i", here[stored.row], V[stored.col])
    everywhere = float(np.vdot(here.T @ here, V.T @ V)) - float(found @ found)
    left = stored.data - found
    return float(left @ left) + max(everywhere, 0.0)
