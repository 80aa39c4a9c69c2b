"""Ensembles: forests grown, asked and questioned, stumps boosted, trees in bags.

Two libraries draw different random numbers, so their forests differ. Fits are judged by rows that nobody learned from: the
score of the forest that was timed. Within a hundredth of the best counts as equal.

scikit-learn's forests and bagging get two jobs. What is compared with its permutation importance is that on the rows out of the
bag, over the same rows: one permutation of each column for each tree, against one of each column for the forest, which is the
least that scikit-learn can do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np

from benchmarks import THREADS
from benchmarks.harness import Case
from benchmarks.peers import OURS, PACKAGES, SHAP, SKLEARN, USUAL, Contender, Data, Settings, contenders, fixed
from benchmarks.tree import HELD_OUT, Score, numbers, two_classes

GROWN = 50_000  # rows on which a forest is grown that predicts
EXPLAINED, BACKGROUND = 200, 100  # rows whose predictions are explained, and those that they are set against
JOBS = {SKLEARN: {"n_jobs": THREADS}, "intelex": {"n_jobs": THREADS}}


# ---- tables and quality ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """A table, and rows of the same kind that judge what was learned from it."""

    draw: Callable[[int], Data]

    def first(self, rows: int) -> Data:
        X, y = self.draw(rows + HELD_OUT)
        return X[:rows], y[:rows]

    def score(self, data: Data, model: Any) -> float:
        """The accuracy, or R², on the rows that judge."""
        X, y = self.draw(len(data[0]) + HELD_OUT)
        return float(model.score(X[-HELD_OUT:], y[-HELD_OUT:]))


def judged(table: Judged, what: str) -> Score:
    return Score(f"{what} on held-out rows", table.score, 0.01)


def said(data: Data, answers: Any) -> float:
    """The accuracy on the rows that the forest was not grown on."""
    return float(np.mean(answers[GROWN:] == data[1][GROWN:]))


def found(data: Data, importance: Any) -> float:
    """The share of the ten columns that matter among the ten that are found most important."""
    return float(np.mean(np.argsort(importance)[::-1][:10] < 10))


def adds_up(data: Data, answer: Any) -> float:
    """The share of the rows of which the values add up to the prediction, to eight digits."""
    predicted, base, values = answer
    return float(np.mean(np.isclose(base + values.sum(axis=1), predicted, rtol=1e-8)))


def friedman(rows: int) -> Data:
    """A curved function of five of twenty columns, and noise of a fifth of its spread."""
    from sklearn.datasets import make_friedman1

    return make_friedman1(rows, 20, noise=1.0, random_state=0)


def ten_of_fifty(rows: int) -> Data:
    """Two classes that only the first ten columns tell apart."""
    from sklearn.datasets import make_classification

    return make_classification(rows, 50, n_informative=10, n_redundant=0, shuffle=False, random_state=0)


THIRTY, TWENTY, NUMBERS = Judged(two_classes(30)), Judged(two_classes(20)), Judged(numbers)


# ---- contenders --------------------------------------------------------------------------------------------------------


class Grown:
    """The forest of a library that is grown on the first rows of a table, to predict all of them."""

    def __init__(self, library: str):
        self.learner = import_module(f"{library}.ensemble").RandomForestClassifier(100, random_state=0, n_jobs=THREADS)

    def fit(self, X: Any, y: Any) -> Self:
        self.learner.fit(X[:GROWN], y[:GROWN])
        return self

    def predict(self, X: Any) -> Any:
        return self.learner.predict(X)


class Questioned(Grown):
    """A forest that is asked how much each column matters."""

    def fit(self, X: Any, y: Any) -> Self:
        self.learner.fit(X, y)
        self.y = y
        return self

    def importance(self, X: Any) -> Any:
        if hasattr(self.learner, "oob_permutation_importance"):
            return self.learner.oob_permutation_importance(X, self.y).mean
        from sklearn.inspection import permutation_importance

        return permutation_importance(self.learner, X, self.y, n_repeats=1, n_jobs=1, random_state=0).importances_mean


class Explained:
    """A forest grown on a table, of which some predictions are explained; shap explains that of scikit-learn."""

    def __init__(self, library: str, background: bool = False):
        self.library, self.background = library, background
        grower = import_module("aprendiz" if library == "aprendiz" else "sklearn.ensemble")
        self.learner = grower.RandomForestRegressor(100, random_state=0, n_jobs=THREADS)

    def fit(self, X: Any, y: Any) -> Self:
        self.learner.fit(X, y)
        return self

    def values(self, X: Any) -> Any:
        """The rows that were asked about, what is expected of any row, and the values of the columns."""
        asked, others = X[:EXPLAINED], X[-BACKGROUND:] if self.background else None
        if self.library == "aprendiz":
            from aprendiz.evaluation import shap_values

            found = shap_values(self.learner, asked, others)
            return found.response, found.base, found.values
        import shap

        how = "interventional" if self.background else "tree_path_dependent"
        explainer = shap.TreeExplainer(self.learner, others, feature_perturbation=how)
        found = explainer.shap_values(asked, check_additivity=False)
        return self.learner.predict(asked), explainer.expected_value, found


def of_both(what: str, method: str, names: tuple[str, ...] = (OURS, SKLEARN), **more: Any) -> dict[str, Contender]:
    """One of the classes above, for several libraries that are installed."""
    there = [name for name in names if find_spec(PACKAGES[name])]
    return {n: Contender(n, "benchmarks.ensemble", what, fixed(library=PACKAGES[n], **more), method) for n in there}


def forest_of_all_columns() -> dict[str, Contender]:
    """Our forest in which every node looks at all columns."""
    settings: Settings = fixed(n_estimators=20, max_features=None, random_state=0)
    name = "aprendiz's forest"
    return {name: Contender(name, "aprendiz.ensemble", "RandomForestClassifier", settings)}


# ---- cases -------------------------------------------------------------------------------------------------------------


def forest(learner: str, trees: int, rows: int, table: Judged, what: str, **more: Any) -> Case:
    size = f"{rows:,}".replace(",", " ")
    columns = 20 if table is TWENTY else 30
    return Case(
        name=f"{learner}, {trees} trees, {size} × {columns}",
        rows=rows,
        make=table.first,
        contenders=contenders("ensemble", learner, fixed(n_estimators=trees, random_state=0), who=USUAL, own=JOBS),
        quality=judged(table, what),
        grows=False,
        **more,
    )


CASES = (
    forest("RandomForestClassifier", 100, 50_000, THIRTY, "accuracy"),
    forest("RandomForestRegressor", 100, 50_000, NUMBERS, "R²", once=(SKLEARN,)),
    forest("ExtraTreesClassifier", 100, 50_000, THIRTY, "accuracy"),
    forest("RandomForestClassifier", 50, 1_000_000, TWENTY, "accuracy", once=(SKLEARN,)),
    Case(
        name="RandomForestClassifier, predict, 100 trees, 200 000 × 30",
        rows=200_000,
        make=two_classes(30),
        contenders=of_both("Grown", "predict", USUAL),
        quality=Score("accuracy on rows that it was not grown on", said, 0.01),
        grows=False,
        least=2 * GROWN,
    ),
    Case(
        name="importance by permutation, 100 trees, 20 000 × 50",
        rows=20_000,
        make=ten_of_fifty,
        contenders=of_both("Questioned", "importance"),
        quality=Score("share of the ten columns that matter", found, 0.01),
        grows=False,
        once=(SKLEARN,),
    ),
    Case(
        name="AdaBoostClassifier, 100 stumps, 50 000 × 30",
        rows=50_000,
        make=THIRTY.first,
        contenders=contenders("ensemble", "AdaBoostClassifier", fixed(n_estimators=100, random_state=0)),
        quality=judged(THIRTY, "accuracy"),
        grows=False,
        once=(SKLEARN,),
    ),
    Case(
        name="BaggingClassifier, 20 trees, 50 000 × 30",
        rows=50_000,
        make=THIRTY.first,
        contenders=contenders("ensemble", "BaggingClassifier", fixed(n_estimators=20, random_state=0), own=JOBS)
        | forest_of_all_columns(),
        quality=judged(THIRTY, "accuracy"),
        grows=False,
        once=(SKLEARN,),
    ),
    *(
        Case(
            name=f"SHAP values of 200 rows{' against 100' if background else ''}, 100 trees grown on 5 000 × 20",
            rows=5_000,
            make=friedman,
            contenders=of_both("Explained", "values", (OURS, SHAP), background=background),
            quality=Score("share of the rows whose values add up", adds_up, 0.001),
            grows=False,
            once=(SHAP,),
        )
        for background in (False, True)
    ),
)
