"""How the error of an ensemble falls with its members.

A single unpruned tree, bagging, class switching and random forests, all with the votes of a majority, on public tables and on
three kinds of rows that can be drawn at will (Breiman's waves, twonorm and ringnorm). Each number is the mean error on the rows
that were not learned from, over splits of the table (a third is tested), or over fresh samples of 300 rows tested by 2 000.

What the texts say is looked for in the table: a single tree is the worst; bagging is better; switching and forests are better
still; switching begins worse than the single tree and needs more members than the others. Whether it holds is said below each
table.

References: Breiman, "Bias, variance, and arcing classifiers", 1996; Martínez-Muñoz & Suárez, "Switching class labels to
generate classification ensembles", Pattern Recognition 38, 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.peers import Data

SIZES = (1, 3, 10, 30, 100, 300, 1000)
SPLITS = 3 if QUICK else 10
SAMPLE, TESTED = 300, 2000
SWITCHED = 0.6  # p of class switching, as a part of p_max


# ---- tables ------------------------------------------------------------------------------------------------------------


def bundled(name: str) -> Callable[[], Data]:
    """A table that comes with scikit-learn."""

    def load() -> Data:
        import sklearn.datasets

        return getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)

    return load


def waves(rows: int, random: Any) -> Data:
    """Each class mixes two of three triangular waves in 21 columns, with noise."""
    at = np.arange(1, 22)
    shapes = np.maximum(6 - np.abs(at - np.array([[11], [15], [7]])), 0)
    y = random.integers(0, 3, rows)
    first, second = shapes[np.array([0, 0, 1])[y]], shapes[np.array([1, 2, 2])[y]]
    u = random.random((rows, 1))
    return u * first + (1 - u) * second + random.normal(size=(rows, 21)), y


def twonorm(rows: int, random: Any) -> Data:
    """Two clouds in 20 columns, at ±2/√20."""
    y = random.integers(0, 2, rows)
    return random.normal(size=(rows, 20)) + np.where(y == 1, 1, -1)[:, None] * 2 / np.sqrt(20), y


def ringnorm(rows: int, random: Any) -> Data:
    """A wide cloud around a narrow one in 20 columns."""
    y = random.integers(0, 2, rows)
    wide = 2 * random.normal(size=(rows, 20))
    narrow = random.normal(size=(rows, 20)) + 1 / np.sqrt(20)
    return np.where(y[:, None] == 1, narrow, wide), y


def splits(load: Callable[[], Data]) -> Iterator[tuple[Data, Data]]:
    """Two thirds to learn from, one third to test."""
    from sklearn.model_selection import train_test_split

    X, y = load()
    for seed in range(SPLITS):
        X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=seed)
        yield (X_train, y_train), (X_test, y_test)


def samples(draw: Callable[[int, Any], Data]) -> Iterator[tuple[Data, Data]]:
    """Fresh rows to learn from and to test."""
    for seed in range(SPLITS):
        random = np.random.default_rng(seed)
        yield draw(SAMPLE, random), draw(TESTED, random)


TABLES = {
    "breast cancer, 569 × 30": lambda: splits(bundled("breast_cancer")),
    "digits, 1 797 × 64": lambda: splits(bundled("digits")),
    "wine, 178 × 13": lambda: splits(bundled("wine")),
    "waves, 300 × 21": lambda: samples(waves),
    "twonorm, 300 × 20": lambda: samples(twonorm),
    "ringnorm, 300 × 20": lambda: samples(ringnorm),
}


# ---- errors --------------------------------------------------------------------------------------------------------------


def most(y: Any) -> float:
    """p_max of class switching."""
    shares = np.unique(y, return_counts=True)[1] / len(y)
    return float(1 - (shares**2).sum())


def ensembles(y: Any, seed: int) -> dict[str, Any]:
    from aprendiz import BaggingClassifier, ClassSwitchingClassifier, RandomForestClassifier

    usual = {"n_estimators": max(SIZES), "voting": "hard", "random_state": seed}
    return {
        "bagging": BaggingClassifier(**usual),
        "switching": ClassSwitchingClassifier(p=SWITCHED * most(y), **usual),
        "forest": RandomForestClassifier(**usual),
    }


def errors(train: Data, test: Data, seed: int) -> dict[str, list[float]]:
    """The error on the test rows by the number of members."""
    from aprendiz import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=seed).fit(*train)
    found = {"tree": [1 - tree.score(*test)]}
    for name, model in ensembles(train[1], seed).items():
        staged = [np.mean(said != test[1]) for said in model.fit(*train).staged_predict(test[0])]
        found[name] = [float(staged[size - 1]) for size in SIZES]
    return found


def mean_errors(pairs: Iterator[tuple[Data, Data]]) -> dict[str, list[float]]:
    runs = [errors(train, test, seed) for seed, (train, test) in enumerate(pairs)]
    return {name: np.mean([run[name] for run in runs], axis=0).tolist() for name in runs[0]}


# ---- results -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ErrorsResult:
    """The errors on one table: a single number for the tree, else one for each of `SIZES`."""

    name: str
    repeats: int  # splits or samples
    errors: dict[str, list[float]]

    @property
    def kept(self) -> bool:
        """What the texts say is no promise of ours."""
        return True

    def sentences(self) -> dict[str, bool]:
        """What the texts say, and whether it holds here."""
        tree, last = self.errors["tree"][0], {name: of[-1] for name, of in self.errors.items()}
        return {
            "bagging below the tree": last["bagging"] < tree,
            "switching or forest below bagging": min(last["switching"], last["forest"]) < last["bagging"],
            "switching above the tree at M = 1": self.errors["switching"][0] > tree,
            "switching below bagging at the end": last["switching"] < last["bagging"],
        }

    def __str__(self) -> str:
        return f"{self.name}: " + ", ".join(f"{name} {100 * of[-1]:.1f} %" for name, of in self.errors.items())


def measured() -> Iterator[ErrorsResult]:
    yield from (ErrorsResult(name, SPLITS, mean_errors(pairs())) for name, pairs in TABLES.items())
