"""C4.5's pessimistic pruning: upper limits of binomial error rates, and the example of Quinlan's book."""

import numpy as np
import pytest
from scipy.stats import binom
from small_trees import leaves_after, made, prunings, random_tree

from aprendiz.tree.pruning.pessimistic import pessimistic_errors, pessimistic_stumps, upper_limit
from aprendiz.tree.pruning.risk import equal_costs

# ---- the limit -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.6])
def test_definition(confidence):
    """With the limit as error rate, E errors or fewer of N have probability CF."""
    for rows in (1, 2, 6, 16, 150):
        for errors in range(min(rows, 12)):
            limit = upper_limit(errors, rows, confidence)
            assert binom.cdf(errors, rows, limit) == pytest.approx(confidence, rel=1e-9)
    assert upper_limit(7, 7, confidence) == 1


def test_numbers_of_the_book():
    """Quinlan 1993, section 4.2: U(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750. Its 0.157 for U(1, 16) comes from the
    normal approximation of the C4.5 program; the limit defined there is 0.160."""
    np.testing.assert_allclose(upper_limit([0, 0, 0], [6, 9, 1]), [0.206, 0.143, 0.750], atol=5e-4)
    assert upper_limit(1, 16) == pytest.approx(0.157, abs=3e-3)
    z = 0.84 + (0.25 - 0.84) * (0.25 - 0.20) / (0.40 - 0.20)  # between the entries 0.84 and 0.25 of the program's table
    centre, width = 1.5 + z**2 / 2, z * np.sqrt(1.5 * (1 - 1.5 / 16) + z**2 / 4)
    assert (centre + width) / (16 + z**2) == pytest.approx(0.157, abs=5e-4)


def test_without_errors():
    """1 − CF^(1/N), for any N."""
    rows = np.array([0.3, 1.0, 2.5, 40.0])
    np.testing.assert_allclose(upper_limit(0.0, rows), 1 - 0.25 ** (1 / rows), rtol=1e-12)


def test_between_whole_numbers():
    """Rising in E, falling in N at a given share, and between the values of the whole numbers around."""
    errors = np.linspace(0, 5, 41)
    assert (np.diff(upper_limit(errors, 10.0)) > 0).all()
    assert (np.diff(upper_limit(0.2 * np.arange(1, 30), np.arange(1, 30))) < 0).all()
    assert upper_limit(1, 10) < upper_limit(1.5, 10) < upper_limit(2, 10)


# ---- the tree --------------------------------------------------------------------------------------------------------


def test_vote_example():
    """The book's subtree on votes: leaves with (6, 0), (9, 0) and (1, 0) rows and errors predict 3.273 errors, one leaf with
    (16, 1) predicts fewer (2.512 in the book, 2.554 exactly), so it is cut."""
    tree = made([np.zeros(6, int), np.zeros(9, int), np.ones(1, int)], classes=2)
    errors = pessimistic_errors(tree)
    assert errors[1:].sum() == pytest.approx(3.273, abs=2e-3)
    assert errors[0] == pytest.approx(2.512, abs=0.05)
    assert pessimistic_stumps(tree, equal_costs(2)).tolist() == [True, False, False, False]


def test_least_of_all_prunings():
    """The predicted errors add, so no pruning predicts fewer, and none that predicts as few has fewer leaves."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        tree = random_tree(rng, 3, 3, 2)
        errors, found = pessimistic_errors(tree), leaves_after(tree, pessimistic_stumps(tree, equal_costs(2)))
        values = [errors[leaves].sum() for leaves in prunings(tree)]
        assert errors[found].sum() == pytest.approx(min(values), rel=1e-12)
        fewest = min(len(p) for p, value in zip(prunings(tree), values, strict=True) if value <= min(values) + 1e-9)
        assert len(found) == fewest


def test_smaller_confidence_prunes_more():
    """Leaves of random trees at three confidences; and twenty times the rows of the votes keep what they alone do not."""
    trees = [random_tree(np.random.default_rng(seed), 4, 2, 2) for seed in range(20)]
    cut = [[tree.pruned(pessimistic_stumps(tree, equal_costs(2), cf)).n_leaves for tree in trees] for cf in (0.01, 0.25, 0.9)]
    assert sum(cut[0]) < sum(cut[1]) < sum(cut[2])
    many = made([np.zeros(120, int), np.zeros(180, int), np.ones(20, int)], classes=2)
    assert not pessimistic_stumps(many, equal_costs(2)).any()


def test_what_is_refused():
    """Regressions, costs, and confidences and errors that are none."""
    numbers, classes = made([np.array([0.0]), np.array([1.0])]), made([np.array([0]), np.array([1])], classes=2)
    with pytest.raises(ValueError, match="a regression has none: prune by cost complexity"):
        pessimistic_stumps(numbers, None)
    with pytest.raises(ValueError, match="knows no costs: prune by cost complexity"):
        pessimistic_stumps(classes, np.array([[0.0, 2.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match=r"costs has shape \(3, 3\)"):
        pessimistic_stumps(classes, equal_costs(3))
    for confidence in (0.0, 1.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match=r"confidence = .* must lie between 0 and 1"):
            pessimistic_stumps(classes, equal_costs(2), confidence)
    with pytest.raises(ValueError, match="errors must lie between 0 and the number of rows"):
        upper_limit(3, 2)
