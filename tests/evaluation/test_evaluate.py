"""Honest evaluation: splits, sums of the other folds, tuning inside, intervals, comparison."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.metrics import brier_score_loss, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from aprendiz import (
    PCA,
    SVC,
    CategoricalNB,
    GaussianNB,
    KNeighborsClassifier,
    LinearRegression,
    LogisticRegression,
    RadiusNeighborsRegressor,
    Ridge,
    StandardScaler,
    compare,
    evaluate,
    learning_curve,
)
from aprendiz.core.learner import OnePass
from aprendiz.evaluation import METRICS, Holdout, KFolds, LeaveOneOut, Repeated, Tuned
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.evaluation.significance.resampled_t import corrected_t_test


def blobs(n=120, seed=0, kinds=2):
    rng = np.random.default_rng(seed)
    y = np.array(["no", "yes", "zebra"])[rng.integers(0, kinds, n)]
    X = rng.standard_normal((n, 4)) + (y == "yes")[:, None] * [1.5, 0.5, 0, 0] - (y == "zebra")[:, None]
    return X, y


def line(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) + 5
    return X, X @ [1.0, -2.0, 0.5] + rng.standard_normal(n)


# ---- splits ----------------------------------------------------------------------------------------------------------

PROTOCOLS = [Holdout(0.25), KFolds(5), KFolds(5, seed=None), Repeated(4, 3), LeaveOneOut()]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
@pytest.mark.parametrize("by_class", [True, False])
def test_splits(protocol, by_class):
    """No row is on both sides, and every row is tested as often as the protocol says."""
    _, y = blobs(60)
    splits = list(protocol.splits(y, None, by_class))
    for train, test in splits:
        assert not np.intersect1d(train, test).size
        assert len(train) + len(test) == 60
    times = np.bincount(np.concatenate([test for _, test in splits]), minlength=60)
    if isinstance(protocol, Holdout):
        assert times.sum() == 15
    else:
        assert (times == (3 if isinstance(protocol, Repeated) else 1)).all()


@pytest.mark.parametrize("protocol", [Holdout(0.3), KFolds(4), LeaveOneOut()], ids=str)
@pytest.mark.parametrize("by_class", [True, False])
def test_groups_stay_together(protocol, by_class):
    """No group is on both sides."""
    _, y = blobs(80)
    groups = np.arange(80) // 8
    for train, test in protocol.splits(y, groups, by_class):
        assert not np.intersect1d(groups[train], groups[test]).size


def test_shares_of_classes():
    """Folds of classes have the shares of the table, to a row."""
    y = np.repeat(["a", "b"], [90, 10])
    for _, test in KFolds(10).splits(y, None, True):
        assert (y[test] == "b").sum() == 1


@pytest.mark.parametrize(
    ("protocol", "y", "groups", "said"),
    [
        (KFolds(10), np.arange(5.0), None, "10 folds need at least 10 rows, but there are 5"),
        (KFolds(3), np.arange(9.0), np.array([0, 0, 0, 0, 1, 1, 1, 1, 1]), "at least 3 groups, but there are 2"),
        (KFolds(5), np.array(["a", "b", "c"] * 4), None, "a class with at least 5 rows; the largest has 4"),
    ],
)
def test_folds_that_cannot_be_filled(protocol, y, groups, said):
    with pytest.raises(ValueError, match=said):
        list(protocol.splits(y, groups, y.dtype.kind == "U"))


@pytest.mark.parametrize("protocol", [KFolds(3), Holdout(0.3)], ids=str)
def test_a_class_of_one_row_is_refused(protocol):
    X, y = blobs(20)
    y = np.append(y[:-1].astype("U5"), "alone")
    with pytest.raises(ValueError, match="'alone' has a single row"):
        evaluate(GaussianNB(), X, y, protocol=protocol)


def test_tuning_where_an_inner_fold_lacks_a_class():
    """A class of two rows, of which one teaches: the tuning goes on, and the class counts as unseen."""
    X, y = blobs(60)
    y = np.where(np.arange(60) < 2, "rare", y.astype("U5"))
    for metric in ("f1", "balanced_accuracy", "auc", "log_loss"):
        found = Tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, folds=3, metric=metric).fit(X[1:], y[1:])
        assert np.isfinite(found.best_score_)


def test_of_equal_candidates_the_usual_one():
    """All penalties separate these classes perfectly: the one nearest to the default is taken."""
    X, y = np.r_[np.zeros((20, 1)), np.full((20, 1), 9.0)] + np.linspace(0, 1, 40)[:, None], np.repeat(["a", "b"], 20)
    found = Tuned(LogisticRegression(C=10.0), {"C": [0.01, 0.1, 1.0, 10.0, 100.0]}, metric="accuracy").fit(X, y)
    assert found.best_params_ == {"C": 10.0}


def test_too_few_groups_to_tune():
    """One group cannot be divided: the parameters stay as they are."""
    X, y = blobs(20)
    found = Tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}).fit(X, y, np.zeros(20))
    assert found.best_params_ == {"var_smoothing": 1e-9}
    assert np.isnan(found.best_score_)


@pytest.mark.parametrize("wrong", [lambda: KFolds(1), lambda: KFolds(2.5), lambda: Holdout(0.0), lambda: Holdout(1.5)])
def test_protocols_that_are_none(wrong):
    with pytest.raises(ValueError, match="must be"):
        wrong()


# ---- the same answer as scikit-learn's cross-validation ----------------------------------------------------------------


@pytest.mark.parametrize(
    "learner", [GaussianNB(), make_pipeline(StandardScaler(), LogisticRegression())], ids=["NB", "pipeline"]
)
def test_classes_as_scikit_learn(learner):
    """Predictions, probabilities and every measure agree with scikit-learn's own, split by split."""
    X, y = blobs(kinds=3)
    found = evaluate(learner, X, y, protocol=KFolds(5))
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    chance = cross_val_predict(clone(learner), X, y, cv=splitter, method="predict_proba")
    order = np.concatenate([fold.test for fold in found.folds])
    np.testing.assert_allclose(found.pooled.probability, chance[order], rtol=1e-9, atol=1e-12)
    labels = np.unique(y)
    theirs = {
        "accuracy": lambda t, p, q: (t == q).mean(),
        "log_loss": lambda t, p, q: log_loss(t, p, labels=labels),
        "f1": lambda t, p, q: f1_score(t, q, average="macro"),
        "auc": lambda t, p, q: roc_auc_score(t, p, multi_class="ovr", labels=labels),
        "brier": lambda t, p, q: ((p - (t[:, None] == labels)) ** 2).sum(axis=1).mean(),
    }
    for name, function in theirs.items():
        by_fold = [function(y[f.test], chance[f.test], labels[chance[f.test].argmax(axis=1)]) for f in found.folds]
        np.testing.assert_allclose(found.score(name).folds, by_fold, rtol=1e-9, err_msg=name)


