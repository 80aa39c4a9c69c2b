"""The end of an experiment: whole, interrupted or out of time; the model it hands over, and the parameters it chose."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold

import aprendiz
from aprendiz.evaluation import KFolds
from aprendiz.evaluation.tuned import Tuned
from aprendiz.lab import Experiment, ask, chosen_methods, prepared, read
from aprendiz.lab import outcome as module
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.time_limit import TimeLimit

FOLDS = 3
BAYES = Method("GaussianNB", aprendiz.GaussianNB(), {})
PLAIN = [*chosen_methods("classification", "DummyClassifier"), BAYES]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Flowers: words, numbers and holes; `kind` depends on both, `price` on size and colour."""
    rng = np.random.default_rng(0)
    n = 90
    size, colour = rng.normal(size=n).round(3), rng.choice(["red", "blue", "white"], n)
    kind = np.where(size + (colour == "red") + 0.4 * rng.normal(size=n) > 0.4, "rose", "lily")
    price = (3 * size + 2 * (colour == "blue") + rng.normal(size=n)).round(3)
    shown = ["" if i % 11 == 0 else value for i, value in enumerate(size)]
    path = tmp_path_factory.mktemp("flowers") / "flowers.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["size", "colour", "price", "kind"])
        out.writerows(zip(shown, colour, price, kind, strict=True))
    return read(path)


def experiment_of(table, methods, target="kind"):
    return Experiment(table, ask(table, target=target, folds=FOLDS), methods)


def concluded(experiment):
    for _ in experiment.steps():
        pass
    return conclude(experiment)


@pytest.fixture(scope="module")
def classified(table):
    return concluded(experiment_of(table, PLAIN))


@pytest.fixture(scope="module")
def tuned(table):
    """A regression whose penalty is tuned."""
    grid = {"alpha": [0.01, 1.0, 10.0, 100.0, 1000.0]}
    methods = [*chosen_methods("regression", "DummyRegressor"), Method("Ridge", aprendiz.Ridge(), grid)]
    return concluded(experiment_of(table, methods, "price"))


# ---- a whole run -----------------------------------------------------------------------------------------------------


def test_a_whole_run(classified):
    """The best method of the comparison, fitted to all rows, with a learning curve that ends at the training rows of a fold."""
    assert classified.results.stopped is None
    assert classified.results.best == "GaussianNB"
    assert classified.evaluation is classified.results.evaluations["GaussianNB"]
    assert classified.pipeline[-1].class_count_.sum() == 90
    assert classified.curve.rows[-1] == 60
    assert classified.ended.tzinfo is not None


def test_what_is_done_after_the_folds_is_told(table):
    """Before the last fit, before the curve, and before the columns are shuffled."""
    experiment = experiment_of(table, PLAIN)
    list(experiment.steps())
    said = []
    conclude(experiment, on_stage=said.append)
    assert said == ["fitting GaussianNB to all rows", "learning curve", "importance of the columns"]


