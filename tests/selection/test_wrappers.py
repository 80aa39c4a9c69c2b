"""Wrappers: scikit-learn's answers, states, what is refused, and every kind of table."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy import sparse
from sklearn import ensemble, feature_selection, linear_model, svm
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import make_scorer, r2_score
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import aprendiz as ap

OURS = {
    "SequentialSelection": lambda learner, **told: ap.SequentialSelection(learner, **told),
    "floating": lambda learner, **told: ap.SequentialSelection(learner, direction="floating", **told),
    "backward": lambda learner, **told: ap.SequentialFeatureSelector(learner, direction="backward", **told),
    "SequentialFeatureSelector": lambda learner, **told: ap.SequentialFeatureSelector(learner, **told),
    "RecursiveElimination": lambda learner, **told: ap.RecursiveElimination(learner, **told),
    "RFE": lambda learner, **told: ap.RFE(learner),
    "RFECV": lambda learner, **told: ap.RFECV(learner, **told),
    "GeneticSelection": lambda learner, **told: ap.GeneticSelection(
        learner, population_size=6, n_iter_no_change=3, random_state=0, **told
    ),
    "AnnealingSelection": lambda learner, **told: ap.AnnealingSelection(learner, max_iter=4, random_state=0, **told),
}
every = pytest.mark.parametrize("name", OURS)


def table(rows=80, columns=8, seed=0):
    """Columns 1, 4 and 6 say something: numbers, and two and three classes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns)) + 2.0
    y = X[:, 1] + X[:, 4] - 0.7 * X[:, 6] + 0.5 * random.normal(size=rows)
    return X, y, (y > np.median(y)).astype(int), np.digitize(y, np.quantile(y, [0.3, 0.6]))


X, NUMBERS, TWO, THREE = table()


def fitted(name, learner=None, y=TWO, **told):
    return OURS[name](ap.LinearDiscriminantAnalysis() if learner is None else learner, **told).fit(X, y)


# ---- scikit-learn's answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("learner", "y"),
    [
        (ap.LinearDiscriminantAnalysis(), THREE),
        (ap.Ridge(), NUMBERS),
        (linear_model.LinearRegression(), NUMBERS),
        (ap.GaussianNB(), TWO),
        (ap.KNeighborsClassifier(3), TWO),
        (linear_model.LogisticRegression(), TWO),
    ],
    ids=lambda value: type(value).__name__,
)
def test_sequential_as_scikit_learn(learner, y, direction):
    """The same columns for a number, a fraction, and a gain."""
    several = [
        {"n_features_to_select": 3},
        {"n_features_to_select": 0.5},
        {"tol": 0.01 if direction == "forward" else -0.02},
        {},
    ]
    for told in (
        several if not isinstance(learner, (ap.KNeighborsClassifier, linear_model.LogisticRegression)) else several[2:3]
    ):
        ours = ap.SequentialFeatureSelector(learner, direction=direction, cv=4, **told).fit(X, y)
        theirs = feature_selection.SequentialFeatureSelector(learner, direction=direction, cv=4, **told).fit(X, y)
        assert np.array_equal(ours.support_, theirs.support_), told
        assert ours.n_features_to_select_ == theirs.n_features_to_select_
        assert ours.certificate_.holds


@pytest.mark.parametrize(
    ("learner", "y"),
    [
        (ap.LinearDiscriminantAnalysis(), THREE),
        (ap.LinearDiscriminantAnalysis(solver="lsqr"), THREE),
        (ap.Ridge(), NUMBERS),
        (linear_model.LinearRegression(), NUMBERS),
        (linear_model.LogisticRegression(), TWO),
        (svm.SVC(kernel="linear"), THREE),
        (ensemble.RandomForestClassifier(5, random_state=0), TWO),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("step", [1, 3, 0.3])
def test_elimination_as_scikit_learn(learner, y, step):
    """The same ranks, scores and tables, with folds and without."""
    ours = ap.RFE(learner, step=step, n_features_to_select=2).fit(X, y)
    theirs = feature_selection.RFE(learner, step=step, n_features_to_select=2).fit(X, y)
    assert np.array_equal(ours.ranking_, theirs.ranking_)
    assert ours.n_features_ == theirs.n_features_
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-12)
    ours = ap.RFECV(learner, step=step, cv=3).fit(X, y)
    theirs = feature_selection.RFECV(learner, step=step, cv=3).fit(X, y)
    assert np.array_equal(ours.ranking_, theirs.ranking_)
    assert ours.cv_results_.keys() == theirs.cv_results_.keys()
    for name, array in theirs.cv_results_.items():
        np.testing.assert_allclose(ours.cv_results_[name], array, rtol=1e-9, atol=1e-12, err_msg=name)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-12)


