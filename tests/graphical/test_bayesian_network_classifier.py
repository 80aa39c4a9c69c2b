"""BayesianNetworkClassifier: posteriors against enumeration, its twins, bins, holes, and what is refused."""

from functools import cache
from io import StringIO
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score

from aprendiz import (
    BayesianNetwork,
    BayesianNetworkClassifier,
    CategoricalNB,
    HillClimbing,
    MDLDiscretizer,
    TreeAugmentedNaiveBayes,
    read_bif,
    write_bif,
)
from aprendiz.datasets import load

CODES = {"discretize": None}


@cache
def rows_of_codes():
    """Columns that depend on a class of three, on each other, and on nothing."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    a = (y + (rng.random(400) < 0.4)) % 3
    b = (a + (rng.random(400) < 0.3)) % 3
    c = (b + y + (rng.random(400) < 0.2)) % 2
    return np.column_stack([a, b, c, rng.integers(0, 4, 400)]), np.array(["x", "y", "z"])[y]


def with_holes(X, share=0.2, seed=1):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


# ---- posteriors ------------------------------------------------------------------------------------------------------


def enumerated(network, row):
    """P(class, known cells) by a sum over all levels of the missing ones."""
    classes = network.sizes[-1]
    joint = np.zeros(classes)
    choices = [range(size) if code < 0 else [code] for code, size in zip(row, network.sizes, strict=False)]
    for k in range(classes):
        for levels in product(*choices):
            codes = (*levels, k)
            joint[k] += np.prod(
                [network.tables[v][tuple(codes[u] for u in (*own, v))] for v, own in enumerate(network.graph.parents)]
            )
    return joint


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.booleans())
def test_any_graph_any_holes_by_enumeration(seed, columns, class_on_top):
    """The posterior of rows with missing cells, whichever way the arrows of the class lead."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(columns) if class_on_top else rng.permutation(columns + 1)
    order = [columns, *order] if class_on_top else list(order)
    nodes = [*range(columns), "class"]
    edges = [(nodes[a], nodes[b]) for i, b in enumerate(order) for a in order[:i] if rng.random() < 0.6]
    if not any("class" in edge for edge in edges):
        edges.append(("class", 0))
    X, y = rng.integers(0, 3, (30, columns)), rng.integers(0, 2, 30)
    model = BayesianNetworkClassifier(edges, **CODES, prior="dirichlet", alpha=0.5).fit(X, y)
    asked = with_holes(X[:12] % np.array(model.network_.sizes[:-1]), 0.5, seed)
    exact = np.array([enumerated(model.network_, row) for row in np.nan_to_num(asked, nan=-1).astype(int)])
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(asked)), exact, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(asked), exact / exact.sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.log_density(asked)), exact.sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("structure", ["naive", "tan", "learned"])
def test_predictions_are_queries(structure):
    """`predict_proba` is what a query says of the class, row by row; a row without known cells gets the prior."""
    X, y = rows_of_codes()
    model = BayesianNetworkClassifier(structure, **CODES).fit(X, y)
    for row in X[:3]:
        answer = model.query("class", dict(enumerate(row.tolist())))
        np.testing.assert_allclose(model.predict_proba(row[None])[0], [answer[label] for label in "xyz"], rtol=1e-12)
    nothing = np.full((1, 4), np.nan)
    np.testing.assert_allclose(model.predict_proba(nothing)[0], model.class_prior_, rtol=1e-14)
    np.testing.assert_allclose(list(model.query("class").values()), model.class_prior_, rtol=1e-12)


# ---- structures ------------------------------------------------------------------------------------------------------


def test_naive_is_categorical_naive_bayes():
    """The same tables, also with missing cells and weights, and the same posteriors but for the α of the classes."""
    X, y = rows_of_codes()
    X, w = with_holes(X), np.random.default_rng(2).integers(0, 3, len(y)).astype(float)
    ours = BayesianNetworkClassifier("naive", **CODES, prior="dirichlet", alpha=1.0).fit(X, y, w)
    theirs = CategoricalNB(alpha=1.0, class_prior=ours.class_prior_).fit(X, y, w)
    for own, other in zip(ours.network_.tables[:-1], theirs.feature_log_prob_, strict=True):
        np.testing.assert_allclose(own, np.exp(other), rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-11)
    assert set(ours.edges_) == {("class", j) for j in range(4)}


