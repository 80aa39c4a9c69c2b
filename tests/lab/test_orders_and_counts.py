"""Ordered classes and counts: found where they are planted, not elsewhere, with numbers counted by hand."""

import numpy as np
import pytest

from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.targets.orders_and_counts import counts_of, order_of

WORDS = np.array(["low", "medium", "high"])


def table(seed, y, n=150):
    rng = np.random.default_rng(seed)
    a, b, noise = rng.normal(size=(3, n))
    return {"a": a.round(3), "b": b.round(3), "y": y(rng, a, noise)}


def cut(a, noise, parts):
    return np.digitize(a + 0.6 * noise, np.quantile(a, np.linspace(0, 1, parts + 1)[1:-1]))


@pytest.mark.parametrize("kind", ["words", "grades"])
def test_distances_of_ranks(concluded, kind):
    """The mean distance by hand; the finding has it."""
    grades = {"words": lambda _r, a, e: WORDS[cut(a, e, 3)], "grades": lambda _r, a, e: 1 + cut(a, e, 5)}
    outcome = concluded(table(0, grades[kind]), ["GaussianNB"], task="classification")
    found, answers = order_of(outcome), outcome.evaluation.pooled
    assert found["levels"] == (["low", "medium", "high"] if kind == "words" else ["1", "2", "3", "4", "5"])
    rank = found["levels"].index
    away = np.array([abs(rank(said) - rank(true)) for said, true in zip(answers.prediction, answers.truth, strict=True)])
    assert found["mean_distance"] == away.mean()
    assert found["within_one"] == (away <= 1).mean()
    assert found["mean_distance"] < found["baseline"]
    assert any(one["code"] == "classes_ordered" for one in numbers_of(outcome)["findings"])


@pytest.mark.parametrize(
    "labels",
    [["ash", "birch", "cedar", "oak"], ["0", "1", "2"], ["1", "2", "4", "9"], ["10", "20", "30", "40"]],
    ids=["words", "few codes", "gaps", "tens"],
)
def test_no_order_is_invented(concluded, labels):
    """Names, few codes and numbers with gaps."""
    columns = table(0, lambda _r, a, e: np.array(labels)[cut(a, e, len(labels))])
    assert order_of(concluded(columns, ["GaussianNB"], task="classification")) is None


def test_counts(concluded):
    """Poisson counts whose mean depends on a column, in at least 9 of 10 tables."""
    tables = [table(seed, lambda rng, a, _e: rng.poisson(np.exp(1.2 + 0.8 * a))) for seed in range(10)]
    found = [concluded(one, ["LinearRegression"], task="regression") for one in tables]
    assert sum(counts_of(one) is not None for one in found) >= 9
    codes = {one["code"] for one in numbers_of(found[0])["findings"]}
    assert "target_counts" in codes


@pytest.mark.parametrize(
    "y",
    [
        lambda _r, a, e: np.round(50 + 5 * a + 3 * e),  # ages: errors alike
        lambda _r, a, e: np.round(150 + (40 + 12 * a) * (a + e)).clip(25),  # a score whose errors grow, far from zero
        lambda _r, a, e: np.exp(a + e).round(3),  # no whole numbers
        lambda rng, _a, _e: rng.poisson(4.0, size=150),  # no column tells: nothing to grow with
    ],
    ids=["whole numbers", "scores", "decimals", "noise"],
)
def test_no_counts_are_invented(concluded, y):
    for seed in range(4):
        assert counts_of(concluded(table(seed, y), ["LinearRegression"], task="regression")) is None
