"""Tables that do not fit into memory: the facts of all rows, a fair sample of them, in bounded memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aprendiz.lab import ReadingError, read
from aprendiz.lab.large_tables import chosen_rows, csv_blocks, distinct_values, facts_by_blocks, memory_plan, parquet_blocks

EVERYTHING = 10**9  # rows


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of few rows, so that a small table has several."""
    for module in (csv_blocks, parquet_blocks):
        monkeypatch.setattr(module, "BLOCK_CELLS", 1)
        monkeypatch.setattr(module, "FEWEST_ROWS", 64)


def table_of(rows=3000, seed=0):
    """Columns of every type, with what makes reading hard far down: a word among numbers, a code, cells after empty ones."""
    rng = np.random.default_rng(seed)
    number = [f"{value:.6f}" for value in rng.normal(size=rows)]
    number[rows - 7] = "unknown"
    code = [str(value) for value in range(10, rows + 10)]
    code[-1] = "007"
    weight = [f"{value:.1f} kg" for value in rng.uniform(1, 99, rows)]
    weights = [*weight[:-1], "heavy"]
    return {
        "row": np.arange(1, rows + 1),
        "number": number,
        "small": rng.integers(0, 3, rows),
        "code": code,
        "late": ["" if place < 2500 else "true" for place in range(rows)],
        "day": (np.datetime64("2020-01-01") + rng.integers(0, 700, rows)).astype(str),
        "word": rng.choice(["red", "green", "blue", ""], rows),
        "name": [f"name {value} of {value}" for value in rng.integers(0, 10**6, rows)],
        "prose": [" ".join(rng.choice(["one", "two", "six"], 6)) for _ in range(rows)],
        "weight": weight,
        "weights": weights,
        "empty": np.full(rows, ""),
        "y": np.where(rng.random(rows) < 0.01, "rare", "usual"),
    }


@pytest.fixture(scope="module")
def csv_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "table.csv"
    pd.DataFrame(table_of()).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def parquet_file(tmp_path_factory):
    """Several groups of rows, declared levels, whole numbers that no double holds."""
    rng, path = np.random.default_rng(0), tmp_path_factory.mktemp("large") / "table.parquet"
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(3000) < 0.1, np.nan, rng.normal(size=3000)),
            "n": pd.array(rng.integers(0, 9, 3000), dtype="Int64"),
            "huge": np.r_[np.arange(2999), 2**60],
            "level": pd.Categorical(rng.choice(["low", "high"], 3000), ["low", "high"], ordered=True),
            "word": rng.choice(["a", "b", None], 3000),
            "day": pd.Timestamp("2021-05-01") + pd.to_timedelta(rng.integers(0, 40, 3000), "D"),
            "flag": rng.random(3000) < 0.5,
        }
    )
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, row_group_size=700)
    return path


@pytest.mark.parametrize("file", ["csv_file", "parquet_file"])
def test_blocks_say_what_the_whole_says(file, request):
    """A sample of all rows is the table: frame, facts, types, notes and dialect."""
    path = request.getfixturevalue(file)
    whole, found = read(path), read(path, sample=EVERYTHING)
    pd.testing.assert_frame_equal(found.frame, whole.frame)
    assert found.facts == whole.facts
    assert found.notes == whole.notes
    assert found.dialect == whole.dialect
    assert found.sample is None
    again = read(path, like=whole.dialect, sample=EVERYTHING)
    pd.testing.assert_frame_equal(again.frame, whole.frame)


