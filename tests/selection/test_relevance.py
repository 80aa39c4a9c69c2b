"""Relevance: known tables come out as they were made, tests agree with plain regressions, noise is left alone."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from aprendiz.locale import language
from aprendiz.selection import make_relevance_table, relevance
from aprendiz.selection.knowledge.blocks import blocks_of, folds, of_norm_1
from aprendiz.selection.knowledge.partial_tests import basis_of, p_of_block, p_of_lines, target_columns, without


def same_truth(found, table):
    """The kinds agree; a column and its copy in another unit may have changed places."""
    wrong = np.flatnonzero(found.kinds != table.kinds)
    copies = {j for j in range(len(table.kinds)) if table.kinds[j] == "redundant"}
    spared = {j for k in copies for j in (k, *table.made_of[k])}
    return [j for j in wrong if j not in spared or table.kinds[j] == "irrelevant"]


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("seed", range(3))
def test_known_tables(task, seed):
    """Relevant, redundant, irrelevant columns and an exclusive or come out as they were made."""
    table = make_relevance_table(600, task=task, random_state=seed)
    found = relevance(table.X, table.y)
    assert len(same_truth(found, table)) <= 2  # of noise, that seems to say something alone: one of twenty findings may
    assert not set(same_truth(found, table)) & set(found.relevant)
    assert {tuple(sorted(pair[:2])) for pair in found.pairs} == {tuple(sorted(pair)) for pair in table.pairs}
    assert found.pairs_tested == 30 * 29 // 2
    assert set(found.order) == set(found.relevant)


def test_redundant_columns_say_what_they_are_like():
    """They are explained as far as they are made of relevant columns; a blurred copy names its original."""
    table = make_relevance_table(800, n_relevant=2, n_redundant=2, n_pairs=0, n_irrelevant=3, shuffle=False, random_state=1)
    found = relevance(table.X, table.y)
    assert found.kinds.tolist() == table.kinds.tolist()
    assert found.nearest[2] == 0
    assert 0.7 < found.explained[2] < 0.9
    assert 0.8 < found.explained[3] < 0.97
    assert found.evidence(2).startswith("x2 is redundant: p = ")
    assert (found.pvalues_given[found.redundant] > 0.05).all()


def test_pairs_are_not_seen_alone():
    """Without the search for pairs both columns of an exclusive or are irrelevant, and the record says that nobody looked."""
    table = make_relevance_table(400, n_relevant=0, n_redundant=0, n_pairs=1, n_irrelevant=20, random_state=0)
    members = list(table.pairs[0])
    blind = relevance(table.X, table.y, pairs=False)
    assert (blind.kinds[members] == "irrelevant").all()
    assert blind.pairs_tested == 0
    assert "not looked for" in str(blind)
    found = relevance(table.X, table.y)
    assert (found.kinds[members] == "relevant").all()
    assert set(found.relevant) == set(members)


def test_bent_columns():
    """A U, and classes that differ in their spread alone."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 10))
    assert relevance(X, X[:, 4] ** 2 + 0.5 * random.normal(size=300)).relevant.tolist() == [4]
    y = np.arange(300) % 3
    X[:, 7] *= 1.0 + y
    found = relevance(X, y)
    assert found.relevant.tolist() == [7]
    assert found.bent[7]


def test_noise_is_irrelevant():
    """Of 40 tables of noise, few have a relevant column: the false discovery rate of none is the chance of any."""
    random = np.random.default_rng(1)
    some = sum(
        len(relevance(random.normal(size=(60, 100)), np.arange(60) % 2, pairs=bool(k % 2)).relevant) > 0 for k in range(40)
    )
    assert some <= 7  # 3 are expected: 0.05 of columns, and 0.05 of pairs in every second table


