"""Worked example D-17: nine points on a line, two medoids."""

from itertools import combinations

import numpy as np
import pytest

from aprendiz import KMedoids

POINTS = np.array([-7, -5.4, -1.3, 1, 1.3, 3.6, 6.4, 9.5, 13])[:, None]


def test_alternate_stops_early():
    """From (−7, 13) the alternating method stops at (−1.3, 6.4) with cost 27.2, where a swap would still help."""
    model = KMedoids(2, method="alternate", init=[0, 8]).fit(POINTS)
    assert model.cluster_centers_.ravel().tolist() == [-1.3, 6.4]
    assert model.inertia_ == pytest.approx(27.2)
    assert model.certificate_.change < 0


def test_build_and_swap_reach_the_optimum():
    """BUILD has the cost 26.8, SWAP 26.2, the smallest of all 36 pairs."""
    costs = [state.objective for state in KMedoids(2).steps(POINTS)]
    assert costs[0] == pytest.approx(26.8)
    assert costs[-1] == pytest.approx(26.2)
    best = min(np.abs(POINTS - POINTS[list(pair), 0]).min(axis=1).sum() for pair in combinations(range(9), 2))
    assert costs[-1] == pytest.approx(best)


def test_alternate_from_a_given_partition():
    """The algorithm as the course writes it: from a partition, here that of the medoids −7 and 13."""
    model = KMedoids(2, method="alternate", init=[0, 0, 0, 0, 0, 1, 1, 1, 1]).fit(POINTS)
    np.testing.assert_allclose(np.sort(model.cluster_centers_.ravel()), [-1.3, 6.4])
    assert model.inertia_ == pytest.approx(27.2, abs=1e-12)
    assert model.certificate_.log[0] <= KMedoids(2, method="alternate", init=[0, 8]).fit(POINTS).certificate_.log[0]
    assert KMedoids(2, init=[0, 0, 0, 0, 0, 1, 1, 1, 1]).fit(POINTS).inertia_ == pytest.approx(26.2, abs=1e-12)
    for init, words in [
        ([0] * 9, "init puts no row in cluster 1"),
        ([0] * 8 + [2], "init puts row 8 in cluster 2"),
        ([0.5] * 9, "init must hold the number of the cluster of each row"),
    ]:
        with pytest.raises(ValueError, match=words):
            KMedoids(2, init=init).fit(POINTS)
