"""Bad input: every learner refuses it with the culprit's name and a remedy, loses nothing, and changes nothing of the user's.

What is odd but meaningful (one row, constant columns, huge offsets, tiny scales) is answered rightly instead.
"""

import copy
import inspect
import re
import warnings
from contextlib import contextmanager
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from laws.subjects import BY_DOOR
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import check_is_fitted

import aprendiz
from aprendiz.bayes.gaussian.column_by_column import ColumnByColumn
from aprendiz.bayes.naive.independent_columns import IndependentColumns
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.neighbors.shared.kept_rows import KeptRows

LEARNERS = dict(aprendiz.all_learners())
N = 60
NAMES = ["height", "weight", "age"]
GOOD = np.round(np.random.default_rng(0).normal(size=(N, 3)) * 1024) / 1024  # dyadic: an offset of 1e8 loses no digit
CODES = np.clip(np.round(GOOD + 2), 0, 4)  # for learners of categories
NOISE = np.random.default_rng(1).normal(size=N)
REMEDY = re.compile(
    r"leave|impute|replace|encode|rename|reshape|remove|write it|correct|ask for|choose|use |scale|call|pass|give|need|make"
    r"|must|expect|required|bin |count from",
    re.IGNORECASE,
)

COUNTED = ("BernoulliNB", "CategoricalNB", "ComplementNB", "MultinomialNB")  # whose cells are no measurements
WITH_PRIORS = ("BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "NaiveBayes")
MEDOIDS = ("KCenters", "KMedoids", "SampledKMedoids")  # whose transforms have the units of the columns
BALLS = ("RadiusNeighborsClassifier", "RadiusNeighborsRegressor")  # whose radius has the units of the columns
STEPS = ("DeltaRule", "Perceptron", "SGDClassifier", "SGDRegressor")  # whose steps depend on the units of the columns

weighed = pytest.mark.parametrize(
    "cls",
    [c for c in LEARNERS.values() if "sample_weight" in inspect.signature(c.fit).parameters],
    ids=lambda c: c.__name__,
)
by_door = pytest.mark.parametrize("cls", BY_DOOR, ids=lambda c: c.__name__)
every_learner = pytest.mark.parametrize("cls", LEARNERS.values(), ids=list(LEARNERS))
with_target = pytest.mark.parametrize(
    "cls", [c for c in LEARNERS.values() if c.target != "none"], ids=[n for n, c in LEARNERS.items() if c.target != "none"]
)


@cache
def tags(cls):
    """What the learner says of itself to scikit-learn."""
    return cls().__sklearn_tags__()


def forms(cls, *tables):
    """Forms of the same table that only the door tells apart: all of them for one learner of each way through it, the first
    for the others."""
    return tables if cls in BY_DOOR else tables[:1]


def takes_words(cls):
    """Does the learner know what to do with words?"""
    return tags(cls).input_tags.string


def centres(model):
    """Does the learner shift the columns, so that sparse ones would be filled?"""
    return getattr(model, "with_mean", False) or getattr(model, "with_centering", False)


def good(cls):
    """Rows that the learner takes: measurements, or categories and counts."""
    return CODES if tags(cls).input_tags.positive_only else GOOD


def framed(cls):
    """The same with names."""
    return pd.DataFrame(good(cls), columns=NAMES)


def honour(cls, law):
    """Leave a law out where the learner declares that it does not hold (tests/laws/subjects.py)."""
    if law in cls.exceptions:
        pytest.skip(f"{cls.__name__}: {cls.exceptions[law]}")


def make(cls, **parameters):
    """A learner with small, fixed choices."""
    usual = {"n_clusters": 3, "random_state": 0, "n_estimators": 5}
    known = cls().get_params()
    return cls(**{k: v for k, v in usual.items() if k in known}, **parameters)


def target(cls):
    """What the learner has to learn about the rows."""
    score = 2 * GOOD[:, 0] - GOOD[:, 1] + NOISE
    return {"none": None, "numbers": score, "classes": np.where(score > 0, "yes", "no")}[cls.target]


def answers(model, X):
    """All that a fitted learner says of some rows."""
    asked = [name for name in ("predict", "predict_proba", "transform") if hasattr(model, name)]
    asked = asked or [name for name in ("score_samples",) if hasattr(model, name)]
    if not asked and not hasattr(model, "radius_neighbors_graph"):  # it speaks of the rows of its fit alone
        check_is_fitted(model)
        return [model.labels_]
    if not asked:  # how far the neighbours within a radius are
        return [model.radius_neighbors_graph(X, mode="distance").toarray()]
    return [getattr(model, name)(X) for name in asked]


def says_of_new_rows(cls):
    """Has the learner a say on new rows?"""
    return any(hasattr(cls, name) for name in ("predict", "transform", "score_samples", "radius_neighbors_graph"))


def of_new_rows(cls):
    """Leave a test out if the learner has no say on new rows."""
    if not says_of_new_rows(cls):
        pytest.skip(f"{cls.__name__} has no say on new rows")


def same(a, b):
    if isinstance(a, (pd.DataFrame, pd.Series)):
        return a.equals(b)
    if isinstance(a, pl.LazyFrame):
        return a.collect().equals(b.collect())
    if isinstance(a, (pl.DataFrame, pa.Table)):
        return a.to_pandas().equals(b.to_pandas())  # where NaN equals NaN
    if sparse.issparse(a):
        return a.shape == b.shape and np.array_equal(a.toarray(), b.toarray(), equal_nan=True)
    if isinstance(a, np.ndarray) and a.dtype != object:
        return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    return repr(a) == repr(b)


def readable(message, *parts, remedy=True):
    """The message has all the parts (a letter as a word of its own) and a remedy, no whole table, and none of NumPy's names."""
    for part in parts:
        pattern = rf"\b{part}\b" if len(part) == 1 else re.escape(part)
        assert re.search(pattern, message, re.IGNORECASE), f"{part!r} is not in: {message}"
    assert not remedy or REMEDY.search(message), f"no remedy in: {message}"
    assert len(message) < 1500
    assert "np." not in message


FITTED = {}  # a model for each learner and form of the rows, with what it is and says: whoever changes it, loses it


@contextmanager
def kept(cls, *, names=False):
    """A fitted model that must be the same afterwards: the very same attributes, and the same answers."""
    rows = framed(cls) if names else good(cls)
    if (cls, names) not in FITTED:
        model = make(cls).fit(rows, target(cls))
        FITTED[cls, names] = model, dict(vars(model)), answers(model, rows[:8])
    model, attributes, before = FITTED.pop((cls, names))
    yield model
    assert vars(model).keys() == attributes.keys()
    assert not [name for name, value in vars(model).items() if value is not attributes[name]]
    for one, other in zip(answers(model, rows[:8]), before, strict=True):
        assert np.array_equal(one, other)
    FITTED[cls, names] = model, attributes, before


def refused(cls, X, *parts, y="usual", sample_weight=None, remedy=True):
    """Fitting is refused with a readable message; the fit before is as it was, and so is the input."""
    y = target(cls) if isinstance(y, str) else y
    given = (X, y, sample_weight)
    copies = tuple(copy.deepcopy(value) for value in given)
    with kept(cls) as model, pytest.raises((ValueError, TypeError)) as error:
        model.fit(X, y, **({} if sample_weight is None else {"sample_weight": sample_weight}))
    readable(str(error.value), *parts, remedy=remedy)
    assert model.n_features_in_ == 3
    assert all(same(a, b) for a, b in zip(given, copies, strict=True))


def attempt(model, X, y):
    """A fit, or the message of the ValueError that it ended with."""
    try:
        return model.fit(X, y), None
    except ValueError as error:
        return None, str(error)


def spoiled(cls, row, column, value, dtype=np.float64):
    X = good(cls).astype(dtype)
    X[row, column] = value
    return X


# ---- cells -----------------------------------------------------------------------------------------------------------


@every_learner
def test_cells_that_are_no_numbers(cls):
    """NaN and infinity are refused with row, column (by its name if it has one) and value; NaN only where it has no meaning."""
    thin = "sparse" in cls.allows and not centres(make(cls))  # else a sparse table is refused for another reason
    for value, shown in ((np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "-inf")):
        X = spoiled(cls, 7, 1, value)
        arrays = [X, np.asfortranarray(X), X.astype(np.float32), X.tolist(), *([sparse.csr_matrix(X)] if thin else [])]
        frames = [pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES), pa.table(dict(zip(NAMES, X.T, strict=True)))]
        if np.isnan(value) and "missing" in cls.allows:
            for table in forms(cls, arrays[-1], arrays[2], frames[-1]):  # and many more: tests/laws/test_same_bits.py
                make(cls).fit(table, target(cls))
            continue
        for table in forms(cls, *arrays):
            refused(cls, table, shown, "row 7", "column 1")
        for table in forms(cls, *frames):
            refused(cls, table, shown, "row 7", "column 'weight'")


