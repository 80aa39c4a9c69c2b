"""Tests of two learners: against SciPy, against definitions counted out, against published numbers, and at their edges."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats

from aprendiz.evaluation import compare, compare_over_tables
from aprendiz.evaluation.significance.bayesian_signed_rank import STRENGTH, drawn_shares
from aprendiz.evaluation.significance.close_values import paired_differences
from aprendiz.evaluation.significance.mcnemar import mcnemar
from aprendiz.evaluation.significance.sign_test import sign_test
from aprendiz.evaluation.significance.signed_rank import signed_rank
from aprendiz.evaluation.significance.two_proportions import two_proportions

RNG = np.random.default_rng(0)
SIDES = ("two-sided", "greater", "less")
FOLDS = {"a": RNG.normal(0.82, 0.03, 10), "b": RNG.normal(0.80, 0.03, 10)}
D = FOLDS["a"] - FOLDS["b"]


# ---- proportions -------------------------------------------------------------------------------------------------------


def test_pooled_variance():
    """χ² of the table of errors and hits, without continuity correction, is the square of the pooled Z."""
    found = two_proportions((30, 20), (100, 80), pooled=True)
    chi = stats.chi2_contingency([[30, 70], [20, 60]], correction=False)
    assert found.statistic**2 == pytest.approx(chi.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(chi.pvalue, rel=1e-10)
    assert found.interval == two_proportions((30, 20), (100, 80)).interval
    assert found.effect_size == pytest.approx(2 * np.arcsin(np.sqrt(0.3)) - 2 * np.arcsin(0.5), rel=1e-12)


def test_sides_of_z():
    """The two one-sided p-values add to 1; the two-sided one is twice the smaller."""
    greater, less, both = (
        two_proportions((30, 20), (100, 100), alternative=s).p_value for s in ("greater", "less", "two-sided")
    )
    assert greater + less == pytest.approx(1, rel=1e-12)
    assert both == pytest.approx(2 * greater, rel=1e-12)


def test_no_errors_at_all():
    """0/0 is no difference; a difference without spread is infinitely many standard errors. Both are flagged."""
    none, some = two_proportions((0, 0), (50, 50)), two_proportions((50, 0), (50, 50))
    assert (none.statistic, none.p_value) == (0.0, 1.0)
    assert (some.statistic, some.p_value) == (np.inf, 0.0)
    assert [one.broken for one in none.assumptions] == [False, True]


# ---- McNemar -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("b", "c"), [(15, 4), (4, 15), (7, 7), (0, 6), (1, 0), (120, 90)])
def test_mcnemar_is_binomial(b, c, side):
    """The exact p-value is SciPy's binomial test; mid-p takes half the probability of the observed count away on each side."""
    assert mcnemar(b, c, alternative=side).p_value == pytest.approx(
        stats.binomtest(b, b + c, alternative=side).pvalue, rel=1e-10
    )
    point = stats.binom.pmf(b, b + c, 0.5)
    exact, mid = (mcnemar(b, c, variant=v, alternative=side).p_value for v in ("exact", "mid-p"))
    if side != "two-sided":
        assert mid == pytest.approx(exact - point / 2, rel=1e-10)
    elif b != c:
        assert mid == pytest.approx(exact - point, rel=1e-10)
    else:
        assert mid == pytest.approx(1.0, rel=1e-10)


def test_mcnemar_of_many_rows():
    """Ten million disagreements: the exact test agrees with the normal one to its accuracy, at once."""
    b, c = 5_003_000, 4_997_000
    exact, corrected = (compare({"a": b, "b": c}, test=test).p_value for test in ("mcnemar", "mcnemar_corrected"))
    assert exact == pytest.approx(corrected, rel=1e-4)
    assert compare({"a": b, "b": c}, test="mcnemar_mid_p").p_value < exact


def test_mcnemar_without_disagreement():
    for variant in ("exact", "mid-p", "corrected"):
        found = mcnemar(0, 0, 100, variant=variant)
        assert (found.p_value, found.estimate) == (1.0, 0.0)
    assert mcnemar(3, 4, variant="corrected").assumptions[-1].broken


def test_interval_of_mcnemar_covers():
    """The chance that the 95 % interval holds the true difference, counted over all results of 20 rows, is about 95 %."""
    n, (p, q) = 20, (0.25, 0.1)
    covered = 0.0
    for b, c in product(range(n + 1), repeat=2):
        if b + c <= n:
            low, high = mcnemar(b, c, n).interval
            chance = comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - p - q) ** (n - b - c)
            covered += chance * (low <= p - q <= high)
    assert 0.93 < covered < 0.98


# ---- t of folds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_paired_t_is_scipy(side):
    """Statistic, p-value and two-sided interval of SciPy's paired t-test."""
    found, wanted = compare(FOLDS, test="paired_t", alternative=side), stats.ttest_rel(FOLDS["a"], FOLDS["b"], alternative=side)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-10)
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-10)
    interval = stats.ttest_rel(FOLDS["a"], FOLDS["b"]).confidence_interval()
    assert found.interval == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert found.degrees == (9.0,)


