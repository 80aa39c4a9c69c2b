"""Importance by permutation among rows out of the bag: a plain twin, known answers, groups, strata, findings, bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.inspection import permutation_importance as theirs

from aprendiz import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor
from aprendiz.core.random import MASK, hashes
from aprendiz.ensemble.importance.strata import conditional_strata

RNG = np.random.default_rng(3)
X = RNG.normal(size=(240, 6))
X[:, 5] = np.round(X[:, 5])
NUMBER = 3 * X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=240) / 4
KIND = np.array(["a", "b", "c"])[np.digitize(NUMBER, np.quantile(NUMBER, [0.4, 0.7]))]
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
WORDS = pd.DataFrame(
    {
        "place": np.array(["north", "east", "south", "west", None], dtype=object)[RNG.integers(0, 5, size=240)],
        "x": HOLES[:, 0],
        "z": X[:, 1],
        "yes": RNG.random(240) < 0.3,
    }
)
WEIGHT = RNG.integers(0, 3, size=240).astype(float)


def shuffled(rows, key):
    """Fisher & Yates with the numbers of core/random.py, in Python's whole numbers."""
    rows, key = list(rows), int(key)
    for i in range(len(rows) - 1, 0, -1):
        z = (key + i + 1) * 0x9E3779B97F4A7C15 & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        j = int((z ^ z >> 31) >> 11) * 2.0**-53 * (i + 1)
        rows[i], rows[int(j)] = rows[int(j)], rows[i]
    return rows


def twin(model, table, y, seed, weight=None):
    """Each tree as a learner, asked about tables in which a column is permuted among the rows out of its bag."""
    frame = pd.DataFrame(table) if not isinstance(table, pd.DataFrame) else table
    weight = np.ones(len(y)) if weight is None else weight
    found = np.zeros((len(model), frame.shape[1]))
    for m, tree in enumerate(model.estimators_):
        out = model.bags_.left_out(m)
        before = frame.iloc[out]
        keys = hashes(seed, m, np.arange(frame.shape[1]))
        for j in range(frame.shape[1]):
            after = before.copy()
            after.isetitem(j, before.iloc[shuffled(range(len(out)), keys[j]), j].to_numpy())
            losses = []
            for asked in (before, after):
                said = tree.predict(asked if isinstance(table, pd.DataFrame) else asked.to_numpy())
                losses.append(said != y[out] if y.dtype.kind == "U" else (said - y[out]) ** 2)
            found[m, j] = np.average(losses[1] * 1.0 - losses[0], weights=weight[out])
    return found


@pytest.mark.parametrize("y", [KIND, NUMBER], ids=["classes", "numbers"])
@pytest.mark.parametrize(
    "table", [X, HOLES, WORDS, WORDS[["place", "yes"]]], ids=["numbers", "missing cells", "words", "words alone"]
)
def test_the_kernel_and_its_plain_twin(table, y):
    """Numbers, missing cells and words: tree by tree and column by column the same."""
    kind = RandomForestClassifier if y is KIND else RandomForestRegressor
    model = kind(7, max_features=2, random_state=1).fit(table, y)
    found = model.oob_permutation_importance(random_state=5)
    np.testing.assert_allclose(found.importances, twin(model, table, y, 5), rtol=1e-9, atol=1e-13)
    given = model.oob_permutation_importance(table, y, random_state=5)
    np.testing.assert_array_equal(found.importances, given.importances)


@pytest.mark.parametrize("table", [HOLES, WORDS], ids=["numbers", "words"])
def test_long_codes(table, monkeypatch):
    """Codes of four bytes give what those of two give."""
    model = RandomForestClassifier(4, random_state=1).fit(table, KIND)
    short = model.oob_permutation_importance(random_state=0).importances
    monkeypatch.setattr("aprendiz.ensemble.importance.threshold_codes.SHORT", 0)
    np.testing.assert_array_equal(model.oob_permutation_importance(random_state=0).importances, short)