@by_door
def test_words_among_numbers(cls):
    """A word in a column of numbers is refused with row, column and the word itself."""
    X = spoiled(cls, 4, 2, "tall", object)
    refused(cls, X, "'tall'", "row 4", "column 2")
    refused(cls, X.tolist(), "'tall'", "row 4", "column 2")
    refused(cls, pd.DataFrame(X, columns=NAMES), "'tall'", "row 4", "'age'")


@every_learner
def test_columns_of_words(cls):
    """A column of words is refused with its first one, row and column, unless the learner knows what to do with it."""
    if takes_words(cls):
        pytest.skip("words have a meaning here: below")
    refused(cls, GOOD.astype(str), repr(str(GOOD[0, 0])), "row 0", "column 0")
    frame = framed(cls).assign(age=["tall"] * N)
    refused(cls, frame, "'tall'", "row 0", "'age'")
    refused(cls, frame.assign(age=frame["age"].astype("category")), "'tall'", "row 0", "'age'")
    refused(cls, pl.from_pandas(frame), "'tall'", "row 0", "'age'")
    refused(cls, pa.Table.from_pandas(frame), "'tall'", "row 0", "'age'")


@by_door
def test_cells_that_are_not_there(cls):
    """None is a missing cell: left out by those who know how, refused with row and column by the others."""
    X = spoiled(cls, 5, 0, None, object)
    frame = pd.DataFrame(X, columns=NAMES)
    named = forms(cls, frame, frame.astype(float), frame.astype("Float64"), pl.from_pandas(frame.astype(float)))
    for column, tables in {"0": forms(cls, X, X.tolist()), "'height'": named}.items():
        for table in tables:
            if "missing" in cls.allows:
                make(cls).fit(table, target(cls))
            else:
                refused(cls, table, "row 5", f"column {column}")


@by_door
def test_objects_that_are_no_numbers(cls):
    """An object that is no number is refused with row and column."""
    for value in forms(cls, {"a": 1}, [1, 2], object, 1j):
        X = good(cls).astype(object)
        X[3, 1] = value
        refused(cls, X, "row 3", "column 1")
        refused(cls, pd.DataFrame(X, columns=NAMES), "row 3", "'weight'")


@by_door
def test_complex_numbers(cls):
    """Complex numbers are refused as such."""
    for X in (GOOD + 0j, GOOD.astype(np.complex64), pd.DataFrame(GOOD + 0j, columns=NAMES)):
        refused(cls, X, "row 0" if isinstance(X, pd.DataFrame) else "Complex", remedy=False)


@by_door
def test_dates(cls):
    """Dates are no numbers: refused with their column, not counted in days."""
    dates = pd.date_range("2020-01-01", periods=N)
    refused(cls, framed(cls).assign(age=dates), "'age'", "2020", "row 0")
    refused(cls, dates.to_numpy()[:, None], "2020", "row 0", "column 0")


@by_door
def test_whole_numbers_too_large(cls):
    """A whole number that no double can hold is refused with row and column, as a ValueError."""
    X = good(cls).tolist()
    X[6][2] = 10**400
    refused(cls, X, "row 6", "column 2")


# ---- shapes ----------------------------------------------------------------------------------------------------------


@every_learner
def test_empty_tables(cls):
    """A table without rows or without columns is refused, and the message says which."""
    none = None if cls.target == "none" else []
    for X in (np.empty((0, 3)), pd.DataFrame({n: [] for n in NAMES}, dtype=float)):
        refused(cls, X, "0 sample", y=none)
    for X in (np.empty((N, 0)), pd.DataFrame(index=range(N)), [[]] * N):
        refused(cls, X, "0 feature")
    if "sparse" in cls.allows:
        refused(cls, sparse.csr_matrix((0, 3)), "0 sample", y=none)
        refused(cls, sparse.csr_matrix((N, 0)), "0 feature")
    refused(cls, [], y=none)


@by_door
def test_wrong_dimensions(cls):
    """A vector, a cube and a single number are refused with what was expected."""
    refused(cls, GOOD[:, 0], "2D", "1D")
    refused(cls, GOOD[:, 0].tolist(), "2D", "1D")
    refused(cls, pd.Series(GOOD[:, 0]), "DataFrame")
    refused(cls, GOOD[:, :, None], "3")
    refused(cls, 5.0, "2D")
    refused(cls, None)


@by_door
def test_rows_of_unequal_length(cls):
    """A list whose rows have different lengths is refused with the first row that differs."""
    X = good(cls).tolist()
    X[8] = [1.0, 2.0]
    refused(cls, X, "row 8", "2", "3")


@by_door
def test_lazy_frames(cls):
    """A frame that has not been computed is refused with the remedy."""
    refused(cls, pl.DataFrame(GOOD, schema=NAMES).lazy(), "collect")


@every_learner
def test_one_row(cls):
    """One row is enough for a finite answer, or the message says that it is not."""
    y = target(cls)
    model, error = attempt(make(cls), good(cls)[:1], None if y is None else y[:1])
    if error:
        readable(error)
        assert re.search(r"n_samples=1\b|one class", error)
    else:
        for answer in answers(model, good(cls)[:1]):
            assert np.isfinite(answer).all()


@every_learner
def test_two_rows(cls):
    """So are two rows."""
    y = {"none": None, "numbers": np.array([1.0, 2.0]), "classes": np.array(["no", "yes"])}[cls.target]
    model, error = attempt(make(cls), good(cls)[:2], y)
    if error:
        readable(error, "n_samples=2")
    else:
        for answer in answers(model, good(cls)[:2]):
            assert answer.dtype.kind == "U" or np.isfinite(answer).all()


@by_door
def test_repeated_names(cls):
    """A column name that stands twice is refused with the name."""
    refused(cls, pd.DataFrame(good(cls), columns=["height", "age", "age"]), "'age'")


@every_learner
def test_sparse_tables(cls):
    """A sparse table is learned as the same dense one where the learner declares it, else refused with the remedy."""
    X = good(cls) * (np.abs(GOOD) > 0.5)
    if "sparse" not in cls.allows:
        refused(cls, sparse.csr_matrix(X), "toarray")
        return
    options = {name: False for name in ("with_mean", "with_centering") if name in cls().get_params()}
    dense = make(cls, **options).fit(X, target(cls))
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array):
        model = make(cls, **options).fit(form(X), target(cls))
        for one, other in zip(answers(model, X), answers(dense, X), strict=True):
            if one.dtype.kind == "f":
                np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)  # sums in another order; iterative to 1e-8
            else:
                assert np.array_equal(one, other)


@pytest.mark.parametrize(("name", "option"), [("StandardScaler", "with_mean"), ("RobustScaler", "with_centering")])
def test_sparse_cannot_be_centred(name, option):
    """Centring would fill a sparse table: refused with the remedy, at fit and at transform."""
    refused(LEARNERS[name], sparse.csr_matrix(GOOD), f"{option}=False")
    model = LEARNERS[name]().fit(GOOD)
    with pytest.raises(ValueError, match=f"{option}=False"):
        model.transform(sparse.csr_matrix(GOOD))


# ---- y and weights ---------------------------------------------------------------------------------------------------


@with_target
def test_no_target(cls):
    """A learner that needs y says so."""
    refused(cls, good(cls), "y", y=None)


@with_target
def test_target_of_another_length(cls):
    """A target of another length is refused with both lengths."""
    refused(cls, good(cls), f"{N}", f"{N - 1}", "y", y=target(cls)[:-1], remedy=False)
    refused(cls, good(cls)[:-2], f"{N}", f"{N - 2}", "y", remedy=False)


@with_target
def test_target_missing_in_a_row(cls):
    """A row without a target is refused with its number; nothing is left out silently."""
    marked = pd.Series(target(cls), dtype="Float64" if cls.target == "numbers" else "string")
    marked[9] = pd.NA
    refused(cls, good(cls), "row 9", "y", y=marked)
    for value in (None, np.nan):
        y = target(cls).astype(object)
        y[9] = value
        refused(cls, good(cls), "row 9", "y", y=y)


regressors = pytest.mark.parametrize("cls", [c for c in LEARNERS.values() if c.target == "numbers"], ids=lambda c: c.__name__)
classifiers = pytest.mark.parametrize("cls", [c for c in LEARNERS.values() if c.target == "classes"], ids=lambda c: c.__name__)


@regressors
def test_regression_on_what_is_no_number(cls):
    """A regressor names row and value of what is no number."""
    for value in (np.nan, np.inf, "tall"):
        y = target(cls).astype(object)
        y[11] = value
        refused(cls, GOOD, "row 11", "'tall'" if value == "tall" else "", y=y)


