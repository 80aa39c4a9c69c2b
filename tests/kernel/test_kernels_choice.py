"""Kernels as parameters of learners: names of scikit-learn's, grids, and model files."""

import re

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV

import aprendiz
from aprendiz import KernelRidge
from aprendiz.kernel.kernels import (
    RBF,
    ChiSquared,
    Constant,
    Cosine,
    Exponential,
    Function,
    GammaExponential,
    Laplacian,
    Linear,
    Mahalanobis,
    Matern,
    Periodic,
    Polynomial,
    Precomputed,
    Sigmoid,
)
from aprendiz.kernel.shared.kernel_choice import NAMES, kernel_of
from aprendiz.persistence import storable

RNG = np.random.default_rng(0)
X, y = RNG.normal(size=(40, 3)), RNG.normal(size=40)


def test_every_name_of_scikit_learn():
    assert set(NAMES) == {*pairwise.PAIRWISE_KERNEL_FUNCTIONS, "precomputed"}
    A = np.abs(X)
    for name, peer in pairwise.PAIRWISE_KERNEL_FUNCTIONS.items():
        more = {k: v for k, v in {"gamma": 0.3, "degree": 2, "coef0": 0.5}.items() if k in pairwise.KERNEL_PARAMS[name]}
        assert np.allclose(kernel_of(name, gamma=0.3, degree=2, coef0=0.5)(A), peer(A, **more), rtol=1e-12, atol=1e-13), name
        if name in ("rbf", "poly", "sigmoid", "laplacian"):
            ours = kernel_of(name, gamma=None, degree=3, coef0=1.0)
            assert np.allclose(ours(A), peer(A), rtol=1e-12, atol=1e-13), name


def test_what_names_become():
    assert kernel_of("rbf") == RBF()
    assert kernel_of("poly", degree=2.0, gamma=1.0, coef0=1) == Polynomial(2, c=1)
    assert kernel_of("sigmoid", coef0=-1.0) == Sigmoid(c=-1.0)
    assert kernel_of("chi2", gamma=None) == ChiSquared(1.0)
    assert kernel_of("cosine") == Cosine()
    assert kernel_of("laplacian", gamma=None) == Laplacian("auto")
    assert kernel_of("precomputed") == Precomputed()
    chosen = RBF(0.5)
    assert kernel_of(chosen, gamma=3.0) is chosen
    assert kernel_of(np.dot, of_pairs=True) == Function(np.dot, of_pairs=True)
    process = processes.RBF(2.0)
    assert np.allclose(kernel_of(process, of_pairs=True)(X), process(X))


def test_a_class_is_no_kernel():
    with pytest.raises(ValueError, match=r"the class RBF.*write RBF\(\)"):
        kernel_of(RBF)


@pytest.mark.parametrize("kernel", ["gaussian", 3, None])
def test_what_is_no_kernel(kernel):
    with pytest.raises(ValueError, match=r"kernel must be .*'rbf'.*RBF\(gamma=0.5\), or a function"):
        kernel_of(kernel)


def test_polynomials_that_are_no_kernels():
    with pytest.raises(ValueError, match="coef0 of the polynomial kernel must be at least 0, got -1"):
        kernel_of("poly", coef0=-1)
    with pytest.raises(ValueError, match="broken power"):
        kernel_of("poly", degree=2.5)


def test_a_grid_over_parameters_of_the_kernel():
    grid = {"kernel__k1__k2__gamma": [0.1, 1.0], "kernel__k2__c": [0.0, 1.0]}
    search = GridSearchCV(KernelRidge(kernel=2 * RBF(0.5) + Linear()), grid, cv=3).fit(X, y)
    assert search.best_params_.keys() == grid.keys()
    alone = KernelRidge(
        kernel=2 * RBF(search.best_params_["kernel__k1__k2__gamma"]) + Linear(search.best_params_["kernel__k2__c"])
    )
    assert np.array_equal(search.predict(X), alone.fit(X, y).predict(X))


STORED = [
    *(RBF(0.5) + Linear(), 2 * RBF(sigma=1.5) * Matern(2.5), Polynomial(2, c=1.0), Mahalanobis(np.eye(3)), Periodic(2.0) + 1),
    *(Laplacian(), Exponential(), GammaExponential(1.2), Sigmoid(0.01), Constant(2.0) + Cosine()),
]


@pytest.mark.parametrize("kernel", STORED, ids=lambda kernel: re.sub(r"\W+", " ", repr(kernel)))
@pytest.mark.filterwarnings("ignore:.*positive semi-definite")
def test_kernels_in_model_files(kernel, tmp_path):
    model = KernelRidge(kernel=kernel).fit(X, y)
    aprendiz.save(model, tmp_path / "model.apz")
    loaded = aprendiz.load(tmp_path / "model.apz")
    assert loaded.kernel == kernel
    assert np.array_equal(loaded.predict(X), model.predict(X))


def test_every_kernel_may_stand_in_a_model_file():
    from aprendiz.kernel import kernels

    classes = [getattr(kernels, name) for name in kernels.__all__ if isinstance(getattr(kernels, name), type)]
    kinds = [cls for cls in classes if hasattr(cls, "block")]
    assert {storable.name_of(cls) for cls in kinds} == {f"aprendiz.kernel.kernels.{cls.__name__}" for cls in kinds}
    assert len(kinds) >= 20


def test_a_user_function_is_refused_with_its_path(tmp_path):
    def product(A, B):
        return A @ B.T

    model = KernelRidge(kernel=RBF(0.5) + Function(product)).fit(X, y)
    with pytest.raises(TypeError, match=r"kernel\.k2\.function: a function \(.*product\) cannot be stored"):
        aprendiz.save(model, tmp_path / "model.apz")
    assert not (tmp_path / "model.apz").exists()
