"""A regression on some columns S, and what one column more or less would change: sweeps.

With G the scatter of all columns and t any row of numbers with an entry for each column, S keeps the *swept* row

    t_k − t_S G_SS⁻¹ G_Sk   for k outside S: what S does not explain of it                                     (1)
    t_S G_SS⁻¹ e_k          for k inside S: its coefficients

Of the rows of the unit matrix, those of S are enough, E_S. A column j enters by its own swept row a of G, and leaves by E_j:

    t ← t − t_j·r/r_j,   t_j ← t_j/r_j      with r = a, or r = E_j                                            (2)

and the pivot r_j is the variance that S leaves of j, or the diagonal of G_SS⁻¹. The pivots of all columns are kept.

(2) loses digits where a pivot is small beside its column: VIF_k = G_kk·(G_SS⁻¹)_kk says how many. Where it would exceed `MOST`,
or the pivot is below what rounding has left of G, nothing is answered; and every few sweeps a place is computed anew, by
Cholesky's factors of G_SS.

Cost: of a sweep, (rows + |S|)·d; of a new place |S|²·d. Memory the same.
Reference: Goodnight, "A tutorial on the SWEEP operator", The American Statistician 33, 1979.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array

MOST_CELLS = 2**24  # of E: 128 MiB; a larger place is not answered
MOST = 1e6  # the largest variance inflation whose answers are given: six digits of sixteen are lost


class Sweep:
    """The swept rows of a place S. `gram` gives rows of G by the numbers of the columns."""

    def __init__(self, gram: Callable[[Array], Array], diagonal: Array, least: Array, rows: Array, most: int):
        """A variance has digits above `least`. `most` columns may be chosen: more depend on each other, or are better left to
        fits."""
        self.gram, self.diagonal, self.given = gram, diagonal, rows
        self.least = np.maximum(least, diagonal / MOST)  # of a pivot
        self.most = min(most, MOST_CELLS // len(diagonal))
        self.place(np.zeros(len(diagonal), dtype=bool))

    def place(self, chosen: Array) -> None:
        """Go to a set of columns, from G alone."""
        self.chosen, self.members = chosen.copy(), np.flatnonzero(chosen).tolist()
        self.rows, self.pivots, self.E = self.given, self.diagonal, np.zeros((0, len(chosen)))
        self.safe = len(self.members) <= self.most and bool((self.diagonal > self.least)[chosen].all())
        if not self.members or not self.safe:
            return
        G = self.gram(np.array(self.members))
        scale = np.sqrt(self.diagonal[self.members])
        L, failed = linalg.lapack.dpotrf(G[:, self.members] / scale / scale[:, None], lower=1)
        if failed:
            self.safe = False
            return
        inverse = linalg.cho_solve((L, True), np.eye(len(scale)), check_finite=False) / scale / scale[:, None]
        self.E = -(inverse @ G)
        self.E[:, self.members] = inverse
        self.rows = np.where(chosen, 0.0, self.given) + self.given[:, self.members] @ self.E
        self.pivots = self.diagonal + np.einsum("ij,ij->j", G, self.E)
        self.pivots[self.members] = np.diagonal(inverse)
        self.judge()

    def flip(self, column: int) -> None:
        """(2): a column enters or leaves."""
        if not self.answered(np.array([column]))[0]:
            now = self.chosen.copy()
            now[column] = not now[column]
            self.place(now)
            return
        if self.chosen[column]:
            place = self.members.index(column)
            r = self.E[place]
            self.members.pop(place)
            others = np.delete(self.E, place, axis=0)
            E, sign = swept(others, column, r), -1.0
        else:
            g = self.gram(np.array([column]))[0]
            r = np.where(self.chosen, 0.0, g) + g[self.members] @ self.E
            self.members.append(column)
            E, sign = np.vstack([swept(self.E, column, r), -r / r[column]]), 1.0
            E[-1, column] = 1.0 / r[column]
        self.rows = swept(self.rows, column, r)
        self.pivots = self.pivots + np.where(self.chosen, sign, -sign) * r * (r / r[column])
        self.pivots[column] = 1.0 / r[column]
        self.E, self.chosen = E, self.chosen.copy()
        self.chosen[column] = not self.chosen[column]
        self.judge()

    def judge(self) -> None:
        """Are there digits enough?"""
        inside = self.chosen
        self.safe = len(self.members) <= self.most and bool((self.pivots[inside] * self.least[inside] <= 1.0).all())

    def answered(self, columns: Array) -> Array:
        """Which of the columns may be flipped without losing too many digits."""
        if not self.safe:
            return np.zeros(len(columns), dtype=bool)
        return np.asarray(self.chosen[columns] | (self.pivots[columns] > self.least[columns]))


def swept(rows: Array, column: int, r: Array) -> Array:
    """(2) of some rows."""
    t = rows[:, column].copy()
    found = rows - t[:, None] * (r / r[column])
    found[:, column] = t / r[column]
    return np.asarray(found)