def test_corrected_t_by_hand():
    """Weka's formula t = d/√((1/k + n₂/n₁)·s²), differences 1, 2, 3, 4, a tenth for the test: s² = 5/3, 1/k + 1/9 = 13/36."""
    found = compare({"a": [1.0, 2, 3, 4], "b": np.zeros(4)}, test="corrected_t", n_test=10, n_train=90)
    assert found.statistic == pytest.approx(2.5 / np.sqrt(13 / 36 * 5 / 3), rel=1e-12)
    assert found.p_value == pytest.approx(2 * stats.t.sf(found.statistic, 3), rel=1e-10)
    assert found.standard_error > compare({"a": [1.0, 2, 3, 4], "b": np.zeros(4)}, test="paired_t").standard_error


def test_five_by_two_by_hand():
    """p₁₁ = 0.3 and halves that differ by 0.2 each: s² = 0.02, t = 0.3/√0.02, F = Σp²/0.2."""
    d = np.array([[0.3, 0.1]] * 5)
    both = {"a": d, "b": np.zeros((5, 2))}
    t, F = (compare(both, test=test) for test in ("5x2cv_t", "5x2cv_f"))
    assert t.statistic == pytest.approx(0.3 / np.sqrt(0.02), rel=1e-12)
    assert t.p_value == pytest.approx(2 * stats.t.sf(t.statistic, 5), rel=1e-10)
    assert F.statistic == pytest.approx(5 * 0.1 / (2 * 0.1), rel=1e-12)
    assert F.p_value == pytest.approx(stats.f.sf(F.statistic, 10, 5), rel=1e-10)
    assert (t.degrees, F.degrees, F.estimate) == ((5.0,), (10.0, 5.0), pytest.approx(0.2))


def test_size_of_five_by_two():
    """Of equal learners with independent halves, both find 5 % at the level 5 %, within four standard errors of 1000 draws."""
    draws = np.random.default_rng(1).normal(size=(1000, 5, 2))
    for test in ("5x2cv_t", "5x2cv_f"):
        told = sum(compare({"a": d, "b": np.zeros((5, 2))}, test=test).significant for d in draws[:500])
        assert 0.05 * 500 - 4 * 4.9 < told < 0.05 * 500 + 4 * 4.9


# ---- ranks and signs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [3, 8, 20, 50])
def test_wilcoxon_exact(n, side):
    """Without ties, SciPy's exact p-value and statistic."""
    d = np.random.default_rng(n).normal(0.3, 1, n)
    found, wanted = signed_rank(d, alternative=side), stats.wilcoxon(d, alternative=side, method="exact")
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-10)
    assert found.statistic == stats.wilcoxon(d).statistic
    assert not any(one.broken for one in found.assumptions[:2])


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("n", [80, 200])
def test_wilcoxon_normal(n, zeros):
    """With ties and zeros, and many differences, SciPy's normal approximation."""
    d = np.random.default_rng(n).integers(-6, 8, n).astype(float)
    wanted = stats.wilcoxon(d, zero_method="wilcox" if zeros == "drop" else zeros, correction=False, method="asymptotic")
    assert signed_rank(d, zeros=zeros).p_value == pytest.approx(wanted.pvalue, rel=1e-10)
    assert signed_rank(d, zeros=zeros).statistic == wanted.statistic


@pytest.mark.parametrize("zeros", ["split", "drop", "pratt"])
@pytest.mark.parametrize("d", [[1, -1, 2, 2, -3, 0, 0], [5, 0, 1, 1, 1, -2, 0, 0], [0, 0, 3]])
def test_wilcoxon_with_ties_counted_out(d, zeros):
    """The exact p-value is the share of all ways to choose the signs, the sizes and zeros being as they are."""
    d = np.array(d, dtype=float)
    kept = d[d != 0] if zeros == "drop" else np.delete(d, 1) if zeros == "split" and len(d) == 8 else d
    ranks, fixed = stats.rankdata(np.abs(kept)), 0.0
    if zeros == "split":
        fixed = ranks[kept == 0].sum() / 2
    moving, plus = ranks[kept != 0], ranks[kept > 0].sum() + fixed
    sums = np.array([(np.array(signs) * moving).sum() + fixed for signs in product([0, 1], repeat=len(moving))])
    wanted = min(1.0, 2 * min((sums <= plus + 1e-9).mean(), (sums >= plus - 1e-9).mean()))
    found = signed_rank(d, zeros=zeros)
    assert found.p_value == pytest.approx(wanted, rel=1e-12)
    minus = ranks.sum() - plus if zeros != "pratt" else ranks[kept < 0].sum()
    assert found.statistic == pytest.approx(min(plus, minus))


