"""NaiveBayes: a family for each column, estimates, missing cells, batches, factors of a row and new rows."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import integrate, stats

import aprendiz
from aprendiz import BernoulliNB, CategoricalNB, GaussianNB, NaiveBayes
from aprendiz.bayes.distributions import Gamma, NormalInverseGamma
from aprendiz.bayes.naive.column_factors import from_log
from aprendiz.core.inputs import open_rows

N = 240
RNG = np.random.default_rng(3)
Y = np.array(["ash", "birch", "cedar"])[RNG.integers(0, 3, N)]
K = np.unique(Y, return_inverse=True)[1]
FRAME = pd.DataFrame(
    {
        "height": RNG.normal(10 + 2 * K, 1 + K),
        "nests": RNG.poisson(1 + 2 * K).astype(float),
        "hollow": RNG.random(N) < 0.2 + 0.3 * K,
        "leaf": np.array(["flat", "round", "thin"])[(K * RNG.integers(0, 2, N) + RNG.integers(0, 3, N)) % 3],
        "ill": (RNG.random(N) < 0.5).astype(int),
    }
)
HOLES = FRAME.astype({"hollow": object, "ill": float}).mask(RNG.random(FRAME.shape) < 0.15)
POISSON = {"nests": "poisson"}
WEIGHT = RNG.integers(0, 4, N) / 2.0


def mixed(**parameters):
    return NaiveBayes(families=POISSON, **parameters)


def close(a, b, rtol=1e-11, atol=1e-12):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol)


# ---- families ----------------------------------------------------------------------------------------------------------

FOUND = ["gaussian", "gaussian", "bernoulli", "categorical", "bernoulli"]
FORMS = {
    "pandas": FRAME,
    "categories": FRAME.astype({"leaf": "category", "ill": "category"}),
    "polars": pl.from_pandas(FRAME),
    "pyarrow": pa.Table.from_pandas(FRAME),
    "objects": FRAME.astype(object).to_numpy(),
}


@pytest.mark.parametrize("form", FORMS)
def test_families_are_found(form):
    """Words are categorical, 0 and 1 (and True and False) bernoulli, other numbers gaussian; any frame gives the same fit."""
    model = NaiveBayes().fit(FORMS[form], Y)
    assert model.families_ == FOUND
    assert np.array_equal(model.predict_proba(FORMS[form]), NaiveBayes().fit(FRAME, Y).predict_proba(FRAME))


def test_families_as_asked():
    """By name or by number; a column of numbers may be one of names, with the values that occur as its categories."""
    for families in ({"nests": "poisson", "ill": "categorical"}, {1: "poisson", 4: "categorical"}):
        model = NaiveBayes(families=families).fit(FRAME, Y)
        assert model.families_ == ["gaussian", "poisson", "bernoulli", "categorical", "categorical"]
        assert model.columns_["ill"].levels == (0, 1)
    codes = pd.DataFrame({"ward": np.array([11, 107, 300])[K], "height": FRAME["height"]})
    model = NaiveBayes(families={"ward": "categorical"}).fit(codes, Y)
    assert model.columns_["ward"].levels == (11, 107, 300)
    assert model.n_parameters_ == 2 + 2


def test_two_words_may_be_bernoulli():
    """A column of two words asked to be bernoulli is the same as categorical, and has one parameter."""
    words = FRAME.assign(ill=np.where(FRAME["ill"], "yes", "no"))
    asked, found = (NaiveBayes(families=f).fit(words, Y) for f in ({"ill": "bernoulli"}, None))
    assert asked.families_[-1] == "bernoulli"
    assert found.families_[-1] == "categorical"
    assert asked.n_parameters_ == found.n_parameters_ == 2 + 2 + 1 + 2 + 1
    assert np.array_equal(asked.predict_proba(words), found.predict_proba(words))


# ---- agreement ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("missing", [False, True], ids=["whole", "missing cells"])
def test_measurements_are_gaussian_naive_bayes(weight, missing):
    """On measurements it is GaussianNB. (ε is that of the column here and of the largest column there: without ε.)"""
    X = np.random.default_rng(0).normal(size=(N, 4)) * [1, 10, 0.1, 3] + K[:, None]
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.2 * missing, np.nan, X)
    for estimate in ("map", "ml"):
        model = NaiveBayes(estimate=estimate, var_smoothing=0).fit(X, Y, sample_weight=weight)
        other = GaussianNB(var_smoothing=0).fit(X, Y, sample_weight=weight)
        close(model.predict_joint_log_proba(X), other.predict_joint_log_proba(X))
        close(model.theta_, other.theta_)
        close(model.var_, other.var_)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 3.0])
def test_codes_are_categorical_naive_bayes(alpha):
    """On words and on codes asked to be categorical it is CategoricalNB, weights and missing cells included."""
    words = HOLES[["leaf"]].assign(size=np.array(["s", "m", "l"])[RNG.integers(0, 3, N)])
    codes = np.column_stack([K, np.arange(N) % 4, RNG.integers(0, 2, N)]).astype(float)
    codes[::7, 1] = np.nan
    for X, families in ((words, None), (codes, dict.fromkeys(range(3), "categorical"))):
        model = NaiveBayes(alpha=alpha, families=families).fit(X, Y, sample_weight=WEIGHT)
        other = CategoricalNB(alpha=alpha).fit(X, Y, sample_weight=WEIGHT)
        close(model.predict_joint_log_proba(X), other.predict_joint_log_proba(X), rtol=1e-13)
        assert model.families_ == ["categorical"] * X.shape[1]


def test_yes_and_no_is_bernoulli_naive_bayes():
    """On zeros and ones it is BernoulliNB."""
    X = (np.random.default_rng(2).random((N, 6)) < 0.2 + 0.2 * K[:, None]).astype(float)
    model, other = NaiveBayes(alpha=0.7).fit(X, Y), BernoulliNB(alpha=0.7).fit(X, Y)
    assert model.families_ == ["bernoulli"] * 6
    close(model.predict_joint_log_proba(X), other.predict_joint_log_proba(X))
    close(model.theta_, np.exp(other.feature_log_prob_))


def direct(frame, y, alpha):
    """log P(k, x) of a mixed table by the definition, row by row."""
    joint = np.empty((len(frame), 3))
    for k, label in enumerate(np.unique(y)):
        own = frame[y == label]
        height, nests = own["height"].dropna(), own["nests"].dropna()
        rate = (nests.sum() + alpha * frame["nests"].mean()) / (len(nests) + alpha)
        total = np.log(np.mean(y == label))
        deviation = np.sqrt(height.var(ddof=0) + 1e-9 * frame["height"].var(ddof=0))
        total = total + np.nan_to_num(stats.norm.logpdf(frame["height"], height.mean(), deviation))
        total = total + np.where(frame["nests"].isna(), 0, stats.poisson.logpmf(frame["nests"].fillna(0), rate))
        for name, levels in (("hollow", [0, 1]), ("leaf", ["flat", "round", "thin"]), ("ill", [0, 1])):
            counts = np.array([(own[name] == level).sum() for level in levels])
            shares = (counts + alpha) / (counts.sum() + alpha * len(levels))
            logs = {level: np.log(share) for level, share in zip(levels, shares, strict=True)}
            total = total + np.array([logs.get(cell, 0.0) for cell in frame[name]])
        joint[:, k] = total
    return joint


@pytest.mark.parametrize("frame", [FRAME, HOLES], ids=["whole", "missing cells"])
@pytest.mark.parametrize(("estimate", "alpha"), [("map", 1.0), ("map", 0.3), ("ml", 0.0)])
def test_mixed_table_by_the_definition(frame, estimate, alpha):
    """Products of the densities and shares of scipy and plain counting."""
    model = mixed(estimate=estimate, alpha=alpha or 5.0).fit(frame, Y)
    expected = direct(frame, Y, alpha)
    close(model.predict_joint_log_proba(frame), expected)
    posterior = np.exp(expected) / np.exp(expected).sum(axis=1, keepdims=True)
    close(model.predict_proba(frame), posterior)
    assert np.array_equal(model.predict(frame), model.classes_[posterior.argmax(axis=1)])
    close(model.log_density(frame), np.log(np.exp(expected).sum(axis=1)))


def test_weights_count_rows():
    """A weight of 2 is the row twice, a weight of 0 the row absent."""
    copies = (2 * WEIGHT).astype(int)
    repeated = np.repeat(np.arange(N), copies)
    for estimate in ("map", "bayes"):
        a = mixed(estimate=estimate).fit(HOLES, Y, sample_weight=copies)
        b = mixed(estimate=estimate).fit(HOLES.iloc[repeated], Y[repeated])
        close(a.predict_joint_log_proba(HOLES), b.predict_joint_log_proba(HOLES))


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_bayes_is_the_predictive_distribution(alpha):
    """The factors are the predictive distributions of the conjugate priors that count α rows; shares are as with "map"."""
    model, points = mixed(estimate="bayes", alpha=alpha).fit(FRAME, Y), np.arange(8.0)
    height, nests = FRAME["height"], FRAME["nests"]
    normal = NormalInverseGamma(height.mean(), alpha, alpha / 2, alpha * height.var(ddof=0) / 2)
    gamma = Gamma(alpha * nests.mean(), alpha)
    for k, label in enumerate(model.classes_):
        own = label == Y
        empty = dict.fromkeys(FRAME.columns)
        for name, prior in (("height", normal), ("nests", gamma)):
            expected = prior.posterior(FRAME.loc[own, name].to_numpy()).predictive().log_density(points)
            found = [model.explain({**empty, name: x}).log_factors[0, k] for x in points]
            close(found, expected, rtol=1e-9)
    same = mixed(alpha=alpha).fit(FRAME, Y)
    close(np.vstack(model.category_log_prob_), np.vstack(same.category_log_prob_))
    close(model.theta_[:, [2, 4]], same.theta_[:, [2, 4]])


def test_bayes_of_many_rows_is_map():
    """With many rows the average over the posterior is its mode; with one row in a class it still is a distribution."""
    x = np.random.default_rng(0).normal(size=(20_000, 1))
    y = np.arange(20_000) % 2
    a, b = (NaiveBayes(estimate=e).fit(x, y).predict_joint_log_proba(x[:50]) for e in ("bayes", "map"))
    np.testing.assert_allclose(a, b, atol=2e-3)  # O(1/n) of the 10 000 rows of a class, and z⁴ in the tail
    few = NaiveBayes(estimate="bayes").fit(np.array([[0.0], [1.0], [5.0]]), [0, 0, 1])
    for k in (0, 1):
        area, _ = integrate.quad(lambda v, k=k: np.exp(few.explain([v]).log_factors[0, k]), -np.inf, np.inf)
        assert area == pytest.approx(1.0, abs=1e-6)


# ---- missing cells -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["map", "bayes"])
def test_missing_cells_are_marginalised(estimate):
    """p without a cell is the sum, or the integral, of p over all values that the cell may have, for every class."""
    model = mixed(estimate=estimate).fit(FRAME, Y)
    row = {"height": 11.0, "nests": 3.0, "hollow": 1.0, "leaf": "flat", "ill": 0.0}
    cells = {"hollow": [0.0, 1.0], "leaf": ["flat", "round", "thin"], "ill": [0.0, 1.0], "nests": np.arange(400.0)}
    for gone in (["hollow"], ["leaf"], ["nests"], ["leaf", "ill", "hollow"]):
        rows = [row | dict(zip(gone, values, strict=True)) for values in product(*(cells[name] for name in gone))]
        total = np.exp(model.predict_joint_log_proba(pd.DataFrame(rows))).sum(axis=0)
        close(model.explain(row | dict.fromkeys(gone)).product, total, rtol=1e-8)  # 400 counts are nearly all
    grid = np.linspace(-500, 500, 50_001)
    heights = pd.DataFrame([row]).loc[np.zeros(len(grid), int)].assign(height=grid)
    area = integrate.trapezoid(np.exp(model.predict_joint_log_proba(heights)), grid, axis=0)
    close(model.explain(row | {"height": None}).product, area, rtol=1e-8)


def test_a_class_that_knows_nothing_of_a_column():
    """It gets what is known of all rows (measurements, counts) or of nothing (shares), and finite answers."""
    frame = FRAME.astype({"hollow": object})
    frame.loc[Y == "ash", ["height", "nests", "hollow", "leaf"]] = None
    for estimate in ("map", "bayes", "ml"):
        model = mixed(estimate=estimate).fit(frame, Y)
        assert np.isfinite(model.predict_joint_log_proba(FRAME)).all()
        close(model.theta_[0, :3], [frame["height"].mean(), frame["nests"].mean(), 0.5])
        close(np.exp(model.category_log_prob_[0][0]), 1 / 3)


# ---- batches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["map", "bayes"])
@pytest.mark.parametrize("cuts", [[1], [2, 3, 100], [120, 239]], ids=str)
def test_batches(estimate, cuts):
    """Batches of any size, also of sorted rows whose classes and words come late, give what one fit gives."""
    for order in (np.arange(N), np.argsort(Y, kind="stable"), np.argsort(FRAME["leaf"].to_numpy(), kind="stable")[::-1]):
        X = HOLES.copy()
        X.iloc[order[0]] = FRAME.iloc[order[0]]  # so that the first batch shows what the columns hold
        model, whole = mixed(estimate=estimate), mixed(estimate=estimate).fit(X, Y)
        for part in np.split(order, cuts):
            model.partial_fit(X.iloc[part], Y[part])
        assert model.families_ == whole.families_
        close(model.predict_joint_log_proba(X), whole.predict_joint_log_proba(X))
        close(model.theta_, whole.theta_)


def test_families_do_not_depend_on_batches():
    """A column that begins with zeros and ones may end as measurements, and one of zeros only as yes and no."""
    X = np.column_stack([np.tile([0.0, 1.0], 20), np.zeros(40)])
    y = np.arange(40) // 2 % 2
    model = NaiveBayes().partial_fit(X, y)
    assert model.families_ == ["bernoulli", "gaussian"]
    more = np.column_stack([np.linspace(-1, 1, 40), X[:, 0]])
    model.partial_fit(more, y)
    assert model.families_ == ["gaussian", "bernoulli"]
    whole = NaiveBayes().fit(np.vstack([X, more]), np.concatenate([y, y]))
    close(model.predict_joint_log_proba(more), whole.predict_joint_log_proba(more))


def test_records_add():
    """Records of parts that know other words add to the record of the whole; a fit from them says the same."""
    parts = np.split(np.argsort(FRAME["leaf"], kind="stable"), [60, 61, 150])
    table = FRAME.astype(object).to_numpy()

    def record(part):
        model = NaiveBayes(families={1: "poisson"})
        return model.summarise(open_rows(model, table[part], Y[part], target="classes", among=np.array([])))

    first, *others = map(record, parts)
    model = NaiveBayes(families={1: "poisson"}).fit_sums(sum(others, start=first))
    close(model.predict_joint_log_proba(table), mixed().fit(FRAME, Y).predict_joint_log_proba(FRAME))


def test_files(tmp_path):
    """Rows of a file, with numbers that are names, give the fit and the answers of the frame."""
    frame = FRAME.drop(columns="leaf").astype(float).assign(ward=np.array([7.0, 70.0, 12.5])[np.arange(N) % 3], y=Y)
    frame.to_parquet(tmp_path / "t.parquet")
    families = {"ward": "categorical", "nests": "poisson"}
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    model, X = NaiveBayes(families=families).fit(rows), frame.drop(columns="y")
    close(model.predict_joint_log_proba(X), NaiveBayes(families=families).fit(X, Y).predict_joint_log_proba(X))
    close(model.predict_joint_log_proba(rows), model.predict_joint_log_proba(X))
    assert model.columns_["ward"].levels == (7, 12.5, 70)


def test_numbers_that_are_names_in_batches():
    """Whole numbers, floats, batches in which values come late, and Dask give the same fit; drawn rows hold the values."""
    array = pytest.importorskip("dask.array")
    X = np.column_stack([np.array([100, 7, 30])[RNG.integers(0, 3, N)], FRAME["nests"], FRAME["ill"]]).astype(int)
    families = {0: "categorical", 1: "poisson"}
    whole, batches = NaiveBayes(families=families).fit(X, Y), NaiveBayes(families=families)
    for part in np.split(np.argsort(X[:, 0], kind="stable"), [1, 2, 90]):
        batches.partial_fit(X[part], Y[part])
    dask = NaiveBayes(families=families).fit(array.from_array(X.astype(float), chunks=(50, 3)), Y)
    for model in (batches, dask):
        close(model.predict_joint_log_proba(X.astype(float)), whole.predict_joint_log_proba(X))
    drawn = whole.sample(40, random_state=0)[0]
    assert drawn.dtype == np.float64
    assert set(drawn[:, 0]) == {7, 30, 100}


def test_model_files(tmp_path):
    """A saved model says the same of mixed rows."""
    for estimate in ("map", "bayes"):
        model = mixed(estimate=estimate).fit(HOLES, Y)
        aprendiz.save(model, tmp_path / "m.apz")
        loaded = aprendiz.load(tmp_path / "m.apz")
        assert np.array_equal(loaded.predict_joint_log_proba(HOLES), model.predict_joint_log_proba(HOLES))
        assert loaded.explain(FRAME.iloc[0]).frame().equals(model.explain(FRAME.iloc[0]).frame())


# ---- the factors of a row ----------------------------------------------------------------------------------------------


def test_factors_multiply():
    """Prior times factors is the product, and that divided by its sum the posterior, in any form of the row."""
    model = mixed().fit(FRAME, Y)
    for i in (0, 7):
        row, joint = FRAME.iloc[i], np.exp(model.predict_joint_log_proba(FRAME.iloc[[i]]))[0]
        for form in (row, FRAME.iloc[[i]], row.to_dict(), list(row), row.to_numpy(), FRAME.iloc[[i]].to_dict("records")[0]):
            table = model.explain(form)
            assert [name for name, _ in table.cells] == list(FRAME.columns)
            close(np.exp(table.log_prior) * table.factors.prod(axis=0), joint)
            close(table.product, joint)
            close(table.posterior, joint / joint.sum())
    X = FRAME[["height", "nests"]].to_numpy()
    plain = NaiveBayes().fit(X, Y)
    close(plain.explain(X[0]).posterior, plain.predict_proba(X[:1])[0])
    close(plain.explain([X[0, 0], None]).posterior, plain.predict_proba([[X[0, 0], np.nan]])[0])


def test_table_of_factors():
    """A line for each known cell, a column for each class, as text and as a frame."""
    table = mixed().fit(FRAME, Y).explain({"height": None, "nests": 2, "hollow": True, "leaf": "thin", "ill": None})
    frame = table.frame()
    assert list(frame.index) == ["prior", "nests = 2", "hollow = 1", "leaf = thin", "product", "posterior"]
    assert list(frame.columns) == ["ash", "birch", "cedar"]
    close(frame.iloc[:-2].prod(), frame.loc["product"])
    first, *lines = str(table).splitlines()
    assert first.split() == ["ash", "birch", "cedar"]
    assert [line.rsplit(maxsplit=3)[0].strip() for line in lines] == list(frame.index)
    assert [float(x) for x in lines[-1].split()[1:]] == pytest.approx(frame.loc["posterior"], rel=1e-3)


def test_ten_thousand_columns():
    """Products of ten thousand factors are neither 0 nor 0/0, and the table shows their size."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 10_000)) + 0.02 * y[:, None]
    X[:, ::2] = X[:, ::2] > 0
    model = NaiveBayes().fit(X, y)
    assert model.families_[:2] == ["bernoulli", "gaussian"]
    close(model.predict_proba(X).sum(axis=1), 1.0)
    table = model.explain(X[0])
    close(table.log_product, model.predict_joint_log_proba(X[:1])[0])
    assert str(table).splitlines()[-2].split()[1] == from_log(table.log_product[0])
    assert float(from_log(-1000.0).split("e")[0]) == pytest.approx(10 ** (-1000 / np.log(10) % 1), rel=1e-3)


