"""Support vectors in the report: those of a machine fitted to all rows, in words that hold, in both languages."""

import csv

import numpy as np
import pytest

import aprendiz
from aprendiz.lab import Experiment, ask, chosen_methods, prepared, read
from aprendiz.lab.machine_of_run import usual_choice
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.report.page import meaning_of_support, page_of
from aprendiz.lab.report.pictures import of_classes
from aprendiz.locale import language

RNG = np.random.default_rng(0)
A, B, NOISE = RNG.normal(size=(3, 90)).round(3)
LINE = np.where(A + 0.3 * NOISE > 0, "yes", "no")
THREE = np.array(["low", "middle", "high"])[np.digitize(A + 0.3 * NOISE, [-0.5, 0.5])]
NUMBERS = (2 * A - B + 0.2 * NOISE).round(3)
MACHINE = Method("SVC", aprendiz.SVC(), {"C": (0.1, 1.0), "gamma": ("scale", 0.1)})
BAYES = Method("GaussianNB", aprendiz.GaussianNB(), {})
TUBE = Method("SVR", aprendiz.SVR(epsilon=0.5), {})


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """Outcome, numbers and page of an experiment, without the learning curve."""

    def of(y, methods, words="en"):
        path = tmp_path_factory.mktemp("run") / "table.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["a", "b", "y"])
            out.writerows(zip(A, B, y, strict=True))
        table = read(path)
        question = ask(table, target="y", folds=3)
        experiment = Experiment(table, question, [*chosen_methods(question.task)[:1], *methods])
        for _step in experiment.steps():
            pass
        with pytest.MonkeyPatch.context() as patch, language(words):
            patch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", 0.0)
            outcome = conclude(experiment)
            numbers = numbers_of(outcome)
            return outcome, numbers, page_of(numbers, {}, table)

    return of


def test_two_classes(reported):
    """The numbers are those of the machine; the page tells them, class by class."""
    outcome, numbers, page = reported(LINE, [MACHINE, BAYES])
    found = numbers["support_vectors"]
    name, pipeline = outcome.machine
    machine = pipeline[-1]
    assert name == found["method"] == "SVC"
    assert found["rows"] == 90
    assert found["count"] == len(machine.support_) == found["on_margin"] + found["beyond"]
    assert found["beyond"] == len(machine.error_support_)
    assert found["margins"] == [2.0 * machine.margin_[0]]
    assert [(one["label"], one["count"]) for one in found["classes"]] == list(
        zip(["no", "yes"], machine.n_support_, strict=True)
    )
    assert [one["rows"] for one in found["classes"]] == [int((label == LINE).sum()) for label in ("no", "yes")]
    assert sum(one["beyond"] for one in found["classes"]) == found["beyond"]
    assert "Support vectors of SVC" in page
    assert f"{found['count']} support vectors, {100 * found['count'] / 90:.1f} % of 90 rows." in page
    assert "kernel RBF; γ = " in page


def test_values_instead_of_probabilities(reported):
    """The areas and curves of a machine without probabilities are those of its values; it has no calibration."""
    outcome, numbers, page = reported(LINE, [MACHINE])
    assert numbers["leaderboard"][0]["method"] == "SVC"
    scores = numbers["leaderboard"][0]["scores"]
    assert scores["auc"]["value"] == pytest.approx(outcome.evaluation.score("auc").value)
    assert 0.8 < scores["auc"]["low"] < scores["auc"]["value"] <= 1.0
    curves = numbers["predictions"]["curves"]
    assert curves["yes"]["auc"] == pytest.approx(scores["auc"]["value"])
    assert len(curves["yes"]["roc"]["true_positive_rate"]) > 2
    assert numbers["predictions"]["calibration"] == []
    assert [key for key, *_ in of_classes(outcome, outcome.evaluation.pooled)] == ["confusion", "roc", "precision_recall"]
    assert "of the bins" not in page


