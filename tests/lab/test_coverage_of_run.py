"""Intervals and sets of a run: of the model of all rows, checked fold by fold, in numbers, on the page and in predictions."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import aprendiz
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.report.page import page_of
from aprendiz.lab.targets.coverage_of_run import check, conformal_of, coverage_of, ends_of_folds
from aprendiz.locale import language

RNG = np.random.default_rng(0)
A, B, NOISE = RNG.normal(size=(3, 200)).round(3)
NUMBERS = {"a": A, "b": B, "y": (10 * A + B + NOISE).round(3)}
CLASSES = {"a": A, "b": B, "y": np.array(["no", "some", "yes"])[np.digitize(A + 0.7 * NOISE, [-0.5, 0.5])]}


def test_intervals(concluded):
    """Around the model of all rows by the k-th smallest error of the folds; each fold checked by the errors of the others."""
    outcome = concluded(NUMBERS, ["LinearRegression"])
    found, X = outcome.evaluation, outcome.experiment.X
    errors = np.abs(found.pooled.truth - found.pooled.prediction)
    width = np.sort(errors)[-(-90 * 201 // 100) - 1]  # ⌈201 · 0.9⌉ = 181st
    model = outcome.model()
    ends = model.predict_interval(X, 0.9)
    said = model.predict(X)
    np.testing.assert_allclose(ends, np.column_stack([said - width, said + width]), rtol=1e-12)
    truth, _, of_folds = ends_of_folds(found)
    first = found.folds[0].test
    others = np.sort(errors[len(first) :])
    of_first = of_folds[: len(first), 1] - found.folds[0].prediction
    np.testing.assert_allclose(of_first, others[-(-90 * (len(others) + 1) // 100) - 1], rtol=1e-10)
    known = coverage_of(found)
    inside = ((of_folds[:, 0] <= truth) & (truth <= of_folds[:, 1])).mean()
    assert [one["asked"] for one in known["checked"]] == [0.8, 0.9, 0.95]
    assert known["checked"][1]["found"] == inside
    assert known["calibration_rows"] == 200


def test_sets(concluded):
    """The same classes as those that LAC counts by hand; the coverage of each class is told."""
    outcome = concluded(CLASSES, ["GaussianNB"])
    found = outcome.evaluation
    answers = found.pooled
    codes = np.searchsorted(found.classes, answers.truth)
    scores = 1 - answers.probability[np.arange(200), codes]
    limit = np.sort(scores)[-(-80 * 201 // 100) - 1]
    model = outcome.model()
    np.testing.assert_array_equal(
        model.predict_set(outcome.experiment.X, 0.8), 1 - model.predict_proba(outcome.experiment.X) <= limit
    )
    known = coverage_of(found)["checked"]
    shares = [sum(one["classes"][label] * (answers.truth == label).sum() for label in found.classes) / 200 for one in known]
    np.testing.assert_allclose(shares, [one["found"] for one in known], rtol=1e-12)


@pytest.mark.parametrize("columns", [NUMBERS, CLASSES], ids=["numbers", "classes"])
def test_found_is_what_was_asked(concluded, columns):
    """On rows that are alike the check is not far off: no coverage that a binomial would have once in ten thousand."""
    name = "LinearRegression" if columns is NUMBERS else "GaussianNB"
    for one in coverage_of(concluded(columns, [name]).evaluation)["checked"]:
        inside = round(200 * one["found"])
        assert 1e-4 < binom.cdf(inside, 200, one["asked"]) < 1 - 1e-4


def test_a_single_split_is_checked_by_halves(concluded):
    """Half of the test rows calibrates for the other."""
    from aprendiz.evaluation import Holdout, evaluate

    X, y = np.column_stack([A, B]), NUMBERS["y"]
    found = evaluate(aprendiz.LinearRegression(), X, y, protocol=Holdout(0.4, 0))
    widths = np.unique(np.diff(ends_of_folds(found)[2]).round(9))
    assert len(widths) == 2
    assert check(found, 0.9).rows == 80


def test_rows_that_are_tested_again_count_once():
    from aprendiz.evaluation import Repeated, evaluate

    X, y = np.column_stack([A, B]), NUMBERS["y"]
    found = evaluate(aprendiz.LinearRegression(), X, y, protocol=Repeated(3, 4))
    assert coverage_of(found)["calibration_rows"] == 200


def test_few_rows(concluded):
    """Coverages that need more rows are not told; none at all, no section."""
    few = {name: values[:12] for name, values in NUMBERS.items()}
    outcome = concluded(few, ["LinearRegression"], folds=4)
    assert [one["asked"] for one in coverage_of(outcome.evaluation)["checked"]] == [0.8, 0.9]
    tiny = concluded({name: values[:5] for name, values in NUMBERS.items()}, ["LinearRegression"], folds=2)
    assert coverage_of(tiny.evaluation) is None
    assert 'id="coverage"' not in page_of(numbers_of(tiny), {}, tiny.experiment.table)


def test_without_probabilities(concluded):
    """A machine without probabilities has no sets, and says so when asked."""
    from aprendiz.lab.methods import Method

    two = {**CLASSES, "y": np.where(A + 0.5 * NOISE > 0, "yes", "no")}
    outcome = concluded(two, [Method("SVC", aprendiz.SVC(), {})])
    assert outcome.results.best == "SVC"
    assert conformal_of(outcome.pipeline, outcome.evaluation) is None
    assert numbers_of(outcome)["coverage"] is None
    with pytest.raises(ValueError, match="gives no probabilities"):
        outcome.model().predict_set(outcome.experiment.X)


@pytest.mark.parametrize("words", ["en", "es"])
@pytest.mark.parametrize("columns", [NUMBERS, CLASSES], ids=["numbers", "classes"])
def test_page(concluded, columns, words):
    """The table stands on the page with what is in results.json."""
    with language(words):
        outcome = concluded(columns, ["LinearRegression" if columns is NUMBERS else "GaussianNB"])
        numbers = numbers_of(outcome)
        page = page_of(numbers, {}, outcome.experiment.table)
    share = f"{100 * numbers['coverage']['checked'][0]['found']:.1f} %".replace(".", "," if words == "es" else ".")
    assert share in page
    titles = {
        "en": ("Intervals of predictions", "Sets of classes"),
        "es": ("Intervalos de las predicciones", "Conjuntos de clases"),
    }
    assert titles[words][columns is CLASSES] in page


def test_kept_in_files(concluded, tmp_path):
    """A model that is saved has the same intervals, and one pipeline in the file, not two."""
    model = concluded(NUMBERS, ["LinearRegression"]).model()
    aprendiz.save(model, tmp_path / "model.apz")
    again = aprendiz.load(tmp_path / "model.apz")
    new = pd.DataFrame({"a": [0.5], "b": [1.0]})
    np.testing.assert_array_equal(again.predict_interval(new), model.predict_interval(new))
    assert again.conformal.estimator_ is again.model
    with pytest.raises(ValueError, match="ask for intervals"):
        model.predict_set(new)
