"""Mutual information: scikit-learn's answers, known distributions, and what chance gives."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.special import digamma
from scipy.stats import chi2_contingency
from sklearn import feature_selection
from sklearn.metrics import mutual_info_score

import aprendiz as ap
from aprendiz.selection.information.count_information import by_counts

PAIRS = [
    (ap.mutual_info_classif, feature_selection.mutual_info_classif),
    (ap.mutual_info_regression, feature_selection.mutual_info_regression),
]
each = pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=["classif", "regression"])


def table(seed=0, rows=300):
    """Columns that depend on the target in several ways, and one that does not."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    X = rng.standard_normal((rows, 5))
    X[:, 0] += y
    X[:, 1] *= 1 + y
    X[:, 2] = np.maximum(X[:, 2], 0.0)
    return X, y


# ---- drop-ins ------------------------------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_scikit_learn_on_its_tables(ours, theirs, name, k):
    """The same seed gives the same noise, and so the same answer."""
    X, y = ap.datasets.load(name, return_X_y=True)
    y = np.unique(y, return_inverse=True)[1] if ours is ap.mutual_info_classif else X[:, 0]
    found = ours(X, y, n_neighbors=k, random_state=7)
    np.testing.assert_allclose(found, theirs(X, y, n_neighbors=k, random_state=7), atol=1e-10)


@each
@pytest.mark.parametrize("discrete", [True, [0, 3], np.array([True, False, False, True, False])], ids=["all", "places", "mask"])
def test_discrete_features(ours, theirs, discrete):
    X, y = table()
    X = np.round(2 * X) if discrete is True else np.column_stack([np.round(X[:, 0]), X[:, 1:3], np.round(X[:, 3]), X[:, 4]])
    y = y if ours is ap.mutual_info_classif else X[:, 4] + 0.01 * np.arange(len(y)) % 0.7
    found, expected = (f(X, y, discrete_features=discrete, random_state=0) for f in (ours, theirs))
    alike = np.isclose(found, expected, atol=1e-10)
    if ours is ap.mutual_info_classif:
        assert alike.all()
    for j in np.flatnonzero(~alike):  # distances in small groups are there differences of squares, rounded more than the noise
        assert found[j] == pytest.approx(expected[j], abs=0.1)


@each
def test_sparse(ours, theirs):
    X = sparse.random_array((120, 6), density=0.3, rng=np.random.default_rng(0), format="csr")
    X.data[:] = np.ceil(3 * X.data)
    y = np.arange(120) % 3
    y = y if ours is ap.mutual_info_classif else y + np.linspace(0, 5, 120)
    dense = ours(X.toarray(), y, discrete_features=True, random_state=1)
    np.testing.assert_allclose(ours(X, y, random_state=1), dense, atol=1e-12)
    if ours is ap.mutual_info_classif:
        np.testing.assert_allclose(ours(X, y), theirs(X, y), atol=1e-12)
    with pytest.raises(ValueError, match="can't have continuous features"):
        ours(X, y, discrete_features=False)


@each
def test_data_frames_words_and_missing_cells(ours, theirs):
    """A word is a code; a missing cell leaves its row out for that column."""
    X, y = table()
    y = y if ours is ap.mutual_info_classif else X[:, 0] + X[:, 3]
    known = np.random.default_rng(1).random(len(y)) < 0.7
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(known, X[:, 1], np.nan), "c": np.where(X[:, 0] > 1, "high", "low")})
    found = ours(frame, y, random_state=0)
    assert found[0] == pytest.approx(ours(X[:, :1], y, random_state=0)[0], abs=1e-3)
    assert found[1] == pytest.approx(ours(X[known, 1:2], y[known], random_state=0)[0], abs=1e-2)
    codes = (X[:, :1] > 1).astype(float)
    assert found[2] == pytest.approx(ours(codes, y, discrete_features=True, random_state=0)[0], abs=1e-2)


