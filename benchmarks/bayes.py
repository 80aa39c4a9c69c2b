"""Naive Bayes: the fit is one pass that counts, and prediction a sum over columns for every row and class.

Words are judged by log-posteriors: the table has so many columns that the posteriors of rows that were learned are 0 and 1, and
would be equal whatever was computed. scikit-learn-intelex has no naive Bayes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, Settings, contenders
from benchmarks.quality import Answer

CLASSES, CATEGORIES = 3, 6
TOPICS, VOCABULARY, LENGTH = 20, 100_000, 100  # classes, columns and filled cells of a row in the table of words


def clouds(columns: int) -> Callable[[int], Data]:
    """A round cloud for each class; they overlap."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        y = random.integers(0, CLASSES, rows)
        return random.normal(size=(rows, columns)) + 0.3 * random.normal(size=(CLASSES, columns))[y], y

    return make


def categories(columns: int) -> Callable[[int], Data]:
    """Codes 0 to 5 in every column, with other chances in each class."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        y = random.integers(0, CLASSES, rows)
        return random.binomial(CATEGORIES - 1, random.uniform(0.4, 0.6, (CLASSES, columns))[y]), y

    return make


def words(rows: int) -> Data:
    """Counts of words, 0.1 % of the cells filled; a fiftieth of the words of a row are from those of its class."""
    random, shape = np.random.default_rng(0), (rows, LENGTH)
    y, special = random.integers(0, TOPICS, rows), VOCABULARY // TOPICS
    own = y[:, None] * special + random.integers(0, special, shape)
    word = np.where(random.uniform(size=shape) < 0.02, own, random.integers(0, VOCABULARY, shape)).astype(np.int32)
    ends = np.arange(0, rows * LENGTH + 1, LENGTH, dtype=np.int32)
    X = sparse.csr_matrix((1.0 + random.poisson(0.5, rows * LENGTH), word.ravel(), ends), (rows, VOCABULARY))
    X.sum_duplicates()
    return X, y


def size(columns: int) -> Callable[[int], float]:
    """Bytes of the table."""
    return lambda rows: 8.0 * rows * columns


def filled_size(rows: int) -> float:
    """Bytes of the cells that are filled, a number and the number of its column each."""
    return 12.0 * rows * LENGTH


def normals(data: Data, model: Any) -> Any:
    return np.concatenate([model.class_prior_, model.theta_.ravel(), model.var_.ravel()])


def chances(data: Data, model: Any) -> Any:
    return np.concatenate([model.class_log_prior_, *(table.ravel() for table in model.feature_log_prob_)])


NORMALS = Answer("means and variances", normals, 1e-9)
CHANCES = Answer("log-probabilities", chances, 1e-9)
POSTERIORS = Answer("posteriors", lambda data, posteriors: posteriors, 1e-9)
LOG_POSTERIORS = Answer("log-posteriors", lambda data, logs: logs, 1e-9)


def dense(name: str, rows: int, columns: int, learner: str, make: Callable[[int], Data], predicts: bool = False) -> Case:
    """A fit, or the posteriors of the rows by a model that was fitted before."""
    fit = NORMALS if learner == "GaussianNB" else CHANCES
    return Case(
        name=name,
        rows=rows,
        make=make,
        contenders=contenders("naive_bayes", learner, method="predict_proba" if predicts else "fit"),
        quality=POSTERIORS if predicts else fit,
        bytes=size(columns),
    )


def of_words(learner: str) -> tuple[Case, ...]:
    """A fit to the table of words, and the log-posteriors of its rows."""
    methods = {"": ("fit", CHANCES), " predict_log_proba,": ("predict_log_proba", LOG_POSTERIORS)}
    return tuple(
        Case(
            name=f"{learner},{word} 20 000 × 100 000, 0.1 % filled, 20 classes",
            rows=20_000,
            make=words,
            contenders=contenders("naive_bayes", learner, method=method),
            quality=quality,
            bytes=filled_size,
        )
        for word, (method, quality) in methods.items()
    )


# ---- calibration ---------------------------------------------------------------------------------------------------------


def two_clouds(rows: int) -> Data:
    """Two classes that overlap, in columns that say the same several times."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    return np.repeat(random.normal(size=(rows, 5)) + 0.5 * y[:, None], 4, axis=1), y


def scores(rows: int) -> Data:
    """One score for each row, and its class."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    return random.normal(size=rows) + y, y


def our_isotonic(score: Any, y: Any) -> Any:
    from aprendiz.bayes.calibration.isotonic_calibrator import IsotonicCalibrator

    return IsotonicCalibrator.fitted(score, y == 1, np.ones(len(y)))


def their_isotonic(score: Any, y: Any) -> Any:
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression(out_of_bounds="clip").fit(score, y)


def calibrated(method: str) -> Case:
    """Five fits of naive Bayes, each with a calibrator."""

    def settings(module: str) -> Settings:
        return lambda data, seed: {"estimator": import_module(module).GaussianNB(), "method": method}

    return Case(
        name=f"CalibratedClassifierCV of GaussianNB, {method}, 20 000 × 20",
        rows=20_000,
        make=two_clouds,
        contenders={
            OURS: Contender(OURS, "aprendiz.bayes", "CalibratedClassifierCV", settings("aprendiz.bayes")),
            SKLEARN: Contender(SKLEARN, "sklearn.calibration", "CalibratedClassifierCV", settings("sklearn.naive_bayes")),
        },
        quality=Answer("probabilities", lambda data, model: model.predict_proba(data[0]), 1e-6),
        bytes=size(20),
    )


ISOTONIC = Case(
    name="isotonic regression of 20 000 scores",
    rows=20_000,
    make=scores,
    contenders={
        OURS: Contender(OURS, "benchmarks.bayes", "our_isotonic", method=None),
        SKLEARN: Contender(SKLEARN, "benchmarks.bayes", "their_isotonic", method=None),
    },
    quality=Answer("probabilities", lambda data, model: model.predict(data[0]), 1e-12),
)


CASES = (
    dense("GaussianNB, 50 000 × 30, three classes", 50_000, 30, "GaussianNB", clouds(30)),
    dense("GaussianNB, 200 000 × 30, three classes", 200_000, 30, "GaussianNB", clouds(30)),
    dense("GaussianNB, predict_proba, 50 000 × 30", 50_000, 30, "GaussianNB", clouds(30), predicts=True),
    dense("CategoricalNB, 50 000 × 30, three classes, six categories", 50_000, 30, "CategoricalNB", categories(30)),
    dense("CategoricalNB, 200 000 × 20, three classes, six categories", 200_000, 20, "CategoricalNB", categories(20)),
    dense("CategoricalNB, predict_proba, 50 000 × 30", 50_000, 30, "CategoricalNB", categories(30), predicts=True),
    *of_words("MultinomialNB"),
    *of_words("BernoulliNB"),
    *of_words("ComplementNB"),
    *(calibrated(method) for method in ("sigmoid", "isotonic", "temperature")),
    ISOTONIC,
)
