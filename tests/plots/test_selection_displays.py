"""Pictures of selections: rankings with the line of the false discovery rate, numbers of columns, stability, folds, bias."""

import numpy as np
import pytest
from pictures import FITTED, RISING, STRENGTHS, WIDE, X

from aprendiz import LinearDiscriminantAnalysis
from aprendiz.plots import (
    ChosenColumnsDisplay,
    RankingDisplay,
    RelevanceDisplay,
    SelectionBiasDisplay,
    StabilityPathsDisplay,
    SubsetSizeDisplay,
)
from aprendiz.selection import SelectKBest, SequentialSelection, VariableRanking


def test_ranking():
    """Bars from the best on, kept ones blue; the last p-value below the line is that of the last column that is kept."""
    display = RankingDisplay.from_estimator(FITTED.ranked, most=8)
    bars, p = display.ax_
    order = np.argsort(-FITTED.ranked.scores_)[:8]
    np.testing.assert_array_equal([bar.get_width() for bar in bars.patches], FITTED.ranked.scores_[order])
    colours = [bar.get_facecolor() for bar in bars.patches]
    assert len({colours[k] for k in range(8) if FITTED.ranked.support_[order[k]]}) == 1
    places, line = p.lines[1].get_data()
    np.testing.assert_allclose(line, -np.log10(0.05 * places / WIDE.shape[1]))
    kept = FITTED.ranked.support_.sum()
    assert f": {kept} above" in p.get_legend().get_texts()[1].get_text().replace("\n", " ")


def test_ranking_without_p_values():
    """One panel, and a threshold where there is one."""
    y = np.arange(60) % 2
    display = RankingDisplay.from_estimator(VariableRanking("correlation", keep=("threshold", 0.01)).fit(X, y))
    assert display.threshold == 0.01
    assert RankingDisplay([3.0, np.nan, 1.0]).plot().ax_.get_xlabel().startswith("score")


def test_number_of_columns():
    """Means over folds with standard errors, and the chosen number."""
    display = SubsetSizeDisplay.from_estimator(FITTED.fewer)
    np.testing.assert_allclose(display.scores, FITTED.fewer.cv_results_["mean_test_score"])
    assert display.chosen == FITTED.fewer.n_features_
    search = SequentialSelection(LinearDiscriminantAnalysis(), n_features_to_select=2, cv=3).fit(X, np.arange(60) % 3)
    display = SubsetSizeDisplay.from_estimator(search)
    assert display.chosen == 2
    assert display.sizes.tolist() == np.flatnonzero(np.isfinite(search.scores_)).tolist()


def test_stability_paths():
    """Names for the columns that are above the threshold, and a line for each column."""
    display = StabilityPathsDisplay(STRENGTHS, RISING, threshold=0.6).plot()
    assert len(display.lines_) == 5
    assert set(display.stable()) == set(np.flatnonzero(RISING.max(axis=1) >= 0.6))
    assert display.ax_.get_xlim() == (1.0, pytest.approx(0.01))


def test_chosen_columns():
    """Shares of the folds, the most frequent first."""
    display = ChosenColumnsDisplay({"b": 1, "a": 4}, 4).plot(most=1)
    assert [bar.get_width() for bar in display.ax_.patches] == [1.0]
    assert "1 column more was chosen" in display.ax_.get_xlabel().replace("\n", " ")


def test_selection_bias():
    """Both errors, as many circles as permutations for each."""
    found = FITTED.trap
    ax = SelectionBiasDisplay(found).plot().ax_
    circles = [line for line in ax.lines if len(line.get_xdata()) == 5]
    assert sorted(np.concatenate([line.get_xdata() for line in circles])) == sorted([*found.null, *found.null_outside])
    assert found.plot().ax_ is not ax


def test_relevance():
    """A mark for each column of a kind."""
    display = RelevanceDisplay(FITTED.known).plot()
    assert f"relevant ({len(FITTED.known.relevant)})" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_bad_input():
    with pytest.raises(ValueError, match="No column was chosen"):
        ChosenColumnsDisplay({}, 3)
    with pytest.raises(ValueError, match="chosen 4 times, in 3 folds"):
        ChosenColumnsDisplay({"a": 4}, 3)
    with pytest.raises(ValueError, match="scores has shape"):
        RankingDisplay([np.nan, np.nan])
    with pytest.raises(ValueError, match=r"level = 2 must be between 0 and 1"):
        RankingDisplay([1.0], level=2)
    with pytest.raises(ValueError, match="frequencies has shape"):
        StabilityPathsDisplay([1.0], [[0.1, 0.2]])
    with pytest.raises(ValueError, match="shares of samples"):
        StabilityPathsDisplay([1.0], [[2.0]])
    with pytest.raises(ValueError, match="must be above 0"):
        StabilityPathsDisplay([0.0], [[0.5]])
    with pytest.raises(ValueError, match="scores has shape"):
        SubsetSizeDisplay([1, 2], [0.5])
    with pytest.raises(TypeError, match="has no score for each number of columns"):
        SubsetSizeDisplay.from_estimator(SelectKBest(k=2).fit(X, np.arange(60) % 2))
