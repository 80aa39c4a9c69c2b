"""The growth of trees: every question of a fitted tree against an exhaustive search from the definitions."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from exhaustive import Case, allowed, answer, arrivals, branch_entropy, candidates, decrease, impurity, own_answers, value
from growth_cases import KINDS, NUMBERS, made

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor

CLASSES = ("gini", "entropy", "log_loss", "error", "gain_ratio")
SQUARE, ABSOLUTE, POISSON = "squared_error", "absolute_error", "poisson"
EXACT = 1e-9
LARGEST = np.finfo(float).max


# ---- what must hold in every node ------------------------------------------------------------------------------------


def check_node(case, tree, t, rows, w):
    """Rows, weight, impurity and value of a node, from the rows that reach it."""
    assert tree.n_node_samples[t] == len(rows)
    assert tree.weighted_n_node_samples[t] == pytest.approx(w.sum(), rel=EXACT)
    assert tree.impurity[t] == pytest.approx(impurity(case, rows, w), rel=EXACT, abs=EXACT)
    np.testing.assert_allclose(tree.value[t].ravel(), value(case, rows, w), rtol=EXACT, atol=EXACT)


def check_threshold(case, tree, t, rows):
    """A threshold lies in the middle of two neighbouring values of the node, or above all where the rest are missing."""
    cells = case.columns[tree.feature[t]][rows]
    values = np.unique(cells[~np.isnan(cells)])
    if case.ordered[tree.feature[t]]:
        between = np.isclose(tree.threshold[t], (values[1:] + values[:-1]) / 2, rtol=1e-15, atol=0).any()
        assert between or (np.isnan(cells).any() and tree.threshold[t] >= LARGEST)
    else:
        assert np.isnan(tree.threshold[t])


def asked(case, tree, t, rows):
    """The question of a node as a branch for each row it concerns."""
    found = own_answers(tree, t, case.columns, rows)
    return np.where((found < 0) & (case.rule("missing", "own") == "own"), tree.missing_branch[t], found)


def check_question(case, tree, t, rows, w):
    """No allowed question lowers the impurity more (gain ratio: C4.5's rule, see growth.py)."""
    question, found = asked(case, tree, t, rows), candidates(case, rows, w)
    assert allowed(case, w, question)
    gain = decrease(case, rows, w, question)
    best = {j: max(one for one, _ in known) for j, known in found.items()}
    close = EXACT * (1 + w.sum() * impurity(case, rows, w))
    if case.criterion != "gain_ratio":
        assert gain == pytest.approx(max(best.values()), abs=close)
        return
    average = np.mean(list(best.values()))
    assert gain == pytest.approx(best[tree.feature[t]], abs=close)
    assert gain >= average - close
    ratio = gain / w.sum() / branch_entropy(w, question)
    for j, known in found.items():  # of a column with several best questions, the one with the smallest ratio counts
        if best[j] >= average + close:
            tied = [b for one, b in known if one >= best[j] - close]
            assert ratio >= min(best[j] / w.sum() / branch_entropy(w, b) for b in tied) - EXACT


def check_leaf(case, tree, t, rows, w):
    """A leaf has one of the stated reasons."""
    least, weight = case.rule("min_samples_leaf", 1), case.rule("min_weight_fraction_leaf", 0.0) * case.w.sum()
    if (
        impurity(case, rows, w) < 1e-12
        or tree.depth[t] == case.rule("max_depth", -1)
        or len(rows) < case.rule("min_samples_split", 2)
        or len(rows) < 2 * least
        or w.sum() < 2 * weight
        or "max_leaf_nodes" in case.rules
    ):
        return
    best = max((gain for known in candidates(case, rows, w).values() for gain, _ in known), default=-np.inf)
    beta = case.rule("min_impurity_decrease", 0.0)
    nothing = case.criterion == "gain_ratio" and best < EXACT
    assert best == -np.inf or nothing or best / case.w.sum() < beta + 1e-12


def check(case, learner, _=None):
    """Every node of a tree."""
    tree = learner.tree_
    for t, (rows, w) in arrivals(tree, case.columns, case.w).items():
        check_node(case, tree, t, rows, w)
        if tree.feature[t] < 0:
            check_leaf(case, tree, t, rows, w)
        else:
            check_threshold(case, tree, t, rows)
            check_question(case, tree, t, rows, w)
            beta = case.rule("min_impurity_decrease", 0.0)
            assert decrease(case, rows, w, asked(case, tree, t, rows)) / case.w.sum() >= beta - 1e-12
    assert learner.certificate_.holds


# ---- criteria, kinds of columns, weights -----------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_classes(criterion, classes, weights):
    """Mixed tables, all criteria; subsets of levels are all tried."""
    check(*made(classes, criterion, KINDS, classes=classes, weights=weights))


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("criterion", [SQUARE, POISSON])
def test_numbers(criterion, outputs, weights):
    """The same for one and two outputs."""
    check(*made(outputs, criterion, KINDS, outputs=outputs, weights=weights))


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_absolute_errors(weights, outputs):
    """Absolute errors: numbers, ordered levels, two levels and many branches are searched exactly."""
    check(*made(0, ABSOLUTE, (*NUMBERS, "ordinal", "binary"), weights=weights, outputs=outputs))
    check(*made(1, ABSOLUTE, ("words", "ties"), weights=weights, levels=2, outputs=outputs))
    check(*made(2, ABSOLUTE, ("words", "ordinal", "ties"), weights=weights, categories="multiway", outputs=outputs))


def test_levels_in_the_order_of_several_medians():
    """Levels that differ in the second target alone are told apart: the order is not that of the first target's medians."""
    z = np.array([0.0, 0.1, 0.0, 0.1, 0.0, 0.1, 0.0, 0.1])
    y = np.column_stack([z, np.repeat([5.0, 0.0, 5.0, 0.0], 2)])
    table = pd.DataFrame({"word": np.repeat(["a", "b", "c", "d"], 2)})
    model = DecisionTreeRegressor(criterion=ABSOLUTE, max_depth=1).fit(table, y)
    np.testing.assert_array_equal(model.predict(table)[:, 1], y[:, 1])


@pytest.mark.parametrize("criterion", [*CLASSES, SQUARE, POISSON])
def test_many_branches(criterion):
    """A branch for each level."""
    for seed in range(2):
        check(*made(seed, criterion, KINDS, classes=3 * (criterion in CLASSES), categories="multiway", weights="real"))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", SQUARE, POISSON])
def test_best_subset_is_a_cut(criterion):
    """Two classes or one number, many levels: the cuts in the order of the means hold the best of all 2^(M−1) − 1 subsets."""
    check(*made(0, criterion, ["words"], n=60, classes=2 * (criterion in CLASSES), levels=10, max_depth=1))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_more_classes_more_levels(criterion):
    """Three classes and ten levels: all subsets are tried."""
    check(*made(0, criterion, ["words"], n=60, classes=3, levels=10, max_depth=1, weights="real"))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", SQUARE, POISSON, ABSOLUTE])
@pytest.mark.parametrize("n", [60, 300])
def test_larger_nodes(criterion, n):
    """Nodes whose columns are tallied in histograms (60 rows), and columns of more than 255 values (300)."""
    classes = 3 * (criterion in CLASSES)
    check(*made(1, criterion, ("continuous", "ties"), n=n, classes=classes, weights="real", max_depth=1 if n == 300 else 3))
    if n == 300:
        check(*made(2, criterion, ("continuous", "ties"), n=n, classes=classes, holes=0.1, max_depth=1))


# ---- missing cells ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "gain_ratio", SQUARE, POISSON])
def test_missing(criterion, missing):
    """Missing cells: a branch or level of their own, surrogates, or shares; decreases are over the rows that are known."""
    classes = 3 * (criterion in CLASSES)
    for seed in range(2):
        check(*made(seed, criterion, KINDS, n=20, classes=classes, holes=0.25, weights="real", missing=missing, max_depth=4))


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
def test_missing_absolute_errors(missing):
    """The same for absolute errors, with a word that is known or not."""
    for seed in range(3):
        kinds = (*NUMBERS, "words")
        check(*made(seed, ABSOLUTE, kinds, n=20, levels=1, holes=0.25, weights="real", missing=missing, max_depth=4))


@pytest.mark.parametrize("missing", ["own", "fractional"])
def test_missing_many_branches(missing):
    """Missing cells with a branch for each level."""
    for seed in range(4):
        for criterion in ("entropy", "gain_ratio"):
            rules = {"missing": missing, "categories": "multiway", "max_depth": 3}
            check(*made(seed, criterion, ("words", "ordinal", "ties"), n=20, classes=3, holes=0.25, **rules))


def best_agreement(cells, ordered, direction, w):
    """The weight that the best substitute question about a column sends where the node's question does."""
    known = ~np.isnan(cells) & (direction >= 0)
    cells, direction, w = cells[known], direction[known], w[known]
    if not ordered:
        return sum(max(w[(cells == c) & (direction == b)].sum() for b in (0, 1)) for c in np.unique(cells)), w.sum()
    cuts = [(cells > low).astype(int) for low in np.unique(cells)[:-1]]
    return max((max(w[cut == direction].sum(), w[cut != direction].sum()) for cut in cuts), default=0.0), w.sum()


def test_surrogates():
    """Surrogates agree best of all questions about their column, are in that order, and beat the larger branch."""
    number = 0
    for seed in range(8):
        case, learner, _ = made(seed, "gini", KINDS, n=30, classes=3, holes=0.2, weights="real", missing="surrogate")
        tree = learner.tree_
        for t, (rows, w) in arrivals(tree, case.columns, case.w).items():
            if tree.feature[t] < 0:
                continue
            own, expected = own_answers(tree, t, case.columns, rows), {}
            for j in set(range(len(KINDS))) - {tree.feature[t]}:
                agreed, both = best_agreement(case.columns[j][rows], case.ordered[j], own, w)
                known = ~np.isnan(case.columns[j][rows])
                larger = max(w[known & (own == b)].sum() for b in (0, 1))
                if len(np.unique(case.columns[j][rows][known & (own >= 0)])) > 1 and agreed > larger * (1 + EXACT):
                    expected[j] = agreed, agreed / both
            kept = slice(tree.surrogate_start[t], tree.surrogate_start[t + 1])
            there = tree.surrogate_feature[kept]
            assert len(there) == min(5, len(expected))
            np.testing.assert_allclose(tree.surrogate_agreement[kept], [expected[j][1] for j in there], rtol=EXACT)
            amounts = [expected[j][0] for j in there]
            assert (np.diff(amounts) <= EXACT).all()
            assert all(agreed <= min(amounts, default=0) + EXACT for j, (agreed, _) in expected.items() if j not in there)
            number += len(there)
    assert number > 20


def test_surrogates_send_rows_where_the_question_does():
    """Of the rows whose cells are known to both, the share that a surrogate sends the same way is its agreement."""
    number = 0
    for seed in range(4):
        case, learner, _ = made(seed, "gini", KINDS, n=30, classes=3, holes=0.2, weights="real", missing="surrogate")
        tree = learner.tree_
        for t, (rows, w) in arrivals(tree, case.columns, case.w).items():
            own = own_answers(tree, t, case.columns, rows) if tree.feature[t] >= 0 else None
            for s in range(tree.surrogate_start[t], tree.surrogate_start[t + 1]):
                levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
                question = tree.surrogate_threshold[s], levels, tree.surrogate_first[s]
                said = [answer(case.columns[tree.surrogate_feature[s]][i], *question) for i in rows]
                both = np.array([b is not None for b in said]) & (own >= 0)
                same = np.array([b == o for b, o in zip(said, own, strict=True)])
                assert w[both & same].sum() / w[both].sum() == pytest.approx(tree.surrogate_agreement[s], rel=EXACT)
                number += 1
    assert number > 10


# ---- stopping --------------------------------------------------------------------------------------------------------

STOPS = (
    {"min_samples_leaf": 4},
    {"min_samples_split": 9},
    {"min_weight_fraction_leaf": 0.15},
    {"min_impurity_decrease": 0.03},
    {"max_depth": 2},
    {"min_samples_leaf": 3, "min_weight_fraction_leaf": 0.1, "min_impurity_decrease": 0.01, "max_depth": 4},
)


@pytest.mark.parametrize("rules", STOPS, ids=lambda rules: "+".join(rules))
@pytest.mark.parametrize("criterion", ["gini", "entropy", SQUARE, ABSOLUTE])
def test_stops(criterion, rules):
    """Branches are large enough, decreases large enough, and leaves are leaves for these reasons only."""
    classes = 3 * (criterion in CLASSES)
    kinds = ("ties", "continuous", "ordinal", *(["words"] if classes else []))  # cuts of levels may miss a constrained best
    check(*made(0, criterion, kinds, classes=classes, weights="real", **rules))
    check(*made(1, criterion, kinds, classes=classes, holes=0.2, **rules))


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", SQUARE, ABSOLUTE])
def test_small_branches(criterion):
    """Of the branches for each level, two must be large enough."""
    for seed in range(4):
        rules = {"categories": "multiway", "min_samples_leaf": 7 + seed}
        check(*made(seed, criterion, ("words", "words"), n=30, classes=3 * (criterion in CLASSES), levels=5, **rules))


@pytest.mark.parametrize("criterion", ["gini", "entropy", SQUARE])
def test_best_first(criterion):
    """With k leaves, the nodes of largest decrease are divided, one after the other, among those that there are."""
    kinds = ("continuous", "continuous", "words" if criterion == "entropy" else "continuous")
    classes = 2 * (criterion in CLASSES)
    for most in (2, 5, 13):
        case, learner, _ = made(7, criterion, kinds, n=40, classes=classes, weights="real", max_leaf_nodes=most)
        check(case, learner)
        tree, gains = learner.tree_, {}
        for t, (rows, w) in arrivals(tree, case.columns, case.w).items():
            known = candidates(case, rows, w) if impurity(case, rows, w) > 1e-12 else {}
            gains[t] = max((gain for some in known.values() for gain, _ in some), default=-np.inf)
        waiting = {0}
        while len(waiting) < tree.n_leaves:
            first = max(waiting, key=gains.get)
            assert tree.feature[first] >= 0
            waiting = waiting - {first} | set(tree.children_of(first).tolist())
        assert tree.n_leaves == most or max(gains[t] for t in waiting) == -np.inf
        assert not (tree.missing_branch[tree.is_leaf]).any()


@pytest.mark.parametrize("most", range(2, 9))
def test_leaves_never_above(most):
    """Many branches at once never lead to more leaves than allowed."""
    case, learner, _ = made(most, "gini", ("words", "ordinal", "ties"), classes=3, categories="multiway", max_leaf_nodes=most)
    check(case, learner)
    assert learner.tree_.n_leaves <= most


# ---- zero counts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
def test_no_mean_of_zero(missing):
    """A Poisson mean is above 0 in every branch, of numbers and of words."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        columns = [np.where(rng.uniform(size=40) < 0.1, np.nan, rng.integers(0, 9, 40).astype(float)) for _ in range(2)]
        columns.append((rng.permutation(40) % 3).astype(float))
        y = np.where(columns[0] > 3, rng.choice([0.1, 0.2, 0.3, 0.7], 40), 0.0)[:, None]
        frame = pd.DataFrame(dict(zip("abc", columns, strict=True))).assign(c=[f"w{k:.0f}" for k in columns[2]])
        learner = DecisionTreeRegressor(criterion=POISSON, missing=missing, max_depth=4).fit(frame, y[:, 0])
        assert learner.tree_.value.min() > 0
        check(Case(columns, [True, True, False], y, np.ones(40), POISSON, rules={"missing": missing, "max_depth": 4}), learner)


def test_rounding_is_no_mean():
    """A branch of zeros is refused also where the sum of all rows, less that of the other branch, is only nearly 0."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 9, (60, 1)).astype(float)
        y = np.where(x[:, 0] > 3, 0.0, rng.choice([0.1, 0.2, 0.3, 0.7], 60))
        assert DecisionTreeRegressor(criterion=POISSON).fit(x, y).tree_.value.min() > 0


# ---- priors and costs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
@pytest.mark.parametrize("priors", [None, (0.2, 0.7, 0.1)], ids=["shares", "priors"])
@pytest.mark.parametrize("costs", [None, ((0, 1, 9), (2, 0, 1), (1, 0.5, 0))], ids=["errors", "costs"])
def test_priors_and_costs(criterion, priors, costs):
    """Shares are those of the priors, questions those of the altered priors π_k·Σ_l C(k, l), answers those of least cost."""
    for seed in range(2):
        rules = {"max_depth": 4, "min_samples_leaf": 2}
        given, _, frame = made(seed, criterion, KINDS, n=40, classes=3, weights="real", **rules)
        learner = DecisionTreeClassifier(criterion=criterion, priors=priors, costs=costs, **rules)
        tree = learner.fit(frame, given.y, sample_weight=given.w).tree_
        total = np.bincount(given.y, given.w)
        share = given.w * (total.sum() * np.array(priors) / total if priors else np.ones(3))[given.y]
        by_cost = np.ones((3, 3)) - np.eye(3) if costs is None else np.array(costs)
        case = replace(given, w=share * by_cost.sum(axis=1)[given.y])
        for t, (rows, w) in arrivals(tree, case.columns, case.w).items():
            assert tree.impurity[t] == pytest.approx(impurity(case, rows, w), abs=EXACT)
            np.testing.assert_allclose(tree.value[t, 0], value(case, rows, share[rows]), atol=EXACT)
            assert tree.weighted_n_node_samples[t] == pytest.approx(share[rows].sum())
            if tree.feature[t] >= 0:
                check_question(case, tree, t, rows, w)
        expected = learner.predict_proba(frame) @ by_cost
        np.testing.assert_array_equal(learner.predict(frame), np.argmin(expected, axis=1))
        assert learner.certificate_.holds
        assert (learner.feature_importances_ >= -EXACT).all()


def test_priors_are_weights():
    """Priors are the same as weights that give the classes these shares."""
    case, _, frame = made(1, "gini", KINDS, n=40, classes=3, weights="real")
    priors = np.array([0.5, 0.2, 0.3])
    weight = case.w * (priors / np.bincount(case.y, case.w))[case.y]
    one = DecisionTreeClassifier(priors=priors).fit(frame, case.y, sample_weight=case.w).tree_
    other = DecisionTreeClassifier().fit(frame, case.y, sample_weight=weight).tree_
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)
