"""`explore`: what was planted in a table is found, nothing is invented in a clean one, and the numbers are those defined."""

import json
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from aprendiz.lab import explore, read
from aprendiz.lab.exploration.associations import strongest_numbers
from aprendiz.lab.exploration.duplicates import duplicate_rows, expected_pairs, same_columns
from aprendiz.lab.exploration.fences import fences, medcouple, reach_of
from aprendiz.lab.exploration.missing_cells import missing_numbers
from aprendiz.locale import language


def patients(seed, rows=120):
    """Columns of all kinds, with nothing wrong."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "height": rng.normal(170, 10, rows).round(1),
            "dose": rng.uniform(1, 5, rows).round(2),
            "visits": rng.poisson(3, rows),
            "city": rng.choice(["Ávila", "Burgos", "León"], rows),
            "smoker": rng.choice(["no", "yes"], rows),
        }
    )


def planted(seed):
    """The same, with one fault of each kind."""
    rng = np.random.default_rng(1000 + seed)
    table = patients(seed)
    table["inches"] = (table["height"] / 2.54).round(2)
    table["fumador"] = table["smoker"].map({"no": "n", "yes": "s"})
    table["income"] = np.exp(rng.normal(10, 1.2, len(table))).round()
    table["year"] = rng.integers(1990, 2024, len(table))
    table["constant"] = 1
    gone = rng.choice(len(table), 50, replace=False)
    table["iron"], table["zinc"] = rng.normal(size=(2, len(table))).round(3)
    table.loc[gone, ["iron", "zinc"]] = np.nan
    table["weight"] = rng.normal(70, 8, len(table)).round(1)
    table.loc[rng.choice(len(table), 4, replace=False), "weight"] = -999
    table.loc[7, "dose"] = 300.0
    return pd.concat([table, table.iloc[[3, 11]]])


def found_in(frame, folder):
    frame.to_csv(folder / "table.csv", index=False)
    return explore(read(folder / "table.csv"))


# ---- findings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_invented(seed, tmp_path):
    """A table of normal, uniform and counted columns and of words."""
    assert [one.sentence for one in found_in(patients(seed), tmp_path).findings] == []


@pytest.mark.parametrize("seed", range(4))
def test_what_was_planted_is_found(seed, tmp_path):
    found = found_in(planted(seed), tmp_path)
    codes = {one.code for one in found.findings}
    wanted = {"coded_missing", "duplicate_rows", "same_columns", "many_missing", "missing_together", "constant", "skewed"}
    assert wanted | {"dates_as_numbers", "far_out"} <= codes
    same = [one.sentence for one in found.findings if one.code == "same_columns"]
    assert len(same) == 2  # inches, and fumador
    assert {"row": 8, "value": 300.0} in found.numbers["columns"][1]["far_out"]["farthest"]
    assert [one["rows"] for one in found.numbers["duplicate_rows"]["groups"]] == [[4, 121], [12, 122]]


def test_rows_of_few_levels_may_be_equal(tmp_path):
    """400 rows of two words each repeat each other by chance: that is no finding."""
    rng = np.random.default_rng(0)
    found = found_in(pd.DataFrame({"a": rng.choice(list("xy"), 400), "b": rng.choice(list("uvw"), 400)}), tmp_path)
    assert found.numbers["duplicate_rows"]["rows"] > 390
    assert "duplicate_rows" not in {one.code for one in found.findings}


def test_target_proposals(tmp_path):
    """The column that is called so comes first, with its task; a column that follows from another is proposed too."""
    frame = patients(0).assign(diagnosis="a")
    frame["diagnosis"] = np.where(frame["dose"] > 3, "ill", "healthy")
    targets = found_in(frame, tmp_path).numbers["targets"]
    assert (targets[0]["column"], targets[0]["task"]) == ("diagnosis", "classification")
    assert "dose" in [one["column"] for one in targets]


# ---- numbers -----------------------------------------------------------------------------------------------------------


def test_columns_have_the_numbers_of_pandas(tmp_path):
    frame = planted(0)
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame = pd.read_csv(tmp_path / "table.csv")
    for one in explore(read(tmp_path / "table.csv")).numbers["columns"]:
        known = frame[one["name"]].dropna()
        assert (one["missing"], one["distinct"]) == (len(frame) - len(known), known.nunique())
        if one["kind"] == "number":
            assert one["mean"] == pytest.approx(known.mean())
            assert one["sd"] == pytest.approx(known.std())
            assert one["quantiles"] == pytest.approx(known.quantile([0, 0.25, 0.5, 0.75, 1]).tolist())
            assert sum(one["histogram"]["counts"]) == len(known)
        else:
            assert {level["level"]: level["count"] for level in one["levels"]} == known.value_counts().to_dict()


def test_medcouple():
    """0 of symmetric values, the median over all pairs of the definition, and opposite for the mirror image."""
    rng = np.random.default_rng(0)
    normal = stats.norm.ppf((np.arange(1000) + 0.5) / 1000)
    assert medcouple(normal) == pytest.approx(0.0, abs=1e-12)
    x = np.sort(rng.exponential(size=100))
    m = np.median(x)
    pairs = [((a - m) - (m - b)) / (a - b) for a in x[x >= m] for b in x[x <= m] if a > b]
    assert medcouple(x) == pytest.approx(np.median(pairs), abs=0.03)
    assert medcouple(np.sort(-x)) == pytest.approx(-medcouple(x))


def test_fences():
    """Three distances of the quartiles at least; as many values as is said of a large normal table lie outside in the mean."""
    assert fences(np.ones(100)) is None
    assert fences(np.arange(5.0)) is None
    rows, columns = 10**6, 10
    z = 0.6745 + 2 * 0.6745 * reach_of(rows, columns) / np.exp(1.17 * stats.norm.isf(0.05 / columns) / np.sqrt(rows))
    assert 2 * rows * columns * stats.norm.sf(z) == pytest.approx(0.05, rel=0.01)
    low, high = fences(np.arange(101.0))
    assert (low, high) == pytest.approx((25 - 50 * reach_of(101, 1), 75 + 50 * reach_of(101, 1)))
    assert reach_of(101, 1) > 3


def test_missing_patterns_by_hand():
    nan = np.nan
    frame = pd.DataFrame({"a": [1, nan, nan, 4, 5, nan], "b": [1, nan, nan, 4, 5, nan], "c": [nan, 2, 3, 4, 5, nan], "d": 1.0})
    found = missing_numbers(frame)
    assert (found["cells"], found["columns"], found["complete_rows"], found["different_patterns"]) == (8, 3, 2, 4)
    counted = {tuple(one["columns"]): one["rows"] for one in found["patterns"]}
    assert counted == {(): 2, ("a", "b"): 2, ("c",): 1, ("a", "b", "c"): 1}
    assert found["always_together"] == [["a", "b"]]


def test_columns_missing_together_in_part():
    """φ is the correlation of the gaps."""
    rng = np.random.default_rng(0)
    gaps = rng.random((500, 1)) < 0.3
    X = np.where(gaps ^ (rng.random((500, 3)) < [0.05, 0.05, 0.5]), np.nan, 1.0)
    (pair,) = missing_numbers(pd.DataFrame(X, columns=["a", "b", "c"]))["pairs"]
    assert (pair["first"], pair["second"]) in [("a", "b"), ("b", "a")]
    assert pair["phi"] == pytest.approx(np.corrcoef(np.isnan(X[:, 0]), np.isnan(X[:, 1]))[0, 1])


def test_strongest_pairs_across_blocks(monkeypatch):
    """Those of the whole table of correlations, however it is cut."""
    monkeypatch.setattr("aprendiz.lab.exploration.associations.BLOCK", 7)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 23)) + rng.normal(size=(60, 1))
    R = np.corrcoef(X.T)
    found = strongest_numbers(X, [str(j) for j in range(23)])
    order = np.sort(np.abs(R[np.triu_indices(23, 1)]))[::-1]
    assert [abs(r) for _a, _b, r in found] == pytest.approx(order[: len(found)].tolist(), rel=1e-5)
    assert all(r == pytest.approx(R[int(a), int(b)], rel=1e-5) for a, b, r in found)


def test_same_columns():
    """Equal, renamed level by level, and neither."""
    frame = pd.DataFrame({"a": [1.0, 2, 1, 3], "b": ["x", "y", "x", "z"], "c": [1.0, 2, 1, 3], "d": ["x", "y", "y", "z"]})
    assert same_columns(frame, list("abcd")) == [{"columns": ["a", "b", "c"], "equal": False}]
    assert same_columns(frame, ["a", "c"]) == [{"columns": ["a", "c"], "equal": True}]


def test_expected_pairs():
    """By simulation of independent columns with the same shares."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": ["x"] * 30 + ["y"] * 10, "b": (["u"] * 7 + ["v"] * 3) * 4, "c": rng.integers(0, 9, 40)})
    pairs = []
    for _ in range(2000):
        drawn = pd.DataFrame({name: rng.choice(frame[name], 40) for name in frame})
        sizes = drawn.value_counts().to_numpy()
        pairs.append((sizes * (sizes - 1) / 2).sum())
    assert expected_pairs(frame) == pytest.approx(np.mean(pairs), abs=4 * np.std(pairs) / np.sqrt(len(pairs)))
    assert duplicate_rows(frame.iloc[:1], ["a"])["rows"] == 0


