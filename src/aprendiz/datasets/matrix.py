"""A matrix with names for its rows and columns: ratings with unknown cells, a table of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aprendiz.datasets.card import Card
from aprendiz.datasets.files import numbers, read_cells, read_only


@dataclass(frozen=True, eq=False, repr=False)
class Matrix:
    """A matrix with its card.

    Attributes
    ----------
    card : Card
        What the matrix is.
    values : ndarray of shape (n_rows, n_columns)
        The cells, closed for writing; NaN where unknown.
    rows, columns : tuple of str
        The names of its rows and columns.
    known : ndarray of bool
        Which cells are known.
    """

    card: Card
    values: NDArray[Any]
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, card: Card) -> Matrix:
        """The matrix of the CSV file of this card: names of the rows in the first column."""
        header, lines = read_cells(card.name)
        values = np.array([numbers(line[1:]) for line in lines])
        return cls(card, read_only(values), tuple(line[0] for line in lines), tuple(header[1:]))

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def known(self) -> NDArray[Any]:
        return ~np.isnan(self.values)

    def __repr__(self) -> str:
        rows, columns = self.values.shape
        return f"<Matrix {self.name!r}: {rows} × {columns}, {int(self.known.sum())} known cells>"
