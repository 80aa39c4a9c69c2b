"""The door of comparisons: what may be given, what is refused and how, what is said in both languages."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from aprendiz.evaluation import Comparison, Holdout, KFolds, Repeated, compare, compare_over_tables, evaluate
from aprendiz.evaluation.significance.resampled_t import corrected_t_test
from aprendiz.evaluation.significance.tests_of_pairs import PAIR_TESTS
from aprendiz.evaluation.significance.tests_of_tables import OMNIBUS, PAIRS
from aprendiz.locale import language

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = np.where(X[:, 0] + 0.7 * RNG.normal(size=120) > 0, "yes", "no")
LEARNERS = {"bayes": GaussianNB(), "narrow": GaussianNB(var_smoothing=0.5), "dummy": DummyClassifier()}
FOLDS = {name: RNG.normal(mean, 0.02, 10) for name, mean in (("a", 0.8), ("b", 0.81), ("c", 0.7))}
SIZES = {"n_test": 12, "n_train": 108}
TABLES = pd.DataFrame(RNG.normal([0.8, 0.82, 0.7], 0.02, (12, 3)), columns=list("abc"), index=[f"t{i}" for i in range(12)])


@pytest.fixture(scope="module")
def judged():
    return {name: evaluate(one, X, Y, protocol=KFolds(5), metrics=["accuracy", "brier"]) for name, one in LEARNERS.items()}


@pytest.fixture(scope="module")
def halves():
    return {name: evaluate(one, X, Y, protocol=Repeated(2, 5), metrics="accuracy") for name, one in LEARNERS.items()}


class Parts:
    """Three parts in the order of the rows."""

    def splits(self, y, groups, by_class):
        for test in np.array_split(np.arange(len(y)), 3):
            yield np.setdiff1d(np.arange(len(y)), test), test


# ---- what may be given -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", PAIR_TESTS)
def test_evaluations_by_every_test(test, judged, halves):
    """Each test of pairs takes evaluations: all pairs of three, the one of two, and a control against the others."""
    given = halves if test.startswith("5x2") else judged
    found = compare(given, test=test)
    assert [set(pair.names) for pair in found.pairs] == [{"bayes", "narrow"}, {"bayes", "dummy"}, {"narrow", "dummy"}]
    assert len(found) == 3
    assert found[-1].name == "dummy"
    two = compare({name: given[name] for name in ("bayes", "dummy")}, test=test)
    assert two.pairs == ()
    assert two.better in ("bayes", None)
    again = found.pair("bayes", "dummy")
    assert (two.estimate, two.statistic, two.p_value) == pytest.approx(
        (again.estimate, again.statistic, again.p_value), nan_ok=True
    )
    assert two.posterior == again.posterior
    assert len(compare(given, test=test, control="dummy").pairs) == 2


def test_learners_are_evaluated_on_the_same_splits(halves):
    """The same numbers as of evaluations made by hand; 5×2cv has halves by itself, McNemar one split."""
    found = compare(LEARNERS, X, Y, test="5x2cv_f", metric="accuracy")
    assert found.pair("bayes", "dummy").statistic == compare(halves, test="5x2cv_f").pair("bayes", "dummy").statistic
    assert compare(LEARNERS, X, Y, test="mcnemar").broken == ()
    assert "one_model_each" in compare(LEARNERS, X, Y, test="mcnemar", protocol=KFolds(3)).broken
    by_default = compare({"line": LinearRegression(), "mean": DummyRegressor()}, X, X[:, 0])
    assert (by_default.metric, by_default.test, by_default[0].name) == ("r2", "leaderboard", "line")


def test_rows_of_evaluations_are_counted(judged):
    """McNemar and Z count the rows that the pooled predictions get wrong."""
    hits = {name: one.pooled.truth == one.pooled.prediction for name, one in judged.items()}
    b, c = (int((hits[x] & ~hits[y]).sum()) for x, y in (("bayes", "dummy"), ("dummy", "bayes")))
    pair = compare(judged, test="mcnemar").pair("bayes", "dummy")
    assert pair.p_value == compare({"bayes": b, "dummy": c}, test="mcnemar", n_test=120).p_value
    assert pair.estimate == pytest.approx(hits["bayes"].mean() - hits["dummy"].mean())
    z = compare({name: judged[name] for name in ("bayes", "dummy")}, test="z")
    errors = {name: (int((~hits[name]).sum()), 120) for name in ("bayes", "dummy")}
    assert z.statistic == compare(errors, test="z").statistic
    assert z.better == "bayes"  # fewer errors


def test_dependent_samples_are_flagged(judged):
    """The same rows given to a test of independent samples; rows of another table, or other rows of it, are fine."""
    assert "independent_samples" in compare(judged, test="z").broken
    other = evaluate(GaussianNB(), -X[:100], Y[:100], protocol=Holdout(), metrics="accuracy")
    assert "independent_samples" not in compare({"bayes": judged["bayes"], "other": other}, test="z").broken


def test_the_leaderboard_is_a_sequence_of_standings(judged):
    """As before: from best to worst, each against the best, by Holm's method; and a record beside."""
    found = compare(judged)
    assert isinstance(found, Comparison)
    assert found[0] == found.standings[0]
    assert list(found) == list(found.standings)
    assert [one.p_value for one in found[1:]] == [pair.adjusted for pair in found.pairs]
    assert found.posthoc == "holm"
    assert len(compare({"bayes": judged["bayes"]})) == 1
    assert compare(judged, metric="brier").more_is_better is False


