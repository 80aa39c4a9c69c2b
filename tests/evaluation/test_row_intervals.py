"""Intervals from rows: against the bootstrap of the rows, weights of single rows, DeLong, simulation, and at the limits."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.metrics import f1_score, matthews_corrcoef, recall_score, roc_auc_score

from aprendiz import GaussianNB, LinearRegression, evaluate, evaluation
from aprendiz.evaluation import METRICS, Holdout, KFolds, LeaveOneOut, confusion, regression_errors, roc
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.intervals import row_intervals
from aprendiz.evaluation.intervals.row_intervals import drawn_tables, outcomes, placements, wilson
from aprendiz.evaluation.measures import answers as measured_answers
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.measures.table_measures import balanced_accuracy, macro_f1, matthews

Z = 1.959963984540054  # the quantile 0.975 of the normal distribution
WORDS = np.array(["ash", "birch", "cedar"])
OF_TABLE = ("balanced_accuracy", "f1", "matthews")
OF_CLASSES = (*OF_TABLE, "auc", "accuracy", "log_loss", "brier")
OF_NUMBERS = ("r2", "nmse", "rmse", "mse", "mae")


def classes(n, seed=0, kinds=3, digits=None):
    """Truth, prediction and probabilities of unequal classes; with few digits there are many ties."""
    rng = np.random.default_rng(seed)
    code = rng.choice(kinds, n, p=np.array([0.5, 0.3, 0.2])[:kinds] / sum([0.5, 0.3, 0.2][:kinds]))
    score = rng.standard_normal((n, kinds))
    score[np.arange(n), code] += 1.0
    p = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    p = p if digits is None else np.round(p, digits)
    return Answers(WORDS[code], WORDS[p.argmax(axis=1)], WORDS[:kinds], p)


def numbers(n, seed=0):
    rng = np.random.default_rng(seed)
    said = rng.standard_normal(n) + 3
    return Answers(said + 0.6 * rng.standard_normal(n), said)


def some(answers, rows):
    probability = None if answers.probability is None else answers.probability[rows]
    return Answers(answers.truth[rows], answers.prediction[rows], answers.classes, probability)


def row_bootstrap(name, answers, times):
    """The measure of rows drawn with replacement, many times."""
    rng, n = np.random.default_rng(5), len(answers.truth)
    return np.array([METRICS[name].of(some(answers, rng.integers(0, n, n))) for _ in range(times)])


def by_hand(answers, trained_on=100):
    """An evaluation with a single fold of the given answers."""
    n, known = len(answers.truth), answers.classes
    task = "regression" if known is None else "classification"
    fold = Fold(0, np.arange(n), trained_on, answers.prediction, answers.probability, known, 0.0, 0.0, "fit")
    return Evaluation(task, "by hand", (OF_NUMBERS if known is None else OF_CLASSES), (fold,), answers.truth, known)


# ---- shares, means, ratios ---------------------------------------------------------------------------------------------


def test_wilson():
    """Wilson's interval for 8 of 10 (Brown, Cai & DasGupta 2001, formula 4)."""
    low, high = wilson(0.8, 10, 1.959964)
    assert low == pytest.approx(0.490162, abs=1e-6)
    assert high == pytest.approx(0.943318, abs=1e-6)
    hits = Answers(np.arange(10), np.where(np.arange(10) < 8, np.arange(10), -1))
    assert METRICS["accuracy"].interval(hits, 0.95) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("name", ["log_loss", "brier", "mse", "mae"])
def test_means(name):
    """m ± z·s/√n of what the measure is for each row alone."""
    answers = numbers(40) if METRICS[name].task == "regression" else classes(40)
    rows = np.array([METRICS[name].of(some(answers, [i])) for i in range(40)])
    half = Z * rows.std(ddof=1) / np.sqrt(40)
    assert METRICS[name].interval(answers, 0.95) == pytest.approx((rows.mean() - half, rows.mean() + half))


def test_root_of_a_mean():
    """The interval of RMSE is the root of that of MSE; a lower bound under zero is zero."""
    answers = numbers(50)
    assert METRICS["rmse"].interval(answers, 0.9) == pytest.approx(np.sqrt(METRICS["mse"].interval(answers, 0.9)))
    outlier = Answers(np.array([0.0, 0.0, 0.0, 9.0]), np.zeros(4))
    assert METRICS["mse"].interval(outlier, 0.95)[0] < 0
    assert METRICS["rmse"].interval(outlier, 0.95)[0] == 0


