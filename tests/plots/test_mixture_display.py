"""The picture of a mixture: ellipses, weights and rows are those of the model."""

import numpy as np
import pandas as pd
import pytest

from aprendiz import GaussianMixture
from aprendiz.bayes.distributions import MultivariateGaussian
from aprendiz.plots import MixtureDisplay

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(50, 3)), RNG.normal(size=(30, 3)) + 5])


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_ellipses_are_those_of_the_model(kind):
    """Each line is the 95 % ellipse of a component over the columns that were asked for; the legend has the weights."""
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    display = model.plot(X, columns=(2, 0))
    spread = model.fitted_components().spread
    for j, line in enumerate(display.ax_.lines[::2]):
        table = np.diag(spread[j]) if spread.ndim == 2 else spread[j]
        expected = MultivariateGaussian(model.means_[j][[2, 0]], table[np.ix_([2, 0], [2, 0])]).ellipse()
        np.testing.assert_allclose(line.get_xydata(), expected, rtol=1e-12)
    assert display.ax_.get_xlabel() == "x2"
    np.testing.assert_array_equal(display.ax_.collections[0].get_offsets(), X[:, [2, 0]])
    assert sorted(text.get_text() for text in display.ax_.get_legend().get_texts()) == ["37.5 %", "62.5 %"]


def test_one_column_is_a_sum_of_curves():
    """The dark curve is the density of the mixture, the others its parts; names come from the frame."""
    frame = pd.DataFrame(X[:, :1], columns=["length"])
    model = GaussianMixture(2, random_state=0).fit(frame)
    total, *parts = model.plot(frame).ax_.lines
    x = total.get_xdata()
    np.testing.assert_allclose(total.get_ydata(), np.sum([part.get_ydata() for part in parts], axis=0), rtol=1e-12)
    np.testing.assert_allclose(
        total.get_ydata(), np.exp(model.score_samples(frame.iloc[:0].reindex(range(len(x))).assign(length=x)))
    )
    assert total.axes.get_xlabel() == "length"


def test_rows_with_holes_are_left_out():
    """Rows that miss a drawn cell are not drawn; without rows there is nothing but ellipses."""
    holed = X.copy()
    holed[3, 0] = holed[4, 2] = np.nan
    model = GaussianMixture(2, random_state=0).fit(holed)
    assert model.plot(holed).chosen.tolist() == [i for i in range(80) if i != 3]
    assert not model.plot().ax_.collections


def test_refusals():
    """Three columns at once, or a weight too few."""
    one = MultivariateGaussian(np.zeros(3), np.eye(3))
    with pytest.raises(ValueError, match="1 Gaussians of 3 columns and 1 weights"):
        MixtureDisplay([1.0], [one])
    with pytest.raises(ValueError, match="1 Gaussians of 2 columns and 2 weights"):
        MixtureDisplay([0.5, 0.5], [one.marginal([0, 1])])
