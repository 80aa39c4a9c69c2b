"""Worked examples of the course about graphs: D-06, D-21 and D-22."""

from itertools import product

import numpy as np
import pytest

from aprendiz import SpectralClustering
from aprendiz.cluster import graph

POINTS = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]])


def best_ncut(W):
    """The two groups with the smallest NCut, all of them tried; the group of the first vertex."""
    sides = [np.array((0, *rest)) for rest in product((0, 1), repeat=len(W) - 1) if any(rest)]
    side = min(sides, key=lambda labels: graph.ncut(W, labels))
    return set(POINTS[side == 0, 0])


def test_distances_are_no_similarities():
    """D-21: with distances as weights the best cut of the 3-NN graph joins 0, 0.1 and 10; with similarities, 0, 0.1 and 0.2."""
    joined = graph.k_nearest_graph(POINTS, 3).toarray()
    distances = np.abs(POINTS - POINTS.T)
    assert best_ncut(joined * distances) == {0.0, 0.1, 10.0}
    similar = graph.k_nearest_graph(POINTS, 3, sigma=1.0).toarray()
    np.testing.assert_allclose(similar, joined * np.exp(-(distances**2) / 2))
    assert best_ncut(similar) == {0.0, 0.1, 0.2}


def test_the_relaxation_finds_it():
    """D-21: spectral clustering of the similarities finds the best cut, by the sign as by k-means."""
    W = graph.k_nearest_graph(POINTS, 3, sigma=1.0)
    for rounding in ("sign", "kmeans", "discretize", "cluster_qr"):
        model = SpectralClustering(2, affinity="precomputed", assign_labels=rounding, random_state=0).fit(W)
        assert (model.labels_ == model.labels_[0]).tolist() == [True] * 3 + [False] * 3
        assert model.certificate_.cost == pytest.approx(graph.ncut(W, model.labels_), rel=1e-9, abs=1e-15)


def test_ncut_and_the_stationary_walk():
    """D-06: NCut without the ½ is P(Ā|A) + P(A|Ā)."""
    W = graph.gaussian_graph(POINTS, 5.0)
    A = np.array([True, True, False, True, False, False])
    found = graph.walk(W)
    flow = found.stationary[:, None] * found.transition.toarray()
    chance = flow[A][:, ~A].sum() / found.stationary[A].sum() + flow[~A][:, A].sum() / found.stationary[~A].sum()
    assert graph.ncut(W, A) == pytest.approx(chance, rel=1e-12)


def test_eigenvalue_and_ratio_cut_of_a_given_group():
    """D-22: uᵀLu = |V|·RatioCut for u = √(|Ā|/|A|) on A and −√(|A|/|Ā|) elsewhere, orthogonal to 1 and of length √|V|."""
    W = graph.gaussian_graph(POINTS, 5.0)
    A = np.array([True, True, False, True, True, False])
    u = np.where(A, np.sqrt((~A).sum() / A.sum()), -np.sqrt(A.sum() / (~A).sum()))
    assert u.sum() == pytest.approx(0.0, abs=1e-12)
    assert u @ u == pytest.approx(len(A))
    assert u @ (graph.laplacian(W) @ u) == pytest.approx(len(A) * graph.ratio_cut(W, A), rel=1e-12)