def test_weights():
    """Rows without weight are not looked at, and the others count with theirs."""
    model = RandomForestClassifier(5, random_state=0).fit(X, KIND, sample_weight=WEIGHT)
    found = model.oob_permutation_importance(random_state=2).importances
    np.testing.assert_allclose(found, twin(model, X, KIND, 2, WEIGHT), rtol=1e-9, atol=1e-13)
    assert (WEIGHT[model.bags_.left_out(0)] > 0).all()


def test_sparse_rows():
    """The same numbers as of the dense table."""
    table = np.where(np.abs(X) < 0.7, 0.0, X)
    pair = [RandomForestRegressor(4, random_state=0).fit(form(table), NUMBER) for form in (np.asarray, sparse.csr_array)]
    dense, thin = (model.oob_permutation_importance(random_state=0).importances for model in pair)
    np.testing.assert_allclose(dense, thin, rtol=1e-12)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_do_not_matter(threads, monkeypatch):
    """The permutations belong to seed, tree and column; the first repeat is that of a single one."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
    model = RandomForestClassifier(6, random_state=0).fit(X, KIND)
    one, two, again = (model.oob_permutation_importance(random_state=9, repeats=r).importances for r in (1, 2, 2))
    np.testing.assert_array_equal(two, again)
    np.testing.assert_allclose(one, twin(model, X, KIND, 9), rtol=1e-9, atol=1e-13)
    assert not np.array_equal(one, two)


def test_one_column_that_is_the_class():
    """A column that tells the class alone: a tree errs at first never, and permuted as often as two rows drawn differ."""
    table = np.column_stack([np.repeat([0.0, 1.0], 200), np.zeros(400)])
    y = np.repeat(["no", "yes"], 200)
    model = RandomForestClassifier(60, max_features=None, random_state=0).fit(table, y)
    found = model.oob_permutation_importance(repeats=20, random_state=0)
    assert found.mean[0] == pytest.approx(0.5, abs=0.01)
    assert found.importances[:, 1].tolist() == [0.0] * 60
    assert found.z[1] == 0


def test_near_what_scikit_learn_finds():
    """The means agree with scikit-learn's importance of each tree on the rows out of its bag."""
    model = RandomForestRegressor(12, random_state=0).fit(X, NUMBER)
    ours = model.oob_permutation_importance(repeats=60, random_state=0).mean
    others = []
    for m, tree in enumerate(model.estimators_):
        out = model.bags_.left_out(m)
        how = {"n_repeats": 20, "random_state": m, "scoring": "neg_mean_squared_error"}
        others.append(theirs(tree, X[out], NUMBER[out], **how).importances_mean)
    np.testing.assert_allclose(ours, np.mean(others, axis=0), rtol=0.05, atol=0.05)


def test_linear_target():
    """For y = Σ a_j x_j that is known exactly, permuting column j costs 2 a_j² var(x_j); trees come near it."""
    table = np.random.default_rng(0).random((2000, 3))
    a = np.array([3.0, 1.5, 0.0])
    found = RandomForestRegressor(20, random_state=0).fit(table, table @ a).oob_permutation_importance(random_state=0)
    np.testing.assert_allclose(found.mean, 2 * a**2 / 12, rtol=0.15, atol=0.02)


# ---- spread ------------------------------------------------------------------------------------------------------------


def test_spread_and_table():
    """Mean, deviation and standard error over the trees; the table is sorted."""
    model = RandomForestClassifier(9, random_state=0).fit(pd.DataFrame(X, columns=list("pqrstu")), KIND)
    found = model.oob_permutation_importance(random_state=0)
    values = found.importances
    np.testing.assert_allclose(found.mean, values.mean(axis=0))
    np.testing.assert_allclose(found.std, values.std(axis=0, ddof=1))
    np.testing.assert_allclose(found.standard_error, values.std(axis=0, ddof=1) / 3)
    np.testing.assert_allclose(found.z * found.standard_error, found.mean)
    lines = str(found).split("\n")
    assert lines[0].split() == ["column", "importance", "standard", "error", "z"]
    assert [line.split()[0] for line in lines[1:7]] == [found.names[j] for j in np.argsort(-found.mean)]
    assert found.names == tuple("pqrstu")


