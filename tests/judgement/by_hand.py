"""The pipelines of a report, written by hand with scikit-learn alone, on the same folds.

What a report says is taken from its results.json: target, columns, folds, and the scores of each method fold by fold. All that
is learned is written here anew, from what docs and reports say is done:

    numbers       the mean (for classes of equal size the median) in missing cells; standardised for methods that know units
    two levels    0 and 1, then as numbers
    more levels   the most frequent in missing cells; a column of zeros and ones for each
    tuning        a grid over three inner folds; of equal scores, the values nearest to the method's own

Where a cell is missing, naive Bayes is left out: ours uses the other cells, scikit-learn's needs it filled. Methods with one
answer must have the same score in every fold. The random ones (trees break ties by chance, forests draw rows and columns) are
set beside the scores of several seeds, on tables that scikit-learn's trees can take: numbers without missing cells.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.io import arff
from sklearn import metrics
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

MISSING = ["?", "NA", ""]
UNITS = (LogisticRegression, Ridge, KNeighborsClassifier, KNeighborsRegressor, SVC, SVR)
RANDOM = ("DecisionTreeClassifier", "DecisionTreeRegressor", "RandomForestClassifier", "RandomForestRegressor")
STOPS = {"SVR": 2e-3}  # methods that stop before the minimum: scores are as near as their tolerance lets them be
EQUAL = 1e-6
MEASURES = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews": metrics.matthews_corrcoef,
    "r2": metrics.r2_score,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
}


@dataclass(frozen=True)
class Same:
    """A method by hand beside the report."""

    method: str
    folds: int
    furthest: float  # largest difference of any measure in any fold
    other_folds: tuple[int, ...]  # folds in which a measure differs by more than rounding
    other_choices: int  # folds in which tuning chose other values

    @property
    def holds(self) -> bool:
        return not self.other_folds


@dataclass(frozen=True)
class Drawn:
    """A random method: the score of the report, and those of scikit-learn's with several seeds."""

    method: str
    reported: float
    by_seed: tuple[float, ...]

    @property
    def away(self) -> float:
        """How many standard deviations of the seeds the report's score is from their mean."""
        spread = float(np.std(self.by_seed, ddof=1)) or 1e-12
        return (self.reported - float(np.mean(self.by_seed))) / (spread * (1 + 1 / len(self.by_seed)) ** 0.5)


def read_by_hand(path: Path, target: str) -> pd.DataFrame:
    """A table with floats, words, and missing cells."""
    if path.suffix == ".arff":
        rows, about = arff.loadarff(path)
        frame = pd.DataFrame(rows)
        for name, kind in zip(about.names(), about.types(), strict=True):
            if kind == "nominal":
                frame[name] = frame[name].str.decode("utf-8").where(frame[name] != b"?", np.nan)
        return frame
    frame = pd.read_csv(path, na_values=MISSING)
    if target in frame:
        return frame.rename(
            columns={name: f"column_{place + 1}" for place, name in enumerate(frame) if name.startswith("Unnamed")}
        )
    frame = pd.read_csv(path, na_values=MISSING, header=None)
    return frame.set_axis([f"x{place + 1}" for place in range(frame.shape[1])], axis=1)