def test_tan_has_the_tree_of_tan():
    """The arrows are those of TreeAugmentedNaiveBayes; the tables those of a network with these arrows."""
    X, y = rows_of_codes()
    model, tree = BayesianNetworkClassifier(**CODES).fit(X, y), TreeAugmentedNaiveBayes().fit(X, y)
    assert set(model.edges_) == set(tree.edges_)
    whole = np.column_stack([X, np.searchsorted(model.classes_, y)])
    pairs = [(a if a != "class" else 4, b) for a, b in model.edges_]
    network = BayesianNetwork(pairs, prior="bdeu", alpha=5.0).fit(whole)
    for v, parents in enumerate(model.graph_.parents):
        own = network.graph_.parents[v]
        table = np.transpose(network.network_.tables[v], [own.index(u) for u in parents] + [len(own)])
        np.testing.assert_allclose(model.network_.tables[v], table, rtol=1e-14)


def test_columns_of_one_bin_have_no_part_in_the_tree():
    """They depend on the class alone; and a table with one column left is naive."""
    X, y = rows_of_codes()
    flat = np.zeros((len(y), 1))
    model = BayesianNetworkClassifier(**CODES).fit(np.hstack([flat, X, flat]), y)
    assert [model.graph_.parents[j] for j in (0, 5)] == [(6,), (6,)]
    assert {(a - 1, b - 1) for a, b in model.edges_ if a != "class"} == {
        edge for edge in BayesianNetworkClassifier(**CODES).fit(X, y).edges_ if edge[0] != "class"
    }
    alone = BayesianNetworkClassifier(**CODES).fit(np.hstack([flat, X[:, :1]]), y)
    assert set(alone.edges_) == {("class", 0), ("class", 1)}


def test_missing_cells_of_a_tree_are_learned_by_em():
    """Where missing cells have children, the tables are those of EM: the likelihood of the known cells is higher than with the
    tables of the rows that know a family."""
    X, y = rows_of_codes()
    holes = with_holes(X, 0.3)
    model = BayesianNetworkClassifier(**CODES, prior=None).fit(holes, y)
    assert "log-likelihood" in model.certificate_.claim
    assert model.certificate_.holds
    plain = BayesianNetworkClassifier(model.edges_, **CODES, prior=None).fit(X, y)
    labels = np.searchsorted(model.classes_, y)

    def likelihood(fitted):
        return fitted.predict_joint_log_proba(holes)[np.arange(len(y)), labels].sum()

    assert likelihood(model) > likelihood(plain)


def test_learned_structure_leaves_noise_out():
    """No arrow leads to the class, none to the column that depends on nothing; and the graph is a search's on all columns."""
    X, y = rows_of_codes()
    model = BayesianNetworkClassifier("learned", **CODES).fit(X, y)
    assert not model.graph_.parents[4]
    assert not model.graph_.parents[3]
    assert set(model.markov_blanket("class")) == {0, 1, 2}
    holed = BayesianNetworkClassifier("learned", **CODES).fit(with_holes(X, 0.05), y)
    assert holed.score(X, y) > 0.6


def test_given_arrows_by_name():
    """Names of columns and of the class; the class may have parents, and a column may have no arrow."""
    X, y = rows_of_codes()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "noise"])
    edges = [("a", "kind"), ("kind", "c"), ("b", "c")]
    model = BayesianNetworkClassifier(edges, **CODES, class_name="kind").fit(frame, y)
    assert set(model.edges_) == set(edges)
    assert set(model.markov_blanket("kind")) == {"a", "b", "c"}
    assert BayesianNetworkClassifier(edges, class_name="kind").d_separated("a", "b")
    found = HillClimbing().fit(frame.assign(kind=y))  # a search's own answer
    assert set(BayesianNetworkClassifier(found, **CODES, class_name="kind").fit(frame, y).edges_) == set(found.edges_)


# ---- columns ---------------------------------------------------------------------------------------------------------


def test_a_classifier_in_a_file():
    """Written as BIF, it answers as a network."""
    X, y = load("iris", return_X_y=True)
    model, text = BayesianNetworkClassifier().fit(X, y), StringIO()
    write_bif(model, text)
    network = read_bif(StringIO(text.getvalue()))
    seen = {2: model.network_.levels[2][1]}
    assert network.query("class", seen) == model.query("class", seen)


def test_numbers_are_cut_inside_the_fit():
    """The cuts are those of MDLDiscretizer on the rows of the fit; levels say the intervals."""
    X, y = load("iris", return_X_y=True)
    model = BayesianNetworkClassifier("naive").fit(X[::2], y[::2])
    cuts = MDLDiscretizer().fit(X[::2], y[::2]).cuts_
    for own, expected, levels in zip(model.cuts_, cuts, model.network_.levels, strict=False):
        np.testing.assert_array_equal(own, expected)
        assert len(levels) == len(expected) + 1
    low, high = (f"{cut:.6g}" for cut in model.cuts_[2])
    assert model.network_.levels[2] == (f"≤ {low}", f"{low} to {high}", f"> {high}")
    codes = MDLDiscretizer().fit(X[::2], y[::2]).transform(X)
    same = BayesianNetworkClassifier("naive", **CODES).fit(codes[::2], y[::2])
    np.testing.assert_allclose(model.predict_proba(X), same.predict_proba(codes), rtol=1e-12)


