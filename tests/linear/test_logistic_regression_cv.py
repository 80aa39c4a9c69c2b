"""LogisticRegressionCV: scores, choice and forms are scikit-learn's; the fits of a fold are those that it gives alone."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV as TheirLogisticRegressionCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.preprocessing import scale

import aprendiz
from aprendiz import LogisticRegression, LogisticRegressionCV

CANCER, TUMOUR = load_breast_cancer(return_X_y=True)
CANCER = scale(CANCER)
FLOWERS, KIND = load_iris(return_X_y=True)
KIND = np.array(["setosa", "versicolor", "virginica"])[KIND]
TABLES = {"two classes": (CANCER[:, :8], TUMOUR), "three classes": (FLOWERS, KIND)}
CS = np.array([0.01, 0.3, 10.0])
WEIGHT = np.random.default_rng(0).integers(1, 4, 600) / 2.0
TIGHT = {"tol": 1e-9, "max_iter": 20_000, "solver": "newton-cholesky"}  # their fits go on until nothing changes
ARRAYS = {"use_legacy_attributes": False, "l1_ratios": [0.0]}


def theirs(**parameters):
    return TheirLogisticRegressionCV(**{"scoring": "neg_log_loss", **ARRAYS, **TIGHT, **parameters})


def ours(**parameters):
    return LogisticRegressionCV(**{"scoring": "neg_log_loss", **ARRAYS, "tol": 1e-7, **parameters})


def centred(planes):
    """Without what says nothing: a constant added to the intercepts of all classes."""
    planes = np.array(planes)
    if planes.shape[-2] > 1:
        planes[..., -1] -= planes[..., -1].mean(axis=-1, keepdims=True)
    return planes


def assert_same(here, there, tolerance=1e-5):
    """Scores, paths, choice and the final fit."""
    np.testing.assert_allclose(here.scores_, there.scores_, rtol=tolerance)
    assert here.C_ == there.C_
    assert here.l1_ratio_ == there.l1_ratio_
    shift = centred if here.fit_intercept else np.array
    pairs = [(here.coefs_paths_, there.coefs_paths_)]
    pairs.append([np.column_stack([model.coef_, model.intercept_]) for model in (here, there)])
    for one, other in pairs:
        np.testing.assert_allclose(shift(one), shift(other), rtol=0, atol=tolerance * np.abs(other).max())


# ---- as scikit-learn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("parameters", "weighted"),
    [
        ({}, False),
        ({}, True),
        ({"fit_intercept": False}, False),
        ({"class_weight": "balanced"}, True),
        ({"refit": False}, True),
        ({"cv": KFold(4, shuffle=True, random_state=0)}, False),
    ],
    ids=["plain", "weighted", "no intercept", "balanced", "means", "splitter"],
)
def test_same_as_scikit_learn(name, parameters, weighted):
    """Scores of every fit, paths, choice and coefficients; weights count in fits and scores."""
    X, y = TABLES[name]
    weight = WEIGHT[: len(y)] if weighted else None
    given = {"Cs": CS, "cv": 3, **parameters}
    assert_same(ours(**given).fit(X, y, weight), theirs(**given).fit(X, y, weight))


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "accuracy", "neg_brier_score"])
def test_named_scores(scoring):
    """Measures of several kinds choose as in scikit-learn; `score` is by the same measure."""
    X, y = TABLES["two classes"]
    here, there = (make(Cs=CS, cv=3, scoring=scoring).fit(X, y, WEIGHT[: len(y)]) for make in (ours, theirs))
    assert_same(here, there)
    for weight in (None, WEIGHT[: len(y)]):
        assert here.score(X, y, sample_weight=weight) == pytest.approx(there.score(X, y, sample_weight=weight), rel=1e-6)


def test_breast_cancer():
    """The default grid and the default score, all columns: the same accuracies, hence the same C."""
    settings = {"use_legacy_attributes": False, "scoring": None, "l1_ratios": (0,)}
    here, there = LogisticRegressionCV(**settings).fit(CANCER, TUMOUR), theirs(scoring=None, l1_ratios=(0,)).fit(CANCER, TUMOUR)
    np.testing.assert_array_equal(here.scores_, there.scores_)
    assert here.C_ == there.C_
    np.testing.assert_array_equal(here.Cs_, there.Cs_)


@pytest.mark.parametrize(("name", "rows", "shares"), [("two classes", 150, [1.0]), ("three classes", 150, [1.0, 0.3])])
def test_penalties_with_zeros(name, rows, shares):
    """L1 and the elastic net, against scikit-learn's stochastic solver, run until nothing changes."""
    X, y = TABLES[name]
    X, y = scale(X[:rows]), y[:rows]
    given = {"Cs": [0.05, 1.0], "cv": 3, "l1_ratios": shares}
    there = theirs(**given, solver="saga", tol=1e-7, random_state=0).fit(X, y)
    here = ours(**given).fit(X, y)
    assert_same(here, there, 1e-4)
    assert (here.coefs_paths_[:, 0, 0] == 0).any()


