"""Worked examples of pruning: the cost-complexity path of the tumour tree (M-03)."""

import numpy as np

from aprendiz import datasets
from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.risk import equal_costs, risks
from aprendiz.tree.shared.nodes import Tree


def tumour_tree():
    """The tree of the course: size at the root; large tumours by symmetry, medium ones by smoothness, small ones are benign."""
    frame = datasets.load("tumour").frame
    large, medium, small = (frame["size"] == size for size in ("large", "medium", "small"))
    parts = [
        frame["size"].notna(),
        *(large, large & (frame["symmetry"] == "no"), large & (frame["symmetry"] == "yes")),
        *(medium, medium & (frame["smoothness"] == "high"), medium & (frame["smoothness"] == "medium")),
        small,
    ]
    malignant = np.array([(frame["diagnosis"][part] == "malignant").mean() for part in parts])
    rows = np.array([part.sum() for part in parts])
    return Tree.of(
        feature=np.array([0, 2, -2, -2, 1, -2, -2, -2]),
        threshold=np.array([np.nan, np.nan, -2, -2, np.nan, -2, -2, -2]),
        child_start=np.array([0, 3, 5, 5, 5, 7, 7, 7, 7]),
        children=np.array([1, 4, 7, 2, 3, 5, 6]),
        impurity=2 * malignant * (1 - malignant),
        n_node_samples=rows,
        weighted_n_node_samples=rows.astype(float),
        value=np.column_stack([1 - malignant, malignant])[:, None, :],
    )


def test_path_of_the_tumour_tree():
    """M-03: 5, 3 and 1 leaves at the prices 0, 1/14 and 3/28; the error on the 14 rows is 0, 2 and 5."""
    tree = tumour_tree()
    path = CostComplexityPath.of(tree, risks(tree, equal_costs(2)))
    assert path.leaves.tolist() == [5, 3, 1]
    np.testing.assert_allclose(path.alphas, [0, 1 / 14, 3 / 28], rtol=1e-12)
    np.testing.assert_allclose(14 * path.risks, [0, 2, 5], atol=1e-12)
    assert np.flatnonzero(path.stumps(1 / 14 + 1e-9)).tolist() == [1, 4]


def test_the_denominator_counts_the_leaves_of_the_branch():
    """Errata of M: with the leaves of the whole tree, 5, below the line, g of both branches would be 1/56, not 1/14; the tree
    cut there would not minimise R + α·leaves, since at 1/56 < α < 1/14 the full tree costs less."""
    tree = tumour_tree()
    risk = risks(tree, equal_costs(2))
    path = CostComplexityPath.of(tree, risk)
    wrong, alpha = (risk[1] - 0) / (tree.n_leaves - 1), 1 / 28
    assert wrong < alpha < path.alphas[1]
    full, cut = risk[tree.is_leaf].sum() + 5 * alpha, risk[[1, 4, 7]].sum() + 3 * alpha
    assert full < cut
    assert path.tree(alpha).n_leaves == 5
