"""The best method of a run on a sample, fitted to all rows of the file by streaming: the same model as in memory."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import aprendiz
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.large_tables import csv_blocks, parquet_blocks, spooled_rows
from aprendiz.lab.large_tables.streamed_fit import StreamedFit
from aprendiz.lab.outcome import conclude


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of few rows, in the file and in sums; no learning curve."""
    for module in (csv_blocks, parquet_blocks):
        monkeypatch.setattr(module, "BLOCK_CELLS", 1)
        monkeypatch.setattr(module, "FEWEST_ROWS", 128)
    monkeypatch.setattr("aprendiz.core.rows.FEWEST_ROWS", 64)
    monkeypatch.setattr("aprendiz.core.rows.CELLS_OF_A_BLOCK", 64)
    monkeypatch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", -1.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One table in CSV and in Parquet: gaps in every kind of column, a level that is rare, rows without a target."""
    rng, n = np.random.default_rng(0), 1500
    x, colour = rng.normal(size=n), rng.choice(["red", "green", "blue"], n)
    colour[rng.random(n) < 0.004] = "mauve"
    score = x + (colour == "red") + rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, x.round(4)),
            "z": (1e6 + rng.normal(size=n)).round(3),
            "zero": rng.integers(0, 2, n).astype(float),
            "sex": np.where(rng.random(n) < 0.05, None, rng.choice(["f", "m"], n)),
            "colour": np.where(rng.random(n) < 0.05, None, colour),
            "smoker": pd.array(rng.random(n) < 0.4, dtype="boolean"),
            "seen": pd.Timestamp("2019-03-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "kind": np.where(rng.random(n) < 0.02, None, np.where(score > 0.3, "yes", "no")),
            "amount": score.round(3),
        }
    )
    frame.loc[5, ["smoker"]] = pd.NA
    frame.loc[7, "seen"] = pd.NaT
    place = tmp_path_factory.mktemp("streamed")
    frame.to_parquet(place / "table.parquet", index=False, row_group_size=400)
    frame.assign(weight=[f"{value:.2f} kg" for value in rng.uniform(1, 90, n)]).to_csv(place / "table.csv", index=False)
    return place


def concluded(path, method, target, **reading):
    """The outcome of a comparison of a method with the baseline."""
    table = read(path, **reading)
    leave_out = ["amount"] if target == "kind" else ["kind"]
    question = ask(table, target=target, folds=2, leave_out=leave_out)
    experiment = Experiment(table, question, chosen_methods(question.task, method))
    for _step in experiment.steps():
        pass
    return conclude(experiment)


CASES = [
    *((file, method, "kind") for file in ("table.csv", "table.parquet") for method in ("LogisticRegression", "GaussianNB")),
    ("table.csv", "Ridge", "amount"),
    ("table.parquet", "LinearRegression", "amount"),
]


@pytest.mark.parametrize(("file", "method", "target"), CASES)
def test_as_in_memory(folder, file, method, target):
    """The sample decides the parameters; the rest is what a fit to the frame of all rows gives. The model predicts files."""
    found = concluded(folder / file, method, target, sample=1000, seed=2)
    assert isinstance(found.all_rows, StreamedFit), found.all_rows
    whole = concluded(folder / file, method, target)
    known, X = whole.experiment.y, whole.experiment.X
    assert found.rows_of_model == found.all_rows.rows == len(known)
    chosen = {name: value for name, value in found.pipeline.get_params().items() if name.startswith("learner__")}
    in_memory = clone(whole.pipeline).set_params(**chosen).fit(X, known)
    answer = "predict" if target == "amount" else "predict_proba"
    np.testing.assert_allclose(getattr(found.pipeline, answer)(X), getattr(in_memory, answer)(X), rtol=1e-9, atol=1e-12)
    aprendiz.save(found.model(), folder / "model.apz")
    loaded = aprendiz.load(folder / "model.apz")
    assert loaded.facts["rows"] == len(known)
    rows = found.experiment.question.known_rows(whole.experiment.table)
    expected = in_memory.predict(X)
    if target == "amount":
        np.testing.assert_allclose(loaded.predict(folder / file)[rows], expected, rtol=1e-9)
    else:
        assert (loaded.predict(folder / file)[rows] == expected).all()


def test_more_than_the_sample(folder):
    """A fit to the sample alone is another one, so that the test above can fail."""
    found = concluded(folder / "table.csv", "LogisticRegression", "kind", sample=1000, seed=2)
    of_sample = clone(found.pipeline).fit(found.experiment.X, found.experiment.y)
    assert np.abs(of_sample[-1].coef_[:, :3] - found.pipeline[-1].coef_[:, :3]).max() > 1e-3


def test_what_is_not_streamed(folder, monkeypatch):
    """The model is that of the sample, with the reason: trees, selected columns, a full disk."""
    found = concluded(folder / "table.csv", "DecisionTreeClassifier", "kind", sample=1000)
    assert found.all_rows == "the method does not learn by sums over blocks of rows"
    assert found.rows_of_model == len(found.experiment.y)
    monkeypatch.setattr(spooled_rows.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    found = concluded(folder / "table.csv", "GaussianNB", "kind", sample=1000)
    assert found.all_rows == "there is no room on the disk for all rows as numbers"


def test_classes_that_the_sample_does_not_hold(tmp_path):
    """They are neither learned nor judged, and the findings say so."""
    rng = np.random.default_rng(0)
    kind = np.where(rng.random(3000) < 0.5, "a", "b")
    kind[[50, 2000]] = "c"
    path = tmp_path / "table.csv"
    pd.DataFrame({"x": rng.normal(size=3000) + (kind == "a"), "w": rng.normal(size=3000), "kind": kind}).to_csv(
        path, index=False
    )
    found = aprendiz.lab.run(path, target="kind", methods="GaussianNB", folds=2, sample=90)
    assert found.model.classes_.tolist() == ["a", "b"]
    assert found.outcome.rows_of_model == 2998
    said = {one.code: one for one in found.findings}
    assert "none of its rows is in the sample: 'c'" in said["class_not_in_sample"].sentence
    assert "The model was fitted to all 2,998 rows" in said["sampled"].why
    small = said["class_small_in_sample"].sentence
    assert any(f"of its {(kind == label).sum():,} rows in the sample" in small for label in "ab")