def test_the_machine_need_not_be_the_best(reported):
    """Then it is fitted to all rows with what most folds chose."""
    weak = Method("SVC", aprendiz.SVC(), {"C": (1e-4, 1e-5)})
    outcome, numbers, _ = reported(LINE, [weak, BAYES])
    assert outcome.results.best == "GaussianNB"
    chosen = usual_choice([fold.chosen for fold in outcome.results.evaluations["SVC"].folds])
    whole = prepared(aprendiz.SVC(), outcome.experiment.X).set_params(**chosen).fit(outcome.experiment.X, outcome.experiment.y)
    assert numbers["support_vectors"]["price"]["C"] == chosen["learner__C"]
    assert numbers["support_vectors"]["count"] == len(whole[-1].support_)
    assert numbers["support_vectors"]["count"] > 45
    assert "Many support vectors" in meaning_of_support(numbers["support_vectors"])


def test_three_classes_in_spanish(reported):
    """A margin for each pair: from the narrowest to the widest."""
    _, numbers, page = reported(THREE, [Method("NuSVC", aprendiz.NuSVC(nu=0.2), {})], "es")
    assert len(numbers["support_vectors"]["margins"]) == 3
    assert "Vectores soporte de NuSVC" in page
    assert "Los márgenes de los pares de clases" in page
    assert "ν = 0,2" in page


def test_numbers(reported):
    """On the edge of the tube, and outside."""
    outcome, numbers, page = reported(NUMBERS, [TUBE])
    found, machine = numbers["support_vectors"], outcome.machine[1][-1]
    error = np.abs(outcome.experiment.y - outcome.machine[1].predict(outcome.experiment.X))
    assert found["classes"] == found["margins"] == []
    assert found["beyond"] == int((error > machine.epsilon + 2e-3).sum())
    assert f"{found['on_margin']} on the edge of the tube, {found['beyond']} outside." in page
    assert "ε = 0.5" in page


def test_only_support_vectors_can_be_wrong_when_they_are_left_out():
    """What the page says of leaving out: every other row is right, without and with it."""
    X = np.column_stack([A, B])
    machine = aprendiz.SVC(gamma=0.5, C=3.0, tol=1e-6).fit(X, LINE)
    others = np.setdiff1d(np.arange(90), machine.support_)
    assert len(others) > 40
    for i in others[::6]:
        rest = np.arange(90) != i
        assert aprendiz.SVC(gamma=0.5, C=3.0, tol=1e-6).fit(X[rest], LINE[rest]).predict(X[[i]])[0] == LINE[i]


def test_without_a_machine(reported):
    outcome, numbers, page = reported(LINE, [BAYES])
    assert outcome.machine is numbers["support_vectors"] is None
    assert 'id="support"' not in page


def test_machines_are_tuned_by_halving(reported):
    """They, and no others."""
    outcome, *_ = reported(LINE, [MACHINE, Method("LogisticRegression", aprendiz.LogisticRegression(), {"C": (1.0, 2.0)})])
    experiment = outcome.experiment
    assert experiment.learner(experiment.method("SVC")).halving
    assert not experiment.learner(experiment.method("LogisticRegression")).halving


@pytest.mark.parametrize("unit", [1.0, 1e6, 1e-6])
def test_units_of_the_target(reported, unit):
    """C and ε follow the target: the same score in euros and in millions."""
    outcome, numbers, _ = reported(unit * NUMBERS, [Method("SVR", aprendiz.SVR(), {"C": (1.0, 10.0)})])
    found = outcome.results.evaluations["SVR"].score("r2").value
    assert found > 0.8
    assert numbers["support_vectors"]["price"]["epsilon"] == pytest.approx(0.1 * unit)
    assert numbers["support_vectors"]["price"]["C"] in (pytest.approx(unit), pytest.approx(10 * unit))
    assert Method("SVR", aprendiz.SVR(), {}).of_target(np.ones(5)).learner.get_params()["C"] == 1.0


def test_usual_choice():
    """What most folds chose; the first of several."""
    assert usual_choice([{"C": 1.0}, {"C": 2.0}, {"C": 2.0}]) == {"C": 2.0}
    assert usual_choice([{"C": 1.0}, {"C": 2.0}]) == {"C": 1.0}
    assert usual_choice([{}]) == {}
