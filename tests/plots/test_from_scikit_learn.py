"""Displays in scikit-learn's manner: from a fitted model, from predictions, from the folds of a cross-validation."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from aprendiz import NearestMean, Perceptron
from aprendiz.evaluation import KFolds, confusion, evaluate, partial_dependence, roc
from aprendiz.plots import (
    CalibrationDisplay,
    ConfusionDisplay,
    DetCurveDisplay,
    ImportanceDisplay,
    PartialDependenceDisplay,
    PrecisionRecallDisplay,
    ResidualsDisplay,
    RocDisplay,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
Y = np.where(X[:, 0] + RNG.normal(size=90) > 0, "yes", "no")
TARGET = X @ [1.0, 2.0, 0.0] + RNG.normal(size=90)
MODEL = GaussianNB().fit(X, Y)
WEIGHT = RNG.integers(1, 4, 90)
KEPT = {"return_estimator": True, "return_indices": True, "cv": KFold(3, shuffle=True, random_state=0)}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("cls", [RocDisplay, PrecisionRecallDisplay, DetCurveDisplay])
@pytest.mark.parametrize("label", ["yes", "no"])
def test_from_estimator(cls, label):
    """The same curve as from the scores, by either name of the positive class, with weights."""
    score = MODEL.predict_proba(X)[:, list(MODEL.classes_).index(label)]
    wanted = cls.from_predictions(Y, score, positive=label, sample_weight=WEIGHT).line_.get_xydata()
    for how in ({"positive": label}, {"pos_label": label}, {"positive": label, "pos_label": label}):
        found = cls.from_estimator(MODEL, X, Y, sample_weight=WEIGHT, name="bayes", **how)
        np.testing.assert_array_equal(found.line_.get_xydata(), wanted)
    with pytest.raises(ValueError, match="two names of one parameter"):
        cls.from_estimator(MODEL, X, Y, positive="yes", pos_label="no")


def test_decision_values():
    """A classifier without probabilities, on axes that are given."""
    model = Perceptron().fit(X, Y)
    _figure, ax = plt.subplots()
    found = RocDisplay.from_estimator(model, X, Y, ax=ax)
    assert found.ax_ is ax
    assert found.curve.auc == pytest.approx(roc(Y, model.decision_function(X), positive="yes").auc)


@pytest.mark.parametrize("cls", [RocDisplay, PrecisionRecallDisplay])
def test_from_cv_results(cls):
    """A line for each fold, of scikit-learn's results and of ours; the mean of the areas in the legend."""
    results = cross_validate(GaussianNB(), X, Y, **KEPT)
    found = cls.from_cv_results(results, X, Y, name="bayes", pos_label="no")
    wanted = []
    for model, test, line in zip(results["estimator"], results["indices"]["test"], found.lines_, strict=True):
        curve = cls.measure(Y[test], model.predict_proba(X[test])[:, 0], positive="no")
        wanted.append(cls(curve).area)
        np.testing.assert_array_equal(line.get_xydata(), cls(curve).plot().line_.get_xydata())
    words = [label for label in found.ax_.get_legend_handles_labels()[1] if "bayes" in label]
    assert len(words) == 1
    assert f"{np.mean(wanted):.3f} ± {np.std(wanted, ddof=1):.3f} over 3 folds" in words[0]
    ours = evaluate(NearestMean(), X, Y, protocol=KFolds(4))
    drawn = cls.from_cv_results(ours)
    assert len(drawn.lines_) == 4
    fold, answers = ours.folds[1], ours.by_fold[1]
    curve = cls.measure(Y[fold.test], answers.scores[:, 1], positive="yes")
    np.testing.assert_array_equal(drawn.lines_[1].get_xydata(), cls(curve).plot().line_.get_xydata())


def test_scikit_learn_draws_the_same():
    """The areas of the folds are those of scikit-learn's Display."""
    results = cross_validate(GaussianNB(), X, Y, **KEPT)
    theirs = RocCurveDisplay.from_cv_results(results, X, Y)
    found = RocDisplay.from_cv_results(results, X, Y)
    areas = [np.trapezoid(line.get_ydata(), line.get_xdata()) for line in found.lines_]
    np.testing.assert_allclose(areas, theirs.roc_auc)


def test_results_that_cannot_be_drawn():
    """What is missing is named, with the option that brings it."""
    with pytest.raises(ValueError, match="return_estimator=True"):
        RocDisplay.from_cv_results(cross_validate(GaussianNB(), X, Y), X, Y)
    with pytest.raises(ValueError, match="return_indices=True"):
        RocDisplay.from_cv_results(cross_validate(GaussianNB(), X, Y, return_estimator=True), X, Y)
    with pytest.raises(ValueError, match="give X and y too"):
        RocDisplay.from_cv_results(cross_validate(GaussianNB(), X, Y, **KEPT))
    three = evaluate(NearestMean(), X, RNG.choice(["a", "b", "c"], 90), protocol=KFolds(3))
    with pytest.raises(ValueError, match="say which is positive, as in positive='a'"):
        RocDisplay.from_cv_results(three)
    with pytest.raises(ValueError, match="There is no class 'd'"):
        RocDisplay.from_cv_results(three, positive="d")


