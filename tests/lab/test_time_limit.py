"""A limit of time bounds everything, whatever is going on when it ends; what was left out is named."""

import json
import time

import numpy as np
import pytest

import aprendiz
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.report.findings import findings_of
from aprendiz.lab.report.folder import write_outcome
from aprendiz.lab.time_limit import TimeLimit


class Slow(aprendiz.GaussianNB):
    """Its first fits are quick; the others take a minute each."""

    quick, fits = 0, 0

    def fit(self, X, y=None, sample_weight=None):
        Slow.fits += 1
        if Slow.fits > Slow.quick:
            time.sleep(60)
        return FIT(self, X, y, sample_weight)


FIT = aprendiz.GaussianNB.fit


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """Some flowers, the baseline, GaussianNB and a method that is slow after some fits."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=60).round(3)
    lines = [f"{a},{'lily' if a + b > 0 else 'rose'}" for a, b in zip(x, 0.3 * rng.normal(size=60), strict=True)]
    (tmp_path / "table.csv").write_text("\n".join(["x,kind", *lines]))
    table = read(tmp_path / "table.csv")

    def of(budget, quick):
        monkeypatch.setattr(Slow, "quick", quick)
        monkeypatch.setattr(Slow, "fits", 0)
        methods = [*chosen_methods("classification", "GaussianNB"), Method("Slow", Slow(), {})]
        return Experiment(table, ask(table, target="kind", folds=3), methods, budget)

    return of


def codes(outcome):
    return [finding.code for finding in findings_of(outcome)]


def test_a_fold_is_left_when_the_time_ends(experiment):
    """What was finished is compared; the slow method did no fold, and says so."""
    slow = experiment(budget=None, quick=0)
    steps = slow.steps()
    assert [next(steps).method for _ in range(2)] == ["DummyClassifier", "GaussianNB"]
    slow.limit = TimeLimit(1.5)
    assert list(steps) == []
    assert slow.limit.left > -10
    assert slow.stopped == "budget"
    results = slow.results()
    assert (results.done, results.unfinished) == (1, ("Slow",))


def test_what_follows_the_folds_is_bounded_too(experiment, tmp_path, monkeypatch):
    """The last fit is done, the learning curve of a slow method is left, and so are the pictures if there is no time."""
    slow = experiment(budget=6.0, quick=4)  # three folds and the fit to all rows
    slow.methods = slow.methods[:2]
    monkeypatch.setattr(aprendiz.GaussianNB, "fit", Slow.fit)
    list(slow.steps())
    assert slow.stopped is None
    start = time.monotonic()
    outcome = conclude(slow)
    assert time.monotonic() - start < 15
    assert (outcome.curve, outcome.no_curve, outcome.results.best) == (None, "budget", "GaussianNB")
    slow.limit = spent = TimeLimit(0.0)
    numbers = write_outcome(outcome, tmp_path / "report")
    assert {"ROC curve", "Confusion matrix"} <= set(spent.left_out)
    assert json.loads((tmp_path / "report" / "results.json").read_text())["no_curve"] == "budget"
    assert "the time limit was reached" in (tmp_path / "report" / "report.html").read_text()
    assert "left_out" in [finding["code"] for finding in numbers["findings"]]


def test_too_little_time_for_a_fold_is_told(experiment):
    """The baseline is judged all the same."""
    outcome = conclude_after_steps(experiment(budget=0.3, quick=0), only="Slow")
    assert list(outcome.results.evaluations) == ["DummyClassifier"]
    told = next(finding for finding in findings_of(outcome) if finding.code == "stopped")
    assert "too short for a single fold" in told.sentence
    assert "0.3 seconds" in told.why


def conclude_after_steps(experiment, only):
    experiment.methods = [method for method in experiment.methods if method.baseline or method.name == only]
    list(experiment.steps())
    return conclude(experiment)


def test_a_run_that_takes_longer_says_by_how_much(experiment):
    """The fit to all rows is not left out."""
    outcome = conclude_after_steps(experiment(budget=None, quick=99), only="GaussianNB")
    assert not {"over_time", "left_out", "stopped"} & set(codes(outcome))
    outcome.experiment.limit = TimeLimit(10.0)
    outcome.experiment.limit.begun -= 17.0
    told = next(finding for finding in findings_of(outcome) if finding.code == "over_time")
    assert "limit of 10 seconds, by 7" in told.sentence


def test_limits():
    """Work that ends in time is whole; another Ctrl-C goes on its way; nothing rings afterwards."""
    limit = TimeLimit(0.05)
    assert (TimeLimit().left, TimeLimit().reserve(5.0)) == (float("inf"), 0.0)
    assert (TimeLimit(60).reserve(5.0), TimeLimit(6).reserve(5.0)) == (5.0, 2.0)
    assert limit.attempt("sums", lambda: 3) == 3
    with pytest.raises(KeyboardInterrupt), limit.cut():
        raise KeyboardInterrupt
    assert limit.attempt("a sleep", lambda: time.sleep(60)) is None
    assert limit.attempt("a sleep", lambda: 3) is None  # no time is left
    assert limit.left_out == ["a sleep", "a sleep"]
    time.sleep(0.06)
