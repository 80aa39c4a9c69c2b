"""Columns as the search for structure sees them: continuous, so that no column is groups by itself.

    numbers          standardised; by a power first if they are skewed, for a tail is no group
    few values, levels in an order      F(x−) + U·(F(x) − F(x−)),  U uniform: uniform in [0, 1], whatever the shares     (1)
    levels without an order             the same, in the order of their means along the first principal axis of the others

A missing cell takes the value of another row, drawn at random. So a binary column alone is as flat as a uniform one, while two
that agree lie in two corners of a square: groups are what columns say together.

Reference for (1): Rüschendorf, "On the distributional transform, Sklar's theorem, and the empirical copula process", Journal of
Statistical Planning and Inference 139, 2009. Of powers: Yeo & Johnson, Biometrika 87, 2000.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import skew, yeojohnson

from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.levels import level_codes

FEW_VALUES = 12
SKEWED = 1.0  # skewness from which a power is taken


def spread_columns(frame: Any, columns: Columns, seed: int = 0) -> Array:
    """A standardised column of numbers for each column that varies."""
    rng = np.random.default_rng(seed)
    done, unordered = list[Array](), list[Array]()
    for column in columns:
        if column.kind == "numeric":
            values = filled(frame[column.name].to_numpy(dtype=np.float64), rng)
            codes, levels = pd.factorize(values, sort=True)
            done.append(uniform(codes, rng) if len(levels) <= FEW_VALUES else without_a_tail(values))
            continue
        codes = level_codes(frame, column).astype(np.float64)
        codes = filled(np.where(codes < 0, np.nan, codes), rng).astype(np.int64)
        (done if column.kind in ("binary", "ordinal") else unordered).append(
            uniform(codes, rng) if column.kind in ("binary", "ordinal") else codes
        )
    X = standardised(done, len(frame))
    axis = first_axis(X) if X.shape[1] else rng.normal(size=len(frame))
    others = [uniform(in_order_of(codes, axis), rng) for codes in unordered]
    return np.column_stack([X, standardised(others, len(frame))])


def without_a_tail(values: Array) -> Array:
    """A skewed column by the power that makes it most normal (Yeo and Johnson): a tail is no group, and two humps stay two."""
    spread = values.std()
    if not spread or abs(skew(values)) < SKEWED:
        return values
    low, middle, high = np.quantile(values, (0.1, 0.5, 0.9))
    centre = values.min() if skew(values) > 0 else values.max()
    unit = abs(middle - centre) or (high - low) or spread
    return np.asarray(yeojohnson((values - centre) / unit)[0])


def filled(values: Array, rng: np.random.Generator) -> Array:
    """Missing cells take the values of other rows."""
    known = values[~np.isnan(values)]
    return np.where(np.isnan(values), rng.choice(known, len(values)), values) if len(known) else np.zeros(len(values))


def uniform(codes: Array, rng: np.random.Generator) -> Array:
    """(1) of codes in order."""
    counts = np.bincount(codes)
    below = np.cumsum(counts) - counts
    return np.asarray((below[codes] + rng.random(len(codes)) * counts[codes]) / len(codes))


def in_order_of(codes: Array, axis: Array) -> Array:
    """Codes in the order of the means of their rows along an axis."""
    counts = np.bincount(codes)
    means = np.bincount(codes, axis) / np.maximum(counts, 1)
    return np.asarray(np.argsort(np.argsort(means, kind="stable"))[codes])


def standardised(columns: list[Array], rows: int) -> Array:
    """Columns of mean 0 and deviation 1; those that do not vary are left out."""
    X = np.array(columns).reshape(len(columns), rows).T
    spread = X.std(axis=0)
    kept = spread > 1e-12 * np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    return np.asarray((X[:, kept] - X[:, kept].mean(axis=0)) / spread[kept])


def first_axis(X: Array) -> Array:
    """The scores along the first principal axis."""
    U, s, _V = np.linalg.svd(X, full_matrices=False)
    return np.asarray(U[:, 0] * s[0])
