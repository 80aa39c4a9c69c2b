"""Rows in the order of time in the laboratory: found where the target drifts, not invented, and kept by --time."""

import numpy as np
import pandas as pd
import pytest

from aprendiz.evaluation import ExpandingWindows
from aprendiz.lab import ask, read
from aprendiz.lab.experiment import Experiment
from aprendiz.lab.report.findings.all_findings import findings_of
from aprendiz.lab.time_order import time_order


def series(n=200, slope=0.02, seed=0):
    """Rows in the order of a date, and a class that becomes more frequent with it."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(x + slope * (np.arange(n) - n / 2) > 0, "b", "a")
    return {"when": pd.date_range("2023-01-01", periods=n).astype(str), "x": x.round(4), "y": y}


def table_of(tmp_path, columns):
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read(path)


def test_found_and_not_invented():
    """In 95 of 100 tables with a drift, in no more than 2 of 100 without; never where the rows are shuffled."""
    found = {0.02: 0, 0.0: 0}
    for slope in found:
        for seed in range(100):
            frame = pd.DataFrame(series(slope=slope, seed=seed))
            frame["when"] = pd.to_datetime(frame["when"])
            found[slope] += time_order(frame, ["when"], frame["y"].to_numpy(str)) is not None
            shuffled = frame.sample(frac=1, random_state=seed)
            assert time_order(shuffled, ["when"], shuffled["y"].to_numpy(str)) is None
    assert found[0.02] >= 95
    assert found[0.0] <= 2


def test_a_number_that_drifts():
    """A target of numbers, with its sign; missing dates do not count."""
    t = pd.date_range("2023-01-01", periods=80).to_series(index=range(80))
    t[5] = pd.NaT
    order = time_order(pd.DataFrame({"t": t}), ["t"], -np.arange(80.0))
    assert (order.name, round(order.correlation, 6)) == ("t", -1.0)


def test_the_report_proposes_it(concluded):
    """The finding names the column and the option; with --time there is none."""
    columns = series(120, 0.02)
    outcome = concluded(columns)
    finding = next(one for one in findings_of(outcome) if one.code == "time_order")
    assert "'when'" in finding.sentence
    assert "--time when" in finding.remedy
    again = concluded(columns, time="when", folds=3)
    assert str(again.results.question.protocol) == "3 windows in order of time, each trained on the rows before it"
    assert "time_order" not in {one.code for one in findings_of(again)}


def test_rows_in_order(tmp_path):
    """The rows are taken in the order of the column, wherever they stand; the folds and the tuning go on in it."""
    columns = series(60, 0.0)
    order = np.random.default_rng(1).permutation(60)
    table = table_of(tmp_path, {name: np.asarray(values)[order] for name, values in columns.items()})
    question = ask(table, target="y", time="when")
    X, y, _groups = question.data(table)
    assert X["when"].is_monotonic_increasing
    np.testing.assert_array_equal(y, columns["y"])
    assert question.protocol == ExpandingWindows(5)
    experiment = Experiment(table, question)
    assert all(train.max() < test.min() for train, test in experiment.splits)
    assert experiment.inner_folds == ExpandingWindows(3)
    by_number = ask(table, target="y", time="x")
    assert table.frame["x"].iloc[by_number.known_rows(table)].is_monotonic_increasing


def test_columns_that_cannot_order(tmp_path):
    columns = series(40, 0.0) | {"word": ["a", "b"] * 20, "gaps": [None, *range(39)]}
    table = table_of(tmp_path, columns)
    for name, words in (("word", "give one of dates or numbers"), ("y", "give one of dates"), ("gaps", "missing in 1 rows")):
        with pytest.raises(ValueError, match=words):
            ask(table, target="y", time=name)
    with pytest.raises(ValueError, match="time: the table has no column 'wen'"):
        ask(table, target="y", time="wen")
