"""Confusion tables: counts, ratios with and without cases, sums of tables, refusals."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from aprendiz.evaluation import ConfusionTable, confusion

RNG = np.random.default_rng(1)
WEIGHT = RNG.uniform(0.1, 3, size=400)
LABELS = ["ant", "bee", "cat", "dog", "eel"]


def answers(classes, n=400):
    """Right labels, and predictions that are right two times out of three."""
    names = np.array(LABELS[:classes])
    truth = RNG.integers(0, classes, size=n)
    return names[truth], names[np.where(RNG.uniform(size=n) < 0.67, truth, RNG.integers(0, classes, size=n))]


# ---- agreement -------------------------------------------------------------------------------------------------------

every_case = pytest.mark.parametrize(("classes", "weight"), list(itertools.product([2, 5], [None, WEIGHT])))


@every_case
def test_same_as_scikit_learn(classes, weight):
    """Counts and all ratios that scikit-learn has too."""
    y, z = answers(classes)
    table, w = confusion(y, z, sample_weight=weight), {"sample_weight": weight}
    np.testing.assert_allclose(table.table, metrics.confusion_matrix(y, z, **w), rtol=1e-13)
    assert table.accuracy == pytest.approx(metrics.accuracy_score(y, z, **w), rel=1e-13)
    assert table.error == pytest.approx(metrics.zero_one_loss(y, z, **w), rel=1e-12)
    assert table.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(y, z, **w), rel=1e-13)
    assert table.kappa == pytest.approx(metrics.cohen_kappa_score(y, z, **w), rel=1e-12)
    assert table.matthews == pytest.approx(metrics.matthews_corrcoef(y, z, **w), rel=1e-12)
    for beta in (0.5, 1.0, 2.0):
        theirs = metrics.precision_recall_fscore_support(y, z, beta=beta, **w)
        for ours, value in zip((table.precision, table.recall, table.f(beta), table.support), theirs, strict=True):
            np.testing.assert_allclose(ours, value, rtol=1e-12)
    for whole in ("true", "pred", "all"):
        np.testing.assert_allclose(table.normalised(whole), metrics.confusion_matrix(y, z, normalize=whole, **w), rtol=1e-12)


@every_case
def test_averages_are_those_of_scikit_learn(classes, weight):
    """Macro, weighted and micro averages; of one label for each row, micro recall is the accuracy."""
    y, z = answers(classes)
    table = confusion(y, z, sample_weight=weight)
    for how in ("macro", "weighted", "micro"):
        theirs = metrics.precision_recall_fscore_support(y, z, average=how, sample_weight=weight)
        for name, value in zip(("precision", "recall", "f1"), theirs[:3], strict=True):
            assert getattr(table, how)(name) == pytest.approx(value, rel=1e-12)
    assert table.micro("recall") == pytest.approx(table.accuracy, rel=1e-13)


@every_case
def test_outcomes_are_those_of_scikit_learn(classes, weight):
    """TN, FP, FN, TP of each class against the rest; specificity is the recall of the rest."""
    y, z = answers(classes)
    table = confusion(y, z, sample_weight=weight)
    theirs = metrics.multilabel_confusion_matrix(y, z, sample_weight=weight)
    for k, label in enumerate(table.labels):
        cells = table.binary(label)
        ours = [[cells.true_negatives, cells.false_positives], [cells.false_negatives, cells.true_positives]]
        np.testing.assert_allclose(ours, theirs[k], rtol=1e-12)
        rest = metrics.recall_score(y != label, z != label, sample_weight=weight)
        assert cells.specificity == table.specificity[k] == pytest.approx(rest, rel=1e-12)
        assert cells.false_positive_rate == pytest.approx(1 - rest, rel=1e-11)
        assert cells.sensitivity == cells.recall == table.recall[k] == table.sensitivity[k]


def test_a_table_worked_by_hand():
    """9 ill, 91 well; 6 of the ill found, 4 false alarms."""
    y = ["ill"] * 9 + ["well"] * 91
    z = ["ill"] * 6 + ["well"] * 3 + ["ill"] * 4 + ["well"] * 87
    table = confusion(y, z)
    assert table.table.tolist() == [[6, 3], [4, 87]]
    ill = table.binary(positive="ill")
    counts = ill.true_positives, ill.false_positives, ill.false_negatives, ill.true_negatives
    assert counts == (6, 4, 3, 87)
    assert (ill.recall, ill.precision, ill.f1) == (6 / 9, 6 / 10, 12 / 19)
    assert ill.f(2) == 30 / (30 + 4 * 3 + 4)
    assert (ill.specificity, ill.false_positive_rate) == (87 / 91, 4 / 91)
    assert (table.accuracy, table.error) == (0.93, 0.07)
    assert table.balanced_accuracy == (6 / 9 + 87 / 91) / 2
    assert table.cost([[0, 10], [1, 0]]) == (3 * 10 + 4 * 1) / 100
    assert table.binary().support == 91  # "well" is sorted last
    assert confusion(y, z, labels=["well", "ill"]).binary() == table.binary()  # in any order of the table


# ---- nothing to divide -----------------------------------------------------------------------------------------------


def exact(part, whole):
    return None if whole == 0 else Fraction(int(part), int(whole))


def assert_is(value, wanted):
    """The fraction to the last digit, or NaN where there are no cases."""
    assert math.isnan(value) if wanted is None else value == float(wanted)


@pytest.mark.parametrize("cells", list(itertools.product(range(3), repeat=4)))
def test_every_tiny_table(cells):
    """All tables of two classes with up to two rows a cell: each ratio is the exact one, and NaN if and only if it is 0/0."""
    table = ConfusionTable(np.array(cells).reshape(2, 2), np.array([0, 1]))
    tn, fp, fn, tp = cells
    n, one = sum(cells), table.binary()
    assert_is(one.recall, exact(tp, tp + fn))
    assert_is(one.specificity, exact(tn, tn + fp))
    assert_is(one.false_positive_rate, exact(fp, tn + fp))
    assert_is(one.precision, exact(tp, tp + fp))
    assert_is(one.f1, exact(2 * tp, 2 * tp + fp + fn))
    assert_is(table.accuracy, exact(tp + tn, n))
    assert_is(table.error, exact(fp + fn, n))
    recalls = [r for r in (exact(tn, tn + fp), exact(tp, tp + fn)) if r is not None]
    if recalls:
        assert table.balanced_accuracy == pytest.approx(float(sum(recalls) / len(recalls)), rel=1e-15)
    sides = [tp + fp, tp + fn, tn + fp, tn + fn]
    assert math.isnan(table.matthews) == (0 in sides)
    if 0 not in sides:
        assert table.matthews == pytest.approx((tp * tn - fp * fn) / math.sqrt(math.prod(sides)), abs=1e-15)
    assert math.isnan(table.kappa) == (n in (0, tn, tp))
    assert str(table)


def test_averages_over_classes_without_cases():
    """A class that is never predicted has no precision, nor has the macro average; F1 exists for whatever occurs."""
    table = confusion(["a", "b", "b"], ["a", "a", "a"])
    assert np.isnan(table.precision).tolist() == [False, True]
    assert np.isnan(table.macro("precision"))
    assert np.isnan(table.weighted("precision"))
    assert table.f1.tolist() == [0.5, 0.0]
    assert table.macro("f1") == 0.25


def test_a_class_without_rows():
    """It has no recall; averages weighted by rows, and the balanced accuracy, do not ask for it."""
    table = confusion(["a", "b", "b"], ["a", "b", "a"], labels=["a", "b", "c"])
    assert np.isnan(table.recall).tolist() == [False, False, True]
    assert np.isnan(table.macro("recall"))
    assert table.weighted("recall") == pytest.approx(2 / 3, rel=1e-15)
    assert table.balanced_accuracy == 0.75
    assert np.isnan(table.normalised("true")[2]).all()
    assert "–" in str(table)


@pytest.mark.parametrize("seed", range(20))
def test_one_class_with_weights(seed):
    """No correlation and no agreement by chance can be told from a single class, whatever rounding leaves of 1 − 1."""
    weight = np.random.default_rng(seed).uniform(size=50)
    z = np.arange(50) % 3
    assert math.isnan(confusion(np.zeros(50, int), z, sample_weight=weight).matthews)
    assert math.isnan(confusion(z, np.zeros(50, int), sample_weight=weight).matthews)
    assert math.isnan(confusion(np.zeros(50, int), np.zeros(50, int), sample_weight=weight).kappa)
    assert confusion(np.zeros(50, int), z, sample_weight=weight).kappa == pytest.approx(0, abs=1e-14)


# ---- sums ------------------------------------------------------------------------------------------------------------

rows = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 3)), min_size=1, max_size=12)


def counted(some, weight=False):
    y, z, w = zip(*some, strict=True)
    return confusion(y, z, sample_weight=np.array(w) + 1.0 if weight else None)


@given(rows, rows, st.booleans())
def test_the_table_of_a_sum_is_the_sum_of_the_tables(first, second, weight):
    """Folds with different classes among them, weighted or not, in either order."""
    a, b, both = (counted(part, weight) for part in (first, second, first + second))
    assert a + b == both
    assert b + a == both
    if not weight:
        assert both - b == a + counted(second) - b  # the labels of both folds stay
        assert (both - a).total == len(second)


@given(rows.filter(lambda some: any(w for *_, w in some)))
def test_weights_count_rows(some):
    """Weight 2 is the row twice, weight 0 the row left out, its labels included."""
    y, z, w = (np.array(column) for column in zip(*some, strict=True))
    weighted, repeated = confusion(y, z, sample_weight=w), confusion(np.repeat(y, w), np.repeat(z, w))
    assert weighted == repeated


def test_labels_that_agree_keep_their_order():
    """An order of one's own stays if both tables have it; otherwise labels are united and sorted."""
    a, b = (
        confusion(["low"], ["high"], labels=["low", "mid", "high"]),
        confusion(["mid"], ["mid"], labels=["low", "mid", "high"]),
    )
    assert (a + b).labels.tolist() == ["low", "mid", "high"]
    assert a.table[0, 2] == 1
    assert (a + confusion(["mid"], ["mid"])).labels.tolist() == ["high", "low", "mid"]
    assert (a + confusion(["mid"], ["mid"])).frame().loc["low", "high"] == 1


