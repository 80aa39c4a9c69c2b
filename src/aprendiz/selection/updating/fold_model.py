"""A learner fitted to the training rows of a fold, on one set of columns after the other; and its answers for the test rows.

Answers are predicted numbers, rows × columns that are flipped; or, of classes, scores with a last axis for the classes that are
equal to log P(k, x) up to a number that the classes of a row share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from aprendiz.core.rows import Array


class FoldModel(ABC):
    """The learner at a set of columns. A place is named by a set and the columns that were flipped since: the same name has the
    same bits."""

    longest = 32  # flips after which a place is computed anew
    agrees = 1e-8  # how far importances may be from those of a new fit, as a part of the largest
    start: Array | None = None
    flips: tuple[int, ...] = ()

    @abstractmethod
    def place(self, chosen: Array) -> None:
        """Go to a set of columns, from the sums alone."""

    @abstractmethod
    def flip(self, column: int) -> None:
        """A column enters or leaves."""

    @abstractmethod
    def answered(self, columns: Array) -> Array:
        """Which of the columns may be flipped without losing too many digits."""

    @abstractmethod
    def flipped(self, columns: Array) -> Array:
        """The answers with each of the columns flipped."""

    @abstractmethod
    def answer(self) -> Array | None:
        """The answers here; None where digits are lost."""

    def importances(self) -> Array | None:
        """The squared coefficients of the chosen columns, in their order; None where digits are lost."""
        return None

    def go(self, start: Array, flips: Sequence[int]) -> None:
        """Go to a place by its name."""
        flips = tuple(int(column) for column in flips)
        known = self.start is not None and np.array_equal(self.start, start) and flips[: len(self.flips)] == self.flips
        if not known:
            self.place(start)
        self.start = None  # nowhere, if an interrupt comes
        for column in flips[len(self.flips) if known else 0 :]:
            self.flip(column)
        self.start, self.flips = start.copy(), flips
