"""Cost-complexity pruning: nested subtrees that minimise R(T) + α·leaves, against exhaustive search and scikit-learn."""

import time

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_trees import leaves_after, made, of_sklearn, prunings, random_tree

from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.risk import equal_costs, impurity_risks, risks
from aprendiz.tree.shared.nodes import Tree


def plain_path(tree, risk):
    """Prices and stages as the book has them: g of every node that asks, anew for each stage."""
    stumps, alphas, standing = tree.is_leaf.copy(), [], []
    while True:
        asking = [t for t in range(tree.node_count) if not stumps[t] and is_inside(tree, t, stumps)]
        leaves = leaves_after(tree, stumps)
        below = [[leaf for leaf in leaves if t <= leaf < tree.last[t]] for t in asking]
        g = np.array([(risk[t] - risk[part].sum()) / (len(part) - 1) for t, part in zip(asking, below, strict=True)])
        price = 0.0 if not alphas else alphas[-1]
        if len(g) and g.min() <= price + 1e-12:
            stumps[np.array(asking)[g <= price + 1e-12]] = True
            continue
        alphas, standing = alphas or [0.0], [*standing, leaves]
        if not asking:
            first = [[t in leaves for leaves in standing] for t in range(tree.node_count)]
            return np.array(alphas), np.array([one.index(True) if any(one) else len(alphas) for one in first])
        alphas.append(g.min())


def is_inside(tree, node, stumps):
    """Does no node above it stand as a leaf?"""
    above = tree.parent[node]
    return above < 0 or (not stumps[above] and is_inside(tree, above, stumps))