# ---- the page ------------------------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.addresses = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "xlink:href")]


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_page(tongue, tmp_path):
    """One file without scripts or addresses, whatever the columns are called; numbers beside it, the same in both languages."""
    frame = planted(0).rename(columns={"dose": "<script>alert(1)</script>", "city": "a'b\"c&d"})
    with language(tongue):
        page = found_in(frame, tmp_path).write(tmp_path / "out")
        tags = Tags(text := page.read_text(encoding="utf-8"))
    assert "script" not in tags.found
    assert [address for address in tags.addresses if not address.startswith(("#", "data:"))] == []
    assert "&lt;script&gt;alert(1)" in text
    assert ("Celdas vacías" in text) == (tongue == "es")
    numbers = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert numbers["findings"][0]["code"] == "coded_missing"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [1.5]}),
        pd.DataFrame({"x": [1, 1, 1], "y": ["a", "a", "a"]}),
        pd.DataFrame({"x": [np.nan, np.nan], "y": [1, 2]}),
        pd.DataFrame({"x": [1e308, -1e308, 1e-308, 0.0] * 9, "y": ["2024-01-01", "2024-02-30"] * 18}),
        pd.DataFrame({"x": [1.0, np.inf, -np.inf, 2.0] * 9, "t": ["2024-01-01", "2024-02-03"] * 18}),
    ],
    ids=["cell", "constant", "empty", "huge", "infinite"],
)
def test_odd_tables(frame, tmp_path):
    page = found_in(frame, tmp_path).write(tmp_path / "out")
    assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_wide_tables(tmp_path):
    """More columns than are shown: the page says so, and results.json has all."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 700)).round(3)
    X[:, 650] = 2 * X[:, 3]
    found = found_in(pd.DataFrame(X, columns=[f"g{j}" for j in range(700)]), tmp_path)
    assert [(one["first"], one["second"]) for one in found.numbers["associations"]["nearly_same"]] == [("g3", "g650")]
    assert len(found.numbers["columns"]) == 700
    page = found.write(tmp_path / "out").read_text(encoding="utf-8")
    assert page.count('<details class="column">') == 120
    assert "120 of 700 columns" in page


def test_stopped(tmp_path, monkeypatch):
    """What was finished is there, the rest is said to be missing."""

    def interrupted(*_given):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["aprendiz.lab.explore"], "described", interrupted)  # a function has that name too
    found = found_in(planted(0), tmp_path)
    assert found.stopped == "interrupted"
    assert found.numbers["missing"]["cells"] == 100
    assert "This was not reached." in found.write(tmp_path / "out").read_text(encoding="utf-8")


def test_columns_left_out(tmp_path):
    planted(0).to_csv(tmp_path / "table.csv", index=False)
    table = read(tmp_path / "table.csv")
    found = explore(table, leave_out=["inches", "fumador"])
    assert "same_columns" not in {one.code for one in found.findings}
    with pytest.raises(ValueError, match="no column 'inch'"):
        explore(table, leave_out=["inch"])
