"""The picture of evidence: each outline is the evidence of its model, and the best one for what was seen is named."""

from itertools import product
from math import comb

import numpy as np
import pytest
from pictures import assert_inside, legend_of

from aprendiz.bayes import HypothesisSpace
from aprendiz.plots import EvidenceDisplay


def coins(*chances):
    """Hypotheses about the number of heads in 10 throws."""
    return HypothesisSpace({p: {k: comb(10, k) * p**k * (1 - p) ** (10 - k) for k in range(11)} for p in chances})


MODELS = {"simple": coins(0.5), "right": coins(0.6, 0.7, 0.8, 0.9), "complex": coins(*np.arange(1, 20) / 20)}


def test_outlines_are_the_evidence():
    """Over all data sets each of them sums to one; neither the simplest nor the most complex model is the best for 8 heads."""
    display = EvidenceDisplay(MODELS, observed=8).plot()
    for line, (name, space) in zip(display.ax_.lines, MODELS.items(), strict=False):
        wanted = [space.evidence([k]) for k in range(11)]
        np.testing.assert_allclose(display.evidence[name], wanted, rtol=1e-14)
        np.testing.assert_allclose(line.get_ydata()[1:-1], wanted, rtol=1e-14)
        assert sum(wanted) == pytest.approx(1, rel=1e-12)
    assert display.ax_.get_title(loc="left") == "most evidence for D = 8: right"
    assert legend_of(display.ax_)[0] == "simple: 0.0439"  # 45/1024
    assert display.ax_.lines[3].get_xdata()[0] == 8


def test_data_sets_of_several_examples():
    """Under their labels, in their order."""
    sets = {"narrow": HypothesisSpace({"ab": {"a", "b"}}, universe="abc"), "wide": HypothesisSpace({"abc": set("abc")})}
    datasets = {"".join(data): data for data in product("abc", repeat=2)}
    display = EvidenceDisplay(sets, datasets).plot()
    assert display.evidence["narrow"] == pytest.approx([0.25 * ("c" not in label) for label in datasets])
    assert display.evidence["wide"] == pytest.approx([1 / 9] * 9)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == list(datasets)
    assert legend_of(display.ax_) == ["narrow", "wide"]
    assert display.ax_.get_title(loc="left") == ""


def test_numbers_are_drawn_in_their_order():
    """Whatever the order in which they are given."""
    display = EvidenceDisplay({"one": coins(0.3)}, {k: [k] for k in (4, 1, 9)}).plot()
    line = display.ax_.lines[0]
    np.testing.assert_array_equal(line.get_xdata()[1:-1], [1, 4, 9])
    np.testing.assert_allclose(line.get_ydata()[1:-1], [coins(0.3).evidence([k]) for k in (1, 4, 9)])


def test_long_names_stay_inside():
    long = "a model whose name is long enough to need two lines, or even three"
    assert_inside(EvidenceDisplay({long: coins(0.5), long + "!": coins(0.6)}, observed=3).plot())


def test_bad_input():
    """The refusal names what is missing."""
    with pytest.raises(ValueError, match="There is no model to draw"):
        EvidenceDisplay({})
    with pytest.raises(ValueError, match="observed = 12 is not among the data sets"):
        EvidenceDisplay(MODELS, observed=12)
    with pytest.raises(ValueError, match="Example 0 is 'x', which is not in the universe"):
        EvidenceDisplay(MODELS, {"x": "x"})
