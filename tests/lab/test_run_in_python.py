"""`aprendiz.lab.run`: the command line as one call, with the same numbers."""

import json

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz.lab import Run, read, run


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"size": random.normal(size=60), "age": random.uniform(20, 80, 60).round(2)})
    table["kind"] = np.where(table["size"] + 0.3 * random.normal(size=60) > 0, "big", "small")
    file = tmp_path_factory.mktemp("run") / "t.csv"
    table.to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def found(path):
    return run(path, target="kind", methods=["GaussianNB"], folds=3)


def test_what_is_found(found, path):
    """Scores in order, the model of the best method, sentences, a box."""
    assert isinstance(found, Run)
    board = found.leaderboard
    assert list(board.index) == ["GaussianNB", "DummyClassifier"]
    assert board["accuracy"].is_monotonic_decreasing
    assert board.loc["GaussianNB", "accuracy"] == found.results.evaluations["GaussianNB"].score("accuracy").value
    assert found.best == "GaussianNB"
    assert set(found.model.predict(read(path).frame)) <= {"big", "small"}
    assert found.findings
    assert "GaussianNB" in found._repr_html_()
    assert repr(found).startswith("Run('t.csv', target 'kind', best GaussianNB: accuracy")
    assert found.findings[0].sentence in str(found)


def test_the_command_line_finds_the_same(found, path, tmp_path, monkeypatch):
    """The report of the call, and that of the command, have the same scores."""
    from aprendiz.cli.main import main

    monkeypatch.setattr("aprendiz.lab.report.folder.maps_of_rows", lambda outcome: (None, None))
    monkeypatch.setattr("aprendiz.lab.report.folder.pictures", lambda *given, **more: {})
    page = found.report(tmp_path / "call")
    assert page.is_file()
    arguments = [
        "run",
        str(path),
        "--target",
        "kind",
        "--methods",
        "GaussianNB",
        "--folds",
        "3",
        "--out",
        str(tmp_path / "cli"),
    ]
    assert main(arguments) == 0
    call, command = (json.loads((tmp_path / name / "results.json").read_text(encoding="utf-8")) for name in ("call", "cli"))
    scores = [{one["method"]: one["scores"] for one in numbers["leaderboard"]} for numbers in (call, command)]
    assert scores[0] == scores[1]
    assert aprendiz.load(tmp_path / "call" / "model.apz").facts["method"] == "GaussianNB"
    with pytest.raises(ValueError, match="call"):
        found.report(tmp_path / "call")


def test_a_table_that_is_read(path):
    """Steps are told; a table that was read is taken as it is."""
    steps = []
    again = run(read(path), target="kind", methods="GaussianNB", folds=2, on_step=steps.append)
    assert len(steps) == 4
    assert again.table.rows == 60
    with pytest.raises(TypeError, match="read already: give separator to read"):
        run(read(path), separator=";")


def test_bad_input(path):
    """A data frame is told how to become a file; wrong names have their sentences."""
    with pytest.raises(TypeError, match="to_csv"):
        run(read(path).frame)
    with pytest.raises(ValueError, match="no column 'kin'"):
        run(path, target="kin")
    with pytest.raises(ValueError, match="no method"):
        run(path, target="kind", methods="Gaussian")
