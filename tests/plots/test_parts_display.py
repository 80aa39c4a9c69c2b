"""Parts of a non-negative factorisation as pictures and as rows of shades."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from aprendiz import NMF
from aprendiz.plots import PartsDisplay

PARTS = np.abs(np.random.default_rng(0).normal(size=(5, 6)))


def test_pictures_stand_where_they_belong():
    """Each part is a block of pixels, divided by its largest entry, with a gap to the next."""
    display = PartsDisplay(PARTS, (2, 3)).plot()
    whole = display.ax_.images[0].get_array()
    across = (whole.shape[1] + 1) // 4
    for number, part in enumerate(PARTS):
        top, left = 3 * (number // across), 4 * (number % across)
        assert np.array_equal(whole[top : top + 2, left : left + 3], (part / part.max()).reshape(2, 3))
        assert whole.mask[top, left + 3 :][:1].all()


def test_a_table_shows_where_parts_differ():
    """The columns in which parts differ most, in their order, with their names; how many are left out."""
    wine = load_wine(as_frame=True).data
    model = NMF(3, random_state=0).fit(wine)
    display = model.plot()
    shades = model.components_ / model.components_.max(axis=1, keepdims=True)
    differ = np.ptp(shades, axis=0)
    kept = sorted(np.argsort(-differ)[:12])
    assert np.array_equal(display.ax_.images[0].get_array(), shades[:, kept])
    assert display.ax_.get_xlabel() == "1 column is not shown"
    assert display.ax_.get_xticklabels()[0].get_text() == wine.columns[kept[0]]
    assert PartsDisplay(PARTS).plot().ax_.get_xlabel() == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((PARTS[0],), "a row for each part"),
        ((-PARTS,), "at least 0"),
        ((PARTS, (2, 2)), "4 pixels, but parts has 6 columns"),
        ((PARTS, (0, 6)), "shape"),
        ((PARTS, None, ["a"]), "names"),
    ],
)
def test_refusals(given, words):
    """What is no table of parts."""
    with pytest.raises(ValueError, match=words):
        PartsDisplay(*given)
