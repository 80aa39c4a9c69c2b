"""What must happen to the answer when the data change in a way whose effect is known.

    change of the rows                  predictions of classes and numbers    transform
    shift of all columns by 2ᵏ          the same                              the same
    scaling of all columns by 2ᵏ        the same                              the same, or scaled alike
    shift, scaling of y by 2ᵏ           shifted, scaled alike                 –
    another order of the rows           the same                              the same
    another order of the columns        the same                              the same, or in the new order
    other names of the classes          renamed, probabilities in new order   –

The data are dyadic (multiples of 2⁻¹⁰ below 2⁶), so shifts and scalings themselves round nothing, and stand in many blocks:
what a single one gives is the same to rounding (test_sums.py). Seeded learners start from a fixed start, which changes as the
rows do.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from subjects import (
    DENSITIES,
    LEARNERS,
    TAKES_MISSING,
    answer,
    assert_close,
    assert_near,
    digits,
    every,
    fitted,
    holed,
    honour,
    outputs,
    table,
    takes,
)

from aprendiz.core.learner import Classifier, Clusterer

EPS = np.finfo(float).eps
CLASSIFIERS = [cls for cls in LEARNERS if issubclass(cls, Classifier)]
REGRESSORS = [cls for cls in LEARNERS if cls.target == "numbers"]
CLUSTERERS = [cls for cls in LEARNERS if issubclass(cls, Clusterer)]
STARTED = [cls for cls in LEARNERS if takes(cls, "init") and takes(cls, "n_init") and takes(cls, "n_clusters")]
DENSE = [(cls, method) for cls in LEARNERS for method in DENSITIES if hasattr(cls, method) and not takes(cls, "discretize")]
PER_CLASS = ("predict_proba", "predict_log_proba", "predict_joint_log_proba")
SIZE = (240, 5)
pytestmark = pytest.mark.usefixtures("short_blocks")


@cache
def dyadic(cls):
    return table(cls, *SIZE, dyadic=True)


def test_the_data_are_dyadic():
    """Shifting by 2²⁶ and back loses nothing."""
    X = dyadic(LEARNERS[0]).X
    assert np.array_equal((X + 2.0**26) - 2.0**26, X)
    assert np.abs(X).max() < 2.0**6


@cache
def said_here(cls, weighted=False):
    """What it says of the rows of the table as it is. To be asked for under `short_blocks`."""
    return said_of(cls, dyadic(cls), weighted)


def said_of(cls, data, weighted=False):
    """What the learner, fitted to a table (with weights, if it takes them), says of its rows."""
    return outputs(fitted(cls, data, weighted=weighted and takes(cls.fit, "sample_weight")), data.X)


@every(TAKES_MISSING)
@pytest.mark.parametrize("law", ["shift", "scaling", "row order", "column order"])
def test_missing_cells(cls, law):
    """Where cells may be missing, the laws below hold for tables with holes."""
    honour(cls, law)
    data = holed(dyadic(cls))
    if law == "shift":
        check_shift(cls, data, 2.0**20)
    elif law == "scaling":
        check_scaling(cls, data, 2.0**12)
    elif law == "row order":
        check_row_order(cls, data)
    else:
        check_column_order(cls, data)


# ---- shifts ----------------------------------------------------------------------------------------------------------


def shift_tolerance(cls, offset, size):
    """Sums around a pivot see no shift. What is left is that a mean, a centre or an intercept beside an offset is itself
    rounded by eps·offset, as is xᵀw: a few roundings for each column, relative to values of about 1. Of densities, the
    exponents multiply that by another column."""
    return digits(cls) + 8 * size[1] ** 2 * EPS * offset


@every(LEARNERS)
def test_shift(cls):
    """Rows moved far away are told apart as before."""
    honour(cls, "shift")
    check_shift(cls, dyadic(cls), 2.0**10, -(2.0**26))


def check_shift(cls, data, *offsets):
    here = said_here(cls) if data is dyadic(cls) else said_of(cls, data)
    for offset in offsets:
        moved = replace(data, X=data.X + offset, start=data.start + offset)
        assert_close(said_of(cls, moved), here, shift_tolerance(cls, abs(offset), data.X.shape))


@every(LEARNERS)
def test_shift_by_columns(cls):
    """Each column may move by another power of two."""
    honour(cls, "shift")
    data = dyadic(cls)
    offset = np.array([2.0**26, 0.0, -(2.0**10), 2.0**20, 1.0])
    moved = replace(data, X=data.X + offset, start=data.start + offset)
    assert_close(said_of(cls, moved, True), said_here(cls, True), shift_tolerance(cls, 2.0**26, SIZE))


# ---- scalings --------------------------------------------------------------------------------------------------------


@every(LEARNERS)
def test_scaling(cls):
    """In other units, predictions are the same; what a transformer gives is the same, or in the new units."""
    honour(cls, "scaling")
    check_scaling(cls, dyadic(cls), 2.0**-40, 2.0**-3, 2.0**20)


def check_scaling(cls, data, *factors):
    here = said_here(cls) if data is dyadic(cls) else said_of(cls, data)
    power = degree(cls) if "transform" in here else 0
    for factor in factors:
        there, expected = said_of(cls, replace(data, X=data.X * factor, start=data.start * factor)), dict(here)
        for density in DENSITIES:  # has units of its own
            there.pop(density, None), expected.pop(density, None)
        if "transform" in here:
            assert_near(there.pop("transform"), expected.pop("transform") * factor**power, digits(cls), "transform")
        assert_close(there, expected, digits(cls))


def degree(cls):
    """0 if what the transformer gives has no units, 1 if it has those of the columns. The same for all factors."""
    data = dyadic(cls)
    doubled = replace(data, X=2.0 * data.X, start=2.0 * data.start)
    here, there = (fitted(cls, one).transform(one.X) for one in (data, doubled))
    found = round(float(np.log2(np.abs(there).sum() / np.abs(here).sum())))
    assert found in (0, 1)
    return found


@pytest.mark.parametrize(("cls", "method"), DENSE, ids=[f"{cls.__name__}-{method}" for cls, method in DENSE])
def test_density_in_other_units(cls, method):
    """A density per unit of volume falls by the volume: log p changes by −d·ln(factor)."""
    honour(cls, "scaling")
    data = dyadic(cls)
    scaled = replace(data, X=data.X * 2.0**12, start=data.start * 2.0**12)
    expected = said_here(cls)[method] - SIZE[1] * np.log(2.0**12)
    assert_near(said_of(cls, scaled)[method], expected, digits(cls))


@every(REGRESSORS)
@pytest.mark.parametrize(("factor", "offset"), [(2.0**-30, 0.0), (2.0**20, 0.0), (1.0, 2.0**20)], ids=str)
def test_target_in_other_units(cls, factor, offset):
    """Predictions have the units of the target; of no units is which columns are chosen."""
    honour(cls, "scaling" if factor != 1.0 else "shift")
    data = dyadic(cls)
    data = replace(data, y=np.round(data.y * 2.0**10) / 2.0**10)
    other = replace(data, y=data.y * factor + offset)
    if not hasattr(cls, "predict"):
        assert_close(said_of(cls, other), said_of(cls, data), digits(cls))
        return
    expected = fitted(cls, data).predict(data.X)
    # an intercept beside the offset is rounded by eps·offset; predictions are about 1
    found = (fitted(cls, other).predict(data.X) - offset) / factor
    assert_near(found, expected, digits(cls) + 16 * EPS * offset)


# ---- orders ----------------------------------------------------------------------------------------------------------


@every(LEARNERS)
def test_row_order(cls):
    """The order of the rows does not matter."""
    honour(cls, "row order")
    check_row_order(cls, dyadic(cls))


def check_row_order(cls, data):
    weighted = takes(cls.fit, "sample_weight")
    before = fitted(cls, data, weighted=weighted)
    for order in (np.random.default_rng(0).permutation(len(data)), np.argsort(data.X[:, 0], kind="stable")):
        model = fitted(cls, data.take(order), weighted=weighted)
        assert_close(answer(model), answer(before), digits(cls))
        assert_close(outputs(model, data.X), outputs(before, data.X), digits(cls))


@every(CLUSTERERS)
def test_labels_follow_their_rows(cls):
    """Labels are in the order of the rows."""
    honour(cls, "row order")
    data = dyadic(cls)
    order = np.random.default_rng(0).permutation(len(data))
    assert np.array_equal(fitted(cls, data.take(order)).labels_, fitted(cls, data).labels_[order])


@every(LEARNERS)
def test_column_order(cls):
    """The order of the columns does not matter to predictions; a transform is the same, or in the new order."""
    honour(cls, "column order")
    check_column_order(cls, dyadic(cls))


def check_column_order(cls, data):
    columns = np.arange(data.X.shape[1])
    order = np.random.default_rng(0).permutation(columns)
    assert not np.array_equal(order, columns)
    moved = replace(data, X=data.X[:, order], start=data.start[:, order])
    there, here = said_of(cls, moved), dict(said_here(cls) if data is dyadic(cls) else said_of(cls, data))
    if "transform" in here:
        found, expected = there.pop("transform"), here.pop("transform")
        kept, kept_there = (columns_out(fitted(cls, one)) for one in (data, moved))
        if kept is not None:
            assert sorted(order[kept_there]) == sorted(kept)
            found, expected = found[:, np.argsort(order[kept_there])], expected[:, np.argsort(kept)]
        assert_near(found, expected, digits(cls), "transform")
    assert_close(there, here, digits(cls))


def columns_out(model):
    """The columns of X that a transformer hands out, in their order; None if it hands out others."""
    names = model.get_feature_names_out()
    return np.array([int(name[1:]) for name in names]) if all(name.startswith("x") for name in names) else None


# ---- names -----------------------------------------------------------------------------------------------------------

NAMES = {"ash": "z", "birch": "m", "cedar": "a"}  # the order of the names is turned round
NUMBERS = {"ash": 7, "birch": -1, "cedar": 3}


@every(CLASSIFIERS)
@pytest.mark.parametrize("kinds", [3, 2], ids=["three classes", "two classes"])
@pytest.mark.parametrize("names", [NAMES, NUMBERS], ids=["words", "numbers"])
def test_relabelling(cls, kinds, names):
    """Other names of the classes give the same predictions under the other names."""
    honour(cls, "relabelling")
    data = dyadic(cls)
    data = data if kinds == 3 else data.take(data.y != "birch")
    renamed = replace(data, y=np.array([names[label] for label in data.y]))
    here, there = fitted(cls, data), fitted(cls, renamed)
    assert np.array_equal(there.predict(data.X), [names[label] for label in here.predict(data.X)])
    assert sorted(there.classes_) == list(there.classes_)
    same_class = [list(there.classes_).index(names[label]) for label in here.classes_]
    found, expected = outputs(there, data.X), outputs(here, data.X)
    for method in PER_CLASS:
        if method in expected:
            assert_near(found[method][:, same_class], expected[method], digits(cls), method)
    if "decision_function" in expected:
        scores = expected["decision_function"]
        turned = scores[:, np.argsort(same_class)] if scores.ndim == 2 else scores if same_class == [0, 1] else -scores
        assert_near(found["decision_function"], turned, digits(cls), "decision_function")


@every(STARTED)
def test_order_of_the_start(cls):
    """Clusters are numbered as the points they start from."""
    honour(cls, "relabelling")
    data = dyadic(cls)
    order = np.array([2, 0, 1])
    here, there = fitted(cls, data), fitted(cls, replace(data, start=data.start[order]))
    if hasattr(here, "cluster_centers_"):
        assert_near(there.cluster_centers_, here.cluster_centers_[order], digits(cls))
    assert np.array_equal(order[there.labels_], here.labels_)
    assert_near(there.inertia_, here.inertia_, digits(cls))
