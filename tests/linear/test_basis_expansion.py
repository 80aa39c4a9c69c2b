"""BasisExpansion: each basis against its definition and, where scikit-learn has it, against scikit-learn's."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from numpy.polynomial import Polynomial
from scipy.interpolate import BSpline
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer

import aprendiz
from aprendiz import BasisExpansion, LinearRegression
from aprendiz.core.rows import block_rows

RNG = np.random.default_rng(3)
X = RNG.normal(size=(300, 3)) * [1.0, 3.0, 0.2] + [0.0, 2.0, -1.0]
BEYOND = np.vstack([3 * X, X.min(axis=0), X.max(axis=0), X])  # far outside the range of the fit, and its ends
LARGE = RNG.normal(size=(3 * block_rows(2) + 17, 2))
NAMED = ["polynomial", "gaussian", "sigmoid", "fourier", "haar", "spline"]
every_basis = pytest.mark.parametrize("basis", NAMED)


def expanded(basis, table, rows=None, **options):
    """The new columns of some rows, those of the fit unless others are given."""
    model = BasisExpansion(basis, **options).fit(table)
    return model.transform(table if rows is None else rows)


# ---- polynomials -------------------------------------------------------------------------------------------------------

DEGREES = [0, 1, 2, 3, 4, (1, 2), (2, 3), (3, 3), (0, 2)]


@pytest.mark.parametrize("degree", DEGREES, ids=str)
@pytest.mark.parametrize("interaction_only", [False, True], ids=["powers", "interactions"])
@pytest.mark.parametrize("include_bias", [False, True], ids=["", "bias"])
def test_polynomials_of_scikit_learn(degree, interaction_only, include_bias):
    """The same bits, in the same order, under the same names, in both precisions."""
    options = {"degree": degree, "interaction_only": interaction_only, "include_bias": include_bias}
    if degree == 0 and not include_bias:
        pytest.skip("nothing is left")
    for table in (X, X.astype(np.float32)):
        ours, theirs = BasisExpansion(**options).fit(table), PolynomialFeatures(**options).fit(table)
        Z = ours.transform(table)
        assert Z.dtype == table.dtype
        assert np.array_equal(Z, theirs.transform(table))
        assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())
        assert ours.n_output_features_ == theirs.n_output_features_ == Z.shape[1]


def test_more_degrees_than_columns():
    """Interactions end where the columns do; both options may leave nothing but what is asked for."""
    assert BasisExpansion(degree=9, interaction_only=True).fit(X).n_output_features_ == 2**3
    for options in ({"degree": 0}, {"degree": (4, 5), "interaction_only": True}):
        with pytest.raises(ValueError, match=r"degree=.*leaves no column"):
            BasisExpansion(include_bias=False, **options).fit(X)


def test_powers_are_horner():
    """A polynomial of one column, by its coefficients, is the linear model of the powers."""
    x, w = X[:, :1], np.array([1.0, -2.0, 0.5, 3.0])
    np.testing.assert_allclose(expanded("polynomial", x, degree=3) @ w, Polynomial(w)(x[:, 0]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("degree", "columns"), [(10**9, 3), (40, 100), (10**5, 1)])
def test_too_many_products(degree, columns):
    """Products that no memory holds are refused at once, with their number."""
    with pytest.raises(ValueError, match=r"degree=.*products.*choose a lower one"):
        BasisExpansion(degree=degree).fit(np.ones((5, columns)))


def test_powers_that_overflow():
    """Powers of the rows of the fit that are no numbers are refused with the column; interactions count other products."""
    wild = pd.DataFrame({"a": [1.0, 2.0], "b": [1e200, 1.0]})
    with pytest.raises(ValueError, match=r"1e\+200 in column 'b'.*scale"):
        BasisExpansion().fit(wild)
    Z = expanded("polynomial", wild, interaction_only=True)
    assert np.array_equal(np.asarray(Z)[0], [1.0, 1.0, 1e200, 1e200])
    with pytest.raises(ValueError, match="column 1"):
        BasisExpansion().fit(np.array([[1.0, 1e30], [2.0, 1.0]], np.float32))


def test_certificate_counts_digits():
    """Far from zero the square is almost a multiple of the column: 2 digits are lost for each of the offset."""
    near, far = (BasisExpansion().fit(X[:, :1] + offset).certificate_ for offset in (0.0, 1e6))
    assert near.holds
    assert not far.holds
    assert near.digits - far.digits == pytest.approx(2 * np.log10(1e6 / np.ptp(X[:, 0])), abs=0.6)


# ---- splines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degree", range(6))
@pytest.mark.parametrize("places", ["uniform", "quantile"])
@pytest.mark.parametrize("extrapolation", ["constant", "linear", "continue", "periodic", "error"])
@pytest.mark.parametrize("include_bias", [False, True], ids=["", "bias"])
def test_splines_of_scikit_learn(degree, places, extrapolation, include_bias):
    """The same columns and names, within the knots and beyond."""
    options = {"degree": degree, "extrapolation": extrapolation, "include_bias": include_bias}
    # scikit-learn 1.9: degree 0 cannot be constant beyond the knots; of degree 1, only the first column is linear there
    table = X[:, :1] if degree <= 1 else X
    rows = table if extrapolation == "error" or degree == 0 else BEYOND[:, : table.shape[1]]
    ours = BasisExpansion("spline", number=7, places=places, **options).fit(table)
    theirs = SplineTransformer(7, knots=places, **options).fit(table)
    expected = theirs.transform(rows)
    np.testing.assert_allclose(ours.transform(rows), expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())
    assert ours.n_output_features_ == expected.shape[1]


def test_given_knots():
    """Knots of one's own, for each column or for all of them."""
    knots = np.column_stack([np.sort(RNG.uniform(-3, 3, 5)), np.sort(RNG.uniform(-9, 9, 5)), np.sort(RNG.uniform(-2, 0, 5))])
    expected = SplineTransformer(knots=knots, extrapolation="linear").fit_transform(X)
    np.testing.assert_allclose(
        expanded("spline", X, places=knots, extrapolation="linear"), expected, atol=1e-12 * np.abs(expected).max()
    )
    same = expanded("spline", X, places=[-1.0, 0.0, 2.0], degree=2)
    assert np.array_equal(same, expanded("spline", X, places=np.repeat([[-1.0], [0.0], [2.0]], 3, axis=1), degree=2))


