"""Selections by paths: how often columns enter early on halves of the rows, and the distances of knockoffs from their columns.

The halves are those of ours. scikit-learn's path of least angles gives the first columns of each exactly. The distances solve a
semidefinite problem; NumPy's are the same method, with the same penalties, a column at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import NUMPY, OURS, SKLEARN, Contender, Data
from benchmarks.quality import Answer

GENES, PAIRS, FIRST = (1_000, 5, 10) if QUICK else (10_000, 50, 30)
COLUMNS = 50 if QUICK else 300


def genes(rows: int) -> Data:
    """Ten of many columns say something of a quantity."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, GENES))
    return X, X[:, :10].sum(axis=1) + 2.0 * random.normal(size=rows)


def our_shares(X: Any, y: Any) -> Any:
    from aprendiz.selection import StabilitySelection

    return StabilitySelection(n_pairs=PAIRS, n_features_per_sample=FIRST).fit(X, y).scores_


def shares_by_least_angles(X: Any, y: Any) -> Any:
    """The same halves, each by scikit-learn's path."""
    from sklearn.linear_model import lars_path

    from aprendiz.selection.stability.half_samples import pair_of_halves

    Z, counts = (X - X.mean(axis=0)) / X.std(axis=0), np.zeros(X.shape[1])
    for number in range(PAIRS):
        for half in pair_of_halves(len(y), 0, number):
            part = Z[half] - Z[half].mean(axis=0)
            _alphas, active, _coefs = lars_path(part, y[half] - y[half].mean(), method="lasso", max_iter=FIRST)
            counts[list(active)] += 1
    return counts / (2 * PAIRS)


def neighbours(rows: int) -> Data:
    """Correlations of columns whose neighbours have ½."""
    del rows
    place = np.arange(COLUMNS)
    return (0.5 ** np.abs(place[:, None] - place),)


def our_distances(correlation: Any) -> Any:
    from aprendiz.selection.knockoffs.distances import largest_sum

    return largest_sum(correlation)


def distances_in_numpy(correlation: Any) -> Any:
    """Coordinate ascent, a column at a time."""
    d, s, mu = len(correlation), np.full(len(correlation), float(np.linalg.eigvalsh(correlation)[0])), 0.5
    while mu > 1e-5:
        for _ in range(2):
            inverse = np.linalg.inv(2.0 * correlation - np.diag(s))
            for j in range(d):
                line = inverse[j].copy()
                change = min(1.0, max(0.0, s[j] + 1.0 / line[j] - max(mu, 0.5 / line[j]))) - s[j]
                s[j] += change
                inverse += change / (1.0 - change * line[j]) * np.outer(line, line)
        mu *= 0.3
    return s


CASES = (
    Case(
        name=f"StabilitySelection, 100 × {GENES}, {2 * PAIRS} halves, first {FIRST}",
        rows=100,
        make=genes,
        contenders={
            OURS: Contender(OURS, __name__, "our_shares", method=None),
            SKLEARN: Contender(SKLEARN, __name__, "shares_by_least_angles", method=None),
        },
        quality=Answer("shares of the halves", lambda data, found: found, 0.05),
        once=(SKLEARN,),
        grows=False,
    ),
    Case(
        name=f"distances of knockoffs, {COLUMNS} columns",
        rows=COLUMNS,
        make=neighbours,
        contenders={
            OURS: Contender(OURS, __name__, "our_distances", method=None),
            NUMPY: Contender(NUMPY, __name__, "distances_in_numpy", method=None),
        },
        quality=Answer("sum of the distances", lambda data, s: np.array([s.sum()]), 1e-2),
        once=(NUMPY,),
        grows=False,
    ),
)