def test_brier_of_two_classes():
    """With two classes it is scikit-learn's Brier score."""
    rng = np.random.default_rng(0)
    p = rng.random(50)
    y = np.where(rng.random(50) < p, "yes", "no")
    answers = Answers(y, y, np.array(["no", "yes"]), np.column_stack([1 - p, p]))
    assert METRICS["brier"].of(answers) == pytest.approx(brier_score_loss(y == "yes", p))


@pytest.mark.parametrize("learner", [LinearRegression(), Ridge(3.0), make_pipeline(PCA(2), LinearRegression())])
def test_numbers_as_scikit_learn(learner):
    X, y = line()
    found = evaluate(learner, X, y, protocol=KFolds(6))
    theirs = cross_val_score(clone(learner), X, y, cv=KFold(6, shuffle=True, random_state=0))
    np.testing.assert_allclose(found.score("r2").folds, theirs, rtol=1e-9)
    assert found.score("nmse").value == pytest.approx(1 - theirs.mean())


# ---- sums of the other folds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [GaussianNB(), Ridge(), LinearRegression()], ids=lambda l: type(l).__name__)
def test_sums_of_the_other_folds(learner, monkeypatch):
    """A learner that sums is never refitted, says so, and predicts what refits would."""
    X, y = blobs() if isinstance(learner, GaussianNB) else line()
    refitted = evaluate(make_pipeline(learner), X, y, protocol=KFolds(5))
    monkeypatch.setattr(OnePass, "fit", lambda *_: pytest.fail("refitted"))
    summed = evaluate(learner, X, y, protocol=KFolds(5))
    assert summed.how == "sums of the other folds"
    assert refitted.how == "fit"
    for a, b in zip(summed.folds, refitted.folds, strict=True):
        if a.probability is None:
            np.testing.assert_allclose(a.prediction, b.prediction, rtol=1e-9)
        else:
            np.testing.assert_allclose(a.probability, b.probability, rtol=1e-7, atol=1e-12)