# ---- new rows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["map", "bayes"])
def test_sample(estimate):
    """Drawn rows have the shares of the classes and, in each class, means and shares of the fit: to five standard errors."""
    model = mixed(estimate=estimate).fit(FRAME, Y)
    X, y = model.sample(60_000, random_state=1)
    assert list(X.columns) == list(FRAME.columns)
    for k, label in enumerate(model.classes_):
        own, n = X[y == label], (y == label).sum()
        assert n / 60_000 == pytest.approx(model.class_prior_[k], abs=5 * 0.5 / np.sqrt(60_000))
        for j in (0, 1, 2, 4):
            cells = own.iloc[:, j]
            assert cells.mean() == pytest.approx(model.theta_[k, j], abs=5 * cells.std() / np.sqrt(n))
        shares = [np.mean(own["leaf"] == level) for level in model.columns_["leaf"].levels]
        np.testing.assert_allclose(shares, np.exp(model.category_log_prob_[0][k]), atol=5 * 0.5 / np.sqrt(n))
        p = stats.kstest(own["height"], lambda x, k=k: cumulative(model, x, k)).pvalue
        assert p > 1e-4
        if estimate == "map":
            assert own["nests"].var() == pytest.approx(model.theta_[k, 1], rel=0.1)  # a Poisson variance is its mean


