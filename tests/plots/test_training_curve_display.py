"""Training curves: what the learners keep, epoch by epoch."""

import numpy as np
import pytest
from pictures import CLASSES, FITTED, X, legend_of
from sklearn.exceptions import ConvergenceWarning

from aprendiz import DeltaRule, KMeans, LinearRegression, MLPClassifier, Perceptron, SGDClassifier
from aprendiz.plots import TrainingCurveDisplay
from aprendiz.plots.training_curve_display import TrainingCurve

SIDE = X[:, 0] > 0


def test_mistakes_of_a_perceptron():
    """One value for each epoch, from the first on; the last epoch has no mistake."""
    display = TrainingCurveDisplay.from_estimators(FITTED.steps[0])
    (line,) = display.lines_
    np.testing.assert_array_equal(
        line.get_xydata(), np.c_[1 + np.arange(FITTED.steps[0].n_iter_), FITTED.steps[0].history_[:, 0]]
    )
    assert line.get_ydata()[-1] == 0
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("epoch", "mistakes per epoch")
    assert display.ax_.get_legend() is None


def test_the_start_is_epoch_0():
    """The delta rule keeps the error at the start too."""
    model = DeltaRule().fit(X, SIDE)
    display = TrainingCurveDisplay.from_estimators(model)
    np.testing.assert_array_equal(display.lines_[0].get_xydata(), np.c_[np.arange(model.n_iter_ + 1), model.history_[:, 0]])
    assert display.ax_.get_ylabel() == "mean squared error"


def test_against_updates():
    """A perceptron updates at its mistakes, stochastic steps at every row, the batch rule once an epoch."""
    perceptron, batch = Perceptron(tol=None).fit(X, SIDE), DeltaRule().fit(X, SIDE)
    steps = DeltaRule(mode="stochastic", random_state=0).fit(X, SIDE)
    display = TrainingCurveDisplay.from_estimators(perceptron, batch, steps, against="updates")
    one, two, three = (line.get_xdata() for line in display.lines_)
    np.testing.assert_array_equal(one, np.cumsum(perceptron.history_[:, 0]))
    assert one[-1] == perceptron.mistakes_.sum()
    np.testing.assert_array_equal(two, np.arange(batch.n_iter_ + 1))
    np.testing.assert_array_equal(three, len(X) * np.arange(steps.n_iter_ + 1))
    assert display.ax_.get_xlabel() == "updates of the coefficients"
    with pytest.raises(ValueError, match="The number of updates at each value of the curve 'mine' is not known"):
        TrainingCurveDisplay({"mine": [3, 2, 1]}, "updates")
    with pytest.raises(ValueError, match='against must be "epochs" or "updates"'):
        TrainingCurveDisplay({"mine": [3, 2, 1]}, "rows")


def test_classes_are_added():
    """Of three classes the mistakes of all are counted."""
    model = SGDClassifier(random_state=0).fit(X, CLASSES)
    (line,) = TrainingCurveDisplay.from_estimators(model).lines_
    np.testing.assert_allclose(line.get_ydata(), model.history_.sum(axis=1))


def test_costs_of_k_means():
    """Their log is in the certificate, and never rises."""
    model = KMeans(3, random_state=0).fit(X)
    display = TrainingCurveDisplay.from_estimators(model)
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), model.certificate_.log)
    assert display.ax_.get_ylabel() == "cost"


def test_several_learners():
    """With one measure as they are; with different ones as parts of their first values, and the legend says of what."""
    same = TrainingCurveDisplay.from_estimators(*FITTED.steps)
    assert legend_of(same.ax_) == ["Perceptron 1", "Perceptron 2"]
    kmeans = KMeans(3, random_state=0).fit(X)
    other = TrainingCurveDisplay.from_estimators(FITTED.steps[0], kmeans)
    assert legend_of(other.ax_) == ["Perceptron (mistakes per epoch)", "KMeans (cost)"]
    assert [line.get_ydata()[0] for line in other.lines_] == [1, 1]
    assert other.ax_.get_ylabel() == "fraction of the initial value"


def test_scales():
    """Powers where all curves fall deep and stay above zero, else a scale that begins at zero."""
    deep, flat, zero = [1000.0, 10.0, 1.0], [3.0, 2.0, 2.0], [1000.0, 1.0, 0.0]
    scales = [TrainingCurveDisplay({str(k): c for k, c in enumerate(one)}).plot().ax_ for one in ([deep], [deep, flat], [zero])]
    assert [ax.get_yscale() for ax in scales] == ["log", "linear", "linear"]
    assert [ax.get_ylim()[0] <= 0 for ax in scales[1:]] == [True, True]


def test_curves_by_name():
    """Numbers of any origin, with a first epoch and a name of the measure if they are known."""
    display = TrainingCurveDisplay(
        {"mine": TrainingCurve([4.0, 3.0], 0, "loss"), "other": TrainingCurve([5.0], 1, "loss")}
    ).plot()
    assert display.lines_[0].get_xdata().tolist() == [0, 1]
    assert display.ax_.get_ylabel() == "loss"
    assert TrainingCurveDisplay({"mine": [2.0, 1.0]}).plot().ax_.get_ylabel() == "objective of the fit"


def test_bad_input():
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(TypeError, match=r"LinearRegression keeps no training curve \(history_\): give a learner that trains"):
        TrainingCurveDisplay.from_estimators(LinearRegression().fit(X, X[:, 0]))
    with pytest.raises(ValueError, match="not fitted"):
        TrainingCurveDisplay.from_estimators(Perceptron())
    with pytest.raises(ValueError, match="names has 1 entries, there are 2 learners"):
        TrainingCurveDisplay.from_estimators(*FITTED.steps, names=["a"])
    with pytest.raises(ValueError, match="no curve to draw"):
        TrainingCurveDisplay({})
    with pytest.raises(ValueError, match=r"The curve 'a' has shape \(2, 2\): give one value for each epoch"):
        TrainingCurveDisplay({"a": np.zeros((2, 2))})
    with pytest.raises(ValueError, match="curve 'a' contains NaN"):
        TrainingCurveDisplay({"a": [1.0, np.nan]})


@pytest.mark.parametrize(("solver", "updates"), [("adam", [6, 12, 18, 24]), ("lbfgs", [1, 2, 3, 4])])
def test_networks(solver, updates):
    """The loss of each epoch, or of each step of L-BFGS; also of calls of partial_fit."""
    model = MLPClassifier((3,), solver=solver, max_iter=4, batch_size=10, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter reached"):
        model.fit(X, SIDE)
    (line,) = TrainingCurveDisplay.from_estimators(model).lines_
    assert line.get_xdata().tolist() == [1, 2, 3, 4]
    assert line.get_ydata().tolist() == model.loss_curve_
    (line,) = TrainingCurveDisplay.from_estimators(model, against="updates").lines_
    assert line.get_xdata().tolist() == updates
    if solver == "adam":
        parts = MLPClassifier((3,), random_state=0).partial_fit(X, SIDE, classes=[False, True])
        (line,) = TrainingCurveDisplay.from_estimators(parts.partial_fit(X, SIDE)).lines_
        assert line.get_xdata().tolist() == [1, 2]
