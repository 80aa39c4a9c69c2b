"""Tables from elsewhere, from the file to a report and to predictions, through the command line."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

from aprendiz.cli.main import main
from aprendiz.lab import neutral, read
from aprendiz.lab.written_table import to_csv

# What is told of some tables: a target where the proposed one cannot be learned or is not that of the literature, and fewer
# methods where the usual ones would take long.
TOLD = {
    "ESL_prostate.csv": ["--target", "lpsa"],
    "mlbench_Soybean.csv": ["--methods", "GaussianNB,CategoricalNB"],
}
# Tables whose target can be learned, each with a method that learns it.
LEARNED = {
    "iris.csv": "GaussianNB",
    "MASS_biopsy.csv": "GaussianNB",
    "banknote_authentication.csv": "LogisticRegression",
    "mushroom.arff": "CategoricalNB",
    "vote.arff": "CategoricalNB",
    "zoo.arff": "CategoricalNB",
    "tic-tac-toe.arff": "LogisticRegression",
    "faithful.csv": "LinearRegression",
    "concrete.csv": "LinearRegression",
}
TABLES = [
    *("ESL_SAheart.csv", "ESL_prostate.csv", "MASS_biopsy.csv", "USArrests.csv", "airquality.csv", "audiology.arff"),
    *("banknote_authentication.csv", "car.arff", "cluster_ruspini.csv", "colic.arff", "concrete.csv", "credit.a.arff"),
    *("faithful.csv", "german.csv", "heart.c.arff", "iris.csv", "mlbench_Glass.csv", "mlbench_Soybean.csv"),
    *("mlbench_Zoo.csv", "mushroom.arff", "reg_autompg.arff", "reg_cpu.arff", "reg_servo.arff", "rpart_kyphosis.csv"),
    *("rpart_stagec.csv", "sonar.arff", "tic-tac-toe.arff", "vote.arff", "zoo.arff"),
]


# Tables whose report is drawn too: two classes, three and seven, words, numbers, missing cells, few rows, many columns.
# Pictures take two thirds of the time of such a run; the other tables have the same kinds, tests/lab has more classes.
DRAWN = (
    *("airquality.csv", "heart.c.arff", "iris.csv", "zoo.arff", "faithful.csv"),
    *("demsar2006_table6.csv", "golub.csv.gz"),
)
DRAWN_BY = {"airquality.csv": "Ridge", "heart.c.arff": "LogisticRegression"}  # those that are not in LEARNED


@pytest.fixture
def quick(monkeypatch):
    """`quick(name)`: learning curves only where they take no more than half a second, pictures only of some tables."""

    def of(name):
        monkeypatch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", 0.5)
        if name not in DRAWN:
            monkeypatch.setattr("aprendiz.lab.report.folder.maps_of_rows", lambda outcome: (None, None))
            monkeypatch.setattr("aprendiz.lab.report.folder.pictures", lambda outcome, plane, of_rows: {})

    return of


def run_to_a_report(path, folder, *told, budget="0.2"):
    """Run three folds, look whether all is there, and give the numbers."""
    options = ["--folds", "3", "--budget", budget, "--lang", "en", *told]
    assert main(["run", str(path), "--out", str(folder), *options]) == 0
    found = {file.name: file.stat().st_size for file in folder.iterdir() if file.is_file()}
    assert found.keys() == {"report.html", "results.json", "experiment.py", "model.apz"}
    assert ("<figure" in (folder / "report.html").read_text(encoding="utf-8")) == (path.name in DRAWN)
    assert 0 < found["report.html"] < 2_000_000
    assert not list(folder.rglob("*.part"))
    return json.loads((folder / "results.json").read_text(encoding="utf-8"), parse_constant=refuse)


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def assert_predicts(path, folder, numbers):
    """The model predicts its own table: a row for each, written so that it can be read."""
    out = folder / "predictions.csv"
    assert main(["predict", str(folder / "model.apz"), str(path), "-o", str(out), "--lang", "en"]) == 0
    table = read(out)
    assert table.rows == numbers["table"]["rows"]
    predicted = table.frame[f"predicted_{numbers['question']['target']}"]
    assert predicted.notna().all()
    if numbers["question"]["task"] == "classification":
        labels = {f"{one:g}" if isinstance(one, float) else str(one) for one in predicted.unique()}
        assert labels <= {neutral(label) for label in numbers["question"]["classes"]}


def test_all_tables_are_asked(acceptance):
    found = {path.name for pattern in ("*.csv", "*.arff") for path in (acceptance / "tables").glob(pattern)}
    assert found == set(TABLES)


@pytest.mark.parametrize("name", [name for name in TABLES if name not in LEARNED])
def test_a_table(acceptance, quick, tmp_path, name):
    """It ends with a report and a model that predicts, whatever was finished in a fifth of a second; what is drawn has one
    method and more time."""
    quick(name)
    path, folder = acceptance / "tables" / name, tmp_path / "report"
    drawn = ["--methods", DRAWN_BY[name]] if name in DRAWN else []
    numbers = run_to_a_report(path, folder, *TOLD.get(name, []), *drawn, budget="60" if drawn else "0.2")
    scores = [method["scores"][numbers["question"]["metric"]]["value"] for method in numbers["leaderboard"]]
    assert scores == sorted(scores, reverse=True)
    assert_predicts(path, folder, numbers)


@pytest.mark.parametrize("name", LEARNED)
def test_a_table_that_is_learned(acceptance, quick, tmp_path, name):
    """All folds are done, and the method is surely better than the baseline."""
    quick(name)
    path, folder = acceptance / "tables" / name, tmp_path / "report"
    numbers = run_to_a_report(path, folder, "--methods", LEARNED[name], budget="60")
    best, baseline = numbers["leaderboard"]
    assert numbers["stopped"] is None
    assert best["method"] == LEARNED[name]
    assert baseline["p_value"] < 0.05
    assert "baseline_not_beaten" not in {finding["code"] for finding in numbers["findings"]}
    assert_predicts(path, folder, numbers)


@pytest.mark.parametrize("name", ["bif/bnlearn_sample_lizards.csv.gz", "reference/demsar2006_table6.csv"])
def test_tables_of_other_folders(acceptance, quick, tmp_path, name):
    """A packed sample of a Bayesian network, and a table of scores of fourteen rows."""
    path = acceptance / name
    quick(path.name)
    numbers = run_to_a_report(path, tmp_path / "report")
    assert_predicts(path, tmp_path / "report", numbers)


def test_few_rows_many_columns(acceptance, quick, tmp_path):
    """golub, packed: 150 of its 7130 columns, for the same finding in less time; test_reading_acceptance.py reads all."""
    path = tmp_path / "golub.csv.gz"
    quick(path.name)
    pd.read_csv(acceptance / "genomics" / "golub.csv.gz").iloc[:, :150].to_csv(path, index=False)
    numbers = run_to_a_report(path, tmp_path / "report", "--methods", "GaussianNB", budget="3")
    assert "more_columns_than_rows" in {finding["code"] for finding in numbers["findings"]}


def test_microbiome(acceptance, quick, tmp_path):
    """qin2014: the hundred most abundant species as columns, a row for each patient, and the diagnosis, which is learned."""
    folder = acceptance / "microbiome" / "qin2014"
    with gzip.open(folder / "otutable.txt.gz") as file:
        counts = pd.read_csv(file, sep="\t", index_col=0).T
    known = counts[counts.sum().sort_values(ascending=False).index[:100]]
    diagnosis = pd.read_csv(folder / "task-healthy-cirrhosis.txt", sep="\t", index_col=0)["Var"]
    path = tmp_path / "patients.csv"
    quick(path.name)
    np.log10(1 + known).round(4).join(diagnosis, how="inner").to_csv(path, index_label="patient")
    numbers = run_to_a_report(path, tmp_path / "report", "--methods", "LogisticRegression", "--folds", "6", budget="60")
    assert numbers["question"]["target"] == "Var"
    assert "patient" in numbers["question"]["left_out"]
    assert numbers["question"]["classes"].keys() == {"Cirrhosis", "Healthy"}
    assert numbers["best"] == "LogisticRegression"
    assert numbers["folds"]["done_by_all"] == 6


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("microbiome/qin2014/task-healthy-cirrhosis.txt", "No column is left to predict 'Var' from"),
        ("reference/heart_scale", "no column can be the target"),
        ("reference", "give files of the same columns"),
        ("bif/asia.bif.gz", "asia.bif.gz"),
    ],
)
def test_what_cannot_be_learned_is_refused(acceptance, tmp_path, capsys, name, said):
    """In a sentence, before any folder is made."""
    assert main(["run", str(acceptance / name), "--out", str(tmp_path / "report"), "--lang", "en"]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert "Traceback" not in message
    assert not (tmp_path / "report").exists()


# ---- csv-spectrum ------------------------------------------------------------------------------------------------------

SPECTRUM = [
    *("comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "location_coordinates", "newlines"),
    *("newlines_crlf", "quotes_and_newlines", "simple", "simple_crlf", "utf8"),
]


@pytest.mark.parametrize("name", SPECTRUM)
def test_csv_spectrum_written_and_read(acceptance, tmp_path, name):
    """What predict writes of a table is read as the table was; formulas would have an apostrophe, and there are none."""
    path = acceptance / "hostile" / "csv-spectrum" / f"{name}.csv"
    first = read(path, missing=[], types=dict.fromkeys(read(path).frame, "text"))
    copy = tmp_path / "copy.csv"
    copy.write_bytes(to_csv(first, {"more": np.array([1.5] * first.rows)}, first.dialect).encode())
    second = read(copy, missing=[], header=True, types=dict.fromkeys(first.frame, "text"))
    assert list(second.frame) == [*first.frame, "more"]
    for column in first.frame:
        assert second.frame[column].tolist() == first.frame[column].tolist()
    assert second.frame["more"].tolist() == [1.5] * first.rows
