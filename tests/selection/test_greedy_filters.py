"""MRMR, JMI, DISR and CMIM: their order is that of brute force with the entropies of scipy, and what they see."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import entropy

import aprendiz as ap
from aprendiz.selection.information.column_codes import ColumnCodes

FILTERS = [ap.MRMR, ap.JMI, ap.DISR, ap.CMIM]
BOTH_WAYS = FILTERS[:3]
every = pytest.mark.parametrize("cls", FILTERS, ids=lambda cls: cls.__name__)


def H(*columns):
    """Joint entropy of columns of codes, in nats."""
    return entropy(np.unique(np.column_stack(columns), axis=0, return_counts=True)[1])


def mutual(a, b):
    """I(a; b); each may be several columns."""
    return H(*a) + H(*b) - H(*a, *b)


def pair(cls, a, s, y):
    """What J adds up for a pair of columns."""
    if cls is ap.MRMR:
        return mutual([a], [s])
    joint = mutual([a, s], [y])
    if cls is ap.CMIM:
        return joint - mutual([s], [y])
    return joint / H(a, s, y) if cls is ap.DISR else joint


def criterion(cls, j, chosen, X, y):
    """J(j; S), from nothing but the cells."""
    pairs = [pair(cls, X[:, j], X[:, s], y) for s in chosen]
    if cls is ap.MRMR:
        return mutual([X[:, j]], [y]) - np.mean(pairs)
    return min(mutual([X[:, j]], [y]), *pairs) if cls is ap.CMIM else sum(pairs)


def forward(cls, X, y, k):
    """The greedy order and J at each step."""
    scores = [mutual([x], [y]) for x in X.T]
    order, found = [int(np.argmax(scores))], [max(scores)]
    while len(order) < k:
        J = {j: criterion(cls, j, order, X, y) for j in range(X.shape[1]) if j not in order}
        best = max(J, key=J.get)
        order.append(best), found.append(J[best])
    return order, found


def backward(cls, X, y, k):
    """The columns that stay, the one that would leave last first, and J of each when it left."""
    inside, left, found = list(range(X.shape[1])), [], []
    while len(inside) > 1:
        J = {j: criterion(cls, j, [s for s in inside if s != j], X, y) for j in inside}
        worst = min(J, key=J.get) if len(inside) > 2 else min(inside, key=lambda j: mutual([X[:, j]], [y]))
        inside.remove(worst), left.append(worst), found.append(J[worst])
    return (inside + left[::-1])[:k], found[::-1][: k - 1]


def codes(seed, rows=60, columns=9):
    """Codes of several levels with a class that depends on some of them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, rng.integers(2, 6, columns), (rows, columns))
    return X, (X[:, 0] + X[:, 1] * rng.integers(0, 2, rows) + rng.integers(0, 2, rows)) % 3


@every
@pytest.mark.parametrize("seed", range(4))
def test_forward_is_brute_force(cls, seed):
    X, y = codes(seed)
    model = cls(6).fit(X, y)
    order, scores = forward(cls, X, y, 6)
    assert model.order_.tolist() == order
    np.testing.assert_allclose(model.order_scores_, scores, rtol=1e-12, atol=1e-14)
    assert sorted(order) == np.flatnonzero(model.support_).tolist()
    assert model.ranking_[order].tolist() == [1, 2, 3, 4, 5, 6]
    assert model.certificate_.holds


