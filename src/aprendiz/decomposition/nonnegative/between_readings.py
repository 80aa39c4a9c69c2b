"""Passes between two readings of the table, over the part of it that a few directions span.

The singular vectors of the start give X = ZQᵀ + E with Z of few columns (singular_part.py). What a pass needs of the table is

    XV = Z(QᵀV) + EV,     XᵀU = Q(ZᵀU) + EᵀU                                                                  (1)

whose first terms cost (n + d)·l·k operations in place of n·d·k. The others stay what they were where the table was last
read, with U₀ and V₀. So J is lowered but for a term of second order, in what the directions have left over:

    J(U, V) = J'(U, V) − ⟨E, (U − U₀)(V − V₀)ᵀ⟩                                                               (2)

J' falls as J does, by sweeps over U and V, extrapolated (least_squares.py). The next reading of the table judges J: where it
has risen, the passes in between are undone, and next time there are fewer of them, in the end none. J is never below 0; where E
is nearly everything J' falls for ever, and passes end below 0. A reading makes (1) exact, so what does not move any more is at
rest for J too.

Cost: 4·(n + d)·l·k operations for a pass, and 2k² for each row, column and sweep.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array, fold
from aprendiz.core.sums import Sums
from aprendiz.core.threads import ordered_map
from aprendiz.decomposition.nonnegative.coordinate_descent import sweep_rows
from aprendiz.decomposition.nonnegative.factors import Factors, carried
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.singular_part import SingularPart

RUN = 512  # rows that a thread takes at a time
SWEEPS = 2  # of a pass
AT_REST = 0.1  # of what is not worth a reading: not worth a pass in between


def remainders(part: SingularPart, U: Array, V: Array, XV: Array, XtU: Array) -> tuple[Array, Array]:
    """EV and EᵀU of (1)."""
    Z, Q = part.of_rows, part.of_columns
    return XV - Z @ (Q.T @ V), XtU - Q @ (Z.T @ U)


@dataclass(frozen=True)
class PassesBetween:
    """J' − ½‖X‖² of (2): the part, EV₀ and EᵀU₀, the penalties, what is not worth a pass, and ½‖X‖²."""

    part: SingularPart
    of_rows: Array
    of_columns: Array
    on_rows: Penalty
    on_columns: Penalty
    negligible: float
    constant: float

    def lowered(self, U: Array, V: Array, passes: int) -> tuple[Array, Array]:
        """U and V after some passes."""
        state = Factors.first(U, V, 0, extrapolated=True)
        while not state.settled and state.iteration < passes and state.objective >= -self.constant:
            state = self.next_state(state)
        return state.U, state.V

    def next_state(self, state: Factors) -> Factors:
        """A pass."""
        Z, Q = self.part.of_rows, self.part.of_columns
        beta = 0.0 if state.plain else state.beyond
        V = carried(state.V, state.V_before, beta)
        U = half_pass(Z, state.U, state.U_swept, Q.T @ V, V.T @ V, self.of_rows, self.on_rows, beta)
        new = half_pass(Q, V, V, U.products, U.gram, self.of_columns, self.on_columns, 0.0)
        cross = float(np.vdot(U.products, new.products)) + U.beside + new.beside
        J = 0.5 * float(np.vdot(U.gram, new.gram)) - cross + U.penalty + new.penalty
        rest = U.moved + new.moved <= AT_REST * self.negligible
        moved = {"U": np.concatenate(U.factor), "U_swept": np.concatenate(U.swept), "V_before": state.V}
        return state.judged(J, rest, beta > 0, V=np.concatenate(new.factor), **moved)


@dataclass(frozen=True)
class Half(Sums):
    """Half a pass: the Gram matrix of the new factor F, DᵀF with the directions, ⟨remainder, F⟩, the penalty, the worth of the
    first sweep, and F, carried on and before."""

    gram: Array
    products: Array
    beside: float
    penalty: float
    moved: float
    factor: tuple[Array, ...]
    swept: tuple[Array, ...]


def half_pass(
    D: Array, F: Array, before: Array, other: Array, gram: Array, remainder: Array, penalty: Penalty, beta: float
) -> Half:
    """Sweeps over F, from the products of the other factor with its directions, and from its Gram matrix."""
    G = penalty.curved(gram)

    def run(start: int) -> Half:
        here = slice(start, start + RUN)
        swept = np.array(F[here])
        moved = sweep_rows(swept, G, D[here] @ other + remainder[here], penalty.l1, SWEEPS, 0.0)
        new = carried(swept, before[here], beta)
        beside = float(np.vdot(remainder[here], new))
        return Half(new.T @ new, D[here].T @ new, beside, penalty.on(new), moved, (new,), (swept,))

    return fold(ordered_map(run, range(0, len(F), RUN)))
