"""Naive Bayes: the fit is one pass that counts, and prediction a sum over columns for every row and class."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Answer

CLASSES, COLUMNS, CATEGORIES = 3, 30, 6


def clouds(rows: int) -> Data:
    """A round cloud for each class; they overlap."""
    random = np.random.default_rng(0)
    y = random.integers(0, CLASSES, rows)
    return random.normal(size=(rows, COLUMNS)) + 0.3 * random.normal(size=(CLASSES, COLUMNS))[y], y


def categories(rows: int) -> Data:
    """Codes 0 to 5 in every column, with other chances in each class."""
    random = np.random.default_rng(0)
    y = random.integers(0, CLASSES, rows)
    return random.binomial(CATEGORIES - 1, random.uniform(0.4, 0.6, (CLASSES, COLUMNS))[y]), y


def size(rows: int) -> float:
    """Bytes of the table."""
    return 8 * rows * COLUMNS


def normals(data: Data, model: Any) -> Any:
    return np.concatenate([model.class_prior_, model.theta_.ravel(), model.var_.ravel()])


def chances(data: Data, model: Any) -> Any:
    return np.concatenate([model.class_log_prior_, *(table.ravel() for table in model.feature_log_prob_)])


NORMALS = Answer("means and variances", normals, 1e-9)
CHANCES = Answer("log-probabilities", chances, 1e-9)
POSTERIORS = Answer("posteriors", lambda data, posteriors: posteriors, 1e-9)

CASES = (
    Case(
        name="GaussianNB, 50 000 × 30, three classes",
        rows=50_000,
        make=clouds,
        contenders=contenders("naive_bayes", "GaussianNB"),
        quality=NORMALS,
        bytes=size,
    ),
    Case(
        name="GaussianNB, predict_proba, 50 000 × 30",
        rows=50_000,
        make=clouds,
        contenders=contenders("naive_bayes", "GaussianNB", method="predict_proba"),
        quality=POSTERIORS,
        bytes=size,
    ),
    Case(
        name="CategoricalNB, 50 000 × 30, three classes, six categories",
        rows=50_000,
        make=categories,
        contenders=contenders("naive_bayes", "CategoricalNB"),
        quality=CHANCES,
        bytes=size,
    ),
    Case(
        name="CategoricalNB, predict_proba, 50 000 × 30",
        rows=50_000,
        make=categories,
        contenders=contenders("naive_bayes", "CategoricalNB", method="predict_proba"),
        quality=POSTERIORS,
        bytes=size,
    ),
)