@pytest.mark.parametrize("cls", BOTH_WAYS, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_backward_is_brute_force(cls, seed):
    X, y = codes(seed, columns=7)
    model = cls(4, direction="backward").fit(X, y)
    order, scores = backward(cls, X, y, 4)
    assert model.order_.tolist() == order
    np.testing.assert_allclose(model.order_scores_[1:], scores, rtol=1e-9, atol=1e-12)


@every
def test_tables_of_the_shape_of_madelon(cls):
    """2000 rows and 500 columns of ten levels: the order by the definitions of R's praznik."""
    rng = np.random.default_rng(500)
    y = rng.integers(0, 2, 2000)
    X = rng.integers(0, 10, (2000, 500))
    for j in range(0, 40, 2):  # columns that say something, and such as repeat them in part
        X[:, j] = np.where(rng.random(2000) < 0.05 + 0.01 * j, 3 * y + X[:, j] % 4, X[:, j])
        X[:, j + 1] = np.where(rng.random(2000) < 0.7, X[:, j], X[:, j + 1])
    order, scores = order_by_counts(cls, X, y, 25)
    for keep in (1, 7, 25):
        found = cls(keep).fit(X, y)
        assert found.order_.tolist() == order[:keep]
        np.testing.assert_allclose(found.order_scores_, scores[:keep], rtol=1e-10, atol=1e-13)


def order_by_counts(cls, X, y, k):
    """The greedy order and J at each step; of each chosen column, one table of counts with all others and the class."""
    d = X.shape[1]

    def entropies(s):
        """Of (x, y), (x, s), (x, s, y) for all columns x, and of (s, y)."""
        cells = ((np.arange(d) * 10 + X) * 10 + X[:, [s]]) * 2 + y[:, None]
        p = np.bincount(cells.ravel(), minlength=d * 200).reshape(d, 10, 10, 2) / len(X)
        logs = (p.sum(axis=2), p.sum(axis=3), p, p[0].sum(axis=0))
        return [-(q * np.log(np.where(q > 0, q, 1))).reshape(len(q) if q.ndim > 2 else 1, -1).sum(axis=1) for q in logs]

    single = np.array([H(x) for x in X.T])
    of_class = H(y)
    relevance = single + of_class - entropies(0)[0]
    order, scores, sums = (
        [int(relevance.argmax())],
        [relevance.max()],
        np.zeros(d) if cls is not ap.CMIM else relevance,
    )
    while len(order) < k:
        s = order[-1]
        _, with_s, all_three, s_and_class = entropies(s)
        joint = with_s + of_class - all_three
        if cls is ap.CMIM:
            sums = np.minimum(sums, joint - (single[s] + of_class - s_and_class))
        else:
            sums = sums + {ap.MRMR: single + single[s] - with_s, ap.JMI: joint, ap.DISR: joint / all_three}[cls]
        J = relevance - sums / len(order) if cls is ap.MRMR else sums.copy()
        J[order] = -np.inf
        order.append(int(J.argmax())), scores.append(J.max())
    return order, scores


def test_relevance():
    X, y = codes(0)
    found = ap.MRMR(3).fit(X, y).relevance_
    np.testing.assert_allclose(found, [mutual([x], [y]) for x in X.T], rtol=1e-12, atol=1e-14)


# ---- what the criteria see ---------------------------------------------------------------------------------------------


def redundant():
    """A strong column, a copy of it under other names, a weaker one that says something else, and noise."""
    rng = np.random.default_rng(0)
    strong, weak = rng.integers(0, 2, (2, 400))
    y = 2 * strong + weak
    y = np.where(rng.random(400) < 0.1, rng.integers(0, 4, 400), y)
    return np.column_stack([strong, 1 - strong, np.where(rng.random(400) < 0.2, 1 - weak, weak), rng.integers(0, 2, 400)]), y


@pytest.mark.parametrize("cls", [ap.MRMR, ap.JMI, ap.CMIM], ids=lambda cls: cls.__name__)
def test_a_copy_is_redundant(cls):
    """The copy says as much of the class, and is not chosen. (DISR divides by an entropy that a copy leaves small.)"""
    X, y = redundant()
    model = cls(2).fit(X, y)
    assert model.relevance_[0] == model.relevance_[1]
    assert model.order_.tolist() == [0, 2]
    assert model.ties_.tolist() == [1, 0]  # the strong one and its copy: the first in the table


@pytest.mark.parametrize("cls", FILTERS[1:], ids=lambda cls: cls.__name__)
def test_exclusive_or(cls):
    """Of a pair that only together tells the class, one is hinted at: its partner is next. mRMR takes noise that is as good."""
    rng = np.random.default_rng(0)
    a, b, noise, other = rng.integers(0, 2, (4, 1000))
    y = np.where(rng.random(1000) < 0.2, a, a ^ b)
    X = np.column_stack([noise, other, a, b])
    assert ap.MRMR(4).fit(X, y).order_[0] == 2
    assert ap.MRMR(4).fit(X, y).relevance_[3] < 0.01
    assert cls(4).fit(X, y).order_[:2].tolist() == [2, 3]
    assert ap.JMI(2).fit(X, y).order_scores_[1] > 5 * ap.JMI(2).fit(X, y).relevance_[2]


# ---- ties, cuts, and columns without a say --------------------------------------------------------------------------------


@every
def test_ties_are_the_first_in_the_table(cls):
    """Columns whose information differs by rounding only are equal: the first is chosen, and how many they were is told."""
    X, y = codes(1)
    twice = np.column_stack([X[:, ::-1], 7 - X])  # each column twice, under other names
    model = cls(1).fit(twice, y)
    first = int(model.order_[0])
    assert first < X.shape[1]
    assert model.ties_[0] == 1


def took_part(model):
    """The columns that could be chosen: the others share the last rank."""
    last = model.ranking_.max()
    return np.flatnonzero(model.ranking_ < last) if (model.ranking_ == last).sum() > 1 else np.arange(len(model.ranking_))


def test_first_cut():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 40)), rng.integers(0, 2, 60)
    model = ap.JMI(5, first_cut=0.2).fit(X, y)
    inside = np.sort(np.argsort(-model.relevance_, kind="stable")[:8])
    assert took_part(model).tolist() == inside.tolist()
    alone = ap.JMI(5).fit(X[:, inside], y)
    assert model.order_.tolist() == inside[alone.order_].tolist()
    assert ap.JMI(20, first_cut=0.2).fit(X, y).support_.sum() == 20  # never fewer than are kept