@each
def test_bad_input(ours, theirs):
    X, y = table(rows=20)
    y = y.astype(float) if ours is ap.mutual_info_regression else y
    for wrong in ({"n_neighbors": 0}, {"n_neighbors": 1.5}, {"discrete_features": "all"}, {"discrete_features": [0, 5]}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ours(X, y, **wrong)
    for beyond in ([0, 5], [True] * 6):
        with pytest.raises(IndexError, match="discrete_features"):
            ours(X, y, discrete_features=beyond)
    with pytest.raises(ValueError, match="inf"):
        ours(np.where(X.max() == X, np.inf, X), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ours(X, y[:-1])
    if ours is ap.mutual_info_classif:
        with pytest.raises(ValueError, match="continuous"):
            ours(X, y + 0.5)
    else:
        with pytest.raises(ValueError, match="n_neighbors < n_samples"):
            ours(X, y, n_neighbors=20)


@each
def test_units_do_not_matter(ours, theirs):
    """Neither far from zero nor tiny, huge, or mixed."""
    X, y = table()
    X = np.round(X * 2**20) / 2**20
    y = y if ours is ap.mutual_info_classif else np.round((X[:, 0] + X[:, 1]) * 2**10) / 2**10
    here = ours(X, y, random_state=0)
    np.testing.assert_allclose(ours(X * [2.0**-500, 1, 2.0**500, -1, 2.0**20], y, random_state=0), here, atol=1e-3)
    np.testing.assert_allclose(ours(X + 2.0**30, y, random_state=0), here, atol=1e-3)


@each
def test_columns_without_information(ours, theirs):
    X, y = table()
    X = np.column_stack([np.full(len(y), 7.0), np.full(len(y), np.nan), X[:, 0]])
    y = y if ours is ap.mutual_info_classif else X[:, 2]
    found = ours(X, y, random_state=0)
    assert found[0] < 0.1
    assert found[1] == 0
    assert found[2] > 0.1


# ---- known distributions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.95])
def test_normal_pairs(rho):
    """I = −½ log(1 − ρ²) of a bivariate normal distribution: the mean of many estimates is within three of its errors."""
    rng = np.random.default_rng(int(100 * rho))
    X = rng.standard_normal((400, 60))
    y = rng.standard_normal(400)
    X = rho * y[:, None] + np.sqrt(1 - rho**2) * X
    found = np.array([ap.mutual_information(X, y, method="neighbors", random_state=0).unbiased])
    error = found.std() / np.sqrt(found.size) + 0.004  # columns share y
    assert found.mean() == pytest.approx(-0.5 * np.log(1 - rho**2), abs=3 * error)


def joint(kind):
    """Joint probabilities of a column and the class."""
    independent = np.outer([0.5, 0.3, 0.2], [0.6, 0.4])
    coupled = np.array([[0.3, 0.05], [0.1, 0.2], [0.05, 0.3]])
    return {"independent": independent, "coupled": coupled, "rare": np.array([[0.9, 0.05], [0.02, 0.03]])}[kind]


@pytest.mark.parametrize("kind", ["independent", "coupled", "rare"])
@pytest.mark.parametrize("rows", [60, 200])
def test_corrected_counts_have_no_bias(kind, rows):
    """Of 4000 samples of a known distribution, the mean of the corrected estimate is within three standard errors of the truth
    and of what (2) of count_information.py leaves; that of the plain one is not."""
    rng, p = np.random.default_rng([rows, len(kind)]), joint(kind)
    truth = float((p * np.log(p / np.outer(p.sum(axis=1), p.sum(axis=0)))).sum())
    cells = rng.choice(p.size, (4000, rows), p=p.ravel())
    codes, classes = cells // p.shape[1], cells % p.shape[1]
    corrected = [by_counts(a[None].astype(np.int32), y, corrected=True)[0] for a, y in zip(codes, classes, strict=True)]
    plain = [by_counts(a[None].astype(np.int32), y)[0] for a, y in zip(codes, classes, strict=True)]
    left = (np.sum((1 - p) ** rows) + sum(((1 - p.sum(axis=axis)) ** rows).sum() for axis in (0, 1))) / rows * 3
    error = 3 * np.std(corrected) / np.sqrt(4000)
    assert np.mean(corrected) == pytest.approx(truth, abs=error + left)
    assert np.mean(plain) > truth + error


def test_plain_counts_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 5, (4, 100)).astype(np.int32), rng.integers(0, 3, 100)
    np.testing.assert_allclose(by_counts(codes, y), [mutual_info_score(a, y) for a in codes], rtol=1e-12)


def test_the_correction_is_ross_of_equal_cells():
    """ψ(n) + ⟨ψ(N_ay)⟩ − ⟨ψ(N_a)⟩ − ⟨ψ(N_y)⟩ over the rows."""
    rng = np.random.default_rng(0)
    a, y = rng.integers(0, 4, 50), rng.integers(0, 3, 50)
    alike = [[(a == a[i]).sum(), (y == y[i]).sum(), ((a == a[i]) & (y == y[i])).sum()] for i in range(50)]
    n_a, n_y, n_ay = np.array(alike).T
    expected = digamma(50) + np.mean(digamma(n_ay) - digamma(n_a) - digamma(n_y))
    assert by_counts(a[None].astype(np.int32), y, corrected=True)[0] == pytest.approx(expected, rel=1e-12)


# ---- chance --------------------------------------------------------------------------------------------------------------


def test_p_of_the_chi_square_distribution():
    """The likelihood ratio test of independence."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (80, 3)), rng.integers(0, 3, 80)
    expected = [chi2_contingency(pd.crosstab(x, y), correction=False, lambda_="log-likelihood").pvalue for x in X.T]
    np.testing.assert_allclose(ap.mutual_information(X, y).pvalues, expected, rtol=1e-9)


@pytest.mark.parametrize("method", ["counts", "adaptive", "neighbors"])
def test_p_of_permutations(method):
    """Of pure noise, p ≤ α in a part α of the columns; of a column that tells the class, it is the smallest there is."""
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((50, 61)), np.arange(50) % 2
    X[:, 0] += 4 * y
    found = ap.mutual_information(X, y, method=method, permutations=99, random_state=3)
    assert found.pvalues[0] == 0.01
    assert (found.pvalues[1:] >= 0.01).all()
    for alpha in (0.05, 0.2):
        assert (found.pvalues[1:] <= alpha).mean() < alpha + 3 * np.sqrt(alpha / 60)
    again = ap.mutual_information(X, y, method=method, permutations=99, random_state=3)
    assert np.array_equal(found.pvalues, again.pvalues)


def test_permutations_by_brute_force():
    """(3) of count_information.py, for all orders of a small target."""
    x, y = np.array([0, 0, 0, 1, 1, 1, 0]), np.array([0, 0, 0, 1, 1, 1, 1])
    here = mutual_info_score(x, y)
    orders = [np.isin(np.arange(7), places).astype(int) for places in combinations(range(7), 4)]
    exact = np.mean([mutual_info_score(x, other) >= here - 1e-12 for other in orders])
    found = ap.mutual_information(x[:, None], y, permutations=4000).pvalues[0]
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact / 4000))


def test_adaptive_bins_of_noise_say_nothing():
    """A column is cut only where that pays."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 30)), np.arange(200) % 2
    X[:, 3] += 2 * y
    found = ap.mutual_information(X, y, method="adaptive").value
    assert found[3] > 0.2
    assert np.delete(found, 3).max() < 0.1
    assert (np.delete(found, 3) == 0).sum() > 25
    assert found[3] == pytest.approx(ap.MDLDiscretizer().fit(X, y).gain_[3] * np.log(2), rel=1e-12)


def test_a_quantity():
    """Each method knows a target of numbers."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = X[:, 1] ** 2 + 0.1 * rng.standard_normal(300)
    for method in ("counts", "adaptive", "neighbors"):
        assert ap.mutual_information(X, y, method=method).value.argmax() == 1


def test_what_is_printed():
    X, y = table(rows=40)
    assert str(ap.mutual_information(X, y)).startswith("MutualInformation(value=[")
    for wrong in ({"method": "kernel"}, {"bins": "equal"}, {"n_bins": 1}, {"permutations": -1}, {"n_neighbors": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ap.mutual_information(X, y, **wrong)
