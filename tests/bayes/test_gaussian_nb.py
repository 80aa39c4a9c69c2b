"""GaussianNB: means and variances of classes, with cells and classes that may be missing, late or far from zero."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import norm
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB

import aprendiz
from aprendiz import GaussianNB

RNG = np.random.default_rng(10)
N = 120
LABELS = np.array(["ash", "birch", "cedar"])
KIND = RNG.permutation(np.repeat([0, 1, 2], [60, 40, 20]))
Y = LABELS[KIND]
X = (
    RNG.normal(size=(N, 4)) * np.array([[1, 2, 0.5, 1], [2, 1, 1, 3], [0.3, 1, 2, 1]])[KIND]
    + np.array([[0, 1, 5, -2], [2, 0, 6, 0], [-1, -2, 5, 3]])[KIND]
)
NEW = RNG.normal(size=(30, 4)) * 3 + [0, 0, 5, 0]
HOLES = np.where(RNG.uniform(size=X.shape) < 0.25, np.nan, X)
WEIGHT = RNG.uniform(0.1, 3, size=N)
FITTED = ("theta_", "var_", "class_count_", "class_prior_", "epsilon_")


def assert_same(ours, theirs, rtol=1e-12):
    assert list(ours.classes_) == list(theirs.classes_)
    for name in FITTED:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=rtol, atol=1e-14, err_msg=name)


def by_hand(table, y, weight=None, smoothing=1e-9):
    """Class by class and column by column, over the known cells: shares, means, variances + ε, ε."""
    w = np.ones(len(table)) if weight is None else weight

    def moments(column, w):
        known = ~np.isnan(column)
        mean = np.average(column[known], weights=w[known])
        return mean, np.average((column[known] - mean) ** 2, weights=w[known])

    epsilon = smoothing * max(moments(column, w)[1] for column in table.T)
    labels = np.unique(y)
    found = np.array([[moments(column, w[y == k]) for column in table[y == k].T] for k in labels])
    share = np.array([w[y == k].sum() for k in labels]) / w.sum()
    return share, found[:, :, 0], found[:, :, 1] + epsilon, epsilon


def log_joint(rows, share, mean, variance):
    """log π + Σ over the known cells of the log density of a normal."""
    with np.errstate(divide="ignore"):
        total = np.tile(np.log(share), (len(rows), 1))
    for k in range(len(share)):
        total[:, k] += np.nansum(norm.logpdf(rows, mean[k], np.sqrt(variance[k])), axis=1)
    return total


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT, np.arange(N) % 3 + 0.0], ids=["plain", "weighted", "some zero"])
@pytest.mark.parametrize("smoothing", [0.0, 1e-9, 0.1])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_same_as_scikit_learn(weight, smoothing, priors):
    """Fitted numbers, classes, probabilities and their logarithms; ε is of the weighted variances, theirs of the plain."""
    theirs = TheirGaussianNB(priors=priors, var_smoothing=smoothing).fit(X, Y, weight)
    ours = GaussianNB(priors=priors, var_smoothing=smoothing).fit(X, Y, weight)
    if weight is not None:
        np.testing.assert_allclose(ours.epsilon_, by_hand(X, Y, weight, smoothing)[3], rtol=1e-12)
        theirs.var_ += ours.epsilon_ - theirs.epsilon_
        theirs.epsilon_ = ours.epsilon_
    assert_same(ours, theirs)
    for rows in (X, NEW):
        np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
        for method in ("predict_proba", "predict_log_proba", "predict_joint_log_proba"):
            np.testing.assert_allclose(getattr(ours, method)(rows), getattr(theirs, method)(rows), rtol=1e-9, atol=1e-12)
    assert ours.score(X, Y) == theirs.score(X, Y)


def test_iris():
    """The table that everybody tries first."""
    table, y = load_iris(return_X_y=True)
    ours, theirs = GaussianNB().fit(table, y), TheirGaussianNB().fit(table, y)
    assert_same(ours, theirs)
    np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(table), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_by_their_definitions(weight):
    """Means, variances, shares and log joint by the formulas, with weights too."""
    share, mean, variance, epsilon = by_hand(X, Y, weight)
    model = GaussianNB().fit(X, Y, weight)
    np.testing.assert_allclose(model.class_prior_, share, rtol=1e-13)
    np.testing.assert_allclose(model.theta_, mean, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.var_, variance, rtol=1e-12)
    assert model.epsilon_ == pytest.approx(epsilon, rel=1e-12)
    np.testing.assert_allclose(model.predict_joint_log_proba(NEW), log_joint(NEW, share, mean, variance), rtol=1e-11)


def test_probabilities():
    """Rows of probabilities sum to 1, their logarithms agree, and the largest is the class that is predicted."""
    model = GaussianNB().fit(X, Y)
    P = model.predict_proba(NEW)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(NEW)), P, rtol=1e-14)
    np.testing.assert_array_equal(model.predict(NEW), LABELS[P.argmax(axis=1)])


def test_whole_weights_count_rows():
    """A weight of 3 is the row three times; a weight of 0 leaves it out."""
    rng = np.random.default_rng(0)
    times = rng.integers(0, 4, size=N)
    assert_same(GaussianNB().fit(X, Y, times), GaussianNB().fit(np.repeat(X, times, axis=0), np.repeat(Y, times)))


# ---- missing cells ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_missing_cells_are_left_out_of_the_fit(weight):
    """Means and variances are over the known cells; shares of the classes count every row."""
    share, mean, variance, epsilon = by_hand(HOLES, Y, weight)
    model = GaussianNB().fit(HOLES, Y, weight)
    np.testing.assert_allclose(model.class_prior_, share, rtol=1e-13)
    np.testing.assert_allclose(model.theta_, mean, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.var_, variance, rtol=1e-11)
    assert model.epsilon_ == pytest.approx(epsilon, rel=1e-12)


def test_missing_cells_are_left_out_of_the_product():
    """The log joint of a row with missing cells is that of a model which never had those columns."""
    model = GaussianNB(var_smoothing=0.0).fit(X, Y)
    for known in ([0], [1, 3], [0, 1, 2], [0, 1, 2, 3]):
        rows = np.full_like(NEW, np.nan)
        rows[:, known] = NEW[:, known]
        less = GaussianNB(var_smoothing=0.0).fit(X[:, known], Y)
        np.testing.assert_allclose(model.predict_joint_log_proba(rows), less.predict_joint_log_proba(NEW[:, known]), rtol=1e-11)


def test_a_row_without_any_cell_has_the_prior():
    """Nothing known: the posterior is the prior."""
    model = GaussianNB().fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(np.full((1, 4), np.nan)), [[0.5, 1 / 3, 1 / 6]], rtol=1e-14)
    assert model.predict(np.full((1, 4), np.nan)) == ["ash"]


def test_missing_cells_integrate_out():
    """Leaving a cell out is averaging over all the values it might have: ∫ p(x₁, x₂|k) dx₂ = p(x₁|k)."""
    model = GaussianNB().fit(X[:, :2], Y)
    grid = np.linspace(-40, 40, 4001)
    rows = np.column_stack([np.full(4001, 0.7), grid])
    marginal = np.exp(model.predict_joint_log_proba(rows)).sum(axis=0) * (grid[1] - grid[0])
    np.testing.assert_allclose(np.log(marginal), model.predict_joint_log_proba([[0.7, np.nan]])[0], rtol=1e-10)


@pytest.mark.parametrize("batches", [1, 3])
def test_a_class_without_known_cells(batches):
    """A class that has no known cell in a column gets mean and variance of all rows there, and finite answers."""
    table = HOLES.copy()
    table[KIND == 1, 2] = np.nan
    model = GaussianNB()
    for part in np.array_split(np.arange(N), batches):
        model.partial_fit(table[part], Y[part])
    column = table[~np.isnan(table[:, 2]), 2]
    assert model.theta_[1, 2] == pytest.approx(column.mean(), rel=1e-13)
    assert model.var_[1, 2] == pytest.approx(column.var() + model.epsilon_, rel=1e-12)
    assert np.isfinite(model.predict_proba(NEW)).all()


def test_a_column_without_known_cells():
    """A column that is missing throughout says nothing, and disturbs nobody."""
    table = np.column_stack([X, np.full(N, np.nan)])
    with_it, without = GaussianNB().fit(table, Y), GaussianNB().fit(X, Y)
    rows = np.column_stack([NEW, np.full(30, np.nan)])
    np.testing.assert_allclose(with_it.predict_proba(rows), without.predict_proba(NEW), rtol=1e-12)
    assert with_it.epsilon_ == pytest.approx(without.epsilon_, rel=1e-14)


# ---- batches ---------------------------------------------------------------------------------------------------------

ORDERS = {
    "in order": np.array_split(np.arange(N), 4),
    "shuffled": np.array_split(RNG.permutation(N), 7),
    "row by row": [[i] for i in range(N)],
    "one class at a time": [np.flatnonzero(k == KIND) for k in (2, 0, 1)],
    "a class comes late": [np.flatnonzero(KIND != 0), np.flatnonzero(KIND == 0)],
}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize("table", [X, HOLES, X + 1e6], ids=["full", "missing cells", "far from zero"])
def test_any_batches_give_one_fit(name, announced, table):
    """Batches of any size and order, classes late or alone, announced or not: what one fit gives, ε included."""
    model = GaussianNB()
    for number, part in enumerate(ORDERS[name]):
        model.partial_fit(table[part], Y[part], classes=LABELS if announced and number == 0 else None)
    assert_same(model, GaussianNB().fit(table, Y), rtol=1e-9)


@pytest.mark.parametrize("name", ["shuffled", "one class at a time"])
def test_batches_with_weights(name):
    """So with weights."""
    model = GaussianNB()
    for part in ORDERS[name]:
        model.partial_fit(X[part], Y[part], sample_weight=WEIGHT[part])
    assert_same(model, GaussianNB().fit(X, Y, WEIGHT), rtol=1e-11)


def test_epsilon_does_not_depend_on_batches():
    """Rows sorted by size: every batch has a small variance, and ε is still that of all rows."""
    order = np.argsort(X[:, 3])
    model = GaussianNB(var_smoothing=0.1)
    for part in np.array_split(order, 6):
        model.partial_fit(X[part], Y[part], classes=LABELS)
    assert model.epsilon_ == pytest.approx(0.1 * X.var(axis=0).max(), rel=1e-12)


def test_announced_classes():
    """A class that was announced and has not come has prior 0; it cannot win, and answers are finite for the others."""
    early = KIND != 2
    model = GaussianNB().partial_fit(X[early], Y[early], classes=LABELS)
    assert list(model.classes_) == list(LABELS)
    assert model.class_prior_[2] == 0
    P = model.predict_proba(NEW)
    np.testing.assert_array_equal(P[:, 2], 0)
    np.testing.assert_allclose(P[:, :2], GaussianNB().fit(X[early], Y[early]).predict_proba(NEW), rtol=1e-11, atol=1e-300)


def test_labels_that_were_not_announced():
    """An unknown label is refused with its row, and nothing of the batch is learned; other `classes` are refused too."""
    model = GaussianNB().partial_fit(X[:30], Y[:30], classes=LABELS)
    before = model.predict_proba(NEW)
    wrong = Y[30:60].copy().astype("<U8")
    wrong[4] = "dogwood"
    with pytest.raises(ValueError, match=r"'dogwood' in row 4"):
        model.partial_fit(X[30:60], wrong)
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X[30:60], Y[30:60], classes=["ash", "birch"])
    np.testing.assert_array_equal(model.predict_proba(NEW), before)
    with pytest.raises(ValueError, match="'cedar'"):
        GaussianNB().partial_fit(X, Y, classes=["ash", "birch"])


def test_one_class_alone():
    """A fit, or a first batch, may have one class: every row is of it."""
    for learn in (GaussianNB().fit, GaussianNB().partial_fit):
        np.testing.assert_array_equal(learn(X[KIND == 0], Y[KIND == 0]).predict_proba(NEW), 1)


def test_labels_of_another_kind():
    """Words after numbers have no common order: refused, and nothing is learned."""
    model = GaussianNB().partial_fit(X, KIND)
    before = model.predict(NEW)
    with pytest.raises((ValueError, TypeError), match=r"type|kind|label|class"):
        model.partial_fit(X, Y)
    np.testing.assert_array_equal(model.predict(NEW), before)


def test_fit_starts_anew():
    """`fit` after `partial_fit` forgets the batches, and classes that were announced."""
    model = GaussianNB().partial_fit(X[:50], Y[:50], classes=[*LABELS, "dogwood"])
    model.fit(X[KIND != 2], Y[KIND != 2])
    assert_same(model, GaussianNB().fit(X[KIND != 2], Y[KIND != 2]), rtol=0)


def test_folds_from_sums():
    """The sums of the other folds give the fit to the other folds, also where they have not all the classes."""
    learner = GaussianNB()
    folds = np.array_split(np.argsort(KIND, kind="stable"), 4)
    records = [GaussianNB().partial_fit(X[fold], Y[fold]).sums_ for fold in folds]
    for left_out, fold in enumerate(folds):
        first, *others = (record for k, record in enumerate(records) if k != left_out)
        rest = np.setdiff1d(np.arange(N), fold)
        assert_same(learner.fit_sums(sum(others, first)), GaussianNB().fit(X[rest], Y[rest]), rtol=1e-11)


# ---- digits ----------------------------------------------------------------------------------------------------------


def exact(column):
    """Mean and variance in rational numbers."""
    values = [Fraction(float(v)) for v in column]
    mean = sum(values) / len(values)
    return float(mean), float(sum((v - mean) ** 2 for v in values) / len(values))


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8, 2.0**40])
def test_digits_at_any_offset(offset):
    """Means and variances of the classes are those of exact arithmetic on the same numbers."""
    table = X + offset
    model = GaussianNB(var_smoothing=0.0).fit(table, Y)
    for k in range(3):
        wanted = np.array([exact(column) for column in table[k == KIND].T])
        np.testing.assert_allclose(model.theta_[k], wanted[:, 0], rtol=1e-14)
        np.testing.assert_allclose(model.var_[k], wanted[:, 1], rtol=1e-12)
    assert model.certificate_.holds
    assert model.certificate_.digits >= 14


def test_classes_far_from_each_other():
    """Classes 10⁸ apart, each of spread 1: every class is summed around a point of its own."""
    rng = np.random.default_rng(0)
    shift = np.array([0.0, 1e8, -3e8])[KIND][:, None]
    table = X + shift
    model = GaussianNB(var_smoothing=0.0)
    for part in np.array_split(rng.permutation(N), 5):
        model.partial_fit(table[part], Y[part])
    whole = GaussianNB(var_smoothing=0.0).fit(table, Y)
    for k in range(3):
        wanted = np.array([exact(column)[1] for column in table[k == KIND].T])
        np.testing.assert_allclose(whole.var_[k], wanted, rtol=1e-12)
        np.testing.assert_allclose(model.var_[k], wanted, rtol=1e-11)


@pytest.mark.parametrize("offset", [1e8, 2.0**40])
def test_predictions_far_from_zero(offset):
    """Data that hold the offset without loss are predicted as near zero."""
    table, rows = np.round(X * 1024) / 1024, np.round(NEW * 1024) / 1024
    near, far = GaussianNB().fit(table, Y), GaussianNB().fit(table + offset, Y)
    # a mean far from zero is rounded to ε·offset, and z = (x − μ)/σ with it
    allowed = 1e-12 + 100 * np.finfo(float).eps * offset
    np.testing.assert_allclose(far.predict_joint_log_proba(rows + offset), near.predict_joint_log_proba(rows), rtol=allowed)


def test_single_precision():
    """float32 rows are summed in float64: the answer is that of the rounded data, rounded once."""
    table = (X + 100).astype(np.float32)
    ours, double = GaussianNB().fit(table, Y), GaussianNB().fit(table.astype(float), Y)
    assert_same(ours, double, rtol=2.0**-24)
    assert double.certificate_.digits > 9 > 7.3 > ours.certificate_.digits > 7.2


# ---- priors and constant columns -------------------------------------------------------------------------------------


def test_priors():
    """Given priors replace the shares; they shift the log joint by log π and nothing else."""
    plain, given = GaussianNB().fit(X, Y), GaussianNB(priors=[0.7, 0.2, 0.1]).fit(X, Y)
    shift = np.log([0.7, 0.2, 0.1]) - np.log(plain.class_prior_)
    np.testing.assert_allclose(
        given.predict_joint_log_proba(NEW) - plain.predict_joint_log_proba(NEW), np.tile(shift, (30, 1)), rtol=1e-9
    )
    never = GaussianNB(priors=[0.5, 0.5, 0.0]).fit(X, Y)
    np.testing.assert_array_equal(never.predict_proba(NEW)[:, 2], 0)


@pytest.mark.parametrize(
    ("priors", "words"),
    [([0.5, 0.5], "2 for 3"), ([0.5, 0.4, 0.2], "sum.*1.1"), ([1.2, -0.1, -0.1], "non-negative"), ([np.nan, 0.5, 0.5], "sum")],
)
def test_priors_that_are_none(priors, words):
    """Priors that are too few, do not sum to 1 or are negative are refused with what is wrong."""
    with pytest.raises(ValueError, match=words):
        GaussianNB(priors=priors).fit(X, Y)


def test_constant_columns():
    """A column that never varies says nothing of the class: the posterior is that of the other columns."""
    for value in (0.0, 7.3, 1e8 + 0.1):
        table = np.column_stack([X, np.full(N, value)])
        rows = np.column_stack([NEW, np.full(30, value)])
        P = GaussianNB().fit(table, Y).predict_proba(rows)
        np.testing.assert_allclose(P, GaussianNB().fit(X, Y).predict_proba(NEW), rtol=1e-6, atol=1e-12)
    alone = GaussianNB().fit(np.full((N, 1), 7.3), Y)
    np.testing.assert_allclose(alone.predict_proba([[7.3], [9.0]]), np.tile([0.5, 1 / 3, 1 / 6], (2, 1)), rtol=1e-12)


@pytest.mark.parametrize("value", [1e200, -1e300])
def test_rows_of_probability_zero(value):
    """A row so far away that no class could have made it: the prior, with a warning that names the row and a remedy."""
    model = GaussianNB().fit(X, Y)
    rows = np.vstack([NEW[:3], [[value, 0.0, 0.0, 0.0]]])
    with pytest.warns(UserWarning, match="row 3") as record:
        P = model.predict_proba(rows)
    np.testing.assert_allclose(P[3], model.class_prior_, rtol=1e-14)
    np.testing.assert_array_equal(P[:3], model.predict_proba(NEW[:3]))
    assert "alpha" not in str(record[0].message)  # this learner has none


@pytest.mark.filterwarnings("ignore:.*probability 0")
def test_the_class_of_rows_of_probability_zero():
    """Where all classes are impossible the class predicted is still the one with the largest probability."""
    rare_first = np.array(["a", "b", "c"])[2 - KIND]
    model = GaussianNB().fit(X, rare_first)
    rows = np.array([[1e200, 0.0, 0.0, 0.0]])
    assert model.predict(rows)[0] == model.classes_[model.predict_proba(rows)[0].argmax()] == "c"


# ---- frames and files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_frames(library):
    """Names of the columns are kept, missing cells of frames are missing cells."""
    columns = {name: HOLES[:, j] for j, name in enumerate("abcd")}
    frame = library.DataFrame(columns)
    model = GaussianNB().fit(frame, library.Series(values=Y) if library is pl else library.Series(Y))
    assert list(model.feature_names_in_) == list("abcd")
    assert_same(model, GaussianNB().fit(HOLES, Y), rtol=0)


def test_files(tmp_path):
    """From a Parquet file with missing cells: the fit of the same rows in memory, and its predictions."""
    frame = pd.DataFrame(HOLES, columns=list("abcd")).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=31)
    for weight, values in ((None, None), ("w", WEIGHT)):
        rows = aprendiz.rows(tmp_path / "t.parquet", target="y", weight=weight, columns=list("abcd"))
        of_file, in_memory = GaussianNB().fit(rows), GaussianNB().fit(HOLES, Y, values)
        assert_same(of_file, in_memory)
        np.testing.assert_array_equal(of_file.predict(rows), in_memory.predict(HOLES))
        assert of_file.score(rows) == pytest.approx(in_memory.score(HOLES, Y, values), rel=1e-14)
