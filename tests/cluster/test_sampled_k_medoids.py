"""SampledKMedoids: the best of a few samples, by the cost of all rows."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from aprendiz import KMedoids, SampledKMedoids

RNG = np.random.default_rng(8)
X = np.concatenate([RNG.normal(size=(3000, 2)) + centre for centre in ((0, 0), (7, 0), (0, 9), (8, 8))])
FEW = {"n_draws": 3, "sample_size": 150, "random_state": 0}


def cost_of(centers, weight=None):
    near = cdist(X, centers).min(axis=1)
    return float(near.sum() if weight is None else near @ weight)


@pytest.mark.parametrize("weight", [None, RNG.integers(0, 3, len(X)).astype(float)], ids=["plain", "weighted"])
def test_the_cost_is_that_of_all_rows(weight):
    """J, medoids and labels are those of the whole table, and the certificate compares the draws."""
    model = SampledKMedoids(4, **FEW).fit(X, sample_weight=weight)
    assert model.inertia_ == pytest.approx(cost_of(model.cluster_centers_, weight))
    assert np.array_equal(X[model.medoid_indices_], model.cluster_centers_)
    assert np.array_equal(model.labels_, cdist(X, model.cluster_centers_).argmin(axis=1))
    assert weight is None or (weight[model.medoid_indices_] > 0).all()
    found = model.certificate_
    assert found.holds
    assert len(found.log) == 3
    assert found.log.min() == model.inertia_
    assert found.mean == pytest.approx(model.inertia_ / (len(X) if weight is None else weight.sum()))
    assert 150 <= found.sample_rows <= 300


def test_close_to_all_distances():
    """Within 3 % of k-medoids of a third of the table, at a hundredth of its distances."""
    sampled = SampledKMedoids(4, **FEW).fit(X)
    assert sampled.inertia_ <= 1.03 * cost_of(KMedoids(4).fit(X[::3]).cluster_centers_)


def test_a_sample_that_holds_all_rows():
    """One draw is enough, and the medoids are those of KMedoids."""
    model, whole = SampledKMedoids(4, random_state=0).fit(X[::12]), KMedoids(4).fit(X[::12])
    assert model.n_iter_ == 1
    assert np.array_equal(model.medoid_indices_, whole.medoid_indices_)
    assert model.inertia_ == pytest.approx(whole.inertia_)
    assert np.array_equal(model.labels_, whole.labels_)


def test_more_draws_are_never_worse():
    """The states go on where they were: each draw keeps the best so far."""
    states = list(SampledKMedoids(6, n_draws=6, sample_size=60, random_state=1).steps(X))
    costs = [state.objective for state in states]
    assert len(states) == 6
    assert costs == sorted(costs, reverse=True)
    assert costs == np.minimum.accumulate(states[-1].log).tolist()
    assert len(set(states[-1].log)) == 6


def test_other_metrics():
    """A metric by name or a function; those that depend on all rows, or have none, are refused with a remedy."""
    model = SampledKMedoids(3, metric="manhattan", **FEW).fit(X)
    assert model.inertia_ == pytest.approx(cdist(X, model.cluster_centers_, "cityblock").min(axis=1).sum())
    V = np.cov(X, rowvar=False)
    assert SampledKMedoids(3, metric="mahalanobis", metric_params={"V": V}, **FEW).fit(X).n_iter_ == 3
    with pytest.raises(ValueError, match="give metric_params with V"):
        SampledKMedoids(metric="mahalanobis").fit(X)
    with pytest.raises(ValueError, match="metric='precomputed' has no samples of rows: use KMedoids"):
        SampledKMedoids(metric="precomputed").fit(X)


def test_samples_that_are_too_small():
    with pytest.raises(ValueError, match="ask for a larger sample_size"):
        SampledKMedoids(50, sample_size=10, random_state=0).fit(X)
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=8"):
        SampledKMedoids().fit(X[:3])


def test_a_sample_without_rows():
    """A draw that takes no row at all says so in its own words."""
    refused = set()
    for seed in range(40):
        try:
            SampledKMedoids(2, sample_size=1, n_draws=4, random_state=seed).fit(np.arange(12.0)[:, None])
        except ValueError as error:
            refused.add(str(error).split(",")[0])
    assert refused == {"A sample holds 0 rows of positive weight", "A sample holds 1 rows of positive weight"}
