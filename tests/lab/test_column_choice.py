"""The selection of columns of a run: when it is made, always inside the folds, and what the report says of it."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest

from aprendiz.evaluation.folds.shared_steps import SharedSteps
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.column_choice import chosen_selection, selectors
from aprendiz.lab.outcome import conclude
from aprendiz.lab.report.folder import begin, write_outcome

RNG = np.random.default_rng(0)
ROWS, GENES = 40, 260
LABELS = np.where(np.arange(ROWS) % 2, "ill", "well")
CELLS = RNG.normal(size=(ROWS, GENES)) + 2.5 * (np.arange(GENES) < 3) * (LABELS == "ill")[:, None]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "genes.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["state", *(f"gene{j}" for j in range(GENES))])
        out.writerows([label, *np.round(row, 4)] for label, row in zip(LABELS, CELLS, strict=True))
    return path


def unstarted(path, select="auto", methods="GaussianNB", folds=3):
    found = read(path)
    question = ask(found, target="state", folds=folds)
    experiment = Experiment(found, question, chosen_methods(question.task, methods))
    fewest = min(len(train) for train, _test in experiment.splits)
    experiment.selection = chosen_selection(select, question.task, len(question.features), fewest)
    return experiment


def experiment_of(path, **options):
    experiment = unstarted(path, **options)
    for _ in experiment.steps():
        pass
    return experiment


def test_auto_selects_where_columns_far_outnumber_rows():
    """Not in ordinary tables."""
    assert chosen_selection(None, "classification", 499, 100) is None
    assert chosen_selection("none", "classification", 20_000, 100) is None
    choice = chosen_selection("auto", "regression", 20_000, 100)
    assert choice.name == "VariableRanking"
    assert (choice.selector.keep, choice.selector.task, choice.grid) == (50, "regression", {"keep": (10, 50, 250)})
    assert choice.reason == "20,000 columns for 100 training rows"
    assert chosen_selection("variableranking", "classification", 30, 100).grid == {"keep": (10,)}


def test_names():
    """Any selector that needs no learner; a slip is told what it may have meant."""
    assert {"VariableRanking", "SelectKBest", "MRMR", "JMI"} <= set(selectors())
    assert not {"SequentialSelection", "RFE"} & set(selectors())
    assert chosen_selection("mrmr", "classification", 30, 100).name == "MRMR"
    with pytest.raises(ValueError, match=r"no selection MRRM\. Did you mean MRMR\? Available: auto, none, "):
        chosen_selection("MRRM", "classification", 30, 100)


def test_columns_are_chosen_inside_the_folds(table, tmp_path):
    """Each fold chooses with its training rows; the report counts how often, and its script gives the same scores."""
    experiment = experiment_of(table)
    for fold in experiment.found["GaussianNB"].values():
        assert len(fold.columns) in (10, 50, 250)
        assert {"gene0", "gene1", "gene2"} <= set(fold.columns)
    assert all(fold.columns is None for fold in experiment.found["DummyClassifier"].values())
    train = experiment.splits[0][0]
    gaps = CELLS[train][LABELS[train] == "ill"].mean(axis=0) - CELLS[train][LABELS[train] == "well"].mean(axis=0)
    F = gaps**2 / np.add(*(CELLS[train][LABELS[train] == one].var(axis=0) for one in ("ill", "well")))
    fold = experiment.found["GaussianNB"][0]
    assert {int(name[4:]) for name in fold.columns} == set(np.argsort(-F)[: len(fold.columns)])

    home = tmp_path / "report"
    begin(home, resume=False)
    numbers = write_outcome(conclude(experiment), home)
    found = json.loads((home / "results.json").read_text(encoding="utf-8"))["selection"]
    assert found["name"] == "VariableRanking"
    assert found["folds"] == 3
    assert {one["column"]: one["folds"] for one in found["columns"]}["gene0"] == 3
    assert found["always"] >= 3
    codes = [finding["code"] for finding in numbers["findings"]]
    assert {"more_columns_than_rows", "columns_chosen"} <= set(codes)
    page = (home / "report.html").read_text(encoding="utf-8")
    assert "Columns chosen inside the folds" in page
    assert "How often each column was chosen" in page
    done = subprocess.run(
        [sys.executable, home / "experiment.py"], capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path
    )
    assert "All scores are those of results.json." in done.stdout, done.stdout + done.stderr


def test_every_method_but_the_baseline_chooses(table):
    """Learners of numbers, of codes and of words, each among its own columns; what is tuned is tuned together."""
    experiment = unstarted(
        table, "SelectKBest", "LogisticRegression,CategoricalNB,DecisionTreeClassifier,KNeighborsClassifier", 2
    )
    for method in experiment.methods:
        assert experiment.do(method, 0, *experiment.splits[0], SharedSteps(0)).error is None
        fold = experiment.found[method.name][0]
        if method.baseline:
            assert fold.columns is None
            continue
        assert {"gene0", "gene1", "gene2"} <= set(fold.columns), method.name
        assert len(fold.columns) == fold.chosen.get("selection__k", 10)
        assert len(fold.chosen) == len(experiment.grid(method)) == len(method.grid) + len(experiment.selection.grid)


def test_without_a_selection_the_finding_names_one(table):
    """More columns than rows, and no selection."""
    outcome = conclude(experiment_of(table, select="none", methods="GaussianNB", folds=3))
    from aprendiz.lab.report.findings import findings_of
    from aprendiz.lab.report.selection_of_run import selection_of

    assert selection_of(outcome) is None
    one = next(one for one in findings_of(outcome) if one.code == "more_columns_than_rows")
    assert "--select VariableRanking" in one.remedy


def test_stored_folds_keep_their_columns(table, tmp_path):
    """A fold that is read again has the columns it chose; folds with another selection are not taken for it."""
    from aprendiz.lab.store import FoldStore

    experiment = experiment_of(table, methods="GaussianNB", folds=3)
    store = FoldStore(tmp_path / "folds", experiment.key())
    store.start(resume=False)
    fold = experiment.found["GaussianNB"][1]
    store.save("GaussianNB", fold)
    assert store.load("GaussianNB", 1).columns == fold.columns
    other = experiment_of(table, select="none", methods="GaussianNB", folds=3)
    with pytest.raises(ValueError, match="the selection of columns differs"):
        FoldStore(tmp_path / "folds", other.key()).start(resume=True)
