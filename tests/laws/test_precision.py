"""Single precision in, single precision out (core/precision.py): by scikit-learn's rules, rounded once, at the end."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from subjects import LEARNERS, OUTPUTS, every, learner, record_of, table, takes
from test_drop_in import DROP_IN, attributes_of, shared_parameters, twin_of

import aprendiz
from aprendiz.core.learner import OnePass

SINGLE = [cls for cls in LEARNERS if cls.in_data_dtype]
U = 2.0**-24  # rounding to float32
DIGITS = -np.log10(U)
METHODS = (*OUTPUTS, "inverse_transform", "get_covariance", "get_precision")
DECLARED = ("float64 for float32 data too", "float64 for float64 data")
OF_TARGETS = {
    "KernelRidge",
    "KNeighborsRegressor",
    "RadiusNeighborsRegressor",
}  # answers in the precision of y: targets are kept as doubles
STOCHASTIC = {"Perceptron", "SGDClassifier", "SGDRegressor"}  # planes are kept as doubles, for the epochs to come
OF_BATCHES = {"IncrementalPCA"}  # scikit-learn's is float32 after one batch, float64 after two
SETTINGS = {
    "LinearRegression": [{"fit_intercept": False}, {"positive": True}],
    "Ridge": [{"fit_intercept": False}, {"positive": True}, {"solver": "svd"}],
    "RidgeCV": [{"cv": 3}, {"store_cv_results": True}],
    "Lasso": [{"fit_intercept": False}, {"alpha": 1e-3}],
    "LogisticRegression": [{"solver": "newton-cholesky"}, {"solver": "saga", "l1_ratio": 1.0}, {"class_weight": "balanced"}],
    "LogisticRegressionCV": [{"use_legacy_attributes": False}],
    "LinearDiscriminantAnalysis": [{"store_covariance": True}, {"priors": [0.2, 0.3, 0.5]}],
    "QuadraticDiscriminantAnalysis": [{"store_covariance": True}, {"reg_param": 0.1}],
    "PCA": [{"whiten": True}, {"n_components": 2}],
}
CASES = [
    pytest.param(cls, given, id=f"{cls.__name__}{'-' if given else ''}{'-'.join(given)}")
    for cls in DROP_IN
    for given in ({}, *SETTINGS.get(cls.__name__, ()))
    if cls.__name__ not in STOCHASTIC | OF_BATCHES
]


def dtypes(value):
    """The precisions of an array, of a number of NumPy's, or of a list or dictionary of them; None for anything else."""
    if isinstance(value, dict):
        return {name: dtypes(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [dtypes(one) for one in value]
    known = isinstance(value, (np.ndarray, np.generic)) or sparse.issparse(value)
    return value.dtype if known and value.dtype.kind == "f" else None


def precisions(model, twin, tables):
    """The precision of each attribute that scikit-learn documents, and of each answer for each of some tables."""
    found = {name: dtypes(getattr(model, name, None)) for name in attributes_of(twin)}
    for method in METHODS:
        answer = getattr(model, method, None)
        if answer is not None and method.startswith("get_"):
            found[method] = dtypes(answer())
        elif answer is not None and method != "inverse_transform":
            found |= {f"{method} of {kind}": dtypes(answer(X)) for kind, X in tables.items()}
        elif answer is not None and not hasattr(model, "add_indicator"):  # an imputer without it cannot go back
            found |= {f"{method} of {kind}": dtypes(answer(model.transform(X))) for kind, X in tables.items()}
    return found


@pytest.mark.parametrize(("cls", "given"), CASES)
def test_same_dtypes(cls, given):
    """Attributes and answers have scikit-learn's precision, whatever those of X, of y and of new rows are."""
    data, twin = table(cls, 60, 4), twin_of(cls)
    tables = {kind: data.X.astype(kind) for kind in ("float32", "float64")}
    left_out = {name for name, sentence in cls.differences.items() if sentence.endswith(DECLARED)}
    for of_X, of_y in ((x, y) for x in tables for y in (tables if cls.target == "numbers" else [None])):
        y = data.y if of_y is None else data.y.astype(of_y)
        centres = takes(cls, "n_init") and takes(cls, "n_clusters") and takes(cls, "init")
        start = {"init": data.start.astype(of_X)} if centres else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's fits of few passes
            ours = learner(cls, data, **start, **given)
            theirs = twin(**shared_parameters(ours)).fit(tables[of_X], y)
            asked = {of_X: tables[of_X]} if start or takes(cls, "beta_loss") else tables  # these ask for one precision
            expected, said = (precisions(m, twin, asked) for m in (theirs, ours.fit(tables[of_X], y)))
        for name, kind in expected.items():
            known = kind is not None and said.get(name) is not None and name not in left_out
            if known and not (cls.__name__ in OF_TARGETS and "predict" in name):
                assert said[name] == kind, f"{name} of X {of_X}, y {of_y}"


def test_some_are_single():
    """The comparison above has something to compare."""
    assert {"LinearRegression", "LogisticRegression", "LassoCV", "GaussianNB", "PCA"} <= {cls.__name__ for cls in SINGLE}


# ---- rounded once ------------------------------------------------------------------------------------------------------


def both(cls, **given):
    """A fit to float32, one to the same numbers in float64, and the table."""
    data = table(cls, 200, 4)
    X = data.X.astype(np.float32)
    return (learner(cls, data, **given).fit(X, data.y), learner(cls, data, **given).fit(X.astype(float), data.y), data)


def assert_rounded(single, double):
    """Every attribute that follows X is that of the double fit, rounded (columns of X may be summed in another order)."""
    for name in type(single).in_data_dtype & vars(double).keys():
        for a, b in zip(*(np.atleast_1d(getattr(model, name)) for model in (single, double)), strict=True):
            assert a.dtype == np.float32 or type(getattr(single, name)) is float, name
            assert np.abs(a - b).max() <= 1.001 * U * np.abs(b).max(), name


@every(SINGLE)
def test_rounded_once(cls):
    """A fit in single precision is the double one, rounded: no digit is lost on the way."""
    single, double, _ = both(cls)
    assert_rounded(single, double)


@every(SINGLE)
def test_answers_are_rounded_once(cls):
    """What is said of a row is computed in double from what is stored: it is that for the same row in double, rounded."""
    model, _, data = both(cls)
    X = data.X.astype(np.float32)
    for method in OUTPUTS:
        if (answer := getattr(model, method, None)) is None or (said := answer(X)).dtype != np.float32:
            continue
        exact = answer(X.astype(float))
        assert exact.dtype == np.float64
        assert (np.abs(said - exact) <= 40 * U * np.maximum(np.abs(exact), 1e-30)).all(), method  # exp(a rounded logarithm)


@every([cls for cls in SINGLE if issubclass(cls, OnePass)])
def test_batches(cls):
    """The sums of `partial_fit` stay double: attributes are rounded at the end, not once for each batch; the first decides."""
    data = table(cls, 200, 4)
    X, single, double = data.X.astype(np.float32), learner(cls, data), learner(cls, data)
    for chosen in np.array_split(np.arange(200), 5):
        single.partial_fit(X[chosen], data.y[chosen] if data.y is not None else None)
        double.partial_fit(X[chosen].astype(float), data.y[chosen] if data.y is not None else None)
    assert_rounded(single, double)
    double.partial_fit(X, data.y)
    assert all(np.asarray(getattr(double, name)).dtype == float for name in cls.in_data_dtype & vars(double).keys())


@every([cls for cls in SINGLE if issubclass(cls, OnePass)])
def test_sums_know_no_precision(cls):
    """A fit from sums is double, until the columns of a table of single precision are noted."""
    data = table(cls, 200, 4)
    model = learner(cls, data).fit_sums(record_of(cls, data))
    name = min(cls.in_data_dtype & vars(model).keys())
    assert np.asarray(getattr(model, name)).dtype == np.float64
    rows = model.open(data.X.astype(np.float32), data.y)
    assert np.asarray(getattr(model.settle(rows.noted), name)).dtype == np.float32
    assert not hasattr(model, "dtype")


# ---- what is known of it -----------------------------------------------------------------------------------------------


@every(SINGLE)
def test_certificates(cls):
    """A certificate says that it speaks of what was rounded, and claims no digit that float32 does not hold."""
    single, double, _ = both(cls)
    assert single.certificate_.claim == f"{double.certificate_.claim}, before rounding to single precision"
    assert single.certificate_.single == U
    if "digits" in double.certificate_.values:
        assert double.certificate_.digits > 8
        assert DIGITS - 0.1 < single.certificate_.digits < DIGITS


@every(SINGLE)
def test_stored(cls, tmp_path):
    """A model of single precision comes back from its file with the same attributes and answers."""
    model, _, data = both(cls)
    aprendiz.save(model, tmp_path / "m.apz")
    again, X = aprendiz.load(tmp_path / "m.apz"), data.X.astype(np.float32)
    for name in cls.in_data_dtype & vars(model).keys():
        assert dtypes(getattr(again, name)) == dtypes(getattr(model, name))
    method = next((name for name in ("predict", "transform") if hasattr(model, name)), None)
    if method is not None:
        assert np.array_equal(getattr(again, method)(X), getattr(model, method)(X))


def test_liblinear():
    """A fit by "liblinear" is double whatever X is, as in scikit-learn."""
    data = table(aprendiz.Lasso, 60, 4)
    X, y = data.X.astype(np.float32), data.y > np.median(data.y)
    for cls in (aprendiz.LogisticRegression, twin_of(aprendiz.LogisticRegression)):
        assert cls(solver="liblinear").fit(X, y).coef_.dtype == np.float64
        assert cls().fit(X, y).coef_.dtype == np.float32


def test_out_of_range():
    """Coefficients that float32 cannot hold stay double, and so do the predictions."""
    X = np.array([[0.0], [1e-20], [2e-20]], np.float32)
    model = aprendiz.LinearRegression().fit(X, [0.0, 1e30, 2e30])
    assert model.coef_.dtype == model.predict(X).dtype == np.float64
    assert np.allclose(model.coef_, 1e50)


def test_warm_start():
    """A fit goes on from coefficients of single precision, and may go on in double."""
    data = table(aprendiz.Lasso, 200, 4)
    for model in (aprendiz.Lasso(alpha=0.1, warm_start=True), aprendiz.LogisticRegression(warm_start=True)):
        y = data.y if isinstance(model, aprendiz.Lasso) else data.y > np.median(data.y)
        first = model.fit(data.X.astype(np.float32), y).coef_
        again = model.fit(data.X, y).coef_
        assert (first.dtype, again.dtype) == (np.float32, np.float64)
        assert np.abs(first - again).max() < 1e-5


def test_collections():
    """Opened rows have the precision of their first block: Dask's, and those that an earlier step has changed."""
    da = pytest.importorskip("dask.array")
    data = table(aprendiz.Ridge, 200, 4)
    X, y = data.X.astype(np.float32), da.from_array(data.y, chunks=50)
    model = aprendiz.Ridge().fit(da.from_array(X, chunks=(50, 4)), y)
    assert model.coef_.dtype == model.predict(X).dtype == np.float32
    assert np.array_equal(model.coef_, aprendiz.Ridge().fit(X, data.y).coef_)
    assert aprendiz.PCA().fit(aprendiz.StandardScaler().fit(X).transform(X)).components_.dtype == np.float32


def test_sampled():
    """Priors that rounding keeps from adding up to 1 are probabilities all the same."""
    data = table(aprendiz.GaussianNB, 90, 3)
    for cls in (aprendiz.GaussianNB, aprendiz.LinearDiscriminantAnalysis):
        priors = np.full(3, 1 / 3)
        model = cls(priors=priors).fit(data.X.astype(np.float32), data.y)
        X, y = model.sample(1000, random_state=0)
        assert np.unique(y, return_counts=True)[1].min() > 250
        assert np.isfinite(X).all()
