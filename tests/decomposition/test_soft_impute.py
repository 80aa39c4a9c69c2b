"""Completion with the nuclear norm: optimality, the plain loop, recovery, the units, and what is unknown altogether."""

import tracemalloc
import warnings

import numpy as np
import pytest
from reference import completion_twins as twins
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

import aprendiz
from aprendiz import SoftImpute

NAN = np.nan


def low_rank(seed=0, n=40, d=25, rank=3, known=0.5, noise=0.1):
    """A table of low rank with noise, and the same with holes."""
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + noise * rng.normal(size=(n, d))
    return whole, np.where(rng.random((n, d)) < known, whole, NAN)


@pytest.fixture(scope="module")
def fitted():
    """A fit of twelve digits, and its table."""
    A = low_rank()[1]
    return SoftImpute(2.0, tol=1e-13, max_iter=3000, random_state=0).fit(A), A


def product(model):
    return model.row_factors_ @ model.column_factors_.T


# ---- the minimum -------------------------------------------------------------------------------------------------------


def test_optimality(fitted):
    """P_Ω(A − M) = λ(UVᵀ + W) with UᵀW = 0, WV = 0 and ‖W‖ ≤ 1."""
    model, A = fitted
    M = product(model)
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    U, s, Vt = U[:, : model.rank_], s[: model.rank_], Vt[: model.rank_]
    np.testing.assert_allclose(s, model.singular_values_, rtol=1e-10)
    W = np.where(np.isnan(A), 0.0, A - M) / 2.0 - U @ Vt
    assert 3 <= model.rank_ < 25
    assert np.abs(U.T @ W).max() < 1e-8
    assert np.abs(W @ Vt.T).max() < 1e-8
    assert np.linalg.norm(W, 2) <= 1 + 1e-9
    assert model.certificate_.gap < 1e-9
    assert model.certificate_.spectral_norm == pytest.approx(1.0, abs=1e-9)


def test_plain_loop(fitted):
    """The loop of the definition goes where the fit is; the objective is that of the definition."""
    model, A = fitted
    M = twins.soft_impute(A, 2.0, 1500)
    np.testing.assert_allclose(product(model), M, atol=1e-7)
    assert model.objective_ == pytest.approx(twins.objective(A, M, 2.0), rel=1e-12)
    assert model.objective_ == pytest.approx(twins.objective(A, product(model), 2.0), rel=1e-13)


@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_sparse_is_dense(shape):
    """The stored cells of a sparse table are the known ones, stored zeros too."""
    A = low_rank(1, *shape)[1]
    known = ~np.isnan(A)
    A[np.argwhere(known)[0][0], np.argwhere(known)[0][1]] = 0.0
    stored = sparse.csr_array((A[known], np.nonzero(known)), shape=A.shape)
    assert (stored.data == 0).any()
    dense, thin = (SoftImpute(2.0, random_state=0).fit(X) for X in (A, stored))
    np.testing.assert_array_equal(thin.column_factors_, dense.column_factors_)
    np.testing.assert_array_equal(thin.transform(stored), dense.transform(A))
    assert thin.certificate_.gap == dense.certificate_.gap


def test_missing_cells_of_a_sparse_table():
    """A stored NaN is unknown, like a cell that is not stored."""
    A = low_rank(2)[1]
    stored = sparse.csr_array(np.where(np.isnan(A), 7.0, A))
    stored.data[np.isnan(A).ravel()] = NAN
    models = [SoftImpute(2.0, random_state=0).fit(X) for X in (A, stored)]
    np.testing.assert_array_equal(models[0].column_factors_, models[1].column_factors_)
    np.testing.assert_array_equal(models[0].transform(A), models[1].transform(stored))


def test_zero_from_the_largest_singular_value():
    """M = 0 from λ = σ₁ of the zero-filled table on, and not below."""
    A = low_rank(3)[1]
    largest = np.linalg.norm(np.nan_to_num(A), 2)
    above = SoftImpute(largest * 1.000001).fit(A)
    assert above.rank_ == 0
    assert above.certificate_.holds
    assert not above.transform(np.full((1, 25), 1.0) * np.where(np.arange(25) < 5, 1, NAN))[0, 5:].any()
    assert SoftImpute(largest * 0.999).fit(A).rank_ == 1
    assert SoftImpute().fit(A).penalty_ == pytest.approx(largest / 50, rel=1e-10)


def test_exact_recovery():
    """A table of rank 3 comes back from half of its cells, as the penalty falls."""
    whole, A = low_rank(4, 60, 50, noise=0.0)
    errors = [np.abs(SoftImpute(penalty, max_iter=3000).fit(A).transform(A) - whole).max() for penalty in (1.0, 1e-1, 1e-2)]
    assert errors[0] > 5 * errors[1] > 25 * errors[2]
    assert errors[2] < 0.02


