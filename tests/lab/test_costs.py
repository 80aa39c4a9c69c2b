"""Costs and rejections in a run: files of costs, decisions of every method, scores, numbers, script, and rare classes."""

import subprocess
import sys

import numpy as np
import pytest

import aprendiz
from aprendiz.bayes import DecisionRule
from aprendiz.evaluation import KFolds, Tuned, evaluate
from aprendiz.lab import Costs, read_costs
from aprendiz.lab.methods import Method
from aprendiz.lab.report import write_outcome
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.targets.rare_classes import rare_class_of
from aprendiz.locale import language

RNG = np.random.default_rng(0)
A, B, NOISE = RNG.normal(size=(3, 150)).round(3)
TABLE = {"a": A, "b": B, "y": np.array(["no", "some", "yes"])[np.digitize(A + 0.7 * NOISE, [-0.3, 0.6])]}
COSTS = Costs(("yes", "no", "some"), ((0.0, 10.0, 5.0), (1.0, 0.0, 1.0), (2.0, 3.0, 0.0)))
LOSS = np.array([[0.0, 1, 1], [3, 0, 2], [10, 5, 0]])  # in the order no, some, yes
SVC = Method("SVC", aprendiz.SVC(), {"C": (0.1, 1.0)})


# ---- files ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def write(text, **how):
        path = tmp_path / "costs.csv"
        path.write_text(text, encoding="utf-8", **how)
        return str(path)

    return write


@pytest.mark.parametrize(
    "text",
    [
        "true,a,b\na,0,1.5\nb,20,0\n",
        "\ufefftrue;b;a\nb;0;20\na;1,5;0\n",
        "\ta\tb\nb\t20\t0\na\t0\t1.5\n\n",
    ],
)
def test_files(file, text):
    """Separators, decimal commas, rows and columns in any order."""
    found = read_costs(file(text))
    cost = {(t, d): found.table[i][j] for i, t in enumerate(found.labels) for j, d in enumerate(found.labels)}
    assert cost == {("a", "a"): 0, ("a", "b"): 1.5, ("b", "a"): 20, ("b", "b"): 0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no costs"),
        ("0 1\n1 0\n", "holds no costs"),
        ("true,a,b\na,0,1\n", "1 rows and 2 columns of costs"),
        ("true,a,b\na,0,1\nb,1\n", "row 3: 2 cells instead of 3"),
        ("true,a,b\na,0,1\nb,1,0,5\n", "row 3: 4 cells instead of 3"),
        ("true,a,b\na,0,1\nc,1,0\n", "a row for class 'c' but no column"),
        ("true,a,a\na,0,1\na,1,0\n", "names class 'a' twice"),
        ("true,a,b\na,0,-1\nb,1,0\n", "deciding 'b' where 'a' is true is '-1'; give a number of at least 0"),
        ("true,a,b\na,0,\nb,1,0\n", "deciding 'b' where 'a' is true is missing"),
        ("true,a,b\na,0,much\nb,1,0\n", "is 'much'"),
        ("true,a,b\na,0,inf\nb,1,0\n", "is 'inf'"),
        ("true,a,b\na,0,0\nb,0,0\n", "every decision costs 0"),
    ],
)
def test_wrong_files(file, text, words):
    with pytest.raises(ValueError, match=words):
        read_costs(file(text))
    with language("es"), pytest.raises(ValueError, match=r"costes|coste|celdas|clase|decisión"):
        read_costs(file(text))


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="There is no file of costs"):
        read_costs(str(tmp_path / "no.csv"))
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a text in UTF-8"):
        read_costs(str(tmp_path / "bytes.csv"))


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (Costs(("no", "some", "perhaps"), ((0, 1, 1),) * 3), "name class 'perhaps', which the target 'y' does not have"),
        (Costs(("no", "some"), ((0, 1), (1, 0))), "lack class 'yes' of the target 'y'"),
    ],
)
def test_other_classes(concluded, costs, words):
    with pytest.raises(ValueError, match=words):
        concluded(TABLE, costs=costs)


def test_costs_of_a_number(concluded):
    with pytest.raises(ValueError, match="'y' is a number: omit --costs and --reject"):
        concluded({"a": A, "y": B}, ["Ridge"], reject=0.1)


# ---- decisions -----------------------------------------------------------------------------------------------------------


def test_every_method_decides_by_the_costs(concluded):
    """Predictions and scores by hand from the probabilities of each fold; the baseline too."""
    outcome = concluded(TABLE, ["GaussianNB", SVC], costs=COSTS)
    assert outcome.results.question.metric == "mean_cost"
    assert outcome.results.failures == {}
    for found in outcome.results.evaluations.values():
        costs = []
        for fold, answers in zip(found.folds, found.by_fold, strict=True):
            best = (answers.probability @ LOSS).argmin(axis=1)
            assert fold.prediction.tolist() == found.classes[best].tolist()
            costs.append(LOSS[np.searchsorted(found.classes, answers.truth), best].mean())
        assert found.score("mean_cost").value == pytest.approx(np.mean(costs))
        assert found.score("accuracy").value == pytest.approx(
            np.mean([np.mean(f.truth == f.prediction) for f in found.by_fold])
        )
    order = [standing.score.value for standing in outcome.results.standings]
    assert order == sorted(order)
    assert len(set(outcome.results.evaluations["DummyClassifier"].pooled.prediction)) == 1