def test_many_columns_are_cut():
    """Of more than a thousand columns, a fifth takes part, as the course has it."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (30, 1200)), rng.integers(0, 2, 30)
    assert len(took_part(ap.MRMR(5).fit(X, y))) == 240
    assert len(took_part(ap.MRMR(5, first_cut=1.0).fit(X, y))) == 1200
    assert len(took_part(ap.MRMR(5).fit(X[:, :1000], y))) == 1000


@every
def test_constant_and_missing_columns_have_no_say(cls):
    X, y = codes(2)
    X = np.column_stack([np.full(len(X), 3.0), X, np.full(len(X), np.nan)])
    model = cls(4).fit(X, y)
    assert not model.support_[[0, -1]].any()
    assert model.scores_[[0, -1]].tolist() == [0, 0]
    assert took_part(model).tolist() == list(range(1, X.shape[1] - 1))
    assert model.order_.tolist() == (cls(4).fit(X[:, 1:-1], y).order_ + 1).tolist()


@every
def test_bad_input(cls):
    X, y = codes(0)
    with pytest.raises(ValueError, match=r"keep=10 of .* is more than the 9 columns"):
        cls(10).fit(X, y)
    with pytest.raises(ValueError, match="every column is constant"):
        cls().fit(np.ones((10, 2)), np.arange(10) % 2)
    with pytest.raises(ValueError, match="keep of"):
        cls(0).fit(X, y)
    with pytest.warns(UserWarning, match="keeps 1 columns instead of 2"):
        cls(2).fit(np.column_stack([X[:, 0], np.ones(len(X))]), y)


# ---- kinds of columns ----------------------------------------------------------------------------------------------------


def test_missing_cells_leave_their_pairs_out():
    """A pair of columns is counted on the rows that know both."""
    X, y = codes(3)
    X = X.astype(float)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = ap.MRMR(3).fit(X, y)

    def known(*columns):
        rows = ~np.isnan(np.column_stack(columns)).any(axis=1)
        return [column[rows] for column in columns]

    def information(a, b):
        a, b = known(a, b)
        return mutual([a], [b])

    relevance = np.array([information(x, y) for x in X.T])
    first = int(relevance.argmax())
    J = np.array([r - information(x, X[:, first]) for r, x in zip(relevance, X.T, strict=True)])
    J[first] = -np.inf
    np.testing.assert_allclose(model.relevance_, relevance, rtol=1e-12)
    assert model.order_[:2].tolist() == [first, int(J.argmax())]


@every
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_words(cls, library):
    """Words are codes, and the chosen columns come as they are, in a frame of the same library."""
    X, y = codes(0)
    words = {f"c{j}": [f"level {v}" for v in x] for j, x in enumerate(X.T)}
    model = cls(3).fit(library(words), np.array(["a", "b", "c"])[y])
    assert model.order_.tolist() == cls(3).fit(X, y).order_.tolist()
    chosen = model.transform(library(words))
    assert isinstance(chosen, library)
    assert list(chosen.columns) == [f"c{j}" for j in sorted(model.order_)]
    assert model.get_feature_names_out().tolist() == list(chosen.columns)


def test_numbers_are_cut_where_equally_many_lie():
    """Any rising function of a column leaves the choice as it is; equal widths do not."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6))
    y = (X[:, 1] + X[:, 4] + 0.5 * rng.standard_normal(200) > 0).astype(int)
    here, there = ap.JMI(4).fit(X, y), ap.JMI(4).fit(np.exp(3 * X) * [1, 1e150, 1e-150, 1, 1, 2**30], y)
    assert here.order_.tolist() == there.order_.tolist()
    assert np.array_equal(here.order_scores_, there.order_scores_)
    assert set(here.order_[:2]) == {1, 4}


