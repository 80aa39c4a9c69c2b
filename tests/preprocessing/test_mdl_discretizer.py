"""MDLDiscretizer: cuts against a search over all of them, published cuts, ties, holes and weights."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

import aprendiz
from aprendiz import CategoricalNB, MDLDiscretizer
from aprendiz.datasets import load


def entropy(y):
    share = np.unique(y, return_counts=True)[1] / len(y)
    return -float(share @ np.log2(share))


def cuts_by_search(x, y):
    """(1) and (2) of binning/entropy_cuts.py, each cut looked at by itself."""
    values, found = np.unique(x), []
    for low, high in pairwise(values):
        if len(np.unique(y[(x == low) | (x == high)])) > 1:
            left, right = y[x <= low], y[x >= high]
            found.append((len(left) * entropy(left) + len(right) * entropy(right), (low + high) / 2, left, right))
    bits = len(y) * entropy(y)
    tie = 1e-12 * len(y) * np.log2(len(y) + 1)
    found = [one for one in found if one[0] < bits - tie]
    if not found:
        return []
    least = min(one[0] for one in found)
    after, cut, left, right = next(one for one in found if one[0] <= least + tie)
    k, own, other = (len(np.unique(part)) for part in (y, left, right))
    cost = np.log2(max(len(y) - 1, 1)) + np.log2(3.0**k - 2) - k * entropy(y) + own * entropy(left) + other * entropy(right)
    if bits - after <= cost:
        return []
    below = x < cut
    return [*cuts_by_search(x[below], y[below]), cut, *cuts_by_search(x[~below], y[~below])]


@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(2, 4), st.sampled_from([0, 1, 9]))
def test_every_cut_is_looked_at(seed, n, classes, digits):
    """The cuts are those of a search over all places, with many equal values, few, and none."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=n) * 2, digits)
    y = (np.floor(x * rng.integers(0, 3)) + rng.integers(0, 2, n) * rng.integers(0, 2)).astype(int) % classes
    found = MDLDiscretizer().fit(x[:, None], y)
    np.testing.assert_allclose(found.cuts_[0], cuts_by_search(x, y), rtol=1e-14)


def test_published_cuts_of_iris():
    """The cuts that the package `discretization` of R prints for iris."""
    X, y = load("iris", return_X_y=True)
    model = MDLDiscretizer().fit(X, y)
    published = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for cuts, expected in zip(model.cuts_, published, strict=True):
        np.testing.assert_allclose(cuts, expected, rtol=1e-12)
    assert model.n_bins_.tolist() == [3, 3, 3, 3]
    assert model.certificate_.holds


def test_gain_is_the_mutual_information_of_bins_and_class():
    X, y = load("iris", return_X_y=True)
    model = MDLDiscretizer().fit(X, y)
    for j, bins in enumerate(model.transform(X).T):
        left = sum((bins == b).mean() * entropy(y[bins == b]) for b in np.unique(bins))
        assert model.gain_[j] == pytest.approx(entropy(y) - left, rel=1e-12)


def test_cells_up_to_a_cut_are_on_its_left():
    """Neighbouring doubles are told apart, and the cut itself belongs to the left bin."""
    low = 1.0
    x = np.array([low, np.nextafter(low, 2)]).repeat(30)
    model = MDLDiscretizer().fit(x[:, None], np.arange(60) // 30)
    assert model.cuts_[0].tolist() == [low]
    assert model.transform(np.array([[0.0], [low], [np.nextafter(low, 2)], [np.nan]])).ravel()[:3].tolist() == [0, 0, 1]


def test_equal_values_are_never_separated():
    """A column of one value has one bin, whatever the classes."""
    model = MDLDiscretizer().fit(np.full((40, 1), 0.1), np.arange(40) // 20)
    assert model.n_bins_.tolist() == [1]
    assert not model.transform(np.array([[-1.0], [0.1], [7.0]])).any()


def test_missing_cells():
    """They say nothing about the cuts and stay missing; a column without known cells has one bin."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    x = y + rng.normal(size=200) / 4
    holes = rng.random(200) < 0.3
    X = np.column_stack([np.where(holes, np.nan, x), np.full(200, np.nan)])
    model = MDLDiscretizer().fit(X, y)
    alone = MDLDiscretizer().fit(x[~holes][:, None], y[~holes])
    np.testing.assert_array_equal(model.cuts_[0], alone.cuts_[0])
    assert model.n_bins_.tolist() == [2, 1]
    np.testing.assert_array_equal(np.isnan(model.transform(X)), np.isnan(X))


def test_weights_count_rows():
    """Weight 3 is the row three times, weight 0 no row; weights that sum to less than a row are refused."""
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=60), rng.integers(0, 4, 60).astype(float)
    y = (x + rng.normal(size=60) / 2 > 0).astype(int)
    model = MDLDiscretizer().fit(x[:, None], y, w)
    rows = np.repeat(np.arange(60), w.astype(int))
    np.testing.assert_array_equal(model.cuts_[0], MDLDiscretizer().fit(x[rows, None], y[rows]).cuts_[0])
    assert len(model.cuts_[0])
    with pytest.raises(ValueError, match=r"sample_weight sums to .*: for cuts weights count rows"):
        MDLDiscretizer().fit(x[:, None], y, w / w.sum())


def test_a_step_of_a_pipeline():
    """The cuts belong to the rows of the fit: bins of new rows are codes for naive Bayes."""
    X, y = load("iris", return_X_y=True)
    model = make_pipeline(MDLDiscretizer(), CategoricalNB()).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9


def test_files_and_memory(tmp_path, monkeypatch):
    """Several blocks, a file and an array give the same cuts, bit by bit."""
    import pandas as pd

    rng = np.random.default_rng(2)
    X = np.round(rng.normal(size=(400, 2)), 2)
    y = np.where(X[:, 0] + rng.normal(size=400) > 0, "b", "a")
    whole = MDLDiscretizer().fit(X, y)
    monkeypatch.setattr("aprendiz.core.rows.MOST_ROWS", 64)
    monkeypatch.setattr("aprendiz.core.rows.FEWEST_ROWS", 64)
    pd.DataFrame({"p": X[:, 0], "q": X[:, 1], "y": y}).to_parquet(tmp_path / "t.parquet")
    for model in (MDLDiscretizer().fit(X, y), MDLDiscretizer().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))):
        for a, b in zip(model.cuts_, whole.cuts_, strict=True):
            np.testing.assert_array_equal(a, b)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="requires y"):
        MDLDiscretizer().fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match=r"row 1, column 0|infinit"):
        MDLDiscretizer().fit([[1.0], [np.inf]], [0, 1])
