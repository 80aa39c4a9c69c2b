"""Trees from files: a descent follows their arrays without looking, so arrays that lead outside are refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from aprendiz import DecisionTreeClassifier
from aprendiz.persistence.storable import disagreement

WORDS = pd.DataFrame({"a": ["x", "y", "z", "x", "y", "z"], "b": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})


@pytest.mark.parametrize("branch", [-2, 2, 99])
def test_branch_that_a_node_does_not_have(branch):
    """A node with two branches has no third one, nor one before the first."""
    model = DecisionTreeClassifier(max_depth=1).fit(WORDS, [0, 0, 1, 0, 0, 1])
    assert len(model.tree_.level_branch) == 3
    assert disagreement("aprendiz.DecisionTreeClassifier", vars(model)) == ""
    branches = model.tree_.level_branch.copy()
    branches[0] = branch
    tree = replace(model.tree_, level_branch=branches)
    assert "do not go together" in disagreement("aprendiz.DecisionTreeClassifier", {**vars(model), "tree_": tree})


def test_missing_branch():
    """The branch of missing cells is one of the node's, or none."""
    model = DecisionTreeClassifier(max_depth=1).fit(WORDS, [0, 0, 1, 0, 0, 1])
    for branch, sound in ((0, True), (1, True), (-1, True), (2, False), (-2, False)):
        branches = model.tree_.missing_branch.copy()
        branches[0] = branch
        held = {**vars(model), "tree_": replace(model.tree_, missing_branch=np.asarray(branches))}
        assert (disagreement("aprendiz.DecisionTreeClassifier", held) == "") == sound
