"""Facts that are planted in tables are found, and clean tables are left alone: a few of those that
`tools/judge_laboratory.py` asks, with what they found in docs/laboratory_checked.md."""

import numpy as np
import pandas as pd
import pytest
from judgement import clouds, intervals, planted

from aprendiz.core.columns import Columns
from aprendiz.lab import ask, read
from aprendiz.lab.clustering.spread_columns import spread_columns
from aprendiz.lab.clustering.structure import find_structure


@pytest.mark.parametrize("name", planted.PLANTS)
def test_a_fact_is_found(tmp_path, name):
    """In a table with classes and in one with a number to predict."""
    for seed in (0, 1):
        assert planted.found_in(planted.planted(name, seed), tmp_path) & {*planted.PLANTS[name][1]}


def test_nothing_is_invented(tmp_path):
    """Long tails are there: two columns are drawn with them."""
    for seed in range(6):
        assert planted.found_in(planted.clean(seed), tmp_path) <= {"skewed"}


def test_codes_that_are_not_far_out(tmp_path):
    """-99 in a column of ages from 18 to 89: nearer than Tukey's fences, further than all ages are from each other."""
    found = planted.found_in(planted.planted("codes of missing cells", 39), tmp_path)
    assert "coded_missing" in found


@pytest.mark.parametrize("seed", [0, 3])
def test_a_skewed_cloud_is_no_groups(seed):
    """Two clouds that were cut into two and seven groups by their tails."""
    X = clouds.cloud("skewed", seed)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    assert find_structure(spread_columns(frame, Columns.of(frame))).k == 1


@pytest.mark.parametrize("kind", ["skewed", "even classes"])
def test_intervals_and_sets_hold_what_they_promise(kind):
    """90 % of new rows, over forty tables of sixty rows: five standard errors below that are never seen by chance."""
    shares = np.array([intervals.held(kind, 60, 0.9, seed) for seed in range(40)])
    assert shares.mean() > 0.9 - 5 * shares.std(ddof=1) / np.sqrt(40)


@pytest.mark.parametrize(("rows", "metric", "word"), [(60, "mae", "6 rows"), (120, "r2", "variance")])
def test_the_measure_of_small_folds(tmp_path, rows, metric, word):
    """R² of six rows says nothing: errors in the units of the target do."""
    planted.clean(2).head(rows).to_csv(tmp_path / "table.csv", index=False)
    question = ask(read(tmp_path / "table.csv"), target="result")
    assert question.metric == metric
    assert word in dict(question.reasons)["metric"]
