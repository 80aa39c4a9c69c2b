"""Pictures of principal components: what the marks, bars and arrows say."""

import numpy as np
import pytest
from pictures import legend_of

from aprendiz import PCA, plots
from aprendiz.plots import BiplotDisplay, ExplainedVarianceDisplay

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 4)) @ RNG.normal(size=(4, 4))
WHOLE = PCA().fit(X)


def test_shares_and_their_sums():
    """Bars are the shares, the line their sums; τ is that of the model, and the mark is the number that it chose."""
    chosen = PCA(0.9).fit(X)
    shown = chosen.plot()
    np.testing.assert_allclose([bar.get_height() for bar in shown.ax_.patches], chosen.explained_variance_ratio_)
    np.testing.assert_allclose(shown.ax_.lines[0].get_ydata(), np.cumsum(chosen.explained_variance_ratio_))
    assert shown.enough == chosen.n_components_
    assert any("90" in line for line in legend_of(shown.ax_))


def test_in_one_call():
    """The same picture, with a share of one's own."""
    shown = plots.explained_variance(WHOLE, 0.8)
    assert (shown.share, shown.enough) == (0.8, PCA(0.8).fit(X).n_components_)
    assert any("80" in line for line in legend_of(shown.ax_))
    assert plots.explained_variance(WHOLE, ax=shown.ax_).ax_ is shown.ax_


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_fewest_that_reach_a_share(k):
    """A share that k components have exactly is reached by k, one above it by k + 1, as PCA chooses."""
    share = float(np.cumsum(WHOLE.explained_variance_ratio_)[k - 1])
    assert ExplainedVarianceDisplay(WHOLE, share=min(share, 1.0)).enough == k
    if k < 4:
        assert ExplainedVarianceDisplay(WHOLE, share=share + 1e-6).enough == k + 1 == PCA(share + 1e-6).fit(X).n_components_


def test_a_share_that_is_not_reached():
    """Said in the legend."""
    shown = ExplainedVarianceDisplay(PCA(1).fit(X), share=1.0).plot()
    assert shown.enough is None
    assert any("do not reach" in line for line in legend_of(shown.ax_))
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        ExplainedVarianceDisplay(WHOLE, share=90)


@pytest.mark.parametrize(("whiten", "scale"), [(False, False), (True, True)])
def test_rows_times_arrows_are_the_table(whiten, scale):
    """The product of rows and arrows is the table as far as the two components know it."""
    model = PCA(2, whiten=whiten, scale=scale).fit(X)
    shown = BiplotDisplay(model, X)
    back = (model.inverse_transform(model.transform(X)) - model.mean_) / (model.scale_ if scale else 1.0)
    np.testing.assert_allclose(shown.points @ shown.arrows.T, back, atol=1e-12)


def test_longest_arrows_and_other_components():
    """Only the longest arrows, with their names; components are counted from 1."""
    shown = BiplotDisplay(WHOLE, X, components=(3, 2), most=2).plot()
    lengths = np.hypot(*(WHOLE.components_[[2, 1]] * np.sqrt(WHOLE.explained_variance_[[2, 1], None])))
    assert set(shown.columns) == set(np.argsort(-lengths)[:2])
    assert {text.get_text() for text in shown.ax_.texts if text.get_text()} == {f"x{j}" for j in shown.columns}
    with pytest.raises(ValueError, match="two of the 4 components"):
        BiplotDisplay(WHOLE, X, components=(0, 1))


def test_names_do_not_lie_on_one_another():
    """Names of arrows that end at one height stand at least a line apart."""
    same = np.column_stack([X[:, 0]] * 5 + [X[:, 1]])
    shown = BiplotDisplay(PCA(2).fit(same), same).plot()
    heights = np.sort(
        [text.get_position()[1] for text in shown.ax_.texts if text.get_text() in "x0x1x2x3x4" and text.get_text()]
    )
    assert np.diff(heights).min() > 0.05
