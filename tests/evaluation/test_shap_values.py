"""SHAP values of learners: they add up to the predictions, and obey the laws that define them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

import aprendiz
from aprendiz import (
    C45,
    CART,
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    KNeighborsClassifier,
    LinearRegression,
    RandomForestClassifier,
    RandomForestRegressor,
    StandardScaler,
)
from aprendiz.evaluation import shap_values
from aprendiz.locale import language

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 4))
X[::7, 1] = np.nan
Y = np.nan_to_num(X[:, 0] * X[:, 1]) + X[:, 2]
LABELS = np.array(["low", "middle", "high"])[np.digitize(Y, [-0.5, 0.5])]
WORDS = pd.DataFrame({"size": RNG.choice(["s", "m", "l"], 120), "x": X[:, 0], "hole": X[:, 1], "yes": X[:, 3] > 0})
SMALL = {"n_estimators": 8, "random_state": 0}
MODELS = {
    "tree of classes": (DecisionTreeClassifier(max_depth=4), X, LABELS),
    "tree of numbers": (DecisionTreeRegressor(), X, Y),
    "several targets": (RandomForestRegressor(**SMALL), X, np.column_stack([Y, -Y, X[:, 3]])),
    "surrogates and words": (CART(pruning=None), WORDS, LABELS),
    "several branches, parted rows": (C45(), WORDS, LABELS),
    "forest of classes": (RandomForestClassifier(**SMALL), WORDS, LABELS),
    "hard votes, balanced": (RandomForestClassifier(**SMALL, voting="hard", class_weight="balanced"), X, LABELS),
    "random cuts": (ExtraTreesRegressor(**SMALL), X, 1e8 + Y),
    "bags of columns": (BaggingClassifier(DecisionTreeClassifier(), **SMALL, max_features=2), X, LABELS),
    "boosted scores": (HistGradientBoostingClassifier(max_iter=5, random_state=0), WORDS, LABELS),
    "boosted counts": (HistGradientBoostingRegressor(max_iter=5, loss="poisson"), X, np.exp(Y)),
    "boosting": (AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **SMALL), np.nan_to_num(X), LABELS),
}


@pytest.fixture(scope="module", params=MODELS)
def fitted(request):
    model, table, y = MODELS[request.param]
    return model.fit(table, y), table


def test_they_add_up(fitted):
    """To the prediction of every row, with the base; interactions add to the values."""
    model, table = fitted
    found = shap_values(model, table[:40], interactions=True)
    total = found.base + found.values.sum(axis=1)
    classes = hasattr(model, "predict_proba")
    wanted = model.predict_proba(table[:40]) if classes else model.predict(table[:40])
    if found.meaning == "score":
        wanted, classes = model.decision_function(table[:40]) if classes else np.log(wanted), False
    if not isinstance(model, AdaBoostClassifier):
        np.testing.assert_allclose(total, wanted, rtol=0, atol=1e-14 * max(1, np.abs(wanted).max()))
    else:
        assert (model.classes_[total.argmax(axis=1)] == model.predict(table[:40])).all()
    assert found.certificate.holds
    np.testing.assert_allclose(found.interactions.sum(axis=2), found.values, rtol=0, atol=1e-12)
    if found.values.ndim == 3 and classes:
        np.testing.assert_allclose(found.values.sum(axis=2), 0, atol=1e-14)


def test_threads_and_rows_do_not_matter(monkeypatch):
    """The same bits for any number of threads; a row has the same values alone, up to rounding."""
    model = RandomForestClassifier(12, random_state=0).fit(X, LABELS)
    table = RNG.normal(size=(1300, 4))
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        found.append(shap_values(model, table).values)
        against = shap_values(model, table[:50], X[:20]).values
        found[-1] = np.concatenate([found[-1], against])
    assert all(np.array_equal(found[0], one) for one in found[1:])
    np.testing.assert_allclose(shap_values(model, table[1200:1201]).values[0], found[0][1200], rtol=0, atol=1e-15)


def test_the_laws_of_shapley():
    """Columns that act alike add alike, a column that is not asked adds nothing, and the values of a sum are the sum."""
    square = np.array([[a, b, c] for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)])
    tree = DecisionTreeRegressor().fit(square, square[:, 0] * square[:, 1])
    found = shap_values(tree, square, square, interactions=False).values
    usual = shap_values(tree, square).values
    np.testing.assert_allclose(usual, found, atol=1e-15)  # columns do not go together: both ways are the same
    np.testing.assert_allclose(found[:, 0][square[:, 1] == square[:, 0]], found[:, 1][square[:, 1] == square[:, 0]], atol=1e-15)
    assert not found[:, 2].any()
    forest = RandomForestRegressor(6, random_state=0).fit(X, Y)
    each = [shap_values(one, X).values for one in forest.estimators_]
    np.testing.assert_allclose(shap_values(forest, X).values, np.mean(each, axis=0), rtol=0, atol=1e-14)


def test_weights_are_rows():
    """A row of weight two counts twice in what is usual where columns are not known."""
    weight = RNG.integers(1, 4, 120)
    once = DecisionTreeRegressor(max_depth=3).fit(X, Y, sample_weight=weight)
    twice = DecisionTreeRegressor(max_depth=3).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    one, other = shap_values(once, X), shap_values(twice, X)
    np.testing.assert_allclose(one.values, other.values, atol=1e-12)
    assert one.base == pytest.approx(np.average(Y, weights=weight))


def test_hostile_trees():
    """A single leaf, a constant target, one row, a column asked again and again, missing cells."""
    constant = RandomForestRegressor(3, random_state=0).fit(X, np.full(120, 7.0))
    found = shap_values(constant, X[:1])
    assert found.values.shape == (1, 4)
    assert not found.values.any()
    assert found.base == pytest.approx(7.0, rel=1e-14)
    assert str(found.explain(0)).splitlines() == ["nothing known of the row  7.000", "prediction                7.000"]
    assert not shap_values(constant, X[:2], X[2:4]).values.any()
    one_class = RandomForestClassifier(3, random_state=0).fit(X, ["a"] * 120)
    assert shap_values(one_class, X[:2]).values.shape == (2, 4)
    stairs = DecisionTreeRegressor().fit(np.arange(64.0)[:, None], np.arange(64.0) ** 2)
    found = shap_values(stairs, [[5.0], [np.nan], [1e300]])
    np.testing.assert_allclose(found.values[:, 0], stairs.predict([[5.0], [np.nan], [1e300]]) - found.base, rtol=1e-13)
    holes = shap_values(MODELS["forest of classes"][0].fit(WORDS, LABELS), WORDS.assign(hole=np.nan))
    assert holes.certificate.holds


def test_what_is_refused():
    """Other models, other columns, sums that are none, rows without a way of their own."""
    forest = RandomForestRegressor(3, random_state=0).fit(X, Y)
    with pytest.raises(TypeError, match="LinearRegression is no sum of trees: give a tree"):
        shap_values(LinearRegression().fit(X[:, [0]], Y), X[:, [0]])
    with pytest.raises(TypeError, match="weighted median"):
        shap_values(AdaBoostRegressor(n_estimators=2).fit(np.nan_to_num(X), Y), np.nan_to_num(X))
    with pytest.raises(TypeError, match="A sum of trees needs decision trees"):
        shap_values(BaggingClassifier(KNeighborsClassifier(), n_estimators=2).fit(X[:, [0]], LABELS), X[:, [0]])
    with pytest.raises(ValueError, match="supports one target only"):
        shap_values(RandomForestClassifier(2).fit(X, np.column_stack([LABELS, LABELS])), X)
    with pytest.raises(ValueError, match="X has 3 features, but RandomForestRegressor is expecting 4"):
        shap_values(forest, X[:, :3])
    with pytest.raises(ValueError, match="X has 2 features, but RandomForestRegressor is expecting 4"):
        shap_values(forest, X, X[:5, :2])
    with pytest.raises(ValueError, match="interactions=True is for values without a background"):
        shap_values(forest, X, X, interactions=True)
    stands_in = CART(pruning=None).fit(X, LABELS)
    with pytest.raises(ValueError, match=r"background has a missing cell in row 1, column 'x1'.*Impute them"):
        shap_values(stands_in, X[1:5], X[6:9])
    found = shap_values(RandomForestClassifier(2, random_state=0).fit(X, LABELS), X)
    with pytest.raises(ValueError, match="The model has 3 outputs: choose one by target, one of 'high', 'low', 'middle'"):
        found.plot()
    with pytest.raises(ValueError, match="target = 'none' is no output of the model: choose one of 'high'"):
        found.of_output("none")
    with pytest.raises(IndexError, match="There is no row 120: there are 120"):
        found.explain(120)


def test_pipelines_and_tables():
    """The columns are those that the last step sees; frames of any library, files."""
    table = pd.DataFrame(np.nan_to_num(X), columns=list("abcd"))
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), RandomForestRegressor(3, random_state=0))
    found = shap_values(pipe.fit(table, Y), table, table[:9])
    assert found.names == ("a", "b", "c", "d")
    assert found.certificate.holds
    assert found.base == pytest.approx(pipe.predict(table[:9]).mean(), rel=1e-14)
    model = MODELS["forest of classes"][0].fit(WORDS, LABELS)
    same = [shap_values(model, one).values for one in (WORDS, pl.DataFrame(WORDS.to_dict("list")))]
    np.testing.assert_array_equal(*same)


def test_rows_in_files(tmp_path):
    """Rows of a file as those of a table; their cells are not kept."""
    table = pd.DataFrame(np.nan_to_num(X), columns=list("abcd"))
    table.to_parquet(tmp_path / "rows.parquet")
    model = RandomForestRegressor(3, random_state=0).fit(table, Y)
    found = shap_values(model, aprendiz.rows(tmp_path / "rows.parquet"))
    np.testing.assert_array_equal(found.values, shap_values(model, table).values)
    with pytest.raises(TypeError, match="The cells of rows in files were not kept"):
        found.explain(0)


def test_words():
    """What is printed: columns by importance, cells as they are, the other columns together, in both languages."""
    model = RandomForestClassifier(**SMALL).fit(WORDS, LABELS)
    row = {"size": "m", "x": 0.25, "hole": None, "yes": True}
    one = model.explain(row)
    assert one.labels[one.output] == model.predict(pd.DataFrame([row]))[0]
    lines = str(one).splitlines()
    assert lines[0].startswith("nothing known of the row")
    assert lines[-1].startswith(f"probability of '{one.labels[one.output]}'")
    assert {line.split("  ")[0] for line in lines[1:-1]} == {"size = m", "x = 0.25", "hole = missing", "yes = True"}
    shown = one.to_text(most=2, target="low").splitlines()
    assert shown[3].startswith("2 other columns")
    added = [float(line.split()[-1]) for line in shown[1:-1]]
    assert float(shown[0].split()[-1]) + sum(added) == pytest.approx(float(shown[-1].split()[-1]), abs=3e-4)
    with language("es"):
        assert "probabilidad de" in str(one)
        assert "hole = sin dato" in str(one)
    found = shap_values(model, WORDS)
    assert str(found).splitlines()[2].split()[0] == found.names[found.ranking[0]]
    assert found.frame("low").shape == (120, 4)
    np.testing.assert_array_equal(found.explain(-1).values, found.values[-1])
    assert "What the columns add" in one._repr_html_()
    assert "SHAP values" in found._repr_html_()