@with_target
def test_complex_target(cls):
    """A complex target is refused as such."""
    refused(cls, good(cls), "Complex", "y", y=NOISE + 1j, remedy=False)


@with_target
def test_target_of_too_many_dimensions(cls):
    """A target that is a cube is refused with its shape."""
    refused(cls, good(cls), f"({N}, 2, 2)", "y", y=np.zeros((N, 2, 2)), remedy=False)


@classifiers
def test_one_class(cls):
    """A classifier refuses a target of one class, with the class."""
    refused(cls, good(cls), "'no'", "class", y=np.full(N, "no"))


def test_one_class_that_counts():
    """A logistic model has no finite answer either where only one class has weight."""
    cls = aprendiz.LogisticRegression
    refused(cls, GOOD, "'yes'", "class", sample_weight=(target(cls) == "yes").astype(float))


@pytest.mark.filterwarnings("ignore:.*not seen in the fit")  # categories of rows without weight
@pytest.mark.parametrize("cls", [getattr(aprendiz, name) for name in WITH_PRIORS], ids=lambda c: c.__name__)
def test_a_class_without_weight(cls):
    """Naive Bayes gives a class whose rows have no weight the probability 0, and finite answers."""
    y = target(cls)
    P = make(cls).fit(good(cls), y, sample_weight=(y == "yes").astype(float)).predict_proba(good(cls))
    np.testing.assert_allclose(P, np.tile([0.0, 1.0], (N, 1)), atol=1e-300)


@classifiers
def test_continuous_classes(cls):
    """A classifier refuses measurements, with row and value."""
    y = target(aprendiz.LinearRegression)
    refused(cls, good(cls), "row 0", str(y[0])[:6], y=y)


@weighed
def test_bad_weights(cls):
    """A weight that is negative, missing or infinite is refused with its row and value."""
    for row, value, shown in ((4, -1.0, "-1"), (5, np.nan, "NaN"), (6, np.inf, "inf"), (7, -1e-300, "-1e-300")):
        w = np.ones(N)
        w[row] = value
        for form in forms(cls, w, w.tolist(), pd.Series(w)):
            refused(cls, good(cls), f"row {row}", shown, "sample_weight", sample_weight=form)


@weighed
def test_weights_of_another_form(cls):
    """Weights that are all zero, too few, a table or words are refused by name."""
    refused(cls, good(cls), "sample_weight", "zero", sample_weight=np.zeros(N))
    refused(cls, good(cls), "sample_weight", f"{N}", f"{N - 1}", sample_weight=np.ones(N - 1), remedy=False)
    refused(cls, good(cls), "sample_weight", f"({N}, 2)", sample_weight=np.ones((N, 2)))
    refused(cls, good(cls), "sample_weight", "'heavy'", "row 2", sample_weight=[1, 1, "heavy"] + [1] * (N - 3))


# ---- new rows --------------------------------------------------------------------------------------------------------


def later(cls, X, *parts, names=True):
    """Whatever a fitted learner is asked about X, it refuses; it still knows the right rows afterwards."""
    with kept(cls, names=names) as model:
        for name in ("predict", "predict_proba", "transform", "decision_function", "score_samples"):
            if not hasattr(model, name):
                continue
            with pytest.raises((ValueError, TypeError)) as error:
                getattr(model, name)(X)
            readable(str(error.value), *parts)


@every_learner
def test_another_number_of_columns(cls):
    """Too few or too many columns are refused with both numbers."""
    later(cls, np.ones((5, 2)), "2", "3", names=False)
    later(cls, np.ones((5, 4)), "4", "3", names=False)


@every_learner
def test_another_number_of_coordinates(cls):
    """Coordinates to be mapped back are counted and checked too."""
    model = make(cls)
    if not hasattr(model, "inverse_transform"):
        pytest.skip("there is no way back")
    if hasattr(model, "add_indicator"):
        model.set_params(add_indicator=True)
    model.fit(good(cls), target(cls))
    with pytest.raises(ValueError, match=r"feature|column|component") as error:
        model.inverse_transform(np.ones((5, 4)))
    readable(str(error.value), "4", "3")
    with pytest.raises(ValueError, match=r"row 2, column 1"):
        model.inverse_transform(spoiled(cls, 2, 1, np.inf))


@by_door
def test_other_columns(cls):
    """Columns of other names, in another order, too many or too few are refused with a name that is wrong."""
    frame = framed(cls)
    later(cls, frame.rename(columns={"age": "shoe size"}), "shoe size", "age")
    later(cls, frame[["age", "height", "weight"]], "order")
    later(cls, frame.assign(extra=1.0), "extra")
    later(cls, frame[["height", "weight"]], "age")
    if cls in BY_DOOR:
        later(cls, pl.from_pandas(frame.rename(columns={"age": "shoe size"})), "shoe size", "age")


@by_door
def test_array_where_a_frame_was(cls):
    """An array for a learner that knows names is taken, with scikit-learn's warning."""
    of_new_rows(cls)
    with kept(cls, names=True) as model, pytest.warns(UserWarning, match="valid feature names"):
        answers(model, good(cls))


@by_door
def test_bad_cells_of_new_rows(cls):
    """New rows are checked like the old ones: row, column, value."""
    later(cls, pd.DataFrame(spoiled(cls, 2, 1, np.inf), columns=NAMES), "row 2", "'weight'", "inf")
    if "missing" not in cls.allows:
        later(cls, pd.DataFrame(spoiled(cls, 2, 1, np.nan), columns=NAMES), "row 2", "'weight'", "NaN")
    later(cls, pd.DataFrame(spoiled(cls, 2, 1, "x", object), columns=NAMES), "row 2", "'weight'", "'x'")


@every_learner
def test_no_new_rows(cls):
    """No rows are refused with a sentence."""
    later(cls, np.empty((0, 3)), "0 sample", names=False)


@every_learner
def test_not_fitted(cls):
    """A learner that was not fitted says so, also after a fit that failed."""
    model = make(cls)
    with pytest.raises(ValueError, match=r"infinity"):
        model.fit(spoiled(cls, 0, 0, np.inf), target(cls))
    with pytest.raises(NotFittedError, match=cls.__name__):
        answers(model, good(cls))


@every_learner
def test_more_rows_that_are_bad(cls):
    """A partial_fit that is refused loses nothing: the next one goes on as if it had not been tried."""
    if not hasattr(cls, "partial_fit"):
        pytest.skip("it does not learn in portions")
    half, y = N // 2, target(cls)
    first, second = (None, None) if y is None else (y[:half], y[half:])
    tried = make(cls).partial_fit(good(cls)[:half], first)
    before = answers(tried, good(cls))
    for bad in (spoiled(cls, 3, 1, np.inf)[half - 30 : half], good(cls)[:half, :2]):
        with pytest.raises(ValueError, match=r"row 3|features"):
            tried.partial_fit(bad, first)
    for one, other in zip(answers(tried, good(cls)), before, strict=True):
        assert np.array_equal(one, other)
    straight = make(cls).partial_fit(good(cls)[:half], first).partial_fit(good(cls)[half:], second)
    for one, other in zip(
        answers(tried.partial_fit(good(cls)[half:], second), good(cls)), answers(straight, good(cls)), strict=True
    ):
        assert np.array_equal(one, other)


# ---- odd but meaningful ----------------------------------------------------------------------------------------------


def invariant(cls):
    """A learner whose answers do not depend on offset and scale: no penalty, no tolerance in absolute terms."""
    known = cls().get_params()
    if "alphas" in known:
        return make(cls, alphas=(0.0,), cv=3)
    if "C" in known:
        return make(cls, C=np.inf)
    if "Cs" in known:
        return make(cls, Cs=(np.inf,))
    return make(cls, alpha=0.0) if cls.target == "numbers" and "alpha" in known else make(cls)


def close(one, other, rtol):
    if one.dtype.kind == "f":
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol * np.abs(other).max())
    else:
        assert np.array_equal(one, other)


@every_learner
def test_huge_offsets(cls):
    """An offset of 1e8 beside a spread of 1 changes no answer: these data hold it without loss."""
    honour(cls, "shift")
    near = invariant(cls).fit(GOOD, target(cls))
    expected = answers(near, GOOD)
    for offset in (1e8, -1e8, 1e10):
        assert np.array_equal(GOOD + offset - offset, GOOD)
        far = invariant(cls).fit(GOOD + offset, target(cls))
        # new rows lose ε·offset in t = b + xᵀw themselves, so they are compared to that much
        for one, other in zip(answers(far, GOOD + offset), expected, strict=True):
            close(one, other, 1e-8 + 50 * np.finfo(float).eps * abs(offset))
        if hasattr(near, "coef_") and cls is not aprendiz.NearestMean:  # whose coefficients are the means
            np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-8)


