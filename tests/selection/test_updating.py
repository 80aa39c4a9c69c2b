"""Updated scores are those of new fits: every candidate of a step, for every learner, against scikit-learn's folds."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hostile.hostile_tables import exact_centred, exact_solution, exactly
from sklearn import discriminant_analysis, linear_model, naive_bayes
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import KFold, LeaveOneOut, PredefinedSplit, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aprendiz as ap
from aprendiz.selection.updating.updated_scores import FoldData, updated_models, updated_scores

NUMBERS = {
    "ours": ap.LinearRegression(),
    "ours, ridge": ap.Ridge(0.7),
    "ours, ridge through zero": ap.Ridge(2.0, fit_intercept=False),
    "ours, ridge of scaled columns": make_pipeline(ap.StandardScaler(), ap.Ridge(5.0)),
    "scikit-learn's": linear_model.LinearRegression(),
    "scikit-learn's through zero": linear_model.LinearRegression(fit_intercept=False),
    "scikit-learn's ridge": linear_model.Ridge(3.0),
}
CLASSES = {
    "LDA": ap.LinearDiscriminantAnalysis(),
    "LDA, priors": ap.LinearDiscriminantAnalysis(priors=[0.2, 0.5, 0.3]),
    "LDA, lsqr": ap.LinearDiscriminantAnalysis(solver="lsqr"),
    "scikit-learn's LDA": discriminant_analysis.LinearDiscriminantAnalysis(),
    "scikit-learn's LDA, eigen": discriminant_analysis.LinearDiscriminantAnalysis(solver="eigen"),
    "GaussianNB": ap.GaussianNB(),
    "GaussianNB, smooth": ap.GaussianNB(var_smoothing=0.1),
    "scikit-learn's GaussianNB": naive_bayes.GaussianNB(var_smoothing=0.05),
    "GaussianNB of scaled columns": make_pipeline(StandardScaler(), ap.GaussianNB(var_smoothing=0.1)),
    "LDA of scaled columns": make_pipeline(StandardScaler(), ap.LinearDiscriminantAnalysis()),
    "CategoricalNB": ap.CategoricalNB(),
    "scikit-learn's CategoricalNB": naive_bayes.CategoricalNB(),
}
LEARNERS = NUMBERS | CLASSES
MEASURES = {True: (None, "roc_auc_ovr", "balanced_accuracy"), False: (None, "neg_mean_squared_error", "neg_max_error")}


def data_for(name, seed=0, rows=90, columns=7):
    """A table, a target and its labels; codes for the learners of codes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns)) @ (np.eye(columns) + 0.5 * random.normal(size=(columns, columns))) + 3.0
    y = X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + random.normal(size=rows)
    labels = None
    if name in CLASSES:
        labels, y = np.arange(3), np.digitize(y, np.quantile(y, [0.3, 0.7]))
    if "Categorical" in name:
        X = np.digitize(X, [1.0, 3.0, 4.0]).astype(float)
        X[:4] = np.arange(4.0)[:, None]
    return X, y, labels


def splits_of(cv, X, y, labels):
    return list((cv if cv is not None else StratifiedKFold(4) if labels is not None else KFold(4)).split(X, y))


def by_fits(learner, X, y, splits, scoring, sets):
    """Scores of scikit-learn's own cross-validation."""
    return np.array([cross_val_score(learner, X[:, chosen], y, cv=splits, scoring=scoring) for chosen in sets])


def flipped(chosen, columns):
    sets = np.tile(chosen, (len(columns), 1))
    sets[np.arange(len(columns)), columns] ^= True
    return sets


