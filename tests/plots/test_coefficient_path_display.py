"""Paths of coefficients: the lines are the coefficients, the choice is where it belongs, names do not touch."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from pictures import X, assert_inside
from sklearn.pipeline import make_pipeline

from aprendiz import ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearRegression, Ridge, RidgeCV, StandardScaler, lasso_path
from aprendiz.plots import CoefficientPathDisplay
from aprendiz.plots.coefficient_path_display import apart, cut

Y = X @ [3.0, 0.0, -2.0, 0.5, 0.0] + np.sin(np.arange(60))
NAMES = ["age", "height", "weight", "income", "rooms"]
FRAME = pd.DataFrame(X, columns=NAMES)


def beside(display):
    """Names beside the lines, by their heights."""
    ax = np.atleast_1d(display.ax_)[0]
    return {text.get_text(): text.get_position()[1] for text in ax.texts}


def test_a_path_that_was_found():
    """Lines over −ln α or over the budget, from the largest penalty on, in whatever order they come."""
    alphas, coefs, _ = lasso_path(X - X.mean(axis=0), Y - Y.mean(), alphas=9, tol=1e-12)
    for some in (slice(None), slice(None, None, -1)):
        display = CoefficientPathDisplay.from_path(alphas[some], coefs[:, some], NAMES)
        for line, w in zip(display.lines_, coefs, strict=True):
            np.testing.assert_array_equal(line.get_xydata(), np.c_[-np.log(alphas), w])
    display = CoefficientPathDisplay.from_path(alphas, coefs, against="budget")
    np.testing.assert_allclose(display.lines_[0].get_xdata(), np.abs(coefs).sum(axis=0))
    assert (np.diff(display.budgets) >= 0).all()
    assert display.ax_.get_xlabel() == "budget c = R(w)"


def test_the_path_of_a_chosen_model():
    """Below the path are the mean errors with their standard errors; both pictures mark the penalty that was chosen."""
    for model in (LassoCV(alphas=15), LassoCV(alphas=15, rule="one_se"), ElasticNetCV(l1_ratio=[0.3, 0.9], alphas=15)):
        model.fit(FRAME, Y)
        display = CoefficientPathDisplay.from_estimator(model, FRAME, Y)
        place = [0.3, 0.9].index(model.l1_ratio_) if isinstance(model, ElasticNetCV) else slice(None)
        errors, alphas = model.mse_path_[place], model.alphas_[place]
        drawn = display.ax_[1].containers[0]
        np.testing.assert_allclose(drawn[0].get_xydata(), np.c_[-np.log(alphas), errors.mean(axis=1)])
        bars = np.ptp([segment[:, 1] for segment in drawn[2][0].get_segments()], axis=1)
        np.testing.assert_allclose(bars, 2 * errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1]))
        chosen = int(np.flatnonzero(alphas == model.alpha_)[0])
        np.testing.assert_allclose([line.get_ydata()[chosen] for line in display.lines_], model.coef_, atol=1e-3)
        for ax in display.ax_:
            assert -np.log(model.alpha_) in [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 2]
        left = np.count_nonzero(model.coef_)
        assert display.ax_[0].get_title(loc="left").endswith(f"not zero: {left} of 5")
        assert set(beside(display)) <= set(NAMES)


@pytest.mark.parametrize(
    "model",
    [Lasso(), Lasso(0.1, fit_intercept=False), ElasticNet(0.2, l1_ratio=0.7), ElasticNet(l1_ratio=0.0), Ridge(2.0), RidgeCV()],
    ids=str,
)
def test_the_path_of_other_models(model):
    """Every point of the path is the model with that penalty, and its budget is what the model calls budget."""
    if isinstance(model, RidgeCV):
        model.fit(X, Y)
    display = CoefficientPathDisplay.from_estimator(model, X, Y)
    assert len(display.alphas) == 100
    assert (np.diff(display.budgets) >= -1e-9 * display.budgets.max()).all()
    learner = Ridge() if isinstance(model, RidgeCV) else model
    for k in (20, 60, 95):
        point = type(learner)(**{**learner.get_params(), "alpha": display.alphas[k]}).fit(X, Y)
        np.testing.assert_allclose(display.coefs[:, k], point.coef_, atol=1e-3)
        bound = type(learner)(**{**learner.get_params(), "alpha": 1.0, "budget": display.budgets[k]}).fit(X, Y)
        np.testing.assert_allclose(display.coefs[:, k], bound.coef_, atol=1e-3)
    assert display.chosen == getattr(model, "alpha_", getattr(model, "alpha", None))


def test_the_choice_of_a_budget():
    """A fitted model with a budget marks the penalty that was found for it, where the budget is."""
    model = Lasso(budget=2.0).fit(X, Y)
    display = CoefficientPathDisplay.from_estimator(model, X, Y, against="budget")
    assert display.chosen == model.alpha_
    assert display.ax_.lines[-1].get_xdata()[0] == pytest.approx(2.0, rel=0.01)
    assert CoefficientPathDisplay.from_estimator(Lasso(budget=2.0), X, Y).chosen is None


def test_the_largest_have_names():
    """The largest at the right end have a colour and a name, the others are grey; names do not touch and stay inside."""
    ends = np.r_[np.linspace(1, 1.1, 30), -5.0, 0.0]
    coefs = np.column_stack([0 * ends, ends])
    names = [f"a column with a long name, number {j:02d}" for j in range(32)]
    display = CoefficientPathDisplay([1.0, 0.1], coefs, names).plot(most=8)
    assert len(beside(display)) == 8
    assert len({line.get_color() for line in display.lines_[:20]}) == 1
    assert_inside(display)
    boxes = [text.get_window_extent() for text in display.ax_.texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[k + 1 :])
    assert len(beside(CoefficientPathDisplay([1.0, 0.1], np.zeros((3, 2))).plot())) == 0


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-10, 10), min_size=1, max_size=20), st.floats(0.01, 1.0))
def test_heights_that_keep_apart(places, step):
    """Neighbours keep the step and their order; those that have room stay, and all are inside if there is room."""
    places = np.array(places)
    found = apart(places, step, -10, 10)
    order = np.argsort(places, kind="stable")
    assert (np.diff(found[order]) >= step * (1 - 1e-6)).all()
    assert found.min() >= -10 - 1e-9
    assert found.max() <= max(10, -10 + step * (len(places) - 1)) + 1e-9
    if len(places) == 1 or np.diff(np.sort(places)).min() >= step * (1 + 1e-9):
        np.testing.assert_allclose(found, places, atol=1e-12)


def test_long_names_keep_their_ends():
    assert cut("short", 8) == "short"
    assert cut("a very long name 17", 10) == "a very… 17"


def test_bad_input():
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(TypeError, match="LinearRegression has no path: give Lasso, ElasticNet, Ridge"):
        CoefficientPathDisplay.from_estimator(LinearRegression().fit(X, Y), X, Y)
    with pytest.raises(TypeError, match="of a pipeline its last step"):
        CoefficientPathDisplay.from_estimator(make_pipeline(StandardScaler(), Lasso()), X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        CoefficientPathDisplay.from_estimator(LassoCV(), X, Y)
    with pytest.raises(ValueError, match="y has 2 targets: draw the path of one at a time"):
        CoefficientPathDisplay.from_estimator(Lasso(), X, np.c_[Y, Y])
    with pytest.raises(ValueError, match=r"coefs has shape \(2, 3\), alphas \(2,\): give a column"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"alphas\[1\] = 0: leave it out"):
        CoefficientPathDisplay([1, 0], np.zeros((2, 2)))
    with pytest.raises(ValueError, match="names has 1 entries, there are 2 columns"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 2)), ["a"])
    with pytest.raises(ValueError, match=r"errors has shape \(3, 5\): give a row of folds for each of 2 penalties"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 2)), errors=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="chosen = -1 must be a penalty above 0"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 2)), chosen=-1)
    with pytest.raises(ValueError, match="against = 'c' must be 'alpha' or 'budget'"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 2))).plot(against="c")
    with pytest.raises(ValueError, match="2 axes are needed, ax holds 1"):
        CoefficientPathDisplay([1, 2], np.zeros((2, 2)), errors=np.zeros((2, 5))).plot(Figure().subplots())