def test_a_bag_of_all_rows():
    """A tree whose bag holds every row says nothing; if none is left, that is said."""
    table, y = X[:4], np.array([0, 1, 0, 1])
    model = RandomForestClassifier(60, random_state=0).fit(table, y)
    full = np.array([not len(model.bags_.left_out(m)) for m in range(60)])
    found = model.oob_permutation_importance(random_state=0)
    assert 0 < full.sum() < 60
    np.testing.assert_array_equal(np.isnan(found.importances).all(axis=1), full)
    assert found.trees == 60 - full.sum()
    assert np.isfinite(found.mean).all()
    only = RandomForestClassifier(1, random_state=int(np.flatnonzero(full_bags(table, y))[0])).fit(table, y)
    with pytest.raises(ValueError, match=r"No tree has out-of-bag rows.*fit more trees"):
        only.oob_permutation_importance()


def full_bags(table, y):
    """The seeds whose first bag holds all rows."""
    return [not len(RandomForestClassifier(1, random_state=s).fit(table, y).bags_.left_out(0)) for s in range(60)]


# ---- groups and strata -------------------------------------------------------------------------------------------------


def test_groups():
    """Columns by name or number; a group of one column is that column, all columns together make the answer a guess."""
    frame = pd.DataFrame(X, columns=list("pqrstu"))
    model = RandomForestRegressor(30, random_state=0).fit(frame, NUMBER)
    one = model.oob_permutation_importance(groups=["p", 1, ["r", "t"]], random_state=0, repeats=5)
    assert one.names == ("p", "q", "r + t")
    assert one.importances.shape == (30, 3)
    whole = model.oob_permutation_importance(groups={"all": list("pqrstu"), "p": "p"}, random_state=0, repeats=5)
    assert whole.names == ("all", "p")
    guess = [np.mean((tree.predict(frame)[:, None] - NUMBER) ** 2) for tree in model.estimators_]
    right = [
        np.mean((model.estimators_[m].predict(frame.iloc[out]) - NUMBER[out]) ** 2)
        for m, out in enumerate(map(model.bags_.left_out, range(30)))
    ]
    assert whole.mean[0] == pytest.approx(np.mean(guess) - np.mean(right), rel=0.1)


def test_twins_share_their_importance():
    """Two copies of a column: each alone loses part of it, both together all of it; and there is a sentence about them."""
    table = np.column_stack([X[:, 0], X[:, 0], X[:, 2]])
    model = RandomForestRegressor(40, max_features=1, random_state=0).fit(table, X[:, 0])
    alone = model.oob_permutation_importance(random_state=0)
    both = model.oob_permutation_importance(groups=[[0, 1], 2], random_state=0)
    assert both.mean[0] > 1.3 * alone.mean[:2].max()
    assert alone.warnings_[0].startswith("Correlated columns: 'x0' and 'x1' (r = 1). Each can replace the other")
    assert " ".join(str(alone).split("• ")[1].split()) == alone.warnings_[0]
    assert len(alone.warnings_) == 1
    assert both.warnings_ == ()


def test_conditional():
    """A copy adds nothing to the other: permuted among alike rows it loses little; a column of its own keeps its importance."""
    rng = np.random.default_rng(1)
    u = rng.normal(size=(1500, 2))
    table = np.column_stack([u[:, 0], u[:, 0] + rng.normal(size=1500) / 20, u[:, 1]])
    model = RandomForestRegressor(25, max_features=1, random_state=0).fit(table, u.sum(axis=1))
    plain, within = (model.oob_permutation_importance(conditional=flag, random_state=0) for flag in (False, True))
    assert (within.mean[:2] < 0.25 * plain.mean[:2]).all()
    assert within.mean[2] == pytest.approx(plain.mean[2], rel=0.1)
    assert within.warnings_ == ()