def test_shrinks_with_the_penalty():
    """Along λ the nuclear norm falls and the residuals grow."""
    A = low_rank(5)[1]
    models = [SoftImpute(penalty, tol=1e-8, max_iter=2000).fit(A) for penalty in (4.0, 2.0, 1.0, 0.5)]
    norms = [model.singular_values_.sum() for model in models]
    errors = [np.nansum((A - product(model)) ** 2) for model in models]
    assert norms == sorted(norms)
    assert errors == sorted(errors, reverse=True)


def test_memory():
    """A table of 10 000 × 2 000 would be 160 MB; with 50 000 known cells it is a hundred bytes for each, and the factors."""
    rng = np.random.default_rng(0)
    cells = np.unique(rng.integers(0, 10_000 * 2_000, 50_000))
    X = sparse.csr_array((rng.normal(size=len(cells)), np.divmod(cells, 2_000)), shape=(10_000, 2_000))
    model = SoftImpute(5.0, max_rank=3, max_iter=100, tol=1e-2, random_state=0).fit(X)
    tracemalloc.start()
    model.fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.rank_ == 3
    assert peak < 100 * len(cells) + 8 * 12_000 * 60


# ---- a bound on the rank -------------------------------------------------------------------------------------------------


def test_bounded_rank():
    """Where λ leaves more, another problem is solved, and only its gradient is certified."""
    A = low_rank(6)[1]
    free = SoftImpute(1.0, max_iter=2000).fit(A)
    bounded = SoftImpute(1.0, max_rank=2, max_iter=2000).fit(A)
    assert bounded.rank_ == 2 < free.rank_
    assert bounded.objective_ > 1.01 * free.objective_
    assert bounded.certificate_.claim.startswith("among tables of rank at most max_rank")
    assert bounded.certificate_.holds
    assert bounded.certificate_.gap > 0.01
    loose = SoftImpute(1.0, max_rank=25, max_iter=2000).fit(A)
    assert loose.objective_ == pytest.approx(free.objective_, rel=1e-4)
    assert loose.certificate_.claim == free.certificate_.claim == "the objective is at most 1 % above its minimum"


def test_stopped_early():
    """A fit of one pass says so, and what it claims is still so."""
    A = low_rank(7, noise=1.0)[1]
    with pytest.warns(ConvergenceWarning, match=r"max_iter reached.*Raise max_iter, tol or penalty"):
        model = SoftImpute(0.5, max_iter=1).fit(A)
    best = SoftImpute(0.5, tol=1e-9, max_iter=3000).fit(A).objective_
    assert 1 - best / model.objective_ <= model.certificate_.gap
    assert not model.certificate_.holds


# ---- units ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("power", [-900, -60, 4, 900])
def test_other_units(power):
    """Cells and penalty in other units: the same bits in the new unit, where that is a power of 4."""
    A = low_rank(8)[1]
    here, there = SoftImpute(1.0, random_state=0).fit(A), SoftImpute(2.0**power, random_state=0).fit(np.ldexp(A, power))
    np.testing.assert_array_equal(there.transform(np.ldexp(A, power)), np.ldexp(here.transform(A), power))
    np.testing.assert_array_equal(there.singular_values_, np.ldexp(here.singular_values_, power))
    assert there.certificate_.gap == here.certificate_.gap


@pytest.mark.parametrize("biases", ["columns", "both"])
def test_biases(biases):
    """With the means of the columns subtracted, a shift of columns moves only them; rows follow."""
    A = low_rank(9)[1]
    shift = np.linspace(-1e6, 1e6, 25)
    here, there = (SoftImpute(1.0, biases=biases, random_state=0).fit(X) for X in (A, A + shift))
    np.testing.assert_allclose(there.transform(A + shift) - shift, here.transform(A), atol=1e-8)
    np.testing.assert_allclose(here.column_means_, np.nanmean(A, axis=0), atol=1e-14)
    left = A - here.column_means_
    means = np.nanmean(left, axis=1) if biases == "both" else np.zeros(len(A))
    np.testing.assert_allclose(here.row_means_, means, atol=1e-14)
    direct = SoftImpute(1.0, random_state=0).fit(left - means[:, None])
    np.testing.assert_allclose(product(direct), product(here), atol=1e-6)


def test_scale():
    """Scaled columns have no units."""
    A = low_rank(10)[1]
    factors = np.geomspace(1e-3, 1e3, 25)
    here, there = (SoftImpute(0.5, biases="columns", scale=True, random_state=0).fit(X) for X in (A, A * factors))
    np.testing.assert_allclose(here.column_scales_, np.nanstd(A, axis=0), rtol=1e-13)
    np.testing.assert_allclose(there.transform(A * factors) / factors, here.transform(A), atol=1e-9)


