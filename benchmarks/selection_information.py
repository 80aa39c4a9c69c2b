"""Mutual information of columns, and greedy filters made of it.

The estimates by neighbours are scikit-learn's, with the same noise. Greedy filters are compared with two of NumPy: a loop over
the columns, and the tables of all columns at once, which take much memory. All keep sums from step to step and look N log N up,
are given codes, and must give the same columns in the same order.
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


def n_log_n(n: int) -> Any:
    """N log N of 0, 1, … n."""
    N = np.arange(n + 1.0)
    return N * np.log(np.maximum(N, 1.0))


def column_by_column(X: Any, y: Any, keep: int, jmi: bool) -> list[int]:
    """The greedy order of mRMR or JMI in NumPy: the joint counts of a pair by `bincount`, the sums kept from step to step."""
    n, d = X.shape
    columns, terms = np.ascontiguousarray(X.T), n_log_n(n)
    tens, all_ = 10 * columns, terms[n]

    def terms_of(codes: Any) -> Any:
        return terms[np.bincount(codes)].sum()

    alone, of_class = np.array([terms_of(x) for x in columns]), terms_of(y)
    relevance = (np.array([terms_of(2 * x + y) for x in columns]) - alone - of_class + all_) / n
    order, sums, left = [int(relevance.argmax())], np.zeros(d), np.ones(d, bool)
    while len(order) < keep:
        s = order[-1]
        left[s] = False
        for j in np.flatnonzero(left):
            joint = tens[j] + columns[s]
            if jmi:
                sums[j] += (terms_of(2 * joint + y) - terms_of(joint) - of_class + all_) / n
            else:
                sums[j] += (terms_of(joint) - alone[j] - alone[s] + all_) / n
        J = sums if jmi else relevance - sums / len(order)
        order.append(int(np.where(left, J, -np.inf).argmax()))
    return order


def all_columns_at_once(X: Any, y: Any, keep: int, jmi: bool) -> list[int]:
    """The same with the tables of all columns by one `bincount`."""
    n, d = X.shape
    terms = n_log_n(n)
    levels = 10 * np.arange(d)[:, None] + X.T

    def tables(codes: Any, kinds: int) -> Any:
        return np.bincount((levels * kinds + codes).ravel(), minlength=10 * d * kinds).reshape(d, 10, kinds)

    def terms_of(counts: Any) -> Any:
        return terms[counts].reshape(d, -1).sum(axis=1)

    of_class, alone = terms[np.bincount(y)].sum(), terms_of(tables(np.zeros(n, int), 1))
    relevance = (terms_of(tables(y, 2)) - alone - of_class + terms[n]) / n
    order, sums, left = [int(relevance.argmax())], np.zeros(d), np.ones(d, bool)
    while len(order) < keep:
        s = order[-1]
        left[s] = False
        if jmi:
            triples = tables(2 * X[:, s] + y, 20)
            sums += (terms_of(triples) - terms_of(triples.reshape(d, 10, 10, 2).sum(axis=3)) - of_class + terms[n]) / n
        else:
            sums += (terms_of(tables(X[:, s], 10)) - alone - alone[s] + terms[n]) / n
        J = sums if jmi else relevance - sums / len(order)
        order.append(int(np.where(left, J, -np.inf).argmax()))
    return order


def mrmr_by_column(X: Any, y: Any) -> list[int]:
    return column_by_column(X, y, KEPT, jmi=False)


def jmi_by_column(X: Any, y: Any) -> list[int]:
    return column_by_column(X, y, KEPT, jmi=True)


def mrmr_at_once(X: Any, y: Any) -> list[int]:
    return all_columns_at_once(X, y, KEPT, jmi=False)


def jmi_at_once(X: Any, y: Any) -> list[int]:
    return all_columns_at_once(X, y, KEPT, jmi=True)


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


def greedy(name: str, way: str, words: str) -> Case:
    """A filter, and one of NumPy."""
    return Case(
        name=f"{name}, 200 × {GENES}, keep {KEPT}, {words}",
        rows=200,
        make=genes,
        contenders={
            OURS: Contender(OURS, __name__, f"our_{name.lower()}", method=None),
            NUMPY: Contender(NUMPY, __name__, f"{name.lower()}_{way}", method=None),
        },
        quality=Answer("order of the columns", lambda data, order: np.array(order, dtype=float), 0.0),
        once=(NUMPY,),
        grows=False,
    )


CASES = (
    by_neighbors("mutual_info_classif", three_classes),
    by_neighbors("mutual_info_regression", dependent),
    greedy("MRMR", "by_column", "NumPy a column at a time"),
    greedy("JMI", "by_column", "NumPy a column at a time"),
    greedy("MRMR", "at_once", "NumPy all columns at once"),
    greedy("JMI", "at_once", "NumPy all columns at once"),
)
