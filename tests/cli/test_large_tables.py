"""The command line on tables that do not fit into memory: a run of a sample, predictions block by block."""

import json
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import aprendiz as library
from aprendiz.lab.large_tables import csv_blocks, memory_plan, parquet_blocks

from .calls import QUICK, call, cells_of, columns_of, tree, written

SMALL = ("--memory", "1kB")


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    """Blocks of 64 rows, samples of 200 rows, and libraries that take no memory."""
    for module in (csv_blocks, parquet_blocks):
        monkeypatch.setattr(module, "BLOCK_CELLS", 1)
        monkeypatch.setattr(module, "FEWEST_ROWS", 64)
    monkeypatch.setattr(memory_plan, "OF_LIBRARIES", 0)
    monkeypatch.setattr(memory_plan, "FEWEST_ROWS", 200)


@pytest.fixture
def large(here):
    """large.csv: 2 000 rows, some without a target, with a column that the model does not know."""
    columns = columns_of(rows=2000, seed=3)
    columns["kind"] = ["" if row % 50 == 0 else kind for row, kind in enumerate(columns["kind"])]
    columns["code"] = ["new" if row % 99 == 0 else code for row, code in enumerate(columns["code"])]
    return written(here / "large.csv", {**columns, "price": [f"{row} kg" for row in range(2000)]})


def numbers_in(path):
    """What results.json holds."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("out", ["out.csv", "out.parquet"])
def test_predictions_block_by_block(model, large, out):
    """The same file, and the same sentences, as for a table that fits."""
    whole = call("predict", "model.apz", "large.csv", "-o", f"whole-{out}")
    found = call("predict", "model.apz", "large.csv", "-o", out, *SMALL)
    assert (whole.code, found.code) == (0, 0), found.err
    assert "read twice and predicted block by block" in found.err
    assert found.err.splitlines()[1:] == whole.err.replace(f"whole-{out}", out).splitlines()
    if out.endswith("csv"):
        assert tree(".")[out] == tree(".")[f"whole-{out}"]
    else:
        pd.testing.assert_frame_equal(pd.read_parquet(out), pd.read_parquet(f"whole-{out}"))
        assert pd.read_parquet(out)["predicted_kind"].tolist() == library.load("model.apz").predict("large.csv").tolist()
    screen = call("predict", "model.apz", "large.csv", *SMALL)
    assert screen.out == call("predict", "model.apz", "large.csv").out


def test_a_wrong_cell_far_down_leaves_no_file(model, large):
    """It is refused before the first block is written."""
    text = large.read_text().splitlines()
    text[1800] = text[1800].replace(text[1800].split(",")[1], "many", 1)
    large.write_text("\n".join(text) + "\n")
    before = tree(".")
    said = call("predict", "model.apz", "large.csv", "-o", "out.csv", *SMALL)
    assert said.code == 2
    assert "line 1801: column 'age' holds 'many', expected: number" in said.err
    assert tree(".") == before


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_run_of_a_sample(large, no_pictures, monkeypatch, capsys, lang):
    """It says so on the screen, on the page and in results.json; experiment.py finds the same scores."""
    said = call("run", "large.csv", "--target", "kind", "--out", "out", "--seed", "7", "--lang", lang, *SMALL, *QUICK)
    assert said.code == 0, said.err
    numbers = numbers_in("out/results.json")
    assert numbers["table"]["rows"] == 200
    assert numbers["table"]["sample"] == {"of": 2000, "most": 200, "seed": 7, "groups": None}
    assert "sampled" in {one["code"] for one in numbers["findings"]}
    words = "200 of 2,000 rows" if lang == "en" else "200 de 2.000 filas"
    assert words in said.out
    assert words in Path("out/report.html").read_text(encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["experiment.py"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path("out/experiment.py", run_name="__main__")
    assert ended.value.code == 0, capsys.readouterr().out


def test_resume_takes_the_same_rows(large, no_pictures):
    """Also where another number of rows would fit now; another sample that is asked for is refused."""
    arguments = ("run", "large.csv", "--target", "kind", "--out", "out", *QUICK)
    assert call(*arguments, *SMALL).code == 0
    scores = numbers_in("out/results.json")["leaderboard"]
    assert call(*arguments, "--resume").code == 0
    again = numbers_in("out/results.json")
    assert again["table"]["sample"]["most"] == 200
    assert [one["scores"] for one in again["leaderboard"]] == [one["scores"] for one in scores]
    refused = call(*arguments, "--resume", "--sample", "300")
    assert refused.code == 2
    assert "the sample of the rows differs" in refused.err


def test_groups_and_time(large, no_pictures):
    """Groups stay whole in the sample, and rows are judged in the order of time."""
    rng = np.random.default_rng(0)
    columns = {**columns_of(rows=2000), "who": [f"p{one}" for one in rng.integers(0, 400, 2000)], "day": range(2000)}
    written("table.csv", columns)
    said = call("run", "table.csv", "--target", "kind", "--groups", "who", "--out", "groups", *SMALL, *QUICK)
    assert said.code == 0, said.err
    assert numbers_in("groups/results.json")["table"]["sample"]["groups"] == "who"
    said = call("run", "table.csv", "--target", "kind", "--time", "day", "--out", "time", *SMALL, *QUICK)
    assert said.code == 0, said.err


def test_a_look_at_a_sample(large):
    """explore counts missing cells of all rows, and tells which rows it looked at; cluster says so too."""
    said = call("explore", "large.csv", "--out", "look", *SMALL)
    assert said.code == 0, said.err
    numbers = numbers_in("look/results.json")
    kinds = dict(cells_of("large.csv"))["kind"]
    assert {one["name"]: one["missing"] for one in numbers["columns"]}["kind"] == kinds.count("")
    assert numbers["missing"]["cells"] == kinds.count("")
    assert "200 of 2,000 rows were looked at" in said.out
    said = call("cluster", "large.csv", "--out", "groups", "--k", "2", "--methods", "KMeans", *SMALL)
    assert said.code == 0, said.err
    assert "200 of 2,000 rows are used" in said.out
    assert [len(cells) for _name, cells in cells_of("groups/groups.csv")] == [2000] * 6


@pytest.mark.parametrize(("given", "words"), [(["--memory", "much"], "not a size of memory"), (["--sample", "0"], "from 1 to")])
def test_wrong_limits(large, refused, given, words):
    refused("run", "large.csv", *given, words=[words])