def test_partial_tests_are_those_of_regressions():
    """p given others: F of the nested regression of y; with several columns and classes, MANOVA by Λ."""
    random = np.random.default_rng(2)
    X, y = random.normal(size=(40, 6)), random.normal(size=40)
    Z, Y = of_norm_1(X), target_columns(y, None)
    basis = basis_of(Z[:, :3])
    U = basis_of(without(basis, Y))
    p = p_of_lines(without(basis, Z), U, 3, np.ones(6))[1]
    for j in range(3, 6):
        small, large = (np.column_stack([np.ones(40), X[:, :3], *more]) for more in ([], [X[:, j]]))
        left = [((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2).sum() for A in (small, large)]
        F = (left[0] - left[1]) / (left[1] / 35)
        assert p[j] == pytest.approx(stats.f.sf(F, 1, 35), rel=1e-9)
        assert p_of_block(Z[:, [j]], basis, U)[1] == pytest.approx(p[j], rel=1e-9)
    np.testing.assert_array_equal(p[:3], 1.0)
    several = p_of_block(Z[:, 3:], basis, U)[1]
    A = np.column_stack([np.ones(40), X])
    full = ((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2).sum()
    assert several == pytest.approx(stats.f.sf((left[0] - full) / 3 / (full / 33), 3, 33), rel=1e-9)


def test_a_column_alone_is_judged_by_anova():
    """Classes: F of the analysis of variance, and Rao's F of words."""
    random = np.random.default_rng(3)
    X, y = random.normal(size=(50, 4)), random.integers(0, 3, 50)
    U = basis_of(target_columns(y, 3))
    Z, nothing = of_norm_1(X), np.empty((50, 0))
    p = p_of_lines(Z, U, 0, np.ones(4))[1]
    np.testing.assert_allclose(p, [stats.f_oneway(*(X[y == k, j] for k in range(3))).pvalue for j in range(4)], rtol=1e-9)
    assert p_of_block(Z[:, [1]], nothing, U)[1] == pytest.approx(p[1], rel=1e-9)


def test_folds_are_squares_of_centred_ranks():
    x = np.array([3.0, -1.0, 7.0, 3.0, 100.0])
    expected = (stats.rankdata(x) - 3.0) ** 2
    np.testing.assert_allclose(folds(of_norm_1(x[:, None]))[:, 0], of_norm_1(expected[:, None])[:, 0])


def test_words_missing_cells_and_odd_columns():
    """Words of several levels, gaps, constant and missing columns, duplicates, huge and tiny units."""
    random = np.random.default_rng(4)
    kind = random.choice(["a", "b", "c"], 300)
    x = random.normal(size=300) * 1e150
    frame = pd.DataFrame(
        {
            "kind": kind,
            "x": np.where(random.random(300) < 0.1, np.nan, x),
            "same": 1.0,
            "noise": random.normal(size=300) * 1e-150 + 1e-140,
            "gone": np.nan,
            "again": kind,
        }
    )
    y = (kind == "b") * 2.0 + x / 1e150 + 0.5 * random.normal(size=300)
    with pytest.warns(UserWarning, match="every cell is missing"):
        found = relevance(frame, y)
    assert found.kinds[[0, 1]].tolist() == ["relevant", "relevant"]
    assert found.kinds[[2, 3, 4]].tolist() == ["irrelevant"] * 3
    assert found.kinds[5] == "redundant"
    assert found.explained[5] == pytest.approx(1.0)
    assert found.names[found.nearest[5]] == "kind"
    assert list(found.frame().index) == list(frame.columns)


def test_units_do_not_matter():
    """Powers of two as units, and a shift on dyadic cells, leave every number as it is."""
    random = np.random.default_rng(5)
    X = np.round(random.normal(size=(80, 12)) * 64) / 64
    y = (X[:, 0] - X[:, 1] + random.normal(size=80) > 0).astype(int)
    one, two = relevance(X, y), relevance(X * 2.0 ** np.arange(12) + 2.0**20, y)
    assert one.kinds.tolist() == two.kinds.tolist()
    np.testing.assert_allclose(one.pvalues_given, two.pvalues_given, rtol=1e-6)


def test_many_columns_are_quick():
    """A hundred rows, four thousand columns, all pairs."""
    table = make_relevance_table(100, n_relevant=2, n_redundant=1, n_pairs=0, n_irrelevant=4000, noise=0.2, random_state=0)
    start = time.perf_counter()
    found = relevance(table.X, table.y)
    assert time.perf_counter() - start < 10
    assert found.pairs_tested == 4003 * 4002 // 2
    assert len(found.relevant) <= 6


def test_words_in_both_languages():
    table = make_relevance_table(300, random_state=0)
    found = relevance(table.X, table.y)
    assert "is relevant" in str(found)
    with language("es"):
        assert "es relevante" in str(found)
        assert "parejas" in found.about_pairs()


def test_the_same_in_any_form():
    """Arrays, lists and frames; and a target of words."""
    table = make_relevance_table(200, random_state=3)
    words = np.array(["no", "yes"])[table.y]
    expected = relevance(table.X, table.y).kinds.tolist()
    for X, y in (
        (table.X.tolist(), words.tolist()),
        (pd.DataFrame(table.X), pd.Series(words)),
        (np.asfortranarray(table.X), words),
    ):
        assert relevance(X, y).kinds.tolist() == expected


def test_bad_input():
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    with pytest.raises(ValueError, match="level must be a number between 0 and 1"):
        relevance(X, y, level=1)
    with pytest.raises(ValueError, match="pairs must be True, False or 'auto'"):
        relevance(X, y, pairs="all")
    with pytest.raises(ValueError, match="task must be"):
        relevance(X, y, task="ranking")
    with pytest.raises(ValueError, match="class"):
        relevance(X, np.zeros(20, int))
    with pytest.raises(ValueError, match="Redundant columns are made of relevant ones"):
        make_relevance_table(n_relevant=0)
    with pytest.raises(ValueError, match="n_pairs must be a whole number"):
        make_relevance_table(n_pairs=-1)


def test_blocks_of_numbers_are_of_norm_1():
    lines = blocks_of(np.array([[1.0, 5.0, np.nan], [3.0, 5.0, 2.0], [8.0, 5.0, 4.0]])).lines
    np.testing.assert_allclose((lines**2).sum(axis=0), [1.0, 0.0, 1.0])
    np.testing.assert_allclose(lines.sum(axis=0), 0.0, atol=1e-15)
    assert lines[0, 2] == 0.0
