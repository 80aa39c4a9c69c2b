"""γ = "scale" of rows anywhere, in one pass: 1/(number of columns · variance of all cells), each row counted by its weight."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Rows
from aprendiz.core.sums import Spread, find_pivot


def scale_of(rows: Rows) -> float:
    """γ; 1 where all cells are equal, as in scikit-learn."""
    spread = rows.sum(Spread.of, find_pivot(rows))
    if not (spread.weight > 0).all():
        raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        variance = np.mean(spread.scatter / spread.weight) + np.var(spread.mean - spread.mean[0])
        gamma = 1.0 / (rows.columns * variance) if variance != 0 else np.float64(1.0)
    if not np.isfinite(gamma) or gamma == 0:
        far = np.where(np.isfinite(spread.second), spread.second, np.inf)
        raise ValueError(
            'gamma="scale" is 1/(number of columns · variance of all cells), but that leaves the range of numbers: the '
            f"largest cells are in column {int(far.argmax())}. Scale the column, or give gamma as a number."
        )
    return float(gamma)
