"""Importance by permutation: what a model does not look at loses nothing, a loss is what scores by hand say, and tables of any
library give the same."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import mean_absolute_error, roc_auc_score

from aprendiz import GaussianNB, LinearRegression
from aprendiz.core.random import uniforms
from aprendiz.evaluation import METRICS, partial_dependence, permutation_importance
from aprendiz.locale import language

RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 4))
Y = 2 * X[:, 0] - X[:, 1] + 0.1 * RNG.normal(size=60)
MODEL = LinearRegression().fit(X[:30], Y[:30])
LABELS = np.where(Y > 0, "yes", "no")
CLASSIFIER = GaussianNB().fit(X[:30], LABELS[:30])


class Sum(RegressorMixin, BaseEstimator):
    """Predicts the sum of the first two columns, and counts the words "a" in the third if there is one."""

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def predict(self, X):
        if isinstance(X, np.ndarray):
            return X[:, 0] + X[:, 1]
        if sparse.issparse(X):
            return X[:, [0]].toarray().ravel() + X[:, [1]].toarray().ravel()
        words = (np.asarray(X["word"], dtype=object) == "a") if "word" in X.columns else 0.0
        return np.asarray(X["a"], dtype=float) + np.asarray(X["b"], dtype=float) + words


def by_hand(score, j, repeat, columns=4):
    """The table with one column in the order of its repeat."""
    order = np.argsort(uniforms(7, repeat * columns + j, len(X)), kind="stable")
    changed = X.copy()
    changed[:, j] = X[order, j]
    return score(X) - score(changed)


def test_losses_by_hand():
    """(1) for each column and repeat, for measures of which more and of which less is better."""
    found = permutation_importance(MODEL, X, Y, scoring="mae", random_state=7, n_repeats=3)
    wanted = [[by_hand(lambda Z: -mean_absolute_error(Y, MODEL.predict(Z)), j, r) for r in range(3)] for j in range(4)]
    np.testing.assert_allclose(found.importances, wanted, rtol=1e-10, atol=1e-12)
    assert found.score == pytest.approx(mean_absolute_error(Y, MODEL.predict(X)))
    area = permutation_importance(CLASSIFIER, X, LABELS, scoring="auc", random_state=7, n_repeats=2)
    wanted = [
        [by_hand(lambda Z: roc_auc_score(LABELS == "yes", CLASSIFIER.predict_proba(Z)[:, 1]), j, r) for r in range(2)]
        for j in range(4)
    ]
    np.testing.assert_allclose(area.importances, wanted, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(area.importances_mean, area.importances.mean(axis=1))
    np.testing.assert_array_equal(area.importances_std, area.importances.std(axis=1))


def test_columns_that_are_not_used():
    """Exactly 0, and the others first; the expected loss of R² of a sum of independent columns is twice their share."""
    wide = RNG.normal(size=(4000, 3))
    found = permutation_importance(Sum().fit(wide), wide, wide[:, 0] + wide[:, 1], random_state=0)
    assert (found.importances[2] == 0).all()
    assert set(found.ranking[:2].tolist()) == {0, 1}
    np.testing.assert_allclose(found.importances_mean[:2], 1.0, atol=0.06)  # 2·Var(x_j)/Var(y), up to the draw


def test_an_order_belongs_to_its_column():
    """The loss of a column does not depend on which others are asked for, nor on how many repeats there are."""
    every = permutation_importance(MODEL, X, Y, random_state=5, n_repeats=4)
    some = permutation_importance(MODEL, X, Y, random_state=5, n_repeats=2, groups=[2, 0])
    np.testing.assert_array_equal(some.importances, every.importances[[2, 0], :2])


def test_groups():
    """Two copies stand in for each other; together they matter. A group keeps its rows together."""
    copies = np.column_stack([X[:, 0], X[:, 0], X[:, 1]])
    model = Sum().fit(copies)
    found = permutation_importance(model, copies, 2 * X[:, 0], groups={"both": [0, 1], "last": [2]}, random_state=0)
    assert found.names == ("both", "last")
    alone = permutation_importance(model, copies, 2 * X[:, 0], random_state=0)
    assert found.importances_mean[0] > 1.5 * alone.importances_mean[:2].max()
    apart = {"scoring": lambda m, Z, y: -np.ptp(Z[:, 0] - Z[:, 1]), "groups": {"both": [0, 1]}, "random_state": 0}
    whole = permutation_importance(model, copies, X[:, 0], **apart)
    assert (whole.importances == 0).all()


FRAME = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "word": RNG.choice(["a", "b"], 60)}, index=range(100, 160))
TABLES = {
    "pandas": FRAME,
    "categories": FRAME.astype({"word": "category"}),
    "polars": pl.DataFrame(FRAME.to_dict("list")),
    "arrow": pl.DataFrame(FRAME.to_dict("list")).to_arrow(),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_any_library(kind):
    """The same losses, words and numbers; the table stays as it was."""
    table, y = TABLES[kind], X[:, 0] + X[:, 1] + (FRAME["word"] == "a").to_numpy()
    model = Sum().fit(None)
    if kind == "arrow":
        model.predict = lambda T: Sum().predict(T.to_pandas())
    found = permutation_importance(model, table, y, random_state=1)
    reference = permutation_importance(Sum().fit(None), FRAME, y, random_state=1)
    np.testing.assert_array_equal(found.importances, reference.importances)
    assert found.names == ("a", "b", "word")
    assert (found.importances_mean > 0).all()
    np.testing.assert_array_equal(np.asarray(table["a"]), X[:, 0])


def test_sparse():
    """A sparse matrix as its dense one."""
    dense = X * (RNG.random(X.shape) < 0.5)
    model = Sum().fit(None)
    found = permutation_importance(model, sparse.csr_matrix(dense), Y, random_state=0)
    np.testing.assert_allclose(
        found.importances, permutation_importance(model, dense, Y, random_state=0).importances, atol=1e-12
    )


def test_scorers_of_scikit_learn():
    """By name, with weights, as functions; rows of weight 0 do not count."""
    weight = np.r_[np.ones(30), np.zeros(30)]
    found = permutation_importance(MODEL, X, Y, scoring="neg_mean_squared_error", sample_weight=weight, random_state=0)
    kept = [np.mean((Y - MODEL.predict(X))[:30] ** 2)]
    assert found.score == pytest.approx(-kept[0])
    assert permutation_importance(MODEL, X, Y, random_state=0).measure == "r2"
    assert permutation_importance(CLASSIFIER, X, LABELS, random_state=0).measure == "accuracy"


def test_some_of_the_rows():
    """A share of the rows in each repeat, others each time."""
    found = permutation_importance(MODEL, X, Y, max_samples=0.5, random_state=0, n_repeats=3)
    assert len(set(found.importances[0].tolist())) == 3
    assert permutation_importance(MODEL, X, Y, max_samples=60, random_state=0).score == pytest.approx(MODEL.score(X, Y))


def test_bad_input():
    """Each with what to do."""
    with pytest.raises(ValueError, match="'auc' is not a measure for regression; choose one of"):
        permutation_importance(MODEL, X, Y, scoring="auc")
    with pytest.raises(ValueError, match="n_repeats"):
        permutation_importance(MODEL, X, Y, n_repeats=0)
    with pytest.raises(ValueError, match="max_samples = 61 must be a number of rows from 1 to 60"):
        permutation_importance(MODEL, X, Y, max_samples=61)
    with pytest.raises(ValueError, match="59"):
        permutation_importance(MODEL, X, Y[:59])
    with pytest.raises(ValueError, match="groups names the column 'z'"):
        permutation_importance(MODEL, X, Y, groups=["z"])
    with pytest.raises(Exception, match="not fitted"):
        permutation_importance(LinearRegression(), X, Y)


def test_words():
    """A text and a frame, the most important column first, in both languages."""
    found = permutation_importance(MODEL, X, Y, random_state=0)
    assert found.frame().index[0] == "x0"
    assert str(found).splitlines()[2].startswith("x0")
    with language("es"):
        assert "columna" in str(found)
    assert "<script" not in found._repr_html_()
    assert np.isnan(permutation_importance(MODEL, X, Y, n_repeats=1, random_state=0).standard_error).all()
    assert set(METRICS) >= {found.measure}


def test_both_see_the_same():
    """The reach of the partial dependence of a linear model is in the order of its losses."""
    found = permutation_importance(MODEL, X, Y, random_state=0)
    reach = [partial_dependence(MODEL, X, j).strength[0] for j in range(2)]
    assert (reach[0] > reach[1]) == (found.importances_mean[0] > found.importances_mean[1])
