"""Findings about the table as the methods see it: for each code a table that has the problem, and one that has not."""

import time

import numpy as np
import pandas as pd
import pytest

from aprendiz import PCA, SVC, SVR, MLPClassifier
from aprendiz.lab.methods import Method
from aprendiz.lab.report import findings_of
from aprendiz.lab.report.findings.assumptions import about_the_assumptions
from aprendiz.lab.report.findings.preparation import about_the_preparation
from aprendiz.lab.report.findings.residuals import about_the_residuals
from aprendiz.locale import language

N = 200


def codes(outcome):
    return {one.code: one for one in findings_of(outcome)}


def normal_classes(spread=(1.0, 1.0)):
    """Two columns, normal in each of two classes."""
    rng = np.random.default_rng(3)
    k = np.arange(N) % 2
    X = rng.normal(size=(N, 2)) * np.array(spread)[k][:, None] + 1.5 * k[:, None]
    return {"a": X[:, 0], "b": X[:, 1], "y": np.where(k, "yes", "no")}


# ---- assumptions ---------------------------------------------------------------------------------------------------------


def test_columns_that_are_not_normal(concluded):
    """A long tail breaks what GaussianNB assumes; its logarithm does not."""
    table = normal_classes()
    assert "not_normal" not in codes(concluded(table))
    found = codes(concluded(table | {"a": np.exp(table["a"])}))["not_normal"]
    assert found.weight == "note"
    assert "GaussianNB assumes normal columns" in found.sentence
    assert "1 of 2" in found.sentence
    assert "'a'" in found.sentence
    assert "logarithms" in found.remedy


def test_variances_that_differ(concluded):
    """LinearDiscriminantAnalysis assumes one covariance for all classes, GaussianNB does not."""
    table = normal_classes(spread=(1.0, 4.0))
    assert (
        "QuadraticDiscriminantAnalysis" in codes(concluded(table, ["LinearDiscriminantAnalysis"]))["unequal_variances"].remedy
    )
    assert "unequal_variances" not in codes(concluded(table, ["GaussianNB"]))
    assert "unequal_variances" not in codes(concluded(normal_classes(), ["LinearDiscriminantAnalysis"]))


def test_assumptions_of_methods_that_are_worse_do_not_matter(concluded):
    """A method far behind the best is not to be chosen anyway; two that are tied are named once."""
    rng = np.random.default_rng(0)
    a, b = rng.uniform(-1, 1, size=(2, 2 * N))
    signs = {"a": a, "b": b, "y": np.where(a * b > 0, "u", "v")}
    assert "not_normal" not in codes(concluded(signs, ["GaussianNB", "KNeighborsClassifier"]))
    tails = normal_classes()
    tails = {"a": np.exp(tails["a"]), "b": np.exp(tails["b"]), "y": tails["y"]}
    both = concluded(tails, ["GaussianNB", "LinearDiscriminantAnalysis"])
    tied = [one.name for one in both.results.standings if one.tied]
    assert len(tied) == 2
    assert f"The same holds for {tied[1]}." in codes(both)["not_normal"].why


def test_scales_far_apart(concluded):
    """A finding where a support vector machine or a network is among the methods, best or not, of classes and of numbers.
    That columns are not standardised is none: inside the folds they are."""
    machine, regressor = Method("SVC", SVC(), {}), Method("SVR", SVR(), {})
    network = Method("MLPClassifier", MLPClassifier((2,), max_iter=20, tol=np.inf, random_state=0), {})
    table = normal_classes()
    uneven = table | {"a": 3e6 * table["a"], "b": 0.1 * table["b"]}
    found = codes(concluded(uneven, ["GaussianNB", machine]))["uneven_scales"]
    assert found.weight == "note"
    assert "'a' varies" in found.sentence
    assert "StandardScaler" in found.remedy
    assert "uneven_scales" not in codes(concluded(uneven, ["GaussianNB"]))
    assert "uneven_scales" not in codes(concluded(table, [machine]))
    assert "uneven_scales" in codes(concluded(uneven, [network]))
    hundred = codes(concluded(table | {"a": 100 * table["a"]}, [network]))
    assert not {"uneven_scales", "not_standardised"} & hundred.keys()
    rng = np.random.default_rng(0)
    numbers = {"a": 1e7 * rng.normal(size=60), "b": rng.normal(size=60), "y": rng.normal(size=60)}
    assert "uneven_scales" in codes(concluded(numbers, ["Ridge", regressor]))


# ---- preparation outside of the folds ------------------------------------------------------------------------------------