def cumulative(model, x, k):
    """The distribution function of the height in a class."""
    scale = np.sqrt(model.var_[k, 0])
    law = stats.norm if model.strength_ is None else stats.t(model.strength_[k, 0])
    return law.cdf((x - model.theta_[k, 0]) / scale)


def test_sample_repeats_and_has_the_form_of_the_rows():
    """The same seed gives the same rows; columns without names give an array."""
    model = mixed().fit(FRAME, Y)
    a, b, other = (model.sample(50, random_state=s)[0] for s in (0, 0, 1))
    assert a.equals(b)
    assert not a.equals(other)
    close(model.predict_proba(a).sum(axis=1), 1.0)
    X, y = NaiveBayes().fit(FRAME[["height", "nests"]].to_numpy(), Y).sample(7)
    assert X.shape == (7, 2)
    assert X.dtype == np.float64
    assert set(y) <= set(Y)


def test_outliers_have_the_lowest_density():
    """A row far from all classes, or with a rare combination, comes first; p(x) of one column integrates to 1."""
    model = mixed().fit(FRAME, Y)
    far = pd.concat([FRAME, FRAME.iloc[[0]].assign(height=60.0)], ignore_index=True)
    assert model.log_density(far).argmin() == N
    one = NaiveBayes().fit(FRAME[["height"]].to_numpy(), Y)
    grid = np.linspace(-50, 80, 20_001)
    assert integrate.trapezoid(np.exp(one.log_density(grid[:, None])), grid) == pytest.approx(1, abs=1e-9)