@every_learner
def test_tiny_and_large_scales(cls):
    """A scale of 2⁻⁴⁰ ≈ 1e-12, or one whose squares are barely numbers, changes no answer but its unit."""
    if cls.target == "none" or cls.__name__ in (*BALLS, *COUNTED, *STEPS):  # elsewhere it is a penalty that is not invariant
        honour(cls, "scaling")
    if cls is aprendiz.KNNDensity:
        pytest.skip("a density has units of its own: tests/laws/test_metamorphic.py")
    usual = answers(invariant(cls).fit(GOOD, target(cls)), GOOD)
    for power in (-40, -300, 40, 300):
        scale = 2.0**power
        with warnings.catch_warnings():
            if abs(power) == 300:  # a gradient in units of 1e90 never looks small; the warning says to scale the columns
                warnings.filterwarnings("ignore", ".*scale the columns", ConvergenceWarning)
            warnings.filterwarnings("ignore", "reg_covar=.* is added to variances")  # rightly, where the scale is tiny
            scaled = invariant(cls).fit(GOOD * scale, target(cls))
        unit = scale if cls.__name__ in ("PCA", "KMeans", "MiniBatchKMeans", "SimpleImputer", *MEDOIDS) else 1.0
        for one, other in zip(answers(scaled, GOOD * scale), usual, strict=True):
            close(one / unit if one.dtype.kind == "f" else one, other, 1e-8)


@every_learner
@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_values_at_the_end_of_the_numbers(cls, size):
    """Values whose squares overflow or vanish: a finite answer, or an error that names a column; never a silent NaN."""
    for where in ("everywhere", "one column", "one cell"):
        finite_or_explained(cls, size, where)


def finite_or_explained(cls, size, where):
    X = good(cls).copy()
    if where == "everywhere":
        X *= size
    elif where == "one column":
        X[:, 1] *= size
    else:
        X[13, 1] = size
    model, error = attempt(make(cls), X, target(cls))
    if error:
        readable(error)
        assert re.search(r"column (\d|')", error)
    else:
        found = answers(model, X)
        for name, value in vars(model).items():
            if name.endswith("_") and isinstance(value, np.ndarray) and value.dtype.kind == "f":
                assert np.isfinite(value).all(), name
        for answer in found:
            assert answer.dtype.kind != "f" or np.isfinite(answer).all()


def without_floor(cls):
    """Leave a test out where a column without variance of its own has no likelihood that can be largest."""
    if cls is aprendiz.MixtureModel:
        with pytest.raises(ValueError, match="column 3"):
            make(cls).fit(GOOD[:, [0, 1, 2, 2]])
        pytest.skip("refused by its number: tests/cluster/test_mixture_model.py")


@every_learner
def test_constant_columns(cls):
    """A column that never changes, or that is all there is, gives finite answers."""
    without_floor(cls)
    for X in (np.column_stack([GOOD, np.full(N, 0.1)]), np.column_stack([np.full(N, 1e8 + 0.1), GOOD]), np.full((N, 2), 7.3)):
        if np.ptp(X) == 0 and cls.__name__ in ("KMeans", "MiniBatchKMeans", "KNNDensity", *MEDOIDS):
            continue  # fewer places than clusters: below; more rows in a place than neighbours: tests/neighbors
        if good(cls) is CODES:
            X = np.clip(np.round(X), 0, 9)
        for answer in answers(make(cls).fit(X, target(cls)), X):
            assert answer.dtype.kind != "f" or np.isfinite(answer).all()


def test_constant_columns_have_no_scale():
    """A constant column is centred to zeros, not blown up, though its mean is rounded."""
    X = np.column_stack([np.full(N, 0.1), np.full(N, 1e8 + 0.1)])
    Z = aprendiz.StandardScaler().fit_transform(X)
    assert np.abs(Z).max() <= 1e-7  # ε of 1e8


def test_fewer_places_than_clusters():
    """k-means with fewer distinct rows than clusters ends with cost 0, and says that some clusters are the same or empty."""
    with pytest.warns(ConvergenceWarning, match="distinct"):
        model = aprendiz.KMeans(3, random_state=0).fit(np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0))
    assert model.inertia_ == 0.0


@every_learner
def test_repeated_columns(cls):
    """A column that stands twice gives finite answers; predictions are those without it where there is no penalty."""
    without_floor(cls)
    rows = good(cls)
    X = rows[:, [0, 1, 2, 2]]
    model = invariant(cls).fit(X, target(cls))
    found = answers(model, X)
    for answer in found:
        assert answer.dtype.kind != "f" or np.isfinite(answer).all()
    twice = issubclass(cls, (ColumnByColumn, IndependentColumns, KeptRows)) or cls is aprendiz.NearestCentroid  # two witnesses
    twice = twice or issubclass(cls, Ensemble)  # a column that stands twice is drawn twice as often
    if cls.target != "none" and cls.__name__ not in STEPS and not twice:
        for one, other in zip(found, answers(invariant(cls).fit(rows, target(cls)), rows), strict=True):
            close(one, other, 1e-8)


@with_target
def test_more_columns_than_rows(cls):
    """More columns than rows: the rows are fitted (least squares) or finitely many answers given."""
    X = np.random.default_rng(5).normal(size=(10, 25))
    X = np.clip(np.round(X + 2), 0, 4) if good(cls) is CODES else X
    y = target(cls)[:10]
    model = (invariant(cls) if cls is aprendiz.Ridge else make(cls)).fit(X, y)
    if cls is aprendiz.RidgeCV:  # a penalty above 0 fits no row exactly
        assert model.score(X, y) > 0.9
    elif hasattr(model, "dual_gap_"):  # nor does one that makes zeros
        assert model.dual_gap_ <= model.tol
    elif cls.target == "numbers" and cls.__name__ not in STEPS and not issubclass(cls, (KeptRows, Ensemble)):  # which average
        np.testing.assert_allclose(model.predict(X), y, rtol=1e-9)
    else:
        assert all(np.isfinite(said).all() for said in answers(model, X) if said.dtype.kind == "f")


@every_learner
def test_input_is_not_changed(cls):
    """A fit that succeeds changes nothing of what it was given either."""
    for form in forms(cls, np.array, np.asfortranarray, lambda X: pd.DataFrame(X, columns=NAMES)):
        X, w = form(good(cls)), np.arange(N) % 3 + 1.0
        y = copy.deepcopy(target(cls))
        weighted = "sample_weight" in inspect.signature(cls.fit).parameters
        model = make(cls).fit(X, y, **({"sample_weight": w} if weighted else {}))
        answers(model, X)
        assert np.array_equal(np.asarray(X), good(cls))
        assert np.array_equal(w, np.arange(N) % 3 + 1.0)
        assert y is None or np.array_equal(y, target(cls))


# ---- files -----------------------------------------------------------------------------------------------------------


def table(cls):
    frame = framed(cls)
    return frame if cls.target == "none" else frame.assign(y=target(cls))


def opened(cls, path):
    return aprendiz.rows(path, target=None if cls.target == "none" else "y")


def refused_file(cls, path, *parts, kinds=(ValueError,)):
    """Opening the file or fitting to it is refused with the name of the file; the fit before is as it was."""
    with kept(cls) as model, pytest.raises(kinds) as error:
        model.fit(opened(cls, path))
    readable(str(error.value), path.name, *parts, remedy=kinds == (ValueError,))
    assert model.n_features_in_ == 3


@by_door
def test_damaged_parquet(cls, tmp_path):
    """A Parquet file that was cut off, or whose pages were overwritten, is refused with its name and the remedy."""
    path = tmp_path / "damaged.parquet"
    table(cls).to_parquet(path)
    content = path.read_bytes()
    for share in (0.0, 0.1, 0.5, 0.99):
        path.write_bytes(content[: int(share * len(content))])
        refused_file(cls, path, "write it again")
    path.write_bytes(content[:4] + bytes(196) + content[200:])
    refused_file(cls, path, "write it again")


@by_door
def test_files_that_are_not_there(cls, tmp_path):
    """A file, a pattern or a folder without tables: FileNotFoundError with the path."""
    for path in (tmp_path / "nowhere.parquet", tmp_path / "*.csv", tmp_path):
        refused_file(cls, path, kinds=(FileNotFoundError,))


@by_door
def test_bad_cells_of_files(cls, tmp_path):
    """A cell that is no number is refused with file, column, row and value, at fit and at new rows: every kind of file and of
    cell for one learner of each way through the door, one of each for the others."""
    kinds = [(kind, bad) for kind in ("parquet", "csv") for bad in ("word", "missing", "infinite")]
    for kind, bad in kinds if cls in BY_DOOR else (("csv", "word"), ("parquet", "infinite")):
        if bad != "missing" or "missing" not in cls.allows:  # missing cells have a meaning there
            refused_cell_of_a_file(cls, kind, bad, tmp_path / f"{bad}.{kind}")


