"""One against the rest: scikit-learn's answers with any base, what is handed through, and who claims a row."""

import inspect

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model, multiclass, naive_bayes, tree
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import aprendiz
from aprendiz import (
    GaussianNB,
    LeastSquaresClassifier,
    LinearRegression,
    LogisticRegression,
    OneVsRestClassifier,
    Perceptron,
    SGDClassifier,
)

RNG = np.random.default_rng(21)
GROUP = RNG.integers(0, 4, size=200)
X = RNG.normal(size=(4, 3))[GROUP] * 1.5 + RNG.normal(size=(200, 3))
NAMES = np.array(["ash", "birch", "cedar", "oak"])
Y = NAMES[GROUP]
WEIGHT = RNG.uniform(0.2, 2.0, size=200)
BASES = [
    LogisticRegression(),
    LeastSquaresClassifier(),
    GaussianNB(),
    Perceptron(random_state=0),
    LinearRegression(),
    linear_model.LogisticRegression(),
    linear_model.RidgeClassifier(),
    linear_model.LinearRegression(),
    naive_bayes.GaussianNB(),
    tree.DecisionTreeClassifier(max_depth=3, random_state=0),
    make_pipeline(aprendiz.StandardScaler(), LogisticRegression()),
]
METHODS = ("predict", "predict_proba", "decision_function")

bases = pytest.mark.parametrize("base", BASES, ids=lambda base: f"{type(base).__module__.split('.')[0]} {type(base).__name__}")
kinds = pytest.mark.parametrize("kinds", [2, 4], ids=["two classes", "four classes"])


def some(kinds):
    chosen = np.isin(GROUP, range(kinds))
    return X[chosen], Y[chosen]


@pytest.mark.filterwarnings("ignore:Label not .* is present in all training examples")
@parametrize_with_checks([OneVsRestClassifier(LogisticRegression()), OneVsRestClassifier(linear_model.RidgeClassifier())])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---- drop-in ---------------------------------------------------------------------------------------------------------------


def test_signature():
    """The parameters and methods of scikit-learn's, with their defaults."""
    ours, theirs = (inspect.signature(cls).parameters for cls in (OneVsRestClassifier, multiclass.OneVsRestClassifier))
    assert list(ours) == list(theirs)
    for name in theirs:
        assert (ours[name].default, ours[name].kind) == (theirs[name].default, theirs[name].kind)
    public = {name for name in dir(multiclass.OneVsRestClassifier) if not name.startswith("_")}
    assert public <= set(dir(OneVsRestClassifier))


@bases
@kinds
def test_same_as_scikit_learn(base, kinds):
    """With the same base, the same answers and attributes; methods that the base lacks are missing in both."""
    rows, y = some(kinds)
    ours, theirs = (cls(base).fit(rows, y) for cls in (OneVsRestClassifier, multiclass.OneVsRestClassifier))
    for method in METHODS:
        assert hasattr(ours, method) == hasattr(theirs, method), method
        if hasattr(theirs, method):
            np.testing.assert_array_equal(getattr(ours, method)(rows), getattr(theirs, method)(rows), err_msg=method)
    assert ours.score(rows, y) == theirs.score(rows, y)
    assert len(ours.estimators_) == len(theirs.estimators_)
    assert np.array_equal(ours.classes_, theirs.classes_)
    assert (ours.n_classes_, ours.multilabel_) == (theirs.n_classes_, theirs.multilabel_)
    assert ours.n_features_in_ == theirs.n_features_in_
    assert np.array_equal(ours.label_binarizer_.transform(y).toarray(), theirs.label_binarizer_.transform(y).toarray())