def test_ratio_follows_the_weights_of_rows():
    """ψ of a row is how fast NMSE changes with the weight of that row: n·dNMSE/dω, by central differences."""
    answers, n, step = numbers(60, seed=3), 60, 1e-5

    def nmse(weight):
        return regression_errors(answers.truth, answers.prediction, sample_weight=weight).nmse

    pull = np.array([n * (nmse(1 + step * row) - nmse(1 - step * row)) / (2 * step) for row in np.eye(n)])
    half = Z * pull.std(ddof=1) / np.sqrt(n)
    value = nmse(np.ones(n))
    assert METRICS["nmse"].interval(answers, 0.95) == pytest.approx((value - half, value + half), rel=1e-6)


def test_r2_mirrors_nmse():
    low, high = METRICS["nmse"].interval(numbers(30), 0.95)
    assert METRICS["r2"].interval(numbers(30), 0.95) == pytest.approx((1 - high, 1 - low))


# ---- tables ------------------------------------------------------------------------------------------------------------


def test_tables_are_those_of_drawn_rows():
    """All 5⁵ ways to draw five rows with replacement: their tables are as frequent as among the drawn tables."""
    truth, said = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    cell = 3 * truth + said
    exact = Counter(tuple(np.bincount(cell[list(rows)], minlength=9)) for rows in product(range(5), repeat=5))
    drawn = np.concatenate(list(drawn_tables(confusion(truth, said, labels=[0, 1, 2]).table)))
    found = Counter(map(tuple, drawn.reshape(-1, 9)))
    assert found.keys() <= exact.keys()
    assert drawn.shape == (1000, 3, 3)
    for table, ways in exact.items():
        share = ways / 5**5
        assert abs(found[table] / 1000 - share) < 5 * np.sqrt(share * (1 - share) / 1000)


def test_many_tables_at_once():
    """The measures of drawn tables are scikit-learn's for the rows of each table, also where a class has no rows."""
    answers = classes(12)
    tables = next(drawn_tables(answers.table.table))[:100]
    found = {measure: measure(outcomes(tables)) for measure in (balanced_accuracy, macro_f1, matthews)}
    for i, table in enumerate(tables):
        truth, said = (np.repeat(code.ravel(), table.ravel()) for code in np.indices((3, 3)))
        settings = {"average": "macro", "labels": np.unique(truth)}
        assert found[balanced_accuracy][i] == pytest.approx(recall_score(truth, said, **settings), rel=1e-12)
        assert found[macro_f1][i] == pytest.approx(f1_score(truth, said, **settings), rel=1e-12)
        assert np.isnan(found[matthews][i]) == (min(len(set(truth)), len(set(said))) == 1)
        assert np.nan_to_num(found[matthews][i]) == pytest.approx(matthews_corrcoef(truth, said), rel=1e-12)
    assert (tables.sum(axis=2) == 0).any()


def test_one_table_is_that_of_all_rows():
    """The measures by name are those of ConfusionTable."""
    answers = classes(50)
    for name in ("balanced_accuracy", "matthews"):
        assert METRICS[name].of(answers) == pytest.approx(getattr(answers.table, name), rel=1e-14)


@pytest.mark.parametrize("name", OF_TABLE)
def test_tables_as_the_row_bootstrap(name):
    """Both ends are those of a bootstrap of the rows, to the error of 1000 and of 500 draws (0.085 and 0.12 standard
    deviations)."""
    answers = classes(80)
    drawn = row_bootstrap(name, answers, 500)
    ends = np.quantile(drawn, [0.025, 0.975])
    np.testing.assert_allclose(METRICS[name].interval(answers, 0.95), ends, atol=0.5 * drawn.std())


def test_blocks_of_tables(monkeypatch):
    """Tables of many classes are drawn a few at a time, and are the same tables."""
    table = classes(200).table.table
    whole = np.concatenate(list(drawn_tables(table)))
    monkeypatch.setattr(row_intervals, "CELLS", 70)
    parts = list(drawn_tables(table))
    assert {len(part) for part in parts} == {7, 6}
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert (whole.sum(axis=(1, 2)) == 200).all()


# ---- areas -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [None, 1], ids=["no ties", "ties"])
@pytest.mark.parametrize("kinds", [2, 3])
def test_area(kinds, digits):
    """The mean of scikit-learn's areas of each class against the rest."""
    answers = classes(70, kinds=kinds, digits=digits)
    wanted = [roc_auc_score(answers.truth == k, p) for k, p in zip(answers.classes, answers.probability.T, strict=True)]
    assert METRICS["auc"].of(answers) == pytest.approx(np.mean(wanted[1:] if kinds == 2 else wanted), rel=1e-13)