# ---- rows and cells --------------------------------------------------------------------------------------------------------


def test_training_rows(fitted):
    """Training rows get what the fit says; known cells stay as they are."""
    model, A = fitted
    filled, known = model.transform(A), ~np.isnan(A)
    np.testing.assert_array_equal(filled[known], A[known])
    np.testing.assert_allclose(filled[~known], product(model)[~known], atol=1e-13)
    rows, columns = np.nonzero(~known)
    np.testing.assert_allclose(model.predict_cells(rows, columns), filled[~known], atol=1e-13)
    np.testing.assert_array_equal(model.transform(A[7:9]), filled[7:9])


@pytest.mark.parametrize("settings", [{"biases": "both"}, {"biases": "columns", "scale": True}, {"scale": True}])
def test_single_cells(settings):
    """So they do with biases and scales."""
    A = low_rank(11)[1]
    model = SoftImpute(0.5, **settings).fit(A)
    rows, columns = np.nonzero(np.isnan(A))
    np.testing.assert_allclose(model.predict_cells(rows, columns), model.transform(A)[rows, columns], atol=1e-12)


def test_new_rows(fitted):
    """A new row is a ridge regression of its known cells on the factors of the columns."""
    model, _ = fitted
    x = np.where(np.arange(25) < 10, np.linspace(-1, 1, 25), NAN)
    B = model.column_factors_
    u = np.linalg.solve(B[:10].T @ B[:10] + 2.0 * np.eye(B.shape[1]), B[:10].T @ x[:10])
    np.testing.assert_allclose(model.transform(x[None])[0, 10:], B[10:] @ u, atol=1e-13)


def test_in_a_pipeline():
    """As an imputer before a learner that wants whole tables."""
    whole, A = low_rank(12, known=0.8)
    y = whole @ np.linspace(-1, 1, 25)
    model = make_pipeline(SoftImpute(0.1, max_iter=2000), aprendiz.Ridge(1e-3)).fit(A, y)
    assert model.score(A, y) > 0.98


def test_cells_that_there_are_not(fitted):
    model, _ = fitted
    with pytest.raises(ValueError, match="There is no row 40: the training table has 40, counted from 0"):
        model.predict_cells([0, 40], [1, 1])
    with pytest.raises(ValueError, match="There is no column -1"):
        model.predict_cells(0, -1)
    with pytest.raises(TypeError, match="whole numbers"):
        model.predict_cells(0.5, 1)


# ---- what is unknown altogether ----------------------------------------------------------------------------------------------


def test_unknown_rows_and_columns():
    """A column without known cells is left out, with a warning, or 0; a row without them is filled by its biases, and named."""
    A = low_rank(13)[1]
    A[:, 4], A[6] = NAN, NAN
    model = SoftImpute(1.0, biases="columns").fit(A)
    with pytest.warns(UserWarning, match="without any|no known") as caught:
        filled = model.transform(A)
    said = [str(one.message) for one in caught]
    assert any("without any observed values: ['x4']" in one for one in said)
    assert any("1 row(s) have no known cell: [6]" in one for one in said)
    assert filled.shape == (40, 24)
    np.testing.assert_allclose(filled[6], np.delete(model.column_means_, 4))
    assert list(model.get_feature_names_out()) == [f"x{j}" for j in range(25) if j != 4]
    assert np.isnan(model.predict_cells(0, 4))
    keeping = SoftImpute(1.0, keep_empty_features=True).fit(A)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filled = keeping.transform(A[:6])
    assert filled.shape == (6, 25)
    assert not filled[:, 4].any()
    assert keeping.predict_cells(0, 4) == 0.0


@pytest.mark.parametrize("X", [np.full((3, 2), NAN), sparse.csr_array((3, 2)), sparse.csr_array(np.full((3, 2), NAN))], ids=str)
def test_nothing_known(X):
    with pytest.raises(ValueError, match="X has no known cell"):
        SoftImpute().fit(X)


def test_a_penalty_that_is_lost():
    """λ of another world than the cells."""
    A = low_rank(14)[1]
    with pytest.raises(ValueError, match="lost beside cells of this size"):
        SoftImpute(1e-300).fit(A * 1e100)


def test_checkpoints_know_stored_zeros(tmp_path):
    """A table with a zero stored is another one than without it."""
    A = low_rank(15)[1]
    known = ~np.isnan(A)
    A[tuple(np.argwhere(known)[0])] = 0.0
    stored = sparse.csr_array((A[known], np.nonzero(known)), shape=A.shape)
    fewer = stored.copy()
    fewer.eliminate_zeros()
    with aprendiz.training(checkpoint=tmp_path):
        for X in (stored, fewer):
            SoftImpute(2.0, random_state=0).fit(X)
    assert len(list(tmp_path.iterdir())) == 2