def test_confusion():
    """Of a model, of predictions and of the folds of an evaluation."""
    found = ConfusionDisplay.from_estimator(MODEL, X, Y, sample_weight=WEIGHT, labels=["yes", "no"])
    wanted = confusion(Y, MODEL.predict(X), sample_weight=WEIGHT, labels=["yes", "no"])
    np.testing.assert_array_equal(found.table.table, wanted.table)
    ours = evaluate(NearestMean(), X, Y, protocol=KFolds(3))
    assert ConfusionDisplay.from_evaluation(ours).table.table.sum() == 90
    with pytest.raises(TypeError, match="not a classifier"):
        ConfusionDisplay.from_estimator(LinearRegression().fit(X, TARGET), X, TARGET)


def test_calibration():
    """Both names of the bins and of the class."""
    one = CalibrationDisplay.from_estimator(MODEL, X, Y, bins=4, positive="no")
    other = CalibrationDisplay.from_estimator(MODEL, X, Y, n_bins=4, pos_label="no")
    np.testing.assert_array_equal(one.line_.get_xydata(), other.line_.get_xydata())
    assert len(one.line_.get_xydata()) == 4


def test_residuals():
    """Of a model, and of the test rows of all folds, in the order of the folds."""
    model = LinearRegression().fit(X, TARGET)
    found = ResidualsDisplay.from_estimator(model, X, TARGET)
    assert found.errors.r2 == pytest.approx(model.score(X, TARGET))
    results = cross_validate(LinearRegression(), X, TARGET, **KEPT)
    drawn = ResidualsDisplay.from_cv_results(results, X, TARGET, against=X[:, 2])
    rows = np.concatenate(results["indices"]["test"])
    np.testing.assert_array_equal(drawn.y_true, TARGET[rows])
    np.testing.assert_array_equal(drawn.against, X[rows, 2])
    ours = evaluate(LinearRegression(), X, TARGET, protocol=KFolds(3))
    assert ResidualsDisplay.from_cv_results(ours).errors.r2 == pytest.approx(ours.errors().r2)
    with pytest.raises(TypeError, match="not a regressor"):
        ResidualsDisplay.from_estimator(MODEL, X, TARGET)
    with pytest.raises(TypeError, match="one of classes"):
        ResidualsDisplay.from_cv_results(evaluate(NearestMean(), X, Y, protocol=KFolds(3)))


def test_dependence():
    """Curves are those of the record; single rows, several columns, a map, changes from the first value."""
    found = PartialDependenceDisplay.from_estimator(MODEL, X, [0, 1, (0, 1)], kind="both", grid_resolution=5)
    curve = partial_dependence(MODEL, X, 0, grid_resolution=5, kind="both")
    thick = max(found.ax_[0].lines, key=lambda line: line.get_linewidth())
    np.testing.assert_array_equal(thick.get_ydata(), curve.average[0])
    assert sum(line.get_linewidth() < 1 for line in found.ax_[0].lines) == 90
    assert found.ax_[0].get_ylim() == found.ax_[1].get_ylim()
    assert len(found.ax_) == 3
    assert found.ax_[0].get_ylabel() == "probability of 'yes'"
    from_zero = PartialDependenceDisplay([curve], centered=True).plot()
    assert all(line.get_ydata()[0] == 0 for line in from_zero.ax_[0].lines[:-1])
    three = GaussianNB().fit(X, RNG.choice(["a", "b", "c"], 90))
    with pytest.raises(ValueError, match="3 outputs: choose one by target, one of 'a', 'b', 'c'"):
        PartialDependenceDisplay.from_estimator(three, X, [0])
    with pytest.raises(ValueError, match="target = 'd' is no output"):
        PartialDependenceDisplay.from_estimator(three, X, [0], target="d")
    with pytest.raises(ValueError, match="no partial dependence"):
        PartialDependenceDisplay([])
    _figure, ax = plt.subplots()
    assert partial_dependence(three, X, 0, grid_resolution=3).plot(ax, target="b").ax_[0] is ax


def test_losses():
    """A bar for each column, the largest on top; without repeats there are no standard errors."""
    from aprendiz.evaluation import permutation_importance

    found = permutation_importance(MODEL, X, Y, random_state=0)
    drawn = found.plot()
    assert isinstance(drawn, ImportanceDisplay)
    np.testing.assert_array_equal(drawn.importances, found.importances_mean)
    assert "loss of accuracy" in drawn.ax_.get_xlabel()
    assert permutation_importance(MODEL, X, Y, n_repeats=1, random_state=0).plot().standard_errors is None
