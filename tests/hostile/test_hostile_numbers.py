"""Numbers that arithmetic loses: huge, tiny, far from zero, nearly equal, too few. Never a NaN or an infinity without a word.

What is odd but meaningful is answered rightly: an offset or a scale that the data hold without loss changes no answer, a column
that stands twice is one column.
"""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin

import aprendiz
from aprendiz.bayes.gaussian.column_by_column import ColumnByColumn
from aprendiz.bayes.naive.independent_columns import IndependentColumns
from aprendiz.ensemble.boosting.histogram_boosting import HistogramBoosting
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.neighbors.shared.kept_rows import KeptRows
from hostile.attack import (
    CODES,
    GOOD,
    LEARNERS,
    N,
    answers,
    attack,
    dense,
    differs,
    every_learner,
    framed,
    good,
    learners,
    make,
    report,
    takes_weights,
    target,
    to_run,
    unsound,
)

COUNTED = (
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "MultinomialNB",
    "TreeAugmentedNaiveBayes",
)  # whose cells are no measurements
MEDOIDS = ("KCenters", "KMedoids", "SampledKMedoids")
IN_UNITS = (  # whose transforms have the units of the columns
    *(
        "PCA",
        "IncrementalPCA",
        "KMeans",
        "MiniBatchKMeans",
        "SimpleImputer",
        "SoftImpute",
        "SoftImputeCV",
        "OutlierFilter",
        *MEDOIDS,
    ),
    *("GaussianRandomProjection", "SparseRandomProjection", "TruncatedSVD"),
)
BALLS = ("RadiusNeighborsClassifier", "RadiusNeighborsRegressor")  # whose radius has the units of the columns
GRAMS = ("KernelRidge", "KernelRidgeCV")  # whose matrices are singular without a penalty
MACHINES = ("SVC", "NuSVC", "SVR", "NuSVR")
MARGINS = ("LinearSVC", "LinearSVR", *MACHINES)  # whose margin or tube has units of its own, and which always have a penalty
# whose steps depend on the units of the columns
STEPS = ("DeltaRule", "MLPClassifier", "MLPRegressor", "Perceptron", "SGDClassifier", "SGDRegressor")
FEW = re.compile(
    r"n_samples|one class|worse than random|\bclass\b|rows|samples|distinct|neighbou?r|No column is chosen|No feature in"
    r"|there is nothing to select",
    re.IGNORECASE,
)
NO_STATEMENT = ("scores_", "pvalues_", "adjusted_pvalues_", "variances_")  # of single columns: NaN where nothing can be said
WHERE = re.compile(r"column (\d|')|column|target|\by\b|sample_weight|weights", re.IGNORECASE)


def honour(cls, law):
    """Leave a law out where the learner declares that it does not hold (tests/laws/subjects.py)."""
    if law in cls.exceptions:
        pytest.skip(f"{cls.__name__}: {cls.exceptions[law]}")


# ---- finite, or explained --------------------------------------------------------------------------------------------


