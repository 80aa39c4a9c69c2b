"""Confidence of edges: what samples of the rows share, the threshold by its definition, averaged networks without cycles."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import ChowLiuTree, HillClimbing, PCStable, TreeAugmentedNaiveBayes, edge_confidence
from aprendiz.core.random import uniforms
from aprendiz.graphical import EdgeConfidence
from aprendiz.graphical.edge_confidence import learned_class
from aprendiz.locale import language

quick = settings(max_examples=30, deadline=None, database=None, derandomize=True)
NAMES = ["rain", "pump", "wet", "fall"]


def sampled(rows=400):
    """rain → wet ← pump, wet → fall: each child agrees with its parents in nine rows of ten."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (rows, 4))
    for child, parents in ((2, [0, 1]), (3, [2])):
        told = X[:, parents].sum(axis=1) >= len(parents)
        X[:, child] = np.where(rng.random(rows) < 0.9, told, 1 - told)
    return pd.DataFrame(X, columns=NAMES)


@pytest.mark.parametrize("learner", [PCStable(alpha=0.01), HillClimbing()], ids=["PCStable", "HillClimbing"])
def test_planted_edges(learner):
    """The edges of the network are in nearly all samples, others in few; the v-structure has its direction in most."""
    found = edge_confidence(learner, sampled(), n=30, random_state=0)
    assert set(found.averaged().edges) == {("rain", "wet"), ("pump", "wet"), ("wet", "fall")}
    assert [strength > 0.9 for *_, strength, _ in found.edges[:4]] == [True, True, True, False]
    assert found.direction[0, 2] > 0.8
    assert found.threshold <= 0.5
    np.testing.assert_array_equal(found.strength, found.strength.T)


def test_directions_of_a_tree_are_even():
    """A tree has no v-structure: every direction counts half."""
    found = edge_confidence(ChowLiuTree("fall"), sampled(), n=10, random_state=1)
    assert {direction for *_, direction in found.edges} == {0.5}
    assert found.strength.sum() == pytest.approx(2 * 3)  # three edges in each sample


def test_samples_are_rows_drawn_again():
    """The weights of a sample are the counts of rows drawn with replacement: the same class as of these rows themselves."""
    frame, learner = sampled(60), PCStable()
    rows = learner.open(frame).source
    for number in range(4):
        drawn = (uniforms(7, number, 60) * 60).astype(int)
        model = PCStable().fit(frame.iloc[drawn])
        own = (model.adjacency_ & ~model.adjacency_.T) + 0.5 * (model.adjacency_ & model.adjacency_.T)
        np.testing.assert_array_equal(learned_class(learner, rows, 7, number), own)


def test_same_seed_same_shares(monkeypatch):
    """Any number of threads, the same samples; another seed, others. A search that draws gets a seed for each sample."""
    learner, shares = HillClimbing(n_restarts=1), []
    for threads, seed in ((1, 3), (2, 3), (1, 4)):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        shares.append(edge_confidence(learner, sampled(60), n=12, random_state=seed).arrows)
    assert np.array_equal(shares[0], shares[1])
    assert not np.array_equal(shares[0], shares[2])
    assert learner.random_state is None


@quick
@given(st.lists(st.integers(0, 40), min_size=6, max_size=6))
def test_threshold_by_its_definition(counts):
    """No height t lies closer to the distribution of the strengths than its value at ½: (3), by trying all heights it has."""
    arrows = np.zeros((4, 4))
    arrows[np.triu_indices(4, 1)] = np.array(counts) / 40
    found = EdgeConfidence((0, 1, 2, 3), 40, arrows)
    strengths = np.sort(np.array(counts) / 40)
    ends = np.concatenate([[0.0], strengths, [1.0]])

    def distance(t):
        return sum((b - a) * abs((strengths <= a).mean() - t) for a, b in pairwise(ends))

    height = (strengths <= found.threshold).mean() if (strengths <= 0.5).any() else 0.0
    assert distance(height) <= min(distance(t) for t in np.linspace(0, 1, 7)) + 1e-12
    assert {edge[:2] for edge in found.edges if edge[2] > found.threshold} == {
        edge[:2] for edge in found.edges if edge[2] > 0.5
    }


def test_averaged_network_has_no_cycle():
    """The strongest choose first; what would close a cycle is turned round. A lower threshold keeps more edges."""
    arrows = np.array([[0, 0.9, 0.0, 0.1], [0, 0, 0.8, 0], [0.7, 0.2, 0, 0], [0, 0, 0, 0]])
    found = EdgeConfidence(("a", "b", "c", "d"), 10, arrows)
    assert found.edges[0] == ("b", "c", 1.0, 0.8)
    assert set(found.averaged().edges) == {("a", "b"), ("b", "c"), ("a", "c")}
    assert len(found.averaged(0.05).edges) == 4
    assert found.averaged(1.0).edges == ()


def test_words_of_the_result():
    """The strongest edge first, in the language of the reader."""
    found = edge_confidence(ChowLiuTree(), sampled(), n=5, random_state=0)
    assert str(found).splitlines()[0].startswith("5 bootstrap samples; significant above ")
    assert "strength 100.0 %, direction 50.0 %" in str(found).splitlines()[1]
    with language("es"):
        assert str(found).splitlines()[0].startswith("5 muestras bootstrap")


def test_pictures():
    """The averaged network with the strength of each edge; the class with its lines."""
    found = edge_confidence(ChowLiuTree(), sampled(), n=5, random_state=0)
    drawn = found.plot()
    assert drawn.confidence == dict.fromkeys(found.averaged().edges, 1.0)
    shown = PCStable(alpha=0.01).fit(sampled()).plot()
    assert set(shown.arrows) == {("rain", "wet"), ("pump", "wet"), ("wet", "fall")}
    plt.close(drawn.figure_)
    plt.close(shown.figure_)


def test_warnings_are_told_once():
    """Samples whose directions contradict each other are counted."""
    rng = np.random.default_rng(0)
    ring = rng.integers(0, 2, (4, 300))
    X = (ring[[0, 1, 2, 3]] + 2 * ring[[1, 2, 3, 0]]).T
    with pytest.warns(UserWarning, match=r"Of 5 samples some were learned with a warning .* contradict each other") as caught:
        edge_confidence(PCStable(), X, n=5, random_state=0)
    assert len(caught) == 1


def test_refusals():
    """Searches for edges only, a positive number of samples, tables in memory."""
    with pytest.raises(TypeError, match="needs a search for edges between columns"):
        edge_confidence(TreeAugmentedNaiveBayes(), sampled())
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, got 0"):
        edge_confidence(PCStable(), sampled(), n=0)
    with pytest.raises(TypeError, match="needs a table in memory"):
        edge_confidence(PCStable(), ChowLiuTree().open(sampled()))
