"""Columns of scales far apart: who is warned, of which columns, and that nobody else is."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from aprendiz import RBF, SVC, SVR, Linear, OneClassSVM, StandardScaler
from aprendiz.evaluation import check_assumptions
from aprendiz.kernel.kernels import Cosine, Mahalanobis
from aprendiz.kernel.shared.uneven_scales import uneven_scales

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3)) * [1.0, 3e6, 1e-3]
Y = (X[:, 0] > 0).astype(int)


def test_the_columns_that_are_far_apart():
    """The widest and the narrowest that vary; missing cells and constants do not count."""
    found = uneven_scales(X)
    assert found[:2] == (1, 2)
    assert found.ratio == pytest.approx(X[:, 1].std() / X[:, 2].std())
    assert uneven_scales(X[:, [0, 2]]) is None
    assert uneven_scales(X[:0]) is None
    assert uneven_scales(np.column_stack([X[:, 1], np.full(40, 7.0)])) is None
    assert uneven_scales(np.column_stack([X[:, 1], np.full(40, np.nan)])) is None
    holes = np.where(np.arange(40)[:, None] % 7 == 3, np.nan, X)
    assert uneven_scales(holes)[:2] == (1, 2)
    assert uneven_scales(X + 2.0**40)[0] == 1
    units = RNG.normal(size=(100, 30, 2)) * [1.0, 1e6]
    assert all(uneven_scales(table) is not None for table in units)  # whichever of the two varies a little less in its sample
    edge = np.array([[0.0, 0.0], [1.0, 5e5]])
    assert uneven_scales(edge) is not None
    assert uneven_scales(edge * [1.0, 0.99]) is None


@pytest.mark.parametrize(
    "machine", [SVC(), SVC(kernel="linear", C=1e-12), SVC(kernel=RBF(gamma=1e-6)), SVR(), OneClassSVM()], ids=repr
)
def test_warned_once_with_the_remedy(machine):
    """By name where columns have names. Whoever follows the advice is not warned."""
    table = pd.DataFrame(X, columns=["age", "income", "rate"])
    target = X[:, 0] if isinstance(machine, SVR) else Y
    with pytest.warns(UserWarning, match="column 'income' varies .* as column 'rate'.*StandardScaler") as heard:
        machine.fit(table, target)
    assert len(heard) == 1
    assert heard[0].filename == __file__
    with pytest.warns(UserWarning, match="column 1 varies"):
        machine.fit(X, target)
    make_pipeline(StandardScaler(), machine).fit(table, target)


def test_kernels_without_units():
    """Kernels that do not depend on the units of the columns, and columns that can be compared."""
    for kernel in (Mahalanobis(), Cosine()):
        SVC(kernel=kernel).fit(X, Y)
    SVC(kernel="precomputed").fit(np.eye(40), Y)
    SVC(kernel=Linear(), C=1e-6).fit(X * [1.0, 1e-4, 1.0], Y)


def test_warned_once_for_a_grid():
    """Machines with the same kernel are told once."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        list(SVC().fit_each(X, Y, [{"C": C} for C in (1.0, 2.0, 3.0)]))
    assert len(heard) == 1


def test_as_an_assumption():
    """`check_assumptions` has a code for it, whatever y is."""
    table = pd.DataFrame(X, columns=["age", "income", "rate"])
    for method in ("SVC", SVR(), make_pipeline(StandardScaler(), OneClassSVM())):
        (found,) = check_assumptions(method, table, X[:, 0])
        assert found.code == "uneven_scales"
        assert found.columns == ("income", "rate")
        assert np.isnan(found.p_value)
        assert "StandardScaler" in str(found)
    assert not check_assumptions("SVC", table[["age", "rate"]])
    assert not check_assumptions("KNeighborsClassifier", table)
