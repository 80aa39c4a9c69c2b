"""Decision trees: grown until the leaves are pure, by all values of a column or by its bins, and rows sent down a tree.

Of equal gains two libraries take different questions, so their trees differ, and the score of a single tree says little. Fits
are judged by rows that nobody learned from: the mean score of the model that was timed and of the same learner on further
samples of the same size. Within a hundredth of the best counts as equal.

A column of words is one column for ours; for scikit-learn a pipeline makes one of each level, in singles and not sparse, which
is its fastest way. scikit-learn-intelex has no single tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, PACKAGES, SKLEARN, Contender, Data, contenders, fixed
from benchmarks.quality import Answer, Models, Objective, Verdict

HELD_OUT = 20_000  # rows that judge
GROWN = 50_000  # rows on which the tree that predicts is grown
WORDS, LEVELS = 10, 20  # columns of words, and how many each has
SEED = fixed(random_state=0)


# ---- tables ------------------------------------------------------------------------------------------------------------


def two_classes(columns: int) -> Callable[[int], Data]:
    """Half of the columns tell the classes apart, with two clouds each; 5 % of the rows have a random class."""

    def draw(rows: int) -> Data:
        from sklearn.datasets import make_classification

        return make_classification(rows, columns, n_informative=columns // 2, flip_y=0.05, random_state=0)

    return draw


def numbers(rows: int) -> Data:
    """A curved function of five of thirty columns, and noise of a fifth of its spread. The columns are shuffled: where several
    gain the same, nobody may profit from taking the first."""
    from sklearn.datasets import make_friedman1

    X, y = make_friedman1(rows, 30, noise=1.0, random_state=0)
    return np.ascontiguousarray(X[:, np.random.default_rng(0).permutation(30)]), y


def words(rows: int) -> Data:
    """Every level of every column moves the odds, and two of the columns multiply; a data frame."""
    from pandas import DataFrame

    random = np.random.default_rng(0)
    effects, code = random.normal(size=(WORDS, LEVELS)), random.integers(0, LEVELS, (rows, WORDS))
    moved = effects[np.arange(WORDS), code]
    odds = moved.sum(axis=1) + 2.0 * moved[:, 3] * moved[:, 7]
    level = np.array([f"level {k}" for k in range(LEVELS)], dtype=object)
    table = DataFrame({f"column {j}": level[code[:, j]] for j in range(WORDS)})
    return table, np.where(odds + random.logistic(size=rows) > 0, "yes", "no")


def iris(rows: int) -> Data:
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


@dataclass(frozen=True)
class Samples:
    """Several tables of one kind, one after the other, and rows that judge what was learned from them."""

    draw: Callable[[int], Data]
    count: int = 5

    def first(self, rows: int) -> Data:
        X, y = self.draw(self.count * rows + HELD_OUT)
        return X[:rows], y[:rows]

    def score(self, data: Data, model: Any) -> float:
        """The mean accuracy, or R², of models of all samples."""
        from sklearn.base import clone

        rows = len(data[0])
        X, y = self.draw(self.count * rows + HELD_OUT)
        others = (slice(k * rows, (k + 1) * rows) for k in range(1, self.count))
        models = [model, *(clone(model).fit(X[part], y[part]) for part in others)]
        return float(np.mean([one.score(X[-HELD_OUT:], y[-HELD_OUT:]) for one in models]))


CLASSES, NUMBERS, FRAMES = Samples(two_classes(30)), Samples(numbers), Samples(words)
MILLION = Samples(two_classes(20), count=1)


# ---- quality -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score(Objective):
    """How far a score is below the best one, in the unit of the score."""

    def compare(self, data: Data, models: Models) -> Verdict:
        scores = {name: float(np.mean([self.function(data, model) for model in fitted])) for name, fitted in models.items()}
        best = max(scores.values())
        return Verdict(f"{self.what} below {best:.3f}", {name: best - score for name, score in scores.items()}, self.tolerance)


def held_out(samples: Samples, what: str) -> Score:
    return Score(f"{what} on held-out rows", samples.score, 0.01)


def said(data: Data, answers: Any) -> float:
    """The accuracy on the rows that the tree was not grown on."""
    return float(np.mean(answers[GROWN:] == data[1][GROWN:]))


# ---- contenders --------------------------------------------------------------------------------------------------------


class Grown:
    """The tree of a library that is grown on the first rows of a table, to predict all of them."""

    def __init__(self, library: str):
        self.learner = import_module(f"{library}.tree").DecisionTreeClassifier(random_state=0)

    def fit(self, X: Any, y: Any) -> Self:
        self.learner.fit(X[:GROWN], y[:GROWN])
        return self

    def predict(self, X: Any) -> Any:
        return self.learner.predict(X)


def by_levels(data: Data, seed: int) -> dict[str, Any]:
    """A pipeline in which every level becomes a column."""
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    encoder = OneHotEncoder(sparse_output=False, dtype=np.float32)
    return {"steps": [("encoder", encoder), ("tree", DecisionTreeClassifier(random_state=seed))]}


GROWN_BEFORE = {
    name: Contender(name, "benchmarks.tree", "Grown", fixed(library=PACKAGES[name]), "predict") for name in (OURS, SKLEARN)
}
OF_WORDS = {
    OURS: Contender(OURS, "aprendiz.tree", "DecisionTreeClassifier", SEED),
    SKLEARN: Contender(SKLEARN, "sklearn.pipeline", "Pipeline", by_levels),
}


# ---- cases -------------------------------------------------------------------------------------------------------------


def searched(learner: str, exact: bool, samples: Samples, what: str) -> Case:
    """50 000 × 30, by all values or by bins."""
    return Case(
        name=f"{learner}, {'exact' if exact else 'binned'}, 50 000 × 30",
        rows=50_000,
        make=samples.first,
        contenders=contenders("tree", learner, SEED, own={OURS: {"exact": exact}}),
        quality=held_out(samples, what),
    )


def small(name: str, method: str, quality: Answer) -> Case:
    return Case(
        name=name,
        rows=150,
        make=iris,
        contenders=contenders("tree", "DecisionTreeClassifier", SEED, method),
        quality=quality,
        grows=False,
    )


CASES = (
    searched("DecisionTreeClassifier", False, CLASSES, "accuracy"),
    searched("DecisionTreeClassifier", True, CLASSES, "accuracy"),
    Case(
        name="DecisionTreeClassifier, 1 000 000 × 20",
        rows=1_000_000,
        make=MILLION.first,
        contenders=contenders("tree", "DecisionTreeClassifier", SEED),
        quality=held_out(MILLION, "accuracy"),
        grows=False,
        once=(SKLEARN,),
    ),
    searched("DecisionTreeRegressor", False, NUMBERS, "R²"),
    searched("DecisionTreeRegressor", True, NUMBERS, "R²"),
    Case(
        name="DecisionTreeClassifier, 50 000 × 10 columns of words, 20 levels each",
        rows=50_000,
        make=FRAMES.first,
        contenders=OF_WORDS,
        quality=held_out(FRAMES, "accuracy"),
        grows=False,
    ),
    Case(
        name="DecisionTreeClassifier, predict, 1 000 000 × 20",
        rows=1_000_000,
        make=two_classes(20),
        contenders=GROWN_BEFORE,
        quality=Score("accuracy on rows that it was not grown on", said, 0.01),
        grows=False,
        least=2 * GROWN,
    ),
    small(
        "DecisionTreeClassifier, iris",
        "fit",
        Answer("class shares", lambda data, model: model.predict_proba(data[0]), 1e-12),
    ),
    small("DecisionTreeClassifier, predict, iris", "predict", Answer("classes", lambda data, answers: answers, 0.0)),
)
