"""Tree-augmented naive Bayes against its definition: the tree by its information, the posterior by the sum over all levels."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import CategoricalNB, TreeAugmentedNaiveBayes
from aprendiz.graphical.structure.spanning_tree import outward_order

quick = settings(max_examples=15, deadline=None, database=None, derandomize=True)


def classes_and_codes(seed, rows=300):
    """Three classes; column 1 follows column 0 in a way of its own in each class, 3 follows 2; 0 and 2 say nothing alone."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (rows, 5)), rng.integers(0, 3, rows)
    for child, parent in ((1, 0), (3, 2)):
        X[:, child] = np.where(rng.random(rows) < 0.7, (X[:, parent] + y) % 3, X[:, child])
    return X, np.array(["oak", "elm", "fir"])[y]


def posterior_by_definition(model, rows):
    """P(c | x), where a missing cell is every level in turn."""
    found = []
    for row in rows:
        known = np.where(np.isnan(row), -1, row).astype(int)
        missing = np.flatnonzero(known < 0)
        joint = np.zeros(len(model.classes_))
        for levels in product(*(range(model.n_categories_[v]) for v in missing)):
            known[missing] = levels
            logs = np.copy(model.class_log_prior_)
            for v, p in enumerate(model.parents_):
                logs += model.feature_log_prob_[v][:, known[p] if p >= 0 else 0, known[v]]
            joint += np.exp(logs)
        found.append(joint / joint.sum())
    return np.array(found)


@quick
@given(st.integers(0, 2**32), st.floats(0.0, 0.6))
def test_posterior(seed, holes):
    """Whichever cells are missing, the posterior is the sum over all levels that they may have."""
    rng = np.random.default_rng(seed)
    X, y = classes_and_codes(seed, 60)
    X = X.astype(float)
    X[rng.random(X.shape) < holes] = np.nan
    model = TreeAugmentedNaiveBayes().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:8]), posterior_by_definition(model, X[:8]), rtol=1e-12)


def test_tables():
    """(3): the proportions in each class, with α rows spread over the cells."""
    X, y = classes_and_codes(0)
    model = TreeAugmentedNaiveBayes(alpha=2.0).fit(X, y)
    for v, p in enumerate(model.parents_):
        above = X[:, p] if p >= 0 else np.zeros(len(X), int)
        for c, a, b in product(range(3), range(3 if p >= 0 else 1), range(3)):
            here = (y == model.classes_[c]) & (above == a)
            levels = 3 if p >= 0 else 1
            expected = (np.sum(here & (X[:, v] == b)) + 2.0 / (levels * 3)) / (here.sum() + 2.0 / levels)
            np.testing.assert_allclose(model.feature_log_prob_[v][c, a, b], np.log(expected), rtol=1e-12)


def test_what_naive_bayes_cannot_see():
    """Columns that say something of the class only together: their edge is found, and most rows are told apart."""
    X, y = classes_and_codes(1, 1500)
    model = TreeAugmentedNaiveBayes().fit(X, y)
    tree = {frozenset(edge) for edge in model.edges_ if edge[0] != "class"}
    assert {frozenset((0, 1)), frozenset((2, 3))} <= tree
    assert model.score(X, y) > 0.8
    assert CategoricalNB().fit(X, y).score(X, y) < 0.5


def test_any_root_gives_the_same_posterior():
    """The direction of the tree says nothing."""
    X, y = classes_and_codes(2)
    first, *others = (TreeAugmentedNaiveBayes(root=root).fit(X, y) for root in (None, *range(5)))
    assert {model.parents_.argmin() for model in others} == set(range(5))
    for model in others:
        np.testing.assert_allclose(model.predict_proba(X), first.predict_proba(X), rtol=1e-10)


def test_edges_and_names():
    """The class first, then the tree; names of columns and class are kept apart."""
    X, y = classes_and_codes(3)
    words = pd.DataFrame(np.array(["a", "b", "c"])[X], columns=list("pqrst"))
    model = TreeAugmentedNaiveBayes(root="q", class_name="tree").fit(words, y)
    assert model.edges_[:5] == tuple(("tree", name) for name in "pqrst")
    assert model.edges_[5][0] == "q"
    assert model.graph_.parents[model.graph_.at("q")] == (0,)
    assert [len(model.graph_.parents[model.graph_.at(name)]) for name in "prst"] == [2, 2, 2, 2]
    np.testing.assert_array_equal(model.predict_proba(words), TreeAugmentedNaiveBayes(root=1).fit(X, y).predict_proba(X))
    with pytest.raises(ValueError, match="A column is called 'q', as the class is: give another class_name"):
        TreeAugmentedNaiveBayes(class_name="q").fit(words, y)
    with pytest.raises(ValueError, match="root of TreeAugmentedNaiveBayes is 7, which is no column"):
        TreeAugmentedNaiveBayes(root=7).fit(X, y)


def test_codes_that_the_fit_did_not_see():
    """Said, and left out: the row is answered as if the cell were missing, as a parent too."""
    X, y = classes_and_codes(4)
    model = TreeAugmentedNaiveBayes().fit(X, y)
    row = X[:1].astype(float)
    strange = np.repeat(row, 5, axis=0)
    strange[range(5), range(5)] = 9
    with pytest.warns(UserWarning, match=r"Column [0-4] holds category 9, not seen in the fit \(0 to 2\)") as caught:
        found = model.predict_proba(strange)
    assert len(caught) == 5
    np.testing.assert_array_equal(found, model.predict_proba(np.where(strange == 9, np.nan, strange)))


def test_many_columns_do_not_underflow():
    """Three hundred columns, a third of them missing: probabilities of 10⁻⁵⁰ and less are told apart."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    X = np.where(rng.random((50, 300)) < 0.6, y[:, None], 1 - y[:, None]).astype(float)
    model = TreeAugmentedNaiveBayes().fit(X, y)
    X[rng.random(X.shape) < 0.3] = np.nan
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert model.predict_joint_log_proba(X).max() < -100
    assert outward_order(model.parents_)[0] == int(np.argmin(model.parents_))
    assert model.score(X, y) > 0.9
