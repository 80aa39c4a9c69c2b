"""The columns that were used: counts by class, points and quartiles against the target, and what the preparation does."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz.core.columns import Columns
from aprendiz.lab.methods import Method
from aprendiz.lab.pages.distributions import WIDTH, outline, points
from aprendiz.lab.preparation import prepared, treatment_of
from aprendiz.lab.report import write_outcome
from aprendiz.lab.report.columns_used import MOST_CLASSES, POINTS, chosen_columns, columns_used_of

N = 120
RNG = np.random.default_rng(5)


def mixed(target):
    """Numbers with gaps, levels, dates and text, with a target."""
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    text = [" ".join(RNG.choice(words, 4 + k % 5)) for k in range(N)]
    days = pd.date_range("2020-01-01", periods=N, freq="5D").strftime("%Y-%m-%d").to_numpy()
    size = RNG.normal(size=N).round(3)
    cells = np.where(np.arange(N) % 10 == 0, "", size.astype(str))
    return {
        "size": cells,
        "kind": RNG.choice(["red", "green", "blue"], N, p=[0.5, 0.3, 0.2]),
        "flag": RNG.choice(["yes", "no"], N),
        "day": days,
        "remark": text,
        "y": target(size),
    }


def classes(size):
    return np.where(size + RNG.normal(size=N) > 0, "high", "low")


def quantity(size):
    return (2 * size + RNG.normal(size=N)).round(3)


@pytest.fixture
def of_classes(concluded):
    return concluded(mixed(classes), [Method("GaussianNB", aprendiz.GaussianNB(), {})])


@pytest.fixture
def of_numbers(concluded):
    return concluded(mixed(quantity), [Method("Ridge", aprendiz.Ridge(), {})])


def test_counts_by_class(of_classes):
    """Every known cell is counted once, in the bar of its class; levels as pandas counts them."""
    found = columns_used_of(of_classes)
    X, y = of_classes.experiment.X, of_classes.experiment.y
    columns = {one["name"]: one for one in found["columns"]}
    assert found["classes"] == ["high", "low"]
    assert set(columns) == {"size", "kind", "flag", "day", "remark"}
    for place, label in enumerate(found["classes"]):
        known = X["size"][y == label].dropna()
        np.testing.assert_array_equal(columns["size"]["counts"][place], np.histogram(known, columns["size"]["edges"])[0])
        assert sum(columns["size"]["counts"][place]) == len(known)
        times = X["kind"].astype(object)[y == label].value_counts()
        assert {one["level"]: one["counts"][place] for one in columns["kind"]["levels"]} == {
            k: times.get(k, 0) for k in X["kind"].unique()
        }
    assert columns["size"]["missing"] == X["size"].isna().sum() == 12
    assert (columns["day"]["low"], columns["day"]["high"]) == ("2020-01-01", "2021-08-18")
    lengths = X["remark"].str.split().str.len()
    assert (columns["remark"]["low"], columns["remark"]["high"]) == (lengths.min(), lengths.max())


def test_against_a_quantity(of_numbers, tmp_path):
    """Points are rows of the table; levels have the quartiles of the target; missing cells are null in the file."""
    numbers = write_outcome(of_numbers, tmp_path / "report")
    found = numbers["columns_used"]
    X, y = of_numbers.experiment.X, of_numbers.experiment.y
    columns = {one["name"]: one for one in found["columns"]}
    assert len(found["target"]) == len(columns["size"]["points"]) == min(N, POINTS)
    table = {(None if np.isnan(a) else a, b) for a, b in zip(X["size"], y, strict=True)}
    assert set(zip(columns["size"]["points"], found["target"], strict=True)) == table
    for one in columns["kind"]["levels"]:
        values = y[(X["kind"] == one["level"]).to_numpy()]
        assert one["quartiles"] == np.quantile(values, [0.25, 0.5, 0.75]).tolist()
        assert one["rows"] == len(values)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "report" / "results.json").read_text())["columns_used"] == found
    assert "missing cells become the mean, standardised" in page
    assert "size against the target" in page


def test_many_classes_and_columns(concluded):
    """The largest classes; of many columns those that matter most."""
    wide = {f"x{j}": RNG.normal(size=N).round(3) for j in range(45)}
    codes = np.sort(np.arange(N) % 8)
    wide["x40"] = (codes + 0.1 * RNG.normal(size=N)).round(3)
    outcome = concluded(
        {**wide, "y": [f"c{k}" for k in codes]}, [Method("GaussianNB", aprendiz.GaussianNB(), {})], keep=["x40"]
    )
    found = columns_used_of(outcome)
    assert (len(found["classes"]), found["all_classes"]) == (MOST_CLASSES, 8)
    assert (len(found["columns"]), found["all_columns"]) == (40, 45)
    assert chosen_columns(outcome)[0] == "x40"


LEARNERS = [
    *(aprendiz.LogisticRegression(), aprendiz.LinearRegression(), aprendiz.GaussianNB(), aprendiz.CategoricalNB()),
    *(aprendiz.MultinomialNB(), aprendiz.KNeighborsClassifier(), aprendiz.DecisionTreeClassifier(), aprendiz.NearestCentroid()),
]
STEPS = {
    "mean": "SimpleImputer",
    "median": "SimpleImputer",
    "standardised": "StandardScaler",
    "from_0_to_1": "MinMaxScaler",
    "classes_of_numbers": "QuantileBins",
    "codes": "LevelNumbers",
    "numbers_of_levels": "LevelNumbers",
    "indicators": "LevelColumns",
}


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_treatments_are_those_of_the_pipeline(learner):
    """The steps that are told are those that stand in the pipeline for a column; where no cell is missing, none is filled."""
    table = pd.DataFrame(
        {"size": [1.0, np.nan, 3.5, 2.25], "kind": pd.Categorical(["a", "b", "c", "a"]), "flag": ["no", "yes", "no", "yes"]}
    )
    columns = Columns.of(table)
    change = prepared(learner, table, columns=columns)[:-1][-1]
    for column in columns:
        told = treatment_of(learner, column)
        if not hasattr(change, "transformers"):
            assert told == ["as_it_is"]
            continue
        (steps,) = (one for _name, one, chosen in change.transformers if column.name in chosen.names)
        parts = [] if steps == "passthrough" else [one for _name, one in steps.steps] if hasattr(steps, "steps") else [steps]
        used = [type(one).__name__ for one in parts]
        if not column.missing:
            used = [one for one in used if one != "SimpleImputer"]
        assert [STEPS[one] for one in told] == used


def test_paths():
    """An outline is closed and as wide as the picture; a point is where its numbers are, one without a number is left out."""
    steps = re.findall(r"h([\d.]+)", outline([1.0, 2.0, 3.0, 4.0], 10.0))
    assert sum(map(float, steps)) == pytest.approx(WIDTH)
    drawn = points([0.0, None, 10.0], [5.0, 1.0, 0.0], (0.0, 10.0), (0.0, 10.0), "a <title>")
    assert re.findall(r"M([\d.]+) ([\d.]+)h0", drawn) == [("0.0", "48.0"), ("220.0", "96.0")]
    assert "a &lt;title&gt;" in drawn