def test_interval_of_the_pseudo_median():
    """The interval holds the values μ for which d − μ is not told from 0, by the exact test: that is what an interval is."""
    d = np.random.default_rng(3).normal(1, 1, 9)
    found = signed_rank(d, level=0.1)
    inside = [signed_rank(d - mu).p_value > 0.1 for mu in (found.interval[0] + 1e-9, found.estimate, found.interval[1] - 1e-9)]
    outside = [signed_rank(d - mu).p_value > 0.1 for mu in (found.interval[0] - 1e-9, found.interval[1] + 1e-9)]
    assert (inside, outside) == ([True] * 3, [False] * 2)
    assert signed_rank(d[:3]).interval == (-np.inf, np.inf)


def test_sign_test():
    """SciPy's binomial test of the wins; ties are split, or left out; the interval holds medians that are not told from 0."""
    d = np.array([1.0, 2, 3, -1, 0, 0, 0, 4, 5, 6])
    assert sign_test(d, zeros="drop").p_value == pytest.approx(stats.binomtest(6, 7).pvalue)
    assert sign_test(d).p_value == pytest.approx(stats.binomtest(7, 9).pvalue)
    found = sign_test(np.arange(1.0, 13.0))
    assert found.interval == (3.0, 10.0)  # 2·P(X < 3) = 0.0386 of 12 trials: Conover's table of order statistics
    assert found.effect_size == 1.0


def test_rounding_is_no_difference():
    """0.3 − 0.2 and 0.9 − 0.8 are a tie, and 0.1 + 0.2 is 0.3, though doubles differ."""
    d = paired_differences(np.array([0.3, 0.9, 0.1 + 0.2, 0.5]), np.array([0.2, 0.8, 0.3, 0.7]))
    assert d[0] == d[1] != 0.1
    assert d[2] == 0
    assert d[3] < 0
    some = paired_differences(np.array([0.1, np.nan, 0.4]), np.array([0.2, 0.3, 0.1]))
    np.testing.assert_allclose(some, [-0.1, np.nan, 0.3])


# ---- posteriors --------------------------------------------------------------------------------------------------------


def test_bayesian_t_is_student():
    """The posterior of Corani and Benavoli in SciPy's words: Student's t of k − 1, scale² = (1/k + ρ/(1 − ρ))·s², ρ = 1/10."""
    found = compare(FOLDS, test="bayesian_t", rope=0.01, n_test=20, n_train=180)
    posterior = stats.t(9, loc=D.mean(), scale=np.sqrt((1 / 10 + 0.1 / 0.9) * D.var(ddof=1)))
    assert found.posterior == pytest.approx(
        (posterior.cdf(-0.01), posterior.cdf(0.01) - posterior.cdf(-0.01), posterior.sf(0.01))
    )
    assert found.interval == pytest.approx(posterior.interval(0.95), rel=1e-9)
    assert sum(found.posterior) == pytest.approx(1, rel=1e-14)


def test_bayesian_t_of_errors():
    """Where less is better, the same scores turned round give the posterior turned round."""
    how = {"test": "bayesian_t", "rope": (-0.01, 0.02), "n_test": 20, "n_train": 180}
    more, less = (compare(FOLDS, more_is_better=more, **how).posterior for more in (True, False))
    assert (more.worse, more.same, more.better) == (less.better, less.same, less.worse)


def test_bayesian_signed_rank_laws():
    """Shares add to 1; the other order of the learners is the other side; without rope nothing is same; the seed decides."""
    scores = np.random.default_rng(2).normal(0.8, 0.02, (12, 2)) + np.array([0.01, 0])
    how = {"names": ["a", "b"], "test": "bayesian_signed_rank"}
    found, turned = (compare_over_tables(s, rope=0.01, **how) for s in (scores, scores[:, ::-1]))
    assert sum(found.posterior) == pytest.approx(1, rel=1e-12)
    assert found.posterior.better == pytest.approx(turned.posterior.worse, abs=0.02)
    np.testing.assert_allclose(found.samples.sum(axis=1), 1, rtol=1e-12)
    assert compare_over_tables(scores, rope=0.0, **how).posterior.same == 0
    assert compare_over_tables(scores, rope=0.01, seed=1, **how).posterior != found.posterior
    assert compare_over_tables(scores, rope=0.01, **how).posterior == found.posterior


def test_mean_of_the_drawn_shares():
    """E[w_i w_j] of a Dirichlet is a_i a_j/A(A + 1), and a_i(a_i + 1)/A(A + 1) for i = j: the mean of each share."""
    d, rope = np.array([0.3, -0.2, 0.05, 0.7, -0.6]), (-0.1, 0.1)
    values, a = np.concatenate([[0.0], d]), np.array([STRENGTH, *[1.0] * 5])
    pairs = (np.outer(a, a) + np.diag(a)) / (a.sum() * (a.sum() + 1))
    means = (values[:, None] + values) / 2
    wanted = [pairs[means < rope[0]].sum(), pairs[(means >= rope[0]) & (means <= rope[1])].sum(), pairs[means > rope[1]].sum()]
    drawn = drawn_shares(d, rope, 0, 50_000)
    np.testing.assert_allclose(drawn.mean(axis=0), wanted, atol=5 * drawn.std(axis=0).max() / np.sqrt(50_000))
