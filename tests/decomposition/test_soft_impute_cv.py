"""The penalty and rank of a completion, chosen on held-out cells; warm paths."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import sparse

from aprendiz import SoftImpute, SoftImputeCV, soft_impute_path
from aprendiz.decomposition.completion import known_cells, penalty_path
from aprendiz.decomposition.soft_impute_cv import only_rises

NAN = np.nan


def tastes(seed=0, n=60, d=40, rank=2, known=0.4, noise=0.4):
    rng = np.random.default_rng(seed)
    whole = 2.0 + rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + noise * rng.normal(size=(n, d))
    return whole, np.where(rng.random((n, d)) < known, whole, NAN)


@pytest.fixture(scope="module")
def chosen():
    whole, A = tastes()
    return SoftImputeCV(6, max_ranks=[1, 2, 4], biases="both", random_state=0).fit(A), whole, A


def test_what_is_chosen(chosen):
    """The least mean square over the folds, fitted to all known cells; the true rank; better than either end."""
    model, whole, A = chosen
    errors = (model.errors_**2).mean(axis=0)
    place, number = np.unravel_index(errors.argmin(), errors.shape)
    assert (model.max_rank_, model.penalty_) == ([1, 2, 4][place], pytest.approx(model.penalties_[number], rel=1e-15))
    assert model.max_rank_ == 2
    direct = SoftImpute(model.penalty_, max_rank=2, biases="both", random_state=0).fit(A)
    np.testing.assert_allclose(model.transform(A), direct.transform(A), atol=1e-3)
    unknown = np.isnan(A)

    def error(one):
        return np.sqrt(np.mean((one.transform(A) - whole)[unknown] ** 2))

    assert error(model) < 0.75
    assert error(model) < 0.9 * error(SoftImpute(model.penalties_[0], biases="both").fit(A))
    assert error(model) < 0.9 * error(SoftImpute(model.penalties_[-1], biases="both", max_iter=2000).fit(A))


def test_errors_are_those_of_held_out_cells(chosen):
    """An error of one fold, with the fold's cells hidden by hand."""
    model, _, A = chosen
    cells = known_cells.cells_of(A)
    folds = penalty_path.folds_of(cells, 3, 0)
    assert np.bincount(folds).max() - np.bincount(folds).min() <= 1
    rest, held = A.copy(), np.full(A.shape, NAN)
    rows, columns = cells.lines[folds == 1], cells.places[folds == 1].astype(int)
    held[rows, columns], rest[rows, columns] = A[rows, columns], NAN
    for number in (1, 4):
        one = SoftImpute(model.penalties_[number], max_rank=2, biases="both", tol=1e-7, max_iter=3000).fit(rest)
        error = np.sqrt(np.mean((one.predict_cells(rows, columns) - A[rows, columns]) ** 2))
        assert model.errors_[1, 1, number] == pytest.approx(error, rel=5e-3)


def test_a_path_that_only_rises_is_left(monkeypatch):
    """Of noise nothing can be told: the path is left early, the choice is that of the whole path, and there is a picture."""
    A = tastes(5, rank=0)[1] - 2.0
    early = SoftImputeCV(8, random_state=0).fit(A)
    monkeypatch.setattr("aprendiz.decomposition.soft_impute_cv.RISEN", np.inf)
    whole = SoftImputeCV(8, random_state=0).fit(A)
    left = np.isinf(early.errors_)
    assert left[:, :, -1].all()
    assert not left[:, :, :3].any()
    assert np.isfinite(whole.errors_).all()
    np.testing.assert_array_equal(early.errors_[~left], whole.errors_[~left])
    assert (early.ranks_[left] == -1).all()
    assert early.penalty_ == whole.penalty_
    plt.close(early.plot().figure_)


@pytest.mark.parametrize(
    ("errors", "left"),
    [
        ([3.0, 1.0], False),
        ([1.0, 1.02, 1.05], True),
        ([1.0, 1.001, 1.002], False),
        ([1.0, 1.1, 1.09], False),
        ([2, 1, 3], False),
    ],
)
def test_when_a_path_is_left(errors, left):
    """Two rises in a row that are no rounding."""
    assert only_rises(np.array(errors)) is left


def test_the_grid():
    """From σ₁ down, or as given; wrong ones are refused."""
    _, A = tastes(1)
    model = SoftImputeCV(4, eps=0.1, random_state=0).fit(A)
    largest = np.linalg.norm(np.nan_to_num(A), 2)
    np.testing.assert_allclose(model.penalties_, largest * np.geomspace(1, 0.1, 4), rtol=1e-9)
    assert SoftImputeCV([1.0, 3.0], random_state=0).fit(A).penalties_.tolist() == [3.0, 1.0]
    for bad, message in (
        ({"penalties": [1.0, -1.0]}, "penalties must be numbers above 0"),
        ({"max_ranks": [0]}, "max_ranks must be whole numbers"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": 700}, "cv=700 needs at least 1400 known cells"),
    ):
        with pytest.raises(ValueError, match=message):
            SoftImputeCV(**bad).fit(A)


@pytest.mark.parametrize("power", [-800, 800])
def test_other_units(power):
    """The same penalty, in the other units."""
    _, A = tastes(2)
    here, there = (SoftImputeCV(3, eps=0.1, cv=2, random_state=0).fit(X) for X in (A, np.ldexp(A, power)))
    assert there.penalty_ == np.ldexp(here.penalty_, power)
    np.testing.assert_array_equal(there.errors_, np.ldexp(here.errors_, power))


def test_sparse_is_dense():
    """Stored cells are the known ones, in the folds too."""
    _, A = tastes(3)
    known = ~np.isnan(A)
    stored = sparse.csr_array((A[known], np.nonzero(known)), shape=A.shape)
    dense, thin = (SoftImputeCV(3, eps=0.1, cv=2, random_state=0).fit(X) for X in (A, stored))
    np.testing.assert_array_equal(thin.errors_, dense.errors_)


def test_path():
    """Along the penalties ranks and norms grow; each point is the fit of its own penalty; at σ₁ there is nothing."""
    _, A = tastes(4)
    path = soft_impute_path(A, penalties=6, tol=1e-7, max_iter=2000, random_state=0)
    assert path.ranks[0] == 0
    assert path.nuclear_norms[0] == 0
    assert (np.diff(path.penalties) < 0).all()
    assert (np.diff(path.nuclear_norms) > 0).all()
    assert (np.diff(path.errors) < 0).all()
    for number in (2, 5):
        model = SoftImpute(path.penalties[number], tol=1e-7, max_iter=2000).fit(A)
        assert path.objectives[number] == pytest.approx(model.objective_, rel=1e-7)
        assert path.nuclear_norms[number] == pytest.approx(model.singular_values_.sum(), rel=1e-4)
    assert "ranks=[0, " in repr(path)