def test_sums_survive_an_outlier():
    """The fit without the fold that holds a row of 10¹⁰ has all its digits: nothing was subtracted."""
    X, y = line(200)
    X[17], y[17] = 1e10, 1e10
    summed, refitted = (evaluate(one, X, y, protocol=KFolds(5)) for one in (Ridge(), make_pipeline(Ridge())))
    ((a, b),) = [pair for pair in zip(summed.folds, refitted.folds, strict=True) if 17 in pair[0].test]
    np.testing.assert_allclose(a.prediction, b.prediction, rtol=1e-11)


# ---- nothing of a test row reaches the fit -----------------------------------------------------------------------------


class Remembers(TransformerMixin, BaseEstimator):
    """A preparation that leaks: it keeps the rows it was fitted to, and adds a column that says whether it knows a row."""

    def fit(self, X, y=None):
        self.rows_ = {tuple(row) for row in np.asarray(X)}
        return self

    def transform(self, X):
        known = [tuple(row) in self.rows_ for row in np.asarray(X)]
        return np.column_stack([X, known])


def test_preparation_never_sees_test_rows():
    """A preparation inside the learner is fitted to training rows only: no test row is known to it."""
    X, y = blobs()
    seen = []
    spy = FunctionTransformer(lambda Z: seen.append(Z[:, -1].mean()) or Z)
    evaluate(make_pipeline(Remembers(), spy, GaussianNB()), X, y, protocol=KFolds(5), metrics="accuracy")
    assert sorted(set(seen)) == [0.0, 1.0]  # all known while fitting, none while testing


