"""Precision and recall: every point by counting, average precision, classes, refusals."""

import doctest

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from aprendiz.evaluation import precision_recall, roc

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, size=300)
SCORE = np.round(Y + RNG.normal(size=300), 1)  # with ties
WEIGHT = RNG.uniform(0.1, 3, size=300)


@st.composite
def scored(draw):
    """Up to 24 rows of both classes with few distinct scores, and weights, some of them 0."""
    y = np.array(draw(st.lists(st.booleans(), min_size=2, max_size=24).filter(lambda v: 0 < sum(v) < len(v))))
    score = draw(st.lists(st.integers(-4, 4), min_size=len(y), max_size=len(y)))
    weight = np.array(draw(st.lists(st.integers(0, 4), min_size=len(y), max_size=len(y))), float)
    weight[[np.argmax(y), np.argmin(y)]] += 1
    return y, np.array(score, float), weight


@given(scored())
def test_every_point_by_counting(rows):
    """At each threshold: of the rows called positive, those that are; of the positive rows, those called so."""
    y, score, weight = rows
    curve = precision_recall(y, score, sample_weight=weight)
    np.testing.assert_array_equal(curve.thresholds, np.unique(score[weight > 0])[::-1])
    for threshold, precision, recall in zip(curve.thresholds, curve.precision, curve.recall, strict=True):
        called = score >= threshold
        assert precision == pytest.approx(weight[called & y].sum() / weight[called].sum(), rel=1e-13)
        assert recall == pytest.approx(weight[called & y].sum() / weight[y].sum(), rel=1e-13)
    assert curve.prior == pytest.approx(weight[y].sum() / weight.sum(), rel=1e-13)
    assert curve.precision[-1] == pytest.approx(curve.prior, rel=1e-13)  # at the lowest score all are called


@given(scored())
def test_average_precision_is_that_of_scikit_learn(rows):
    """The area under the staircase."""
    y, score, weight = rows
    ours = precision_recall(y, score, sample_weight=weight).average_precision
    assert ours == pytest.approx(average_precision_score(y, score, sample_weight=weight), rel=1e-12)


@given(scored())
def test_weights_count_rows(rows):
    """Weight 2 is the row twice, weight 0 the row left out."""
    y, score, weight = rows
    repeated = np.repeat(np.arange(len(y)), weight.astype(int))
    ours, twice = precision_recall(y, score, sample_weight=weight), precision_recall(y[repeated], score[repeated])
    np.testing.assert_allclose(ours.precision, twice.precision, rtol=1e-13)
    np.testing.assert_allclose(ours.recall, twice.recall, rtol=1e-13)


def test_bounds():
    """A perfect score has 1; one that is the same for all rows has the prior."""
    assert precision_recall(Y, Y).average_precision == 1
    assert precision_recall(Y, np.zeros(300)).average_precision == pytest.approx(Y.mean(), rel=1e-14)


def test_recall_is_the_true_positive_rate():
    """The same number as on the ROC curve, at the same thresholds."""
    ours, theirs = precision_recall(Y, SCORE, sample_weight=WEIGHT), roc(Y, SCORE, sample_weight=WEIGHT)
    np.testing.assert_array_equal(ours.thresholds, theirs.thresholds[1:])
    np.testing.assert_allclose(ours.recall, theirs.tpr[1:], rtol=1e-13)


@pytest.mark.parametrize("form", [list, np.array, pd.Series, pl.Series])
def test_one_class_against_the_rest(form):
    """With more than two classes the named one is positive and all others negative."""
    labels = np.array(["a", "b", "c"])[np.arange(300) % 3]
    curve = precision_recall(form(labels), form(SCORE), positive="b")
    same = precision_recall(labels == "b", SCORE)
    np.testing.assert_array_equal(curve.precision, same.precision)
    assert curve.positive == "b"
    assert same.positive is True
    assert curve.prior == pytest.approx(1 / 3)


def test_as_frame_and_as_text():
    """A row for each threshold, and one sentence."""
    curve = precision_recall(Y, SCORE)
    assert list(curve.frame().columns) == ["threshold", "precision", "recall"]
    assert len(curve.frame()) == len(np.unique(SCORE))
    assert f"average precision {curve.average_precision:.3f}" in str(curve)


def test_example():
    """What the documentation prints is what is printed."""
    result = doctest.testmod(__import__("aprendiz.evaluation.precision_recall", fromlist=["_"]))
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    ("y", "score", "more", "message"),
    [
        ([1, 1], [0, 1], {}, "y_true holds only one class, 1: rows of another are needed beside it"),
        ([1, 1, 0], [0, 1, 2], {"sample_weight": [1, 1, 0]}, "y_true holds only one class, 1"),
        (["a", "b", "c"], [0, 1, 2], {}, r"3 classes \('a', 'b', 'c'\): say which is positive, as in positive='a'"),
        (["a", "b"], [0, 1], {"positive": "z"}, "positive = 'z' is not in y_true: choose one of 'a', 'b'"),
        ([0, 1], [0, 1, 2], {}, "y_true has 2 rows, score has 3"),
        ([0, 1], [[0, 1], [1, 0]], {}, "pass the column of the positive class"),
        ([0, 1], [0, np.nan], {}, "score contains NaN: row 1"),
    ],
)
def test_bad_input(y, score, more, message):
    """The refusal names the value and the remedy."""
    with pytest.raises(ValueError, match=message):
        precision_recall(y, score, **more)
