"""Published comparisons: Demšar's table of four variants of C4.5 on 14 tables, and McNemar's test of Agresti's table."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from aprendiz.evaluation import compare, compare_over_tables
from aprendiz.evaluation.significance.friedman import chi_square_of_ranks, iman_davenport_of
from aprendiz.evaluation.significance.rank_differences import (
    critical_difference,
    critical_difference_to_control,
    standard_error,
)


@pytest.fixture(scope="module")
def areas(acceptance):
    """Demšar 2006, table 6: the area under the ROC curve."""
    return pd.read_csv(acceptance / "reference" / "demsar2006_table6.csv", index_col=0)


def test_demsar_friedman(areas, expected):
    """From the printed table; the paper's own statistics, χ² = 9.28 and F = 3.69, follow from its printed mean ranks."""
    want = expected("demsar-2006")
    plain, tied, F = (
        compare_over_tables(areas, test=test) for test in ("friedman_uncorrected", "friedman", "iman_davenport_uncorrected")
    )
    np.testing.assert_allclose(plain.ranks, [3.143, 2.000, 2.929, 1.929], atol=5e-4)
    assert plain.statistic == pytest.approx(want["chi2_table"], rel=1e-9)
    assert tied.statistic == pytest.approx(want["chi2_tiecorr"], rel=1e-9)
    assert tied.statistic == pytest.approx(stats.friedmanchisquare(*areas.to_numpy().T).statistic, rel=1e-10)
    assert F.statistic == pytest.approx(want["FF_table"], rel=1e-9)
    paper = chi_square_of_ranks(np.array([3.143, 2.000, 2.893, 1.964]), 14)
    assert paper == pytest.approx(want["chi2_paper_ranks"], abs=5e-5)
    assert iman_davenport_of(paper, 4, 14) == pytest.approx(want["FF_paper_ranks"], abs=5e-5)


def test_demsar_critical_differences(areas, expected):
    """CD = 2.569·√(4·5/(6·14)) at 5 % and with 2.291 at 10 %, from the paper's table of three decimals; against a control 2.394
    at 5 % (its table 5b)."""
    want, error = expected("demsar-2006"), standard_error(4, 14)
    assert critical_difference(4, 14, 0.05) == pytest.approx(want["CD05"], abs=0.0005 * error)
    assert critical_difference(4, 14, 0.10) == pytest.approx(want["CD10"], abs=0.0005 * error)
    assert compare_over_tables(areas).critical_difference == critical_difference(4, 14, 0.05)
    assert critical_difference_to_control(4, 14, 0.05) / error == pytest.approx(2.394, abs=5e-4)


def test_demsar_wilcoxon(areas, expected):
    """C4.5 against C4.5+m: R⁺ = 93, R⁻ = 12, the two zeros split; rejected at 5 %, as in the paper."""
    found = compare_over_tables(areas[["C4.5+m", "C4.5"]], test="wilcoxon")
    plus, minus = expected("demsar-2006")["W"]
    assert found.statistic == minus
    assert found.effect_size == pytest.approx((plus - minus) / (plus + minus), rel=1e-12)
    assert found.better == "C4.5+m"
    assert {"zeros_split", "ties_exact"} <= set(found.broken)


def test_demsar_signs(areas):
    """Wins and losses of the printed table, the two equal ones left out, by SciPy's binomial test."""
    found = compare_over_tables(areas[["C4.5+m", "C4.5"]], test="sign", zeros="drop")
    d = areas["C4.5+m"] - areas["C4.5"]
    assert found.p_value == pytest.approx(stats.binomtest(int((d > 1e-9).sum()), int((abs(d) > 1e-9).sum())).pvalue)


def test_agresti_mcnemar(expected):
    """Approval of the prime minister, 150 and 86 changes of mind (R's mcnemar.test), with the continuity correction."""
    want = expected("mcnemar")
    found = compare({"first": 150, "second": 86}, test="mcnemar_corrected", n_test=1600)
    assert found.statistic == pytest.approx(want["chi2_corrected"], rel=1e-7)
    assert found.p_value == pytest.approx(want["p_corrected"], rel=1e-6)
    assert found.estimate == pytest.approx(64 / 1600)
