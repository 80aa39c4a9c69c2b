"""Fisher's discriminant: the directions against their definition, the rules in the projected space, singular scatters."""

import numpy as np
import pytest
from scipy import linalg
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import aprendiz
from aprendiz import FisherDiscriminant, StollerCut

RNG = np.random.default_rng(3)
MIXING = np.eye(4) + 0.5 * RNG.normal(size=(4, 4))
THREE = np.arange(150) % 3
X3 = (RNG.normal(size=(150, 4)) + np.array([[0, 0, 0, 0], [2, 0, 1, 0], [0, 2, 0, 1]])[THREE]) @ MIXING
TWO = THREE[THREE < 2]
X2 = X3[THREE < 2]
WEIGHT = RNG.integers(1, 4, 150).astype(float)


def scatters(X, y, weight=None):
    """Means, S_k and S_E by the definition."""
    w = np.ones(len(y)) if weight is None else weight
    mean, means, within, between = np.average(X, axis=0, weights=w), [], [], 0.0
    for k in np.unique(y):
        Z, v = X[y == k], w[y == k]
        m = np.average(Z, axis=0, weights=v)
        means.append(m)
        within.append(((Z - m) * v[:, None]).T @ (Z - m))
        between = between + v.sum() * np.outer(m - mean, m - mean)
    return np.array(means), within, between


def assert_parallel(a, b, tolerance=1e-10):
    """Two vectors point the same way, or opposite ways."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    assert abs(abs(a @ b) - 1.0) < tolerance


# ---- two classes -----------------------------------------------------------------------------------------------------


def test_direction_of_two_classes():
    """a ∝ (S₀ + S₁)⁻¹(m₀ − m₁), and no other direction has a larger J."""
    model = FisherDiscriminant().fit(X2, TWO)
    (m0, m1), (S0, S1), _ = scatters(X2, TWO)
    a = np.linalg.solve(S0 + S1, m0 - m1)
    assert_parallel(model.coef_[0], a)
    assert_parallel(model.scalings_[:, 0], a)

    def criterion(a):
        return (a @ (m0 - m1)) ** 2 / (a @ (S0 + S1) @ a)

    np.testing.assert_allclose(model.J_, criterion(a), rtol=1e-10)
    assert all(criterion(other) <= model.J_ * (1 + 1e-12) for other in RNG.normal(size=(500, 4)))
    np.testing.assert_allclose(model.J_, (m0 - m1) @ a, rtol=1e-10)  # the value at the maximum


@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.9])
def test_weighted_scatters(p):
    """J₂: a ∝ (pS₀ + (1 − p)S₁)⁻¹(m₀ − m₁); equal weights give the direction of J."""
    model = FisherDiscriminant(weights=[p, 1 - p]).fit(X2, TWO)
    (m0, m1), (S0, S1), _ = scatters(X2, TWO)
    assert_parallel(model.coef_[0], np.linalg.solve(p * S0 + (1 - p) * S1, m0 - m1))
    np.testing.assert_allclose(model.within_, p * S0 + (1 - p) * S1, rtol=1e-10, atol=1e-10)


def test_the_cut_is_stollers():
    """The rule is the best cut of the projected rows: no threshold on them errs less."""
    model = FisherDiscriminant().fit(X2, TWO, sample_weight=WEIGHT[: len(TWO)])
    weight = WEIGHT[: len(TWO)]
    cut = StollerCut().fit(model.transform(X2), TWO, sample_weight=weight)
    assert model.score(X2, TWO, weight) == pytest.approx(1 - cut.error_)
    t = model.transform(X2)[:, 0]
    assert all(weight @ ((t > c) != TWO) / weight.sum() >= cut.error_ - 1e-12 for c in t)


def test_turned_classes():
    """A cut may turn the direction round: a small group of the second class far away on the other side moves the means only."""
    x = np.concatenate([np.linspace(0, 1, 40), np.linspace(-2, -1, 38), [60.0, 60.0]])[:, None]
    y = np.repeat([0, 1, 1], [40, 38, 2])
    model = FisherDiscriminant().fit(x, y)
    assert model.score(x, y) == pytest.approx(78 / 80)
    assert (model.decision_function(x) > 0).tolist() == (model.predict(x) == 1).tolist()


@pytest.mark.parametrize("frequent", [0, 1])
def test_one_class_for_all_rows(frequent):
    """Where the more frequent class alone is best, scores stay finite, and higher towards the second class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.full(60, frequent)
    inner = np.argsort(np.abs(X[:, 0] - 0.3) + np.abs(X[:, 1]))[:3]  # three rows in the middle of the others
    y[inner] = 1 - frequent
    model = FisherDiscriminant().fit(X, y)
    t = model.decision_function(X)
    assert (model.predict(X) == frequent).all()
    assert np.isfinite(t).all()
    assert t[y == 1].mean() > t[y == 0].mean()