def test_methods_without_probabilities_are_calibrated(concluded):
    """A machine, with its columns prepared as its own and its parameters tuned inside."""
    outcome = concluded(TABLE, [SVC], costs=COSTS)
    experiment = outcome.experiment
    learner = experiment.learner(experiment.method("SVC"))
    assert isinstance(learner, Tuned)
    assert learner.metric == "log_loss"
    steps = learner.learner[0].transformers
    assert "StandardScaler" in repr(steps)
    assert outcome.results.evaluations["SVC"].pooled.probability is not None
    assert set(outcome.results.evaluations["SVC"].folds[0].chosen) == {"learner__estimator__C"}


def test_rejections(concluded):
    """A row is rejected where every decision is expected to cost more, and costs just that."""
    outcome = concluded(TABLE, ["GaussianNB"], costs=COSTS, reject=0.5)
    answers = outcome.evaluation.pooled
    risk = answers.probability @ LOSS
    rejected = risk.min(axis=1) > 0.5
    cost = np.where(rejected, 0.5, LOSS[np.searchsorted(outcome.evaluation.classes, answers.truth), risk.argmin(axis=1)])
    known = numbers_of(outcome)["decisions"]
    assert 10 < rejected.sum() < 140
    assert known["rejected"] == rejected.sum()
    assert known["mean_cost"] == pytest.approx(cost.mean())
    assert outcome.evaluation.pooled_score("mean_cost").value == pytest.approx(cost.mean())
    model = outcome.model()
    said = model.predict(outcome.experiment.X)
    own = DecisionRule(LOSS, reject_cost=0.5).decide(model.predict_proba(outcome.experiment.X))
    assert said.tolist() == [["no", "some", "yes", "reject"][code] for code in own]


def test_only_rejections(concluded):
    """Without a table every error costs 1: the mean cost is the errors of the decided rows and the rejections."""
    outcome = concluded(TABLE, ["GaussianNB"], reject=0.2)
    answers = outcome.evaluation.pooled
    kept = answers.probability.max(axis=1) >= 0.8
    known = numbers_of(outcome)["decisions"]
    assert known["rejected"] == (~kept).sum()
    assert known["accuracy_of_decided"] == pytest.approx((answers.truth == answers.prediction)[kept].mean())
    assert known["mean_cost"] == pytest.approx(np.where(kept, answers.truth != answers.prediction, 0.2).mean())


def test_costs_change_decisions_as_they_should(concluded):
    """Overlooking 'yes' costs more: it is decided more often than without costs, and the mean cost falls."""
    with_costs = concluded(TABLE, ["GaussianNB"], costs=COSTS)
    without = concluded(TABLE, ["GaussianNB"])
    says = [(one.evaluation.pooled.prediction == "yes").sum() for one in (with_costs, without)]
    assert says[0] > says[1]
    known = numbers_of(with_costs)["decisions"]
    assert known["mean_cost"] < known["mean_cost_of_most_probable"]
    assert numbers_of(without)["decisions"] is None


def test_kept_and_reproduced(concluded, tmp_path):
    """The model is loaded with its costs, and experiment.py finds the same scores."""
    outcome = concluded(TABLE, ["GaussianNB", SVC], costs=COSTS, reject=0.5)
    write_outcome(outcome, tmp_path / "out")
    again = aprendiz.load(tmp_path / "out" / "model.apz")
    assert again.predict(outcome.experiment.X).tolist() == outcome.model().predict(outcome.experiment.X).tolist()
    done = subprocess.run(
        [sys.executable, tmp_path / "out" / "experiment.py"], capture_output=True, text=True, timeout=120, check=False
    )
    assert "All scores are those of results.json." in done.stdout, done.stdout + done.stderr


def test_no_costs_no_measure():
    """Without costs the measure is not among those of an evaluation, and has no value."""
    found = evaluate(aprendiz.GaussianNB(), np.column_stack([A, B]), TABLE["y"], protocol=KFolds(3))
    assert "mean_cost" not in found.metrics
    assert np.isnan(found.score("mean_cost").value)


# ---- rare classes --------------------------------------------------------------------------------------------------------


def rare(seed, signal, n=800):
    """A class of about one row in ten, of which a column tells something."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.1
    return {"a": (signal * y + rng.normal(size=n)).round(3), "b": rng.normal(size=n).round(3), "y": np.where(y, "ill", "well")}


def test_a_rare_class_is_told(concluded):
    """With the numbers of the decision by shares, counted by hand."""
    outcome = concluded(rare(0, 1.5), ["GaussianNB"], folds=10)
    known = rare_class_of(outcome)
    answers = outcome.evaluation.pooled
    share = (outcome.experiment.y == "ill").mean()
    ill = answers.truth == "ill"
    called = answers.probability[:, 0] > share
    assert known["class"] == "ill"
    assert known["recall"] == {
        "before": pytest.approx((answers.prediction == "ill")[ill].mean()),
        "after": pytest.approx(called[ill].mean()),
    }
    assert known["precision"]["after"] == pytest.approx(ill[called].mean())
    assert known["recall"]["after"] > known["recall"]["before"] + 0.3
    (finding,) = (one for one in numbers_of(outcome)["findings"] if one["code"] == "rare_class")
    assert "--costs" in finding["remedy"]


def test_it_is_not_invented(concluded):
    """Columns that say nothing, classes that are found well, costs that are given: no advice."""
    for seed in range(6):
        assert rare_class_of(concluded(rare(seed, 0.0), ["GaussianNB"], folds=10)) is None
    assert rare_class_of(concluded(rare(0, 6.0), ["GaussianNB"], folds=10)) is None
    costs = Costs(("ill", "well"), ((0, 5), (1, 0)))
    assert rare_class_of(concluded(rare(0, 1.5), ["GaussianNB"], costs=costs)) is None