def refused_cell_of_a_file(cls, kind, bad, path):
    frame = table(cls).astype({"weight": object})
    frame.loc[21, "weight"] = {"word": "heavy", "missing": None, "infinite": np.inf}[bad]
    if kind == "parquet":
        frame["weight"] = frame["weight"].astype(str) if bad == "word" else frame["weight"].astype(float)
    frame.to_parquet(path) if kind == "parquet" else frame.to_csv(path, index=False)
    row = "row 0" if (kind, bad) == ("parquet", "word") else "row 21"  # a column of words has its first word in row 0
    shown = {"word": "'heavy'" if kind == "csv" else str(good(cls)[0, 1]), "missing": "missing", "infinite": "inf"}[bad]
    refused_file(cls, path, "'weight'", shown, row)
    if not says_of_new_rows(cls):
        return
    rows = aprendiz.rows(path, columns=NAMES)

    def read(model):
        for answer in answers(model, rows):
            list(answer.blocks()) if hasattr(answer, "blocks") else answer

    with kept(cls) as model, pytest.raises(ValueError, match="'weight'"):
        read(model)


@pytest.mark.parametrize("cls", [c for c in BY_DOOR if c.target != "none"], ids=lambda c: c.__name__)
def test_targets_missing_in_files(cls, tmp_path):
    """A row without a target is refused with file, column and row."""
    frame = table(cls).astype({"y": object if cls.target == "classes" else float})
    frame.loc[33, "y"] = None
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for path in (tmp_path / "t.parquet", tmp_path / "t.csv"):
        refused_file(cls, path, "'y'", "row 33")


@by_door
def test_files_with_other_columns(cls, tmp_path):
    """Rows of a file with other columns than those of the fit are refused with a name that is wrong."""
    of_new_rows(cls)
    right, bad, short = tmp_path / "right.parquet", tmp_path / "bad.parquet", tmp_path / "short.parquet"
    table(cls).to_parquet(right)
    pd.DataFrame(good(cls), columns=["height", "shoe size", "age"]).to_parquet(bad)
    pd.DataFrame(good(cls)[:, :2], columns=NAMES[:2]).to_parquet(short)
    model = make(cls).fit(opened(cls, right))
    before = answers(model, framed(cls))
    for path, name in ((bad, "shoe size"), (short, "age")):
        with pytest.raises(ValueError, match=name):
            answers(model, aprendiz.rows(path))
    for one, other in zip(answers(model, framed(cls)), before, strict=True):
        assert np.array_equal(one, other)


@classifiers
def test_one_class_in_a_file(cls, tmp_path):
    """A file whose target has one class is refused with the class."""
    table(cls).assign(y="no").to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"class.*'no'|'no'.*class"):
        cls().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))


# ---- words, categories, missing cells ----------------------------------------------------------------------------------

missing_allowed = pytest.mark.parametrize(
    "cls", [c for c in LEARNERS.values() if "missing" in c.allows], ids=lambda c: c.__name__
)
WORDS = pd.DataFrame(
    {
        "height": np.array(["low", "medium", "high"])[np.arange(N) % 3],
        "weight": np.where(NOISE > 0, "heavy", "light"),
        "age": np.arange(N) % 4,
    }
)


@missing_allowed
@pytest.mark.filterwarnings("ignore:Skipping features")  # below
def test_columns_that_are_missing_throughout(cls):
    """A column without any known cell disturbs no other one: the rest is answered as without it."""
    if issubclass(cls, Ensemble):
        pytest.skip("columns are drawn, and one more changes the draw")
    X = good(cls)[:, [0, 1, 2, 2]].copy()
    X[:, 3] = np.nan
    found, expected = answers(make(cls).fit(X, target(cls)), X), answers(make(cls).fit(good(cls), target(cls)), good(cls))
    for one, other in zip(found, expected, strict=True):
        if one.ndim == 2 and one.shape[1] == 4:
            assert np.isnan(one[:, 3]).all()
            one = one[:, :3]
        close(one, other, 1e-12)


def test_columns_that_are_missing_throughout_are_reported():
    """Where such a column is left out, or is one of words, a warning names it."""
    frame = framed(aprendiz.SimpleImputer).assign(weight=np.nan)
    with pytest.warns(UserWarning, match=r"'weight'.*keep_empty_features"):
        aprendiz.SimpleImputer().fit(frame)
    nothing = WORDS.assign(weight=pd.Series([None] * N, dtype=object))
    with pytest.warns(UserWarning, match="'weight': every cell is missing"):
        aprendiz.CategoricalNB().fit(nothing, target(aprendiz.CategoricalNB))


def test_unseen_categories_are_reported():
    """Codes and words that the fit did not see: left out, with a warning that names column and category."""
    cls = aprendiz.CategoricalNB
    words = make(cls).fit(WORDS, target(cls))
    new = WORDS.assign(height=np.where(np.arange(N) == 9, "enormous", WORDS["height"]))
    for method in ("predict", "predict_proba"):
        with pytest.warns(UserWarning, match=r"'height'.*'enormous'.*row 9"):
            found = getattr(words, method)(new)
        left_out = new.assign(height=new["height"].where(new["height"] != "enormous", None))
        assert np.array_equal(found, getattr(words, method)(left_out))
    codes = make(cls).fit(CODES, target(cls))
    with pytest.warns(UserWarning, match="category 17"):
        P = codes.predict_proba(spoiled(cls, 9, 1, 17.0))
    assert np.array_equal(P, codes.predict_proba(spoiled(cls, 9, 1, np.nan)))


def test_levels_that_look_alike_are_reported():
    """Levels that differ by spaces or case only are counted as they are, with a warning that lists them."""
    cls = aprendiz.CategoricalNB
    table = WORDS.assign(weight=WORDS["weight"].where(np.arange(N) % 5 > 0, "Heavy "))
    for form in (table, pl.from_pandas(table), table.astype({"weight": "category"})):
        with pytest.warns(UserWarning, match=r"'weight'.*'Heavy ', 'heavy'.*merge them"):
            make(cls).fit(form, target(cls))


def test_words_where_numbers_are_meant():
    """The mean of words is refused with column, word and remedy; measurements among categories with the remedy."""
    refused(aprendiz.SimpleImputer, WORDS, "'height'", "'low'", "mean")
    refused(aprendiz.CategoricalNB, WORDS.assign(age=np.arange(N) + 0.5), "'age'", "0.5", "bin")


@pytest.mark.parametrize("name", ["CategoricalNB", "SimpleImputer"])
def test_infinity_beside_words(name):
    """Infinity is refused with row and column in a table of words as elsewhere."""
    age = np.where(np.arange(N) == 5, np.inf, np.arange(N) % 4)
    cls = LEARNERS[name]
    model = cls(strategy="auto") if name == "SimpleImputer" else cls()
    with pytest.raises(ValueError, match=r"inf") as error:
        model.fit(WORDS.assign(age=age), target(cls))
    readable(str(error.value), "'age'", "row 5")


