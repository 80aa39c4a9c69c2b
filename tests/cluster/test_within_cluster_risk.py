"""within_cluster_risk: the risks of k-means, k-medoids and k-centers, by their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import aprendiz
from aprendiz import KMeans, within_cluster_risk

KINDS = ("k-means", "k-medoids", "k-centers")
RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3))
LABELS = RNG.integers(0, 4, 60)


def by_definition(X, labels, kind, weight=None, metric="euclidean"):
    """(1), (2), (3), one cluster after the other."""
    w, found = np.ones(len(X)) if weight is None else weight, []
    for cluster in set(labels.tolist()):
        rows, omega = X[labels == cluster], w[labels == cluster]
        if not omega.any():
            continue
        if kind == "k-means":
            mean = np.average(rows, axis=0, weights=omega)
            found.append((omega * ((rows - mean) ** 2).sum(axis=1)).sum())
            continue
        D = cdist(rows[omega > 0], rows[omega > 0], metric)
        found.append((D @ omega[omega > 0]).min() if kind == "k-medoids" else D.max(axis=1).min())
    return max(found) if kind == "k-centers" else sum(found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_definition(kind, weighted):
    """With weights, zeros among them."""
    weight = RNG.integers(0, 3, 60).astype(float) if weighted else None
    assert within_cluster_risk(X, LABELS, kind, sample_weight=weight) == pytest.approx(by_definition(X, LABELS, kind, weight))


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("metric", ["cityblock", "chebyshev"])
def test_metrics(kind, metric):
    """Other distances by name, and the same as a matrix."""
    expected = by_definition(X, LABELS, kind, metric=metric)
    assert within_cluster_risk(X, LABELS, kind, metric=metric) == pytest.approx(expected)
    D = cdist(X, X, metric)
    assert within_cluster_risk(D, LABELS, kind, metric="precomputed") == pytest.approx(expected)


def test_large_clusters():
    """A cluster of more rows than are held at a time."""
    table = RNG.normal(size=(700, 2))
    for kind in KINDS[1:]:
        assert within_cluster_risk(table, np.zeros(700), kind) == pytest.approx(by_definition(table, np.zeros(700), kind))


def test_inertia_is_the_risk():
    """G of the labels of k-means at rest is its inertia; J = G/n is its mean. Words are labels too."""
    model = KMeans(4, tol=0, random_state=0).fit(X)
    assert within_cluster_risk(X, model.labels_) == pytest.approx(model.inertia_, rel=1e-12)
    words = np.array(["ash", "birch", "cedar", "oak"])[model.labels_]
    assert within_cluster_risk(X, words) == within_cluster_risk(X, model.labels_)


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 3)), min_size=1, max_size=25))
def test_splitting(rows):
    """Splitting clusters never raises the risk of k-means, and at most doubles the others; one cluster a place has none."""
    table, labels = np.array([[x] for x, _ in rows], float), np.array([label for _, label in rows])
    for kind in KINDS:
        coarse = within_cluster_risk(table, np.zeros(len(rows)), kind)
        fine = within_cluster_risk(table, labels, kind)
        # the row next to the old centre is within twice the old distances of its part
        assert fine <= (1.0 if kind == "k-means" else 2.0) * coarse + 1e-9
        assert within_cluster_risk(table, table[:, 0], kind) == 0.0


def test_far_from_zero():
    """The squares are taken around the means: an offset of 1e8 costs half of the digits of a coordinate, no more."""
    assert within_cluster_risk(X + 1e8, LABELS) == pytest.approx(within_cluster_risk(X, LABELS), rel=1e-6)


def test_files(tmp_path):
    """Rows of a file have the risk of the same rows in memory."""
    np.savetxt(tmp_path / "t.csv", X, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    for kind in KINDS:
        risk = within_cluster_risk(aprendiz.rows(tmp_path / "t.csv"), LABELS, kind)
        assert risk == pytest.approx(within_cluster_risk(X, LABELS, kind), rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, LABELS[:5]), r"labels has shape \(5,\), X has 60 rows"),
        ((X, LABELS, "k-modes"), "kind must be"),
        ((X, np.where(np.arange(60) == 7, np.nan, 0.0)), "labels holds nan in row 7"),
    ],
)
def test_refusals(arguments, message):
    """What is wrong is named."""
    with pytest.raises(ValueError, match=message):
        within_cluster_risk(*arguments)


def test_bad_distances():
    """A matrix that is not symmetric is refused by the numbers of its rows; weights that are all zero too."""
    D = cdist(X, X)
    D[3, 9] += 1.0
    with pytest.raises(ValueError, match=r"3.*9|9.*3"):
        within_cluster_risk(D, LABELS, "k-medoids", metric="precomputed")
    for kind in KINDS:
        with pytest.raises(ValueError, match="weights are zero"):
            within_cluster_risk(X, LABELS, kind, sample_weight=np.zeros(60))