@pytest.mark.parametrize("extrapolation", ["constant", "linear", "continue", "periodic"])
@pytest.mark.parametrize("degree", range(5))
def test_splines_sum_to_one(degree, extrapolation):
    """So that no column of ones is needed, anywhere."""
    Z = expanded("spline", X, BEYOND, degree=degree, extrapolation=extrapolation)
    scale = np.abs(Z).max()
    np.testing.assert_allclose(Z.reshape(len(Z), 3, -1).sum(axis=2), 1.0, atol=1e-13 * max(1.0, scale))


def test_splines_hold_polynomials():
    """Every polynomial of the degree is a sum of the splines, also where they are continued."""
    x, new = X[:, :1], BEYOND[:, :1]
    for degree in range(1, 4):
        model = make_pipeline(
            BasisExpansion("spline", degree=degree, extrapolation="continue"), LinearRegression(fit_intercept=False)
        )
        model.fit(x, x[:, 0] ** degree)
        np.testing.assert_allclose(model.predict(new), new[:, 0] ** degree, rtol=1e-9, atol=1e-9)


def test_splines_are_scipys():
    """Another implementation of the recursion: SciPy's design matrix on the same knots."""
    t = np.arange(-3.0, 9.0)
    x = RNG.uniform(0.0, 5.0, 200)
    Z = expanded("spline", x[:, None], places=np.arange(0.0, 6.0))
    np.testing.assert_allclose(Z, BSpline.design_matrix(x, t, 3).toarray(), atol=1e-14)


def test_beyond_the_knots():
    """Refused with row and value; rows of a file with the value."""
    model = BasisExpansion("spline", extrapolation="error").fit(X)
    spoiled = X.copy()
    spoiled[17, 1] = 99.5
    with pytest.raises(ValueError, match=r"99\.5 in row 17 lies beyond the knots.*leave the row out"):
        model.transform(spoiled)
    with pytest.raises(ValueError, match=r"99\.5 lies beyond the knots"):
        list(model.transform(aprendiz.core.sources.arrays.ArrayRows(spoiled)).blocks())


def test_too_few_knots():
    """Splines need an interval, and around a period more knots than their degree."""
    for options, least in (({"number": 1}, 2), ({"number": 3, "extrapolation": "periodic"}, 4)):
        with pytest.raises(ValueError, match=f"number must be at least {least}"):
            BasisExpansion("spline", **options).fit(X)
        with pytest.raises(ValueError, match=f"at least {least} are needed"):
            BasisExpansion("spline", places=np.arange(float(options.pop("number"))), **options).fit(X)