def test_planted_leak():
    """Selecting columns on all rows before the folds looks brilliant on pure noise; inside the folds it does not."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2000)), np.repeat(["a", "b"], 30)

    class Selects(TransformerMixin, BaseEstimator):
        def fit(self, X, y):
            gap = np.abs(X[y == "a"].mean(axis=0) - X[y == "b"].mean(axis=0))
            self.chosen_ = np.argsort(-gap)[:20]
            return self

        def transform(self, X):
            return X[:, self.chosen_]

    leaked = evaluate(GaussianNB(), Selects().fit(X, y).transform(X), y, protocol=KFolds(5), metrics="accuracy")
    honest = evaluate(make_pipeline(Selects(), GaussianNB()), X, y, protocol=KFolds(5), metrics="accuracy")
    assert leaked.score().low > 0.6
    assert leaked.score().value > 0.85
    assert honest.score().low < 0.5 < honest.score().high


def test_tuning_never_sees_test_rows():
    """With a grid, what is chosen in a fold depends on the training rows of that fold alone."""
    X, y = line(60)
    grid = {"alpha": [1e-3, 1.0, 1e3, 1e6]}
    found = evaluate(Ridge(), X, y, protocol=KFolds(4), grid=grid, metrics="mse")
    for fold in found.folds:
        train = np.setdiff1d(np.arange(60), fold.test)
        assert fold.chosen == Tuned(Ridge(), grid, metric="mse").fit(X[train], y[train]).best_params_


# ---- tuning ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["r2", "mae", "rmse"])
def test_tuned_is_a_grid_search(metric):
    """Scores and choice are those of refitting every candidate, though preparation and sums are shared."""
    X, y = line(90)
    X = X * [1, 10, 100]
    whole = make_pipeline(StandardScaler(), Ridge())
    tuned = Tuned(whole, {"alpha": [0.1, 10.0, 1000.0]}, folds=4, metric=metric).fit(X, y)
    for candidate, scores in zip(tuned.candidates_, tuned.scores_, strict=True):
        for (train, test), score in zip(KFolds(4).splits(y, None, False), scores, strict=True):
            model = clone(whole).set_params(**candidate).fit(X[train], y[train])
            answers = Answers(y[test], model.predict(X[test]))
            assert METRICS[metric].of(answers) == pytest.approx(score, rel=1e-9)
    mean = tuned.scores_.mean(axis=1)
    best = mean.argmax() if METRICS[metric].more_is_better else mean.argmin()
    assert tuned.best_params_ == tuned.candidates_[best]
    np.testing.assert_allclose(tuned.predict(X), clone(whole).set_params(**tuned.best_params_).fit(X, y).predict(X))


def test_tuned_prepares_once(monkeypatch):
    """The preparation is fitted once for each inner fold and once at the end, however many candidates there are."""
    X, y = blobs()
    times = []
    plain = StandardScaler.fit
    monkeypatch.setattr(StandardScaler, "fit", lambda self, *data: times.append(1) or plain(self, *data))
    Tuned(make_pipeline(StandardScaler(), LogisticRegression()), {"C": [0.1, 1.0, 10.0]}, folds=3).fit(X, y)
    assert len(times) == 3 + 1


def test_tuned_of_other_steps():
    """Parameters of the preparation are tuned by refitting all of it."""
    X, y = blobs(kinds=3)
    tuned = Tuned(make_pipeline(PCA(), GaussianNB()), {"pca__n_components": [1, 4]}).fit(X, y)
    assert tuned.best_params_ == {"pca__n_components": 4}
    assert tuned.predict_proba(X).shape == (120, 3)
    assert set(tuned.classes_) == set(y)


def test_tuned_in_groups():
    """Inner folds respect groups too."""
    X, y = line(60)
    groups = np.arange(60) // 6
    found = evaluate(Ridge(), X, y, protocol=KFolds(5), groups=groups, grid={"alpha": [0.1, 1.0]}, metrics="r2")
    assert len(found.folds) == 5


# ---- intervals ---------------------------------------------------------------------------------------------------------


def test_interval_of_folds():
    """m ± t·s·√(1/k + n_test/n_train)."""
    X, y = blobs(100)
    found = evaluate(GaussianNB(), X, y, protocol=KFolds(5), metrics="log_loss")
    score = found.score()
    half = 2.776445 * score.folds.std(ddof=1) * np.sqrt(1 / 5 + 20 / 80)
    assert score.value == pytest.approx(score.folds.mean())
    assert score.high - score.value == pytest.approx(half, rel=1e-6)


@pytest.mark.parametrize("name", ["accuracy", "auc", "log_loss"])
def test_coverage_of_a_holdout(name):
    """The interval of a holdout covers the score on very many rows about as often as it says (binomial room)."""
    covered = 0
    truth_X, truth_y = blobs(20_000, seed=99)
    for seed in range(40):
        X, y = blobs(200, seed=seed)
        found = evaluate(GaussianNB(), X, y, protocol=Holdout(0.5, seed), metrics=name).score()
        train = next(iter(Holdout(0.5, seed).splits(y, None, True)))[0]
        model = GaussianNB().fit(X[train], y[train])
        right = METRICS[name].of(Answers(truth_y, model.predict(truth_X), model.classes_, model.predict_proba(truth_X)))
        covered += found.low <= right <= found.high
    assert covered >= 33  # 95 % of 40 is 38; P(fewer than 33 | 0.95) < 0.2 %


def test_scores_stay_in_their_range():
    """An interval never leaves the values that a measure can have."""
    X, y = blobs()
    X[y == "yes"] += 3.0
    found = evaluate(GaussianNB(), X, y, protocol=KFolds(5))
    for name in found.metrics:
        low, high = METRICS[name].range
        assert low <= found.score(name).low <= found.score(name).high <= high


# ---- what else is said -------------------------------------------------------------------------------------------------


class Warns(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        warnings.warn("be careful", UserWarning, stacklevel=2)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_warnings_are_counted():
    """Warnings are gathered, not shown; a learner without probabilities has no measures that need them."""
    X, y = blobs()
    found = evaluate(Warns(), X, y, protocol=KFolds(5))
    assert found.warnings == {"UserWarning: be careful": 5}
    assert np.isnan(found.score("auc").value)
    assert "accuracy" in str(found)


def test_folds_that_are_done_are_not_done_again():
    X, y = blobs()
    whole = evaluate(make_pipeline(GaussianNB()), X, y, protocol=KFolds(5))
    seen = []
    again = evaluate(make_pipeline(GaussianNB()), X, y, protocol=KFolds(5), done=whole.folds[:3], on_fold=seen.append)
    assert [fold.number for fold in seen] == [3, 4]
    assert again.score("accuracy").value == whole.score("accuracy").value


def test_frames_and_rare_classes():
    """Frames of words work, and a class that a training part lacks gets probability 0."""
    frame = pd.DataFrame({"size": ["small", "large", "small", "large", "small", "large"] * 5})
    y = np.array(["a", "b"] * 14 + ["c", "c"])
    found = evaluate(CategoricalNB(), frame, y, protocol=LeaveOneOut(), metrics=["accuracy", "log_loss"])
    assert found.pooled.probability.shape == (30, 3)
    assert found.confusion().total == 30


def test_baseline_says_nothing():
    """The AUC of a constant is ½, and its ROC curve is the diagonal."""
    X, y = blobs()
    found = evaluate(DummyClassifier(strategy="prior"), X, y, protocol=Holdout(0.5))
    assert found.score("auc").value == 0.5
    assert found.roc().auc == 0.5


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda X, y: evaluate(PCA(), X, y), "PCA predicts neither classes nor numbers"),
        (
            lambda X, y: evaluate(GaussianNB(), X, y, metrics="r2"),
            "'r2' is not a measure for classification; choose one of accuracy",
        ),
        (lambda X, y: evaluate(GaussianNB(), X, y, groups=[1, 2]), "groups has 2"),
    ],
)
def test_bad_questions(wrong, said):
    with pytest.raises((TypeError, ValueError), match=said):
        wrong(*blobs())


# ---- comparison --------------------------------------------------------------------------------------------------------


def test_holm():
    """The example of Holm's method: 0.01, 0.04, 0.03, 0.005 of four comparisons."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]).tolist() == []
    assert np.isnan(holm([float("nan"), 0.02])[0])
    assert holm([float("nan"), 0.02])[1] == pytest.approx(0.02)