def cut(x, count):
    """R's cut(x, count): intervals of equal width, closed on the right."""
    inside = np.linspace(x.min(), x.max(), count + 1)[1:-1]
    return np.searchsorted(inside, x, side="left")


def test_bins_of_equal_width():
    """As praznik cuts numbers: n/3 bins, at least 2 and at most 10."""
    X, y = ap.datasets.load("iris", return_X_y=True)
    for rows, bins in ((slice(None), 10), (slice(40, 61), 7), (slice(48, 53), 2)):
        some = X[rows] * np.pi  # not whole
        model = ap.JMI(2, bins="uniform").fit(some, y[rows])
        np.testing.assert_allclose(model.relevance_, [mutual([cut(x, bins)], [y[rows]]) for x in some.T], atol=1e-12)
    binned = np.column_stack([cut(x, 10) for x in X.T])
    assert ap.JMI(4, bins="uniform").fit(X, y).order_.tolist() == forward(ap.JMI, binned, y, 4)[0]


def test_bins_where_the_classes_differ():
    X, y = ap.datasets.load("iris", return_X_y=True)
    binned = ap.MDLDiscretizer().fit(X, y).transform(X)
    assert ap.MRMR(3, bins="mdl").fit(X, y).order_.tolist() == ap.MRMR(3).fit(binned, y).order_.tolist()


def test_whole_numbers_of_few_values_are_codes():
    rng = np.random.default_rng(0)
    few, many = rng.integers(0, 10, 120), rng.integers(0, 40, 120)
    rows = ap.MRMR().open(np.column_stack([few, many, few == 3]), rng.integers(0, 2, 120))
    assert ColumnCodes.of(rows, "quantile", None).levels.tolist() == [10, 10, 2]
    assert ColumnCodes.of(rows, "quantile", 4).levels.tolist() == [10, 4, 2]


def test_a_quantity_as_target():
    """A target of numbers is cut as columns are."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 5))
    y = X[:, 3] ** 2 + 0.1 * rng.standard_normal(300)
    bins = np.floor(10 * y.argsort().argsort() / 300).astype(int)
    model = ap.MRMR(2).fit(X, y)
    assert model.order_[0] == 3
    assert model.order_.tolist() == ap.MRMR(2).fit(X, bins).order_.tolist()
    assert len(ap.MRMR(2).fit(X, np.arange(300) % 40).classes_) == 40  # few of many rows: classes


@every
def test_column_order(cls):
    """Another order of the columns chooses the same ones, where nothing is tied."""
    X, y = codes(0)
    order = np.random.default_rng(0).permutation(X.shape[1])
    assert order[cls(5).fit(X[:, order], y).order_].tolist() == cls(5).fit(X, y).order_.tolist()


@every
def test_far_from_zero(cls):
    rng = np.random.default_rng(0)
    X = np.round(rng.standard_normal((80, 5)) * 2**10) / 2**10
    y = (X[:, 2] > 0).astype(int)
    here, there = cls(4).fit(X, y), cls(4).fit(X + 2.0**30, y)
    assert np.array_equal(here.order_, there.order_)
    assert np.array_equal(here.order_scores_, there.order_scores_)


def test_a_budget_keeps_the_best_so_far():
    X, y = codes(0)
    with warnings.catch_warnings(), ap.training(budget=0):
        warnings.simplefilter("ignore")
        ahead, back = ap.JMI(5).fit(X, y), ap.JMI(5, direction="backward").fit(X, y)
    assert ahead.order_.tolist() == ap.JMI(1).fit(X, y).order_.tolist()
    assert back.support_.all()


def test_columns_of_many_levels():
    """Names of rows as a column: counted without a table of all combinations."""
    rng = np.random.default_rng(0)
    names = np.array([f"row {i}" for i in range(3000)])
    table = pd.DataFrame({"id": names, "other": rng.permutation(names), "a": rng.integers(0, 3, 3000)})
    model = ap.JMI(2).fit(table, table["a"].to_numpy() % 2)
    np.testing.assert_allclose(model.relevance_, [H(table["a"] % 2)] * 3, rtol=1e-9)
    assert model.order_.tolist() == [0, 1]  # tied, all of them
    assert model.ties_.tolist() == [2, 1]