# ---- more classes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_directions_of_more_classes(weight):
    """λ and v are those of S_D⁻¹S_E, S_T = S_D + S_E, variance 1 within classes and none in common."""
    model = FisherDiscriminant().fit(X3, THREE, sample_weight=weight)
    _, S, S_E = scatters(X3, THREE, weight)
    S_D = sum(S)
    values, vectors = linalg.eigh(S_E, S_D)
    np.testing.assert_allclose(model.eigenvalues_, values[::-1][:2], rtol=1e-9)
    for j in range(2):
        assert_parallel(model.scalings_[:, j], vectors[:, ::-1][:, j])
    np.testing.assert_allclose(model.within_, S_D, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.between_, S_E, rtol=1e-9, atol=1e-9)
    w = np.ones(150) if weight is None else weight
    Z = X3 - np.average(X3, axis=0, weights=w)
    np.testing.assert_allclose(model.within_ + model.between_, (Z * w[:, None]).T @ Z, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.scalings_.T @ S_D @ model.scalings_ / w.sum(), np.eye(2), atol=1e-10)
    assert model.explained_ratio_.sum() == pytest.approx(1.0)
    assert model.certificate_.holds


def test_nearest_projected_mean():
    """The class whose mean is nearest among the projections, with all directions and with one."""
    for r in (1, 2):
        model = FisherDiscriminant(r).fit(X3, THREE)
        T = model.transform(X3)
        assert T.shape == (150, r)
        centres = np.array([T[k == THREE].mean(axis=0) for k in range(3)])
        nearest = ((T[:, None, :] - centres) ** 2).sum(axis=2).argmin(axis=1)
        assert np.array_equal(model.predict(X3), nearest)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_same_space_as_scikit_learn(load):
    """The directions are those of scikit-learn's linear discriminant analysis, up to sign and length."""
    X, y = load(return_X_y=True)
    ours = FisherDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    for j in range(ours.scalings_.shape[1]):
        assert_parallel(ours.scalings_[:, j], theirs.scalings_[:, j], 1e-6)
    np.testing.assert_allclose(ours.explained_ratio_, theirs.explained_variance_ratio_[: len(ours.eigenvalues_)], rtol=1e-6)
    assert ours.score(X, y) > 0.95


def test_negligible_directions():
    """Class means on a line need one direction, though there are three classes; more can be asked for."""
    X = RNG.normal(size=(300, 3))
    y = np.arange(300) % 3
    for k in range(3):  # means exactly on a line
        X[y == k] += [k, 2.0 * k, 0.0] - X[y == k].mean(axis=0)
    assert FisherDiscriminant().fit(X, y).scalings_.shape == (3, 1)
    assert FisherDiscriminant(2).fit(X, y).scalings_.shape == (3, 2)


# ---- singular scatters -------------------------------------------------------------------------------------------------


def pseudo_inverse_direction(X, y):
    """S_D⁺(m₀ − m₁) in units of the standard deviations within classes."""
    (m0, m1), S, _ = scatters(X, y)
    unit = np.sqrt(np.diag(sum(S)))
    return np.linalg.pinv(sum(S) / unit / unit[:, None], rcond=1e-10, hermitian=True) @ ((m0 - m1) / unit) / unit


@pytest.mark.parametrize(("n", "d"), [(12, 30), (40, 41), (40, 40), (40, 39), (30, 200)])
def test_more_columns_than_rows(n, d):
    """The pseudo-inverse, whether the scatter is formed or not; the rows alone tell which way it is done."""
    X, y = RNG.normal(size=(n, d)), np.arange(n) % 2
    X[:, 0] += 3.0 * y
    model = FisherDiscriminant().fit(X, y)
    assert_parallel(model.coef_[0], pseudo_inverse_direction(X, y), 1e-7)
    assert (model.within_ is None) == (n <= d)
    assert model.certificate_.holds
    assert model.certificate_.rank == min(d, n - 2)


def test_repeated_and_constant_columns():
    """A column twice, or one that never changes, changes neither predictions nor projections."""
    plain = FisherDiscriminant().fit(X3, THREE)
    wider = np.column_stack([X3, X3[:, 1], np.full(150, 0.1)])
    model = FisherDiscriminant().fit(wider, THREE)
    np.testing.assert_allclose(model.transform(wider), plain.transform(X3), rtol=1e-8, atol=1e-8)
    assert model.certificate_.rank == 4


@pytest.mark.parametrize("unit", [1.0, 1e-12])
def test_a_column_that_separates_perfectly(unit):
    """A column that is constant in each class has J = ∞, in any unit, and alone; a column that never changes has no say."""
    X = np.column_stack([X2, np.full(len(TWO), 1e8 + 0.1), unit * TWO])
    model = FisherDiscriminant().fit(X, TWO)
    assert np.flatnonzero(model.coef_[0]).tolist() == [5]
    assert model.J_ == model.eigenvalues_[0] == np.inf
    assert model.explained_ratio_.tolist() == [1.0]
    assert model.certificate_.holds
    assert model.certificate_.infinite == 1
    assert model.certificate_.unused < 1e-20
    for columns in (X, X[:, -1:], X[:4], X[:, 3:]):  # also with more columns than rows
        assert FisherDiscriminant().fit(columns, TWO[: len(columns)]).score(columns, TWO[: len(columns)]) == 1.0