# ---- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::FutureWarning:sklearn.linear_model._logistic")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("legacy", [True, False, "warn"])
@pytest.mark.parametrize("shares", ["warn", [0.0]])
@pytest.mark.parametrize("refit", [True, False])
def test_forms(name, legacy, shares, refit):
    """Kinds, keys, shapes and values of all attributes, in both forms."""
    X, y = TABLES[name]
    given = {"Cs": CS, "cv": 3, "l1_ratios": shares, "use_legacy_attributes": legacy, "refit": refit, "fit_intercept": False}
    here, there = ours(**given).fit(X, y), theirs(**given).fit(X, y)
    for attribute in ("C_", "l1_ratio_", "Cs_", "l1_ratios_", "coefs_paths_", "scores_", "n_iter_"):
        one, other = getattr(here, attribute), getattr(there, attribute)
        assert isinstance(one, type(other)), attribute
        if isinstance(other, dict):
            assert list(one) == list(other)
            pairs = list(zip(one.values(), other.values(), strict=True))
        else:
            pairs = [(np.asarray(one), np.asarray(other))]
        for a, b in pairs:
            assert a.shape == b.shape, attribute
            assert a.dtype.kind == b.dtype.kind, attribute
            if attribute != "n_iter_":
                assert np.array_equal(a, b) if a.dtype == object else np.allclose(a, b, rtol=1e-4, atol=1e-5), attribute


@pytest.mark.parametrize(("penalty", "share"), [("l1", 1.0), ("l2", 0.0)])
def test_penalty_by_name(penalty, share):
    """The deprecated names are values of ρ."""
    X, y = TABLES["two classes"]
    by_name, by_share = ours(Cs=CS, l1_ratios=None, penalty=penalty).fit(X, y), ours(Cs=CS, l1_ratios=[share]).fit(X, y)
    np.testing.assert_array_equal(by_name.coef_, by_share.coef_)
    assert by_name.l1_ratio_ == by_share.l1_ratio_ == share


