"""What a report says is what pipelines written by hand with scikit-learn say, fold by fold. `tools/judge_laboratory.py` asks
the same of all methods and of more tables; docs/laboratory_checked.md has what it found."""

import pytest
from judgement.by_hand import ByHand

from aprendiz.cli.main import main

ASKED = {  # numbers; numbers, words and missing cells; words only
    "iris.csv": "GaussianNB,CategoricalNB,KNeighborsClassifier,SVC",
    "heart.c.arff": "LogisticRegression,KNeighborsClassifier",
    "reg_servo.arff": "LinearRegression,Ridge",
}


@pytest.mark.parametrize("name", ASKED)
def test_scores_are_those_of_pipelines_by_hand(acceptance, tmp_path, monkeypatch, name):
    """Each measure in each fold, and what tuning chose."""
    monkeypatch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", 0.0)
    monkeypatch.setattr("aprendiz.lab.report.folder.maps_of_rows", lambda outcome: (None, None))
    monkeypatch.setattr("aprendiz.lab.report.folder.pictures", lambda outcome, plane, of_rows: {})
    path, folder = acceptance / "tables" / name, tmp_path / "report"
    assert main(["run", str(path), "--out", str(folder), "--folds", "4", "--methods", ASKED[name], "--lang", "en"]) == 0
    found = list(ByHand(path, folder).compare())
    assert {one.method for one in found} == {*ASKED[name].split(","), found[0].method}
    assert [(one.method, one.other_folds, one.other_choices) for one in found] == [(one.method, (), 0) for one in found]
