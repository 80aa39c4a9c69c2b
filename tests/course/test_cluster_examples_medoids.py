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