@pytest.mark.parametrize("name", ["SequentialFeatureSelector", "RFE", "RFECV"])
def test_names_as_scikit_learn(name):
    """Its parameters in their order with their defaults, and its methods."""
    from inspect import signature

    ours, theirs = signature(getattr(ap, name)).parameters, signature(getattr(feature_selection, name)).parameters
    assert list(ours) == list(theirs)
    assert [one.default for one in ours.values()] == [one.default for one in theirs.values()]
    assert [one.kind for one in ours.values()] == [one.kind for one in theirs.values()]
    for method in dir(getattr(feature_selection, name)):
        assert method.startswith("_") or hasattr(getattr(ap, name), method), method


@pytest.mark.parametrize(
    "wrapper",
    [
        ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis(), n_features_to_select=1, cv=2),
        ap.SequentialSelection(ap.Ridge(), n_features_to_select=1, cv=2),
        ap.RFE(ap.LinearDiscriminantAnalysis()),
        ap.RFECV(ap.Ridge(), cv=2),
        ap.RecursiveElimination(ap.LinearDiscriminantAnalysis(), cv=2),
        ap.GeneticSelection(ap.GaussianNB(), cv=2, population_size=3, max_iter=2, random_state=0),
        ap.AnnealingSelection(ap.LinearDiscriminantAnalysis(), cv=2, max_iter=2, random_state=0),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.filterwarnings("ignore:GeneticSelection stopped early", "ignore:The least populated class")
@pytest.mark.filterwarnings("ignore:Column . is constant", "ignore:The rows do not vary", "ignore:Fold . of cv")
def test_checks(wrapper):
    """All checks of scikit-learn."""
    results = check_estimator(wrapper, on_skip=None, on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert not failed
    assert len(results) > 40


# ---- sequential search (its orders: test_greedy_orders.py) -------------------------------------------------------------


def test_best_size():
    """Without a number the best set on the way is kept, the smallest of several."""
    found = ap.SequentialSelection(ap.Ridge(), cv=4).fit(X, NUMBERS)
    assert found.n_features_ == int(np.argmax(found.scores_[1:])) + 1
    assert {1, 4, 6} <= set(found.get_support(indices=True))
    small = ap.SequentialSelection(ap.Ridge(), cv=4, max_features=2).fit(X, NUMBERS)
    assert small.n_features_ == 2


def test_floating_is_no_worse_than_forward():
    """Sets of each size score at least as high as those of the forward search, on tables where columns repeat each other."""
    better = 0
    for seed in range(12):
        random = np.random.default_rng(seed)
        Z = random.normal(size=(60, 4))
        table = np.column_stack([Z, Z[:, 0] + Z[:, 1] + 0.3 * random.normal(size=60), random.normal(size=(60, 3))])
        y = Z[:, 0] + Z[:, 1] - Z[:, 2] + 0.3 * random.normal(size=60)
        forward, floating = (
            ap.SequentialSelection(ap.Ridge(), direction=direction, n_features_to_select=4, cv=3).fit(table, y)
            for direction in ("forward", "floating")
        )
        assert (floating.scores_[1:5] >= forward.scores_[1:5] - 1e-12).all()
        better += bool((floating.scores_[1:5] > forward.scores_[1:5] + 1e-9).any())
        assert floating.n_features_ == 4
    assert better > 0


def test_equal_columns():
    """Of equal columns the first is taken; ties are counted."""
    twins = np.column_stack([X[:, 1], X[:, 1], X])
    for learner, y in ((ap.LinearDiscriminantAnalysis(), TWO), (ap.Ridge(), NUMBERS)):
        found = ap.SequentialSelection(learner, n_features_to_select=1).fit(twins, y)
        if found.order_[0] < 4:
            assert found.order_[0] == 0
            assert found.certificate_.ties == 1


# ---- states ----------------------------------------------------------------------------------------------------------------

ATTRIBUTES = ("support_", "ranking_", "order_", "scores_", "score_", "fold_scores_", "history_", "path_", "path_scores_")
ANEW = [("backward", "fitted anew"), ("RFECV", "fitted anew"), ("AnnealingSelection", "fitted anew")]


def numbers_of(model):
    found = {name: np.asarray(getattr(model, name)) for name in ATTRIBUTES if hasattr(model, name)}
    if hasattr(model, "cv_results_"):
        found |= {name: np.asarray(array) for name, array in model.cv_results_.items()}
    return found


def assert_same(one, other):
    one, other = numbers_of(one), numbers_of(other)
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert np.array_equal(array, other[name], equal_nan=True), name


def learner_of(kind, name):
    if kind is None:
        return ap.LinearDiscriminantAnalysis()
    return ap.DecisionTreeClassifier(max_depth=2, random_state=0) if "E" in name else ap.KNeighborsClassifier(3)


@pytest.mark.parametrize(("name", "kind"), [*((name, None) for name in OURS), *ANEW])
def test_states(name, kind, tmp_path):
    """Counted, frozen, the last one settled; going on from any of them, and from a checkpoint, gives the same bits."""
    model = OURS[name](learner_of(kind, name))
    states = list(model.steps(X, THREE))
    assert [state.iteration for state in states] == list(range(len(states)))
    assert [state.settled for state in states] == [False] * (len(states) - 1) + [True]
    for number in {0, 1, len(states) // 2, len(states) - 2}:
        rest = list(model.steps(X, THREE, since=pickle.loads(pickle.dumps(states[number]))))
        assert len(rest) == len(states) - number - 1
        for a, b in zip(rest, states[number + 1 :], strict=True):
            assert all(np.array_equal(p, q, equal_nan=True) for p, q in zip(vars(a).values(), vars(b).values(), strict=True))
    whole = clone(model).fit(X, THREE)
    for _ in range(2):
        with ap.training(checkpoint=tmp_path, budget=0), pytest.warns(ConvergenceWarning, match="time budget"):
            stopped = clone(model).fit(X, THREE)
        assert stopped.transform(X).shape[1] >= 1
    seen = []
    with ap.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state.iteration)):
        assert_same(clone(model).fit(X, THREE), whole)
    assert seen[0] == 2


@every
def test_interrupts(name):
    """Ctrl-C inside `training` gives the model of the last state, elsewhere it goes on."""

    def impatient(_, state):
        if state.iteration == 1:
            raise KeyboardInterrupt

    model = OURS[name](ap.LinearDiscriminantAnalysis())
    with ap.training(progress=impatient), pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, TWO)
    assert model.get_support().any()
    assert "told" not in vars(model)


