"""Choice of k: the curve, its band, the line of one standard error and the two marks are those of the record."""

import numpy as np
import pytest
from pictures import CLASSES, X, legend_of

from aprendiz import choose_n_neighbors
from aprendiz.plots import ChoiceOfKDisplay


@pytest.fixture(scope="module")
def choice():
    """One to forty neighbours."""
    return choose_n_neighbors(X, CLASSES, range(1, 41))


def test_curve_and_marks(choice):
    """Errors against k, a standard error on either side, and the chosen k where they stand on the curve."""
    display = ChoiceOfKDisplay(choice).plot()
    curve, limit, near, best = display.ax_.lines
    np.testing.assert_array_equal(curve.get_xydata(), np.c_[choice.ks, choice.errors])
    border = {tuple(point) for point in display.ax_.collections[0].get_paths()[0].vertices}
    for k, error, spread in zip(choice.ks, choice.errors, choice.standard_errors, strict=True):
        assert {(k, error - spread), (k, error + spread)} <= border
    assert limit.get_ydata()[0] == choice.errors[choice.best] + choice.standard_errors[choice.best]
    for mark, k in ((near, choice.one_se_k), (best, choice.best_k)):
        np.testing.assert_array_equal(mark.get_xydata(), [[k, choice.errors[k - 1]]])
    assert legend_of(display.ax_)[1:] == [
        f"k = {choice.one_se_k}: the smallest within a standard error",
        f"k = {choice.best_k}: the smallest error",
    ]


@pytest.mark.parametrize(
    ("y", "words"),
    [(CLASSES, "error on held-out rows"), (X[:, 0], "squared error on held-out rows")],
    ids=["classes", "numbers"],
)
def test_words(y, words):
    """Shares of rows for classes, squared errors for numbers; `plot` of the record draws it."""
    display = choose_n_neighbors(X, y, [1, 5, 20]).plot()
    assert display.ax_.get_ylabel().replace("\n", " ") == f"{words}, ± one standard error"
    display.figure_.canvas.draw()
    assert display.ax_.get_yticklabels()[0].get_text().endswith("%") == (words[0] == "e")
