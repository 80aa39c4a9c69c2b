"""Class switching: which labels are switched, and what the vote of such members is worth."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier as TheirTree

import aprendiz
from aprendiz import (
    ClassSwitchingClassifier,
    DecisionTreeClassifier,
    GaussianNB,
    KNeighborsClassifier,
    LinearRegression,
    switching_errors,
)
from aprendiz.ensemble.members.switching import FreeSwitching, Switching

IRIS, KINDS = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[KINDS]
quick = settings(max_examples=150, deadline=None)
balances = st.lists(st.integers(1, 60), min_size=2, max_size=8)
shares = st.floats(0.0, 0.999)  # of p_max


def rule(counts, share, seed=0):
    """Labels switched with a fraction that is a share of p_max."""
    counts = np.array(counts)
    return Switching(share * Switching(0.0, counts).p_max, counts, seed)


# ---- the rule --------------------------------------------------------------------------------------------------------


@quick
@given(balances, shares, st.integers(0, 99), st.integers(0, 99))
def test_proportions_and_fraction(counts, share, seed, member):
    """Whatever the balance: classes keep their numbers of rows, and the fraction of switched labels is p to within two rows."""
    switching = rule(counts, share, seed)
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    seen = switching.labels(y, member)
    assert np.array_equal(np.bincount(seen, minlength=len(counts)), counts)
    assert abs((seen != y).sum() - switching.p * len(y)) <= 2 + 1e-9
    F = np.zeros((len(counts), len(counts)), int)
    np.add.at(F, (y[seen != y], seen[seen != y]), 1)
    assert np.array_equal(F, switching.pairs(member))
    assert np.array_equal(F, F.T)


@quick
@given(balances, shares)
def test_whole_parts(counts, share):
    """No pair of classes is further than one row from n·ω·P_k·P_l."""
    switching = rule(counts, share)
    wanted = sum(counts) * switching.transition * switching.shares[:, None]
    np.fill_diagonal(wanted, 0.0)
    F = switching.pairs(0)
    assert (F - wanted > -1 - 1e-9).all()
    assert (F - wanted < 1 + 1e-9).all()


@quick
@given(balances, shares)
def test_transition(counts, share):
    """P(l | k) are probabilities that keep the shares of the classes and switch a fraction p."""
    switching = rule(counts, share)
    P, M = switching.shares, switching.transition
    assert (M >= 0).all()
    np.testing.assert_allclose(M.sum(axis=1), 1.0)
    np.testing.assert_allclose(P @ M, P, atol=1e-12)
    assert 1 - P @ np.diag(M) == pytest.approx(switching.p, abs=1e-12)


@quick
@given(balances)
def test_limits(counts):
    """Below p_safe the own label is the most probable of every class, above it is not of the rarest; at p_max every class sees
    the same labels."""
    P = np.array(counts) / sum(counts)
    safe = rule(counts, 0.0).p_safe
    assert safe <= rule(counts, 0.0).p_max + 1e-15
    below = Switching(safe * (1 - 1e-9), np.array(counts)).transition
    assert (np.diag(below)[:, None] + 1e-12 >= below).all()
    above = Switching(safe * (1 + 1e-6), np.array(counts)).transition
    rare = int(P.argmin())
    if P.max() > P.min():
        assert above[rare].argmax() != rare
    limit = Switching(rule(counts, 0.0).p_max, np.array(counts)).transition
    np.testing.assert_allclose(limit, np.tile(P, (len(P), 1)), atol=1e-12)


def test_mean_over_members():
    """Over many members the labels are those of the transition matrix, to within four standard errors; small classes too."""
    counts, members = np.array([3, 5, 9, 23]), 2000
    switching = rule(counts, 0.6)
    seen = np.array([switching.pairs(member) for member in range(members)])
    wanted = 40 * switching.transition * switching.shares[:, None]
    np.fill_diagonal(wanted, 0.0)
    assert (np.abs(seen.mean(axis=0) - wanted) <= 4 * seen.std(axis=0) / np.sqrt(members)).all()
    assert seen[:, 0, 1].any()


@quick
@given(balances, st.floats(0.0, 0.499), st.integers(0, 99), st.integers(0, 99))
def test_any_fraction_at_random(counts, p, seed, member):
    """Without keeping the counts: n·p labels, rounded up or down, each to another class that has rows."""
    counts = np.array([*counts, 0])
    switching = FreeSwitching(p, counts, seed)
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    seen = switching.labels(y, member)
    assert abs((seen != y).sum() - p * len(y)) < 1 + 1e-9
    assert (seen != y).sum() == switching.switched_rows(member)
    assert (counts[seen] > 0).all()


def test_any_fraction_has_its_transition():
    """Over many members every pair of classes as often as P(l | k) = p/(K − 1) says, to within four standard errors."""
    y, members = np.repeat(np.arange(3), [5, 10, 25]), 2000
    switching = FreeSwitching(0.3, np.bincount(y))
    seen = np.array([switching.labels(y, member) for member in range(members)])
    wanted = switching.transition
    np.testing.assert_allclose(wanted, [[0.7, 0.15, 0.15], [0.15, 0.7, 0.15], [0.15, 0.15, 0.7]])
    for k in range(3):
        share = np.bincount(seen[:, y == k].ravel(), minlength=3) / (members * (y == k).sum())
        assert (np.abs(share - wanted[k]) < 4 * np.sqrt(wanted[k] / (members * (y == k).sum()))).all()


def test_the_counts_may_change():
    """The fraction of the course, beside the one that keeps the counts: its limit is 1 − 1/K, and it fits rare classes."""
    y = np.repeat(["common", "rare"], [95, 5])
    X = np.column_stack([np.arange(100.0), np.arange(100.0) % 7])
    model = ClassSwitchingClassifier(0.3, 200, keep_counts=False, random_state=0).fit(X, y)
    assert model.p_max_ == 0.5
    np.testing.assert_allclose(model.switched_, 0.3)
    np.testing.assert_allclose(model.transition_, [[0.7, 0.3], [0.3, 0.7]])
    assert model.score(X, y) > 0.95
    with pytest.raises(ValueError, match=r"p=0.5 is too large: .* from p_max = 1 − 1/K = 0.5 on"):
        ClassSwitchingClassifier(0.5, keep_counts=False).fit(X, y)
    with pytest.raises(ValueError, match=r"p=0.3 is too large"):
        ClassSwitchingClassifier(0.3).fit(X, y)
    found = switching_errors(X, y, X, y, p=(0.1, 0.4), n_estimators=3, keep_counts=False, random_state=0)
    assert found.errors.shape == (2, 3)


def test_rows_are_drawn_at_random():
    """Over many members every row of a class is switched as often as any other."""
    y = np.repeat([0, 1], [20, 30])
    switching = Switching(0.2, np.array([20, 30]))
    times = np.sum([switching.labels(y, member) != y for member in range(1500)], axis=0)
    for k, mean in ((0, 1500 * 5 / 20), (1, 1500 * 5 / 30)):
        spread = np.sqrt(mean * (1 - mean / 1500))
        assert (np.abs(times[y == k] - mean) <= 4.5 * spread).all()


def test_functions_of_seed_and_number():
    """A member sees the same labels in every ensemble of that seed."""
    switching = rule([40, 60], 0.5, 3)
    y = np.repeat([0, 1], [40, 60])
    assert np.array_equal(switching.labels(y, 2), switching.labels(y, 2))
    assert not np.array_equal(switching.labels(y, 2), switching.labels(y, 3))
    assert not np.array_equal(switching.labels(y, 2), rule([40, 60], 0.5, 4).labels(y, 2))


# ---- the ensemble ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [None, TheirTree(), GaussianNB(), KNeighborsClassifier(1)], ids=str)
@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_votes_by_hand(base, voting):
    """The ensemble's shares are the mean of its members' answers."""
    model = ClassSwitchingClassifier(0.3, 4, base, voting=voting, random_state=0).fit(IRIS, NAMES)
    expected = np.mean(
        [
            member.predict_proba(IRIS) if voting == "soft" else member.predict(IRIS)[:, None] == model.classes_
            for member in model.estimators_
        ],
        axis=0,
    )
    np.testing.assert_allclose(model.predict_proba(IRIS), expected, atol=1e-12)
    assert np.array_equal(model.predict(IRIS), model.classes_[expected.argmax(axis=1)])


def test_members_fit_the_labels_they_see():
    """A full tree repeats the switched labels wherever no two rows are the same; so the attributes can be checked."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.repeat(["a", "b"], [80, 120])
    model = ClassSwitchingClassifier(0.25, 6, random_state=1).fit(X, y)
    for member, fraction in zip(model.estimators_, model.switched_, strict=True):
        said = member.predict(X)
        assert np.mean(said != y) == pytest.approx(fraction)
        assert (said == "a").sum() == 80
    assert model.p_max_ == pytest.approx(1 - 0.4**2 - 0.6**2)
    assert np.abs(model.switched_ - 0.25).max() <= 2 / 200
    np.testing.assert_allclose(model.transition_[0, 1], 0.25 / model.p_max_ * 0.6)


