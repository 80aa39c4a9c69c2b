"""Non-negative factors from batches: the sums that batches leave, streams, and the quality of the parts."""

import warnings
from functools import cache

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.decomposition import MiniBatchNMF as TheirNMF
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import NMF, MiniBatchNMF

DIGITS = load_digits().data[:600]
RNG = np.random.default_rng(0)
START = RNG.random((600, 6)), RNG.random((6, 64)) * 5
QUICK = {"n_components": 6, "batch_size": 150, "max_iter": 40, "random_state": 0}


@cache
def digits_fit():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return MiniBatchNMF(**QUICK).fit(DIGITS)


def test_quality():
    """The error is within a hundredth of that of all rows at once, and below scikit-learn's after as many epochs."""
    model = digits_fit()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs = TheirNMF(**QUICK).fit(DIGITS)
    assert model.certificate_.holds
    assert model.reconstruction_err_ < theirs.reconstruction_err_
    assert model.reconstruction_err_ < 1.01 * NMF(6, random_state=0).fit(DIGITS).reconstruction_err_
    left = DIGITS - model.inverse_transform(model.transform(DIGITS))
    assert np.linalg.norm(left) == pytest.approx(model.reconstruction_err_, rel=1e-12)


def test_batches_leave_sums():
    """After two calls, UᵀU and XᵀU of the first one are forgotten by the factor; U are the best weights at their time."""
    model, parts = MiniBatchNMF(6, init="custom", forget_factor=0.25, random_state=0), [START[1]]
    gram, products = np.zeros((6, 6)), np.zeros((6, 64))
    for batch in (DIGITS[:300], DIGITS[300:]):
        start = {} if hasattr(model, "components_") else {"W": START[0][:300], "H": START[1]}
        model.partial_fit(batch, **start)
        frozen = NMF(6, init=(START[0][:300], parts[-1]), max_iter=1)
        frozen.__dict__ |= {"components_": parts[-1], "n_features_in_": 64}
        U = frozen.transform(batch)
        gram, products = 0.25 * gram + U.T @ U, 0.25 * products + U.T @ batch
        parts.append(model.components_)
    np.testing.assert_allclose(model.curvature_, gram, rtol=1e-9)
    np.testing.assert_allclose(model.products_, products, rtol=1e-9)
    assert model.remembered_ == 0.25 * 300 + 300
    assert model.n_steps_ == 2
    slope = gram @ model.components_ - products  # the sweeps have lowered ½⟨G, HHᵀ⟩ − ⟨B, H⟩
    values = [0.5 * np.vdot(gram, H @ H.T) - np.vdot(products, H) for H in parts[-2:]]
    assert values[1] < values[0]
    assert np.abs(slope[model.components_ > 0]).max() < 0.5 * np.abs(products).max()


@pytest.mark.parametrize("loss", ["kullback-leibler", "itakura-saito", 1.5])
def test_divergences(loss):
    """Numerators and denominators of the rule of multiplication: one batch of all rows that forgets everything is a step of
    that rule for H, at the best W."""
    X = DIGITS[:50] + 0.5
    start = START[0][:50] + 0.1, START[1] + 0.1
    model = MiniBatchNMF(6, init=start, beta_loss=loss, forget_factor=0.0, fresh_restarts_max_iter=200, tol=1e-10)
    model.partial_fit(X)
    beta, H = {"kullback-leibler": 1.0, "itakura-saito": 0.0}.get(loss, loss), start[1]
    frozen = NMF(6, solver="mu", beta_loss=loss, max_iter=200, tol=1e-10)
    frozen.__dict__ |= {"components_": H, "n_features_in_": 64}
    W = frozen.transform(X)
    Y = W @ H
    step = (W.T @ (Y ** (beta - 2) * X)) / (W.T @ Y ** (beta - 1))
    np.testing.assert_allclose(model.components_, H * (step**0.5 if beta == 0 else step), rtol=1e-9)
    assert model.certificate_.holds


def test_streams():
    """Batch by batch, a stream of rows comes to parts as good as those of the table."""
    model = MiniBatchNMF(6, random_state=0)
    for _reading in range(4):
        for start in range(0, 600, 150):
            model.partial_fit(DIGITS[start : start + 150])
    assert model.n_steps_ == 16
    assert np.linalg.norm(DIGITS - model.transform(DIGITS) @ model.components_) < 1.03 * digits_fit().reconstruction_err_


def test_from_a_file(tmp_path):
    """Rows of a file are visited block by block, to parts as good."""
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({f"x{j}": DIGITS[:, j] for j in range(64)}), tmp_path / "t.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = MiniBatchNMF(**QUICK).fit(aprendiz.rows(tmp_path / "t.parquet"))
    assert model.reconstruction_err_ < 1.02 * digits_fit().reconstruction_err_


def test_sparse_batches():
    """Batches of a sparse table stay sparse, and give what dense ones give."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = MiniBatchNMF(**QUICK).fit(sparse.csr_array(DIGITS))
    np.testing.assert_allclose(model.components_, digits_fit().components_, atol=1e-6)


def test_patience():
    """The fit ends by itself, sooner with less patience, and not at all where nothing says when."""

    def steps(patience):
        return MiniBatchNMF(6, batch_size=150, max_no_improvement=patience, random_state=0).fit(DIGITS).n_steps_

    assert steps(2) < steps(20)
    endless = MiniBatchNMF(6, batch_size=150, max_no_improvement=None, tol=0.0, max_iter=3, random_state=0).fit(DIGITS)
    assert (endless.n_iter_, endless.n_steps_, endless.stopped_) == (3, 12, "converged")


def test_refusals():
    """Negative cells by row, column and value; zeros where the divergence has none."""
    X = DIGITS.copy()
    X[7, 5] = -1.0
    with pytest.raises(ValueError, match=r"-1 in row 7, column 5"):
        MiniBatchNMF(2).partial_fit(X)
    with pytest.raises(ValueError, match=r"beta_loss <= 0.*row 0, column 0"):
        MiniBatchNMF(2, beta_loss="itakura-saito").fit(DIGITS)


@pytest.mark.parametrize("init", [None, "random", "nndsvd", "nndsvda", "nndsvdar"])
@pytest.mark.parametrize("table", ["digits", "twins", "few"])
def test_start_without_rows(init, table, monkeypatch):
    """The parts of the start are those of NMF, from sums alone: nothing in it is as long as the table."""
    X = {"digits": DIGITS, "twins": np.tile(DIGITS[:3], (40, 1)), "few": DIGITS[:, 20:28]}[table]
    settings = {"n_components": 5, "init": init, "random_state": 0}
    expected = next(NMF(**settings).steps(X)).V
    monkeypatch.setattr("aprendiz.core.rows.Rows.each", None)
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.starts.OF_U", None)
    found = next(MiniBatchNMF(**settings).steps(X)).V
    np.testing.assert_allclose(found, expected, atol=1e-9 * expected.max())
