"""`summary()` on NIST's reference regressions: standard errors, residual sd, R² and F have the certified digits."""

import numpy as np
import pytest
from test_nist import correct_digits, regression_data

from aprendiz import LinearRegression

# name, highest power of x, intercept; digits of standard errors, residual sd, R² and F. What is reached stands beside it.
# Norris: |y|/|r| is 400, which costs less than three of sixteen digits. NoInt1: 40. Longley: κ = 110 of centred columns.
DIGITS = [
    ("Norris", 1, True, (13, 13, 14, 12)),  # 13.4, 13.5, 15, 13.1
    ("NoInt1", 1, False, (13, 13, 14, 13)),  # 14.3, 14.4, 15, 14.1
    ("Longley", 1, True, (13, 13, 14, 13)),  # 14.8, 15, 15, 15
]


def fitted(name, powers, intercept, folder):
    y, x = regression_data(folder / "nist" / f"{name}.dat")
    X = np.hstack([x**k for k in range(1, powers + 1)])
    return LinearRegression(fit_intercept=intercept).fit(X, y)


@pytest.mark.parametrize(("name", "powers", "intercept", "digits"), DIGITS, ids=[row[0] for row in DIGITS])
def test_nist_lls_summary(name, powers, intercept, digits, acceptance, expected):
    """All certified numbers, from the sums of the fit."""
    found, certified = fitted(name, powers, intercept, acceptance).summary(), expected(f"nist-lls-{name}")
    anova = certified["anova"]
    pairs = [
        (found.standard_error, certified["sd"]),
        (found.residual_sd, certified["residual_sd"]),
        (found.r2, certified["r2"]),
        (found.f, anova["F"]),
    ]
    for (value, certain), least in zip(pairs, digits, strict=True):
        assert correct_digits(value, certain).min() >= least
    assert found.f_df == (anova["reg_df"], anova["res_df"])
    assert correct_digits(found.residual_sum, anova["res_ss"]) >= min(digits)


def test_nist_lls_perfect_fit(acceptance):
    """Wampler1: y is the polynomial itself, and certified standard errors are 0; what is left is rounding, and said to be."""
    model = fitted("Wampler1", 5, True, acceptance)
    found = model.summary()
    assert found.perfect
    assert found.r2 == 1
    assert found.residual_sd < 1e-9  # beside y of up to 4·10⁶
    assert np.abs(found.standard_error).max() < 1e-9