def test_nothing_switched_is_one_tree():
    """With p = 0 all members are the tree of the rows."""
    model = ClassSwitchingClassifier(0.0, 5, random_state=0).fit(IRIS, NAMES)
    tree = DecisionTreeClassifier().fit(IRIS, NAMES)
    for stage in model.staged_predict_proba(IRIS):
        np.testing.assert_allclose(stage, tree.predict_proba(IRIS), atol=1e-12)
    assert not model.switched_.any()


def test_many_members_are_needed():
    """A single member is about as bad as its labels; hundreds of them are better than a tree on rows not seen."""
    X, y = load_breast_cancer(return_X_y=True)
    train, test = np.arange(569) % 2 == 0, np.arange(569) % 2 == 1
    tree = 1 - DecisionTreeClassifier().fit(X[train], y[train]).score(X[test], y[test])
    table = switching_errors(X[train], y[train], X[test], y[test], (0.1, 0.2, 0.3), 150, random_state=0)
    assert table.errors.shape == (3, 150)
    assert (np.diff(table.errors[:, 0]) > 0).all()
    assert table.errors[2, 0] > tree
    assert table.errors[1, -1] < tree


def test_weights():
    """Members know the weights of the rows: a row of weight 0 is no row, and weights are passed on."""
    weight = np.where(np.arange(150) % 5 == 0, 0.0, 1.0 + np.arange(150) % 2)
    whole = ClassSwitchingClassifier(0.2, 5, random_state=0).fit(IRIS, NAMES, weight)
    part = ClassSwitchingClassifier(0.2, 5, random_state=0).fit(IRIS[weight > 0], NAMES[weight > 0], weight[weight > 0])
    assert np.array_equal(whole.predict_proba(IRIS), part.predict_proba(IRIS))
    plain = ClassSwitchingClassifier(0.2, 5, random_state=0).fit(IRIS[weight > 0], NAMES[weight > 0])
    assert [tree.tree_.weighted_n_node_samples[0] for tree in part.estimators_] == [weight.sum()] * 5
    assert not np.array_equal(plain.forest_.impurity, part.forest_.impurity)