def scores_and_fits(name, X, y, labels, splits, scoring, start, flips):
    """What updating says of all sets one column away, and what fits say; and the same here."""
    learner = clone(LEARNERS[name])
    found = updated_scores(learner, FoldData(X, y, labels, None, splits), scoring, check_scoring(learner, scoring))
    found.go(start, flips)
    chosen = start.copy()
    for column in flips:
        chosen[column] ^= True
    columns = np.array([j for j in range(X.shape[1]) if chosen.sum() > 1 or not chosen[j]])
    return found.flipped(columns), by_fits(learner, X, y, splits, scoring, flipped(chosen, columns)), found, chosen


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("start", ["none", "all"])
def test_every_candidate(name, start):
    """Forward and backward, before and after sweeps, and by every kind of measure."""
    X, y, labels = data_for(name)
    splits, start = splits_of(None, X, y, labels), np.full(X.shape[1], start == "all")
    measures = MEASURES[name in CLASSES]
    if (
        "Categorical" in name
    ):  # rounding decides which of many equal probabilities are equal to the last bit, and AUC counts them
        measures = (None, "neg_log_loss", "balanced_accuracy")
    for scoring, flips in zip(measures, ([], [3, 0, 5], [2, 4, 2, 1]), strict=True):
        scores, fits, *_ = scores_and_fits(name, X, y, labels, splits, scoring, start, flips)
        np.testing.assert_allclose(scores, fits, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", ["ours, ridge", "LDA", "GaussianNB"])
@pytest.mark.parametrize("cv", [ShuffleSplit(3, random_state=0), LeaveOneOut()], ids=lambda cv: type(cv).__name__)
def test_other_folds(name, cv):
    """Folds that do not divide the rows, and folds of one row."""
    X, y, labels = data_for(name, rows=40)
    scoring = None if labels is not None else "neg_mean_squared_error"
    scores, fits, *_ = scores_and_fits(name, X, y, labels, splits_of(cv, X, y, labels), scoring, np.zeros(7, bool), [1, 6])
    np.testing.assert_allclose(scores, fits, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("scoring", ["default", "by name"])
@pytest.mark.parametrize("name", ["ours", "ours, ridge", "LDA", "scikit-learn's LDA", "GaussianNB", "CategoricalNB"])
def test_two_classes_in_unequal_folds(name, scoring):
    """Folds of 10, 25 and 55 rows; two classes; measures that are computed here, and those that scikit-learn computes."""
    X, y, labels = data_for(name)
    if labels is not None:
        y, labels = (y > 0).astype(int), np.arange(2)
    scoring = None if scoring == "default" else "neg_mean_absolute_error" if labels is None else "neg_log_loss"
    splits = list(PredefinedSplit(np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [10, 25, 55]))).split())
    for start, flips in ((np.zeros(7, bool), [1, 6]), (np.ones(7, bool), [2])):
        scores, fits, *_ = scores_and_fits(name, X, y, labels, splits, scoring, start, flips)
        np.testing.assert_allclose(scores, fits, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", ["ours", "ours, ridge", "LDA", "GaussianNB"])
def test_weights(name):
    """Fits are weighted, scores are not."""
    X, y, labels = data_for(name)
    weight = np.random.default_rng(1).integers(1, 4, len(X)) / 2.0
    splits, learner, S = splits_of(None, X, y, labels), clone(LEARNERS[name]), [0, 2, 3]
    found = updated_scores(learner, FoldData(X, y, labels, weight, splits), None, check_scoring(learner))
    found.go(np.zeros(7, bool), [0, 2])
    expected = [
        clone(learner).fit(X[train][:, S], y[train], sample_weight=weight[train]).score(X[test][:, S], y[test])
        for train, test in splits
    ]
    np.testing.assert_allclose(found.flipped(np.array([3]))[0], expected, rtol=1e-10)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["ours", "ours, ridge", "LDA"])
def test_near_dependence_is_noticed(name, seed):
    """Where columns depend on others, nearly or quite, what is answered has its digits, and the rest is left to fits."""
    X, y, labels = data_for(name, seed)
    random = np.random.default_rng(seed)
    X[:, 5] = X[:, 0] + X[:, 1] + 10.0 ** -(seed + 1.0) * random.normal(size=len(X))
    X[:, 6] = X[:, 2] if seed % 2 else 4.0
    for start, flips in ((np.zeros(7, bool), [0, 1, 2]), (np.ones(7, bool), [3])):
        with warnings.catch_warnings(action="ignore"):
            scores, fits, *_ = scores_and_fits(name, X, y, labels, splits_of(None, X, y, labels), None, start, flips)
        known = ~np.isnan(scores).any(axis=1)
        np.testing.assert_allclose(scores[known], fits[known], rtol=1e-7, atol=1e-9)
        if seed > 3 and name != "ours, ridge":
            assert not known.all()


