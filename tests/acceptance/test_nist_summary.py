"""`summary()` on NIST's reference regressions: standard errors, residual sd, R² and F have the certified digits; `describe` on
its univariate tables."""

import numpy as np
import pytest
from test_nist import correct_digits, regression_data, univariate_data

from aprendiz import LinearRegression, describe

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


@pytest.mark.parametrize(("name", "least"), [("Lew", 14), ("Lottery", 14), ("Mavro", 12), ("Michelso", 13)])
def test_nist_univ_description(name, least, acceptance, expected):
    """Mean and standard deviation (n − 1) to all digits that the doubles of the table have."""
    found, certified = describe(univariate_data(acceptance / "nist" / f"{name}.dat")[:, None]), expected(f"nist-univ-{name}")
    assert correct_digits(found.mean[0], certified["mean"]) >= 14
    assert correct_digits(found.standard_deviation[0], certified["sd"]) >= least


def test_nist_numacc1_description(acceptance):
    """Mean 10000002 and sd 1, exact by construction."""
    found = describe(univariate_data(acceptance / "nist" / "NumAcc1.dat")[:, None])
    assert (found.mean[0], found.standard_deviation[0]) == (10000002, 1)
