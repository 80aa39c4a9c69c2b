"""From a file to a comparison: questions with reasons, folds that are kept, methods that fail, a model that predicts."""

import csv

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import aprendiz
from aprendiz.evaluation import KFolds, evaluate
from aprendiz.lab import Experiment, FoldStore, TableModel, ask, chosen_methods, prepared, read
from aprendiz.lab.methods import Method, learners
from aprendiz.lab.report.script import names_of
from aprendiz.locale import language


def written(folder, columns, name="table.csv"):
    """A CSV file of some columns."""
    with open(folder / name, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    return folder / name


def flowers(n=90, seed=0):
    """Words, numbers and holes; `kind` depends on both."""
    rng = np.random.default_rng(seed)
    size, colour = rng.normal(size=n).round(3), rng.choice(["red", "blue", "white"], n)
    kind = np.where(size + (colour == "red") + 0.4 * rng.normal(size=n) > 0.4, "rose", "lily")
    price = (3 * size + 2 * (colour == "blue") + rng.normal(size=n)).round(3)
    shown = [("" if i % 11 == 0 else value) for i, value in enumerate(size)]
    return {"size": shown, "colour": colour, "price": price, "kind": kind}


@pytest.fixture
def table(tmp_path):
    return read(written(tmp_path, flowers()))


# ---- questions -------------------------------------------------------------------------------------------------------


def test_a_question_is_completed(table):
    """Target, task, measure and protocol are proposed, each with a reason."""
    question = ask(table)
    assert (question.target, question.task, question.metric) == ("kind", "classification", "accuracy")
    assert question.features == ("size", "colour", "price")
    assert dict(question.reasons).keys() == {"target", "task", "metric", "protocol"}
    assert all(reason for _, reason in question.reasons)
    assert question.protocol == KFolds(10, 0)


def test_what_the_user_says_holds(table):
    question = ask(table, target="price", metric="mae", folds=4, leave_out=["colour"])
    assert (question.task, question.metric, question.protocol) == ("regression", "mae", KFolds(4, 0))
    assert question.features == ("size", "kind")
    assert dict(question.left_out)["colour"]


def test_uneven_classes_are_judged_otherwise(tmp_path):
    columns = {"x": np.random.default_rng(0).normal(size=60).round(2), "y": ["a"] * 52 + ["b"] * 8}
    question = ask(read(written(tmp_path, columns)), target="y")
    assert question.metric == "balanced_accuracy"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"target": "prize"}, "no column 'prize'; it has 'size', 'colour', 'price', 'kind'"),
        ({"target": "prise"}, r"Did you mean 'price'\?$"),
        ({"groups": "patient"}, "groups: the table has no column 'patient'"),
        ({"metric": "r2"}, "'r2' is not a measure for classification; choose one of accuracy"),
        ({"leave_out": ["size", "colour", "price"]}, "No column is left to predict 'kind' from"),
    ],
)
def test_questions_that_cannot_be_asked(table, asked, said):
    with pytest.raises(ValueError, match=said):
        ask(table, **{"target": "kind", **asked})


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["a"] * 30, "'a' in every row"),
        ([""] * 30, "missing in every row"),
        ([f"name{i}" for i in range(30)], "differs in every row"),
    ],
    ids=["constant", "missing", "unique"],
)
def test_targets_that_cannot_be_learned(tmp_path, cells, said):
    found = read(written(tmp_path, {"x": np.arange(30), "y": cells}))
    with pytest.raises(ValueError, match=said):
        ask(found, target="y")


def test_rows_without_a_target_are_left_out(tmp_path):
    columns = flowers()
    columns["kind"] = ["" if i % 9 == 0 else kind for i, kind in enumerate(columns["kind"])]
    found = read(written(tmp_path, columns))
    X, y, _ = ask(found, target="kind").data(found)
    assert len(X) == len(y) == 80


# ---- methods ---------------------------------------------------------------------------------------------------------