# ---- the folds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_each_fit_stands_alone(name):
    """Every fit of every fold is the one that LogisticRegression gives for its training rows, and so is the last one."""
    X, y = TABLES[name]
    model = ours(Cs=CS, cv=3, l1_ratios=[0.0, 0.5]).fit(X, y)
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        for place, share in enumerate((0.0, 0.5)):
            for number, C in enumerate(CS):
                alone = LogisticRegression(C=C, l1_ratio=share, tol=1e-7).fit(X[train], y[train])
                expected = np.column_stack([alone.coef_, alone.intercept_])
                np.testing.assert_allclose(model.coefs_paths_[fold, place, number], expected, rtol=1e-4, atol=1e-5)
                score = get_scorer("neg_log_loss")(alone, X[test], y[test])
                assert model.scores_[fold, place, number] == pytest.approx(score, rel=1e-5)
    last = LogisticRegression(C=model.C_, l1_ratio=model.l1_ratio_, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(model.coef_, last.coef_, rtol=1e-6, atol=1e-8)


def test_order_of_the_grid():
    """Cs may stand in any order: scores, paths and passes follow them."""
    X, y = TABLES["three classes"]
    order = [2, 0, 1]
    usual, other = ours(Cs=CS).fit(X, y), ours(Cs=CS[order]).fit(X, y)
    np.testing.assert_array_equal(other.scores_, usual.scores_[:, :, order])
    np.testing.assert_array_equal(other.coefs_paths_, usual.coefs_paths_[:, :, order])
    np.testing.assert_array_equal(other.coef_, usual.coef_)


def test_forms_of_cv():
    """A number, a splitter, splits by numbers or masks and a generator of the same folds give the same bits; None is 5."""
    X, y = TABLES["three classes"]
    splits = list(StratifiedKFold(5).split(X, y))
    masks = [tuple(np.isin(np.arange(len(y)), part) for part in split) for split in splits]
    forms = (None, 5, np.int64(5), StratifiedKFold(5), splits, masks, (split for split in splits))
    models = [ours(Cs=CS, cv=cv).fit(X, y) for cv in forms]
    for model in models[1:]:
        np.testing.assert_array_equal(model.scores_, models[0].scores_)
        np.testing.assert_array_equal(model.coef_, models[0].coef_)


@pytest.mark.parametrize(("name", "shares"), [("three classes", [0.0]), ("two classes", [0.0, 1.0])])
def test_sparse_tables(name, shares):
    """A sparse table gives the fits of the dense one."""
    X, y = TABLES[name]
    X = X * (X > 0.7)
    dense, thin = (ours(Cs=CS, l1_ratios=shares, tol=1e-5).fit(form(X), y) for form in (np.array, sparse.csr_matrix))
    np.testing.assert_allclose(thin.scores_, dense.scores_, rtol=1e-3)
    np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=0, atol=1e-3 * np.abs(dense.coef_).max())


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_files(tmp_path, weighted):
    """Rows of a file, whose test rows are left out by their weights, choose and fit as in memory."""
    X, y = TABLES["three classes"]
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=y, weight=WEIGHT[:150])
    frame.sample(frac=1, random_state=0).to_parquet(tmp_path / "t.parquet")
    frame = pd.read_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet", target="kind", weight="weight" if weighted else None, columns=list("abcd"))
    there = LogisticRegressionCV(class_weight="balanced", **ARRAYS).fit(rows)
    given = frame.weight if weighted else None
    here = LogisticRegressionCV(class_weight="balanced", **ARRAYS).fit(frame[list("abcd")], frame.kind, given)
    np.testing.assert_allclose(there.scores_, here.scores_, rtol=1e-12)
    assert there.C_ == here.C_
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-8, atol=1e-10)
    assert there.score(rows) == pytest.approx(here.score(frame[list("abcd")], frame.kind, given))
    with pytest.raises(TypeError, match=r"scoring='roc_auc_ovr' needs the rows in memory: use \"accuracy\""):
        LogisticRegressionCV(scoring="roc_auc_ovr").fit(rows)


# ---- the choice ------------------------------------------------------------------------------------------------------


def test_one_standard_error():
    """The smallest C whose mean score is not below the best by more than the standard error of the best: by hand."""
    X, y = TABLES["two classes"]
    Cs = np.logspace(2, -4, 13)
    best, simple = (ours(Cs=Cs, rule=rule).fit(X, y) for rule in ("best", "one_se"))
    scores = best.scores_[:, 0]
    top = scores.mean(axis=0).argmax()
    within = scores.mean(axis=0) >= scores[:, top].mean() - scores[:, top].std(ddof=1) / np.sqrt(5)
    assert Cs[top] == best.C_
    assert Cs[within].min() == simple.C_ < best.C_
    np.testing.assert_allclose(simple.coef_, LogisticRegression(C=simple.C_).fit(X, y).coef_, rtol=1e-6)
    assert simple.certificate_.error == pytest.approx(scores[:, top].std(ddof=1) / np.sqrt(5))
    assert simple.certificate_.score == pytest.approx(scores[:, top].mean())


def test_means_of_the_best():
    """Without a last fit, each fold gives its own best, ρ too, and the means are taken."""
    X, y = TABLES["three classes"]
    model = ours(Cs=CS, cv=3, l1_ratios=[0.0, 1.0], refit=False).fit(X, y)
    places = [np.unravel_index(fold.argmax(), fold.shape) for fold in model.scores_]
    planes = [model.coefs_paths_[fold, *place] for fold, place in enumerate(places)]
    np.testing.assert_allclose(model.coef_, np.mean(planes, axis=0)[:, :-1], rtol=1e-14)
    np.testing.assert_allclose(model.C_, np.mean([CS[number] for _, number in places]), rtol=1e-14)
    assert model.l1_ratio_ == pytest.approx(np.mean([place for place, _ in places]))


def test_equal_scores():
    """Of equal scores the first C is taken, then the first ρ."""
    X, y = TABLES["two classes"]
    model = ours(Cs=[3.0, 0.1, 1.0], l1_ratios=[0.4, 0.2], scoring=lambda model, X, y: 1.0).fit(X, y)
    assert (model.C_, model.l1_ratio_) == (3.0, 0.4)