def test_degree_of_splines():
    with pytest.raises(ValueError, match="degree must be a whole number of at least 0"):
        BasisExpansion("spline", degree=(1, 2)).fit(X)


# ---- bumps, steps, waves -------------------------------------------------------------------------------------------------


def test_gaussian_bumps():
    """exp(−(x − c)²/(2s²)): 1 at its centre, e^−½ one width away, with the names of the formula."""
    model = BasisExpansion("gaussian", places=[-0.5, 2.0], width=0.25).fit(X[:, :1])
    at = np.array([[-0.5], [-0.25], [2.0], [1.75]])
    near = np.exp([0.0, -0.5, 0.0, -0.5])
    np.testing.assert_allclose(model.transform(at)[[0, 1, 2, 3], [1, 1, 2, 2]], near, rtol=1e-15)
    assert list(model.get_feature_names_out()) == ["1", "exp(−(x0+0.5)²/(2·0.25²))", "exp(−(x0−2)²/(2·0.25²))"]


def test_sigmoid_steps():
    """σ((x − c)/s): ½ at its centre, and σ(t) + σ(−t) = 1 on either side."""
    model = BasisExpansion("sigmoid", places=[1.0], width=0.5, include_bias=False).fit(X[:, :1])
    left, middle, right = model.transform(np.array([[0.3], [1.0], [1.7]]))[:, 0]
    assert middle == 0.5
    assert left + right == pytest.approx(1.0, rel=1e-15)
    assert right == pytest.approx(1 / (1 + np.exp(-1.4)), rel=1e-14)
    assert list(model.get_feature_names_out()) == ["σ((x0−1)/0.5)"]


@pytest.mark.parametrize("basis", ["gaussian", "sigmoid"])
def test_where_centres_are(basis):
    """Evenly over the range, or at the quantiles; one width apart on average. Equal quantiles are one centre."""
    even, at_quantiles = (BasisExpansion(basis, number=4, places=places).fit(X) for places in ("uniform", "quantile"))
    for j, column in enumerate(X.T):
        np.testing.assert_allclose(even.places_[j], np.linspace(column.min(), column.max(), 4), rtol=1e-14)
        np.testing.assert_allclose(at_quantiles.places_[j], np.quantile(column, [0, 1 / 3, 2 / 3, 1]), rtol=1e-13)
    np.testing.assert_allclose(even.widths_, np.ptp(X, axis=0) / 3, rtol=1e-14)
    ties = np.repeat([0.0, 0.0, 0.0, 1.0], 25)[:, None]  # 0 at the first three of five levels
    assert BasisExpansion(basis, places="quantile").fit(ties).places_[0].tolist() == [0.0, 0.25, 1.0]
    alone = BasisExpansion(basis, number=1).fit(X[:, :1])
    assert alone.places_[0] == pytest.approx([(X[:, 0].min() + X[:, 0].max()) / 2])


def test_waves():
    """sin and cos of whole multiples: periodic, of unit length together, orthogonal over a period."""
    model = BasisExpansion("fourier", number=3, period=7.0).fit(X[:, :1])
    t = np.linspace(0.0, 7.0, 64, endpoint=False)[:, None]
    Z = model.transform(t)
    np.testing.assert_allclose(Z.T @ Z, np.diag([64.0, *[32.0] * 6]), atol=1e-12)
    np.testing.assert_allclose(model.transform(t + 7.0 * 2**20), Z, atol=1e-8)
    np.testing.assert_allclose(Z[:, 4] + 1j * Z[:, 3], np.exp(4j * np.pi * t[:, 0] / 7), atol=1e-12)
    assert list(model.get_feature_names_out())[:4] == ["1", "sin(2π·x0/7)", "cos(2π·x0/7)", "sin(2π·2·x0/7)"]


def test_period_of_the_fit():
    """Without a period, the range of each column is one."""
    model = BasisExpansion("fourier").fit(X)
    np.testing.assert_allclose(np.concatenate(model.places_), np.ptp(X, axis=0), rtol=1e-15)


@pytest.mark.parametrize("levels", [1, 2, 3, 5])
def test_haar_is_orthonormal(levels):
    """On 2ᴶ equal parts the wavelets and 1 are an orthonormal basis of all step functions: ZᵀZ = ZZᵀ = n·I."""
    parts = 2**levels
    middle = (np.arange(parts) + 0.5)[:, None] / parts
    model = BasisExpansion("haar", number=levels).fit(np.array([[0.0], [1.0]]))
    Z = model.transform(middle)
    assert Z.shape == (parts, parts)
    np.testing.assert_allclose(Z.T @ Z, parts * np.eye(parts), atol=1e-12)