def test_corrected_t_test():
    """With ratio 0 it is the paired t-test of SciPy."""
    from scipy.stats import ttest_1samp

    d = np.array([0.1, -0.02, 0.05, 0.03, 0.08])
    assert corrected_t_test(d, 0.0) == pytest.approx(ttest_1samp(d, 0.0).pvalue)
    assert corrected_t_test(d, 0.25) > corrected_t_test(d, 0.0)
    assert corrected_t_test(np.zeros(4), 0.1) == 1.0
    assert np.isnan(corrected_t_test(np.array([0.1]), 0.1))


def test_compare():
    """The best first; twins cannot be told apart from it, a constant can."""
    X, y = blobs(400)
    learners = {
        "constant": DummyClassifier(strategy="prior"),
        "ours": make_pipeline(StandardScaler(), LogisticRegression()),
        "theirs": make_pipeline(StandardScaler(), TheirLogisticRegression()),
    }
    found = compare({name: evaluate(one, X, y, metrics="accuracy") for name, one in learners.items()})
    tied = {standing.name: standing.tied for standing in found}
    assert tied == {"ours": True, "theirs": True, "constant": False}
    assert found[-1].name == "constant"
    assert found[-1].difference < -0.1


def test_rows_without_a_prediction_cannot_be_judged():
    """A model that predicts no number for some rows is refused in words, not judged by the others."""
    X = np.r_[np.arange(20.0), 1000.0][:, None]
    with pytest.raises(ValueError, match="predicts no number for 1 of 7 rows"):
        evaluate(RadiusNeighborsRegressor(3.0), X, X[:, 0], protocol=KFolds(3))


# ---- areas, inner folds, what is printed ---------------------------------------------------------------------------------