def test_the_path_is_computed_anew_now_and_then():
    """Bits do not depend on whether a search was interrupted before or after a place was computed anew."""
    wide = np.random.default_rng(0).normal(size=(60, 90))
    y = wide[:, 0] + np.random.default_rng(1).normal(size=60)
    model = ap.SequentialSelection(ap.Ridge(), n_features_to_select=40, cv=3)
    states = list(model.steps(wide, y))
    for number in (10, 31, 32, 33, 39):
        (first, *_) = model.steps(wide, y, since=states[number - 1])
        assert np.array_equal(first.scores, states[number].scores)


def test_other_seeds_are_other_searches():
    """A seed decides a random search."""
    told = {"population_size": 5, "max_iter": 2, "n_iter_no_change": 2}
    one, same, other = (ap.GeneticSelection(ap.Ridge(), random_state=seed, **told) for seed in (1, 1, 2))
    last = [list(search.steps(X, NUMBERS))[-1].population for search in (one, same, other)]
    assert np.array_equal(last[0], last[1])
    assert not np.array_equal(last[0], last[2])


def test_generations_never_get_worse():
    """The best score so far never falls."""
    for name in ("GeneticSelection", "AnnealingSelection"):
        assert all(a <= b + 1e-12 for a, b in pairwise(fitted(name).history_))


