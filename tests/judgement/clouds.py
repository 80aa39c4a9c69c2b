"""Tables of rows in one cloud, which may be long, skewed or flat, and tables of two to five groups.

Groups are apart by a distance in standard deviations between the nearest two means; they may differ in size, in shape and in
number of rows. Clouds are what makes a search for groups see some: correlated, with a long tail, uniform, of few values.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array

ROWS, COLUMNS = (60, 150, 400), (2, 4, 8)
SHAPES = ("normal", "long", "skewed", "uniform", "disc", "t", "answers", "curved")
APART = 6.0  # standard deviations between the nearest means


def cloud(shape: str, seed: int) -> Array:
    """Rows of one cloud."""
    rng = np.random.default_rng([seed, 2, SHAPES.index(shape)])
    n, d = int(rng.choice(ROWS)), int(rng.choice(COLUMNS))
    Z = rng.normal(size=(n, d))
    if shape == "long":
        return Z * np.r_[10.0, np.ones(d - 1)] @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    if shape == "skewed":
        return np.exp(0.7 * Z @ (np.eye(d) + 0.3))
    if shape == "uniform":
        return rng.uniform(size=(n, d))
    if shape == "disc":
        return Z / np.linalg.norm(Z, axis=1, keepdims=True) * rng.uniform(size=(n, 1)) ** (1 / d)
    if shape == "t":
        return Z / np.sqrt(rng.chisquare(4, size=(n, 1)) / 4)
    if shape == "answers":
        return np.clip(np.round(3 + Z + 0.7 * rng.normal(size=(n, 1))), 1, 5)
    if shape == "curved":
        Z[:, 1] = Z[:, 0] ** 2 + Z[:, 1]
    return Z


def groups(k: int, seed: int) -> tuple[Array, Array]:
    """Rows of k groups, and the group of each."""
    rng = np.random.default_rng([seed, 3, k])
    n, d = int(rng.choice(ROWS[1:])), int(rng.choice(COLUMNS))
    shares = rng.uniform(1.0, 2.0, k)
    labels = rng.choice(k, n, p=shares / shares.sum())
    means = rng.normal(size=(k, d))
    nearest = min(np.linalg.norm(means[i] - means[j]) for i in range(k) for j in range(i))
    widths = rng.uniform(0.7, 1.0, (k, d))
    return means[labels] * APART / nearest + widths[labels] * rng.normal(size=(n, d)), labels