@pytest.mark.parametrize("name", ["CategoricalNB", "SimpleImputer"])
def test_other_columns_of_words(name):
    """Tables of words have the columns of the fit too."""
    cls = LEARNERS[name]
    model = (cls(strategy="auto") if name == "SimpleImputer" else cls()).fit(WORDS, target(cls))
    before = answers(model, WORDS)
    for table, word in (
        (WORDS.rename(columns={"age": "shoe size"}), "shoe size"),
        (WORDS[["age", "height", "weight"]], "order"),
        (WORDS[["height", "weight"]], "age"),
        (WORDS.assign(extra=1), "extra"),
    ):
        with pytest.raises(ValueError, match=word):
            answers(model, table)
    for one, other in zip(answers(model, WORDS), before, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", "MultinomialNB"])
def test_labels_that_were_not_announced(name):
    """A label that `classes` did not announce is refused with its row and the classes; so are other `classes`."""
    cls = LEARNERS[name]
    y = target(cls)
    model = make(cls).partial_fit(good(cls), y, classes=["no", "yes"])
    before = answers(model, good(cls))
    with pytest.raises(ValueError, match=r"'perhaps' in row 8.*'no', 'yes'"):
        model.partial_fit(good(cls), np.where(np.arange(N) == 8, "perhaps", y))
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(good(cls), y, classes=["no", "yes", "perhaps"])
    for one, other in zip(answers(model, good(cls)), before, strict=True):
        assert np.array_equal(one, other)


# ---- parameters ------------------------------------------------------------------------------------------------------

NAN = float("nan")
SEARCH = {
    "p": [0, -1.0, NAN, "two", None],
    "metric_params": ["w", 3, {"V": 1.0}],
    "n_jobs": [1.5, "all"],
}
VOTES = {"weights": ["heavy", 3], **SEARCH}
TIES = {"ties": ["first", None, 3], "random_state": [-1, "lucky"]}
NUMBER, BALL = {"n_neighbors": [0, -1, 2.5, True, "many", None, N + 1]}, {"radius": [-1.0, NAN, "wide", None]}
NEIGHBOURS = {
    "NearestNeighbors": {"n_neighbors": [0, -1, 2.5, True, "many", None], **BALL, **SEARCH},
    "KNeighborsClassifier": {**NUMBER, **VOTES, **TIES},
    "KNeighborsRegressor": {**NUMBER, **VOTES},
    "RadiusNeighborsClassifier": {**BALL, **VOTES, **TIES, "outlier_label": [3, ["no", "yes"]]},
    "RadiusNeighborsRegressor": {**BALL, **VOTES},
    "KNNDensity": NUMBER,
}
SIZES = {
    "max_depth": [0, -1, 1.5, "deep"],
    "exact": [1, "yes"],
    "random_state": [-1, 1.5, "lucky"],
}
GROWTH = {
    "splitter": ["worst", None],
    "min_samples_split": [1, 0, 1.5, -0.1, "few", None],
    "min_samples_leaf": [0, -1, 1.5, "few", None],
    "min_weight_fraction_leaf": [-0.1, 0.6, NAN, None],
    "max_features": [0, -1, 1.5, "many", NAN],
    "max_leaf_nodes": [1, 0, 2.5, "few"],
    "min_impurity_decrease": [-1e-9, NAN, "small", None],
    "ccp_alpha": [-1e-9, NAN, "small", None],
    "monotonic_cst": [[1, 0, -1], 1],
    "categories": ["binary", None],
    "missing": ["ignore", None],
    "cv": [1, 0, -3, True, "ten", 2.5, None],
    "rule": ["2se", None],
    "validation_fraction": [-0.1, 1.5, NAN, None],
    **SIZES,
}
CHANCES = {
    "priors": [[0.5], [1.0] * 4, [-0.5, 0.5, 1.0], "equal"],
    "costs": [[[0]], [[1.0] * 3] * 3, [[0, -1, 1], [1, 0, 1], [1, 1, 0]], [[0, NAN, 1], [1, 0, 1], [1, 1, 0]], "equal"],
}
MEMBERS = {
    "n_estimators": [0, -1, 1.5, None],
    "warm_start": [1, "yes", None],
    "random_state": [-1, 1.5, "lucky"],
}
IN_BAGS = {
    "bootstrap": [1, "yes", None],
    "oob_score": [3, "yes", None],
    "max_samples": [0, -1, 1.5, "many"],
    "patience": [0, -1, 1.5, "long"],
    "n_jobs": ["all", 1.5],
    "verbose": ["loud", None],
    **MEMBERS,
}
FORESTS = {**{name: GROWTH[name] for name in GROWTH if name in aprendiz.RandomForestRegressor().get_params()}, **IN_BAGS}
OF_CLASSES = {
    "criterion": ["best", None, "squared_error"],
    "class_weight": ["equal", 3, {"oak": 1.0}],
    "voting": ["loud", None],
    **CHANCES,
}
BAGGING = {
    "estimator": [3, "tree", []],
    "max_features": [0, -1, 1.5, "many", NAN, None],
    "bootstrap_features": [1, "yes", None],
    **IN_BAGS,
}
DISTANCES = {
    "n_clusters": [0, -1, 2.5, True, "three", None, N + 1],
    "metric": ["far", 3, None],
    "p": [0.5, NAN, "two", None],
    "metric_params": [3, [1, 2], {"V": 1}],
    "random_state": [-1, 1.5, "lucky"],
}
BAD_VALUES = {
    "AgglomerativeClustering": {
        "n_clusters": [0, -1, 1.5, "two", None, 1_000],
        "metric": ["far", None, "manhattan"],
        "memory": [3, 1.5],
        "connectivity": ["none", 3, np.ones((2, 3))],
        "compute_full_tree": ["all", None],
        "linkage": ["nearest", None],
        "distance_threshold": [-1.0, NAN, "far", 1.0],
        "compute_distances": [1, None],
        "p": [0.5, NAN, None],
        "metric_params": ["w", 3],
    },
    **{name: {**FORESTS, **OF_CLASSES} for name in ("RandomForestClassifier", "ExtraTreesClassifier")},
    **{name: {**FORESTS, "criterion": ["gini", None]} for name in ("RandomForestRegressor", "ExtraTreesRegressor")},
    "BaggingClassifier": {**BAGGING, "voting": ["loud", None]},
    "BaggingRegressor": BAGGING,
    "ClassSwitchingClassifier": {"p": [-0.1, 1.5, NAN, None], "estimator": [3, []], "voting": ["loud", None], **MEMBERS},
    "DecisionTreeClassifier": {
        "criterion": ["best", None, "squared_error"],
        "class_weight": ["equal", 3, {"oak": 1.0}],
        "pruning": ["all", True],
        **GROWTH,
        **CHANCES,
    },
    "DecisionTreeRegressor": {"criterion": ["best", None, "gini"], "pruning": ["all", True, "pessimistic"], **GROWTH},
    "ID3": {"min_samples_split": [1, 0, 1.5, None], "min_impurity_decrease": [-1e-9, NAN, None], **SIZES, **CHANCES},
    "C45": {
        "min_samples_leaf": [0, 1.5, None],
        "pruning": ["cost_complexity", True],
        "confidence": [0.0, 0.6, NAN, None],
        **SIZES,
        **CHANCES,
    },
    "CART": {
        "min_samples_split": [1, 0, 1.5, None],
        "min_samples_leaf": [0, 1.5, None],
        "pruning": ["pessimistic", True],
        "cv": [1, 0, -3, True, "ten", 2.5, None],
        "rule": ["2se", None],
        **SIZES,
        **CHANCES,
    },
    **{
        name: {
            "estimator": [3, "tree", []],
            "n_estimators": [0, -1, 1.5, None],
            "learning_rate": [0.0, -1.0, NAN, np.inf, "slow", None],
            "random_state": [-1, 1.5, "lucky"],
            "warm_start": [1, "yes", None],
            **more,
        }
        for name, more in {"AdaBoostClassifier": {}, "AdaBoostRegressor": {"loss": ["absolute", None]}}.items()
    },
    "BasisExpansion": {
        "basis": ["cubic", None, 3, [], [3], {"root": 1}, [np.sqrt, np.sqrt]],
        "degree": [-1, 1.5, "two", (3, 1), (1,), (0.5, 2), (-1, 2), 10**6],
        "interaction_only": [1, "yes", None],
        "include_bias": [0, "no", None],
        "number": [0, -1, 2.5, "many", None],
        "places": ["best", 3, None],
        "width": [0.0, -1.0, NAN, np.inf, "wide"],
        "period": [0.0, -1.0, NAN, np.inf, "day"],
        "extrapolation": ["cubic", None],
    },
    "CurveFit": {"family": ["cubic", None, 3], "refine": [1, "yes", None]},
    "GaussianMixture": {
        "n_components": [0, -1, 2.5, True, "three", None, N + 1],
        "covariance_type": ["round", None],
        "tol": [-1e-9, NAN, "small", None],
        "reg_covar": [-1e-9, NAN, "small", None],
        "max_iter": [-1, 1.5, None],
        "n_init": [0, "many", 1.5, None],
        "init_params": ["best", None],
        "weights_init": ["even", 3, [0.5], [NAN], [0.5, 0.5]],
        "means_init": ["middle", 3, np.zeros((2, 2)), [[NAN] * 3]],
        "precisions_init": ["high", 3, np.zeros((2, 2)), [-np.eye(3)]],
        "random_state": [-1, 1.5, "lucky"],
        "warm_start": [1, "yes", None],
        "weights": ["even", None],
        "variance": [0.0, -1.0, NAN, "one"],
    },
    "MixtureModel": {
        "components": ["Normal", 3, None, [], [3], float],
        "n_components": [0, -1, 2.5, True, "three", None, N + 1],
        "weights": ["even", None],
        "tol": [-1e-9, NAN, "small", None],
        "max_iter": [0, -1, 1.5, None],
        "n_init": [0, "many", 1.5, None],
        "init_params": ["best", None],
        "random_state": [-1, 1.5, "lucky"],
    },
    "FuzzyCMeans": {
        "n_clusters": [0, -1, 2.5, True, "three", None, N + 1],
        "m": [1.0, 0.5, NAN, "very", None],
        "init": ["best", 3, None, np.zeros((2, 2)), [[NAN] * 3] * 3],
        "n_init": [0, "many", 1.5, None],
        "max_iter": [0, -1, 1.5, None],
        "tol": [-1e-9, NAN, "small", None],
        "random_state": [-1, 1.5, "lucky"],
    },
    "KMeans": {
        "n_clusters": [0, -1, 2.5, True, "three", None, N + 1],
        "init": ["best", 3, None, np.zeros((2, 2)), [[NAN] * 3] * 3, lambda X, k, random_state: X[:1]],
        "n_init": [0, "many", 1.5, None],
        "max_iter": [0, -1, 1.5, None],
        "tol": [-1e-9, NAN, "small", None],
        "random_state": [-1, 1.5, "lucky"],
        "algorithm": ["fast", None],
        "copy_x": ["no", 1],
        "empty": ["drop", None],
    },
    "KMedoids": {
        **DISTANCES,
        "method": ["clara", None],
        "init": ["best", 3, None, [0, 1], [0, 1, N], [0, 1, 1], [0.0, 1.0, 2.0]],
        "max_iter": [0, -1, 1.5, None],
    },
    "KCenters": {**DISTANCES, "first": [-1, 1.5, "last", None, N]},
    "FarthestFirstHierarchy": {**DISTANCES, "first": [-1, 1.5, "last", None, N], "parent": ["best", None]},
    "SpectralClustering": {
        "n_clusters": [0, -1, 2.5, True, "three", None, N + 1],
        "eigen_solver": ["fast", 3],
        "n_components": [0, -1, 1.5, "two", N + 1],
        "random_state": [-1, 1.5, "lucky"],
        "n_init": [0, "many", 1.5, None],
        "gamma": [-1.0, NAN, "wide", None],
        "affinity": ["near", 3, None],
        "n_neighbors": [0, -1, 1.5, None],
        "eigen_tol": [-1e-9, NAN, "small", None],
        "assign_labels": ["signs", None],
        "degree": [-1, NAN, None],
        "coef0": [NAN, "one", None],
        "kernel_params": ["w", 3],
        "laplacian": ["normal", None],
        "epsilon": [0.0, -1.0, NAN, None],
    },
    "SampledKMedoids": {
        **DISTANCES,
        "metric": ["far", 3, None, "precomputed", "gower", "mahalanobis"],
        "n_draws": [0, 1.5, None],
        "sample_size": [0, 1.5, "all"],
    },
    "MiniBatchKMeans": {
        "n_clusters": [0, -1, 2.5, True, "three", None, N + 1],
        "init": ["best", 3, None, np.zeros((2, 2)), [[NAN] * 3] * 3, lambda X, k, random_state: X[:1]],
        "max_iter": [0, -1, 1.5, None],
        "batch_size": [0, -1, 10.5, "all", None],
        "compute_labels": [1, "yes", None],
        "random_state": [-1, 1.5, "lucky"],
        "tol": [-1e-9, NAN, "small", None],
        "max_no_improvement": [-1, 1.5, "ten"],
        "init_size": [0, 2, 1.5, "all"],
        "n_init": [0, "many", 1.5, None],
        "reassignment_ratio": [-0.1, NAN, "few", None],
    },
    "PCA": {
        "n_components": [0, -1, 1.5, "all", True, NAN, 4, -0.5],
        "whiten": [1, "yes", None],
        "svd_solver": ["fast", None],
        "tol": [-1.0, NAN],
        "iterated_power": [-1, "often"],
        "random_state": [-1, "lucky"],
    },
    "Ridge": {
        "alpha": [-1.0, NAN, np.inf, "strong", None, [1.0, 2.0], [-1.0]],
        "fit_intercept": [1, "yes", None],
        "copy_X": ["no"],
        "max_iter": [0, 1.5, "many"],
        "tol": [-1.0, NAN, "small"],
        "solver": ["fast", None],
        "positive": [1, "no"],
        "random_state": [-1, 1.5, "lucky"],
    },
    **{
        name: {
            "alpha": [-1.0, NAN, np.inf, "strong", None],
            "fit_intercept": [1, "yes", None],
            "max_iter": [0, 1.5, "many"],
            "tol": [-1.0, NAN, "small"],
            "positive": [1, "no"],
            "warm_start": [1, "yes"],
            "selection": ["fast", None],
            **more,
        }
        for name, more in (("Lasso", {}), ("ElasticNet", {"l1_ratio": [-0.1, 1.1, NAN, "half", None]}))
    },
    **{
        name: {
            "alphas": [0, -1, NAN, "strong", None, [], [1.0, -1.0], [1.0, NAN]],
            "eps": [0.0, -1.0, NAN, "small"],
            "fit_intercept": [1, "yes", None],
            "cv": [1, 0, -1, N + 1, 2.5],
            "max_iter": [0, 1.5, "many"],
            "tol": [-1.0, NAN, "small"],
            "positive": [1, "no"],
            "rule": ["two_se", None],
            **more,
        }
        for name, more in (("LassoCV", {}), ("ElasticNetCV", {"l1_ratio": [-0.1, 1.1, NAN, "half", None]}))
    },
    "RidgeCV": {
        "alphas": [0.0, -1.0, NAN, "strong", None, [], [1.0, -1.0], [1.0, NAN]],
        "fit_intercept": [1, "yes", None],
        "scoring": ["best", 3],
        "cv": [1, 0, -1, N + 1, 2.5],
        "gcv_mode": ["fast", 3],
        "store_cv_results": [1, "yes"],
        "alpha_per_target": [1, "yes"],
    },
    "DeltaRule": {
        "unit": ["step", None],
        "mode": ["online", None],
        "rate": [0.0, -1.0, NAN, "fast", None],
        "decreasing": [1, "yes", None],
        "fit_intercept": [1, "yes", None],
        "max_iter": [0, -1, 1.5, None],
        "tol": [-1e-9, NAN, "small", None],
        "n_iter_no_change": [0, 1.5, None],
        "shuffle": [1, "yes", None],
        "random_state": [-1, 1.5, "lucky"],
        "class_weight": ["even", [1, 2], {"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}],
        "warm_start": [1, "yes"],
    },
    "Perceptron": {
        "penalty": ["l1", "l2", "elasticnet", "l3"],
        "eta0": [0.0, -1.0, NAN, "fast", None],
        "max_iter": [0, -1, 1.5, None],
        "tol": [-1e-9, NAN, "small"],
        "n_iter_no_change": [0, 1.5, None],
        "early_stopping": [True, 1],
        "random_state": [-1, 1.5, "lucky"],
        "class_weight": ["even", [1, 2], {"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}],
        "rate": ["slow", 0.5, None],
        "average": [1, "yes", None],
        "pocket": [1, "yes", None],
    },
    "SGDClassifier": {
        "loss": ["absolute", None, 3],
        "penalty": ["l3", "none", 2],
        "alpha": [0.0, -1.0, NAN, "strong", None],  # 0 has no optimal steps
        "l1_ratio": [2, -0.1, NAN, "half"],
        "tol": [-1e-9, NAN, "small"],
        "epsilon": [-0.1, NAN, "small"],
        "learning_rate": ["pa1", "fast", None],
        "eta0": [0.0, -1.0, NAN],
        "power_t": [-1.0, NAN, "half"],
        "early_stopping": [True],
        "n_iter_no_change": [0, 1.5],
        "class_weight": ["even", [1, 2], {"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}],
        "average": [-1, 0, 1.5, "yes"],
    },
    "SGDRegressor": {
        "loss": ["hinge", "log_loss", None],
        "penalty": ["l3", "none", 2],
        "alpha": [-1.0, NAN, "strong", None],
        "l1_ratio": [2, -0.1, NAN, "half"],
        "tol": [-1e-9, NAN, "small"],
        "epsilon": [-0.1, NAN, "small"],
        "learning_rate": ["pa1", "fast", None],
        "eta0": [0.0, -1.0, NAN],
        "power_t": [-1.0, NAN, "half"],
        "early_stopping": [True],
        "average": [-1, 0, 1.5, "yes"],
    },
    "QuadraticDiscriminantAnalysis": {
        "solver": ["lsqr", None, 3],
        "shrinkage": [-0.1, 1.1, NAN, "some"],
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "reg_param": [-0.1, 1.1, NAN, "some", None],
        "store_covariance": [1, "yes", None],
        "tol": [-1.0, NAN, "small", None],
        "covariance_estimator": ["ledoit", 3],
    },
    "LinearDiscriminantAnalysis": {
        "solver": ["qr", None, 3],
        "shrinkage": [-0.1, 1.1, NAN, "some"],
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "n_components": [0, -1, 2, 1.5, "all"],
        "store_covariance": [1, "yes", None],
        "tol": [-1.0, NAN, "small", None],
        "covariance_estimator": ["ledoit", 3],
    },
    "RegularizedDiscriminantAnalysis": {
        **{name: [-0.1, 1.1, NAN, "some", None] for name in ("toward_pooled", "toward_identity", "toward_diagonal")},
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "n_values": [0, -1, 2.5, "many", None],
        "cv": [1, 0, -1, 2.5, "ten"],
        "rule": ["worst", None, 1],
        "random_state": [-1, "lucky"],
    },
    "DiagonalDiscriminantAnalysis": {
        "shared": [1, "yes", None],
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
    },
    "NaiveBayes": {
        "families": ["gaussian", 3, {0: "normal"}, {7: "gaussian"}, {"age": "gaussian"}],
        "estimate": ["mean", None, 3],
        "alpha": [-1.0, NAN, "strong", None, np.inf],
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "var_smoothing": [-1e-9, NAN, "small", None],
    },
    "NearestCentroid": {
        "metric": ["cosine", None, 3],
        "shrink_threshold": [-1.0, 0.0, NAN, "some"],
        "priors": ["even", 0.5, [0.5], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
    },
    "NearestShrunkenCentroids": {
        "shrink_threshold": [-1.0, NAN, "some", None],
        "offset": [-1.0, NAN, "mean", None],
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "n_thresholds": [0, -1, 2.5, "many", None],
        "cv": [1, 0, -1, 2.5, "ten"],
        "rule": ["worst", None, 1],
        "random_state": [-1, "lucky"],
    },
    **{
        name: {
            "algorithm": ["fast", None, 3],
            "leaf_size": [0, -1, 2.5, "large", None],
            "metric": ["cubic", None, 3],
            **more,
        }
        for name, more in NEIGHBOURS.items()
    },
    "NearestMean": {"priors": ["even", 0.5, None, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}]},
    "GaussianNB": {
        "priors": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "var_smoothing": [-1e-9, NAN, "small", None],
    },
    "CategoricalNB": {
        "alpha": [-1.0, NAN, "strong", None, np.inf],
        "force_alpha": [1, "no", None],
        "fit_prior": [1, "no", None],
        "class_prior": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
        "min_categories": [0, -1, 2.5, "all", [2, 2], [1.5, 2.0, 2.0], [[5, 5, 5]]],
    },
    **{
        name: {
            "alpha": [-1.0, NAN, "strong", None, np.inf, [1.0, 1.0], [1.0, -1.0, 1.0], [1.0, NAN, 1.0]],
            "force_alpha": [1, "no", None],
            "fit_prior": [1, "no", None],
            "class_prior": ["even", 0.5, [0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0], {"yes": 0.5}],
            **more,
        }
        for name, more in (
            ("BernoulliNB", {"binarize": [-0.5, NAN, "half", [0.5]]}),
            ("ComplementNB", {"norm": [1, "yes", None]}),
            ("MultinomialNB", {}),
        )
    },
    "MinMaxScaler": {
        "feature_range": [(1, 0), (1, 1), (0, NAN), (0, np.inf), (0,), (0, 1, 2), "01", 3, None, ("0", "1")],
        "copy": ["maybe"],
        "clip": [1, "yes", None],
    },
    "RobustScaler": {
        "with_centering": [1, "yes", None],
        "with_scaling": [0, "no"],
        "quantile_range": [(75, 25), (-1, 50), (25, 101), (NAN, 75), (25,), (1, 2, 3), "25", 3, None, ("25", "75")],
        "copy": ["maybe"],
        "unit_variance": [1, "yes"],
    },
    "SimpleImputer": {
        "missing_values": [[1, 2], {"a": 1}, "?"],
        "strategy": ["average", None, 3],
        "fill_value": [[1, 2], {"a": 1}],
        "copy": ["maybe"],
        "add_indicator": [1, "yes", None],
        "keep_empty_features": [1, "yes", None],
    },
    "StandardScaler": {"with_mean": [1, "yes", None], "with_std": [0, "no"], "copy": ["maybe"]},
    "StollerCut": {},
    "FisherDiscriminant": {
        "n_components": [0, -1, 1.5, 2, "all", True, NAN],
        "weights": ["even", 0.5, [0.5], [1.0, -1.0], [NAN, 1.0], [0.0, 0.0], {"yes": 0.5}],
    },
    "ERMHyperplane": {
        "n_candidates": [0, 1, -2, 2.5, "some", None],
        "max_candidates": [0, -1, 1.5, None],
        "random_state": [-1, 1.5, "lucky"],
    },
    "LeastSquaresClassifier": {"fit_intercept": [1, "yes", None]},
    "LinearDiscriminant": {
        "criterion": ["hinge", None, 3],
        "slope": [0.0, -1.0, NAN, "steep", None],
        "n_init": [0, 1.5, None],
        "tol": [0.0, -1e-9, NAN, "small"],
        "max_iter": [0, 1.5, None],
        "random_state": [-1, 1.5, "lucky"],
    },
    "LinearMachine": {"source": ["qda", None, 3], "C": [0, -1.0, NAN, "strong", None]},
    "LinearRegression": {"fit_intercept": [1, "yes", None], "positive": ["no", 0], "tol": [-1.0, NAN], "n_jobs": [1.5, "all"]},
    "LogisticRegressionCV": {
        "Cs": [0, -1, 2.5, NAN, "many", None, [], [1.0, 0.0], [1.0, -1.0], [1.0, NAN], [[1.0]]],
        "l1_ratios": [0.5, "half", [], [0.5, 1.5], [-0.1], [NAN], ["half"], [[0.5]]],
        "penalty": ["ridge", None, 3, "elasticnet"],
        "dual": [True, 1, "no"],
        "intercept_scaling": [2, "one"],
        "cv": [1, 0, -1, N + 1, 2.5],
        "scoring": ["best", 3],
        "tol": [-1e-9, NAN, "small"],
        "fit_intercept": [1, "yes", None],
        "class_weight": ["even", [1, 2], {"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}],
        "max_iter": [-1, 1.5, None],
        "solver": ["quick", "newton", None],
        "n_jobs": [1.5, "all"],
        "random_state": [-1, 1.5],
        "refit": [1, "yes", None],
        "use_legacy_attributes": [1, "yes", None],
        "rule": ["two_se", None],
    },
    "LogisticRegression": {
        "C": [0, -1.0, NAN, "strong", None],
        "l1_ratio": [2, -0.1, 1.5, "half"],
        "penalty": ["ridge", 3],
        "dual": [True, 1, "no"],
        "intercept_scaling": [2, "one"],
        "tol": [-1e-9, NAN, "small"],
        "fit_intercept": [1, "yes", None],
        "class_weight": ["even", [1, 2], {"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}],
        "max_iter": [-1, 1.5, None],
        "solver": ["quick", None],
        "loss": ["hinge", None],
        "budget": [0, -1.0, NAN, "small"],
        "warm_start": [1, "yes"],
        "n_jobs": [1.5, "all"],
        "random_state": [-1, 1.5],
    },
}


def refused_parameter(cls, name, value):
    """Fitting is refused with the name of the parameter and its value; the fit before is as it was."""
    with kept(cls) as model:
        usual = getattr(model, name)
        setattr(model, name, value)
        try:
            with pytest.raises((ValueError, TypeError)) as error:
                model.fit(good(cls), target(cls))
        finally:
            setattr(model, name, usual)
    message = str(error.value)
    readable(message, name, remedy=False)
    if isinstance(value, dict):
        (key, inner), *_ = value.items()
        assert repr(key) in message or repr(inner) in message
    elif isinstance(value, np.ndarray):
        assert str(value.shape) in message
    elif not callable(value) and not isinstance(value, list):
        assert repr(value) in message


def all_refused(cls, cases):
    """Every case, a name and a value, is refused; those that are not are listed together."""
    faults = []
    for name, value in cases:
        try:
            refused_parameter(cls, name, value)
        except (AssertionError, pytest.fail.Exception) as error:
            faults.append(f"{name}={value!r}: {error}")
    assert not faults, "\n".join(faults)


def test_every_learner_is_judged():
    """Every learner has a list of bad values."""
    assert set(BAD_VALUES) == set(LEARNERS)


@every_learner
def test_bad_parameters(cls):
    """A value out of range or of another type is refused by name and value. (What an annotation lets in:
    tests/core/test_parameters.py.)"""
    all_refused(cls, [(name, value) for name, values in BAD_VALUES[cls.__name__].items() for value in values])


@every_learner
def test_parameters_of_no_meaning(cls):
    """No parameter takes just anything."""
    all_refused(cls, [(name, object()) for name in cls().get_params()])


def test_refusals_are_noticed():
    """A value that is not refused is reported with the name of its parameter."""
    with pytest.raises(AssertionError, match="n_clusters=2"):
        all_refused(aprendiz.KMeans, [("n_clusters", 2), ("n_clusters", 0)])