# ---- zeros -------------------------------------------------------------------------------------------------------------

ZERO = pd.DataFrame({"leaf": ["a", "a", "b", "b"], "height": [1.0, 2.0, 3.0, 5.0], "ill": [1, 1, 0, 1]})
KINDS = np.array(["no", "no", "yes", "yes"])


@pytest.mark.parametrize("parameters", [{"estimate": "ml"}, {"alpha": 0.0}], ids=str)
def test_a_zero_is_explained(parameters):
    """Without smoothing a value that a class never had excludes it: said at the fit, with the value, the class, the remedy."""
    message = r"Column 'leaf': 'b' never occurs in class 'no'.*\(3 such zeros in all\).*estimate=\"map\" and alpha > 0"
    with pytest.warns(UserWarning, match=message):
        model = NaiveBayes(**parameters).fit(ZERO, KINDS)
    assert model.certificate_.zeros == 3  # b in no, a in yes, not ill in no
    assert not model.certificate_.holds
    assert model.explain({"leaf": "a", "height": 4.0, "ill": None}).posterior.tolist() == [1.0, 0.0]
    with pytest.warns(UserWarning, match="probability 0 in every class"):
        close(model.predict_proba(pd.DataFrame({"leaf": ["a"], "height": [1.0], "ill": [0]})), [[0.5, 0.5]])
    assert model.explain(["a", 1.0, 0]).posterior == pytest.approx([0.5, 0.5])