@pytest.mark.parametrize("base", [GaussianNB(), LeastSquaresClassifier(), SGDClassifier(random_state=0)], ids=str)
@kinds
def test_partial_fit(base, kinds):
    """Batches give what scikit-learn's gives with the same base; the first call announces the classes."""
    rows, y = some(kinds)
    ours, theirs = OneVsRestClassifier(base), multiclass.OneVsRestClassifier(base)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        ours.partial_fit(rows, y)
    for part in np.array_split(np.arange(len(rows)), 3):
        for model in (ours, theirs):
            model.partial_fit(rows[part], y[part], classes=NAMES[:kinds])
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
    with pytest.raises(ValueError, match="'yew' in row 1"):
        ours.partial_fit(rows[:2], [y[0], "yew"])
    with pytest.raises(AttributeError, match="partial_fit"):
        _ = OneVsRestClassifier(LogisticRegression()).partial_fit


def test_several_at_once():
    """`n_jobs` changes nothing."""
    with joblib.parallel_config("threading"):
        one, two = (OneVsRestClassifier(LogisticRegression(), n_jobs=jobs).fit(X, Y) for jobs in (None, 2))
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


# ---- several labels in a row -----------------------------------------------------------------------------------------------

LABELS = np.column_stack([GROUP == 0, GROUP >= 2, X[:, 0] > 0]).astype(int)


@bases
@pytest.mark.parametrize("columns", [2, 3])
def test_several_labels_as_scikit_learn(base, columns):
    """A table of 0 and 1: a classifier for each column, and its answers side by side."""
    y = LABELS[:, :columns]
    ours, theirs = (cls(base).fit(X, y) for cls in (OneVsRestClassifier, multiclass.OneVsRestClassifier))
    for method in METHODS:
        assert hasattr(ours, method) == hasattr(theirs, method), method
        if hasattr(theirs, method):
            np.testing.assert_array_equal(getattr(ours, method)(X), getattr(theirs, method)(X), err_msg=method)
    assert ours.multilabel_
    assert np.array_equal(ours.classes_, theirs.classes_)
    assert ours.score(X, y) == theirs.score(X, y)
    assert np.array_equal(ours.claims(X), ours.predict(X))


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_matrix, sparse.lil_matrix, pd.DataFrame, np.ndarray.tolist])
def test_several_labels_in_any_form(form):
    """Sparse tables, frames and lists; the prediction is sparse where y was."""
    expected = OneVsRestClassifier(LogisticRegression()).fit(X, LABELS).predict(X)
    said = OneVsRestClassifier(LogisticRegression()).fit(X, form(LABELS)).predict(X)
    assert sparse.issparse(said) == sparse.issparse(form(LABELS))
    assert np.array_equal(said.toarray() if sparse.issparse(said) else said, expected)


