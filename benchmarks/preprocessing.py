"""Standardisation: one pass over the table, so the limit is the speed at which memory can be read."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Answer

COLUMNS = 30


def make(rows: int) -> Data:
    """Columns of different offsets and scales."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, COLUMNS))
    X *= random.uniform(0.1, 10, COLUMNS)
    X += random.uniform(-10, 10, COLUMNS)
    return (X,)


CASES = (
    Case(
        name="StandardScaler, 200 000 × 30",
        rows=200_000,
        make=make,
        contenders=contenders("preprocessing", "StandardScaler"),
        quality=Answer("mean and scale", lambda data, model: np.concatenate([model.mean_, model.scale_]), 1e-9),
        bytes=lambda rows: 8 * rows * COLUMNS,
    ),
)