@pytest.mark.parametrize("file", ["csv_file", "parquet_file"])
def test_a_sample_holds_rows_of_the_table(file, request):
    """The facts are those of all rows; each row is the one of its number; the same rows come again, others for another seed."""
    path = request.getfixturevalue(file)
    whole, found = read(path), read(path, sample=200, seed=4)
    assert found.facts == whole.facts
    assert len(found.frame) == 200
    assert found.sample.rows == 3000
    assert (np.diff(found.sample.numbers) > 0).all()
    assert found.numbers_of_rows(np.array([0, 199])).tolist() == (found.sample.numbers[[0, -1]] + 1).tolist()
    pd.testing.assert_frame_equal(found.frame, whole.frame.iloc[found.sample.numbers].reset_index(drop=True))
    np.testing.assert_array_equal(read(path, sample=200, seed=4).sample.numbers, found.sample.numbers)
    others = read(path, sample=200, seed=5).sample.numbers
    assert 0 < len(set(others) & set(found.sample.numbers)) < 60  # 13 are expected


def test_samples_do_not_depend_on_blocks(csv_file, monkeypatch):
    """Row numbers and seed decide alone."""
    few = read(csv_file, sample=150).sample.numbers
    monkeypatch.setattr(csv_blocks, "FEWEST_ROWS", 5000)
    np.testing.assert_array_equal(read(csv_file, sample=150).sample.numbers, few)


def test_every_row_is_as_likely():
    """Over 200 seeds each row is in a sample of a tenth as often as in a binomial draw, and no part of the file more often."""
    choice = np.zeros(3000)
    for seed in range(200):
        rows = chosen_rows.ChosenRows(300, seed)
        for start in range(0, 3000, 250):
            rows.add(chosen_rows.TypedBlock(start, 250, {}, {}))
        numbers = rows.finish()
        assert len(numbers) == 300
        choice[numbers] += 1
    assert choice.std() == pytest.approx(np.sqrt(200 * 0.1 * 0.9), rel=0.1)
    thirds = choice.reshape(3, 1000).sum(axis=1)
    np.testing.assert_allclose(thirds, 20000, atol=4 * np.sqrt(200 * 1000 * 0.1 * 0.9))


def test_groups_stay_whole(tmp_path):
    """All rows of a group or none; rows without a group are chosen one by one; a group that is too large is refused."""
    rng, path = np.random.default_rng(1), tmp_path / "table.csv"
    group = np.where(rng.random(2000) < 0.1, "", rng.integers(0, 150, 2000).astype(str))
    pd.DataFrame({"x": rng.normal(size=2000), "who": group}).to_csv(path, index=False)
    found = read(path, sample=500, groups="who")
    inside = np.isin(np.arange(2000), found.sample.numbers)
    for one in np.unique(group[group != ""]):
        assert inside[group == one].all() or not inside[group == one].any()
    alone = inside[group == ""]
    assert 0 < alone.sum() < len(alone)
    assert 450 < len(found.frame) <= 500
    with pytest.raises(ValueError, match="groups: the table has no column 'site'"):
        read(path, sample=500, groups="site")
    for rows in (99, 999):
        pd.DataFrame({"x": np.arange(rows), "who": "one"}).to_csv(path, index=False)
        with pytest.raises(ReadingError, match="Each group of 'who' has more than 50 rows"):
            read(path, sample=50, groups="who")


def test_levels_of_rare_rows_are_known(csv_file):
    """A level that the sample does not hold stands in the schema, with its rows."""
    found, whole = read(csv_file, sample=20), read(csv_file)
    assert found.columns == whole.columns
    assert found.sample.levels["y"] == whole.frame["y"].value_counts().to_dict()
    assert "rare" in found.frame["y"].cat.categories


@pytest.mark.parametrize(("cells", "distinct", "counts"), [([1, 2, 3, 4, 5, 6], 6, True), ([1, 2, 3, 2, 3, 4], 4, False)])
def test_numbers_that_grow(cells, distinct, counts):
    """Whether each is larger than the one before is known across the blocks; then all differ, however many they are."""
    found = facts_by_blocks.NumberFacts()
    for block in (cells[:3], cells[3:]):
        found.add(pa.array(block, pa.float64()))
    assert (found.facts("n").distinct, found.facts("n").counts) == (distinct, counts)