class CountsFits(linear_model.LinearRegression):
    """Notes the table of each fit."""

    seen: list = []

    def fit(self, X, y, sample_weight=None):
        self.seen.append(X.tobytes())
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("name", "more"), [("floating", {}), ("floating", {"n_jobs": 2}), ("GeneticSelection", {}), ("AnnealingSelection", {})]
)
def test_no_set_is_judged_twice(name, more):
    """Scores are remembered, by whatever way sets are judged: no learner is fitted twice to the same table."""
    CountsFits.seen.clear()
    with parallel_config("threading"):
        found = OURS[name](CountsFits(), cv=3, **more).fit(X, NUMBERS)
    assert len(CountsFits.seen) == len(set(CountsFits.seen)) > 3
    assert found.certificate_.holds


# ---- tables and targets ------------------------------------------------------------------------------------------------------


@every
def test_frames_pickles_and_files(name, tmp_path):
    """Names of columns, `set_output`, pickles and saved models."""
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    model = OURS[name](ap.LinearDiscriminantAnalysis()).set_output(transform="pandas").fit(frame, TWO)
    names = model.get_feature_names_out().tolist()
    assert model.transform(frame).columns.tolist() == names == np.array(list("abcdefgh"))[model.support_].tolist()
    assert_same(pickle.loads(pickle.dumps(model)), model)
    ap.save(model, tmp_path / "model.apz")
    assert np.array_equal(ap.load(tmp_path / "model.apz").transform(frame), model.transform(frame))
    assert_same(OURS[name](ap.LinearDiscriminantAnalysis()).fit(X, TWO), model)


@every
def test_words(name):
    """Tables with words, for learners that take them."""
    random = np.random.default_rng(0)
    words = pd.DataFrame(
        {"x": np.array(list("pqr"))[random.integers(0, 3, 80)], "y": np.array(["no", "yes"])[TWO], "z": X[:, 0]}
    )
    model = OURS[name](ap.DecisionTreeClassifier(max_depth=3, random_state=0)).fit(words, TWO)
    assert "y" in model.transform(words).columns


def test_sparse_tables_and_single_precision():
    """Sparse tables stay sparse, single precision stays single."""
    model = ap.SequentialFeatureSelector(ap.Ridge(), n_features_to_select=2).fit(sparse.csr_array(X), NUMBERS)
    assert np.array_equal(
        model.support_, ap.SequentialFeatureSelector(ap.Ridge(), n_features_to_select=2).fit(X, NUMBERS).support_
    )
    assert sparse.issparse(model.transform(sparse.csr_array(X)))
    single = X.astype(np.float32)
    assert ap.RFE(ap.Ridge()).fit(single, NUMBERS).transform(single).dtype == np.float32


def test_weights_and_groups():
    """Weights go to the fits, groups to the folds."""
    weight, groups = np.random.default_rng(0).integers(1, 3, 80).astype(float), np.arange(80) % 7
    found = ap.SequentialFeatureSelector(ap.Ridge(), n_features_to_select=3, cv=GroupKFold(3)).fit(
        X, NUMBERS, sample_weight=weight, groups=groups
    )
    scores = [
        ap.Ridge()
        .fit(X[train][:, found.support_], NUMBERS[train], weight[train])
        .score(X[test][:, found.support_], NUMBERS[test])
        for train, test in GroupKFold(3).split(X, NUMBERS, groups)
    ]
    np.testing.assert_allclose(found.fold_scores_, scores, rtol=1e-10)
    assert found.certificate_.holds
    ours = ap.RFECV(ap.Ridge()).fit(X, NUMBERS, sample_weight=weight)
    np.testing.assert_allclose(ours.estimator_.coef_, ap.Ridge().fit(X[:, ours.support_], NUMBERS, weight).coef_)


def test_inside_pipelines():
    """A selection is a step like any other, and its parameters can be searched."""
    selection = ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis(), n_features_to_select=2, cv=3)
    pipeline = make_pipeline(selection, ap.LinearDiscriminantAnalysis())
    search = GridSearchCV(pipeline, {"sequentialfeatureselector__n_features_to_select": [1, 3]}, cv=3).fit(X, TWO)
    assert search.best_score_ > 0.7


