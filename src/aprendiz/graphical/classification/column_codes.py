"""Columns of any kind as codes: words have the code of their level, numbers that of the bin between two cuts.

Cells up to a cut are on its left. A missing cell is −1, and so is a number that no bin of the fit holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Extremes
from aprendiz.graphical.counts.family_counts import whole_codes
from aprendiz.preprocessing.binning.bin_codes import bin_codes
from aprendiz.preprocessing.binning.entropy_cuts import cuts_of_columns
from aprendiz.summaries.codes import UNKNOWN
from aprendiz.summaries.quantiles import quantiles

Discretization = Literal["mdl", "quantile"]


@dataclass(frozen=True)
class ColumnCodes:
    """How cells become codes: the schema of words, the cuts of each column of numbers (None for words and codes), and the
    number of levels of each column."""

    schema: Columns | None
    cuts: tuple[Array | None, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, rows: Rows, schema: Columns | None, how: Discretization | None, n_bins: int, learner: str) -> ColumnCodes:
        """What some rows say of their columns."""
        words = () if schema is None else schema.coded
        numbers = [j for j in range(rows.columns) if j not in words]
        sizes = [1] * rows.columns if schema is None else [max(1, len(column.levels)) for column in schema]
        cuts: list[Array | None] = [None] * rows.columns
        if how is None and numbers:
            highest = rows.changed(partial(refuse_no_codes_of, rows.names, learner)).sum(Extremes.of).high
            sizes = [max(1, int(code) + 1) if np.isfinite(code) else 1 for code in highest]
        elif numbers:
            measured = rows.map(numbers_of)
            found = entropy_bins(measured) if how == "mdl" else quantile_bins(measured, n_bins)
            for j, own in zip(numbers, found, strict=True):
                cuts[j], sizes[j] = own, len(own) + 1
        return cls(schema, tuple(cuts), tuple(sizes))

    def codes(self, block: Block, names: Sequence[str] | None, learner: str) -> Array:
        """The codes of a block."""
        X, cuts = block.X, [own for own in self.cuts if own is not None]
        if not cuts:
            codes = whole_codes(block, names, learner)
        elif isinstance(X, Mixed):
            codes = np.empty(X.shape, np.int32)
            codes[:, X.columns.coded], codes[:, X.columns.numeric] = X.codes, bin_codes(X.numbers, cuts)
        else:
            codes = bin_codes(X, cuts)
        return np.where(codes < np.array(self.sizes), codes, np.int32(UNKNOWN))

    def levels(self, j: int) -> tuple[Any, ...]:
        """The levels of a column: words, intervals in words, or codes."""
        if (cuts := self.cuts[j]) is not None:
            return intervals(cuts)
        words = () if self.schema is None else self.schema.columns[j].levels
        return tuple(words) or tuple(range(self.sizes[j]))


def refuse_no_codes_of(names: Sequence[str] | None, learner: str, block: Block) -> Block:
    """A block whose cells are all codes."""
    whole_codes(block, names, learner)
    return block


def numbers_of(X: Any) -> Array:
    """The columns of numbers."""
    return X.numbers if isinstance(X, Mixed) else X


def entropy_bins(rows: Rows) -> list[Array]:
    """Cuts where the classes differ."""
    assert rows.labels is not None
    return [found.cuts for found in cuts_of_columns(rows, len(rows.labels))[0]]


def quantile_bins(rows: Rows, n_bins: int) -> list[Array]:
    """Cuts that leave as many rows in each bin, as far as equal cells allow."""
    shares = np.arange(1, n_bins) / n_bins
    found = quantiles(rows, [*shares, 1.0])
    return [np.unique(own[own < most]) for own, most in zip(found[:-1].T, found[-1], strict=True)]


def intervals(cuts: Array) -> tuple[str, ...]:
    """The bins in words, with as many digits as tell them apart."""
    written = [f"{cut:.6g}" for cut in cuts]
    if len(set(written)) < len(written):
        written = [repr(float(cut)) for cut in cuts]
    if not written:
        return ("any",)
    between = (f"{low} to {high}" for low, high in pairwise(written))
    return (f"≤ {written[0]}", *between, f"> {written[-1]}")
