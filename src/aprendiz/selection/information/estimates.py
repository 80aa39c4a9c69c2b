"""The mutual information of each column of a table with the target, by any of the estimates.

    neighbors   measured cells as they are, by nearest neighbours; codes with classes by counts
    counts      everything as codes (column_codes.py), corrected for bias
    adaptive    measured columns in as many bins as pay (minimum description length), and the information of these

A measured target has neighbours in the first, and bins in the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.preprocessing.binning.entropy_cuts import cuts_of_columns
from aprendiz.selection.information.column_codes import FEW_LEVELS, codes_of_cells, codes_of_numbers
from aprendiz.selection.information.count_information import by_counts
from aprendiz.selection.information.neighbor_information import measured_with_classes, measured_with_measured, with_noise
from aprendiz.selection.information.table_of_columns import TableOfColumns

Method = Literal["neighbors", "counts", "adaptive"]


Estimate = Callable[[Array], Array]  # of a target: what each column says of it


def of_neighbors(table: TableOfColumns, n_neighbors: int, random_state: Any) -> Estimate:
    """Each column by the estimate of its kind; noise is drawn in scikit-learn's order."""
    random, n = check_random_state(random_state), len(table.y)
    numbers, noise = table.numbers, np.zeros((1, n))
    if len(table.measured):
        numbers = with_noise(numbers, random.standard_normal(numbers.shape[::-1]).T)
    if table.labels is None:
        noise = random.standard_normal((1, n))

    def estimate(y: Array) -> Array:
        found = np.zeros(table.columns)
        if table.labels is not None:
            found[table.measured] = measured_with_classes(numbers, y, n_neighbors)
            found[table.coded] = by_counts(table.codes, y)
            return found
        y = with_noise(y[None], noise)
        found[table.measured] = measured_with_measured(numbers, y[0], n_neighbors)
        for place, codes in zip(table.coded, table.codes, strict=True):
            known = codes >= 0
            if known.any():
                classes = np.unique(codes[known], return_inverse=True)[1]
                found[place] = measured_with_classes(np.ascontiguousarray(y[:, known]), classes, n_neighbors)[0]
        return found

    return estimate


def of_counts(table: TableOfColumns, bins: Literal["quantile", "uniform"], n_bins: int) -> tuple[Array, Estimate]:
    """All columns as codes, and their corrected information with a target of codes."""
    codes = np.empty((table.columns, len(table.y)), np.int32)
    codes[table.coded] = table.codes
    codes[table.measured] = codes_of_numbers(table.numbers.T, np.ones(len(table.y)), -1 if bins == "uniform" else 1, n_bins)
    return codes, lambda y: by_counts(codes, y, corrected=True)


def of_adaptive_bins(table: TableOfColumns) -> Estimate:
    """Measured columns cut where the classes differ, others corrected counts."""

    def estimate(y: Array) -> Array:
        found = np.zeros(table.columns)
        if len(table.measured):
            rows = ArrayRows(np.ascontiguousarray(table.numbers.T), y)
            cuts, known = cuts_of_columns(rows, int(y.max()) + 1)
            bits = np.array([one.gain for one in cuts])
            found[table.measured] = np.log(2.0) * np.divide(bits, known, out=np.zeros_like(bits), where=known > 0)
        found[table.coded] = by_counts(table.codes, y, corrected=True)
        return found

    return estimate


def target_codes(y: Array, n_bins: int) -> Array:
    """A measured target, cut into bins of equal weight."""
    return codes_of_cells(y[None].astype(np.float64), np.ones(len(y)), FEW_LEVELS, 1, n_bins)[0].astype(np.int64)