def test_haar_by_its_definition():
    """2^{j/2}ψ(2ʲu − k) with ψ = 1 on [0, ½), −1 on [½, 1); the right end belongs to the last part, beyond is nothing."""

    def psi(u):
        return np.where((u >= 0) & (u < 0.5), 1.0, 0.0) - np.where((u >= 0.5) & (u < 1), 1.0, 0.0)

    u = np.append(RNG.uniform(0, 1, 200), [0.0, 0.25, 0.5, 0.75])
    model = BasisExpansion("haar", number=3, include_bias=False).fit(np.array([[-2.0], [6.0]]))
    expected = np.column_stack([2 ** (j / 2) * psi(2**j * u - k) for j in range(3) for k in range(2**j)])
    np.testing.assert_allclose(model.transform(8 * u[:, None] - 2.0), expected, rtol=1e-15)
    assert np.array_equal(model.transform([[6.0]]), model.transform([[5.99]]))
    assert not model.transform([[-2.01], [6.01]]).any()
    assert list(model.get_feature_names_out())[:3] == ["haar0,0(x0)", "haar1,0(x0)", "haar1,1(x0)"]


def test_too_many_levels():
    with pytest.raises(ValueError, match="number must be at most 20"):
        BasisExpansion("haar", number=64).fit(X)


# ---- functions of one's own --------------------------------------------------------------------------------------------


def test_functions_by_name():
    """A vector has the name of its function; a table as wide as X is named by column, another one is numbered."""
    basis = {"norm": lambda T: np.hypot(T[:, 0], T[:, 1]), "sine": np.sin, "both": lambda T: T[:, :2] ** 2}
    model = BasisExpansion(basis).fit(X)
    names = ["norm", "sine(x0)", "sine(x1)", "sine(x2)", "both0", "both1"]
    assert list(model.get_feature_names_out()) == names
    expected = np.column_stack([np.hypot(X[:, 0], X[:, 1]), np.sin(X), X[:, :2] ** 2])
    assert np.array_equal(model.transform(X), expected)
    assert model.n_output_features_ == 6


def test_functions_without_names():
    """A function, or a list of them, goes by its own name."""
    assert list(BasisExpansion(np.square).fit(X[:, :1]).get_feature_names_out()) == ["square(x0)"]
    model = BasisExpansion([np.sin, np.cos]).fit(pd.DataFrame(X, columns=["a", "b", "c"]))
    assert list(model.get_feature_names_out()) == [f"{f}({x})" for f in ("sin", "cos") for x in "abc"]


def test_functions_that_fail():
    """No number, another number of rows, another width than in the fit: refused with function, row and what to do."""
    table = np.abs(X)
    model = BasisExpansion([np.log]).fit(table)
    table[41, 2] = 0.0
    with pytest.raises(ValueError, match=r"'log' gave -inf for row 41.*leave the row out"):
        model.transform(table)
    with pytest.raises(ValueError, match=r"'sqrt' gave nan for row \d.*leave"):
        BasisExpansion([np.sqrt]).fit(-np.abs(X))
    with pytest.raises(ValueError, match=r"'sum' gave an array of shape \(\).*row for each row"):
        BasisExpansion({"sum": np.sum}).fit(X)
    fickle = BasisExpansion({"fickle": lambda T: T[:, : 1 + (len(T) > 8)]}).fit(X)
    with pytest.raises(ValueError, match="'fickle' gave 1 columns in the fit"):
        fickle.transform(X)


# ---- wherever the rows are -----------------------------------------------------------------------------------------------


@every_basis
def test_named_bases_of_several_columns(basis):
    """Each column is expanded alone (but in polynomials), one beside the other, with names that are all different."""
    model = BasisExpansion(basis).fit(X)
    names = list(model.get_feature_names_out())
    assert len(set(names)) == len(names) == model.n_output_features_ == model.transform(X).shape[1]
    assert np.isfinite(model.transform(BEYOND)).all()
    if basis != "polynomial":
        alone = [expanded(basis, X[:, [j]], include_bias=False) for j in range(3)]
        assert np.array_equal(expanded(basis, X, include_bias=False), np.hstack(alone))


def test_names_that_are_close():
    """Centres that differ in late digits only still have different names."""
    model = BasisExpansion("gaussian", places=1e6 + np.arange(3.0)).fit(X[:, :1] + 1e6)
    assert "exp(−(x0−1000001)²/(2·1²))" in model.get_feature_names_out()