def test_bins_of_equally_many_rows():
    """As far as equal cells allow; missing cells and new extremes have their place."""
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.normal(size=300), rng.integers(0, 2, 300), np.full(300, 7.0), np.full(300, np.nan)])
    y = (X[:, 0] > 0).astype(int)
    model = BayesianNetworkClassifier("naive", discretize="quantile", n_bins=4).fit(X, y)
    assert model.network_.sizes[:-1] == (4, 2, 1, 1)
    counts = np.bincount(np.searchsorted(model.cuts_[0], X[:, 0]))
    assert counts.min() >= 74
    assert model.predict([[1e300, 1, 7, 5], [-1e300, 0, 7, np.nan]]).tolist() == [1, 0]


def test_words_numbers_and_holes_in_one_table():
    """A data frame as it is: words are levels, numbers are cut, missing cells of both kinds are summed over."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    frame = pd.DataFrame({
        "colour": np.where(rng.random(200) < 0.2, None, np.array(["red", "green"])[y]),
        "size": np.where(rng.random(200) < 0.2, np.nan, y + rng.normal(size=200) / 3),
    })  # fmt: skip
    model = BayesianNetworkClassifier().fit(frame, np.array(["no", "yes"])[y])
    assert model.network_.levels[0] == ("green", "red")
    assert model.score(frame, np.array(["no", "yes"])[y]) > 0.95
    with pytest.warns(UserWarning, match="'blue'.*not seen in the fit"):
        new = model.predict_proba(pd.DataFrame({"colour": ["blue", None], "size": [0.0, 0.0]}))
    np.testing.assert_array_equal(new[0], new[1])


def test_weights_and_class_weights():
    """Weight 2 is the row twice; class weights multiply; "balanced" makes the classes alike."""
    X, y = rows_of_codes()
    w = np.random.default_rng(5).integers(0, 3, len(y))
    model = BayesianNetworkClassifier(**CODES, prior="k2").fit(X, y, w.astype(float))
    twice = BayesianNetworkClassifier(**CODES, prior="k2").fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert model.edges_ == twice.edges_
    np.testing.assert_allclose(model.predict_proba(X), twice.predict_proba(X), rtol=1e-10)
    balanced = BayesianNetworkClassifier(**CODES, prior=None, class_weight="balanced").fit(X[y != "x"], y[y != "x"])
    np.testing.assert_allclose(balanced.class_prior_, 0.5, rtol=1e-12)


def test_a_tree_says_more_than_naive_bayes():
    """Digits: neighbouring pixels say the same thing, which naive Bayes counts twice."""
    X, y = load("digits", return_X_y=True)
    naive, tree = (cross_val_score(BayesianNetworkClassifier(one), X, y, cv=3).mean() for one in ("naive", "tan"))
    assert tree > naive + 0.02
    assert tree > 0.9


# ---- refusals and remarks --------------------------------------------------------------------------------------------


def test_impossible_rows_get_the_prior():
    """Without a prior, a row may be impossible in every class: it is told."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 0]], [0, 0, 1, 1]
    model = BayesianNetworkClassifier("naive", **CODES, prior=None).fit(X, y)
    with pytest.warns(UserWarning, match="probability 0 in every class"):
        found = model.predict_proba([[1, 1]])
    np.testing.assert_allclose(found, [[0.5, 0.5]])
    with pytest.warns(UserWarning, match="column 1 holds category 5|Column 1 holds category 5"):
        model.predict([[0, 5]])


def test_refusals():
    X, y = rows_of_codes()
    for structure, words in [
        ("tree", "structure must be one of naive, tan, learned, or edges, got 'tree'"),
        ([(0, 1)], "No edge of the structure leads to or from the class, which is called 'class'"),
        ([("class", "colour")], "'colour'"),
        ([("class", 0), (0, "class")], "cycle"),
    ]:
        with pytest.raises(ValueError, match=words):
            BayesianNetworkClassifier(structure, **CODES).fit(X, y)
    with pytest.raises(ValueError, match="A column is called 'class', as the class is: give another class_name"):
        BayesianNetworkClassifier(**CODES).fit(pd.DataFrame(X, columns=["a", "b", "c", "class"]), y)
    with pytest.raises(ValueError, match=r"holds 0\.5 in row 0"):
        BayesianNetworkClassifier(**CODES).fit(X + 0.5, y)