def test_without_a_target():
    """Clusterers have a measure of their own, and no target."""
    model = ap.SequentialFeatureSelector(KMeans(2, n_init=1, random_state=0), n_features_to_select=2, cv=3).fit(X)
    assert model.support_.sum() == 2


def test_several_targets():
    """Regression of several targets, and several labels in a row, go to the estimator as they are."""
    both = np.column_stack([NUMBERS, -NUMBERS])
    assert np.array_equal(ap.RFE(ap.Ridge()).fit(X, both).support_, feature_selection.RFE(ap.Ridge()).fit(X, both).support_)
    labels = np.column_stack([TWO, 1 - TWO])
    assert ap.RFE(ensemble.RandomForestClassifier(3, random_state=0)).fit(X, labels).predict(X).shape == (80, 2)


def test_many_columns():
    """Far more columns than rows: no matrix of all pairs is made."""
    random = np.random.default_rng(0)
    wide = random.normal(size=(60, 3000))
    y = 3.0 * wide[:, 7] - 2.0 * wide[:, 1500] + 0.1 * random.normal(size=60)
    found = ap.SequentialFeatureSelector(ap.LinearRegression(), n_features_to_select=2, cv=3).fit(wide, y)
    assert found.order_.tolist() == [7, 1500]
    assert found.certificate_.holds


# ---- what is refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "y", "message"),
    [
        (ap.SequentialFeatureSelector(ap.Ridge(), n_features_to_select=8), NUMBERS, "must be < n_features: 8 columns"),
        (ap.SequentialSelection(ap.Ridge(), n_features_to_select=9), NUMBERS, "9 columns are asked for, and there are 8"),
        (ap.RecursiveElimination(ap.Ridge(), n_features_to_select=9), NUMBERS, "9 columns are asked for, and there are 8"),
        (ap.SequentialFeatureSelector(ap.Ridge(), tol=-1.0), NUMBERS, "tol must be strictly positive"),
        (ap.SequentialFeatureSelector(ap.Ridge(), n_features_to_select=1.5), NUMBERS, "n_features_to_select of"),
        (ap.SequentialFeatureSelector(ap.Ridge(), direction="floating"), NUMBERS, "direction of"),
        (ap.RFE(ap.Ridge(), step=0), NUMBERS, "step of RFE"),
        (ap.GeneticSelection(ap.Ridge(), population_size=1), NUMBERS, "population_size of"),
        (ap.RFE(ap.Ridge), NUMBERS, "a learner with a method fit"),
        (ap.RFE("Ridge"), NUMBERS, "a learner with a method fit"),
        (ap.RFE(ap.KNeighborsClassifier()), TWO, "importance_getter"),
        (ap.SequentialFeatureSelector(ap.Ridge(), cv=LeaveOneOut()), NUMBERS, "Fold 0 of cv has a single test row"),
        (ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis(), cv=KFold(2)), np.sort(TWO), "no row of the class"),
        (ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis(), cv=[]), TWO, "cv holds no folds"),
        (ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis()), None, "requires y"),
        (ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis()), NUMBERS, "needs classes"),
    ],
)
def test_refused(model, y, message):
    """In words that say what is wrong."""
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_refused_tables():
    """A single column, a missing cell of which the estimator knows nothing, rows that are read in blocks."""
    model = ap.RFE(ap.Ridge())
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        model.fit(X[:, :1], NUMBERS)
    holed = X.copy()
    holed[3, 5] = np.nan
    with pytest.raises(ValueError, match="row 3, column 5"):
        model.fit(holed, NUMBERS)
    ap.SequentialFeatureSelector(ap.GaussianNB(), n_features_to_select=1).fit(holed, TWO)


def test_a_file_is_refused(tmp_path):
    """Many fits need the rows in memory."""
    pd.DataFrame(X, columns=list("abcdefgh")).assign(y=NUMBERS).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(TypeError, match="in memory"):
        ap.RFE(ap.Ridge()).fit(ap.rows(tmp_path / "t.parquet", target="y"))


