"""Tests over several tables: Friedman against SciPy, studentised ranges against SciPy, raised p-values against brute force."""

import time
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy import stats

from aprendiz.evaluation import compare_over_tables
from aprendiz.evaluation.significance.adjusted_p_values import bonferroni, hochberg, holm
from aprendiz.evaluation.significance.logical_relations import bergmann_hommel, exhaustive_sets, possible_numbers, shaffer
from aprendiz.evaluation.significance.rank_differences import cliques, rank_differences
from aprendiz.evaluation.significance.studentized_range import range_quantile, range_tail

TIED = np.random.default_rng(0).integers(0, 6, (12, 4)) / 10
PLAIN = np.random.default_rng(1).normal(size=(15, 5)) + np.array([0.5, 0, 0, 0.2, 1.5])


# ---- Friedman ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [TIED, PLAIN], ids=["ties", "no ties"])
def test_friedman_is_scipy(scores):
    """Corrected for ties it is SciPy's; Kendall's W is χ²/N(k − 1); where less is better, ranks turn round."""
    found, wanted = compare_over_tables(scores, test="friedman"), stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-10)
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found.effect_size == pytest.approx(found.statistic / (len(scores) * (scores.shape[1] - 1)))
    turned = compare_over_tables(scores, test="friedman", more_is_better=False)
    np.testing.assert_allclose(turned.ranks, scores.shape[1] + 1 - found.ranks)


def test_ties_make_the_uncorrected_statistic_small():
    """Without ties both are one; with ties the uncorrected one is smaller, and says so."""
    for scores, broken in ((TIED, True), (PLAIN, False)):
        with_, without = (compare_over_tables(scores, test=f"friedman{end}") for end in ("", "_uncorrected"))
        assert (without.statistic < with_.statistic - 1e-9) is broken
        assert ("ties_in_ranks_uncorrected" in without.broken) is broken


def test_iman_davenport_is_the_f_of_ranks():
    """Without ties, F_F is the F of an analysis of variance of the ranks in two ways (tables and learners)."""
    ranks = stats.rankdata(-PLAIN, axis=1)
    N, k = ranks.shape
    between = N * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    rest = ((ranks - (k + 1) / 2) ** 2).sum() - between
    found = compare_over_tables(PLAIN)
    assert found.statistic == pytest.approx((between / (k - 1)) / (rest / ((k - 1) * (N - 1))), rel=1e-10)
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, k - 1, (k - 1) * (N - 1)), rel=1e-9)


def test_all_tables_agree():
    """The same order on every table: F is infinite, p = 0."""
    found = compare_over_tables([[3, 2, 1]] * 4, names=["a", "b", "c"])
    assert (found.statistic, found.p_value, found.effect_size) == (np.inf, 0.0, 1.0)


# ---- ranges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 6, 10])
def test_studentized_range(k):
    """The tail is SciPy's for endless degrees of freedom, and the quantile turns it round; for two it is that of |z|·√2."""
    q = np.array([0.5, 2.0, 3.5])
    np.testing.assert_allclose(range_tail(q, k), stats.studentized_range.sf(q, k, np.inf), rtol=1e-6, atol=1e-8)
    assert range_tail(np.array([range_quantile(0.05, k)]), k)[0] == pytest.approx(0.05, rel=1e-10)
    far = np.array([4.0, 12.0, 20.0])
    np.testing.assert_allclose(range_tail(far, 2), 2 * stats.norm.sf(far / np.sqrt(2)), rtol=1e-9)


def test_published_ranges():
    """q/√2 at 5 % and 10 % for 2 to 10 learners, Demšar 2006, table 5."""
    at_5 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    at_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for level, wanted in ((0.05, at_5), (0.10, at_10)):
        np.testing.assert_allclose([range_quantile(level, k) / np.sqrt(2) for k in range(2, 11)], wanted, atol=0.0011)


