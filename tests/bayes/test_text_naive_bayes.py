"""BernoulliNB, MultinomialNB, ComplementNB: by hand and by scikit-learn; sparse tables, zero counts, many columns."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes as theirs

import aprendiz
from aprendiz import BernoulliNB, ComplementNB, MultinomialNB

pytestmark = pytest.mark.filterwarnings("ignore:.*never occurs in class")  # what zeros do is asked for here

RNG = np.random.default_rng(3)
N = 150
KIND = RNG.permutation(np.repeat([0, 1, 2], [80, 50, 20]))
Y = np.array(["ash", "birch", "cedar"])[KIND]
COUNTS = RNG.poisson(np.array([[1.0, 0.2, 2.0, 0.5], [0.3, 1.5, 1.0, 0.5], [0.5, 0.5, 0.5, 2.0]])[KIND]).astype(float)
WEIGHT = RNG.integers(0, 9, size=N) / 4
MODELS = [BernoulliNB, MultinomialNB, ComplementNB]
SAID = ("predict_proba", "predict_log_proba", "predict_joint_log_proba")
FORMS = {"dense": np.asarray, "csr": sparse.csr_matrix, "csc": sparse.csc_array}
every = pytest.mark.parametrize("cls", MODELS, ids=lambda cls: cls.__name__)


def twin(cls):
    return getattr(theirs, cls.__name__)


def assert_same(ours, expected):
    for name in ("class_count_", "feature_count_", "feature_log_prob_", "class_log_prior_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(expected, name), rtol=1e-12, atol=1e-14, err_msg=name)


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("settings", [{}, {"alpha": 0.1, "fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}], ids=str)
def test_same_as_scikit_learn(cls, form, weight, settings):
    """Counts, logarithms and what is said of the rows."""
    X = FORMS[form](COUNTS)
    ours, expected = cls(**settings).fit(X, Y, weight), twin(cls)(**settings).fit(X, Y, weight)
    assert_same(ours, expected)
    assert np.array_equal(ours.predict(X), expected.predict(X))
    for method in SAID:
        np.testing.assert_allclose(getattr(ours, method)(X), getattr(expected, method)(X), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("cls", "settings"), [(BernoulliNB, {"binarize": 1.0}), (ComplementNB, {"norm": True})])
@pytest.mark.parametrize("form", FORMS)
def test_own_parameters(cls, settings, form):
    """A threshold above 0, and weights that are divided by their sum."""
    X = FORMS[form](COUNTS)
    ours, expected = cls(**settings).fit(X, Y), twin(cls)(**settings).fit(X, Y)
    assert_same(ours, expected)
    np.testing.assert_allclose(ours.predict_proba(X), expected.predict_proba(X), rtol=1e-11)


@pytest.mark.parametrize("cls", [MultinomialNB, ComplementNB], ids=lambda cls: cls.__name__)
def test_alpha_by_column(cls):
    """Each column may have an α of its own."""
    alpha = [0.1, 1.0, 2.0, 0.5]
    assert_same(cls(alpha=alpha).fit(COUNTS, Y), twin(cls)(alpha=alpha).fit(COUNTS, Y))


# ---- by hand -----------------------------------------------------------------------------------------------------------


def share(cls, X, row, k, alpha):
    """P(row | k) with α added to the counts, in rational numbers, without the number of orders of the words."""
    mine = X[k == KIND]
    product = Fraction(1)
    for j, x in enumerate(row):
        if cls is MultinomialNB:
            product *= ((int(mine[:, j].sum()) + alpha) / (int(mine.sum()) + alpha * X.shape[1])) ** int(x)
        else:
            yes = (int((mine[:, j] > 0).sum()) + alpha) / (len(mine) + 2 * alpha)
            product *= yes if x > 0 else 1 - yes
    return product


@pytest.mark.parametrize("cls", [BernoulliNB, MultinomialNB], ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("alpha", [Fraction(1), Fraction(1, 4)], ids=str)
def test_posterior_by_hand(cls, alpha):
    """The posterior in rational numbers."""
    P = cls(alpha=float(alpha)).fit(COUNTS, Y).predict_proba(COUNTS[:10])
    for row, p in zip(COUNTS[:10], P, strict=True):
        joint = [Fraction(int((k == KIND).sum()), N) * share(cls, COUNTS, row, k, alpha) for k in range(3)]
        np.testing.assert_allclose(p, [float(one / sum(joint)) for one in joint], rtol=1e-12)


def test_bernoulli_probabilities_sum_to_one():
    """Over all answers that there can be, p(x | k) sums to 1, be some answers certain (α = 0) or not."""
    answers = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], float)
    X = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1.0]])
    for alpha in (0.0, 0.5):
        model = BernoulliNB(alpha=alpha).fit(X, [0, 0, 1, 1])
        total = np.exp(model.predict_joint_log_proba(answers) - model.class_log_prior_).sum(axis=0)
        np.testing.assert_allclose(total, 1, rtol=1e-14)


# ---- sparse tables -----------------------------------------------------------------------------------------------------


@every
def test_sparse_tables_stay_sparse(cls, monkeypatch):
    """No block of a sparse table is made dense, in the fit or afterwards."""
    wide = sparse.random(300, 5000, density=0.01, format="csr", random_state=0)
    monkeypatch.setattr(sparse.csr_matrix, "toarray", None)
    y = np.arange(300) % 3
    P = cls().fit(wide, y).predict_proba(wide)
    monkeypatch.undo()
    np.testing.assert_allclose(P, twin(cls)().fit(wide, y).predict_proba(wide), rtol=1e-9, atol=1e-13)


@every
def test_cells_stored_in_parts(cls):
    """A cell stored as 1 + 1 is a 2, and a stored zero is a zero, also where its word has probability 0."""
    whole = sparse.csr_matrix(np.array([[2.0, 0, 1], [0, 3, 1], [1, 1, 0]]))
    parts = sparse.csr_matrix(([1.0, 1, 1, 0, 3, 1, 1, 1], [0, 0, 2, 0, 1, 2, 0, 1], [0, 3, 6, 8]), shape=(3, 3))
    assert (parts != whole).nnz == 0
    model, other = cls().fit(whole, [0, 1, 1]), cls().fit(parts, [0, 1, 1])
    np.testing.assert_allclose(other.feature_log_prob_, model.feature_log_prob_, rtol=1e-15)
    np.testing.assert_allclose(other.predict_proba(parts), model.predict_proba(whole), rtol=1e-14)


def test_stored_zeros_of_impossible_words():
    """0 · log 0 = 0: a stored zero excludes no class."""
    X = sparse.csr_matrix(([1.0, 1.0, 0.0], [0, 1, 1], [0, 1, 3]), shape=(2, 2))
    X.indices[2] = 0
    model = MultinomialNB(alpha=0).fit(X, ["a", "b"])
    np.testing.assert_array_equal(model.predict_proba(X), [[1, 0], [0, 1]])


@every
def test_partial_fit_of_sparse_batches(cls):
    """Sparse batches, some of which lack classes, give the totals of one fit, to the bit: counts round nothing."""
    model, X = cls(), sparse.csr_matrix(COUNTS)
    for part in np.split(np.argsort(KIND, kind="stable"), [10, 90]):
        model.partial_fit(X[part], Y[part], classes=np.unique(Y))
    assert np.array_equal(model.feature_count_, cls().fit(COUNTS, Y).feature_count_)


# ---- zeros, many columns -----------------------------------------------------------------------------------------------


def test_a_word_that_a_class_never_had():
    """With α = 0 it excludes the class, with α > 0 it does not; a text that no class could write gets the prior."""
    X = np.array([[2, 0, 1], [1, 0, 1], [0, 2, 1.0]])
    strict = MultinomialNB(alpha=0).fit(X, ["a", "a", "b"])
    np.testing.assert_array_equal(strict.predict_proba([[1, 0, 5], [0, 1, 5.0]]), [[1, 0], [0, 1]])
    assert strict.certificate_.zeros == 2
    assert not strict.certificate_.holds
    with pytest.warns(UserWarning, match=r"1 row has probability 0.*alpha > 0"):
        np.testing.assert_allclose(strict.predict_proba([[1, 1, 0.0]]), [[2 / 3, 1 / 3]])
    assert MultinomialNB().fit(X, ["a", "a", "b"]).certificate_.holds


def test_complement_of_one_class():
    """A word of one class only has no weight there without α: refused with column, class and remedy."""
    with pytest.raises(ValueError, match=r"Column 1 occurs in no class but 'b'.*alpha > 0"):
        ComplementNB(alpha=0).fit([[1, 0], [1, 2], [1, 0]], ["a", "b", "c"])


@every
def test_ten_thousand_columns(cls):
    """The product underflows, its logarithm does not: posteriors are numbers that sum to 1."""
    X = np.random.default_rng(0).poisson(1.0, size=(40, 10_000)).astype(float)
    P = cls().fit(X, np.arange(40) % 2).predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)


def test_bad_cells():
    """Negative counts and answers that are neither 0 nor 1 are refused with row, column, value and remedy."""
    X = COUNTS.copy()
    X[7, 2] = -3
    for table in (X, sparse.csr_matrix(X)):
        with pytest.raises(ValueError, match=r"MultinomialNB.*-3 in row 7, column 2.*GaussianNB"):
            MultinomialNB().fit(table, Y)
        with pytest.raises(ValueError, match=r"-3 in row 7, column 2.*threshold"):
            BernoulliNB(binarize=None).fit(np.minimum(X, 1) if table is X else sparse.csr_matrix(np.minimum(X, 1)), Y)


def test_files(tmp_path):
    """The rows of a file give the totals of the rows in memory."""
    import pandas as pd

    pd.DataFrame(COUNTS, columns=list("abcd")).assign(y=Y).to_parquet(tmp_path / "t.parquet")
    model = MultinomialNB().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    assert np.array_equal(model.feature_count_, MultinomialNB().fit(COUNTS, Y).feature_count_)
