"""Codes of cells: every question of a forest has the same answer about the code as about the cell."""

import numpy as np
import pandas as pd

from aprendiz import RandomForestRegressor
from aprendiz.ensemble.importance.threshold_codes import ThresholdCodes
from aprendiz.tree.shared.descent import cells_of

RNG = np.random.default_rng(1)
SIZES = pd.Categorical(RNG.choice(["small", "medium", "large"], size=120), ["small", "medium", "large"], ordered=True)
FRAME = pd.DataFrame(
    {
        "x": np.where(RNG.random(120) < 0.2, np.nan, RNG.normal(size=120).round(1)),
        "word": RNG.choice(["a", "b", "c", "d"], size=120),
        "size": SIZES,
    }
)


def test_cuts():
    """x ≤ threshold ⇔ code ≤ cut for numbers and ordered levels; questions about levels have no cut; missing is the last."""
    model = RandomForestRegressor(5, random_state=0).fit(FRAME, RNG.normal(size=120))
    table, forest = model._table.X, model.forest_
    found, (numbers, codes, where) = ThresholdCodes.of(forest, table), cells_of(table)
    assert found.cells.dtype == np.uint16
    assert found.ordered.tolist() == [True, False, True]
    for j in range(3):
        own = numbers[:, where[j]] if where[j] >= 0 else np.where(codes[:, -1 - where[j]] < 0, np.nan, codes[:, -1 - where[j]])
        known = ~np.isnan(own)
        assert (found.cells[~known, j] == 65535).all()
        nodes = np.flatnonzero(forest.nodes["feature"] == j)
        assert len(nodes) > 5
        for t in nodes:
            threshold = forest.nodes["threshold"][t]
            assert (found.cut[t] == -1) == (j == 1) == np.isnan(threshold)
            if j != 1:
                np.testing.assert_array_equal(own[known] <= threshold, found.cells[known, j] <= found.cut[t])
    np.testing.assert_array_equal(found.cells[:, 1], codes[:, -1 - where[1]])
