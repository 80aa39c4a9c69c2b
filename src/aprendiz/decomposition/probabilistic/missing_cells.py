"""Rows with missing cells: what is known of their columns before EM begins, and what it found as principal axes."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.decomposition.probabilistic.latent_sums import LatentDensity, rotated
from aprendiz.decomposition.spectrum.axes import Axes, at_right_angles
from aprendiz.decomposition.spectrum.column_squares import ColumnSquares

MOST_CELLS = 2**27  # of d matrices of (k + 1)² numbers, 1 GiB


class AllowedByMissing:
    """`allows` of a learner with an option `missing`: missing cells where it says what to do with them."""

    def __get__(self, learner: Any, owner: Any) -> frozenset[str]:
        asked = learner is not None and learner.missing != "refuse"
        return frozenset({"sparse", "missing"}) if asked else frozenset({"sparse"})


@dataclass(frozen=True)
class KnownCells:
    """Weight and number of the rows, how many cells they lack, and the spread of the known ones."""

    weight: float
    rows: int
    holes: int
    spread: Spread

    @classmethod
    def of(cls, rows: Rows) -> Self:
        weight, count, holes = rows.sum(counts)
        spread = rows.sum(Spread.of, find_pivot(rows))
        refuse_empty_sums(weight, spread.finite, rows)
        if (unknown := spread.weight == 0).any():
            column = int(np.flatnonzero(unknown)[0])
            name = column if rows.names is None else repr(rows.names[column])
            raise ValueError(f"Column {name} has no known cell (of a weight above 0): leave it out.")
        if not spread.scatter.any():
            raise ValueError(
                "The known cells of each column are all alike, or differ by too little to be squared: scale the columns, or "
                "fill the missing cells with these values."
            )
        return cls(float(weight), int(count), int(holes), spread)

    @property
    def units(self) -> Array:
        """A power of two for all columns, beside which they vary by about 1."""
        variance = float((self.spread.scatter / self.spread.weight).mean())
        return np.full(self.spread.columns, 2.0 ** np.round(0.5 * np.log2(variance)))

    @property
    def deviations(self) -> Array:
        """The standard deviations of the known cells of the columns; 1 where they do not vary."""
        return ColumnSquares.of(self.spread).deviations(self.spread.weight)

    def latent_numbers(self, wanted: Any) -> int:
        """k of the density: the components that are wanted, or as many as there can be."""
        d = self.spread.columns
        k = min(int(wanted) if isinstance(wanted, Integral) else self.rows, d - 1)
        if d * (k + 1) ** 2 > MOST_CELLS:
            raise ValueError(
                f'With missing="em", {k} components of {d} columns take {8e-9 * d * (k + 1) ** 2:.0f} GB: give a smaller whole '
                "number as n_components."
            )
        return k


def counts(block: Block) -> Array:
    """Weight and number of the rows that count, and their missing cells."""
    counted = block.weights > 0
    return np.array([block.weights.sum(), counted.sum(), np.isnan(block.X[counted]).sum()])


def axes_of_density(density: LatentDensity, n: float, most: int) -> Axes:
    """At most so many of its principal axes, as if n rows had its covariance; all d of them if W has d − 1 columns."""
    d, k = density.W.shape
    variances, V = rotated(density)
    total = float(variances.sum()) + (d - k) * density.noise
    if k == d - 1:
        variances, V = np.append(variances, density.noise), np.vstack([V, at_right_angles(V, 1)])
    return Axes(n * variances[:most], V[:most], n * total, "em")


def density_of_axes(components: Array, variances: Array, noise: float) -> LatentDensity:
    """The density of fitted components, of columns that are centred; what they say of no direction has almost no variance."""
    full = len(components) == components.shape[1]
    noise = max(float(variances[-1]) if full else noise, 1e-12 * float(variances.max(initial=0.0)), float(np.finfo(float).tiny))
    return LatentDensity(np.zeros(components.shape[1]), components.T * np.sqrt(np.maximum(variances - noise, 0.0)), noise)