@pytest.mark.parametrize("n", [0, 1, 300, 20_000])
def test_distinct_values(n):
    """Exact while they are few; else within five standard errors, and never all of the cells."""
    values = np.random.default_rng(n).integers(0, 2**53, n).astype(float)
    counted = distinct_values.DistinctValues(most=1000)
    for part in np.array_split(np.r_[values, values], 7):
        counted.add(distinct_values.hashes_of_numbers(part, counted))
    assert counted.count(2 * n) == pytest.approx(n, rel=0 if n < 1000 else 5 / np.sqrt(1000))


def test_what_fits_is_read_as_a_whole(csv_file, monkeypatch):
    """The limit decides: memory that is given, or free; the number of rows is a round one."""
    assert read(csv_file, max_memory="8GB").sample is None
    monkeypatch.setattr(memory_plan, "OF_LIBRARIES", 0)
    monkeypatch.setattr(memory_plan, "FEWEST_ROWS", 10)
    size = csv_file.stat().st_size
    found = read(csv_file, max_memory=size)  # a tenth of the table
    assert len(found.frame) == 200  # of about 300
    monkeypatch.setattr(memory_plan, "free_memory", lambda: size / memory_plan.SHARE)
    np.testing.assert_array_equal(read(csv_file).sample.numbers, found.sample.numbers)


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2e9), (" .5 gib", 2.0**29), ("300", 300), (1.5e9, 1.5e9), ("1e3MB", None), ("", None), (True, None), (-1, None)],
)
def test_sizes_of_memory(text, size):
    if size is None:
        with pytest.raises(ValueError, match="is not a size of memory"):
            memory_plan.bytes_of(text)
    else:
        assert memory_plan.bytes_of(text) == size


def test_wrong_cells_are_named(csv_file, tmp_path):
    """Types that are given hold for all rows, and the first cell that does not fit is named."""
    with pytest.raises(ReadingError, match="line 3001: column 'code' holds '007', expected: number"):
        read(csv_file, sample=100, types={"code": "number"})
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n" + "1,2\n" * 5000 + "1,2,3\n")
    with pytest.raises(ReadingError, match=r"line 5002: cells found: 3, expected: 2"):
        read(path, sample=100)
    with pytest.raises(ValueError, match="must be a number of rows"):
        read(csv_file, sample=0)


def test_other_encodings_and_very_many_columns(tmp_path):
    """What DuckDB does not read as it is, by a plain copy or by Python."""
    rng = np.random.default_rng(0)
    path = tmp_path / "latin.csv"
    path.write_bytes(("name;x\n" + "".join(f"señal {i % 3};{i},5\n" for i in range(500))).encode("latin-1"))
    wide = tmp_path / "wide.csv"
    pd.DataFrame(rng.normal(size=(200, 1100)).round(3)).to_csv(wide, index=False)
    for file in (path, wide):
        whole, found = read(file), read(file, sample=50)
        assert found.facts == whole.facts
        pd.testing.assert_frame_equal(found.frame, whole.frame.iloc[found.sample.numbers].reset_index(drop=True))


MEASURED = """
import re, sys
from pathlib import Path
from aprendiz.lab import read
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
import aprendiz.lab.reading
before = peak()
table = read(sys.argv[1], max_memory=sys.argv[2])
assert len(table.frame) == 50_000 and table.sample.rows == 2_000_000
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
def test_memory_is_bounded(tmp_path):
    """Reading a table of 160 MB, whose file has groups of rows of 20 MB, takes less than the table."""
    path, rng = tmp_path / "large.parquet", np.random.default_rng(0)
    part = pa.table({f"x{j}": rng.normal(size=250_000) for j in range(10)})
    with pq.ParquetWriter(path, part.schema) as file:
        for _ in range(8):
            file.write_table(part)
    done = subprocess.run([sys.executable, "-c", MEASURED, path, "2GB"], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 150e6