def columns_of(frame: pd.DataFrame, features: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Numbers, columns of two levels, and of more."""
    two = [name for name in features if frame[name].nunique() == 2]
    numbers = [name for name in features if name not in two and pd.api.types.is_numeric_dtype(frame[name])]
    return numbers, two, [name for name in features if name not in (*numbers, *two)]


def preparation(learner: Any, frame: pd.DataFrame, features: list[str]) -> Any:
    """What comes before a learner of numbers."""
    numbers, two, more = columns_of(frame, features)
    zero_or_one = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)  # unknown: missing
    scaled = [StandardScaler()] if isinstance(learner, UNITS) else []
    steps = [
        (make_pipeline(SimpleImputer(), *scaled), numbers),
        (make_pipeline(zero_or_one, SimpleImputer(), *scaled), two),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), zeros_and_ones()), more),
    ]
    return make_column_transformer(*[step for step in steps if step[1]])


def zeros_and_ones() -> OneHotEncoder:
    return OneHotEncoder(handle_unknown="ignore", sparse_output=False)


def preparation_of_codes(frame: pd.DataFrame, features: list[str]) -> Any:
    """What comes before a learner of categories."""
    numbers, two, more = columns_of(frame, features)
    fifths = KBinsDiscretizer(5, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
    levels = [sorted(frame[name].dropna().unique()) for name in (*two, *more)]
    steps = [
        (make_pipeline(SimpleImputer(strategy="median"), fifths), numbers),
        (OrdinalEncoder(categories=levels), [*two, *more]),
    ]
    return make_column_transformer(*[step for step in steps if step[1]])


def methods_by_hand(task: str, y: Any, rows: int) -> Iterator[tuple[str, Any, dict[str, list[Any]]]]:
    """The methods of the shortlist that scikit-learn has, with what is tuned; solvers with one minimum go on to it."""
    neighbours = {"n_neighbors": [k for k in (1, 5, 15) if k <= max(1, rows // 2)]}
    leaves = {"min_samples_leaf": [1, 3, 10, 30]}
    if task == "classification":
        yield "DummyClassifier", DummyClassifier(strategy="prior"), {}
        minimum = LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000)
        yield "LogisticRegression", minimum, {"C": [0.01, 0.1, 1.0, 10.0, 100.0]}
        yield "GaussianNB", GaussianNB(), {"var_smoothing": [1e-9, 1e-6, 1e-3, 1e-1]}
        yield "CategoricalNB", CategoricalNB(), {"alpha": [0.1, 0.5, 1.0, 3.0]}
        yield "KNeighborsClassifier", KNeighborsClassifier(algorithm="brute"), neighbours
        yield "SVC", SVC(), {"C": [1.0, 10.0, 100.0], "gamma": ["scale", 0.01, 0.1]}
        yield "DecisionTreeClassifier", DecisionTreeClassifier(random_state=0), leaves
        yield "RandomForestClassifier", RandomForestClassifier(random_state=0), {}
        return
    unit = 10.0 ** round(np.log10(np.std(y)))
    yield "DummyRegressor", DummyRegressor(), {}
    yield "LinearRegression", LinearRegression(), {}
    yield "Ridge", Ridge(solver="svd"), {"alpha": [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]}
    yield "KNeighborsRegressor", KNeighborsRegressor(algorithm="brute"), neighbours
    support = SVR(C=unit, epsilon=0.1 * unit, tol=1e-3 * unit)
    yield "SVR", support, {"C": [unit, 10 * unit, 100 * unit], "gamma": ["scale", 0.01, 0.1]}
    yield "DecisionTreeRegressor", DecisionTreeRegressor(random_state=0), leaves
    yield "RandomForestRegressor", RandomForestRegressor(random_state=0), {}


def pipeline(learner: Any, grid: dict[str, list[Any]], frame: pd.DataFrame, features: list[str], scoring: str) -> Any:
    """Preparation, learner, and tuning around both."""
    before = (
        preparation_of_codes(frame, features) if isinstance(learner, CategoricalNB) else preparation(learner, frame, features)
    )
    whole = make_pipeline(before, FunctionTransformer(), learner)
    if not grid:
        return whole
    last = whole.steps[-1][0]
    kind = KFold if scoring == "r2" else StratifiedKFold
    tuned = {f"{last}__{name}": values for name, values in grid.items()}

    def nearest(found: dict[str, Any]) -> int:
        """Of the candidates with the best score, the one with the fewest steps on the grid from the method's own values."""
        best = np.flatnonzero(found["mean_test_score"] >= np.max(found["mean_test_score"]) - 1e-12)
        own = {name: values.index(learner.get_params()[name]) for name, values in grid.items()}

        def steps(place: int) -> int:
            chosen = found["params"][place]
            return sum(abs(values.index(chosen[f"{last}__{name}"]) - own[name]) for name, values in grid.items())

        return min(best.tolist(), key=steps)

    return GridSearchCV(whole, tuned, scoring=scoring, cv=kind(3, shuffle=True, random_state=0), refit=nearest)


@dataclass
class ByHand:
    """A table and what a report says of it."""

    path: Path
    report: Path

    def __post_init__(self) -> None:
        self.results = json.loads((self.report / "results.json").read_text(encoding="utf-8"))
        question = self.results["question"]
        frame = read_by_hand(self.path, question["target"]).dropna(subset=[question["target"]]).reset_index(drop=True)
        self.features, self.task = question["features"], question["task"]
        self.frame, self.y = frame[self.features], frame[question["target"]].to_numpy()
        if self.task == "classification":
            self.y = np.array([str(int(one)) if isinstance(one, float) else str(one) for one in self.y])
            known = ~np.isin(self.y, question["classes_left_out"])  # those of a single row
            self.frame, self.y = self.frame[known].reset_index(drop=True), self.y[known]
        self.scoring = question["metric"]
        kind = KFold if self.task == "regression" else StratifiedKFold
        folds = kind(self.results["folds"]["planned"], shuffle=True, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.splits = list(folds.split(self.frame, self.y))

    def compare(self) -> Iterator[Same]:
        """Each method with one answer, fold by fold."""
        reported = {one["method"]: one for one in self.results["leaderboard"]}
        fewest = min(len(train) for train, _test in self.splits)
        for name, learner, grid in methods_by_hand(self.task, self.y, fewest):
            if name in reported and name not in RANDOM and self.possible(name):
                whole = pipeline(learner, grid, self.frame, self.features, self.scoring)
                yield self.same(reported[name], whole)

    def draws(self, seeds: int = 5) -> Iterator[Drawn]:
        """Each random method, beside scikit-learn's with several seeds."""
        numbers, two, more = columns_of(self.frame, self.features)
        if two or more or self.frame[numbers].isna().any(axis=None):
            return
        reported = {one["method"]: one for one in self.results["leaderboard"]}
        for name, learner, grid in methods_by_hand(self.task, self.y, len(self.y)):
            if name in reported and name in RANDOM:
                found = tuple(self.mean_score(learner, grid, seed) for seed in range(seeds))
                yield Drawn(name, reported[name]["scores"][self.scoring]["value"], found)

    def mean_score(self, learner: Any, grid: dict[str, list[Any]], seed: int) -> float:
        """The mean over the folds, with a seed."""
        whole = pipeline(clone(learner).set_params(random_state=seed), grid, self.frame, self.features, self.scoring)
        scores = []
        for train, test in self.splits:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                whole.fit(self.frame.iloc[train], self.y[train])
                scores.append(MEASURES[self.scoring](self.y[test], whole.predict(self.frame.iloc[test])))
        return float(np.mean(scores))

    def possible(self, name: str) -> bool:
        """Naive Bayes leaves missing cells out, which scikit-learn's cannot: it takes those that are filled beforehand."""
        numbers, two, more = columns_of(self.frame, self.features)
        left_out = {"CategoricalNB": [*two, *more], "GaussianNB": [*numbers, *two]}.get(name, [])
        return not self.frame[left_out].isna().any(axis=None)

    def same(self, reported: dict[str, Any], whole: Any) -> Same:
        """One method."""
        measures = tuple(name for name in MEASURES if name in reported["scores"])
        furthest, others, choices = 0.0, [], 0
        for number, (train, test) in enumerate(self.splits):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # classes with fewer rows than folds
                whole.fit(self.frame.iloc[train], self.y[train])
            predicted = whole.predict(self.frame.iloc[test])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                now = {name: MEASURES[name](self.y[test], predicted) for name in measures}
            apart = [relative(now[name], reported["scores"][name]["folds"][number]) for name in measures]
            furthest = max(furthest, *apart)
            others += [number] * (max(apart) > STOPS.get(reported["method"], EQUAL))
            choices += getattr(whole, "best_params_", {}) != self.chosen(reported, number, whole)
        return Same(reported["method"], len(self.splits), furthest, tuple(others), choices)

    @staticmethod
    def chosen(reported: dict[str, Any], number: int, whole: Any) -> dict[str, Any]:
        """What the report's tuning chose, with the names of the pipeline by hand."""
        if not reported["grid"]:
            return {}
        last = whole.estimator.steps[-1][0]
        return {f"{last}__{name.rpartition('__')[2]}": value for name, value in reported["chosen"][number].items()}


def relative(now: float, before: float) -> float:
    return abs(now - before) / max(1.0, abs(before))