@pytest.mark.parametrize(("Cs", "holds"), [([1e-4, 1e-3], False), ([1e-4, 1e-1, 1e6], True), ([1.0], True)])
def test_certificate(Cs, holds):
    """Whether the best C lies inside the grid."""
    certificate = ours(Cs=Cs, tol=1e-4).fit(CANCER[:80], TUMOUR[:80]).certificate_
    assert certificate.holds is holds
    assert certificate.C in Cs


# ---- scores ----------------------------------------------------------------------------------------------------------


def test_own_measure():
    """A function gets a fitted model, the test rows and their classes, and weights if there are any."""
    X, y = TABLES["three classes"]
    seen = []

    def measure(model, part, classes, sample_weight=None):
        seen.append((part, classes, sample_weight))
        assert set(model.predict(part)) <= set(KIND)
        np.testing.assert_allclose(model.predict_proba(part).sum(axis=1), 1.0)
        return -model.coef_.size

    ours(Cs=CS, cv=3, scoring=measure).fit(X, y)
    ours(Cs=CS, cv=3, scoring=measure).fit(X, y, WEIGHT[:150])
    tests = [test for _, test in StratifiedKFold(3).split(X, y) for _ in CS]
    for (part, classes, weight), test, weighted in zip(seen, tests * 2, [False] * 9 + [True] * 9, strict=True):
        np.testing.assert_array_equal(part, X[test])
        np.testing.assert_array_equal(classes, y[test])
        assert np.array_equal(weight, WEIGHT[:150][test]) if weighted else weight is None


def test_class_that_a_fold_lacks():
    """Measures that ask for the classes are told of them all; a class of too few rows is warned of, as in scikit-learn."""
    X, y = TABLES["three classes"]
    kept = np.r_[0:102]  # two rows of the third class
    with pytest.warns(UserWarning, match="The least populated class in y has only 2 members"):
        here = ours(Cs=CS, cv=4).fit(X[kept], y[kept])
    with pytest.warns(UserWarning, match="The least populated class in y has only 2 members"):
        there = theirs(Cs=CS, cv=4).fit(X[kept], y[kept])
    assert_same(here, there)