def test_a_class_without_events_is_explained():
    """A poisson column whose rate is 0 in a class excludes the class where something was counted."""
    X, y = np.array([[0.0], [0.0], [2.0], [1.0]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match=r"Column 0: a count above 0 never occurs in class 0.*\(1 such zeros in all\)"):
        model = NaiveBayes(families={0: "poisson"}, estimate="ml").fit(X, y)
    close(model.predict_proba([[1.0]]), [[0.0, 1.0]])


def test_map_has_no_zeros():
    """With α > 0 every value that occurs has a probability."""
    for estimate in ("map", "bayes"):
        model = NaiveBayes(estimate=estimate).fit(ZERO, KINDS)
        assert model.certificate_.holds
        assert (model.predict_proba(ZERO) > 0).all()


def test_counts_that_are_all_zero():
    """A column of no events at all says the same for every class."""
    X = np.column_stack([np.zeros(N), FRAME["height"]])
    for estimate in ("map", "ml", "bayes"):
        model = NaiveBayes(families={0: "poisson"}, estimate=estimate).fit(X, Y)
        close(model.predict_proba(X), NaiveBayes(estimate=estimate).fit(X[:, 1:], Y).predict_proba(X[:, 1:]))


def test_words_that_the_fit_did_not_see():
    """They are warned of and left out."""
    model = mixed().fit(FRAME, Y)
    with pytest.warns(UserWarning, match="'leaf': 1 cell holds 'oval'"):
        found = model.predict_proba(FRAME.iloc[:1].assign(leaf="oval"))
    close(found, model.predict_proba(FRAME.iloc[:1].assign(leaf=None)))


# ---- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"families": {"nests": "normal"}}, "'nests' must be one of gaussian, bernoulli, categorical, poisson, got 'normal'"),
        ({"families": {"nest": "poisson"}}, "names the column 'nest', which is not in X: use a name or number of 'height'"),
        ({"families": {5: "poisson"}}, "names the column 5, which is not in X"),
        ({"families": {"height": "poisson"}}, r"'height' holds [\d.]+ in row 0, but a poisson column holds counts"),
        ({"families": {"nests": "bernoulli"}}, r"'nests' holds \d+ in row \d+, but a bernoulli column holds 0 and 1"),
        ({"families": {"leaf": "bernoulli"}}, r"'leaf' has 3 levels \('flat', 'round', 'thin'\).*'categorical'"),
        ({"families": {"leaf": "gaussian"}}, r"'leaf' holds '\w+' in row 0: numbers are needed"),
        ({"families": ["poisson"]}, "families of NaiveBayes must be a dict or None"),
        ({"estimate": "bayes", "alpha": 0.0}, "alpha of NaiveBayes must be above 0"),
        ({"alpha": np.inf}, "alpha of NaiveBayes must be finite"),
        ({"alpha": -1.0}, "alpha of NaiveBayes must be a number of at least 0"),
        ({"estimate": "mle"}, "estimate of NaiveBayes must be 'map' or 'ml' or 'bayes'"),
        ({"priors": [0.5, 0.5]}, "Number of priors must match number of classes"),
    ],
    ids=str,
)
def test_refused_fits(parameters, message):
    """Parameters that cannot be used, and cells that their family does not allow, are named."""
    with pytest.raises(ValueError, match=message):
        NaiveBayes(**parameters).fit(FRAME, Y)