def test_a_curve_that_would_take_too_long_is_left_out(table, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_CURVE", 0.0)
    outcome = concluded(experiment_of(table, PLAIN))
    assert outcome.curve is None
    assert outcome.results.best == "GaussianNB"


def test_a_curve_that_the_rows_do_not_allow_is_left_out(table):
    """Seven rows: three folds of them cannot be cut into parts in which both classes can be tuned."""
    frame = table.frame.iloc[:7].assign(kind=["rose", "rose", "lily", "lily", "rose", "lily", "rose"])
    few = replace(table, frame=frame, rows=7)
    methods = [
        *chosen_methods("classification", "DummyClassifier"),
        Method("LogisticRegression", aprendiz.LogisticRegression(), {"C": [1.0]}),
    ]
    experiment = Experiment(few, ask(few, target="kind", folds=2), methods)
    list(experiment.steps())
    assert module.curve_of(experiment, "LogisticRegression", KFolds(3)) is None


class Warner(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        import warnings

        warnings.warn("mind the gap", UserWarning, stacklevel=1)
        return super().fit(X, y, sample_weight)


def test_warnings_of_the_last_fit_are_counted(table):
    """Apart from those of the folds; what is said of the small parts of the curve does not count."""
    outcome = concluded(experiment_of(table, [Method("Warner", Warner(), {})]))
    assert outcome.curve is not None
    assert outcome.warnings == {"UserWarning: mind the gap": 1}
    assert outcome.evaluation.warnings == {"UserWarning: mind the gap": FOLDS}


# ---- a run that was cut short ----------------------------------------------------------------------------------------


class Interrupted(aprendiz.GaussianNB):
    """Ctrl-C in the second fold, as if pressed once."""

    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        type(self).fits += 1
        if type(self).fits == 2:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def test_an_interrupted_run(table, monkeypatch):
    """The folds that all have done are compared, the best method is fitted to all rows, and no time is spent on a curve."""
    monkeypatch.setattr(Interrupted, "fits", 0)
    outcome = concluded(experiment_of(table, [*PLAIN, Method("Interrupted", Interrupted(), {})]))
    results = outcome.results
    assert results.stopped == "interrupted"
    assert set(results.evaluations) == {"DummyClassifier", "GaussianNB", "Interrupted"}
    assert all([fold.number for fold in found.folds] == [0] for found in results.evaluations.values())
    assert (results.done, results.folds) == (1, FOLDS)
    assert outcome.curve is None
    assert outcome.pipeline[-1].class_count_.sum() == 90
    assert outcome.model().facts["method"] == results.best


class TwoFolds(TimeLimit):
    """A minute, which ends with the second fold."""

    def __init__(self, experiment):
        super().__init__(60.0)
        self.experiment = experiment

    @property
    def left(self):
        return 0.0 if len(self.experiment.found.get("GaussianNB", {})) == 2 else 60.0


def test_a_run_whose_time_is_spent(table):
    """Two folds were done by all: the scores are those of these folds, the model is fitted, and a curve is not begun."""
    experiment = experiment_of(table, PLAIN)
    experiment.limit = TwoFolds(experiment)
    outcome = concluded(experiment)
    results = outcome.results
    assert results.stopped == "budget"
    assert results.done == 2
    assert results.best == "GaussianNB"
    whole = concluded_scores(table)
    np.testing.assert_array_equal(outcome.evaluation.score("accuracy").folds, whole[:2])
    assert (outcome.curve, outcome.no_curve) == (None, "budget")
    assert outcome.model().facts["method"] == "GaussianNB"


def concluded_scores(table):
    experiment = experiment_of(table, PLAIN)
    list(experiment.steps())
    return experiment.evaluation("GaussianNB").score("accuracy").folds


def test_a_run_without_any_time(table):
    """The baseline has done a fold: it is the model, and it says the most frequent class."""
    experiment = experiment_of(table, PLAIN)
    experiment.limit = TimeLimit(0.0)
    outcome = concluded(experiment)
    assert outcome.results.stopped == "budget"
    assert outcome.results.best == "DummyClassifier"
    labels, counts = np.unique(experiment.y, return_counts=True)
    assert set(outcome.model().predict(experiment.X)) == {labels[counts.argmax()]}
    assert outcome.parameters == {}


class Broken(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        raise ValueError("it does not work")


def test_nothing_to_conclude(table):
    """No method could be fitted: each of them says why."""
    with pytest.raises(ValueError, match="Broken: it does not work"):
        concluded(experiment_of(table, [Method("Broken", Broken(), {})]))
    with pytest.raises(ValueError, match="No fold was finished"):
        conclude(experiment_of(table, PLAIN))


# ---- the model -------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["classified", "tuned"])
def outcome(request):
    return request.getfixturevalue(request.param)


def test_the_model_is_the_pipeline(outcome):
    """On the training frame, whatever the order of its columns, and on the file."""
    model, X, path = outcome.model(), outcome.experiment.X, outcome.experiment.table.path
    expected = outcome.pipeline.predict(X)
    np.testing.assert_array_equal(model.predict(X), expected)
    np.testing.assert_array_equal(model.predict(outcome.experiment.table.frame[::-1])[::-1], expected)
    np.testing.assert_array_equal(model.predict(path), expected)
    if outcome.results.question.task == "classification":
        np.testing.assert_array_equal(model.predict_proba(path), outcome.pipeline.predict_proba(X))


def test_the_model_is_fitted_to_all_rows(outcome):
    """The same as preparing and fitting the method, with the chosen parameters, by hand."""
    experiment = outcome.experiment
    learner = clone(experiment.method(outcome.results.best).learner).set_params(**outcome.parameters)
    by_hand = prepared(learner, experiment.X, columns=experiment.question.columns(experiment.table))
    by_hand.fit(experiment.X, experiment.y)
    np.testing.assert_array_equal(outcome.pipeline.predict(experiment.X), by_hand.predict(experiment.X))


def test_a_saved_model_predicts_the_same(outcome, tmp_path):
    """Bit by bit, from the frame and from the file; what is known of it is kept."""
    model = outcome.model()
    aprendiz.save(model, tmp_path / "model.apz")
    loaded = aprendiz.load(tmp_path / "model.apz")
    X = outcome.experiment.X
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict(outcome.experiment.table.path), model.predict(X))
    if outcome.results.question.task == "classification":
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert list(loaded.classes_) == ["lily", "rose"]
    assert loaded.facts == model.facts
    assert loaded.describe() == model.describe()


def test_what_the_model_says_of_itself(outcome):
    """Method, measure, score with its interval, rows and table are those of the comparison."""
    score, facts = outcome.results.standings[0].score, outcome.model().facts
    assert facts["method"] == outcome.results.best
    assert (facts["measure"], facts["score"], facts["low"], facts["high"]) == (score.name, score.value, score.low, score.high)
    assert (facts["rows"], facts["table"]) == (90, "flowers.csv")
    assert facts["made"] == outcome.ended.isoformat(timespec="seconds")


# ---- the parameters --------------------------------------------------------------------------------------------------


def test_chosen_parameters(tuned):
    """scikit-learn's grid search chooses the same penalty on the same inner folds of all rows."""
    experiment = tuned.experiment
    assert isinstance(tuned.learner, Tuned)
    pipeline = prepared(aprendiz.Ridge(), experiment.X, columns=experiment.question.columns(experiment.table))
    grid = {"learner__alpha": list(experiment.method("Ridge").grid["alpha"])}
    inner = KFold(experiment.inner, shuffle=True, random_state=0)
    theirs = GridSearchCV(pipeline, grid, scoring="r2", cv=inner).fit(experiment.X, experiment.y)
    assert tuned.parameters == {"alpha": theirs.best_params_["learner__alpha"]}
    assert 0.01 < tuned.parameters["alpha"] < 1000.0  # neither end of the grid: there was something to choose
    assert tuned.pipeline[-1].alpha == tuned.parameters["alpha"]
    np.testing.assert_allclose(tuned.pipeline.predict(experiment.X), theirs.predict(experiment.X), rtol=1e-10)


def test_a_method_without_a_grid_has_no_parameters(classified):
    assert classified.parameters == {}
    assert classified.pipeline is classified.learner