# ---- raised p-values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_closed_testing(seed):
    """Holm's p-values are those of closed testing with Bonferroni's, counted over all sets of hypotheses; Hochberg's are Simes'
    shortcut, never larger."""
    p = np.random.default_rng(seed).uniform(size=5) ** 3
    sets = [s for r in range(1, 6) for s in combinations(range(5), r)]
    closed = [max(min(1, len(s) * min(p[list(s)])) for s in sets if i in s) for i in range(5)]
    np.testing.assert_allclose(holm(p), closed, rtol=1e-12)
    assert (hochberg(p) <= holm(p) + 1e-15).all()
    assert (holm(p) <= bonferroni(p) + 1e-15).all()
    order = np.argsort(p)
    stepped = [min((5 - j) * p[order[j]] for j in range(i, 5)) for i in range(5)]
    np.testing.assert_allclose(hochberg(p)[order], stepped, rtol=1e-12)


def equalities(values):
    """Which pairs are equal, if the learners have these true values."""
    return tuple(a == b for a, b in combinations(values, 2))


@pytest.mark.parametrize("k", [3, 4, 5])
def test_exhaustive_sets_counted_out(k):
    """The sets of equalities that some true values of the learners have; how many of them can be true at once."""
    wanted = {equalities(values) for values in product(range(k), repeat=k)}
    assert {tuple(row) for row in exhaustive_sets(k).tolist()} == wanted - {(False,) * (k * (k - 1) // 2)}
    assert possible_numbers(k) == {sum(row) for row in wanted}


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_raised_p_values_by_brute_force(k, seed):
    """Bergmann and Hommel: a hypothesis falls at the level where every possible set of true ones that holds it has a
    p-value below level/size. Shaffer: step by step, with the most equalities that can be true after those that fell."""
    p = np.random.default_rng(seed).uniform(size=k * (k - 1) // 2) ** 3
    sets = {equalities(values) for values in product(range(k), repeat=k)}
    sets = [np.flatnonzero(row) for row in sets if any(row)]
    wanted = [min(1, max(len(s) * p[s].min() for s in sets if i in s)) for i in range(len(p))]
    np.testing.assert_allclose(bergmann_hommel(p, k), wanted, rtol=1e-12)
    order, level, stepped = np.argsort(p), 0.0, np.empty(len(p))
    for fallen, i in enumerate(order):
        most = max(len(s) for s in sets if len(s) <= len(p) - fallen)
        level = max(level, most * p[i])
        stepped[i] = min(1, level)
    np.testing.assert_allclose(shaffer(p, k), stepped, rtol=1e-12)
    assert (bergmann_hommel(p, k) <= shaffer(p, k) + 1e-15).all()
    assert (shaffer(p, k) <= holm(p) + 1e-15).all()


def test_three_learners_need_no_correction_after_the_first():
    """Of three equalities, one that falls leaves one at most: 3p, then p (Shaffer 1986)."""
    np.testing.assert_allclose(shaffer([0.01, 0.02, 0.04], 3), [0.03, 0.03, 0.04])
    np.testing.assert_allclose(bergmann_hommel([0.01, 0.02, 0.04], 3), [0.03, 0.03, 0.04])


def test_partitions_of_many_learners():
    """Bell's numbers, but for the partition into single learners; nine learners within a second, cold."""
    exhaustive_sets.cache_clear()
    start = time.process_time()
    raised = bergmann_hommel(np.random.default_rng(0).uniform(size=36) ** 4, 9)
    assert time.process_time() - start < 1
    assert (len(exhaustive_sets(9)), len(raised)) == (21147 - 1, 36)
    with pytest.raises(ValueError, match=r"all partitions of 11 learners: it is for up to 10.*shaffer"):
        bergmann_hommel(np.ones(55), 11)


# What the package scmamp of R prints in its vignette on the table of García & Herrera 2008 (five classifiers, 30 tables): pairs
# in the order 01 02 03 04 12 13 14 23 24 34 of C4.5, k-NN, naive Bayes, kernel and CN2.
FRIEDMAN_POST = [4.848763e-03, 8.064959e-01, 4.486991e-08, 1.276301e-02, 1.011233e-02]
FRIEDMAN_POST += [7.963489e-03, 7.43971478e-01, 1.736118e-07, 2.474467e-02, 2.880485e-03]
ALIGNED_POST = [1.174850e-03, 3.341698e-01, 2.843421e-10, 1.845167e-02, 2.265711e-02]
ALIGNED_POST += [2.197407e-03, 3.742777e-01, 9.226472e-08, 1.643229e-01, 7.793722e-05]
SHAFFER = [7.049103e-03, 6.683396e-01, 2.843421e-09, 7.380668e-02, 9.062842e-02]
SHAFFER += [1.3184443e-02, 6.68339613e-01, 5.535883e-07, 4.929688e-01, 4.676233e-04]
BERGMANN_HOMMEL = [7.049103e-03, 6.683396e-01, 2.843421e-09, 5.535501e-02, 6.7971317e-02]
BERGMANN_HOMMEL += [8.789629e-03, 6.68339613e-01, 5.535883e-07, 1.643229e-01, 3.117489e-04]


def test_scmamp():
    """p-values of mean ranks, and both adjustments of other p-values, to the digits that R prints. The mean ranks of the table
    are those that give its p-values; the adjusted ones need no table."""
    ranks = np.array([63, 97.5, 66, 130, 93.5]) / 30
    np.testing.assert_allclose(rank_differences(ranks, 30, "shaffer").p_values, FRIEDMAN_POST, rtol=1e-6)
    np.testing.assert_allclose(shaffer(ALIGNED_POST, 5), SHAFFER, rtol=1e-6)
    np.testing.assert_allclose(bergmann_hommel(ALIGNED_POST, 5), BERGMANN_HOMMEL, rtol=1e-6)


def test_steps_of_shaffer():
    """How many of ten hypotheses can be true after some were rejected: 10, 6, 6, 6, 6, 4, 4, 3, 2, 1."""
    apart = np.cumprod(np.full(10, 3.0)) * 1e-6  # so far apart that each step is above the one before
    np.testing.assert_allclose(shaffer(apart, 5), np.minimum(1, np.array([10, 6, 6, 6, 6, 4, 4, 3, 2, 1]) * apart))


# ---- pairs -------------------------------------------------------------------------------------------------------------


def test_nemenyi_and_its_critical_difference():
    """Two mean ranks that differ by just the critical difference have p = level; cliques are the runs within it."""
    found = compare_over_tables(PLAIN)
    assert [pair.significant for pair in found.pairs] == [
        abs(pair.estimate) > found.critical_difference for pair in found.pairs
    ]
    for clique in found.cliques:
        ranks = [found.ranks[found.names.index(name)] for name in clique]
        assert max(ranks) - min(ranks) < found.critical_difference


def test_bonferroni_dunn_and_its_critical_difference():
    found = compare_over_tables(PLAIN, control="learner 4", posthoc="bonferroni_dunn")
    assert [pair.names[0] for pair in found.pairs] == ["learner 4"] * 4
    assert [pair.significant for pair in found.pairs] == [
        abs(pair.estimate) > found.critical_difference for pair in found.pairs
    ]


def test_cliques():
    """Runs in order of rank that no difference divides; a run inside another is left out, and a single learner is none."""
    ranks, apart = np.array([1.0, 4.0, 2.0, 3.0]), np.zeros((4, 4), dtype=bool)
    apart[0, 1] = apart[1, 0] = apart[0, 3] = apart[3, 0] = True
    assert cliques(ranks, apart) == [(0, 2), (2, 3, 1)]
    assert cliques(ranks, np.ones((4, 4), dtype=bool)) == []
    assert cliques(ranks, np.zeros((4, 4), dtype=bool)) == [(0, 2, 3, 1)]


@pytest.mark.parametrize("posthoc", ["nemenyi", "holm", "hochberg", "shaffer", "bergmann_hommel"])
def test_every_method_orders_pairs_alike(posthoc):
    """Raised p-values grow with the p-values, and are not below them; methods differ in how much they raise."""
    found = compare_over_tables(PLAIN, posthoc=posthoc)
    by_p = sorted(found.pairs, key=lambda pair: pair.p_value)
    assert all(a.adjusted <= b.adjusted + 1e-15 for a, b in pairwise(by_p))
    assert all(pair.adjusted >= pair.p_value - 1e-12 for pair in found.pairs)
    assert found[0].name == "learner 4"