def prepared_tables():
    """By code, a table that was prepared with all rows, and the columns that are to be named."""
    rng, table = np.random.default_rng(5), normal_classes()
    X = np.column_stack([table["a"], table["b"], rng.normal(size=N)])
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    holes = np.where(np.arange(N) % 9 == 0, np.nan, X[:, 0])
    shop = rng.integers(0, 8, N)
    encoded = pd.Series(table["y"] == "yes").groupby(shop).transform("mean").to_numpy()
    return {
        "scaled_outside": ({"p": scaled[:, 0], "q": scaled[:, 1], "r": X[:, 2]}, ["'p'", "'q'"]),
        "imputed_outside": ({"p": np.where(np.isnan(holes), np.nanmean(holes), holes), "q": X[:, 1]}, ["'p'"]),
        "projected_outside": (dict(zip("pqr", PCA().fit_transform(X).T, strict=True)), ["3 columns"]),
        "encoded_outside": ({"p": encoded, "q": X[:, 1]}, ["'p'"]),
    }


@pytest.mark.parametrize("code", prepared_tables())
def test_preparation_with_all_rows(concluded, code):
    """The trace is found, with its columns; the same columns without the preparation have none. Nothing is evaluated again."""
    columns, names = prepared_tables()[code]
    found = codes(concluded(columns | {"y": normal_classes()["y"]}))
    assert {one for one in found if one.endswith("_outside")} == {code}
    assert all(name in found[code].sentence for name in names)
    assert found[code].weight == ("warning" if code == "encoded_outside" else "note")
    assert not [one for one in codes(concluded(normal_classes())) if one.endswith("_outside")]


def test_several_columns_are_one_finding(concluded):
    """Three imputed columns do not fill the page."""
    columns, _ = prepared_tables()["imputed_outside"]
    table = {"p": columns["p"], "q": 2 * columns["p"], "r": 3 * columns["p"], "y": normal_classes()["y"]}
    found = [one for one in findings_of(concluded(table)) if one.code == "imputed_outside"]
    assert len(found) == 1
    assert "2 more places" in found[0].sentence


# ---- residuals -----------------------------------------------------------------------------------------------------------


def curve(bend=0.0, funnel=0.0):
    rng = np.random.default_rng(8)
    a, b = rng.uniform(0, 2, size=(2, N))
    noise = 0.3 * rng.normal(size=N)
    return {"a": a, "b": b, "y": 2 * a + b + bend * (a - 1) ** 2 + noise * (1 + funnel * b)}


def test_residuals_of_a_line(concluded):
    """A missing square and uneven noise are found, each alone; a line has neither, and methods that bend are not asked."""
    of = {"residuals_bent", "noise_uneven"}
    assert not of & codes(concluded(curve(), ["LinearRegression"])).keys()
    bent = codes(concluded(curve(bend=1.0), ["LinearRegression"]))
    assert of & bent.keys() == {"residuals_bent"}
    assert "LinearRegression against 'a' form a U" in bent["residuals_bent"].sentence
    arch = codes(concluded(curve(bend=-1.0), ["Ridge"]))["residuals_bent"].sentence
    assert "Ridge against 'a' form an arch" in arch
    assert of & codes(concluded(curve(funnel=4.0), ["LinearRegression"])).keys() == {"noise_uneven"}


def test_residuals_of_many_columns(concluded):
    """With too many columns to test each, the bend is found against the predictions."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N, 32))
    z = X.sum(axis=1)
    table = {**{f"x{j}": X[:, j] for j in range(32)}, "y": z + 0.1 * z**2 + rng.normal(size=N)}
    assert "against the predictions form a U" in codes(concluded(table, ["LinearRegression"]))["residuals_bent"].sentence


# ---- all -----------------------------------------------------------------------------------------------------------------


def test_in_spanish(concluded):
    """The same codes in other words."""
    columns, _ = prepared_tables()["scaled_outside"]
    outcome = concluded(columns | {"p": np.exp(columns["p"]), "y": normal_classes()["y"]})
    english = codes(outcome)
    with language("es"):
        spanish = codes(outcome)
    assert {"scaled_outside", "not_normal"} <= english.keys() == spanish.keys()
    assert not {one.sentence for one in english.values()} & {one.sentence for one in spanish.values()}


def test_time(concluded):
    """A report may not wait for this: on 5000 rows of 30 columns it takes some tenths of a second."""
    X = np.random.default_rng(0).normal(size=(5000, 30)).round(3)
    table = {**{f"x{j}": X[:, j] for j in range(30)}, "y": X[:, 0] + X[:, 1]}
    outcome = concluded(table, ["LinearRegression"], folds=2)
    start = time.process_time()
    for about in (about_the_assumptions, about_the_preparation, about_the_residuals):
        list(about(outcome))
    assert time.process_time() - start < 1.5
