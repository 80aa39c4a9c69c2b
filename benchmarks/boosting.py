"""Gradient boosting on histograms: 100 trees of 31 leaves, and predictions by them.

All libraries get the same trees to grow (31 leaves, a learning rate of 0.1, at least 20 rows in a leaf, 255 bins) and
two threads. Fits are judged by rows that nobody learned from; within a hundredth
of the best counts as equal.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np

from benchmarks import THREADS
from benchmarks.ensemble import GROWN, NUMBERS, THIRTY, TWENTY, Judged, judged, said
from benchmarks.harness import Case
from benchmarks.peers import LIGHTGBM, OURS, PACKAGES, SKLEARN, XGBOOST, Contender, Settings, also, contenders, fixed
from benchmarks.tree import Score, iris, two_classes

LEAVES, ROWS_OF_LEAF = 31, 20


def light(trees: int) -> Settings:
    """LightGBM, which takes these sizes by default."""
    return fixed(n_estimators=trees, num_leaves=LEAVES, min_child_samples=ROWS_OF_LEAF, n_jobs=THREADS, verbose=-1)


def extreme(trees: int) -> Settings:
    """XGBoost, leaf by leaf."""
    return fixed(
        n_estimators=trees, max_leaves=LEAVES, max_depth=0, grow_policy="lossguide", tree_method="hist", learning_rate=0.1,
        n_jobs=THREADS,
    )  # fmt: skip


def all_of_them(kind: str, trees: int) -> dict[str, Contender]:
    """Every library that is installed, for classes ("Classifier") or numbers ("Regressor")."""
    own = contenders("ensemble", f"HistGradientBoosting{kind}", fixed(max_iter=trees, early_stopping=False))
    return own | also(LIGHTGBM, f"LGBM{kind}", light(trees)) | also(XGBOOST, f"XGB{kind}", extreme(trees))


class Grown:
    """The trees of a library, grown on the first rows of a table, to predict all of them."""

    def __init__(self, library: str):
        contender = all_of_them("Classifier", 100)[library]
        self.learner = getattr(import_module(contender.module), contender.learner)(**contender.settings((None, None), 0))

    def fit(self, X: Any, y: Any) -> Self:
        self.learner.fit(X[:GROWN], y[:GROWN])
        return self

    def predict(self, X: Any) -> Any:
        return self.learner.predict(X)


def predicting() -> dict[str, Contender]:
    """One `Grown` for each library that is installed."""
    names = [name for name in (OURS, SKLEARN, LIGHTGBM, XGBOOST) if find_spec(PACKAGES[name])]
    return {name: Contender(name, "benchmarks.boosting", "Grown", fixed(library=name), "predict") for name in names}


def boosted(kind: str, rows: int, table: Judged, what: str, **more: Any) -> Case:
    columns = 20 if table is TWENTY else 30
    return Case(
        name=f"HistGradientBoosting{kind}, 100 trees, {f'{rows:,}'.replace(',', ' ')} × {columns}",
        rows=rows,
        make=table.first,
        contenders=all_of_them(kind, 100),
        quality=judged(table, what),
        grows=False,
        **more,
    )


def right(data: Any, model: Any) -> float:
    """The accuracy on the rows of the fit."""
    return float(np.mean(model.predict(data[0]) == data[1]))


CASES = (
    boosted("Regressor", 50_000, NUMBERS, "R²"),
    boosted("Classifier", 50_000, THIRTY, "accuracy"),
    boosted("Classifier", 1_000_000, TWENTY, "accuracy", once=(SKLEARN, LIGHTGBM, XGBOOST)),
    Case(
        name="HistGradientBoostingClassifier, predict, 100 trees, 200 000 × 30",
        rows=200_000,
        make=two_classes(30),
        contenders=predicting(),
        quality=Score("accuracy on rows that it was not grown on", said, 0.01),
        grows=False,
        least=2 * GROWN,
    ),
    Case(
        name="HistGradientBoostingClassifier, 100 × 3 trees, iris",
        rows=150,
        make=iris,
        contenders=all_of_them("Classifier", 100),
        quality=Score("accuracy on the rows of the fit", right, 0.01),
        grows=False,
    ),
)