def some_trees():
    """Random binary and multiway trees with their risks, of rounded numbers so that ties occur."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        branches, classes = 2 + seed % 2, (0, 2, 3)[seed % 3]
        tree = random_tree(rng, 3 if branches > 2 else 4, branches, classes)
        yield tree, impurity_risks(tree) if seed % 4 < 2 else risks(tree, equal_costs(classes) if classes else None)


# ---- laws ------------------------------------------------------------------------------------------------------------


def test_least_of_all_prunings():
    """For many α the subtree has the least R + α·leaves of all prunings, and is inside every other that has it."""
    for tree, risk in some_trees():
        path, every = CostComplexityPath.of(tree, risk), prunings(tree)
        between = (path.alphas[:-1] + path.alphas[1:]) / 2
        for alpha in [*path.alphas, *between, 2 * path.alphas[-1] + 1]:
            found = leaves_after(tree, path.stumps(alpha))
            values = np.array([risk[leaves].sum() + alpha * len(leaves) for leaves in every])
            assert risk[found].sum() + alpha * len(found) == pytest.approx(values.min(), rel=1e-12, abs=1e-14)
            fewest = min(len(leaves) for leaves, value in zip(every, values, strict=True) if value <= values.min() + 1e-12)
            assert len(found) == fewest


def test_nested_and_monotone():
    """Prices rise strictly from 0, leaves fall strictly to the root, risks rise, and each tree is a part of the one before."""
    for tree, risk in some_trees():
        path = CostComplexityPath.of(tree, risk)
        assert path.alphas[0] == 0
        assert (np.diff(path.alphas) > 0).all()
        assert (np.diff(path.leaves) < 0).all()
        assert (np.diff(path.risks) > -1e-15).all()
        assert path.leaves[-1] == 1
        assert path.risks[-1] == pytest.approx(risk[0], abs=1e-14)
        for earlier, later in zip(path.alphas[:-1], path.alphas[1:], strict=True):
            now = path.stumps(later)
            assert all(is_inside(tree, leaf, path.stumps(earlier)) for leaf in leaves_after(tree, now))


def test_leaves_and_risks_of_the_subtrees():
    """What the path says of a subtree is what the cut tree has."""
    for tree, risk in some_trees():
        path = CostComplexityPath.of(tree, risk)
        amount = np.random.default_rng(0).uniform(size=tree.node_count)
        for alpha, leaves, total, summed in zip(path.alphas, path.leaves, path.risks, path.totals(amount), strict=True):
            found = leaves_after(tree, path.stumps(alpha))
            assert path.tree(alpha).n_leaves == leaves == len(found)
            assert total == pytest.approx(risk[found].sum(), abs=1e-13)
            assert summed == pytest.approx(amount[found].sum(), abs=1e-13)


def test_kernel_and_its_plain_twin():
    """The heap gives what the book's search for the least g gives at every stage."""
    for tree, risk in some_trees():
        path = CostComplexityPath.of(tree, risk)
        expected, when = plain_path(tree, risk)
        np.testing.assert_allclose(path.alphas, expected, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(path.stage, when)


def test_equal_strengths_are_cut_together():
    """Two branches of the same g, one with two leaves and one with three, fall at the same price."""
    two, three = [np.array([0, 0, 0]), np.array([1, 1])], [np.array([0, 0]), np.array([1, 1]), np.array([2, 2])]
    tree = made([two, three, np.full(10, 3)], classes=4)
    path = CostComplexityPath.of(tree, risks(tree, equal_costs(4)))
    assert path.alphas[1] == pytest.approx(2 / 21)
    assert path.stage[1] == path.stage[4] == 1
    assert path.leaves.tolist() == [6, 3, 1]


def test_question_without_use():
    """A question that saves nothing is cut at the price 0."""
    tree = made([[np.array([0, 0, 1]), np.array([0])], np.array([1, 1])], classes=2)
    path = CostComplexityPath.of(tree, risks(tree, equal_costs(2)))
    assert path.leaves.tolist() == [2, 1]
    assert path.tree(0.0).n_leaves == 2


def test_single_leaf():
    """A tree without questions has a path of one subtree."""
    tree = Tree.of(
        feature=np.array([-2]),
        threshold=np.array([-2.0]),
        child_start=np.array([0, 0]),
        children=np.zeros(0, np.int64),
        impurity=np.array([0.5]),
        n_node_samples=np.array([4]),
        weighted_n_node_samples=np.array([4.0]),
        value=np.full((1, 1, 2), 0.5),
    )
    path = CostComplexityPath.of(tree, impurity_risks(tree))
    assert (path.alphas.tolist(), path.leaves.tolist(), path.risks.tolist()) == ([0.0], [1], [0.5])


def test_price_by_hand():
    """g = (R(t) − R(T_t)) / (leaves − 1): of 12 rows the root gets 6 wrong, its three leaves 2."""
    tree = made([np.array([0, 0, 0, 0, 0, 1]), np.array([1, 1]), np.array([1, 0, 1, 1])], classes=2)
    path = CostComplexityPath.of(tree, risks(tree, equal_costs(2)))
    np.testing.assert_allclose(path.alphas, [0, (6 / 12 - 2 / 12) / 2])


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


def problem(seed, rows=120):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    score = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=rows)
    return X, score, np.digitize(score, [0, 1.5]), rng.uniform(0.1, 3, size=rows) if seed % 2 else None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_same_as_scikit_learn(kind, seed):
    """Prices and impurities of its path (which repeats a price for every cut), and the trees of its ccp_alpha."""
    X, score, classes, weight = problem(seed)
    target = classes if kind is DecisionTreeClassifier else score
    theirs = kind(random_state=0).fit(X, target, weight)
    tree = of_sklearn(theirs.tree_)
    path = CostComplexityPath.of(tree, impurity_risks(tree))
    their_path = theirs.cost_complexity_pruning_path(X, target, weight)
    last = np.append(np.diff(their_path.ccp_alphas) > 1e-12, True)
    np.testing.assert_allclose(path.alphas, their_path.ccp_alphas[last], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(path.risks, their_path.impurities[last], rtol=1e-9, atol=1e-12)
    for alpha in ((path.alphas[:-1] + path.alphas[1:]) / 2)[:: max(1, len(path.alphas) // 6)]:
        pruned = kind(random_state=0, ccp_alpha=alpha).fit(X, target, weight).tree_
        ours = path.tree(alpha)
        np.testing.assert_array_equal(ours.feature, pruned.feature)
        np.testing.assert_array_equal(ours.threshold, pruned.threshold)
        np.testing.assert_array_equal(ours.children_left, pruned.children_left)
        np.testing.assert_array_equal(ours.value, pruned.value)


# ---- use -------------------------------------------------------------------------------------------------------------


def large_tree(depth):
    """A full binary tree in depth-first order."""
    nodes = 2 ** (depth + 1) - 1
    families, asks = np.zeros((nodes, 2), np.int64), np.zeros(nodes, bool)
    level = [(0, depth)]
    while level:
        node, left = level.pop()
        if left:
            asks[node], families[node] = True, (node + 1, node + 2**left)
            level += [(node + 1, left - 1), (node + 2**left, left - 1)]
    weight = np.ones(nodes)
    return Tree.of(
        feature=np.where(asks, 0, -2),
        threshold=np.zeros(nodes),
        child_start=np.append(0, np.cumsum(2 * asks)),
        children=families[asks].ravel(),
        impurity=np.zeros(nodes),
        n_node_samples=np.ones(nodes, np.int64),
        weighted_n_node_samples=weight,
        value=np.ones((nodes, 1, 1)),
    )


def test_many_nodes():
    """131 071 nodes in well under a second, once the arrays of parents are known."""
    tree = large_tree(16)
    risk = np.random.default_rng(0).uniform(size=tree.node_count) * tree.leaves_below
    CostComplexityPath.of(made([np.array([0]), np.array([1])], classes=2), np.array([1.0, 0.5, 0.0]))
    started = time.perf_counter()
    path = CostComplexityPath.of(tree, risk)
    assert time.perf_counter() - started < 2
    assert path.leaves[-1] == 1


def test_table():
    """One line for each subtree."""
    tree = made([np.array([0, 0, 0]), np.array([1])], classes=2)
    lines = str(CostComplexityPath.of(tree, risks(tree, equal_costs(2)))).split("\n")
    assert lines[0].split() == ["alpha", "leaves", "risk"]
    assert [line.split() for line in lines[1:]] == [["0", "2", "0"], ["0.25", "1", "0.25"]]


def test_what_is_refused():
    """Risks that do not go with the tree or are no numbers, and prices below 0."""
    tree = made([np.array([0, 0, 0]), np.array([1])], classes=2)
    with pytest.raises(ValueError, match=r"risk has shape \(2,\), the tree has 3 nodes"):
        CostComplexityPath.of(tree, np.zeros(2))
    with pytest.raises(ValueError, match=r"risk is too large to be summed \(up to 1e\+308\)"):
        CostComplexityPath.of(tree, np.array([1e308, -1e308, 1e308]))
    with pytest.raises(ValueError, match="risk contains NaN: row 1"):
        CostComplexityPath.of(tree, np.array([1.0, np.nan, 0.0]))
    path = CostComplexityPath.of(tree, impurity_risks(tree))
    for alpha in (-0.5, float("nan")):
        with pytest.raises(ValueError, match=rf"alpha = {alpha} must be a number of at least 0"):
            path.stumps(alpha)