def few_rows(rows):
    """Tables with little in them."""
    wide = np.tile(rows[:10], (1, 8)) + np.arange(24) % 3
    return {
        "one row": (rows[:1], slice(1)),
        "two rows": (rows[[0, 4]], [0, 4]),
        "one column": (rows[:, :1], slice(None)),
        "rows all equal": (np.repeat(rows[:1], N, axis=0), slice(None)),
        "every row twice": (np.repeat(rows[: N // 2], 2, axis=0), slice(None)),
        "more columns than rows": (wide, slice(10)),
    }


def far_numbers(rows):
    """Tables at the ends of the numbers, or with columns that hardly differ."""

    def with_column(values):
        return np.column_stack([rows[:, 0], values, rows[:, 2]])

    def with_cell(value):
        X = rows.copy()
        X[13, 1] = value
        return X

    return {
        **{f"all × 2^{power}": rows * 2.0**power for power in (530, -530, 1020, -1060)},
        **{f"a column × 2^{power}": with_column(rows[:, 1] * 2.0**power) for power in (530, -530, 1020, -1060)},
        **{f"a cell of {value:g}": with_cell(value) for value in (1e4, 1e16, 1e160, 1e300, 1.7e308, 1e-300)},
        "offset of 2^26": rows + 2.0**26,
        "a constant column": with_column(np.full(N, 0.1)),
        "a constant column far away": with_column(np.full(N, 1e8 + 0.1)),
        "a column that hardly differs": with_column(1.0 + np.arange(N) % 2 * np.finfo(float).eps),
        "a column that hardly differs far away": with_column(1e8 + np.arange(N) % 3 * 1.5e-8),
        "a column of denormals": with_column(np.arange(N) * 5e-324),
        "a column of two numbers far apart": with_column(np.where(np.arange(N) % 2, 1e308, -1e308)),
    }


def fault_of_numbers(cls, X, y, explained, **weights):
    """A fit and its answers are finite, or the refusal says where the reason lies."""
    model = make(cls)
    found, refusal, fault = attack(lambda: answers(model.fit(X, y, **weights), X))
    if fault or refusal:
        return fault or (None if explained.search(refusal) else f"unclear: {refusal[:200]}")
    for name, value in vars(model).items():
        numbers = isinstance(value, np.ndarray) and value.dtype.kind == "f"
        if name.endswith("_") and name not in NO_STATEMENT and numbers and np.isnan(value).any():
            return f"{name} has NaN"
    return unsound(found, len(X))


@every_learner
def test_few_rows(cls):
    """One row, one column, rows all alike: a finite answer, or the message says that they are too few."""
    y = {"none": None, "numbers": target(cls), "classes": np.where(np.arange(N) % 2, "yes", "no")}[cls.target]
    tables = few_rows(good(cls))
    if (
        cls is aprendiz.KNNDensity
    ):  # where more rows than neighbours stand in one place, the density is infinite, with a warning
        del tables["rows all equal"]
    few = to_run(tables)
    report(cls, {name: fault_of_numbers(cls, X, None if y is None else y[rows], FEW) for name, (X, rows) in few})


@every_learner
def test_far_numbers(cls):
    """Whatever the numbers in a table: a finite answer, or the message names the column."""
    report(cls, {name: fault_of_numbers(cls, X, target(cls), WHERE) for name, X in to_run(far_numbers(good(cls)))})


@learners(lambda cls: cls.target == "numbers")
def test_far_targets(cls):
    """Whatever the numbers in a target: a finite answer, or the message names the target."""
    y = target(cls)
    targets = {f"y × {scale:g}": y / np.abs(y).max() * scale for scale in (1e-320, 1e-165, 1e155, 1e300, 1.7e308)}
    targets |= {"y constant": np.full(N, 0.1), "y + 2^26": y + 2.0**26, "y with 1e300": np.where(np.arange(N) == 5, 1e300, y)}
    report(cls, {name: fault_of_numbers(cls, good(cls), y, WHERE) for name, y in to_run(targets)})


def two_rows(cls):
    """A row of each class."""
    return (0, 1) if cls.target != "classes" else [int(np.flatnonzero(target(cls) == label)[0]) for label in ("no", "yes")]


@learners(takes_weights)
def test_far_weights(cls):
    """Weights of any size are shares: a finite answer, or the message names them."""
    w = np.arange(N) % 3 + 1.0
    sizes = {f"w × {scale:g}": w * scale for scale in (1e-310, 1e-165, 1e155, 1e300, 5e307)}
    sizes |= {
        "w sum to one": w / w.sum(),
        "w of two rows": np.isin(np.arange(N), two_rows(cls)).astype(float),
        "w far apart": np.where(w > 1, 1e300, 1e-300),
    }
    given = to_run(sizes)
    report(
        cls,
        {
            name: fault_of_numbers(cls, good(cls), target(cls), FEW if "rows" in name else WHERE, sample_weight=w)
            for name, w in given
        },
    )


@learners(lambda cls: cls.target != "none")
def test_order_of_hostile_rows_and_columns(cls):
    """The order of rows and of columns does not matter, where it does not matter elsewhere (tests/laws/test_metamorphic.py)."""
    if cls.__name__ in COUNTED:
        pytest.skip("counts are no such numbers")
    tables = far_numbers(good(cls))
    chosen = {
        name: tables[name]
        for name in ("offset of 2^26", "a cell of 10000", "a column that hardly differs", "a constant column")
    }
    faults = {}
    for name, X in to_run(chosen):
        for law, rows, columns in (("row order", np.arange(N)[::-1], slice(None)), ("column order", slice(None), [2, 0, 1])):
            if law not in cls.exceptions:
                faults[f"{law}: {name}"] = fault_of_order(cls, X, rows, columns)
    report(cls, faults)


def fault_of_order(cls, X, rows, columns):
    """A table in another order is answered alike (transforms have an order of columns of their own)."""
    y, other = target(cls), X[rows][:, columns]

    def both():
        usual = answers(make(cls).fit(X, y), X)
        moved = answers(make(cls).fit(other, None if y is None else y[rows]), other)
        return usual, moved

    found, refusal, fault = attack(both)
    if fault or refusal:
        return fault
    usual, moved = ({name: said for name, said in one.items() if name in ("predict", "predict_proba")} for one in found)
    return differs({name: said[rows] for name, said in usual.items()}, moved, 1e-6)


# ---- refused by name -------------------------------------------------------------------------------------------------


def refused(cls, X, *words, y=None):
    """A fit is refused with these words."""
    _, refusal, fault = attack(lambda: make(cls).fit(X, target(cls) if y is None else y), words=words)
    assert fault is None
    assert refusal


@learners(lambda cls: cls.target == "numbers" and hasattr(cls, "predict"))
def test_targets_of_any_size(cls):
    """A power of two in the target comes out of the predictions, bit by bit; where squares or sums leave the range, the target
    is refused with its row."""
    X, y = good(cls), target(cls)
    if cls.__name__ not in (*MARGINS, *STEPS):
        usual = invariant(cls).fit(X, y).predict(X)
        for power in (-400, 400):
            assert np.array_equal(invariant(cls).fit(X, y * 2.0**power).predict(X), usual * 2.0**power)
    row = f"row {np.abs(y).argmax()}"
    refused(cls, X, "y holds", row, y=y / np.abs(y).max() * 1.7e308)
    if cls.target_powers == (-480, 480):  # else nothing is squared
        refused(cls, X, "y holds", row, y=y * 1e-165)
        refused(cls, X, "y holds", row, y=y * 1e155)


DIVIDE = "ERMHyperplane FisherDiscriminant LeastSquaresClassifier LinearDiscriminant LinearMachine LinearRegression GaussianNB"


@pytest.mark.parametrize("name", DIVIDE.split())
def test_columns_near_the_smallest_number(name):
    """A column of denormal numbers is refused by its name, since what is divided by it overflows."""
    cls, frame = LEARNERS[name], framed(LEARNERS[name])
    refused(cls, frame.assign(weight=frame["weight"] * 2.0**-1060), "too small", "column 'weight'")
    refused(cls, GOOD * 2.0**-1060, "too small", "column 0")


@pytest.mark.parametrize(
    "name", ["GaussianNB", "NaiveBayes", "DiagonalDiscriminantAnalysis", "NearestMean", "LassoCV", "ElasticNetCV"]
)
def test_columns_too_small_to_be_squared(name):
    """Columns whose squares vanish have no variance to go by: refused, not taken for constant ones."""
    refused(LEARNERS[name], GOOD * 2.0**-530, "too small to be squared", "column 0")


# ---- odd but meaningful ----------------------------------------------------------------------------------------------


def invariant(cls):
    """A learner whose answers do not depend on offset and scale: no penalty, no tolerance in absolute terms."""
    known = cls().get_params()
    if "cache_size" in known:  # within tol there are many answers
        return make(cls, tol=1e-10)
    if cls.__name__ in (*GRAMS, *MARGINS):
        return make(cls)
    if "alphas" in known:
        return make(cls, alphas=(0.0,), cv=3)
    if "C" in known:
        return make(cls, C=np.inf)
    if "Cs" in known:
        return make(cls, Cs=(np.inf,))
    return make(cls, alpha=0.0) if cls.target == "numbers" and "alpha" in known else make(cls)


@every_learner
def test_huge_offsets(cls):
    """An offset of 1e8 beside a spread of 1 changes no answer: these data hold it without loss."""
    honour(cls, "shift")
    near = invariant(cls).fit(GOOD, target(cls))
    expected = said_of(near, GOOD)
    for offset in (1e8, -1e8, 1e10):
        assert np.array_equal(GOOD + offset - offset, GOOD)
        far = invariant(cls).fit(GOOD + offset, target(cls))
        # new rows lose ε·offset in t = b + xᵀw themselves, so they are compared to that much
        assert differs(said_of(far, GOOD + offset), expected, 1e-8 + 50 * np.finfo(float).eps * abs(offset)) is None
        if hasattr(near, "coef_") and cls is not aprendiz.NearestMean:  # whose coefficients are the means
            np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-8)


def said_of(model, X):
    """Predictions, posteriors and transforms: not densities, which have units of their own."""
    kept = ("predict", "predict_proba", "transform")
    return {name: dense(getattr(model, name)(X)) for name in kept if hasattr(model, name)} or answers(model, X)


@every_learner
def test_tiny_and_large_scales(cls):
    """A scale of 2⁻⁴⁰ ≈ 1e-12, or one whose squares are barely numbers, changes no answer but its unit."""
    if cls.target == "none" or cls.__name__ in (
        *BALLS,
        *COUNTED,
        *GRAMS,
        *MARGINS,
        *STEPS,
    ):  # elsewhere it is a penalty that is not invariant
        honour(cls, "scaling")
    if cls is aprendiz.KNNDensity:
        pytest.skip("a density has units of its own: tests/laws/test_metamorphic.py")
    usual = said_of(invariant(cls).fit(GOOD, target(cls)), GOOD)
    for power in (-40, -300, 40, 300):
        scale = 2.0**power
        with warnings.catch_warnings():
            if abs(power) == 300:  # a gradient in units of 1e90 never looks small; the warning says to scale the columns
                warnings.filterwarnings("ignore", ".*scale the columns", ConvergenceWarning)
            warnings.filterwarnings("ignore", "reg_covar=.* is added to variances")  # rightly, where the scale is tiny
            scaled = invariant(cls).fit(GOOD * scale, target(cls))
        in_units = {"transform"} if issubclass(cls, SelectorMixin) else set(usual) if cls.__name__ in IN_UNITS else set()
        said = said_of(scaled, GOOD * scale)
        found = {name: one / scale if one.dtype.kind == "f" and name in in_units else one for name, one in said.items()}
        assert differs(found, usual, 1e-8) is None


def without_floor(cls):
    """Leave a test out where a column without variance of its own has no likelihood that can be largest, or no copy."""
    if cls.__name__ == "KnockoffSelection":
        with pytest.raises(ValueError, match="combination of others"):
            make(cls).fit(GOOD[:, [0, 1, 2, 2]], target(cls))
        pytest.skip("no copy can be told from such a column")
    if cls is aprendiz.MixtureModel:
        with pytest.raises(ValueError, match="column 3"):
            make(cls).fit(GOOD[:, [0, 1, 2, 2]])
        pytest.skip("refused by its number: tests/cluster/test_mixture_model.py")


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
    found = said_of(invariant(cls).fit(X, target(cls)), X)
    assert unsound(found, N) is None
    twice = issubclass(cls, (ColumnByColumn, IndependentColumns, KeptRows)) or cls is aprendiz.NearestCentroid  # two witnesses
    twice = twice or cls is aprendiz.MDLDiscretizer  # two columns of bins
    twice = twice or cls in (aprendiz.SelectFdr, aprendiz.SelectFpr, aprendiz.SelectFwe)  # two p-values
    twice = twice or issubclass(cls, Ensemble)  # a column that stands twice is drawn twice as often
    if cls.target != "none" and cls.__name__ not in (*GRAMS, *MARGINS, *STEPS) and not twice:
        assert differs(found, said_of(invariant(cls).fit(rows, target(cls)), rows), 1e-8) is None


@pytest.mark.filterwarnings("ignore:No column is selected in a share")
@learners(lambda cls: cls.target != "none")
def test_more_columns_than_rows(cls):
    """More columns than rows: the rows are fitted (least squares) or finitely many answers given."""
    X = np.random.default_rng(5).normal(size=(10, 25))
    X = np.clip(np.round(X + 2), 0, 4) if good(cls) is CODES else X
    y = target(cls)[:10]
    model = (invariant(cls) if cls is aprendiz.Ridge else make(cls)).fit(X, y)
    if cls is aprendiz.RidgeCV:  # a penalty above 0 fits no row exactly
        assert model.score(X, y) > 0.9
    elif hasattr(model, "dual_gap_"):  # nor does one that makes zeros
        assert model.certificate_.gap <= model.tol
    elif cls.__name__ == "StabilitySelection":  # of halves of five rows no column is chosen
        assert np.isfinite(model.scores_).all()
    elif (
        cls.target == "numbers"
        and cls.__name__ not in (*GRAMS, *MARGINS, *STEPS)
        and not issubclass(cls, (KeptRows, Ensemble, HistogramBoosting, SelectorMixin))
    ):
        np.testing.assert_allclose(model.predict(X), y, rtol=1e-9)
    else:
        assert unsound(answers(model, X), 10) is None
