"""Pictures of comparisons: marks, bars, cliques and corners are where the record says."""

import numpy as np
import pytest
from pictures import BY_FOLD, OVER_TABLES, RANKED, legend_of

from aprendiz.evaluation import compare, compare_over_tables
from aprendiz.plots import (
    CriticalDifferenceDisplay,
    DifferenceDisplay,
    DifferenceMatrixDisplay,
    PosteriorTriangleDisplay,
)

NAMES = ["one", "two", "three"]


def test_differences_and_intervals():
    """A mark at each estimate, a bar from end to end of its interval, a band for the rope; the legend says what is shown."""
    found = compare(BY_FOLD, test="bayesian_t", rope=0.015, control="one", n_test=20, n_train=180)
    ax = DifferenceDisplay(found).plot().ax_
    drawn = [line.get_xdata() for line in ax.lines]
    for pair in found.pairs:
        assert any(pair.estimate in x for x in drawn)
        assert any(np.array_equal(x, pair.interval) for x in drawn)
    assert [patch.get_x() for patch in ax.patches] == [-0.015]
    assert "practically the same: -0.015 to 0.015" in legend_of(ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one – two", "one – three"]
    with pytest.raises(ValueError, match="give n_test"):
        DifferenceDisplay(compare({"a": 1, "b": 2}, test="mcnemar"))


def test_endless_intervals_have_no_bar():
    """Three differences are too few for Wilcoxon's interval: the mark stands alone, and nothing is off the scale."""
    ax = DifferenceDisplay(compare({"a": [1.0, 2, 4], "b": np.zeros(3)}, test="wilcoxon")).plot().ax_
    assert np.isfinite(ax.get_xlim()).all()
    assert len(ax.lines) == 2  # zero, and the mark


def test_critical_difference():
    """Ranks at the top, best first; a bar from end to end of each clique; a bracket as long as the critical difference."""
    display = CriticalDifferenceDisplay(RANKED).plot()
    ax = display.ax_
    order = np.argsort(RANKED.ranks)
    assert [label.get_text().split()[0] for label in ax.get_yticklabels()] == [NAMES[j] for j in order]
    bars = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 4]
    assert len(bars) == len(RANKED.cliques) == 1
    ranks = sorted(RANKED.ranks[NAMES.index(name)] for name in RANKED.cliques[0])
    np.testing.assert_allclose(bars[0], [ranks[0] - 0.04, ranks[-1] + 0.04])
    (bracket,) = (line.get_xdata() for line in ax.lines if line.get_marker() == "|")
    assert np.ptp(bracket) == pytest.approx(RANKED.critical_difference)
    assert f"{RANKED.critical_difference:.2f}" in ax.get_title(loc="left")
    with pytest.raises(ValueError, match="no mean ranks"):
        CriticalDifferenceDisplay(compare(BY_FOLD, test="paired_t"))


def test_a_control_has_one_bar():
    """Against a control, the bar joins it with those not told from it; without a critical difference there is no bracket."""
    found = compare_over_tables(OVER_TABLES, names=NAMES, control="two", posthoc="holm", level=0.01)
    ax = CriticalDifferenceDisplay(found).plot().ax_
    assert [pair.significant for pair in found.pairs] == [False, True]
    (bar,) = (line.get_xdata() for line in ax.lines if line.get_linewidth() == 4)
    assert np.ptp(bar) == pytest.approx(abs(found.ranks[0] - found.ranks[1]) + 0.08)
    assert not [line for line in ax.lines if line.get_marker() == "|"]
    assert ax.get_title(loc="left") == "mean ranks (Holm)"


def test_matrix():
    """Row minus column, the best first; white where no difference is shown."""
    found = compare(BY_FOLD, test="paired_t", metric="accuracy")
    display = DifferenceMatrixDisplay(found).plot()
    assert display.names == [one.name for one in found]
    i, j = display.names.index("one"), display.names.index("three")
    assert display.differences[i, j] == found.pair("one", "three").estimate == -display.differences[j, i]
    white = (display.colours() == 1).all(axis=2)
    np.testing.assert_array_equal(white, ~display.shown)
    blue, red = display.colours()[i, j], display.colours()[j, i]
    assert blue[2] > blue[0]
    assert red[0] > red[2]
    with pytest.raises(ValueError, match="no pairs"):
        DifferenceMatrixDisplay(compare({n: BY_FOLD[n] for n in NAMES[:2]}, test="sign"))


def test_triangle():
    """Sure draws lie in the corners, and the share of the draws nearest to each corner is the posterior."""
    found = compare_over_tables(OVER_TABLES[:, :2], names=NAMES[:2], test="bayesian_signed_rank", rope=0.01)
    display = PosteriorTriangleDisplay(found).plot()
    corners = np.array([[0, 0], [0.5, np.sqrt(3) / 2], [1, 0]])
    nearest = np.argmin(((display.points[:, None] - corners) ** 2).sum(axis=2), axis=1)
    np.testing.assert_allclose(np.bincount(nearest, minlength=3) / len(nearest), found.posterior, atol=1e-9)
    words = " ".join(text.get_text() for text in display.ax_.texts)
    assert f"one better: {found.posterior.better:.3f}" in words
    with pytest.raises(ValueError, match="no draws"):
        PosteriorTriangleDisplay(RANKED)


def test_records_choose_their_picture():
    """Mean ranks, draws, all pairs, one pair: each has its Display."""
    two = {name: BY_FOLD[name] for name in NAMES[:2]}
    assert isinstance(RANKED.plot(), CriticalDifferenceDisplay)
    assert isinstance(compare_over_tables(OVER_TABLES, test="bayesian_signed_rank", rope=0.01).plot(), DifferenceMatrixDisplay)
    assert isinstance(compare(BY_FOLD, test="sign").plot(), DifferenceMatrixDisplay)
    assert isinstance(compare(two, test="sign").plot(), DifferenceDisplay)