def test_placements():
    """Pair by pair: what share of the other side a row is ranked rightly against, ties counting half."""
    rng = np.random.default_rng(2)
    positive, score = rng.random(40) < 0.3, rng.integers(0, 6, 40)
    for i, placed in enumerate(placements(positive, score)):
        lead = (score[i] - score[positive != positive[i]]) * (1 if positive[i] else -1)
        assert placed == pytest.approx(((lead > 0) + (lead == 0) / 2).mean(), rel=1e-14)


@pytest.mark.parametrize("digits", [None, 1], ids=["no ties", "ties"])
def test_area_of_two_classes_is_delongs(digits):
    answers = classes(90, kinds=2, digits=digits)
    wanted = roc(answers.truth, answers.probability[:, 1]).auc_interval(0.9)
    assert METRICS["auc"].interval(answers, 0.9) == pytest.approx(wanted, rel=1e-12)
    assert by_hand(answers).score("auc", 0.9).low == pytest.approx(wanted[0], rel=1e-12)


def test_areas_follow_the_weights_of_rows():
    """Half the width, on the logit scale, from how fast each area changes with the weight of each row (scikit-learn's
    areas, central differences), with m/(m − 1) for m rows on a side."""
    answers, step = classes(40, digits=1), 1e-4
    areas, pulls = [], []
    for k, p in zip(answers.classes, answers.probability.T, strict=True):
        positive = answers.truth == k
        moved = [[roc_auc_score(positive, p, sample_weight=1 + s * row) for s in (step, -step)] for row in np.eye(40)]
        own = np.where(positive, positive.sum(), 40 - positive.sum())
        areas.append(roc_auc_score(positive, p))
        pulls.append(-np.diff(moved)[:, 0] / (2 * step) * np.sqrt(own / (own - 1)))
    area, error = np.mean(areas), np.linalg.norm(np.mean(pulls, axis=0))
    wanted = expit(logit(area) + np.array([-1, 1]) * Z * error / (area * (1 - area)))
    np.testing.assert_allclose(METRICS["auc"].interval(answers, 0.95), wanted, rtol=1e-6)


def test_areas_share_their_rows():
    """Two curves that are one and the same have the error of one of them, not 1/√2 of it."""
    answers = classes(200, kinds=2)
    twice = row_intervals.area_interval(answers.truth[:, None] == WORDS[:2], answers.probability, 0.95)
    assert twice == pytest.approx(METRICS["auc"].interval(answers, 0.95), rel=1e-9)


@pytest.mark.parametrize(("name", "answers"), [("auc", classes(300)), ("nmse", numbers(300)), ("r2", numbers(300))])
def test_influence_as_the_row_bootstrap(name, answers):
    """Both ends are near those of a bootstrap of the rows: 400 draws leave 0.13 standard deviations, skewness some more."""
    drawn = row_bootstrap(name, answers, 400)
    ends = np.quantile(drawn, [0.025, 0.975])
    np.testing.assert_allclose(METRICS[name].interval(answers, 0.95), ends, atol=0.6 * drawn.std())


# ---- coverage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sample", "names"), [(classes, ("auc", *OF_TABLE)), (numbers, ("nmse", "rmse"))])
def test_coverage(sample, names):
    """An interval of 90 % covers the value of very many rows in about 90 % of 200 samples (four standard errors of room)."""
    all_rows, samples = sample(300_000, seed=999), [sample(150, seed) for seed in range(200)]
    for name in names:
        right = METRICS[name].of(all_rows)
        low, high = np.transpose([METRICS[name].interval(answers, 0.9) for answers in samples])
        covered = np.mean((low <= right) & (right <= high))
        assert abs(covered - 0.9) < 4 * np.sqrt(0.9 * 0.1 / 200), name


# ---- limits ------------------------------------------------------------------------------------------------------------


def test_perfect_numbers():
    """Without errors every bound is the value itself."""
    y = np.arange(20.0)
    found = by_hand(Answers(y, y))
    for name, value in {"rmse": 0, "mse": 0, "mae": 0, "nmse": 0, "r2": 1}.items():
        score = found.score(name)
        assert (score.value, score.low, score.high) == (value, value, value)


@pytest.mark.parametrize("kinds", [2, 3])
def test_perfect_classes(kinds):
    """The table shows no spread; nor do curves that separate all classes, which have no interval."""
    truth = np.repeat(WORDS[:kinds], [5, 6, 9][:kinds])
    found = by_hand(Answers(truth, truth, WORDS[:kinds], (truth[:, None] == WORDS[:kinds]).astype(float)))
    for name in OF_TABLE:
        score = found.score(name)
        assert (score.value, score.low, score.high) == (1, 1, 1)
    auc = found.score("auc")
    assert auc.value == 1
    assert np.isnan([auc.low, auc.high]).all()