def test_every_public_learner_is_a_method():
    """A family joins by being public; the baseline comes first."""
    for task, base in (("classification", "DummyClassifier"), ("regression", "DummyRegressor")):
        names = [method.name for method in chosen_methods(task, "all")]
        assert names[0] == base
        assert set(names) == set(learners(task))
    assert {"LogisticRegression", "GaussianNB", "CategoricalNB"} <= set(learners("classification"))
    assert {"LinearRegression", "Ridge", "RidgeCV"} <= set(learners("regression"))


def test_methods_of_two_classes_among_more(tmp_path):
    """A learner that knows two classes only is fitted one against the rest; its script and its model work as usual."""
    columns = flowers()
    table = read(written(tmp_path, {**columns, "kind": np.where(columns["price"] > 2, "iris", columns["kind"])}))
    question = ask(table, target="kind", folds=3)
    experiment = Experiment(table, question, chosen_methods(question.task, "StollerCut,LogisticRegression"))
    list(experiment.steps())
    assert not experiment.failures
    kinds = {method.name: type(method.learner).__name__ for method in experiment.methods}
    assert kinds["StollerCut"] == "OneVsRestClassifier"
    assert kinds["LogisticRegression"] == "LogisticRegression"
    assert set(experiment.found["StollerCut"]) == {0, 1, 2}
    assert "OneVsRestClassifier" in names_of(experiment.methods)


def test_methods_by_name():
    assert [m.name for m in chosen_methods("regression", "ridge, LinearRegression")] == [
        "DummyRegressor",
        "Ridge",
        "LinearRegression",
    ]
    with pytest.raises(ValueError, match=r"no method Rigde for regression\. Did you mean Ridge\?"):
        chosen_methods("regression", "Rigde")
    with pytest.raises(ValueError, match=r"Did you mean MLPRegressor\?"):
        chosen_methods("regression", "MLP")