def test_a_fold_that_lacks_a_class_is_named():
    """One class of three is missing in a fold: a warning names the fold, the class and the remedy, and the rest goes on."""
    order = np.argsort(THREE)
    model = ap.SequentialFeatureSelector(ap.LinearDiscriminantAnalysis(), n_features_to_select=2, cv=KFold(3))
    with pytest.warns(UserWarning, match="Fold 0 of cv: its training rows hold no row of the class 0.*Give fewer folds"):
        model.fit(X[order], np.sort(np.repeat([0, 1, 2], [20, 30, 30])))
    assert model.support_.sum() == 2


@pytest.mark.parametrize(("cls", "told"), [(ap.RFE, "n_features_to_select"), (ap.RFECV, "min_features_to_select")])
def test_more_columns_than_there_are(cls, told):
    """As in scikit-learn, elimination keeps all of them, and says so."""
    with pytest.warns(UserWarning, match=f"Found {told}=9 > n_features=8") as caught:
        assert cls(ap.Ridge(), **{told: 9}).fit(X, NUMBERS).support_.all()
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("learner", [ap.LinearDiscriminantAnalysis(), ap.Ridge(), ap.LinearRegression(), ap.GaussianNB()])
def test_constant_and_equal_columns(learner):
    """Neither is an error, and neither is chosen before columns that say something."""
    hostile = np.column_stack([np.full(80, 5.0), X, X[:, 1]])
    y = TWO if hasattr(learner, "predict_proba") else NUMBERS
    for direction in ("forward", "backward"):
        found = ap.SequentialFeatureSelector(learner, n_features_to_select=3, direction=direction).fit(hostile, y)
        assert not found.support_[0]


@pytest.mark.parametrize("name", ["SequentialFeatureSelector", "AnnealingSelection", "GeneticSelection"])
@pytest.mark.parametrize("learner", [ap.Ridge(), ap.LinearRegression()])
def test_an_outlier_takes_no_digits_of_other_folds(name, learner):
    """Sums of the other folds lose digits to a cell of 10¹⁰ in one of them; the scores are those of fits to the rows."""
    spoiled, splits = X.copy(), list(KFold(4).split(X))
    spoiled[4] *= 1e10
    found = OURS[name](learner, cv=splits).fit(spoiled, NUMBERS)
    kept = np.ascontiguousarray(spoiled[:, found.support_])
    scores = [clone(learner).fit(kept[train], NUMBERS[train]).score(kept[test], NUMBERS[test]) for train, test in splits]
    np.testing.assert_allclose(found.fold_scores_, scores, rtol=1e-10)
    assert found.score_ == pytest.approx(np.mean(scores), rel=1e-8)
    folds = found.open(spoiled, NUMBERS).folds
    np.testing.assert_allclose(folds.scores(found.support_), scores, rtol=1e-10)


def test_importances_that_are_not_numbers():
    """An importance that is infinite certifies nothing."""
    found = ap.RFE(linear_model.LinearRegression(), importance_getter=lambda model: np.where(model.coef_ == 0, 0, np.inf))
    assert not found.fit(X, NUMBERS).certificate_.holds


# ---- metadata ---------------------------------------------------------------------------------------------------------------


def test_routing():
    """With scikit-learn's routing, weights and groups go where they are asked for."""
    from sklearn import config_context

    weight, groups = np.arange(80.0) + 1, np.arange(80) % 5
    with config_context(enable_metadata_routing=True):
        learner = linear_model.Ridge().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        told = {"sample_weight": weight, "groups": groups}
        measure = make_scorer(r2_score).set_score_request(sample_weight=True)
        for name, scoring in (("SequentialFeatureSelector", None), ("RFECV", measure)):
            ours, theirs = (
                getattr(module, name)(learner, cv=GroupKFold(3), scoring=scoring) for module in (ap, feature_selection)
            )
            assert np.array_equal(ours.fit(X, NUMBERS, **told).support_, theirs.fit(X, NUMBERS, **told).support_)
        a, b = (cls(learner).fit(X, NUMBERS, sample_weight=weight) for cls in (ap.RFE, feature_selection.RFE))
        assert np.array_equal(a.ranking_, b.ranking_)
