"""Pictures of hypothesis spaces: bars are the numbers, the largest are marked, small likelihoods and words are shown."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from pictures import assert_inside, texts

from aprendiz.bayes import HypothesisSpace
from aprendiz.datasets import load
from aprendiz.plots import HypothesesDisplay, hypotheses
from aprendiz.plots.shared.style import VERMILION

GAME = load("number_game")
SPACE = HypothesisSpace(GAME.sets, GAME.weights)
SEEN = [16, 8, 2, 64]


def bars(ax):
    return [patch.get_width() for patch in ax.patches]


def marked(ax):
    return [i for i, patch in enumerate(ax.patches) if to_rgba(patch.get_facecolor()) == to_rgba(VERMILION)]


def test_bars_are_the_numbers():
    """Prior, likelihood, posterior and predictive; ML and MAP are marked and named."""
    display = hypotheses(SPACE, SEEN)
    prior, likelihood, posterior, predictive = display.ax_
    names = list(GAME.sets)
    assert [label.get_text() for label in prior.get_yticklabels()] == names
    for ax, wanted in ((prior, SPACE.prior), (likelihood, SPACE.likelihood(SEEN)), (posterior, SPACE.posterior(SEEN))):
        assert bars(ax) == pytest.approx(list(wanted.values()), rel=1e-12)
    assert [marked(ax) for ax in display.ax_[:3]] == [[], [names.index("two without 32")], [names.index("two")]]
    assert likelihood.get_title(loc="left").endswith("largest: two without 32")
    assert posterior.get_title(loc="left") == "posterior\nlargest: two"
    assert likelihood.get_xlabel() == "marked: evidence 6.087e-05"
    assert likelihood.lines[0].get_xdata()[0] == pytest.approx(SPACE.evidence(SEEN), rel=1e-12)
    assert [p.get_height() for p in predictive.patches] == pytest.approx(list(SPACE.predictive(SEEN).values()), rel=1e-12)
    np.testing.assert_array_equal(predictive.lines[0].get_xdata(), SEEN)


def test_no_number_is_cut_off():
    """The numbers at the ends of the bars stay inside their axes."""
    display = hypotheses(SPACE, SEEN)
    display.figure_.canvas.draw()
    for ax in display.ax_[:3]:
        assert max(text.get_window_extent().x1 for text in ax.texts) <= ax.get_window_extent().x1 + 1


def test_likelihoods_too_small_for_a_number():
    """Parts of the largest are shown, and the logarithm of the evidence."""
    display = hypotheses(SPACE, [2, 4, 8] * 500)
    assert display.ax_[1].get_title(loc="left").startswith("likelihood / largest")
    assert max(bars(display.ax_[1])) == 1
    log_evidence = np.log(0.001 / 1.302) - 1500 * np.log(5)  # nothing is left of the others
    assert f"evidence, log {log_evidence:,.0f}" in display.ax_[1].get_xlabel().replace("\n", " ")
    assert display.ax_[1].lines[0].get_xdata()[0] == pytest.approx(0.001 / 1.302, rel=1e-9)


def test_words_and_many_hypotheses():
    """Words stand below their bars; of forty hypotheses the fifteen most probable are shown, and how many are not."""
    words = [f"word {k:02d}" for k in range(40)]
    space = HypothesisSpace({f"h{k}": set(words[k:]) for k in range(40)})
    display = HypothesesDisplay(space, [words[30]]).plot()
    assert display.shown == list(range(16, 31))
    assert all("not shown: 25" in ax.get_xlabel().replace("\n", " ") for ax in display.ax_[:3])
    shown = [label.get_text() for label in display.ax_[3].get_xticklabels()]
    assert shown == words[::4]
    assert_inside(display)
    assert min(text.get_fontsize() for text in texts(display)) >= 8


def test_long_names_stay_inside():
    space = HypothesisSpace({"a name of many letters, far too many for a picture $": {"x" * 40, "y"}, "b": {"y"}})
    assert_inside(hypotheses(space, ["y"]))


def test_bad_input():
    """As of the space itself."""
    with pytest.raises(ValueError, match="Example 0 is 200, which is not in the universe"):
        hypotheses(SPACE, [200])
    with pytest.raises(ValueError, match=r"4 axes are needed, ax holds 1"):
        hypotheses(SPACE, SEEN, ax=hypotheses(SPACE, SEEN).ax_[0])