def test_cells_that_are_equal_are_no_matter_for_warnings(tmp_path):
    """Where a column is zero in most rows, cuts coincide: the learner of categories gets fewer classes, silently."""
    rng = np.random.default_rng(0)
    columns = {"x": rng.normal(size=60), "zeros": np.where(rng.random(60) < 0.7, 0.0, rng.normal(size=60))}
    table = read(written(tmp_path, {**columns, "y": np.where(columns["x"] > 0, "yes", "no")}))
    question = ask(table, target="y")
    X, y, _ = question.data(table)
    model = prepared(aprendiz.CategoricalNB(), X, columns=question.columns(table)).fit(X, y)
    assert model[-1].n_categories_.tolist() < [5, 5]
    aprendiz.save(model, tmp_path / "model.apz")
    np.testing.assert_array_equal(aprendiz.load(tmp_path / "model.apz").predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_preparation_suits_every_learner(table, task):
    """Words, holes, new levels and new holes: every learner of the task can be fitted and asked."""
    target = {"classification": "kind", "regression": "price"}[task]
    question = ask(table, target=target)
    X, y, _ = question.data(table)
    new = X.head(3).copy()
    new["colour"] = ["green", None, "red"]
    for method in chosen_methods(task, "all"):
        learner = method.of_rows(len(X)).learner
        model = prepared(learner, X, columns=question.columns(table)).fit(X, y)
        assert len(model.predict(new)) == 3, method.name


@pytest.mark.parametrize("name", ["LogisticRegression", "CategoricalNB", "DecisionTreeClassifier"])
def test_columns_are_found_by_their_names(table, name):
    """In another order, with others beside them, in the fit and afterwards; one that is not there is named."""
    question = ask(table, target="kind")
    X, y, _ = question.data(table)
    model = prepared(getattr(aprendiz, name)(), X, columns=question.columns(table))
    turned = X[list(X)[::-1]].assign(other=np.arange(len(X)))
    wanted = clone(model).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(clone(model).fit(turned, y).predict_proba(turned), wanted)
    np.testing.assert_array_equal(clone(model).fit(X, y).predict_proba(turned), wanted)
    with pytest.raises((ValueError, KeyError), match="size"):
        clone(model).fit(X.drop(columns="size"), y)


@pytest.mark.parametrize("name", ["BayesianNetworkClassifier", "C45", "CART", "DecisionTreeClassifier", "ID3", "NaiveBayes"])
def test_learners_of_mixed_tables_get_the_columns_as_they_are(table, name, tmp_path):
    """A column stays a column, words stay words; the model from its file says the same."""
    question = ask(table, target="kind")
    X, y, _ = question.data(table)
    model = prepared(getattr(aprendiz, name)(), X, columns=question.columns(table)).fit(X, y)
    assert list(model[-1].feature_names_in_) == ["size", "colour", "price"]
    assert set(model[-1].columns_["colour"].levels) == {"red", "blue", "white"}
    aprendiz.save(model, tmp_path / "model.apz")
    np.testing.assert_array_equal(aprendiz.load(tmp_path / "model.apz").predict_proba(X), model.predict_proba(X))


def test_a_tree_asks_for_words(table):
    """Of a target that is a question about a word, the tree is that question."""
    question = ask(table, target="kind")
    X, _, _ = question.data(table)
    model = prepared(aprendiz.DecisionTreeClassifier(), X, columns=question.columns(table)).fit(X, X["colour"] == "red")
    assert [str(rule.conditions[0]) for rule in model[-1].rules()] == ["colour is blue or white", "colour is red"]


@pytest.mark.parametrize("name", ["KNeighborsClassifier", "KNeighborsRegressor", "NearestCentroid", "RadiusNeighborsRegressor"])
def test_units_do_not_matter_to_distances(table, name):
    """A column in thousandths changes no neighbour (a power of two rounds nothing)."""
    cls = getattr(aprendiz, name)
    target = "price" if name.endswith("Regressor") else "kind"
    question = ask(table, target=target)
    X, y, _ = question.data(table)
    said = [
        prepared(cls(), Z, columns=question.columns(table)).fit(Z, y).predict(Z) for Z in (X, X.assign(size=X["size"] * 1024))
    ]
    np.testing.assert_array_equal(*said)


@pytest.mark.parametrize("rows", [8, 12, 24])
def test_more_neighbours_than_rows_are_not_tried(tmp_path, rows):
    """A table of a few rows: the method is not set aside for the largest number of its grid."""
    rng = np.random.default_rng(rows)
    kinds = np.tile(["ash", "oak"], rows // 2)
    table = read(written(tmp_path, {"x": rng.normal(size=rows).round(3), "y": rng.normal(size=rows).round(3), "kind": kinds}))
    experiment = Experiment(table, ask(table, target="kind", folds=2), chosen_methods("classification", "KNeighborsClassifier"))
    done(experiment)
    assert experiment.failures == {}
    assert max(experiment.method("KNeighborsClassifier").grid["n_neighbors"]) <= rows // 4


# ---- experiments -----------------------------------------------------------------------------------------------------


def done(experiment):
    for _ in experiment.steps():
        pass
    return experiment.results()


def test_an_experiment(table):
    """All methods do all folds; the scores are those of `evaluate`; the baseline is worst."""
    question = ask(table, folds=4)
    experiment = Experiment(table, question)
    results = done(experiment)
    assert results.stopped is None
    assert results.done == results.folds == 4
    assert [standing.name for standing in results.standings][-1] == "DummyClassifier"
    X, y, _ = question.data(table)
    method = next(m for m in experiment.methods if m.name == "GaussianNB")
    again = evaluate(experiment.learner(method), X, y, protocol=question.protocol, metrics=question.metrics())
    assert again.score().value == results.evaluations["GaussianNB"].score("accuracy").value
    assert experiment.final(results.best).predict(X).shape == (90,)


def test_folds_are_shared_from_the_first_on(table):
    """After the first fold of each method there is a comparison already."""
    experiment = Experiment(table, ask(table, folds=4))
    steps = experiment.steps()
    for _ in experiment.methods:
        next(steps)
    results = experiment.results()
    assert results.done == 1
    assert list(results.evaluations) == [method.name for method in experiment.methods]


def test_a_budget(table):
    """Without time, the baseline still does its folds, and the reason is kept."""
    results = done(Experiment(table, ask(table, folds=4), budget=0.0))
    assert results.stopped == "budget"
    assert list(results.evaluations) == ["DummyClassifier"]


def test_resuming(table, tmp_path):
    """A run that was stopped goes on; finished folds are not done again; the results are those of one run."""
    question, methods = ask(table, folds=3), chosen_methods("classification", "GaussianNB,CategoricalNB")
    whole = done(Experiment(table, question, methods))

    def stored():
        experiment = Experiment(table, question, methods)
        experiment.store = FoldStore(tmp_path / "folds", experiment.key())
        return experiment

    first = stored()
    first.store.start(resume=False)
    steps = first.steps()
    for _ in range(5):
        next(steps)
    second = stored()
    second.store.start(resume=True)
    again = [step.again for step in second.steps()]
    assert sum(again) == 5
    results = second.results()
    for name, evaluation in whole.evaluations.items():
        assert results.evaluations[name].score().value == evaluation.score().value
    assert not list((tmp_path / "folds").glob("*.part"))


def test_another_experiment_is_not_resumed(table, tmp_path):
    first, second = (Experiment(table, ask(table, folds=k)) for k in (3, 4))
    FoldStore(tmp_path, first.key()).start(resume=False)
    with pytest.raises(ValueError, match="belongs to another run"):
        FoldStore(tmp_path, second.key()).start(resume=True)


def test_a_damaged_fold_is_done_again(table, tmp_path):
    experiment = Experiment(table, ask(table, folds=3), chosen_methods("classification", "GaussianNB"))
    experiment.store = store = FoldStore(tmp_path / "folds", experiment.key())
    store.start(resume=False)
    done(experiment)
    store.path("GaussianNB", 1).write_bytes(b"PK\x03\x04 cut short")
    assert store.load("GaussianNB", 1) is None
    assert store.load("GaussianNB", 0) is not None


class Broken(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        raise ValueError("it does not work")


def test_a_method_that_fails_is_set_aside(table):
    """The others go on, and the reason is kept."""
    methods = [*chosen_methods("classification", "GaussianNB"), Method("Broken", Broken(), {})]
    results = done(Experiment(table, ask(table, folds=3), methods))
    assert results.failures == {"Broken": "it does not work"}
    assert set(results.evaluations) == {"DummyClassifier", "GaussianNB"}


def test_an_interrupt_keeps_what_is_done(table, monkeypatch):
    """Ctrl-C in the middle: the finished folds are compared."""
    import aprendiz.lab.experiment as module

    plain, calls = module.run, []

    def run(*args, **kwargs):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return plain(*args, **kwargs)

    monkeypatch.setattr(module, "run", run)
    results = done(Experiment(table, ask(table, folds=4)))
    assert results.stopped == "interrupted"
    assert results.done == 1


# ---- the model -------------------------------------------------------------------------------------------------------


def test_a_model_of_a_table(table, tmp_path):
    """It is stored, loaded, reads new files as the first one was read, and says what it misses."""
    experiment = Experiment(table, ask(table, folds=3), chosen_methods("classification", "GaussianNB"))
    results = done(experiment)
    question = results.question
    fitted = experiment.final(results.best)
    model = TableModel.of(fitted, question.target, question.task, question.columns(table), table.dialect, method=results.best)
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    X, _, _ = question.data(table)
    expected = fitted.predict(X)
    np.testing.assert_array_equal(loaded.predict(X), expected)
    np.testing.assert_array_equal(loaded.predict(X[["price", "colour", "size"]].assign(other=1)), expected)
    np.testing.assert_array_equal(loaded.predict(table.path), expected)
    assert results.best in loaded.describe()
    with pytest.raises(ValueError, match=r"has no column 'colour', .* it has 'size', 'price'"):
        loaded.predict(X[["size", "price"]])
    with pytest.raises(ValueError, match=r"Column 'size' contains 'big', but the model was trained on numbers"):
        loaded.predict(X.assign(size="big"))


def test_spanish(table):
    """Reasons and refusals in the reader's language."""
    with language("es"):
        assert dict(ask(table, folds=3).reasons)["metric"] != dict(ask_in_english(table).reasons)["metric"]
        with pytest.raises(ValueError, match="no hay"):
            chosen_methods("regression", "Rigde")


def ask_in_english(table):
    with language("en"):
        return ask(table, folds=3)


def test_frames_of_pandas(table):
    assert isinstance(table.frame, pd.DataFrame)
