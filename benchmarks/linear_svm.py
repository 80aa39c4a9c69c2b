"""Linear support vector machines: few columns and many rows, where liblinear's descent on the dual of the hinge hardly ends,
and words, where it is at its best.

Judged by the objective. scikit-learn has its usual tolerance and warns where it stops at `max_iter`; ours proves its own gap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders, fixed
from benchmarks.quality import Objective

VOCABULARY, LENGTH = 50_000, 60  # columns and words of a row in the table of words


def overlapping(columns: int, numbers: bool) -> Callable[[int], Data]:
    """Correlated columns, and a target that a plane predicts with errors: two classes, or numbers."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        X = random.normal(size=(rows, columns)) @ (np.eye(columns) + random.normal(size=(columns, columns)) / np.sqrt(columns))
        t = X @ random.normal(size=columns)
        y = t / t.std() + 0.7 * random.normal(size=rows)
        return X, y if numbers else (y > 0.3).astype(int)

    return make


def words(rows: int) -> Data:
    """Rows of words by frequency, of unit length; a tenth of the words of a row are from those of its class, a tenth of the
    classes are wrong."""
    random = np.random.default_rng(0)
    shape, chance = rows * LENGTH, 1.0 / np.arange(1, VOCABULARY + 1) ** 0.9
    y, row = random.integers(0, 2, rows), np.repeat(np.arange(rows), LENGTH)
    word = random.choice(VOCABULARY, shape, p=chance / chance.sum())
    half = chance[: VOCABULARY // 2]
    own = 2 * random.choice(VOCABULARY // 2, shape, p=half / half.sum()) + y[row]
    word = random.permutation(VOCABULARY)[np.where(random.random(shape) < 0.1, own, word)]  # in no order, as words are
    X = sparse.csr_matrix((np.ones(shape), (row, word)), (rows, VOCABULARY))
    X.data = 1.0 + np.log(X.data)
    X.data *= np.log(rows / (1.0 + np.bincount(X.indices, minlength=VOCABULARY)))[X.indices] + 1.0
    X.data /= np.repeat(np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel()), np.diff(X.indptr))
    return X, np.where(random.random(rows) < 0.1, 1 - y, y)


def objective(C: float, squared: bool, numbers: bool) -> Callable[[Data, Any], float]:
    """½‖w‖² + ½b² + C Σ ξ^p."""

    def function(data: Data, model: Any) -> float:
        X, y = data
        coef, b = np.ravel(model.coef_), np.ravel(model.intercept_)
        t = X @ coef + b
        r = np.abs(y - t) if numbers else np.maximum(0.0, 1.0 - (2.0 * y - 1.0) * t)
        return float(0.5 * (coef @ coef + b @ b) + C * (r**2 if squared else r).sum())

    return function


def classes(rows: int, columns: int, loss: str, C: float) -> Case:
    of_words = columns == VOCABULARY
    shape = f"{rows // 1000} 000 × {columns // 1000} 000, words" if of_words else f"{rows // 1000} 000 × {columns}"
    return Case(
        name=f"LinearSVC, {loss}, C = {C:g}, {shape}",
        rows=rows,
        make=words if of_words else overlapping(columns, numbers=False),
        contenders=contenders("svm", "LinearSVC", fixed(loss=loss, C=C, random_state=0)),
        quality=Objective("objective", objective(C, loss == "squared_hinge", numbers=False), 1e-6),
        grows=C == 1.0,
    )


def numbers(rows: int, columns: int, loss: str, C: float) -> Case:
    return Case(
        name=f"LinearSVR, {loss}, C = {C:g}, {rows // 1000} 000 × {columns}",
        rows=rows,
        make=overlapping(columns, numbers=True),
        contenders=contenders("svm", "LinearSVR", fixed(loss=loss, C=C, random_state=0)),
        quality=Objective("objective", objective(C, loss.startswith("squared"), numbers=True), 1e-6),
        grows=False,
    )


CASES = (
    *(classes(50_000, 30, loss, C) for loss in ("squared_hinge", "hinge") for C in (0.01, 1.0, 100.0)),
    *(classes(20_000, VOCABULARY, loss, C) for loss in ("squared_hinge", "hinge") for C in (0.01, 1.0, 100.0)),
    *(numbers(50_000, 30, loss, 1.0) for loss in ("squared_epsilon_insensitive", "epsilon_insensitive")),
)
