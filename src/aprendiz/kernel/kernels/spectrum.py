"""The spectrum kernel of strings: two strings are alike if they have the same pieces.

    φ_s(x) = how often the piece s, of k letters, stands in x                                                    (1)
    K(x, z) = Σ_s φ_s(x)·φ_s(z)                                                                                  (2)

There are as many pieces as there are words of k letters, but a string has at most as many as letters. Any letters will do, also
some that no training string has. A string of less than k letters has no piece, and K = 0.

Cost: O(letters) for each string; an entry takes the pieces that both have. The sums are of whole numbers, hence exact.
Reference: Leslie, Eskin, Noble: The spectrum kernel, 2002.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import Count
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_rows import column_of_objects
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points


class Pieces:
    """A number for each piece, in any order. Several threads may ask at a time: a piece has one number, whoever comes first."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.fresh = count()

    def number(self, piece: str) -> int:
        known = self.numbers.get(piece)
        return self.numbers.setdefault(piece, next(self.fresh)) if known is None else known


@dataclass(frozen=True)
class StringPoints(Points):
    """Counts of pieces. Points that were made like others share their numbers of pieces; only equality of pieces matters."""

    pieces: Pieces | None = None


class Spectrum(Kernel):
    """K(x, z) counts the pieces of k letters that two strings have in common.

    Parameters
    ----------
    k : int, default=3
        The number of letters of a piece.

    Examples
    --------
    >>> Spectrum(2)(["banana", "ananas", "bus"])
    array([[9., 8., 0.],
           [8., 9., 0.],
           [0., 0., 2.]])
    """

    compares = "strings"

    def __init__(self, k: Count = 3):
        self.k = k

    def table(self, X: Any) -> Any:
        return strings_of(X)

    def points(self, X: Any, like: StringPoints | None = None) -> StringPoints:
        """(1), a row of counts for each string."""
        strings = strings_of(X)
        pieces = Pieces() if like is None or like.pieces is None else like.pieces
        counted = [Counter(s[i : i + self.k] for i in range(len(s) - self.k + 1)) for s in strings]
        columns = [pieces.number(piece) for counts in counted for piece in counts]
        values = np.array([times for counts in counted for times in counts.values()], np.float64)
        starts = np.concatenate([[0], np.cumsum([len(counts) for counts in counted])]).astype(np.int64)
        rows = sparse.csr_array(
            (values, np.array(columns, np.int64), starts), shape=(len(strings), max(columns, default=0) + 1)
        )
        squares = np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64).ravel()
        return StringPoints(rows, squares, None, pieces)

    def block(self, P: StringPoints, Q: StringPoints, out: Array | None = None) -> Array:
        """(2)."""
        width = max(P.coordinates.shape[1], Q.coordinates.shape[1])
        found = (widened(P.coordinates, width) @ widened(Q.coordinates, width).T).toarray()
        if out is None:
            return np.asarray(found)
        out[...] = found
        return out

    def diagonal_of(self, P: StringPoints) -> Array:
        return P.squares.copy()

    def rounding(self, P: StringPoints, eps: float) -> float:
        """Sums of whole numbers are exact while they stay below 1/eps."""
        return 0.0 if float(P.squares.max(initial=0.0)) <= 0.5 / eps else 2.0 * eps * P.coordinates.shape[1]


def widened(rows: Any, width: int) -> Any:
    return sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=(rows.shape[0], width))


def strings_of(X: Any) -> list[str]:
    """A string for each row, or a word about the first one that is none."""
    found = column_of_objects(X, "Spectrum compares strings, one for each row")
    for row, value in enumerate(found):
        if not isinstance(value, str):
            raise ValueError(
                f"Spectrum compares strings, but row {row} holds {value!r} ({type(value).__name__}): make it a string, or "
                "leave the row out."
            )
    return [str(value) for value in found]
