"""Completion with the nuclear norm on the ratings of the course: D-13, D 2.2.3."""

import numpy as np
import pytest

from aprendiz import SoftImpute
from aprendiz.datasets import load

A = load("ratings").values


def fitted(penalty):
    return SoftImpute(penalty, tol=1e-9, random_state=0).fit(A)


def test_d_13_nothing_is_left():
    """λ = σ₁ of the zero-filled matrix makes M = 0; a hair less does not."""
    largest = np.linalg.norm(np.nan_to_num(A), 2)
    assert largest == pytest.approx(8.345052, abs=5e-7)
    above, below = fitted(8.345053), fitted(8.345)
    assert above.rank_ == 0
    assert above.objective_ == 0.5 * np.nansum(A**2) == 74.0
    assert below.rank_ == 1


@pytest.mark.parametrize(("penalty", "objective", "norm"), [(1.0, 18.367710, 16.917646), (0.1, 1.971292, 19.552915)])
def test_d_13_objective_and_nuclear_norm(penalty, objective, norm):
    """With the ½ of D 1036; both answers have rank 1."""
    model = fitted(penalty)
    assert model.objective_ == pytest.approx(objective, abs=5e-7)
    assert model.singular_values_.sum() == pytest.approx(norm, abs=5e-7)
    assert model.rank_ == 1
    assert model.certificate_.gap < 1e-6


def test_d_1042_the_loop_stays():
    """Filling the unknown cells with M and shrinking the singular values by λ gives M again."""
    model = fitted(1.0)
    M = model.row_factors_ @ model.column_factors_.T
    U, s, Vt = np.linalg.svd(np.where(np.isnan(A), M, A), full_matrices=False)
    assert (U * np.maximum(s - 1.0, 0.0)) @ Vt == pytest.approx(M, abs=1e-6)