@every_basis
@pytest.mark.parametrize("places", ["uniform", "quantile"])
def test_files_and_dask(basis, places, tmp_path):
    """Rows of a file and of Dask give the bits of the array, in the fit and in the new columns."""
    expected = BasisExpansion(basis, places=places).fit(LARGE)
    Z = expected.transform(LARGE)
    pd.DataFrame(LARGE, columns=["a", "b"]).to_parquet(tmp_path / "t.parquet", row_group_size=1000)
    rows = aprendiz.rows(tmp_path / "t.parquet")
    model = BasisExpansion(basis, places=places).fit(rows)
    assert all(np.array_equal(a, b) for a, b in zip(model.places_ or [], expected.places_ or [], strict=True))
    assert np.array_equal(np.concatenate([block.X for block in model.transform(rows).blocks()]), Z)
    lazy = da.from_array(LARGE, chunks=(block_rows(2), 2))
    assert np.array_equal(BasisExpansion(basis, places=places).fit(lazy).transform(lazy).compute(), Z)


@every_basis
def test_threads(basis, monkeypatch):
    """The bits do not depend on the number of threads."""
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        found.append(expanded(basis, LARGE, places="quantile"))
    assert np.array_equal(*found)


@every_basis
def test_weights(basis):
    """Rows of weight 0 are absent, rows of weight 2 stand twice."""
    weight = RNG.integers(0, 3, len(X)).astype(float)
    weighted = BasisExpansion(basis, places="quantile").fit(X, sample_weight=weight)
    repeated = BasisExpansion(basis, places="quantile").fit(np.repeat(X, weight.astype(int), axis=0))
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X), rtol=1e-12, atol=1e-12)


@every_basis
@pytest.mark.parametrize("extrapolation", ["constant", "periodic"])
def test_constant_columns(basis, extrapolation):
    """A column of equal cells has a range to stand on, and finite columns come out."""
    table = np.column_stack([np.full(20, 7.3), np.full(20, 1e9), np.arange(20) // 15])
    for places in ("uniform", "quantile"):
        assert np.isfinite(expanded(basis, table, places=places, extrapolation=extrapolation)).all()


@every_basis
def test_saved_and_loaded(basis, tmp_path):
    """The functions come back from disk, bit by bit."""
    model = BasisExpansion(basis, places="quantile").fit(X)
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    assert np.array_equal(loaded.transform(X), model.transform(X))
    assert list(loaded.get_feature_names_out()) == list(model.get_feature_names_out())


@every_basis
def test_refitted_with_another_basis(basis):
    """Nothing of the fit before is left."""
    model = BasisExpansion("gaussian").fit(X).set_params(basis=basis).fit(X)
    assert np.array_equal(model.transform(X), expanded(basis, X))


def test_frames():
    """Names of the columns go into those of the functions, and frames come out if asked for."""
    frame = pd.DataFrame(X, columns=["age", "size", "time"])
    model = BasisExpansion("fourier", number=1, period=24.0, include_bias=False).set_output(transform="pandas").fit(frame)
    Z = model.transform(frame)
    assert list(Z.columns)[:2] == ["sin(2π·age/24)", "cos(2π·age/24)"]


# ---- places that cannot be ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (np.zeros((4, 2)), r"shape \(4, 2\); 3 columns need"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
        ([1.0, 0.0], "ascending order"),
        ([1.0, 1.0], "none of them twice"),
        ([0.0, np.nan], "finite"),
        (["low", "high"], "array of numbers"),
        ([], "at least 1 are needed"),
    ],
    ids=str,
)
def test_bad_places(places, said):
    """Centres are finite numbers in order, for all columns or for each; the fit before is as it was."""
    model = BasisExpansion("gaussian").fit(X)
    before = model.transform(X)
    with pytest.raises(ValueError, match=said):
        model.set_params(places=places).fit(X)
    assert np.array_equal(model.transform(X), before)


# ---- what it is for ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("basis", NAMED)
def test_curves_by_linear_models(basis):
    """A linear model of the new columns follows a curve that no line follows."""
    x = np.linspace(0.0, 1.0, 400)[:, None]
    y = np.sin(2 * np.pi * x[:, 0])
    model = make_pipeline(BasisExpansion(basis, degree=5 if basis == "polynomial" else None), LinearRegression()).fit(x, y)
    assert LinearRegression().fit(x, y).score(x, y) < 0.7
    assert model.score(x, y) > 0.99