def test_class_without_rows():
    """A class that is absent has no area; the others are judged by their own rows. One class predicted throughout has a
    correlation of 0, as scikit-learn has it."""
    answers = classes(60)
    left = by_hand(some(answers, answers.truth != "cedar"))
    for name in ("auc", "balanced_accuracy", "f1"):
        assert 0 < left.score(name).low < left.score(name).value < left.score(name).high < 1
    constant = by_hand(Answers(answers.truth, np.full(60, "ash"), WORDS, answers.probability))
    assert constant.score("matthews").value == 0
    one = by_hand(Answers(np.full(60, "ash"), answers.prediction, WORDS, answers.probability))
    assert np.isnan([one.score("matthews").value, one.score("auc").value]).all()


def test_class_of_one_row():
    """The area is known, its error is not."""
    answers = classes(60)
    first = np.flatnonzero(answers.truth == "cedar")[0]
    score = by_hand(some(answers, (answers.truth != "cedar") | (np.arange(60) == first))).score("auc")
    assert 0 < score.value < 1
    assert np.isnan([score.low, score.high]).all()


def test_score_of_ties_alone():
    """The same probability for all rows has the area ½ and no spread to judge by."""
    answers = classes(30)
    score = by_hand(Answers(answers.truth, answers.prediction, WORDS, np.full((30, 3), 1 / 3))).score("auc")
    assert score.value == 0.5
    assert np.isnan([score.low, score.high]).all()


def test_one_row():
    """A single row has measures, but no spread; a mean has then no interval, nor has anything without a value."""
    found = by_hand(some(numbers(3), [0]))
    for name in OF_NUMBERS:
        assert np.isnan(found.score(name).value) == (name in ("r2", "nmse"))
        assert np.isnan([found.score(name).low, found.score(name).high]).all()


def test_constant_target():
    """A target that does not vary has no R²."""
    score = by_hand(Answers(np.full(9, 0.1), numbers(9).prediction)).score("r2")
    assert np.isnan([score.value, score.low, score.high]).all()


def test_unknown_probabilities():
    """NaN among the probabilities is refused with its row."""
    answers = classes(20)
    answers.probability[7] = np.nan
    with pytest.raises(ValueError, match="probability contains NaN: row 7"):
        by_hand(answers).score("auc")


@pytest.mark.parametrize("level", [0.0, 1.0, 95, float("nan")])
def test_levels_that_are_none(level):
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        by_hand(numbers(20)).score("mse", level)


# ---- evaluations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", [Holdout(0.5), LeaveOneOut()], ids=str)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_measure_has_its_interval(protocol, task):
    """From the rows of a single split, or of one row at a time: around the value, in its range, wider at a higher level."""
    rng = np.random.default_rng(0)
    X, code = rng.standard_normal((90, 3)), rng.integers(0, 3, 90)
    X[:, 0] += code
    learner, y = (GaussianNB(), WORDS[code]) if task == "classification" else (LinearRegression(), X @ [1, 2, 3] + code)
    found = evaluate(learner, X, y, protocol=protocol)
    for name in found.metrics:
        narrow, wide = found.score(name, 0.5), found.score(name, 0.99)
        low, high = METRICS[name].range
        assert low <= wide.low < narrow.low < narrow.value < narrow.high < wide.high <= high
        assert narrow.value == METRICS[name].of(found.pooled)


def test_tables_and_errors_are_made_once(monkeypatch):
    """All measures of a fold share one table, or one look at the errors; so does asking again."""
    times = Counter()

    def count(where, name):
        plain = getattr(where, name)
        monkeypatch.setattr(where, name, lambda *data, **more: times.update([name]) or plain(*data, **more))

    for where, name in ((evaluation, "confusion"), (evaluation, "regression_errors"), (measured_answers, "drawn_outcomes")):
        count(where, name)
    X, code = np.random.default_rng(0).standard_normal((60, 3)), np.arange(60) % 2
    for learner, y in ((GaussianNB(), WORDS[code]), (LinearRegression(), X[:, 0] + code)):
        for protocol in (KFolds(5), Holdout(0.5)):
            found = evaluate(learner, X, y, protocol=protocol)
            assert str(found) == str(found)
            found.frame()
    assert times == {"confusion": 6, "regression_errors": 6, "drawn_outcomes": 1}
