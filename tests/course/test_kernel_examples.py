"""The worked examples of the course about kernels: A-33, ridge regression in its primal and its dual form."""

import numpy as np
import pytest

from aprendiz import KernelRidge
from aprendiz.kernel.kernels import Linear

# φ(x) = (x, x², √x) at x = 1 and 4, where w = (1, 1, 2) gives 4 and 24
x = np.array([1.0, 4.0])
PHI, TARGETS = np.column_stack([x, x**2, np.sqrt(x)]), np.array([4.0, 24.0])
W, ALPHA = [0.980769, 1.134615, 0.955128], [0.929487, 0.012821]


def test_a_33_dual():
    """Fewer rows than features: α = (0.929487, 0.012821), and w = Φᵀα."""
    model = KernelRidge(alpha=1.0).fit(PHI, TARGETS)
    assert model.form_ == "dual"
    assert model.dual_coef_ == pytest.approx(ALPHA, abs=5e-7)
    assert PHI.T @ model.dual_coef_ == pytest.approx(W, abs=5e-7)


def test_a_33_primal():
    """The same w from (ΦᵀΦ + γI)w = Φᵀy, which is what more rows than features are solved by: here two of weight next to 0."""
    far = np.vstack([PHI, np.ones((2, 3))])
    model = KernelRidge(alpha=1.0).fit(far, np.r_[TARGETS, 0.0, 0.0], sample_weight=[1.0, 1.0, 1e-12, 1e-12])
    assert model.form_ == "primal"
    assert model.primal_coef_ == pytest.approx(W, abs=5e-7)
    assert model.dual_coef_[:2] == pytest.approx(ALPHA, abs=5e-7)
    w = np.linalg.solve(PHI.T @ PHI + np.eye(3), PHI.T @ TARGETS)
    assert w == pytest.approx(W, abs=5e-7)


def test_a_iv_4_3_1_the_gradient_of_the_dual():
    """−γα − ΦΦᵀα + y, the gradient of αᵀy − ½αᵀΦΦᵀα − ½γ‖α‖², is zero at the solution; with another sign of y it is not."""
    K, gamma = Linear()(PHI), 1.0
    a = KernelRidge(alpha=gamma).fit(PHI, TARGETS).dual_coef_

    def dual(a):
        return a @ TARGETS - 0.5 * a @ K @ a - 0.5 * gamma * a @ a

    gradient = -gamma * a - K @ a + TARGETS
    assert np.abs(gradient).max() < 1e-12
    steps = 1e-4 * np.eye(2)
    slopes = [(dual(a + 0.1 + step) - dual(a + 0.1 - step)) / 2e-4 for step in steps]
    assert slopes == pytest.approx(-gamma * (a + 0.1) - K @ (a + 0.1) + TARGETS, abs=1e-6)
    assert np.abs(-gamma * a - K @ a - TARGETS).max() > 1.0