# ---- what is refused or warned of --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rule": "one_se", "refit": False}, 'rule="one_se" .* needs refit=True'),
        ({"penalty": "l1", "l1_ratios": [0.5]}, r"penalty='l1' and l1_ratios=\[0.5\] contradict each other: leave one out"),
        ({"penalty": "elasticnet", "l1_ratios": None}, "penalty='elasticnet' needs l1_ratios: give numbers"),
        ({"Cs": [1.0, 0.0]}, r"Cs must be a list of one or more numbers above 0, got \[1.0, 0.0\]"),
        ({"Cs": []}, r"Cs must be .* got \[\]"),
        ({"l1_ratios": []}, r"l1_ratios must be a list of one or more numbers of at least 0 and at most 1, got \[\]"),
        ({"cv": 201}, "cv=201 folds are not possible with n_samples=200"),
        ({"cv": 120}, "cv=120 folds need a class of 120 rows; the largest, 0, has .*: give fewer folds"),
        ({"cv": [(np.arange(150), np.arange(0))]}, "Fold 0 of cv has 150 training rows and 0 test rows: give it both"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_refused(parameters, message):
    """Errors name the parameter, the value and the remedy."""
    with pytest.raises(ValueError, match=message):
        LogisticRegressionCV(**parameters).fit(CANCER[:200], TUMOUR[:200])


def test_folds_that_cannot_be_fitted_or_judged():
    """A fold that trains on one class, one whose test rows have no weight, and one without a score are named."""
    X, y = TABLES["two classes"]
    train = np.arange(len(y))
    with pytest.raises(ValueError, match="Fold 1 of cv trains on one class, 0: give fewer or stratified folds"):
        LogisticRegressionCV(cv=[(train, train), (train[y == 0], train)]).fit(X, y)
    with pytest.raises(ValueError, match="Fold 2 of cv has no score, all its test rows have weight 0"):
        LogisticRegressionCV(cv=KFold(3)).fit(X, y, sample_weight=np.arange(len(y)) < 350)
    with pytest.raises(ValueError, match=r"Fold 0 of cv has no score, scoring=<function .* gives none"):
        LogisticRegressionCV(scoring=lambda model, X, y: np.nan).fit(X, y)


def test_early_ends():
    """Fits that do not come to an end are counted in one warning; so does the last fit, with the remedy."""
    X, y = TABLES["two classes"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours(Cs=[1e-3, 1e3], cv=2, max_iter=1, tol=1e-10).fit(X, y)
    said = [str(warning.message) for warning in caught if warning.category is ConvergenceWarning]
    assert [message[:26] for message in said] == ["4 of the 4 fits in the fol", "The last fit of LogisticRe"]
    assert all("Raise max_iter (it is 1), or scale the columns" in message for message in said)
    assert {warning.filename for warning in caught} == {__file__}


def test_no_penalty():
    """C = ∞ is no penalty, and may stand in the grid; where classes are separated by a plane, that is said."""
    X, y = TABLES["two classes"]
    model = ours(Cs=[1.0, np.inf], scoring=lambda model, X, y: np.abs(model.coef_).sum()).fit(X, y)
    assert np.isinf(model.C_)
    np.testing.assert_allclose(model.coef_, LogisticRegression(C=np.inf).fit(X, y).coef_, rtol=1e-6)
    with pytest.warns(ConvergenceWarning, match="a hyperplane separates classes.*give a finite C"):
        LogisticRegressionCV(Cs=[np.inf], cv=3).fit(FLOWERS[:100], KIND[:100])


def test_splits_that_overlap():
    """Test rows may be tested twice, or never."""
    X, y = TABLES["three classes"]
    cv = ShuffleSplit(4, test_size=0.3, random_state=0)
    assert_same(ours(Cs=CS, cv=cv).fit(X, y), theirs(Cs=CS, cv=cv).fit(X, y))


# ---- states ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"l1_ratios": [0.0, 0.5]}, {"refit": False}], ids=str)
def test_stopped_folds_choose_by_those_that_were_done(options):
    """After two folds of three: the C that is best in those two, and the mean of their planes; before the first, nothing."""
    X, y = TABLES["three classes"]
    model = LogisticRegressionCV(Cs=[0.01, 1.0, 100.0], cv=3, use_legacy_attributes=False, **options)
    states, rows = list(model.steps(X, y)), model.open(X, y)
    assert [len(state.scores) for state in states] == [0, 1, 2, 3, 3]
    found, whole = model.attributes(states[2], rows), model.attributes(states[-1], rows)
    assert found["scores_"].tobytes() == whole["scores_"][:2].tobytes()
    assert found["coefs_paths_"].tobytes() == whole["coefs_paths_"][:2].tobytes()
    if options != {"refit": False}:
        place, number = np.unravel_index(found["scores_"].mean(axis=0).argmax(), found["scores_"].shape[1:])
        assert found["C_"] == found["Cs_"][number]
        np.testing.assert_allclose(found["coef_"], found["coefs_paths_"][:, place, number, :, :-1].mean(axis=0))
    nothing = model.attributes(states[0], rows)
    assert not nothing["coef_"].any()
    assert not nothing["certificate_"].holds


def test_interrupted_between_folds():
    """Ctrl-C keeps the folds that are done, and leaves no thread at work."""
    X, y = TABLES["two classes"]

    def impatient(_, state):
        if state.iteration == 2:
            raise KeyboardInterrupt

    model = LogisticRegressionCV(Cs=3, cv=5, use_legacy_attributes=False)
    with aprendiz.training(progress=impatient), pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, y)
    assert model.scores_.shape == (2, 1, 3)
    assert model.score(X, y) > 0.8
    assert LogisticRegressionCV(Cs=3, cv=5).fit(X, y).stopped_ == "converged"


def test_checkpoints_know_their_splits(tmp_path):
    """Splits that differ in the middle of long arrays are other splits."""
    X, y = TABLES["two classes"]
    order = np.random.default_rng(0).permutation(len(y))
    half = len(y) // 2
    splits = [(order[:half], order[half:]), (order[half:], order[:half])]
    changed = [(np.append(order[:half], order[-1]), order[half:-1]), splits[1]]
    for cv in (splits, changed):
        with aprendiz.training(checkpoint=tmp_path):
            LogisticRegressionCV(Cs=2, cv=cv).fit(X, y)
    assert len(list(tmp_path.iterdir())) == 2
