"""The tree as indented lines: a line for each node, under its parent."""

import numpy as np
import pytest
from random_trees import chain, from_scikit_learn, random_labelled
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from aprendiz.tree.reading.text import to_text

IRIS = load_iris()
LABELS = IRIS.target_names[IRIS.target]


def test_iris():
    """Written down from scikit-learn's tree."""
    labelled = from_scikit_learn(DecisionTreeClassifier(max_depth=2, random_state=0).fit(IRIS.data, LABELS), list("abcd"))
    assert to_text(labelled).split("\n") == [
        "d ≤ 0.8  (150 rows)",
        "├─ yes: setosa  (50 rows, 100 %)",
        "└─ no: d ≤ 1.75  (100 rows)",
        "   ├─ yes: versicolor  (54 rows, 90.7 %)",
        "   └─ no: virginica  (46 rows, 97.8 %)",
    ]
    assert to_text(labelled, max_depth=1, decimals=2).split("\n") == [
        "d ≤ 0.80  (150 rows)",
        "├─ yes: setosa  (50 rows, 100 %)",
        "└─ no: versicolor  (100 rows, 50 %) … 2 leaves below",
    ]


@pytest.mark.parametrize("missing", ["branch", "own", "fractional"])
@pytest.mark.parametrize("seed", range(5))
def test_one_line_for_each_node(seed, missing):
    """Indented by three signs for each question above it."""
    labelled = random_labelled(seed, missing=missing, surrogates=True)
    lines = to_text(labelled).split("\n")
    depths = [0] + [1 + max(line.find("├"), line.find("└")) // 3 for line in lines[1:]]
    np.testing.assert_array_equal(depths, labelled.tree.depth)
    assert len(to_text(labelled, max_depth=2).split("\n")) == (labelled.tree.depth <= 2).sum()


def test_deep_trees():
    """The depth is not limited by the recursion of Python."""
    assert len(to_text(chain(1500)).split("\n")) == 3001


def test_refused():
    with pytest.raises(ValueError, match="max_depth must be a whole number of at least 0, or None, got -1"):
        to_text(random_labelled(0), max_depth=-1)
    with pytest.raises(ValueError, match="decimals must be a whole number"):
        to_text(random_labelled(0), decimals=1.5)
