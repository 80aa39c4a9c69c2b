"""What the tests of findings share."""

import csv

import pytest

import aprendiz
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude

KINDS = (
    *(aprendiz.GaussianNB, aprendiz.KNeighborsClassifier, aprendiz.LinearDiscriminantAnalysis),
    *(aprendiz.LinearRegression, aprendiz.Ridge),
)
LEARNERS = {learner.__name__: learner() for learner in KINDS}


def method(name):
    return Method(name, LEARNERS[name], {})


@pytest.fixture
def concluded(tmp_path, monkeypatch):
    """The outcome of an experiment on some columns: the baseline and some methods, without tuning, with or without a curve."""

    def of(columns, methods=("GaussianNB",), curve=False, **asked):
        monkeypatch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", 60.0 if curve else 0.0)
        path = tmp_path / "table.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(columns)
            out.writerows(zip(*columns.values(), strict=True))
        table = read(path)
        question = ask(table, **{"target": "y", "folds": 5, **asked})
        baseline = chosen_methods(question.task)[:1]
        experiment = Experiment(table, question, [*baseline, *(m if isinstance(m, Method) else method(m) for m in methods)])
        for _ in experiment.steps():
            pass
        return conclude(experiment)

    return of