def test_one_area_under_the_curve():
    """The area of a class is the mean over the folds, as the score has it: of two classes the same number and interval, of
    three the mean of their areas."""
    X, y = blobs()
    two = evaluate(GaussianNB(), X, y, protocol=KFolds(5))
    area, score = two.area(), two.score("auc")
    assert (area.value, area.low, area.high) == (score.value, score.low, score.high)
    assert two.area(two.classes[0]).value == pytest.approx(two.area().value, abs=1e-12)
    X, y = blobs(kinds=3)
    three = evaluate(GaussianNB(), X, y, protocol=KFolds(5))
    assert np.mean([three.area(label).value for label in three.classes]) == pytest.approx(three.score("auc").value, abs=1e-12)


def test_decision_values_rank_two_classes():
    """Without probabilities the AUC is that of decision_function, of either class; losses of probabilities stay unknown."""
    X, y = blobs()
    found = evaluate(SVC(), X, y, protocol=KFolds(5))
    values = cross_val_predict(SVC(), X, y, cv=StratifiedKFold(5, shuffle=True, random_state=0), method="decision_function")
    expected = [roc_auc_score(y[fold.test] == "yes", values[fold.test]) for fold in found.folds]
    np.testing.assert_allclose(found.score("auc").folds, expected, rtol=1e-12)
    for label, side in (("yes", 1.0), ("no", -1.0)):
        assert found.area(label).value == pytest.approx(np.mean(expected), abs=1e-12)
        assert found.roc(label).auc == pytest.approx(roc_auc_score(y == label, side * values), abs=1e-12)
    assert np.isnan(found.score("log_loss").value)
    assert np.isnan(found.score("brier").value)
    curve = learning_curve(SVC(), X, y, shares=(0.5, 1.0), protocol=KFolds(5), metric="auc")
    np.testing.assert_allclose(curve.unseen[-1].folds, expected, rtol=1e-12)
    other = evaluate(GaussianNB(), X, y, protocol=KFolds(5))
    assert compare({"SVC": found, "GaussianNB": other}, metric="auc").standings[0].score.value == pytest.approx(
        max(np.mean(expected), other.score("auc").value)
    )


def test_decision_values_of_several_classes_rank_rows():
    """A column for each class: the area is the mean of scikit-learn's of each class against the rest."""
    X, y = blobs(kinds=3)
    found = evaluate(SVC(), X, y, protocol=KFolds(3))
    labels = found.classes
    columns = [np.array([roc_auc_score(y[f.test] == labels[k], f.decision[:, k]) for f in found.folds]) for k in range(3)]
    assert found.score("auc").value == pytest.approx(np.mean(columns), abs=1e-14)
    for k, areas in enumerate(columns):
        assert found.area(labels[k]).value == pytest.approx(areas.mean(), abs=1e-14)
        pooled = roc_auc_score(found.pooled.truth == labels[k], found.pooled.decision[:, k])
        assert found.roc(labels[k]).auc == pytest.approx(pooled, abs=1e-14)