@pytest.mark.parametrize("shift", [0.0, 2.0**30])
@pytest.mark.parametrize("scale", [1.0, 1e120, 1e-120])
@pytest.mark.parametrize("name", ["ours", "LDA", "GaussianNB"])
def test_units(name, scale, shift):
    """Neither units nor a common offset change what is found (dyadic cells: both tables hold the same numbers)."""
    X, y, labels = data_for(name)
    X = np.round(X * 2.0**10) / 2.0**10
    learner, splits = clone(LEARNERS[name]), splits_of(None, X, y, labels)
    found = []
    for table in (X, (X + shift) * scale):
        one = updated_scores(learner, FoldData(table, y, labels, None, splits), None, check_scoring(learner))
        one.go(np.zeros(7, bool), [1, 4])
        found.append(one.flipped(np.arange(7)))
    np.testing.assert_allclose(found[0], found[1], atol=1e-5 if shift else 1e-9)


# ---- against exact arithmetic --------------------------------------------------------------------------------------------


def cruel_table(seed):
    """Columns far from zero, tiny, nearly dependent, with outliers or constant in a fold, and two of noise."""
    random = np.random.default_rng([seed, 28])
    X = random.normal(size=(13, 4)) * 10.0 ** random.integers(-9, 10, size=4)
    X[:, 1] = X[:, 0] * (1.0 + 10.0 ** -random.integers(1, 9) * random.normal(size=13))
    X = X + random.choice([0.0, 1e8, -1e6], size=4)
    if seed % 3 == 0:
        X[random.integers(13), random.integers(4)] *= 10.0 ** random.integers(3, 10)
    if seed % 4 == 0:
        X[3:, 2] = X[3, 2]
    return np.column_stack([X, random.normal(size=(13, 2))]), random.normal(size=13)


def exact_regression(X, y, test, alpha):
    """Predictions of rational arithmetic, less the mean; None if there are many."""
    Z, c, _, mean, middle = exact_centred(X, y, None, True)
    A = [[sum(row[i] * row[j] for row in Z) + (i == j) * Fraction(alpha) for j in range(len(mean))] for i in range(len(mean))]
    w = exact_solution(A, [sum(row[i] * value for row, value in zip(Z, c, strict=True)) for i in range(len(mean))])
    return w and np.array(
        [float(middle + sum(p * (q - m) for p, q, m in zip(w, row, mean, strict=True))) for row in exactly(test)]
    )


def exact_discriminant(X, y, test):
    """log P(1, x) − log P(0, x) of rational arithmetic; None if the scatter is singular."""
    parts = [exact_centred(X[y == k], y[y == k], None, True) for k in (0, 1)]
    Z, (low, high) = parts[0][0] + parts[1][0], (part[3] for part in parts)
    G = [[sum(row[i] * row[j] for row in Z) for j in range(len(low))] for i in range(len(low))]
    u = exact_solution(G, [b - a for a, b in zip(low, high, strict=True)])
    prior = np.log((y == 1).sum() / (y == 0).sum())
    return u and np.array(
        [
            prior + float(len(y) * sum(p * (q - (a + b) / 2) for p, q, a, b in zip(u, row, low, high, strict=True)))
            for row in exactly(test)
        ]
    )