def test_tables_that_do_not_subtract():
    """Only a part can be taken away, and only whole rows."""
    part = confusion([0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"more rows than the first \(truth 2, prediction 2\)"):
        part - confusion([2], [2])
    with pytest.raises(TypeError, match="Weighted counts"):
        part - confusion([0], [0], sample_weight=[0.5])
    with pytest.raises(TypeError, match="'a', the other such as 0"):
        confusion(["a"], ["a"]) + part


def test_tables_are_compared_by_value_and_travel():
    """Equal counts of equal labels are equal; pickles too; other things are not."""
    table = confusion([0, 1], [0, 0])
    assert table == pickle.loads(pickle.dumps(table))
    assert table != confusion([0, 1], [0, 1])
    assert table != 3


# ---- inputs ----------------------------------------------------------------------------------------------------------


def test_all_ways_to_pass_labels():
    """Lists, arrays, Series of pandas and polars, columns of frames, booleans, whole numbers as floats."""
    y, z = ["b", "a", "b"], ["b", "b", "a"]
    wanted = confusion(y, z)
    for form in (
        np.array,
        pd.Series,
        pl.Series,
        pd.Categorical,
        lambda v: pd.DataFrame({"y": v}),
        lambda v: np.array(v, object),
    ):
        assert confusion(form(y), form(z)) == wanted
    assert confusion([1, 0], [1.0, 1.0]).table.tolist() == [[0, 1], [0, 1]]
    assert confusion([True, False], [True, True]).binary().true_positives == 1


bad_inputs = {
    "lengths": (([0, 1, 1], [0, 1]), {}, ValueError, "y_true has 3 rows, y_pred has 2"),
    "empty": (([], []), {}, ValueError, "y_true has no rows"),
    "measurement": (([0, 1], [0.2, 0.9]), {}, ValueError, r"y_pred holds 0.2 in row 0.*regression_errors"),
    "missing": ((["a", None], ["a", "b"]), {}, ValueError, "y_true has no label in row 1"),
    "nan": ((np.array([0.0, np.nan]), [0, 1]), {}, ValueError, "y_true contains NaN: row 1"),
    "mixed": ((["a", 1], ["a", "b"]), {}, TypeError, "y_true mixes labels of types int, str"),
    "kinds": ((["a", "b"], [0, 1]), {}, TypeError, "y_true holds labels such as 'a', y_pred such as 0"),
    "scores": (([0, 1], [[0.5, 0.5], [0.1, 0.9]]), {}, ValueError, r"y_pred has shape \(2, 2\): give one label"),
    "dates": ((np.array(["2020-01-01"], "M8[D]"), [1]), {}, TypeError, "y_true holds labels of type datetime64"),
    "scalar": ((1, [1]), {}, ValueError, "y_true is the single value 1"),
    "not listed": (([0, 1], [0, 2]), {"labels": [0, 1]}, ValueError, r"y_pred holds 2 in row 1, .* labels \(0, 1\)"),
    "repeated": (([0, 1], [0, 1]), {"labels": [0, 1, 1]}, ValueError, "labels holds 1 more than once"),
    "kind of labels": (([0, 1], [0, 1]), {"labels": ["0", "1"]}, TypeError, "labels such as '0'"),
    "negative": (([0, 1], [0, 1]), {"sample_weight": [1, -2]}, ValueError, "Negative weight -2.0 in row 1"),
    "weights": (([0, 1], [0, 1]), {"sample_weight": [1.0]}, ValueError, "y_true has 2 rows, sample_weight has 1"),
}


@pytest.mark.parametrize("case", bad_inputs.values(), ids=list(bad_inputs))
def test_bad_input(case):
    """Refusals name the argument, the row and the value."""
    arguments, options, kind, words = case
    with pytest.raises(kind, match=words):
        confusion(*arguments, **options)


def test_bad_questions():
    """So do questions that the table cannot answer."""
    table = confusion([0, 1, 2], [0, 1, 1])
    for question, words in (
        (lambda: table.binary(), "There are 3 classes: say which is positive, one of 0, 1, 2"),
        (lambda: table.binary("a"), "positive = 'a' is not among the classes"),
        (lambda: table.macro("recal"), "no ratio 'recal': choose one of recall"),
        (lambda: table.micro("table"), "no ratio 'table'"),
        (lambda: table.f(-1), "beta = -1 must be"),
        (lambda: table.normalised("rows"), 'choose "true"'),
        (lambda: table.cost([[0, 1], [1, 0]]), r"loss has shape \(2, 2\), the table \(3, 3\)"),
        (lambda: table.cost(np.full((3, 3), np.inf)), "loss holds inf in row 0, column 0"),
    ):
        with pytest.raises(ValueError, match=words):
            question()


def test_many_labels_are_not_all_listed():
    """A message shows ten labels and their number."""
    with pytest.raises(ValueError, match=r"7, 8, 9, … \(50 in all\)"):
        confusion(range(50), range(50)).binary()


# ---- to look at ------------------------------------------------------------------------------------------------------


def test_frames():
    """Counts with truth in rows, and the ratios of each class."""
    table = confusion(["a", "a", "b"], ["a", "b", "b"])
    frame = table.frame()
    assert (frame.index.name, frame.columns.name) == ("truth", "prediction")
    assert frame.loc["a", "b"] == 1
    assert frame.loc["b", "a"] == 0
    ratios = table.ratios()
    assert ratios.loc["a", "recall"] == 0.5
    assert ratios.loc["b", "precision"] == 0.5
    assert ratios["rows"].tolist() == [2, 1]


def test_text():
    """Columns are aligned, and the numbers are those of the table."""
    text = str(confusion(["a", "a", "a quite long label, number 2"], ["a", "b", "b"]))
    counts, ratios, whole = text.split("\n\n")
    for block in (counts, ratios):
        assert len({len(line) for line in block.splitlines()}) == 1
    assert counts.splitlines()[1].split() == ["a", "1", "0", "1"]
    assert "a quite lon…mber 2" in counts
    assert ratios.splitlines()[1].split() == ["a", "2", "0.500", "1.000", "1.000", "0.667"]
    assert whole.startswith("accuracy 0.333, error 0.667")