def test_strata():
    """Strata gather rows that the other columns tell alike: their values differ less; unrelated columns have one stratum."""
    rng = np.random.default_rng(2)
    a = rng.normal(size=800)
    table = np.column_stack([a, a + rng.normal(size=800) / 5, rng.normal(size=800)])
    found = conditional_strata(table, np.ones(800), np.eye(3, dtype=bool))
    assert found[2].max() == 0
    assert found[0].max() >= 4
    inside = sum(a[found[0] == s].var() * (found[0] == s).mean() for s in range(found[0].max() + 1))
    assert inside < 0.2 * a.var()
    assert np.bincount(found[0]).min() >= 20
    together = conditional_strata(table, np.ones(800), np.array([[True, True, False], [True, True, True]]))
    assert together.max() == 0


def test_strata_of_words():
    """A word that another column repeats is told by it; missing cells are told too."""
    place = np.array(["n", "e", "s", None], dtype=object)[RNG.integers(0, 4, size=400)]
    frame = pd.DataFrame({"place": place, "again": place, "x": RNG.normal(size=400)})
    model = RandomForestClassifier(4, random_state=0).fit(frame, RNG.integers(0, 2, size=400))
    found = conditional_strata(model._table.X, np.ones(400), np.eye(3, dtype=bool))
    words = pd.Series(place).fillna("none").to_numpy()
    assert {len(set(words[found[0] == s])) for s in np.unique(found[0])} == {1}
    assert len(np.unique(found[0])) == 4
    assert np.isfinite(model.oob_permutation_importance(conditional=True, random_state=0).importances).all()


def test_many_levels_are_named():
    """A column of many words gets a sentence; numbers do not."""
    frame = pd.DataFrame({"city": [f"city {i}" for i in RNG.integers(0, 30, size=240)], "x": X[:, 0]})
    found = RandomForestRegressor(4, random_state=0).fit(frame, NUMBER).oob_permutation_importance(random_state=0)
    assert len(found.warnings_) == 1
    assert found.warnings_[0].startswith("'city' has 30 levels")


def test_many_pairs():
    """Ten pairs are named, the others counted."""
    table = X[:, :1] + RNG.normal(size=(240, 6)) / 100
    found = RandomForestRegressor(3, random_state=0).fit(table, NUMBER).oob_permutation_importance(random_state=0)
    assert found.warnings_[0].count("(r = 1)") == 10
    assert "(r = 1), 5 more pairs. Each" in found.warnings_[0]


# ---- bad input ---------------------------------------------------------------------------------------------------------


def test_bad_input():
    """What is missing is named, before any work is done."""
    model = RandomForestClassifier(3, random_state=0).fit(X, KIND)
    call = model.oob_permutation_importance
    for arguments, error, words in [
        ({"X": X}, ValueError, "compares predictions with the target: give y with X"),
        ({"y": KIND}, ValueError, "y is given without X"),
        ({"X": X[:9], "y": KIND[:9]}, ValueError, "X has 9 rows, but the fit had 240.*training rows in their original order"),
        ({"X": X, "y": np.where(KIND == "a", "d", KIND)}, ValueError, "y holds 'd' in row .*none of the classes"),
        ({"repeats": 0}, ValueError, "repeats must be a whole number of at least 1, got 0"),
        ({"groups": ["x0", "age"]}, ValueError, "groups names the column 'age', which is not there: the columns are 'x0'"),
        ({"groups": [6]}, ValueError, "groups names the column 6"),
        ({"groups": [[]]}, ValueError, "has no columns"),
        ({"groups": "x0"}, TypeError, "groups='x0' is neither a dict of columns"),
    ]:
        with pytest.raises(error, match=words):
            call(**arguments)
    with pytest.raises(ValueError, match="ExtraTreesClassifier was trained on all rows: fit it with bootstrap=True"):
        ExtraTreesClassifier(3).fit(X, KIND).oob_permutation_importance()
    model._table = None
    with pytest.raises(ValueError, match="needs the training rows, which the model does not keep"):
        call()