@pytest.mark.parametrize("name", ["ours", "ours, ridge", "LDA"])
def test_exact_answers(name):
    """What is answered has digits wherever the columns lie, as fits of rational arithmetic say; and much is answered."""
    answered, asked, random = 0, 0, np.random.default_rng(0)
    for seed in range(12):
        X, y = cruel_table(seed)
        y = (y > np.median(y)).astype(int) if name == "LDA" else y
        splits = list(KFold(3).split(X) if name != "LDA" else StratifiedKFold(3).split(X, y))
        models = updated_models(
            LEARNERS[name] if name != "LDA" else ap.LinearDiscriminantAnalysis(),
            FoldData(X, y, np.arange(2) if name == "LDA" else None, None, splits),
        )
        path = random.permutation(6)[: seed % 4].tolist()
        for (train, test), model in zip(splits, models, strict=True):
            model.go(np.zeros(6, bool), path)
            columns = np.array([j for j in range(6) if [j] != path])
            known = columns[model.answered(columns)]
            answered, asked = answered + len(known), asked + len(columns)
            for j, found in zip(known, np.moveaxis(model.flipped(known), 1, 0), strict=True):
                S = sorted({*path} ^ {int(j)})
                if name == "LDA":
                    found, exact = found[:, 1] - found[:, 0], exact_discriminant(X[train][:, S], y[train], X[test][:, S])
                else:
                    exact = exact_regression(X[train][:, S], y[train], X[test][:, S], 0.7 if "ridge" in name else 0)
                np.testing.assert_allclose(found, exact, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(exact).max()))
    assert answered > 0.5 * asked


def test_missing_cells():
    """Gaussian naive Bayes leaves missing cells out."""
    X, y, labels = data_for("GaussianNB")
    X[np.random.default_rng(3).random(X.shape) < 0.2] = np.nan
    scores, fits, *_ = scores_and_fits("GaussianNB", X, y, labels, splits_of(None, X, y, labels), None, np.ones(7, bool), [3])
    np.testing.assert_allclose(scores, fits, rtol=1e-12)