def test_folds_without_a_score_are_left_out_of_the_leaderboard():
    """A fold of one class has no AUC: the others decide, as in a t-test of their differences alone; other tests refuse it."""
    y = np.where(np.arange(60) < 40, np.where(RNG.uniform(size=60) < 0.5, "yes", "no"), "yes")
    table = np.c_[(y == "yes") + RNG.normal(size=60), RNG.normal(size=60)]
    judged = {
        name: evaluate(GaussianNB(), table[:, [j]], y, protocol=Parts(), metrics="auc") for j, name in enumerate(("a", "b"))
    }
    d = judged["a"].score().folds - judged["b"].score().folds
    assert np.isnan(d).tolist() == [False, False, True]
    found = compare(judged)
    ratio = np.mean([len(f.test) for f in judged["a"].folds]) / np.mean([f.trained_on for f in judged["a"].folds])
    assert found.pairs[0].p_value == pytest.approx(corrected_t_test(d, ratio))
    with pytest.raises(ValueError, match="'a' has no score in fold 2"):
        compare(judged, test="corrected_t")


def test_frames_mappings_and_arrays_are_one():
    """The same scores as a frame, an array, numbers or folds table by table."""
    frame = compare_over_tables(TABLES)
    array = compare_over_tables(TABLES.to_numpy(), names=list("abc"))
    numbers = compare_over_tables({table: dict(row) for table, row in TABLES.iterrows()})
    folds = compare_over_tables({table: {n: [v - 0.01, v + 0.01] for n, v in row.items()} for table, row in TABLES.iterrows()})
    for other in (array, numbers, folds):
        assert (other.statistic, other.names) == (pytest.approx(frame.statistic), frame.names)
    assert numbers.tables == frame.tables == tuple(TABLES.index)
    assert array.tables[:2] == ("0", "1")


def test_evaluations_over_tables(judged):
    """The mean over the folds of each, by the measure of all; a record in Weka's manner is at hand."""
    other = {name: evaluate(one, X[:80], Y[:80], protocol=KFolds(4), metrics=["accuracy"]) for name, one in LEARNERS.items()}
    found = compare_over_tables({"all": judged, "some": other}, test="sign")
    assert found.metric == "accuracy"
    assert "all (5)" in found.to_weka()
    assert "some (4)" in found.to_weka()


# ---- Weka's table ------------------------------------------------------------------------------------------------------


def test_weka_marks():
    """v better, * worse, by the corrected t-test against the control; the last line counts them."""
    worse = {"a": FOLDS["a"], "b": FOLDS["a"] + 0.3 + 0.001 * FOLDS["c"], "c": FOLDS["c"] - 0.3}
    found = compare_over_tables({"one": FOLDS, "two": worse}, **SIZES)
    lines = found.to_weka().splitlines()
    assert lines[0].split() == ["a", "b", "c"]
    assert [line.split()[0] for line in lines[1:3]] == ["one", "two"]
    assert lines[2].split("(10)")[1].count("v") == 1
    assert lines[2].rstrip().endswith("*")
    assert lines[3].split() == ["(v/", "/*)", "(1/1/0)", "(0/0/2)"]
    assert found.to_weka(control="c").splitlines()[3].split()[2:] == ["(2/0/0)", "(2/0/0)"]
    turned = compare_over_tables({"one": FOLDS, "two": worse}, more_is_better=False, **SIZES)
    assert turned.to_weka().splitlines()[3].split()[2:] == ["(0/1/1)", "(2/0/0)"]
    with pytest.raises(ValueError, match="give n_train and n_test"):
        compare_over_tables({"one": FOLDS, "two": worse}).to_weka()
    with pytest.raises(ValueError, match="holds no scores of folds"):
        compare_over_tables(TABLES).to_weka()
    with pytest.raises(ValueError, match="control = 'x' is not among"):
        found.to_weka("x")