def test_refused_rows():
    """New rows are held to the families of the fit; one row is explained at a time, with the columns of the fit."""
    model = mixed().fit(FRAME, Y)
    with pytest.raises(ValueError, match=r"'nests' holds 2.5 in row 1, but a poisson.*families=\{'nests': 'gaussian'\}"):
        model.predict(FRAME.iloc[:3].assign(nests=[1.0, 2.5, 3.0]))
    with pytest.raises(ValueError, match="'ill' holds 2 in row 0, but a bernoulli column holds 0 and 1"):
        model.log_density(FRAME.iloc[:1].assign(ill=2))
    with pytest.raises(ValueError, match="explain needs one row, got 2: pass them one by one"):
        model.explain(FRAME.iloc[:2])
    with pytest.raises(ValueError, match="a cell 'nest', which is not a column of the fit: use 'height', 'nests'"):
        model.explain({"nest": 1})
    with pytest.raises(ValueError, match="The row has 2 cells, but the fit had 5 columns"):
        model.explain([1.0, 2.0])
    with pytest.raises(ValueError, match="have no names: pass the cells"):
        NaiveBayes().fit(FRAME[["height"]].to_numpy(), Y).explain({"height": 1.0})
    for n in (0, 2.5):
        with pytest.raises(ValueError, match=f"n_samples must be a whole number of at least 1, got {n}"):
            model.sample(n)


def test_too_large_numbers_beside_words():
    """A column whose squares overflow is named."""
    with pytest.raises(ValueError, match="Column 'height' holds values too large to be squared: scale the column"):
        NaiveBayes().fit(FRAME.assign(height=FRAME["height"] * 1e200), Y)


def test_nothing_to_warn_of():
    """A mixed table with missing cells is fitted and judged without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixed().fit(HOLES, Y).predict(HOLES)
