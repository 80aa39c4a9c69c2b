"""KCenters and the farthest-first traversal: the lemma of the radii, and the factor 2, against brute force."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from aprendiz import KCenters
from aprendiz.cluster.medoids import farthest_first as module
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.farthest_first import farthest_first

RNG = np.random.default_rng(5)
X = RNG.normal(size=(200, 3))
D = cdist(X, X)


def plain_traversal(D, first, points):
    """The traversal as it is written down."""
    order, radii = [first], []
    for _ in range(points):
        least = D[:, order].min(axis=1)
        least[order] = -1.0
        farthest = int(np.argmax(least))
        radii.append(max(least[farthest], 0.0))
        order.append(farthest)
    return order[:points], radii


def small_problem(seed):
    """A few rows, some of them equal, and their distances."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (int(rng.integers(3, 9)), 2)) / 2.0 if seed % 2 else rng.normal(size=(8, 2))
    return rows, cdist(rows, rows)


@pytest.mark.parametrize("block", [2**14, 7], ids=["one block", "many blocks"])
def test_the_traversal(block, monkeypatch):
    """Points, radii, parents and nearest points are those of the definition."""
    monkeypatch.setattr(module, "BLOCK", block)
    found = farthest_first(Dissimilarities.of(X), 17, 50)
    order, radii = plain_traversal(D, 17, 50)
    assert found.order.tolist() == order
    np.testing.assert_allclose(found.radii, radii, rtol=1e-13)
    assert np.array_equal(found.near, D[:, order].argmin(axis=1))
    for place in range(1, 50):
        before = D[order[place], order[:place]]
        assert found.parents[place] == before.argmin()
        assert found.lengths[place] == pytest.approx(before.min())


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_the_lemma(seed):
    """R₂ ≥ R₃ ≥ … ≥ R_{k+1}, and the radius of the first k points is R_{k+1}, for every k."""
    rows, distances = small_problem(seed)
    found = farthest_first(Dissimilarities.of(rows), seed % len(rows), len(rows))
    assert (np.diff(found.radii) <= 0).all()
    for k in range(1, len(rows) + 1):
        assert distances[:, found.order[:k]].min(axis=1).max() == pytest.approx(found.radii[k - 1], abs=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_at_most_twice_the_optimum(seed, k):
    """Between the best radius and twice the best, which lies above the lower bound of the certificate."""
    rows, distances = small_problem(seed)
    if len(np.unique(rows, axis=0)) < k:
        return
    best = min(distances[:, list(chosen)].min(axis=1).max() for chosen in combinations(range(len(rows)), k))
    model = KCenters(k, first=seed % len(rows)).fit(rows)
    assert best - 1e-12 <= model.radius_ <= 2 * best + 1e-12
    assert model.certificate_.lower_bound <= best + 1e-12
    assert model.certificate_.holds


def test_what_it_says():
    """Labels, predictions, transform and score follow from the distances to the centres."""
    model = KCenters(6, random_state=1).fit(X)
    np.testing.assert_allclose(model.transform(X), D[:, model.center_indices_], rtol=1e-13)
    assert np.array_equal(model.labels_, model.transform(X).argmin(axis=1))
    assert np.array_equal(model.predict(X), model.labels_)
    assert model.score(X) == -model.radius_
    assert model.radius_ == model.radii_[-1]
    assert np.array_equal(model.cluster_centers_, X[model.center_indices_])


def test_precomputed_is_the_same():
    """Distances given and distances computed lead to the same centres."""
    given_, computed = KCenters(5, first=3, metric="precomputed").fit(D), KCenters(5, first=3).fit(X)
    assert np.array_equal(given_.center_indices_, computed.center_indices_)
    assert np.array_equal(given_.predict(D[:9]), computed.predict(X[:9]))
    assert given_.cluster_centers_ is None


def test_rows_without_weight_are_no_rows():
    """They are neither centres nor counted in the radius, but have a label."""
    weight = (np.arange(200) % 3 > 0).astype(float)
    model = KCenters(4, first=1).fit(X, sample_weight=weight)
    rest = KCenters(4, first=0).fit(X[weight > 0])
    assert np.array_equal(model.cluster_centers_, rest.cluster_centers_)
    assert model.radius_ == rest.radius_
    assert np.array_equal(model.labels_[weight > 0], rest.labels_)
    assert np.array_equal(model.labels_, model.predict(X))
    with pytest.raises(ValueError, match="first is row 0, whose weight is 0"):
        KCenters(4, first=0).fit(X, sample_weight=weight)


def test_a_broken_triangle_is_named():
    """Squares of distances: the triple is in the warning, and the certificate does not hold."""
    with pytest.warns(UserWarning, match=r"triangle inequality: d\(row 0, row 2\) = 4 exceeds .* = 1 \+ 1\."):
        model = KCenters(1, first=0, metric="sqeuclidean").fit([[0.0], [1.0], [2.0]])
    assert not model.certificate_.holds
    bent = D.copy()
    bent[3, 9] = bent[9, 3] = 100.0
    with pytest.warns(UserWarning, match=r"triangle inequality: d\(row (3|9), row (3|9)\) = 100 exceeds"):
        assert not KCenters(4, first=3, metric="precomputed").fit(bent).certificate_.holds


def test_words_and_missing_cells():
    """Gower's distance takes a frame with words, and new rows in its form."""
    frame = pd.DataFrame({"colour": ["red", "red", "green", "blue", "blue"], "size": [1.0, 1.2, 3.1, 5.0, 5.2]})
    model = KCenters(2, metric="gower", first=0).fit(frame)
    assert model.labels_[0] == model.labels_[1] != model.labels_[3] == model.labels_[4]
    assert np.array_equal(model.predict(frame), model.labels_)
    assert model.certificate_.holds


def test_fewer_distinct_rows_than_clusters():
    """The radius is 0, the rows are different, and it is said that places repeat."""
    with pytest.warns(ConvergenceWarning, match="only 2 distinct rows for 4 clusters"):
        model = KCenters(4, first=0).fit(np.repeat([[0.0], [1.0]], 3, axis=0))
    assert model.radius_ == 0
    assert len(set(model.center_indices_)) == 4
    assert KCenters(2, first=0).fit(np.repeat([[0.0], [1.0]], 3, axis=0)).radius_ == 0


def test_too_many_clusters_and_rows_that_are_not_there():
    with pytest.raises(ValueError, match="n_samples=200 should be >= n_clusters=201"):
        KCenters(201).fit(X)
    with pytest.raises(ValueError, match="must be one of the rows 0 to 199"):
        KCenters(2, first=200).fit(X)


def test_equally_far_rows_in_different_blocks(monkeypatch):
    """Of equally far rows the first is chosen, whichever block each of them stands in."""
    monkeypatch.setattr(module, "BLOCK", 4)
    rows = np.zeros((12, 1))
    rows[[3, 6, 11], 0] = 1.0, -1.0, 1.0
    assert farthest_first(Dissimilarities.of(rows), 0, 3).order.tolist() == [0, 3, 6]