def test_costs():
    """Costs of the tree decide the answer, as in the tree itself."""
    X, y = load_breast_cancer(return_X_y=True)
    dear = DecisionTreeClassifier(costs=[[0, 1], [20, 0]])
    said = [ClassSwitchingClassifier(0.2, 20, base, random_state=0).fit(X, y).predict(X).mean() for base in (None, dear)]
    assert said[1] > said[0]


def test_warm_start_with_other_members(tmp_path):
    """More members are added to those there are; pickles and files bring them back."""
    model = ClassSwitchingClassifier(0.2, 3, GaussianNB(), warm_start=True, random_state=0).fit(IRIS, NAMES)
    model.set_params(n_estimators=6).fit(IRIS, NAMES)
    whole = ClassSwitchingClassifier(0.2, 6, GaussianNB(), random_state=0).fit(IRIS, NAMES)
    assert np.array_equal(model.predict_proba(IRIS), whole.predict_proba(IRIS))
    assert np.array_equal(pickle.loads(pickle.dumps(whole)).predict_proba(IRIS), whole.predict_proba(IRIS))
    for one in (whole, ClassSwitchingClassifier(0.2, 3, random_state=0).fit(IRIS, NAMES)):
        aprendiz.save(one, tmp_path / "m.apz")
        assert np.array_equal(aprendiz.load(tmp_path / "m.apz").predict_proba(IRIS), one.predict_proba(IRIS))


def test_files_and_words(tmp_path):
    """Rows of a file give the ensemble of the rows in memory; words are taken as they are."""
    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    frame.assign(y=NAMES).to_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    model = ClassSwitchingClassifier(0.2, 4, random_state=0)
    expected = model.fit(IRIS, NAMES).predict_proba(IRIS)
    assert np.array_equal(model.fit(rows).predict_proba(frame), expected)
    words = frame.assign(e=np.where(KINDS == 0, "small", "large"))
    assert ClassSwitchingClassifier(0.2, 30, random_state=0).fit(words, NAMES).score(words, NAMES) > 0.9


