"""Skewed targets: found where errors grow with them, not invented, transformed inside the folds, errors in their units."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import boxcox_normmax
from sklearn.compose import TransformedTargetRegressor

import aprendiz
from aprendiz.lab import PowerOfTarget
from aprendiz.lab.methods import Method
from aprendiz.lab.report import write_outcome
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.targets.power import likelihood

A_POWER = {"log", "boxcox"}
SVR = Method("SVR", aprendiz.SVR(), {"C": (1.0, 10.0)})


def table(seed, kind, n=150):
    """Products of factors; sums of normal numbers; a sum whose column is skewed, the errors not."""
    rng = np.random.default_rng(seed)
    a, b, noise = rng.normal(size=(3, n))
    if kind == "products":
        y = np.exp(1 + a + 0.5 * noise)
    elif kind == "powers":
        y = (5 + 1.2 * np.exp(0.6 * a) + noise).clip(0.1) ** 4
    elif kind == "skewed column":
        a = rng.exponential(size=n) ** 1.5
        y = 12 + 2 * a + 2 * noise
    else:
        y = 20 + 3 * a + noise
    return {"a": a.round(4), "b": b.round(4), "y": y.round(5)}


# ---- the transformation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["log", "boxcox"])
def test_there_and_back(kind):
    y = np.exp(np.random.default_rng(0).normal(size=(80, 1)))
    model = PowerOfTarget(kind).fit(y)
    np.testing.assert_allclose(model.inverse_transform(model.transform(y)), y, rtol=1e-12)
    assert abs(model.transform(y).mean()) < 0.2
    with pytest.raises(ValueError, match="needs targets above 0, there is -1"):
        model.fit(np.array([1.0, 2.0, -1.0]))


@pytest.mark.parametrize("unit", [1.0, 1e6, 1e-6])
def test_power_of_scipy(unit):
    """The likelihood of Box and Cox, in any units."""
    y = unit * np.random.default_rng(1).gamma(3.0, size=200)
    assert PowerOfTarget().fit(y).power_ == pytest.approx(boxcox_normmax(y / unit, method="mle"), abs=1e-4)


def test_likelihood_by_hand():
    """−n/2·log S of the residuals of z, for targets of geometric mean 1."""
    rng = np.random.default_rng(2)
    y = rng.gamma(3.0, size=50)
    y /= np.exp(np.log(y).mean())
    Z = np.column_stack([np.ones(50), rng.normal(size=50)])
    for exponent in (0.0, 0.5, 1.0):
        z = np.log(y) if exponent == 0 else (y**exponent - 1) / exponent
        S = np.linalg.lstsq(Z, z, rcond=None)[1][0]
        assert likelihood(y, Z, exponent) == pytest.approx(-25 * np.log(S))


def test_far_predictions_are_numbers():
    """Where the inverse has none, or far beyond the targets, the limit and a warning."""
    model = PowerOfTarget().fit(np.random.default_rng(3).gamma(3.0, size=200))
    assert model.power_ > 0
    with pytest.warns(UserWarning, match="2 predictions far outside"):
        found = model.inverse_transform(np.array([-1e6, 0.0, 1e6]))
    assert np.isfinite(found).all()
    assert (found > 0).all()


# ---- runs --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("products", A_POWER), ("powers", A_POWER), ("skewed column", {None}), ("sums", {None})],
)
def test_found_and_not_invented(concluded, kind, expected):
    """A logarithm or a power of products and powers; nothing for sums, nor where only a column is skewed."""
    for seed in range(3):
        numbers = numbers_of(concluded(table(seed, kind), ["LinearRegression"]))
        proposed = numbers["transform"]["proposed"]
        assert (proposed and proposed["kind"]) in expected
        assert any(one["code"] == "target_skewed" for one in numbers["findings"]) == (proposed is not None)


def test_inside_the_folds(concluded):
    """Predictions of each fold by hand: the power of its training rows, errors in the units of the target."""
    outcome = concluded(table(0, "products"), ["LinearRegression"], transform="boxcox")
    experiment, X = outcome.experiment, outcome.experiment.X[["a", "b"]].to_numpy()
    powers = set()
    for fold, (train, test) in zip(outcome.evaluation.folds, experiment.splits, strict=True):
        model = PowerOfTarget().fit(experiment.y[train])
        line = aprendiz.LinearRegression().fit(X[train], model.transform(experiment.y[train]))
        np.testing.assert_allclose(fold.prediction, model.inverse_transform(line.predict(X[test])), rtol=1e-8)
        powers.add(model.power_)
    assert len(powers) == 5
    mae = np.mean([np.abs(answers.truth - answers.prediction).mean() for answers in outcome.evaluation.by_fold])
    assert outcome.evaluation.score("mae").value == pytest.approx(mae)
    assert numbers_of(outcome)["transform"] == {"used": "boxcox", "proposed": None}


def test_it_helps(concluded):
    """A line of the logarithm predicts products better than a line."""
    plain = concluded(table(0, "products"), ["LinearRegression"])
    changed = concluded(table(0, "products"), ["LinearRegression"], transform="auto")
    assert changed.results.question.transform == "log"
    assert changed.evaluation.score("mae").value < 0.8 * plain.evaluation.score("mae").value


def test_tuned_kept_and_reproduced(concluded, tmp_path):
    """Parameters are tuned inside, the model is kept with its transformation, experiment.py finds the same scores."""
    outcome = concluded(table(0, "products"), [SVR], transform="log")
    assert set(outcome.evaluation.folds[0].chosen) == {"learner__regressor__C"}
    assert isinstance(outcome.pipeline[-1], TransformedTargetRegressor)
    assert "StandardScaler" in repr(outcome.pipeline[:-1])
    write_outcome(outcome, tmp_path / "out")
    again = aprendiz.load(tmp_path / "out" / "model.apz")
    np.testing.assert_array_equal(again.predict(outcome.experiment.X), outcome.model().predict(outcome.experiment.X))
    done = subprocess.run(
        [sys.executable, tmp_path / "out" / "experiment.py"], capture_output=True, text=True, timeout=120, check=False
    )
    assert "All scores are those of results.json." in done.stdout, done.stdout + done.stderr


def test_refused(concluded):
    with pytest.raises(ValueError, match="Only numbers can be transformed, and 'y' has classes"):
        concluded({"a": np.sin(np.arange(40.0)), "y": ["x", "z"] * 20}, transform="log")
    with pytest.raises(ValueError, match="needs targets above 0, there is 0"):
        concluded({"a": np.sin(np.arange(40.0)), "y": np.arange(40.0) ** 2}, ["Ridge"], transform="log")


# ---- the report --------------------------------------------------------------------------------------------------------------


def test_gaps_in_the_columns(concluded):
    """A skewed target of columns with missing cells: the power is found as if they held the mean."""
    columns = table(0, "products")
    columns["a"] = ["" if row % 9 == 0 else cell for row, cell in enumerate(columns["a"])]
    assert numbers_of(concluded(columns, ["LinearRegression"]))["transform"]["proposed"]["kind"] == "log"


@pytest.mark.parametrize("kind", ["log", "boxcox"])
def test_coefficients_on_the_scale_of_the_target(concluded, kind, tmp_path):
    """Those of a regression of the transformed target by hand; of a logarithm with the per cent that they mean."""
    outcome = concluded(table(0, "products"), ["LinearRegression"], transform=kind)
    numbers = write_outcome(outcome, tmp_path / "report")["model"]
    X, y = outcome.experiment.X[["a", "b"]].to_numpy(), outcome.experiment.y
    scale = PowerOfTarget(kind).fit(y)
    line = aprendiz.LinearRegression().fit(X, scale.transform(y))
    found = {one["column"]: one for one in numbers["coefficients"][0]["largest"]}
    assert (numbers["target_scale"]["power"], numbers["target_scale"]["centre"]) == (scale.power_, scale.centre_)
    for name, value in zip(("a", "b"), line.coef_, strict=True):
        assert found[name]["value"] == pytest.approx(value)
        assert found[name].get("relative") == (pytest.approx(np.exp(value) - 1) if kind == "log" else None)
    assert "regressor" not in numbers["parameters"]
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert ("multiplies the prediction by exp(b)" in page) == (kind == "log")
    assert "medians rather than means" in page
