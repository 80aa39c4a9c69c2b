"""Scores of single columns: analyses of variance and of regression of wide tables and of tall ones, ranks, χ², variances."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data
from benchmarks.quality import Answer

GENES, ROWS = (4_000, 20_000) if QUICK else (20_000, 100_000)


def classes(rows: int, columns: int, transposed: bool = False) -> Data:
    """Two classes; the first columns tell them apart. Frames hand out tables that are stored column by column."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    X = random.normal(size=(rows, columns))
    X[:, :20] += 0.5 * y[:, None]
    return (np.asfortranarray(X) if transposed else X), y


def quantity(rows: int, columns: int, transposed: bool = False) -> Data:
    X, y = classes(rows, columns, transposed)
    return X, y + np.random.default_rng(1).normal(size=rows)


def both(selector: str, score: str | None, **settings: Any) -> dict[str, Contender]:
    """The selector of each library, with its own function of scores."""

    def told(library: str) -> Any:
        def parameters(data: Data, seed: int) -> dict[str, Any]:
            if score is None:
                return settings
            import sklearn.feature_selection

            import aprendiz

            return {"score_func": getattr(aprendiz if library == OURS else sklearn.feature_selection, score), **settings}

        return parameters

    return {
        OURS: Contender(OURS, "aprendiz.selection", selector, told(OURS)),
        SKLEARN: Contender(SKLEARN, "sklearn.feature_selection", selector, told(SKLEARN)),
    }


SCORES = Answer("scores", lambda data, model: model.scores_, 1e-8)
VARIANCES = Answer("variances", lambda data, model: model.variances_, 1e-8)


def case(name: str, rows: int, make: Any, score: str) -> Case:
    return Case(
        name=f"SelectKBest, {score}, {name}",
        rows=rows,
        make=make,
        contenders=both("SelectKBest", score, k=20),
        quality=SCORES,
        grows=False,
    )


WIDE, TALL = f"100 × {GENES:,}".replace(",", " "), f"{ROWS:,} × 300".replace(",", " ")

CASES = (
    case(WIDE, 100, lambda rows: classes(rows, GENES), "f_classif"),
    case(f"{WIDE}, stored by columns", 100, lambda rows: classes(rows, GENES, True), "f_classif"),
    case(WIDE, 100, lambda rows: quantity(rows, GENES), "f_regression"),
    case(f"{WIDE}, stored by columns", 100, lambda rows: quantity(rows, GENES, True), "f_regression"),
    case(TALL, ROWS, lambda rows: classes(rows, 300), "f_classif"),
    case(TALL, ROWS, lambda rows: quantity(rows, 300), "f_regression"),
    case(f"{TALL}, stored by columns", ROWS, lambda rows: quantity(rows, 300, True), "f_regression"),
    Case(
        name=f"VarianceThreshold, {TALL}",
        rows=ROWS,
        make=lambda rows: classes(rows, 300),
        contenders=both("VarianceThreshold", None, threshold=0.5),
        quality=VARIANCES,
        grows=False,
    ),
)
