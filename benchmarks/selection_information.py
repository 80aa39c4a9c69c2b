"""Mutual information of columns, and greedy filters made of it.

The estimates by neighbours are scikit-learn's, with the same noise. Greedy filters are compared with a loop over the columns
in NumPy: the joint counts of a pair by `bincount`, and the sums kept from step to step, as ours are. Both are given codes, and
must give the same columns in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import NUMPY, OURS, SKLEARN, Contender, Data
from benchmarks.quality import Answer

GENES, KEPT = (2_000, 10) if QUICK else (10_000, 50)


def dependent(rows: int) -> Data:
    """Thirty columns, a third of which follow the target."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(rows, 30)), random.normal(size=rows)
    X[:, :10] += y[:, None]
    return X, y


def three_classes(rows: int) -> Data:
    X, y = dependent(rows)
    return X, np.digitize(y, np.quantile(y, [1 / 3, 2 / 3]))


def genes(rows: int) -> Data:
    """Codes from 0 to 9 in many columns, of which some follow two classes."""
    random = np.random.default_rng(0)
    y = np.arange(rows) % 2
    X = random.normal(size=(rows, GENES))
    X[:, :100] += 0.7 * y[:, None]
    return np.floor(10 * X.argsort(axis=0).argsort(axis=0) / rows).astype(int), y


def entropy_sum(codes: Any) -> float:
    """Σ N log N."""
    N = np.bincount(codes)
    N = N[N > 0]
    return float(N @ np.log(N))


def numpy_filter(X: Any, y: Any, keep: int, jmi: bool) -> list[int]:
    """The greedy order of mRMR or JMI, a column at a time."""
    n, d = X.shape
    alone, of_class, all_ = [entropy_sum(x) for x in X.T], entropy_sum(y), n * np.log(n)
    relevance = np.array([(entropy_sum(2 * x + y) - a - of_class + all_) / n for x, a in zip(X.T, alone, strict=True)])
    order, sums = [int(relevance.argmax())], np.zeros(d)
    while len(order) < keep:
        s, J = X[:, order[-1]], np.full(d, -np.inf)
        for j in set(range(d)) - set(order):
            joint = 10 * X[:, j] + s
            if jmi:
                sums[j] += (entropy_sum(2 * joint + y) - entropy_sum(joint) - of_class + all_) / n
                J[j] = sums[j]
            else:
                sums[j] += (entropy_sum(joint) - alone[j] - alone[order[-1]] + all_) / n
                J[j] = relevance[j] - sums[j] / len(order)
        order.append(int(J.argmax()))
    return order


def numpy_mrmr(X: Any, y: Any) -> list[int]:
    return numpy_filter(X, y, KEPT, jmi=False)


def numpy_jmi(X: Any, y: Any) -> list[int]:
    return numpy_filter(X, y, KEPT, jmi=True)


def our_mrmr(X: Any, y: Any) -> list[int]:
    from aprendiz.selection import MRMR

    return list(MRMR(KEPT, first_cut=1.0).fit(X, y).order_)


def our_jmi(X: Any, y: Any) -> list[int]:
    from aprendiz.selection import JMI

    return list(JMI(KEPT, first_cut=1.0).fit(X, y).order_)


def by_neighbors(name: str, make: Any) -> Case:
    """A function of both libraries."""

    def told(data: Data, seed: int) -> dict[str, Any]:
        return {"random_state": seed}

    return Case(
        name=f"{name}, 10 000 × 30",
        rows=10_000,
        make=make,
        contenders={
            OURS: Contender(OURS, "aprendiz.selection", name, told, None),
            SKLEARN: Contender(SKLEARN, "sklearn.feature_selection", name, told, None),
        },
        quality=Answer("mutual information", lambda data, found: found, 1e-6),
    )


def greedy(name: str) -> Case:
    """A filter, and the loop."""
    return Case(
        name=f"{name}, 200 × {GENES}, keep {KEPT}",
        rows=200,
        make=genes,
        contenders={
            OURS: Contender(OURS, __name__, f"our_{name.lower()}", method=None),
            NUMPY: Contender(NUMPY, __name__, f"numpy_{name.lower()}", method=None),
        },
        quality=Answer("order of the columns", lambda data, order: np.array(order, dtype=float), 0.0),
        once=(NUMPY,),
        grows=False,
    )


CASES = (
    by_neighbors("mutual_info_classif", three_classes),
    by_neighbors("mutual_info_regression", dependent),
    greedy("MRMR"),
    greedy("JMI"),
)
