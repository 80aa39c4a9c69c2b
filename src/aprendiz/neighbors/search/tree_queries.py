"""The questions that scikit-learn's trees answer, in its forms of the answers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import NonNegative, ParameterError, PositiveFinite, fits
from aprendiz.core.rows import Array
from aprendiz.core.tables import array_table, first_bad_cell, refuse_cell
from aprendiz.neighbors.search.kernel_sums import EXPONENTIAL, GAUSSIAN, KERNELS
from aprendiz.neighbors.search.kernel_volumes import log_scale
from aprendiz.neighbors.search.point_index import Search

Kernel = Literal["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]


class TreeQueries(Search):
    """`query`, `query_radius`, `kernel_density` and `two_point_correlation` of an index."""

    data: Array

    @abstractmethod
    def numbers_within(self, Q: Array, radii: Array) -> Array:
        """How many points lie within each radius of each query, (queries, radii)."""

    @abstractmethod
    def kernel_sums(self, Q: Array, h: float, kernel: int, shifts: Array, atol: Array, rtol: float) -> Array:
        """The sums of kernel_sums.py."""

    def query(
        self,
        X: Any,
        k: int = 1,
        return_distance: bool = True,
        dualtree: bool = False,
        breadth_first: bool = False,
        sort_results: bool = True,
    ) -> Any:
        """The k nearest points of each row of X: (distances, indices), or indices alone. They are always sorted, and
        `dualtree` and `breadth_first` have no effect."""
        distances, indices = self.nearest(self.rows_of(X), k)
        return (distances, indices) if return_distance else indices

    def query_radius(
        self, X: Any, r: Any, return_distance: bool = False, count_only: bool = False, sort_results: bool = False
    ) -> Any:
        """The points within r (one radius, or one for each row of X) of each row: arrays of indices, (indices, distances),
        or their numbers. They are always sorted by distance."""
        if count_only and return_distance:
            raise ValueError("count_only=True gives numbers of points, which have no distances: set return_distance=False.")
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        Q, radii = self.rows_of(X), np.asarray(r, np.float64)
        if count_only and radii.ndim == 0:
            return self.numbers_within(Q, refuse_radii(radii.reshape(1)))[:, 0]
        starts, distances, indices = self.within(Q, radii)
        if count_only:
            return np.diff(starts)
        listed = pieces(indices, starts)
        return (listed, pieces(distances, starts)) if return_distance else listed

    def kernel_density(
        self,
        X: Any,
        h: float,
        kernel: Kernel = "gaussian",
        atol: float = 0.0,
        rtol: float = 1e-8,
        breadth_first: bool = True,
        return_log: bool = False,
    ) -> Array:
        """The kernel density at each row of X, times the number of points (or their weight), to within atol + rtol·density.

        Parameters
        ----------
        X : array of shape (n_queries, columns)
        h : float
            The width of the kernel.
        kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, default="gaussian"
            The shape of the kernel; all but "gaussian" and "exponential" end at h.
        atol, rtol : float
            Tolerances of a density, absolute and relative: the larger, the faster.
        breadth_first : bool, default=True
            No effect.
        return_log : bool, default=False
            Whether to give logarithms, which are true far from all points too.
        """
        if kernel not in KERNELS:
            raise ValueError(f"kernel must be one of {', '.join(KERNELS)}; got {kernel!r}.")
        for name, value, kind in (("h", h, PositiveFinite), ("atol", atol, NonNegative), ("rtol", rtol, NonNegative)):
            if not fits(value, kind):
                raise ParameterError(f"{name} must be a number {'above' if name == 'h' else 'of at least'} 0, got {value!r}.")
        Q, code = self.rows_of(X), KERNELS[kernel]
        scale, shifts = log_scale(code, float(h), self.columns), np.zeros(len(Q))
        if code in (GAUSSIAN, EXPONENTIAL):
            u = self.nearest(Q, 1)[0][:, 0] / h
            shifts = -0.5 * u * u if code == GAUSSIAN else -u
        with np.errstate(over="ignore", divide="ignore"):
            allowed = np.exp(np.log(np.float64(atol)) - scale - shifts)
            logs = np.log(self.kernel_sums(Q, float(h), code, shifts, allowed, float(rtol))) + scale + shifts
            return np.asarray(logs if return_log else np.exp(logs))

    def two_point_correlation(self, X: Any, r: Any, dualtree: bool = False) -> Array:
        """How many pairs of a row of X and a point are at most r apart, for each r. `dualtree` has no effect."""
        radii = refuse_radii(np.atleast_1d(np.asarray(r, np.float64)))
        return np.asarray(self.numbers_within(self.rows_of(X), radii).sum(axis=0))

    def rows_of(self, X: Any) -> Array:
        table = check_table(X)
        self.refuse_columns(table)
        return table


def refuse_radii(radii: Array) -> Array:
    """Radii are numbers of at least 0."""
    if radii.ndim != 1 or not (radii >= 0).all():
        raise ValueError(f"r must be a list of numbers of at least 0, got {radii.tolist()}.")
    return radii


def check_table(X: Any, leaf_size: int = 1) -> Array:
    """A table of finite numbers."""
    if not leaf_size >= 1:
        raise ValueError(f"leaf_size must be at least 1, got {leaf_size}.")
    table = array_table(X)
    if 0 in table.shape:
        raise ValueError(f"A tree needs at least one row and one column, got shape {table.shape}.")
    if bad := first_bad_cell(table, missing_is_fine=False):
        refuse_cell(*bad, None)
    return table


def pieces(values: Array, starts: Array) -> Array:
    """An array of arrays, one for each query."""
    out = np.empty(len(starts) - 1, dtype=object)
    out[:] = np.split(values, starts[1:-1]) if len(starts) > 2 else [values]
    return out