def test_labels_of_all_rows_or_none(tmp_path):
    """They are warned of and predicted as they were; the others decide as if they stood alone."""
    y = np.column_stack([np.ones(200, int), LABELS[:, 0], np.zeros(200, int)])
    with pytest.warns(UserWarning, match=r"Label (not 2|0) is present in all training examples") as said:
        model = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    assert len(said) == 2
    assert np.array_equal(model.predict(X)[:, [0, 2]], y[:, [0, 2]])
    assert np.array_equal(model.predict_proba(X)[:, [0, 2]], y[:, [0, 2]])
    assert np.array_equal(model.predict(X)[:, 1], LogisticRegression().fit(X, LABELS[:, 0]).predict(X))
    assert model.certificate_.fits == 1
    aprendiz.save(model, tmp_path / "m.apz")
    assert np.array_equal(aprendiz.load(tmp_path / "m.apz").predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_tables_that_are_no_labels(form):
    """Several targets of more than two values are named by their place."""
    y = LABELS.copy()
    y[7, 1] = 3
    with pytest.raises(ValueError, match=r"y holds 3 in row 7, column 1.*MultiOutputClassifier"):
        OneVsRestClassifier(LogisticRegression()).fit(X, form(y))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        OneVsRestClassifier(LogisticRegression()).fit(X, form(LABELS[:9]))


# ---- weights and other parameters ------------------------------------------------------------------------------------------


def test_weights():
    """Weights go to each fit, by routing too."""
    model = OneVsRestClassifier(LogisticRegression()).fit(X, Y, sample_weight=WEIGHT)
    for k, estimator in enumerate(model.estimators_):
        expected = LogisticRegression().fit(X, np.isin(GROUP, k), sample_weight=WEIGHT)
        np.testing.assert_array_equal(estimator.coef_, expected.coef_)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        routed = OneVsRestClassifier(asking).fit(X, Y, sample_weight=WEIGHT)
    np.testing.assert_array_equal(routed.decision_function(X), model.decision_function(X))


def test_a_class_without_weight():
    """It is named, with the remedy."""
    with pytest.raises(ValueError, match=r"'cedar' have the weight 0 in sample_weight: leave"):
        OneVsRestClassifier(LogisticRegression()).fit(X, Y, sample_weight=(GROUP != 2).astype(float))


# ---- tables ----------------------------------------------------------------------------------------------------------------

FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
FORMS = {"pandas": FRAME, "polars": pl.DataFrame(FRAME.to_dict("list")), "pyarrow": pa.Table.from_pandas(FRAME)}


@pytest.mark.parametrize("form", FORMS)
def test_frames(form):
    """Frames go to the base as they are, and their names are kept."""
    model = OneVsRestClassifier(LogisticRegression()).fit(FORMS[form], pd.Series(Y))
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    np.testing.assert_array_equal(model.predict(FORMS[form]), OneVsRestClassifier(LogisticRegression()).fit(X, Y).predict(X))


def test_whatever_the_base_takes():
    """Missing cells, sparse tables and texts are the base's business."""
    holes = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    assert OneVsRestClassifier(GaussianNB()).fit(holes, Y).score(holes, Y) > 0.5
    thin = sparse.csr_array(np.where(RNG.random(X.shape) < 0.5, X, 0.0))
    assert OneVsRestClassifier(LogisticRegression()).fit(thin, Y).score(thin, Y) > 0.4
    texts = ["red cat", "blue dog", "red dog", "green bird"] * 5
    model = OneVsRestClassifier(make_pipeline(CountVectorizer(), linear_model.LogisticRegression())).fit(texts, texts)
    assert list(model.predict(texts)) == texts


@pytest.mark.parametrize("base", [LogisticRegression(), LeastSquaresClassifier()], ids=str)
def test_files_and_dask(base, tmp_path):
    """Opened rows and Dask collections give the planes of the table in memory, weights included."""
    import dask.array as da

    expected = OneVsRestClassifier(base).fit(X, Y, sample_weight=WEIGHT)
    FRAME.assign(y=Y, w=WEIGHT).to_parquet(tmp_path / "t.parquet")
    opened = aprendiz.rows(tmp_path / "t.parquet", target="y", weight="w")
    cut = da.from_array(X, chunks=(70, -1))
    weight = da.from_array(WEIGHT, chunks=70)
    for model in (OneVsRestClassifier(base).fit(opened), OneVsRestClassifier(base).fit(cut, Y, sample_weight=weight)):
        assert np.array_equal(model.classes_, NAMES)
        np.testing.assert_allclose(model.decision_function(opened), expected.decision_function(X), rtol=1e-7, atol=1e-9)
        assert np.array_equal(model.predict(opened), expected.predict(X))
        assert model.score(opened) == pytest.approx(expected.score(X, Y, WEIGHT))
    with pytest.raises(TypeError, match="RidgeClassifier is none"):
        OneVsRestClassifier(linear_model.RidgeClassifier()).fit(opened)


# ---- claims ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [LogisticRegression(), GaussianNB(), LinearRegression()], ids=str)
def test_claims(base):
    """A class claims the rows to which its own classifier says yes; ambiguous are those with no claim or several."""
    model = OneVsRestClassifier(base).fit(X, Y)
    claims = model.claims(X)
    for k, estimator in enumerate(model.estimators_):
        said = estimator.predict(X)
        assert np.array_equal(claims[:, k], said > 0.5)
    assert np.array_equal(model.ambiguous(X), claims.sum(axis=1) != 1)
    assert 0 < model.ambiguous(X).mean() < 1
    sure = ~model.ambiguous(X)
    assert np.array_equal(model.predict(X)[sure], NAMES[claims[sure].argmax(axis=1)])


def test_two_classes_are_never_ambiguous():
    """One classifier decides: one of both claims each row."""
    rows, y = some(2)
    model = OneVsRestClassifier(LogisticRegression()).fit(rows, y)
    assert not model.ambiguous(rows).any()
    assert np.array_equal(model.predict(rows), NAMES[model.claims(rows).argmax(axis=1)])


def test_certificate():
    """It says how many fits keep their promise; where the base makes none, there is none."""
    certificate = OneVsRestClassifier(LogisticRegression()).fit(X, Y).certificate_
    assert certificate.holds
    assert (certificate.fits, certificate.kept) == (4, 4)
    model = OneVsRestClassifier(LogisticRegression()).fit(X, Y).set_params(estimator=naive_bayes.GaussianNB())
    assert not hasattr(model.fit(X, Y), "certificate_")


# ---- one class -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["ash", 0, 1, True])
def test_one_class(label):
    """The only class is the answer, with a warning, as scikit-learn's; nothing is fitted."""
    y = np.full(200, label)
    models = []
    for kind, base in (
        (OneVsRestClassifier, LogisticRegression()),
        (multiclass.OneVsRestClassifier, linear_model.RidgeClassifier()),
    ):
        with pytest.warns(UserWarning, match=f"Label not {label} is present in all training examples"):
            models.append(kind(base).fit(X, y))
    ours, theirs = models
    for method in ("predict", "decision_function"):
        np.testing.assert_array_equal(getattr(ours, method)(X), getattr(theirs, method)(X))
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    np.testing.assert_array_equal(ours.predict_proba(X), np.tile([1.0, 0.0], (200, 1)))
    assert ours.score(X, y) == 1.0
    assert not ours.ambiguous(X).any()


def test_one_class_in_opened_rows(tmp_path):
    """Rows of a file that are all of one class."""
    pd.DataFrame(X, columns=list("abc")).assign(y="ash").to_parquet(tmp_path / "table.parquet")
    with pytest.warns(UserWarning, match="Label not ash"):
        model = OneVsRestClassifier(LogisticRegression()).fit(aprendiz.rows(tmp_path / "table.parquet", target="y"))
    assert (model.predict(X) == "ash").all()


# ---- bad input -------------------------------------------------------------------------------------------------------------


def test_refused():
    """Several targets in a row, no target, and a base that is none."""
    base = LogisticRegression()
    with pytest.raises(ValueError, match=r"shape \(200, 2\).*MultiOutputClassifier"):
        OneVsRestClassifier(base).fit(X, np.column_stack([Y, Y]))
    with pytest.raises(ValueError, match="y is None"):
        OneVsRestClassifier(base).fit(X)
    for estimator in (None, 3, LogisticRegression):
        with pytest.raises(ValueError, match="estimator must be a classifier or a regressor"):
            OneVsRestClassifier(estimator).fit(X, Y)


def test_a_refused_fit_changes_nothing():
    """The fit before stays."""
    model = OneVsRestClassifier(LogisticRegression()).fit(X, Y)
    before = model.predict(X)
    bad = X.copy()
    bad[7, 1] = np.nan
    with pytest.raises(ValueError, match="row 7, column 1"):
        model.fit(bad, Y)
    assert np.array_equal(model.predict(X), before)


def test_saved_and_loaded(tmp_path):
    """A fitted model comes back from disk."""
    model = OneVsRestClassifier(LogisticRegression()).fit(X, Y)
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
    assert np.array_equal(loaded.claims(X), model.claims(X))
