"""Drop-in on tables with words and missing cells: imputer and naive Bayes as scikit-learn, step by step where it cannot."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from classic_tables import kinds, read_arff, read_words, without_class
from sklearn.impute import SimpleImputer as TheirImputer
from sklearn.naive_bayes import CategoricalNB as TheirCategoricalNB
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.preprocessing import OrdinalEncoder

from aprendiz import (
    CategoricalNB,
    GaussianNB,
    LogisticRegression,
    MinMaxScaler,
    RobustScaler,
    SimpleImputer,
    StandardScaler,
    VariableRanking,
)

# name, file, column of the class; all columns hold words
WORDS = {
    "mushroom": ("mushroom.arff", "class"),
    "vote": ("vote.arff", "Class"),
    "tic-tac-toe": ("tic-tac-toe.arff", "Class"),
    "car": ("car.arff", "class"),
    "zoo": ("zoo.arff", "type"),
    "audiology": ("audiology.arff", "class"),
    "Soybean": ("mlbench_Soybean.csv", "Class"),
}


def read(acceptance, file, label):
    path = acceptance / "tables" / file
    frame = read_arff(path) if path.suffix == ".arff" else read_words(path)
    return without_class(frame, label)


@pytest.fixture(scope="module", params=WORDS)
def words(request, acceptance):
    """A table of words and its classes, 1700 rows at most; whole numbers (legs of zoo) stay numbers, names are left out."""
    X, y = read(acceptance, *WORDS[request.param])
    few = slice(None, None, 1 + len(y) // 1729)
    return X.drop(columns="animal", errors="ignore").iloc[few].reset_index(drop=True), y[few]


# ---- categorical naive Bayes -----------------------------------------------------------------------------------------


def their_joint(X, y, alpha):
    """log P(k, x) by scikit-learn, one column at a time over its known cells: missing cells are left out by hand."""
    classes, counts = np.unique(y, return_counts=True)
    joint = np.tile(np.log(counts / len(y)), (len(y), 1))
    for name in X.columns:
        known = X[name].notna().to_numpy()
        codes = OrdinalEncoder(dtype=int).fit_transform(X.loc[known, [name]])
        model = TheirCategoricalNB(alpha=alpha).partial_fit(codes, y[known], classes=classes)
        joint[known] += model.feature_log_prob_[0][:, codes[:, 0]].T
    return classes, joint


def test_words_straight_from_a_frame(words):
    """The log joint of scikit-learn on the codes of the known cells, column by column, and the class that follows."""
    X, y = words
    classes, joint = their_joint(X, y, 0.5)
    for table in (X, pl.from_pandas(X)):
        model = CategoricalNB(alpha=0.5).fit(table, y)
        np.testing.assert_array_equal(model.classes_, classes)
        np.testing.assert_allclose(model.predict_joint_log_proba(table), joint, rtol=1e-11)
        np.testing.assert_array_equal(model.predict(table), classes[joint.argmax(axis=1)])


@pytest.mark.parametrize("name", ["tic-tac-toe", "car", "zoo", "mushroom"])
def test_codes_and_words_are_one(name, acceptance):
    """Where no cell is missing: the fit to words is scikit-learn's fit to the codes of all columns, attribute by attribute."""
    X, y = read(acceptance, *WORDS[name])
    X = X.dropna(axis=1).drop(columns="animal", errors="ignore")
    codes = OrdinalEncoder(dtype=int).fit_transform(X)
    theirs = TheirCategoricalNB().fit(codes, y)
    for table in (X, codes.astype(float)):
        ours = CategoricalNB().fit(table, y)
        np.testing.assert_array_equal(ours.n_categories_, theirs.n_categories_)
        np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-14)
        for a, b in zip(ours.category_count_, theirs.category_count_, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(codes), rtol=1e-10)
        assert ours.score(table, y) == theirs.score(codes, y)


@pytest.mark.filterwarnings("ignore:.*every cell is missing")  # in the first batch
def test_batches_of_words(words):
    """Words in batches, in an order in which classes and words come late: the predictions of one fit."""
    X, y = words
    order = np.argsort(y, kind="stable")
    model = CategoricalNB()
    for part in np.array_split(order, 4):
        model.partial_fit(X.iloc[part], y[part])
    whole = CategoricalNB().fit(X, y)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), whole.predict_joint_log_proba(X), rtol=1e-11)


# ---- Gaussian naive Bayes with missing cells -------------------------------------------------------------------------

# name, file, column of the class; numbers and words, many cells missing
MIXED = {
    "colic": ("colic.arff", "surgical_lesion"),
    "heart.c": ("heart.c.arff", "num"),
    "credit.a": ("credit.a.arff", "class"),
}


@pytest.fixture(scope="module", params=MIXED)
def mixed(request, acceptance):
    """A table of numbers and words with missing cells, and its classes."""
    return read(acceptance, *MIXED[request.param])


