"""Wrappers: columns that are added or left out one at a time, judged on folds.

scikit-learn fits its own learner for every set and fold; ours is updated from sums of the other folds. Both are given the same
folds, and are judged by the columns that they choose.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data
from benchmarks.quality import Answer

COLUMNS, KEPT, FOLDS = (40, 5, 5) if QUICK else (200, 20, 10)


def numbers(rows: int) -> Data:
    """A target that follows a fifth of the columns, with noise."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, COLUMNS))
    w = random.normal(size=COLUMNS) * (random.random(COLUMNS) < 0.2)
    return X, X @ w + 3.0 * random.normal(size=rows)


def classes(rows: int) -> Data:
    """Three classes, by thirds of that target."""
    X, y = numbers(rows)
    return X, np.digitize(y, np.quantile(y, [1 / 3, 2 / 3]))


def two_classes(rows: int) -> Data:
    """Two classes, by the sign of that target."""
    X, y = numbers(rows)
    return X, (y > 0).astype(int)


EXACT = {"LogisticRegression": {"solver": "newton-cholesky", "tol": 1e-12}}  # of scikit-learn: its fits go to the minimum


def learner(library: str, name: str, exact: bool = False) -> Any:
    """A learner with its defaults, of ours or of scikit-learn, which can be exact where by default it is not."""
    if library == OURS:
        import aprendiz

        return getattr(aprendiz, name)()
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB

    theirs: dict[str, Any] = {
        "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis,
        "LinearRegression": LinearRegression,
        "LogisticRegression": LogisticRegression,
        "Ridge": Ridge,
        "GaussianNB": GaussianNB,
    }
    return theirs[name](**EXACT[name] if exact else {})


def both(selector: str, name: str, exact: bool = False, **settings: Any) -> dict[str, Contender]:
    """The selector and the learner of each library."""

    def told(library: str) -> Any:
        return lambda data, seed: {"estimator": learner(library, name, exact), **settings}

    return {
        OURS: Contender(OURS, "aprendiz.selection", selector, told(OURS)),
        SKLEARN: Contender(SKLEARN, "sklearn.feature_selection", selector, told(SKLEARN)),
    }


def scores(data: Data, model: Any) -> Any:
    """The mean score of each number of columns."""
    return model.cv_results_["mean_test_score"]


CHOSEN = Answer("chosen columns", lambda data, model: model.support_.astype(float), 0.0)
BEST_SCORE = Answer(
    "best score", lambda data, model: model.cv_results_["mean_test_score"].max(), 0.005
)  # their fits stop early
SCORES = Answer("scores of all sizes", scores, 1e-9)


def forward(name: str, make: Any) -> Case:
    return Case(
        name=f"SequentialFeatureSelector, {name}, 1 000 × {COLUMNS}, keep {KEPT}, {FOLDS} folds",
        rows=1_000,
        make=make,
        contenders=both("SequentialFeatureSelector", name, n_features_to_select=KEPT, cv=FOLDS),
        quality=CHOSEN,
        grows=False,
        once=(SKLEARN,),
    )


def elimination(name: str, make: Any, quality: Answer = SCORES, exact: bool = False) -> Case:
    return Case(
        name=f"RFECV, {name}{', exact fits' if exact else ''}, 1 000 × {COLUMNS}, {FOLDS} folds",
        rows=1_000,
        make=make,
        contenders=both("RFECV", name, exact, cv=FOLDS),
        quality=quality,
        grows=False,
        once=(SKLEARN,),
    )


CASES = (
    forward("LinearDiscriminantAnalysis", classes),
    forward("Ridge", numbers),
    forward("GaussianNB", classes),
    elimination("LinearRegression", numbers),
    elimination("Ridge", numbers),
    elimination("LinearDiscriminantAnalysis", classes),
    elimination("LogisticRegression", two_classes, exact=True),
    elimination("LogisticRegression", two_classes, BEST_SCORE),
)
