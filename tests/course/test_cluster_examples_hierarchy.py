"""Worked examples of the course about hierarchies: the part of D-22 on complete linkage."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from aprendiz import AgglomerativeClustering
from aprendiz.cluster.linkage.merges import Leaves


@given(st.integers(0, 10_000), st.integers(2, 25), st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_heights_of_complete_linkage_are_diameters(seed, n, d):
    """D-22: the height of a merge is the largest distance of two rows of the cluster that it makes."""
    X = np.random.default_rng(seed).standard_normal((n, d))
    model, D = AgglomerativeClustering(1, linkage="complete").fit(X), squareform(pdist(X))
    leaves = Leaves.of(model.linkage_)
    for i, height in enumerate(model.distances_):
        members = leaves.of_cluster(n + i)
        np.testing.assert_allclose(height, D[np.ix_(members, members)].max(), rtol=1e-12)
