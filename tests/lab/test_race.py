"""A race among methods: who cannot win is stopped, and who would have won is not."""

import json
import subprocess
import sys

import numpy as np
import pytest

import aprendiz
from aprendiz.lab import Experiment, FoldStore, ask, chosen_methods, read
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.race import CHANCE, FIRST_LOOK, chance_to_overtake, losers
from aprendiz.lab.report.folder import write_outcome

K = 10


def scores(gap, j=5, spread=0.01, seed=0):
    """Two methods on some folds, one of them ahead by a gap."""
    rng = np.random.default_rng(seed)
    return {"A": 0.9 + spread * rng.normal(size=j), "B": 0.9 - gap + spread * rng.normal(size=j)}


def test_the_chance_is_that_of_the_remaining_folds():
    """(1) is how often folds drawn like those that are done turn the sign: by simulation of the posterior predictive."""
    d = np.array([0.02, 0.05, -0.01, 0.03, 0.04])
    rng, j, draws = np.random.default_rng(0), 5, 200_000
    s = d.std(ddof=1) * np.sqrt((j - 1) / rng.chisquare(j - 1, draws))
    mean = d.mean() + s / np.sqrt(j) * rng.normal(size=draws)
    rest = mean + s / np.sqrt(K - j) * rng.normal(size=draws)
    turned = np.mean(j * d.mean() + (K - j) * rest < 0)
    assert abs(chance_to_overtake(d, K) - turned) < 4 * np.sqrt(turned / draws)


def test_who_is_stopped():
    """A clear loser; not one that is near, not before some folds, not after the last, and never the first."""
    found = losers(scores(0.3), K, more_is_better=True)
    assert [(one.method, one.leader, one.folds) for one in found] == [("B", "A", 5)]
    assert found[0].difference == pytest.approx(0.3, abs=0.02)
    assert found[0].chance < CHANCE / (K - FIRST_LOOK)
    assert [one.method for one in losers(scores(0.3), K, more_is_better=False)] == ["A"]
    assert losers(scores(0.01), K, more_is_better=True) == []
    assert losers(scores(0.3, j=FIRST_LOOK - 1), K, more_is_better=True) == []
    assert losers(scores(0.3, j=K), K, more_is_better=True) == []
    assert losers({"A": scores(0.3)["A"]}, K, more_is_better=True) == []
    assert losers({**scores(0.3), "C": np.full(5, np.nan)}, K, more_is_better=True) == []


def test_equal_differences_are_no_proof():
    """Five folds of 30 rows with one error more in each: without spread, but five errors only."""
    both = {"A": np.full(5, 29 / 30), "B": np.full(5, 28 / 30)}
    assert losers(both, K, more_is_better=True, test_rows=30) == []
    assert losers({**both, "B": np.full(5, 10 / 30)}, K, more_is_better=True, test_rows=30) != []


@pytest.mark.parametrize("folds", [5, 10])
@pytest.mark.parametrize("methods", [2, 8])
def test_the_winner_is_hardly_ever_stopped(folds, methods):
    """Of equal methods, where it is easiest to be wrong: in fewer than CHANCE of the runs."""
    rng, runs, wrong = np.random.default_rng(folds + methods), 600, 0
    for _ in range(runs):
        table = rng.normal(size=(methods, folds)) + 2 * rng.normal(size=folds)
        best, left = int(table.mean(axis=1).argmax()), list(range(methods))
        for done in range(FIRST_LOOK, folds):
            out = losers({str(m): table[m, :done] for m in left}, folds, more_is_better=True)
            left = [m for m in left if str(m) not in {one.method for one in out}]
        wrong += best not in left
    assert wrong <= CHANCE * runs


# ---- in the laboratory -----------------------------------------------------------------------------------------------------


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """A table whose first column tells the class, and a tree that may look at it against one of a single leaf."""
    monkeypatch.setattr("aprendiz.lab.experiment.WORTH", 0.0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=200).round(3)
    lines = [f"{a},{'rose' if a > 0 else 'lily'}" for a in x]
    (tmp_path / "table.csv").write_text("\n".join(["x,kind", *lines]))
    table = read(tmp_path / "table.csv")
    question = ask(table, target="kind", folds=6)
    poor = Method("CategoricalNB", aprendiz.CategoricalNB(alpha=1e9), {})

    def of(**given):
        methods = [*chosen_methods("classification", "GaussianNB"), poor]
        return Experiment(table, question, methods, **given)

    return of


def test_a_loser_does_no_more_folds(experiment, tmp_path):
    """It is told with its scores everywhere, and the script reproduces them; the baseline does all of its folds."""
    one = experiment()
    list(one.steps())
    done = {name: len(folds) for name, folds in one.found.items()}
    assert done == {"DummyClassifier": 6, "GaussianNB": 6, "CategoricalNB": 4}
    results = one.results()
    assert (results.done, results.unfinished) == (6, ())
    assert [lost.method for lost in results.raced] == ["CategoricalNB"]
    assert set(results.evaluations) == {"DummyClassifier", "GaussianNB"}
    numbers = write_outcome(conclude(one), tmp_path / "report")
    told = numbers["stopped_early"][0]
    assert told["sentence"].startswith("CategoricalNB was stopped after 4 of 6 folds: it was ")
    assert len(told["scores"]["accuracy"]["folds"]) == 4
    assert "raced" in [finding["code"] for finding in numbers["findings"]]
    assert told["sentence"] in (tmp_path / "report" / "report.html").read_text()
    assert json.loads((tmp_path / "report" / "results.json").read_text())["stopped_early"][0]["leader"] == "GaussianNB"
    again = subprocess.run([sys.executable, tmp_path / "report" / "experiment.py"], capture_output=True, text=True)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "CategoricalNB" in again.stdout


def test_a_race_can_be_switched_off_and_is_resumed(experiment, tmp_path):
    """Without racing all folds are done; a run that is resumed stops the same methods; off again, the rest is done."""
    off = experiment(racing=False)
    list(off.steps())
    assert {len(folds) for folds in off.found.values()} == {6}
    assert off.results().raced == ()
    store = FoldStore(tmp_path / "folds", off.key())
    store.start(resume=False)
    list(experiment(store=store).steps())
    again = experiment(store=store)
    assert all(step.again for step in again.steps())
    assert list(again.raced) == ["CategoricalNB"]
    whole = experiment(store=store, racing=False)
    assert [step.method for step in whole.steps() if not step.again] == ["CategoricalNB"] * 2
    assert whole.results().raced == ()


def test_a_quick_method_is_not_worth_stopping(experiment, monkeypatch):
    monkeypatch.setattr("aprendiz.lab.experiment.WORTH", 1000.0)
    quick = experiment()
    list(quick.steps())
    assert quick.raced == {}
