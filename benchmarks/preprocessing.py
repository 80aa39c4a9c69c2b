"""Scalers and imputers: one pass over the table where the statistics add, so the limit is the speed of reading memory.

Medians and quartiles take three passes, and the most frequent value has to count the distinct ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders, fixed
from benchmarks.quality import Answer

COLUMNS = 30
MISSING = 0.05  # share of the cells


def table(rows: int) -> Data:
    """Columns of different offsets and scales."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, COLUMNS))
    X *= random.uniform(0.1, 10, COLUMNS)
    X += random.uniform(-10, 10, COLUMNS)
    return (X,)


def gaps(rows: int) -> Data:
    """The same with missing cells."""
    return (with_gaps(table(rows)[0]),)


def counts_with_gaps(rows: int) -> Data:
    """Whole numbers, about twenty different ones in a column, with missing cells."""
    return (with_gaps(np.random.default_rng(0).poisson(6.0, (rows, COLUMNS)).astype(float)),)


def with_gaps(X: np.ndarray) -> np.ndarray:
    X[np.random.default_rng(1).uniform(size=X.shape) < MISSING] = np.nan
    return X


def size(rows: int) -> float:
    """Bytes of the table."""
    return 8 * rows * COLUMNS


def statistics(*names: str) -> Answer:
    """Attributes that hold a number for each column."""

    def together(data: Data, model: Any) -> Any:
        return np.concatenate([getattr(model, name) for name in names])

    return Answer(" and ".join(name.strip("_").replace("_", " ") for name in names), together, 1e-9)


MEAN_AND_SCALE = statistics("mean_", "scale_")
EXTREMES = statistics("data_min_", "data_max_")
QUARTILES = statistics("center_", "scale_")
FILLED = statistics("statistics_")

CASES = (
    Case(
        name="StandardScaler, 200 000 × 30",
        rows=200_000,
        make=table,
        contenders=contenders("preprocessing", "StandardScaler"),
        quality=MEAN_AND_SCALE,
        bytes=size,
    ),
    Case(
        name="MinMaxScaler, 200 000 × 30",
        rows=200_000,
        make=table,
        contenders=contenders("preprocessing", "MinMaxScaler"),
        quality=EXTREMES,
        bytes=size,
    ),
    Case(
        name="RobustScaler, 200 000 × 30",
        rows=200_000,
        make=table,
        contenders=contenders("preprocessing", "RobustScaler"),
        quality=QUARTILES,
        bytes=size,
    ),
    *(
        Case(
            name=f"SimpleImputer, {strategy}, 200 000 × 30, 5 % missing",
            rows=200_000,
            make=make,
            contenders=contenders("impute", "SimpleImputer", fixed(strategy=strategy)),
            quality=FILLED,
            bytes=size,
        )
        for strategy, make in {"mean": gaps, "median": gaps, "most_frequent": counts_with_gaps}.items()
    ),
)