def test_gaussian_naive_bayes_with_missing_cells(mixed):
    """The numbers alone: the log joint of scikit-learn's fits to one column at a time, over its known cells."""
    X, y = mixed
    table = X[kinds(X)[0]]
    assert table.isna().any().any()
    classes, counts = np.unique(y, return_counts=True)
    joint = np.tile(np.log(counts / len(y)), (len(y), 1))
    for name in table.columns:
        known = table[name].notna().to_numpy()
        column = table.loc[known, [name]].to_numpy()
        theirs = TheirGaussianNB(var_smoothing=0.0, priors=np.full(len(classes), 1 / len(classes))).fit(column, y[known])
        joint[known] += theirs.predict_joint_log_proba(column) + np.log(len(classes))
    ours = GaussianNB(var_smoothing=0.0).fit(table, y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(table), joint, rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(table), classes[joint.argmax(axis=1)])


# ---- imputer ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize("indicator", [False, True])
def test_imputer_on_numbers(mixed, strategy, indicator):
    """The numbers of a table: statistics and filled rows of scikit-learn."""
    X, _ = mixed
    table = X[kinds(X)[0]]
    ours, theirs = (cls(strategy=strategy, add_indicator=indicator) for cls in (SimpleImputer, TheirImputer))
    np.testing.assert_allclose(ours.fit_transform(table), theirs.fit_transform(table), rtol=1e-13)
    np.testing.assert_allclose(ours.statistics_, theirs.statistics_.astype(float), rtol=1e-13)
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())


def test_imputer_on_words(mixed):
    """The words of a table: the most frequent one, the first in the alphabet of several."""
    X, _ = mixed
    table = X[kinds(X)[1]]
    ours, theirs = SimpleImputer(strategy="most_frequent"), TheirImputer(strategy="most_frequent", missing_values=None)
    np.testing.assert_array_equal(ours.fit_transform(table), theirs.fit_transform(table))
    np.testing.assert_array_equal(ours.statistics_, theirs.statistics_)


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_imputer_on_both(mixed, library):
    """The whole table at once, "auto": what scikit-learn's imputers of numbers and of words give side by side."""
    X, _ = mixed
    numbers, names = kinds(X)
    filled = SimpleImputer(strategy="auto").fit_transform(X if library is pd else pl.from_pandas(X))
    expected = pd.DataFrame(index=X.index, columns=X.columns, dtype=object)
    expected[numbers] = TheirImputer().fit_transform(X[numbers])
    expected[names] = TheirImputer(strategy="most_frequent", missing_values=None).fit_transform(X[names])
    for j, name in enumerate(X.columns):
        if name in numbers:
            np.testing.assert_allclose(filled[:, j].astype(float), expected[name].astype(float), rtol=1e-13)
        else:
            assert filled[:, j].tolist() == expected[name].tolist()


@pytest.fixture(scope="module")
def air(acceptance):
    """airquality: 153 days in New York, 44 of their numbers missing."""
    return pd.read_csv(acceptance / "tables" / "airquality.csv", index_col=0)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent"])
def test_airquality_imputed(air, strategy):
    """37 cells of ozone and 7 of radiation are filled as by scikit-learn."""
    ours, theirs = (cls(strategy=strategy, add_indicator=True) for cls in (SimpleImputer, TheirImputer))
    np.testing.assert_allclose(ours.fit_transform(air), theirs.fit_transform(air), rtol=1e-13)
    assert ours.certificate_.missing == 44
    assert ours.certificate_.share == pytest.approx(37 / 153)
    np.testing.assert_array_equal(ours.inverse_transform(ours.transform(air)), air.to_numpy(float))


def test_airquality_scaled(air):
    """Scalers leave missing cells out and in their places."""
    from sklearn import preprocessing

    for ours in (StandardScaler(), MinMaxScaler((-1, 1)), RobustScaler()):
        theirs = getattr(preprocessing, type(ours).__name__)(**ours.get_params())
        np.testing.assert_allclose(ours.fit_transform(air), theirs.fit_transform(air), rtol=1e-11, atol=1e-12)


def test_what_imputing_is_for(mixed):
    """Imputed and scaled numbers make a logistic model possible; it predicts as scikit-learn's on the same numbers."""
    from sklearn.linear_model import LogisticRegression as TheirLogisticRegression

    X, y = mixed
    Z = StandardScaler().fit_transform(SimpleImputer(strategy="median").fit_transform(X[kinds(X)[0]]))
    ours, theirs = LogisticRegression().fit(Z, y), TheirLogisticRegression(tol=1e-10, max_iter=1000).fit(Z, y)
    np.testing.assert_allclose(ours.predict_proba(Z), theirs.predict_proba(Z), atol=1e-6)


# ---- ranking of columns ----------------------------------------------------------------------------------------------


def test_information_gain_as_weka_ranks(acceptance, expected):
    """Bits of each question about the party, rows without an answer counted in all answers as Weka counts them."""
    X, y = read(acceptance, "vote.arff", "Class")
    model = VariableRanking("information_gain", 5, missing="spread", unit="bits").fit(X, y)
    names = list(X.columns[model.order_])
    assert names == [name for name, _ in expected("weka-infogain-vote")["infogain_top"]]
    for name, bits in expected("weka-infogain-vote")["infogain_top"]:
        assert model.scores_[list(X.columns).index(name)] == pytest.approx(bits, abs=1e-7)