# ---- what is refused ---------------------------------------------------------------------------------------------------

TWO = {"a": FOLDS["a"], "b": FOLDS["b"]}
UNLIKE = {"t": {"a": 1, "b": 2}, "u": {"a": 1}}
HOLES = TABLES.copy()
HOLES.loc["t3", "a"] = np.nan
WRONG = {
    "no mapping": (lambda: compare([1, 2]), "results is a list: give a mapping"),
    "nothing": (lambda: compare({}), "There is no learner"),
    "one learner": (lambda: compare({"a": [1, 2]}, test="paired_t"), "There is only 'a': a comparison needs at least two"),
    "no test": (lambda: compare(TWO, test="anova"), "test = 'anova': choose one of corrected_t"),
    "mixed": (lambda: compare({"a": [1, 2], "b": GaussianNB()}, test="sign"), "given by its scores, 'b' by its learners"),
    "a word": (lambda: compare({"a": "x", "b": "y"}, test="paired_t"), "'a' is a str"),
    "no table": (lambda: compare(LEARNERS), "give X and y"),
    "a table too many": (lambda: compare(TWO, X, Y), "leave them out"),
    "not of folds": (lambda: compare(TWO, test="paired_z"), "test='paired_z' is not a test of folds"),
    "other folds": (lambda: compare({"a": [1, 2, 3], "b": [1, 2]}, test="sign"), "'a' has 3 folds, 'b' has 2"),
    "one fold": (lambda: compare({"a": [1.0], "b": [2.0]}, test="sign"), "1 common fold is too few"),
    "missing": (lambda: compare({"a": [1, 2, np.nan], "b": [1, 2, 3]}, test="sign"), "'a' has no score in fold 2"),
    "all ties": (lambda: compare({"a": [1, 2], "b": [1, 2]}, test="sign"), "'a', 'b' have the same score in every fold"),
    "no sizes": (lambda: compare(TWO, test="corrected_t"), "give n_train and n_test"),
    "bad sizes": (lambda: compare(TWO, test="corrected_t", n_test=0, n_train=9), "n_test = 0 must be a number of rows above 0"),
    "not ten": (lambda: compare({"a": [1, 2], "b": [2, 1]}, test="5x2cv_t"), "needs ten folds.*there are 2"),
    "level": (lambda: compare(TWO, test="sign", level=5), "level = 5 must lie between 0 and 1"),
    "alternative": (lambda: compare(TWO, test="sign", alternative="more"), "alternative = 'more': choose one of two-sided"),
    "no direction": (lambda: compare(TWO, test="bayesian_t", alternative="less"), "test='bayesian_t' has no direction"),
    "zeros": (lambda: compare(TWO, test="sign", zeros="omit"), "zeros = 'omit': choose one of split"),
    "ranks of signs": (lambda: compare(TWO, test="sign", zeros="pratt"), "needs ranks"),
    "no rope": (lambda: compare(TWO, test="bayesian_t", **SIZES), "no usual rope for these scores"),
    "rope of mse": (lambda: compare(TWO, test="bayesian_t", metric="mse", **SIZES), "no usual rope for mse"),
    "rope": (lambda: compare(TWO, test="bayesian_t", rope=-1, **SIZES), "rope = -1 must be a number of at least 0"),
    "rope aside": (lambda: compare(TWO, test="bayesian_t", rope=(0.1, 0.2), **SIZES), "two ends with 0 between them"),
    "rope without posterior": (lambda: compare(TWO, test="sign", rope=0.1), "rope = 0.1 is for Bayesian tests"),
    "metric": (lambda: compare(TWO, test="sign", metric="acc"), "'acc' is not a measure"),
    "contradiction": (lambda: compare(TWO, test="sign", metric="mse", more_is_better=True), "contradicts the measure mse"),
    "protocol of scores": (lambda: compare(TWO, test="sign", protocol=KFolds(3)), "protocol says nothing about scores"),
    "pooled t": (lambda: compare(TWO, test="sign", pooled=True), "pooled is for test='z', and test is 'sign'"),
    "measure of counts": (lambda: compare({"a": 1, "b": 2}, test="mcnemar", metric="auc"), "its measure is the accuracy"),
    "control": (lambda: compare(TWO, test="sign", control="x"), "control = 'x' is not among the learners"),
    "errors": (lambda: compare({"a": 3, "b": 4}, test="z"), r"'a' = 3: test='z' takes \(errors, rows\)"),
    "too many errors": (lambda: compare({"a": (3, 2), "b": (1, 2)}, test="z"), "'a' has 3 errors in 2 rows"),
    "fractions": (lambda: compare({"a": (0.3, 10), "b": (1, 2)}, test="z"), "errors of 'a' = 0.3 must be a whole number"),
    "counts of three": (lambda: compare({"a": 1, "b": 2, "c": 3}, test="mcnemar"), "the counts of two learners, not of 3"),
    "rows": (lambda: compare({"a": 9, "b": 9}, test="mcnemar", n_test=10), "disagree on 18 rows, but n_test is 10"),
    "no such test of tables": (lambda: compare_over_tables(TABLES, test="t"), "test = 't': choose one of iman_davenport"),
    "one table": (lambda: compare_over_tables(TABLES[:1]), "only the table 't0'"),
    "one column": (lambda: compare_over_tables(TABLES[["a"]]), "only 'a'"),
    "two of ranks": (lambda: compare_over_tables(TABLES[["a", "b"]]), "three learners or more.*wilcoxon"),
    "empty": (lambda: compare_over_tables({}), "There is no table"),
    "missing cell": (lambda: compare_over_tables(HOLES), "'a' has no score on table 't3'"),
    "ties": (lambda: compare_over_tables(np.ones((3, 3))), "same score on every table"),
    "other learners": (lambda: compare_over_tables(UNLIKE), r"'t' and 'u' have not the same learners \('b'\)"),
    "no learners": (lambda: compare_over_tables({"t": [1, 2]}), "Table 't' is a list"),
    "words": (lambda: compare_over_tables([["x"]]), "scores must be numbers"),
    "names": (lambda: compare_over_tables(np.eye(3), names=["a"]), "1 names for 3 columns"),
    "names twice": (lambda: compare_over_tables(np.eye(3), names=["a", "b", "a"]), "The name 'a' appears more than once"),
    "posthoc": (lambda: compare_over_tables(TABLES, posthoc="tukey"), "posthoc = 'tukey': choose one of nemenyi"),
    "posthoc of pairs": (lambda: compare_over_tables(TABLES, test="sign", posthoc="holm"), "leave it out"),
    "no control": (lambda: compare_over_tables(TABLES, posthoc="bonferroni_dunn"), "say which, as in control="),
    "all pairs": (lambda: compare_over_tables(TABLES, posthoc="shaffer", control="a"), "posthoc='shaffer' is for all pairs"),
    "no such control": (lambda: compare_over_tables(TABLES, control="x"), "control = 'x' is not among"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_refusals_name_the_culprit(wrong):
    call, words = WRONG[wrong]
    with pytest.raises((TypeError, ValueError), match=words):
        call()


@pytest.mark.parametrize("test", ["mcnemar", "paired_z"])
def test_rows_that_were_tested_several_times(halves, test):
    """They are no more rows: a test of rows would believe five times as many."""
    with pytest.raises(ValueError, match=r"'bayes' was tested on some rows several times.*corrected_t"):
        compare(halves, test=test)


def test_results_of_other_rows_or_measures(judged):
    """Evaluations that cannot be set side by side are refused with both names."""
    other = evaluate(GaussianNB(), X, Y, protocol=KFolds(5, seed=1), metrics="accuracy")
    fewer = evaluate(GaussianNB(), X[:80], Y[:80], protocol=KFolds(5), metrics="accuracy")
    brier = evaluate(GaussianNB(), X, Y, protocol=KFolds(5), metrics="brier")
    numbers = evaluate(LinearRegression(), X, X[:, 0], protocol=KFolds(5))
    for test in (None, "corrected_t", "mcnemar"):
        with pytest.raises(ValueError, match="'bayes' and 'other' were tested on different rows in fold 0"):
            compare({"bayes": judged["bayes"], "other": other}, test=test)
    with pytest.raises(ValueError, match="'bayes' and 'fewer' were judged on different targets"):
        compare({"bayes": judged["bayes"], "fewer": fewer}, test="corrected_t")
    with pytest.raises(ValueError, match="'bayes' was judged by accuracy and 'b' by brier"):
        compare({"bayes": judged["bayes"], "b": brier})
    with pytest.raises(ValueError, match="'line' is a regression, for which there is no accuracy"):
        compare({"bayes": judged["bayes"], "line": numbers})
    with pytest.raises(ValueError, match="'line' predicts numbers"):
        compare({"bayes": judged["bayes"], "line": numbers}, test="mcnemar")
    with pytest.raises(ValueError, match="for a control, give test"):
        compare(judged, control="bayes")
    with pytest.raises(ValueError, match="'bayes' and 'x' were not compared"):
        compare(judged, test="sign").pair("bayes", "x")


# ---- assumptions -------------------------------------------------------------------------------------------------------


def test_assumptions_are_checked():
    """Small folds, shared training rows, differences far from normal, ties and zeros: broken where they are, and only there."""
    small = compare(TWO, test="paired_t", n_test=12, n_train=108)
    assert set(small.broken) == {"separate_training", "test_rows"}
    assert set(compare(TWO, test="paired_t", n_test=[50, *[40] * 9], n_train=5).broken) == set()
    assert compare(TWO, test="corrected_t", n_test=30, n_train=270).broken == ()
    odd = {"a": [0, 0, 0, 0, 0, 0, 0, 0, 0, 9.0], "b": np.zeros(10)}
    assert "normal_differences" in compare(odd, test="paired_t").broken
    assert {"zeros_split"} <= set(compare(odd, test="wilcoxon").broken)
    assert "half_splits" in compare(TWO, test="5x2cv_t", n_test=10, n_train=90).broken
    assert "differences_vary" in compare({"a": np.ones(4), "b": np.zeros(4)}, test="paired_t").broken
    assert "enough_tables" in compare_over_tables(TABLES, test="friedman").broken
    assert "enough_differences" in compare_over_tables(TABLES[:4], test="wilcoxon").broken


def everything(judged, halves):
    """A comparison of every kind."""
    for test in PAIR_TESTS:
        yield compare(halves if test.startswith("5x2") else judged, test=test)
        yield compare({n: (halves if test.startswith("5x2") else judged)[n] for n in ("bayes", "dummy")}, test=test)
    yield from (compare_over_tables(TABLES, test=test) for test in OMNIBUS)
    yield from (compare_over_tables(TABLES, test=test, rope=0.01 if "bayes" in test else None) for test in PAIRS)
    yield compare(judged)
    yield from (compare({"a": 30, "b": 4}, test="mcnemar", alternative=side) for side in ("two-sided", "less", "greater"))
    same = {"a": np.full(8, 0.5) + 1e-4 * np.arange(8), "b": np.full(8, 0.5)}
    yield compare(same, test="bayesian_t", rope=0.1, **SIZES)
    yield compare(odd_folds(), test="wilcoxon")


def odd_folds():
    return {"a": np.r_[np.zeros(60), np.ones(3)], "b": np.zeros(63)}


def test_every_sentence_in_both_languages(judged, halves):
    """Every comparison speaks, and every word of its sentence, its assumptions and its table is another one in Spanish."""
    for found in everything(judged, halves):
        english = (found.sentence, str(found), *found.assumptions_in_words)
        with language("es"):
            spanish = (found.sentence, str(found), *found.assumptions_in_words)
        assert all(a != b for a, b in zip(english, spanish, strict=True)), english
        assert all("{" not in text for text in (*english, *spanish))
        assert english[0] in english[1]


def test_records_print_short(judged):
    """A record in a notebook is a few lines, whatever it holds, and travels between processes."""
    for found in (compare(judged), compare_over_tables(TABLES), compare(TWO, test="sign")):
        assert len(repr(found)) < 1800
        assert pickle.loads(pickle.dumps(found)).sentence == found.sentence


def test_sentences():
    """What a reader is told, to the letter."""
    z = compare({"h1": (30, 100), "h2": (20, 100)}, test="z", alternative="greater")
    assert z.sentence == (
        "error: that h1 has more than h2 is not shown at the level 0.05 "
        "(difference in error 0.1, 95 % interval -0.01922 to 0.2192, p = 0.0501)."
    )
    assert compare({"a": 4, "b": 30}, test="mcnemar").sentence == "b is better than a (p = 6.16e-06)."
    with language("es"):
        assert compare({"a": 4, "b": 30}, test="mcnemar").sentence == "b es mejor que a (p = 6,16e-06)."


# ---- speed -------------------------------------------------------------------------------------------------------------


def test_many_learners_and_tables_at_once():
    """Ten learners on 30 tables of ten folds each: a tenth of a second."""
    rng = np.random.default_rng(0)
    given = {f"t{i}": {f"l{j}": rng.normal(0.8, 0.02, 10) for j in range(10)} for i in range(30)}
    compare_over_tables(given, **SIZES)
    start = time.process_time()
    found = compare_over_tables(given, **SIZES)
    assert time.process_time() - start < 0.1
    assert len(found.pairs) == 45