def test_a_direction_that_separates_perfectly():
    """Two columns that vary, but whose difference does not within classes: the limit of (S_D + εI)⁻¹(m₀ − m₁)."""
    X = np.column_stack([X2, X2[:, 0] + 0.25 * TWO])
    model = FisherDiscriminant().fit(X, TWO)
    assert_parallel(model.coef_[0], np.array([-1.0, 0, 0, 0, 1.0]), 1e-7)
    assert np.isinf(model.J_)
    assert model.score(X, TWO) == 1.0


def test_perfect_directions_of_more_classes():
    """A column tells the first of three classes from the others: λ = ∞ and the limit of S_E v = λ(S_D + ε·eeᵀ)v, ε → 0."""
    X = np.column_stack([X3, 7.0 * (THREE == 0)])
    model = FisherDiscriminant().fit(X, THREE)
    assert np.isinf(model.eigenvalues_).tolist() == [True, False]
    _, S, between = scatters(X, THREE)
    tiny = 1e-7 * np.outer(np.eye(5)[4], np.eye(5)[4])
    values, vectors = linalg.eigh(between, sum(S) + tiny)
    np.testing.assert_allclose(model.eigenvalues_[1], values[-2], rtol=1e-6)
    for j in (0, 1):
        assert_parallel(model.scalings_[:, j], vectors[:, -1 - j], 1e-6)
    v = model.scalings_[:, 1]
    np.testing.assert_allclose(between @ v, model.eigenvalues_[1] * sum(S) @ v, atol=1e-9 * np.abs(sum(S) @ v).max())
    assert (model.predict(X)[THREE == 0] == 0).all()
    others = FisherDiscriminant().fit(X3[THREE > 0], THREE[THREE > 0])
    assert model.score(X[THREE > 0], THREE[THREE > 0]) > others.score(X3[THREE > 0], THREE[THREE > 0]) - 0.05


def test_few_rows_prove_nothing():
    """With more columns than rows any labels have directions without variance that separate them: they have no say."""
    X, y = RNG.normal(size=(20, 40)), np.arange(20) % 2
    model = FisherDiscriminant().fit(X, y)
    assert model.certificate_.infinite == 0
    assert np.isfinite(model.J_)
    assert model.certificate_.unused > 0.1
    X[:, 7] = y  # a whole column is another matter
    assert np.flatnonzero(FisherDiscriminant().fit(X, y).coef_[0]).tolist() == [7]


def test_classes_far_apart():
    """Means 10⁷ deviations apart cost no digits: the scatter is summed around the means."""
    X = X2 + 1e7 * TWO[:, None]
    near, far = (FisherDiscriminant().fit(one, TWO) for one in (X2, X))
    np.testing.assert_allclose(far.within_, near.within_, rtol=1e-7)


@pytest.mark.parametrize("distance", [1e5, 1e10])
def test_one_class_far_apart(distance):
    """A fourth class far away does not hide the directions in which the others differ, nor cost them digits."""
    X = np.vstack([X3, X3[:30] + distance])
    model = FisherDiscriminant().fit(X, np.append(THREE, np.full(30, 3)))
    near = X3[THREE == 0].mean(axis=0)
    assert model.scalings_.shape == (4, 3)
    C, Z = (model.means_ - near) @ model.scalings_, (X3 - near) @ model.scalings_
    nearest = np.square(Z[:, None] - C).sum(axis=2).argmin(axis=1)
    assert (model.predict(X3) == nearest).all()


# ---- parameters, files -------------------------------------------------------------------------------------------------


def test_refusals():
    """Too many directions, weights of another number, and a class that weighs nothing, by name."""
    with pytest.raises(ValueError, match="n_components=3 must be at most 2"):
        FisherDiscriminant(3).fit(X3, THREE)
    with pytest.raises(ValueError, match=r"weights.*3 classes.*\(2,\)"):
        FisherDiscriminant(weights=[1, 2]).fit(X3, THREE)
    with pytest.raises(ValueError, match="class 'b' all weigh 0"):
        FisherDiscriminant().fit(X2, np.where(TWO, "b", "a"), sample_weight=1.0 - TWO)


def test_from_a_file(tmp_path):
    """Two classes from a Parquet file: the direction from sums, the cut from one number for each row; the bits of the array."""
    import pandas as pd

    frame = pd.DataFrame(X2, columns=list("abcd")).assign(y=np.where(TWO, "up", "down"))
    frame.to_parquet(tmp_path / "t.parquet")
    here = FisherDiscriminant().fit(X2, frame["y"].to_numpy(str))
    there = FisherDiscriminant().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    assert np.array_equal(here.coef_, there.coef_)
    assert np.array_equal(here.intercept_, there.intercept_)


def test_names_of_the_projections():
    assert FisherDiscriminant().fit(X3, THREE).get_feature_names_out().tolist() == [
        "fisherdiscriminant0",
        "fisherdiscriminant1",
    ]
