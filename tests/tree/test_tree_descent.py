"""Rows on their way down a tree: `apply`, `decision_path` and the answers against a plain interpreter of its nodes."""

import numpy as np
import pandas as pd
import pytest
from exhaustive import leaf_shares
from growth_cases import KINDS, WORDS, made
from scipy import sparse

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor

UNKNOWN = pytest.mark.filterwarnings("ignore:.*a level not seen in the fit:UserWarning")
RULES = (
    {"missing": "own"},
    {"missing": "surrogate"},
    {"missing": "fractional"},
    {"missing": "own", "categories": "multiway"},
    {"missing": "fractional", "categories": "multiway"},
    {"missing": "own", "max_leaf_nodes": 6},
    {"missing": "fractional", "max_leaf_nodes": 6},
    {"missing": "own", "splitter": "random", "random_state": 0},
)


def encoded(learner, frame):
    """The rows of a frame as numbers: cells, or the numbers of their levels, NaN where missing or unknown."""
    columns = []
    for name, known in zip(frame, learner.columns_.columns, strict=True):
        codes = {level: float(code) for code, level in enumerate(known.levels)}
        cells = frame[name].astype(object)
        columns.append([np.nan if pd.isna(cell) else codes.get(cell, np.nan) if codes else float(cell) for cell in cells])
    return np.array(columns).T


def heaviest(tree, row):
    """The leaf at the end of the heaviest branches, where a row takes several."""
    shares = leaf_shares(tree, row)
    if len(shares) == 1:
        return next(iter(shares))
    t = 0
    while tree.feature[t] >= 0:
        family = tree.children_of(t)
        below = [c for c in family if any(c <= leaf < tree.last[c] for leaf in shares)]
        t = below[int(np.argmax(tree.weighted_n_node_samples[below]))]
    return t


def check(learner, X, rows):
    """All that a tree says of some rows, given as the learner takes them and as numbers."""
    tree = learner.tree_
    shares = [leaf_shares(tree, row) for row in rows]
    leaves = np.array([heaviest(tree, row) for row in rows])
    np.testing.assert_array_equal(learner.apply(X), leaves)
    values = np.array([sum(share * tree.value[leaf] for leaf, share in some.items()) for some in shares])
    said = learner.predict_proba(X) if values.shape[2] > 1 else learner.predict(X).reshape(len(rows), -1)
    np.testing.assert_allclose(said, values[:, 0, :] if values.shape[2] > 1 else values[:, :, 0], atol=1e-12)
    path = learner.decision_path(X)
    for i, leaf in enumerate(leaves):
        above = [leaf]
        while above[-1] > 0:
            above.append(tree.parent[above[-1]])
        assert path[[i]].indices.tolist() == above[::-1]
    assert set(path.data.tolist()) == {1}


@UNKNOWN
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(map(str, rules.values())))
def test_new_rows(rules):
    """Mixed tables with missing cells, trained with and without them, and levels that a node or the fit did not see."""
    for seed in range(3):
        for classes in (0, 3):
            criterion = "gini" if classes else "squared_error"
            _, learner, frame = made(seed, criterion, KINDS, n=40, classes=classes, holes=0.15 * (seed % 2), **rules)
            check(learner, frame, encoded(learner, frame))
            _, _, other = made(seed + 50, criterion, KINDS, n=40, classes=classes, holes=0.3, levels=6)
            check(learner, other, encoded(learner, other))


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
def test_arrivals_are_the_counts(missing):
    """The rows of the fit go down as they did when the tree grew: the answer of all rows weighs what the root does."""
    for seed in range(4):
        case, learner, frame = made(seed, "gini", KINDS, n=60, classes=3, holes=0.2, weights="real", missing=missing)
        mean = np.average(learner.predict_proba(frame), axis=0, weights=case.w)
        np.testing.assert_allclose(mean, learner.tree_.value[0, 0], atol=1e-12)
        if missing != "fractional":
            np.testing.assert_array_equal(learner.decision_path(frame).sum(axis=0).A1, learner.tree_.n_node_samples)


def test_unknown_level_takes_the_heaviest_branch():
    """A level that the fit did not see, where no cell was missing."""
    frame = pd.DataFrame({"a": WORDS[:3] * 10})
    learner = DecisionTreeClassifier().fit(frame, [0, 1, 1] * 10)
    with pytest.warns(UserWarning, match="'never'"):
        assert learner.predict(pd.DataFrame({"a": ["never", WORDS[0]]})).tolist() == [1, 0]


@UNKNOWN
def test_missing_has_its_branch():
    """Where missing cells were seen, they and unknown levels take the branch of their own."""
    frame = pd.DataFrame({"a": [*WORDS[:2] * 6, None, None, None]})
    learner = DecisionTreeClassifier(categories="multiway").fit(frame, [*[0, 1] * 6, 2, 2, 2])
    assert learner.predict(pd.DataFrame({"a": [None, WORDS[1], "never"]})).tolist() == [2, 1, 2]


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(), DecisionTreeRegressor()], ids=["classes", "numbers"])
def test_forms_of_a_table(learner):
    """Sparse, float32, Fortran order, lists and a frame are the same table."""
    rng = np.random.default_rng(2)
    X = rng.integers(-3, 4, (80, 4)) * 0.5
    y = (X[:, 0] * X[:, 1] > X[:, 2]).astype(int)
    tree = learner.fit(X, y).tree_
    new = rng.integers(-4, 5, (50, 4)) * 0.5
    leaves = learner.apply(new)
    check(learner, new, new)
    frames = [pd.DataFrame(new, columns=list("abcd")), pd.DataFrame(X, columns=list("abcd"))]
    forms = [lambda a: a.astype(np.float32), np.asfortranarray, sparse.csr_array, sparse.csc_matrix, np.ndarray.tolist]
    for form in forms:
        np.testing.assert_array_equal(learner.apply(form(new)), leaves)
        np.testing.assert_array_equal(learner.fit(form(X), y).tree_.threshold, tree.threshold)
    assert (learner.fit(frames[1], y).apply(frames[0]) == leaves).all()


def test_sparse_answers():
    """Everything that a tree says of sparse rows."""
    rng = np.random.default_rng(4)
    X = np.where(rng.uniform(size=(90, 5)) < 0.6, 0.0, rng.normal(size=(90, 5)))
    y = (X.sum(axis=1) > 0).astype(int)
    learner = DecisionTreeClassifier(max_depth=5).fit(sparse.csr_array(X), y)
    check(learner, sparse.csr_array(X), X)
    np.testing.assert_array_equal(learner.predict(sparse.csr_array(X)), learner.predict(X))


def test_float32_thresholds():
    """A value that float32 rounds stays on the side on which the fit had it."""
    X = np.array([0.1, 0.2, 0.3, 0.4], np.float32)[:, None]
    learner = DecisionTreeRegressor().fit(X, [0.0, 1.0, 2.0, 3.0])
    np.testing.assert_array_equal(learner.predict(X), [0.0, 1.0, 2.0, 3.0])


def test_neighbouring_numbers():
    """Two numbers with none between them are told apart, at any scale, with random thresholds too."""
    for low in (1.0, -1.0, 1e300, 1e-300, 5e-324, -1e308):
        X = np.array([low, np.nextafter(low, np.inf)])[:, None]
        for splitter in ("best", "random"):
            for seed in range(5):
                learner = DecisionTreeRegressor(splitter=splitter, random_state=seed).fit(X, [0.0, 1.0])
                assert learner.predict(X).tolist() == [0.0, 1.0]