def test_decision_values_of_pairs_are_no_scores():
    """Three pairs of three classes look like a column for each class, and are not, in a pipeline either."""
    X, y = blobs(kinds=3)
    for learner in (SVC(decision_function_shape="ovo"), make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo"))):
        found = evaluate(learner, X, y, protocol=KFolds(3))
        assert np.isnan(found.score("auc").value)
        with pytest.raises(ValueError, match="it has no ROC curve"):
            found.roc()


def test_tuned_asks_for_no_more_than_it_needs(monkeypatch):
    """Decision values and probabilities are computed for a measure that ranks, and chosen by it."""
    X, y = blobs()
    asked = []
    values = SVC.decision_function
    monkeypatch.setattr(SVC, "decision_function", lambda self, X: asked.append(len(X)) or values(self, X))
    Tuned(SVC(), {"C": [1.0, 10.0]}, folds=3, metric="accuracy").fit(X, y)
    assert not asked
    tuned = Tuned(SVC(), {"C": [0.001, 10.0]}, folds=3, metric="auc").fit(X, y)
    assert sum(asked) == 2 * len(X)
    assert 0.5 < tuned.best_score_ <= 1.0


@pytest.mark.parametrize("inner", [Holdout(0.3), KFolds(3), Repeated(2, 2)])
def test_inner_folds_by_a_protocol(inner):
    """A number of folds is the protocol of as many folds; any other protocol splits the training rows too."""
    X, y = blobs()
    found = evaluate(KNeighborsClassifier(), X, y, grid={"n_neighbors": [1, 5]}, inner=inner, protocol=KFolds(3))
    if inner == KFolds(3):
        as_number = evaluate(KNeighborsClassifier(), X, y, grid={"n_neighbors": [1, 5]}, inner=3, protocol=KFolds(3))
        assert [fold.chosen for fold in as_number.folds] == [fold.chosen for fold in found.folds]
    assert all(fold.chosen for fold in found.folds)


@pytest.mark.parametrize("inner", ["3", None, 2.5])
def test_inner_folds_that_are_none(inner):
    X, y = blobs()
    with pytest.raises(ValueError, match="give their number, or a protocol"):
        evaluate(KNeighborsClassifier(), X, y, grid={"n_neighbors": [1, 5]}, inner=inner, protocol=KFolds(3))


def test_results_print_in_a_few_lines():
    """Named in a notebook, a result tells what it is, not every number in it."""
    X, y = blobs(400)
    found = evaluate(GaussianNB(), X, y)
    for one in (found, found.folds[0], found.score(), found.roc(), learning_curve(GaussianNB(), X, y)):
        assert len(repr(one)) < 2500
        assert repr(one).startswith(type(one).__name__)
    assert "y=<array 400>" in repr(found)
    assert "value=" in repr(found.score())


def test_compilation_is_not_the_time_of_a_fold(monkeypatch):
    """What the machine compiles the first time is not told as the time of a method."""
    seconds = iter([0.0, 100.0, 103.0])
    monkeypatch.setattr("aprendiz.evaluation.folds.fold_run.seconds_of_compilation", lambda: next(seconds))
    X, y = blobs()
    fold = evaluate(KNeighborsClassifier(), X, y, protocol=Holdout(0.3)).folds[0]
    assert -100.0 < fold.fit_seconds < -90.0
    assert -3.0 < fold.predict_seconds < 0.0


# ---- all test rows together ------------------------------------------------------------------------------------------


def test_pooled_error_of_the_course():
    """Err_CV = 1/n Σ L(y_i, f₋ᵢ(x_i)) over all rows: the mean of the folds weighted by their rows, which 5 folds of 12 rows
    make another number than the plain mean."""
    X, y = line(12)
    found = evaluate(LinearRegression(), X, y, protocol=KFolds(5, seed=0), metrics=["mse", "r2"])
    sizes = [len(fold.test) for fold in found.folds]
    assert sorted(sizes) == [2, 2, 2, 3, 3]
    by_hand = np.empty(12)
    for fold in found.folds:
        train = np.setdiff1d(np.arange(12), fold.test)
        by_hand[fold.test] = (y[fold.test] - LinearRegression().fit(X[train], y[train]).predict(X[fold.test])) ** 2
    pooled, mean = found.pooled_score("mse"), found.score("mse")
    assert pooled.value == pytest.approx(by_hand.mean(), rel=1e-9)
    assert pooled.value == pytest.approx(np.average(mean.folds, weights=sizes), rel=1e-9)
    assert pooled.value != pytest.approx(mean.value, rel=1e-3)
    assert pooled.low <= pooled.value <= pooled.high
    told = np.concatenate([fold.test for fold in found.folds])
    assert found.pooled_score("r2").value == pytest.approx(1 - by_hand[told].sum() / ((y - y.mean()) ** 2).sum(), rel=1e-9)


def test_pooled_score_of_one_split_is_the_score():
    """A single split has nothing to pool, and one row at a time is pooled anyway."""
    X, y = blobs(40)
    for protocol in (Holdout(0.25), LeaveOneOut()):
        found = evaluate(GaussianNB(), X, y, protocol=protocol, metrics="accuracy")
        one, other = found.score(), found.pooled_score()
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    with pytest.raises(ValueError, match=r"level = 2 must lie between 0 and 1"):
        found.pooled_score(level=2)