# ---- several fractions -----------------------------------------------------------------------------------------------


def test_switching_errors():
    """The errors are those of the ensembles of each size, fraction by fraction; as text, a table of some sizes."""
    train, test = np.arange(150) % 2 == 0, np.arange(150) % 2 == 1
    table = switching_errors(IRIS[train], NAMES[train], IRIS[test], NAMES[test], (0.1, 0.3), 12, random_state=4)
    assert list(table.members) == list(range(1, 13))
    for p, errors in zip((0.1, 0.3), table.errors, strict=True):
        for members in (1, 5, 12):
            model = ClassSwitchingClassifier(p, members, random_state=4).fit(IRIS[train], NAMES[train])
            assert errors[members - 1] == pytest.approx(1 - model.score(IRIS[test], NAMES[test]))
    assert np.array_equal(table.best, np.where(table.errors[0] <= table.errors[1], 0.1, 0.3))
    lines = str(table).splitlines()
    assert lines[0].split() == ["members", "p", "=", "0.1", "p", "=", "0.3"]
    assert [int(line.split()[0]) for line in lines[1:]] == [1, 2, 3, 4, 6, 8, 12]
    assert float(lines[-1].split()[2]) == pytest.approx(table.errors[1, -1], abs=5e-5)


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_too_many_labels():
    """From p_max on labels say nothing: refused with the shares and the limit, before any work."""
    y = np.repeat(["rare", "common"], [15, 135])
    with pytest.raises(ValueError, match=r"p=0.3 is too large.*'common' 0.9, 'rare' 0.1.*= 0.18 on"):
        ClassSwitchingClassifier().fit(IRIS, y)
    with pytest.raises(ValueError, match=r"p=0.5 is too large"):
        ClassSwitchingClassifier(0.5).fit(IRIS[:100], NAMES[:100])
    with pytest.raises(ValueError, match=r"p=0.7 is too large"):
        switching_errors(IRIS, NAMES, IRIS, NAMES, (0.1, 0.7))
    with pytest.raises(ValueError, match=r"p must be some fractions"):
        switching_errors(IRIS, NAMES, IRIS, NAMES, ())
    with pytest.raises(ValueError, match=r"y_test has shape"):
        switching_errors(IRIS, NAMES, IRIS, NAMES[:9], (0.1,), 2)


def test_outvoted_class():
    """Between p_safe and p_max a warning names the class whose rows mostly carry another label; below there is none."""
    y = np.repeat(["rare", "common"], [15, 135])
    with pytest.warns(UserWarning, match=r"p=0.15 is above 0.1: more rows of class 'rare' are given the label 'common'"):
        model = ClassSwitchingClassifier(0.15, 3, random_state=0).fit(IRIS, y)
    assert model.transition_[1, 0] > model.transition_[1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ClassSwitchingClassifier(0.09, 3, random_state=0).fit(IRIS, y)


@pytest.mark.parametrize(
    ("options", "y", "said"),
    [
        ({"p": -0.1}, NAMES, "p of ClassSwitchingClassifier"),
        ({"p": 1.5}, NAMES, "p of ClassSwitchingClassifier"),
        ({"n_estimators": 0}, NAMES, "n_estimators of ClassSwitchingClassifier"),
        ({"estimator": LinearRegression()}, NAMES, "must be a classifier, but LinearRegression is a regressor"),
        ({}, np.full(150, "one"), "one class"),
        ({}, IRIS[:, 0] + 0.01, "row 0"),
    ],
)
def test_refused(options, y, said):
    """Parameters, base learners and targets that make no sense are refused by name."""
    with pytest.raises(ValueError, match=said):
        ClassSwitchingClassifier(**options).fit(IRIS, y)


def test_weights_that_the_base_ignores():
    """Weights beside a base learner that takes none are refused with its name."""
    with pytest.raises(ValueError, match=r"KNeighborsClassifier does not support sample_weight"):
        ClassSwitchingClassifier(0.1, 3, KNeighborsClassifier()).fit(IRIS, NAMES, 1.0 + np.arange(150) % 3)
