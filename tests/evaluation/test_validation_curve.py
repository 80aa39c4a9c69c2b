"""Validation curves: each value is an evaluation; the best value, and the simplest within a standard error of it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as TheirTree

from aprendiz import GaussianNB, Ridge
from aprendiz.evaluation import Holdout, KFolds, LeaveOneOut, Repeated, evaluate, validation_curve

RNG = np.random.default_rng(7)
CODES = np.repeat([0, 1, 2], [40, 30, 20])
X = RNG.normal(size=(90, 3)) + CODES[:, None]
Y = np.array(["low", "middle", "high"])[CODES]
NUMBER = X @ [1.0, -2.0, 0.5] + RNG.normal(size=90)
ALPHAS = (1000.0, 10.0, 0.1)


@pytest.mark.parametrize("protocol", [KFolds(4), Holdout(0.3), Repeated(3, 2)], ids=str)
@pytest.mark.parametrize(
    ("learner", "y", "parameter", "values", "metric"),
    [
        (KNeighborsClassifier(), Y, "n_neighbors", (9, 3, 1), "accuracy"),
        (Ridge(), NUMBER, "alpha", ALPHAS, "mae"),
        (Ridge(), NUMBER, "fit_intercept", (False, True), "r2"),
        (GaussianNB(), Y, "var_smoothing", (1.0, 1e-9), "log_loss"),
    ],
    ids=["neighbours", "ridge", "intercept", "bayes"],
)
def test_each_value_is_an_evaluation(protocol, learner, y, parameter, values, metric):
    """Value, interval and folds are those of `evaluate`, and fitted in the same way."""
    check_each_value(protocol, learner, X, y, parameter, values, metric)


def test_one_row_at_a_time():
    check_each_value(LeaveOneOut(), Ridge(), X[:12], NUMBER[:12], "alpha", ALPHAS, "mse")


def check_each_value(protocol, learner, X, y, parameter, values, metric):
    curve = validation_curve(learner, X, y, parameter=parameter, values=values, protocol=protocol, metric=metric)
    for value, mine, found in zip(values, curve.unseen, curve.evaluations, strict=True):
        whole = evaluate(learner.__class__(**{parameter: value}), X, y, protocol=protocol, metrics=metric)
        wanted = whole.score()
        np.testing.assert_allclose([mine.value, mine.low, mine.high], [wanted.value, wanted.low, wanted.high], rtol=1e-9)
        assert found.how == whole.how


def test_training_rows_by_hand():
    curve = validation_curve(Ridge(), X, NUMBER, parameter="alpha", values=ALPHAS, protocol=KFolds(3), metric="mae")
    for alpha, seen in zip(ALPHAS, curve.seen, strict=True):
        wanted = [
            np.abs(Ridge(alpha).fit(X[train], NUMBER[train]).predict(X[train]) - NUMBER[train]).mean()
            for train, _ in KFolds(3).splits(NUMBER, None, False)
        ]
        np.testing.assert_allclose(seen.folds, wanted, rtol=1e-9)
        np.testing.assert_allclose([seen.low, seen.value, seen.high], [min(wanted), np.mean(wanted), max(wanted)], rtol=1e-9)


def test_one_sum_for_all_values(monkeypatch):
    """Values that only the conclusion needs share the sums of the folds; others do not."""
    asked = []
    summarise = Ridge.summarise
    monkeypatch.setattr(Ridge, "summarise", lambda self, rows: asked.append(1) or summarise(self, rows))
    validation_curve(Ridge(), X, NUMBER, parameter="alpha", values=ALPHAS, protocol=KFolds(5))
    assert len(asked) == 5
    validation_curve(Ridge(), X, NUMBER, parameter="fit_intercept", values=(False, True), protocol=KFolds(5))
    assert len(asked) == 15


def test_names_of_parameters():
    """With or without the name of the last step; other steps by theirs; the learner stays as it is."""
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=3.0))
    short, long = (
        validation_curve(pipeline, X, Y, parameter=name, values=(0.01, 1.0), protocol=KFolds(3))
        for name in ("C", "logisticregression__C")
    )
    assert [s.value for s in short.unseen] == [s.value for s in long.unseen]
    assert pipeline.get_params()["logisticregression__C"] == 3.0
    means = validation_curve(pipeline, X, Y, parameter="standardscaler__with_mean", values=(True, False), protocol=KFolds(3))
    assert means.values == (True, False)


# ---- the two values --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def depths():
    return validation_curve(TheirTree(random_state=0), X, Y, parameter="max_depth", values=(1, 2, 3, 6), protocol=KFolds(5))


def with_scores(curve, values, errors, **change):
    """The curve with other scores."""
    unseen = tuple(replace(score, value=value) for score, value in zip(curve.unseen, values, strict=True))
    return replace(curve, unseen=unseen, standard_errors=np.array(errors), **change)


def test_best_and_one_standard_error(depths):
    found = with_scores(depths, [0.70, 0.78, 0.80, 0.75], [0.01, 0.01, 0.03, 0.01])
    assert (found.best, found.one_se) == (3, 2)
    assert with_scores(depths, [0.70, 0.78, 0.80, 0.75], [0.2, 0.2, 0.01, 0.2]).one_se == 3  # the error of the best counts
    turned = with_scores(depths, [0.70, 0.78, 0.80, 0.79], [0.01, 0.01, 0.03, 0.01], simplest="last")
    assert (turned.best, turned.one_se) == (3, 6)
    errors = with_scores(depths, [0.70, 0.78, 0.80, 0.75], [0.1] * 4, metric="log_loss")
    assert (errors.best, errors.one_se) == (1, 1)
    equal = with_scores(depths, [0.5, 0.8, 0.8, np.nan], [0.0] * 4)
    assert (equal.best, equal.one_se) == (2, 2)
    assert replace(equal, simplest="last").best == 3


def test_standard_errors(depths):
    """s/√k of the folds; of a single split, that of the rows."""
    for score, error in zip(depths.unseen, depths.standard_errors, strict=True):
        assert error == pytest.approx(score.folds.std(ddof=1) / np.sqrt(5))
    single = validation_curve(Ridge(), X, NUMBER, parameter="alpha", values=(1.0,), protocol=Holdout(0.5), metric="mse")
    squares = (NUMBER[single.evaluations[0].folds[0].test] - single.evaluations[0].folds[0].prediction) ** 2
    assert single.standard_errors[0] == pytest.approx(squares.std(ddof=1) / np.sqrt(len(squares)))


def test_words(depths):
    lines = str(depths).splitlines()
    assert lines[0] == "5-fold cross-validation; fit"
    assert lines[1].split()[0] == "max_depth"
    assert len(lines) == 7
    assert lines[-1] == f"best: {depths.best}; within a standard error of it: {depths.one_se}"
    frame = depths.frame()
    assert frame.index.name == "max_depth"
    assert list(frame["unseen_value"]) == [score.value for score in depths.unseen]


def test_groups():
    groups = np.arange(90) // 3
    curve = validation_curve(GaussianNB(), X, Y, parameter="var_smoothing", values=(1e-9,), groups=groups, protocol=KFolds(4))
    for fold in curve.evaluations[0].folds:
        assert not set(groups[fold.test]) & set(np.delete(groups, fold.test))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"values": ()}, "values is empty"),
        ({"parameter": "beta"}, "Ridge has no parameter 'beta': it has alpha, "),
        ({"simplest": "smallest"}, "'first' or the 'last'"),
        ({"metric": "accuracy"}, "not a measure for regression"),
    ],
)
def test_refusals(change, words):
    with pytest.raises(ValueError, match=words):
        validation_curve(Ridge(), X, NUMBER, **{"parameter": "alpha", "values": ALPHAS, **change})


def test_refusal_without_probabilities():
    with pytest.raises(ValueError, match="gives no probabilities"):
        validation_curve(LinearSVC(), X, Y, parameter="C", values=(1.0,), metric="brier")


# ---- training, validation and test rows ------------------------------------------------------------------------------


def test_three_parts_in_one_call():
    """`Holdout` outside and inside: the value is chosen on the validation rows, the model is fitted to those and the training
    rows, and judged once on test rows that neither has seen."""
    outer, inner = Holdout(0.2, seed=3), Holdout(0.25, seed=4)
    found = evaluate(Ridge(), X, NUMBER, protocol=outer, grid={"alpha": ALPHAS}, inner=inner, metrics="mse")
    rest, test = next(outer.splits(NUMBER, None, False))
    train, validation = (rest[part] for part in next(inner.splits(NUMBER[rest], None, False)))
    assert [len(part) for part in (train, validation, test)] == [54, 18, 18]
    errors = [((Ridge(a).fit(X[train], NUMBER[train]).predict(X[validation]) - NUMBER[validation]) ** 2).mean() for a in ALPHAS]
    best = ALPHAS[int(np.argmin(errors))]
    (fold,) = found.folds
    assert fold.chosen == {"alpha": best}
    np.testing.assert_array_equal(fold.test, test)
    np.testing.assert_allclose(fold.prediction, Ridge(best).fit(X[rest], NUMBER[rest]).predict(X[test]), rtol=1e-9)
    classes = evaluate(GaussianNB(), X, Y, protocol=outer, grid={"var_smoothing": (1e-9, 0.1)}, inner=inner)
    assert classes.folds[0].trained_on == 72