@pytest.mark.parametrize(
    "learner",
    [
        ap.Ridge(positive=True),
        ap.Ridge(budget=1.0),
        ap.Ridge(np.array([1.0])),
        ap.LinearRegression(solver="gd"),
        ap.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
        linear_model.Ridge(solver="sag"),
        ap.LogisticRegression(),
        ap.KNeighborsClassifier(),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_others_are_fitted(learner):
    """Learners and parameters for which there is no way are not updated."""
    name = "LDA" if hasattr(learner, "predict_proba") else "ours"
    X, y, labels = data_for(name)
    splits = splits_of(None, X, y, labels)
    assert updated_scores(learner, FoldData(X, y, labels, None, splits), None, check_scoring(learner)) is None


def test_a_fold_without_a_class_is_fitted():
    """So are folds whose training rows lack a class."""
    X, y, labels = data_for("LDA")
    order = np.argsort(y)
    splits = list(KFold(3).split(X))
    learner = ap.LinearDiscriminantAnalysis()
    data = FoldData(X[order], y[order], labels, None, splits)
    assert updated_scores(learner, data, None, check_scoring(learner)) is None


def test_a_place_has_the_same_bits_by_its_name():
    """A place that is reached step by step, and one that is gone to at once, are the same to the last bit."""
    X, y, labels = data_for("LDA")
    splits, learner = splits_of(None, X, y, labels), ap.LinearDiscriminantAnalysis()
    start, path = np.zeros(7, bool), [3, 1, 5, 1, 0]
    data = FoldData(X, y, labels, None, splits)
    one, other = (updated_scores(learner, data, "neg_log_loss", check_scoring(learner, "neg_log_loss")) for _ in range(2))
    for end in range(len(path) + 1):
        one.go(start, path[:end])
    other.go(start, path)
    assert np.array_equal(one.flipped(np.arange(7)), other.flipped(np.arange(7)))


# ---- logistic regression from which columns are taken away ----------------------------------------------------------------


def two_classes(seed, rows=70, columns=9):
    random = np.random.default_rng([seed, 29])
    X = random.normal(size=(rows, columns)) @ (np.eye(columns) + 0.4 * random.normal(size=(columns, columns))) + 5.0
    return X, (X[:, 0] - X[:, 1] + random.logistic(size=rows) > 0).astype(int)


def by_new_fits(model):
    return np.asarray(model.coef_)


@pytest.mark.parametrize(
    ("seed", "told"),
    [(0, {}), (1, {"C": 1e-3}), (2, {"C": 1e4}), (3, {"fit_intercept": False}), (4, {"C": 50.0, "solver": "newton"})],
)
def test_shrinking_logistic(seed, told):
    """The order and the scores are those of new fits, and of another library's where it goes on to the minimum."""
    X, y = two_classes(seed)
    learner, search = ap.LogisticRegression(**told), {"cv": KFold(3, shuffle=True, random_state=0), "scoring": "neg_log_loss"}
    theirs = linear_model.LogisticRegression(**told | {"solver": "newton-cholesky"}, tol=1e-12)
    found = ap.RFECV(learner, **search).fit(X, y)
    assert found.certificate_.updated
    for other in (learner, theirs):
        again = ap.RFECV(other, importance_getter=by_new_fits, **search).fit(X, y)
        assert np.array_equal(found.ranking_, again.ranking_)
        for name, array in again.cv_results_.items():
            np.testing.assert_allclose(found.cv_results_[name], array, rtol=1e-7, err_msg=name)
        np.testing.assert_allclose(found.importances_, again.importances_, rtol=1e-6)


def test_shrinking_logistic_with_weights_and_steps():
    """Weights count as rows do, and several columns may leave at once."""
    X, y = two_classes(5)
    times = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = ap.RFE(ap.LogisticRegression(), n_features_to_select=2, step=2).fit(X, y, sample_weight=times)
    rows = np.repeat(np.arange(len(X)), times)
    repeated = ap.RFE(ap.LogisticRegression(), n_features_to_select=2, step=2, importance_getter=by_new_fits)
    assert np.array_equal(weighted.ranking_, repeated.fit(X[rows], y[rows]).ranking_)
    assert weighted.certificate_.updated
    assert weighted.certificate_.difference < 1e-6


def test_shrinking_logistic_goes_on_with_the_same_bits():
    """A run of many columns, resumed anywhere."""
    X, y = two_classes(6, rows=60, columns=40)
    model = ap.RFECV(ap.LogisticRegression(), cv=2)
    states = list(model.steps(X, y))
    for number in (0, 5, 34, 39, 40, 47, len(states) - 3):
        rest = list(model.steps(X, y, since=states[number]))
        assert len(rest) == len(states) - number - 1
        assert np.array_equal(rest[-1].removed, states[-1].removed)
        assert np.array_equal(rest[-1].scores, states[-1].scores)


@pytest.mark.parametrize("seed", range(4))
def test_shrinking_logistic_of_dependent_columns(seed):
    """What is answered is the minimum; what is not, is fitted."""
    X, y = two_classes(seed)
    X[:, 5] = X[:, 0] + 10.0 ** -(4.0 * seed) * X[:, 2]
    X[:, 6] = [X[:, 1], 3.0, 1e9 + X[:, 1], 1e-9 * X[:, 1]][seed]
    learner, search = ap.LogisticRegression(C=100.0), {"cv": 3, "scoring": "neg_log_loss"}
    found, again = (ap.RFECV(learner, importance_getter=getter, **search).fit(X, y) for getter in ("auto", by_new_fits))
    rtol = 1e-5 if seed == 2 else 1e-7  # predictions of the fits from 10⁹ have no more digits
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], again.cv_results_["mean_test_score"], rtol=rtol)
    assert found.certificate_.holds


@pytest.mark.parametrize(
    ("learner", "several"),
    [
        (ap.LogisticRegression(C=1e9), False),
        (ap.LogisticRegression(l1_ratio=0.5), False),
        (ap.LogisticRegression(class_weight="balanced"), False),
        (ap.LogisticRegression(solver="gd"), False),
        (ap.LogisticRegression(loss="squared"), False),
        (linear_model.LogisticRegression(), False),
        (ap.LogisticRegression(), True),
    ],
)
def test_other_logistic_regressions_are_fitted(learner, several):
    """Other penalties, losses and solvers, and more than two classes."""
    X, y = two_classes(0)
    y = y + (X[:, 2] > 6.0) * 2 if several else y
    data = FoldData(X, np.unique(y, return_inverse=True)[1], np.unique(y), None, list(KFold(3).split(X)))
    assert updated_models(learner, data, shrinking=True) is None
    assert updated_models(ap.LogisticRegression(), data) is None
