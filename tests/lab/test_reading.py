"""Reading a table: types from all rows, names, notes, the card; Parquet, gzip, very wide tables."""

import gzip
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aprendiz.core.columns import Columns
from aprendiz.lab import ReadingError, read, scan
from aprendiz.locale import language


@pytest.fixture
def file(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


MIXED = (
    "id,age,sex,smoker,born,zip,note,score\n"
    "1,41,f,true,1983-02-01,01001,ok,0\n"
    "2,,m,false,1990-12-24,28080,,1\n"
    "3,58.5,f,,1966-07-30,08001,ok,1\n"
)


def test_types(file):
    """Numbers, truth values, dates, words, codes; and missing cells in each."""
    frame = read(file(MIXED)).frame
    kinds = {name: str(dtype) for name, dtype in frame.dtypes.items()}
    assert kinds["age"] == kinds["id"] == "float64"
    assert kinds["smoker"] == "boolean"
    assert kinds["born"].startswith("datetime64")
    assert kinds["zip"] == kinds["sex"] == "category"
    assert frame["zip"].tolist() == ["01001", "28080", "08001"]
    assert frame["age"].isna().tolist() == frame["note"].isna().tolist() == [False, True, False]
    assert frame["born"].iloc[1] == pd.Timestamp(1990, 12, 24)


def test_schema(file):
    """The schema is what `Columns.of` says of the same columns, and the parts of the dates that vary."""
    table = read(file(MIXED))
    assert table.columns.names == ("id", "age", "sex", "smoker", "born", "zip", "note", "score")
    assert (table.columns["born"].kind, table.columns["born"].levels[0]) == ("date", "days")
    others = [column for column in table.columns if column.name != "born"]
    assert others == [*Columns.of(table.frame[[column.name for column in others]])]


@pytest.mark.parametrize("late", ["12A", "<5", "007", "12345678901234567890", "inf", "2020-01-01"])
def test_types_are_decided_by_all_rows(file, late):
    """One cell at the end of a long column is enough, and a note tells which."""
    table = read(file("n,m\n" + "".join(f"{i},{i}\n" for i in range(1, 5000)) + f"{late},1\n"))
    assert table.frame["n"].iloc[-1] == late
    assert table.frame["n"].iloc[0] == "1"
    assert table.frame["m"].dtype == np.float64
    assert [note for note in table.notes if repr(late) in note and "column 'n' is text because 1 cell" in note]


def test_words_among_numbers_are_missing(file):
    """13 words do not cost a column of 900 numbers: they are missing cells, and a note lists them. Another file of the same
    kind may have the same words there, but no others; in a column of words they stay words."""
    cells = [str(i / 7) for i in range(900)]
    cells[450:463] = ["broken", "too low", "?!"] * 4 + ["broken"]
    path = file("x,y\n" + "".join(f"{cell},{'broken' if i % 2 else 'whole'}\n" for i, cell in enumerate(cells)))
    table = read(path)
    assert table.frame["x"].isna().to_numpy().nonzero()[0].tolist() == list(range(450, 463))
    assert table.frame["x"].iloc[899] == 899 / 7
    assert "column 'x' holds numbers; 13 cells with words were read as missing: '?!', 'broken', 'too low'" in table.notes
    assert set(table.frame["y"]) == {"broken", "whole"}
    pd.testing.assert_frame_equal(read(path, like=table.dialect).frame, table.frame)
    with pytest.raises(ReadingError, match="line 3: column 'x' holds 'lost', expected: number"):
        read(file("x,y\n1,whole\nlost,whole\n"), like=table.dialect)


@pytest.mark.parametrize(
    ("words", "kind"), [(["a"] * 49, "float64"), (["a"] * 51, "str"), ([chr(97 + i) for i in range(21)], "str")]
)
def test_how_many_words_are_missing_cells(file, words, kind):
    """Less than 5 % of the numbers, and at most 20 different ones; otherwise the column is text."""
    numbers = [str(i + 0.5) for i in range(1000)]
    assert str(read(file("x\n" + "\n".join([*numbers, *words]) + "\n")).frame["x"].dtype) == kind


@pytest.mark.parametrize(
    ("late", "dtype"), [("true", "boolean"), ("2020-01-31", "datetime64[us]"), ("5", "float64"), ("x", "category")]
)
def test_columns_that_begin_with_missing_cells(file, late, dtype):
    table = read(file("a,b\n" + ",1\n" * 3000 + f"{late},2\n"))
    assert str(table.frame["a"].dtype) == dtype


def test_same_as_pandas(file):
    """Numbers of every size and form are those that pandas reads, to the last bit."""
    rng = np.random.default_rng(1)
    table = np.exp(rng.normal(scale=20, size=(500, 3))) * rng.choice([-1, 1], size=(500, 3))
    content = "a,b,c\n" + "\n".join(f"{x!r},{y:.3f},{z:.6e}" for x, y, z in table.tolist()) + "\n"
    path = file(content)
    pd.testing.assert_frame_equal(read(path).frame, pd.read_csv(path))


def test_names(file):
    """Names that stand twice or are empty get others, and a note."""
    table = read(file("a,a,,a_2,b\n1,2,3,4,5\n6,7,8,9,0\n"))
    assert list(table.frame) == ["a", "a_3", "column_3", "a_2", "b"]
    assert table.notes[0] == "column 'a' appears more than once: one of them was renamed 'a_3'"
    assert table.notes[1] == "a column without a name was named 'column_3'"


def test_notes(file):
    """Empty and constant columns, levels that differ by spaces or case."""
    table = read(file("a,b,c,d\n1,,x,yes\n2,,x,Yes \n3,,x,no\n"))
    assert table.notes == (
        "column 'b': every cell is missing",
        "column 'c' is constant",
        "column 'd': the levels 'Yes ', 'yes' differ only in spaces or case; merge them if they mean the same",
    )


def test_blank_lines_are_no_rows(file):
    """In a table of one column too; there, an empty cell stands between quotes."""
    assert read(file("a,b\n1,2\n\n3,4\n\n")).rows == 2
    assert read(file("a\n1\n\n3\n\n")).frame["a"].tolist() == [1, 3]
    quoted = read(file('a\n1\n""\n3\n')).frame["a"]
    assert quoted.isna().tolist() == [False, True, False]


def test_cells_stay_as_they_are(file):
    """Formulas, control characters, right-to-left marks, emoji, zero characters, a cell of three megabytes."""
    cells = ["=1+2", "+x", "@a", "-", "x\x01\x7f", "a\u202eb", "😀\u200d", "x\x00y", " two  spaces ", "l" * 3_000_000]
    table = read(file("t,n\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells))))
    assert table.frame["t"].tolist() == cells
    assert table.frame["n"].tolist() == list(range(len(cells)))


@pytest.mark.parametrize("name", ["data[1].csv", "st*r.csv", "what?.csv", "it's.csv", "ñ .csv", "none"])
def test_names_of_files(file, name):
    """Characters that mean something in a pattern mean nothing in a name."""
    file("a,b\n9,9\n", "data1.csv")
    file("a,b\n9,9\n", "star.csv")
    assert read(file("a,b\n1,2\n", name)).frame.to_numpy().tolist() == [[1, 2]]


def test_gzip(file):
    assert read(file(gzip.compress(b"a;b\n1,5;x\n2,5;y\n"), "t.csv.gz")).frame["a"].tolist() == [1.5, 2.5]
    assert read(file(gzip.compress("a;b\n1,5;ñ\n".encode("cp1252")), "t.gz")).frame["b"].tolist() == ["ñ"]


# ---- wide tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells_at_a_time", [1, 24, 1000])
def test_wide_tables_are_read_by_the_same_rules(file, tmp_path, monkeypatch, cells_at_a_time):
    """The reader of very wide tables and DuckDB give the same columns, and the same first cell that does not fit."""
    monkeypatch.setattr(scan, "BLOCK", cells_at_a_time)
    narrow = read(file(MIXED + "4, ,n.d.,yes,1.2.1977,-9, ,two\n"), missing=["", "n.d.", "-9"], types={"sex": "text"})
    kinds = {0: "number", 1: "number", 2: "text", 3: "boolean", 4: "date", 5: "text", 6: "text", 7: "number"}
    table = file(MIXED + "4, ,n.d.,yes,1.2.1977,-9, ,two\n")
    plain = scan.FilePasses(table, narrow.dialect, 8, tmp_path).columns(kinds)
    wide = scan.by_records(table, narrow.dialect, 8, kinds, tmp_path)
    assert plain.keys() == wide.keys()
    for j, column in wide.items():
        assert column.values.type == plain[j].values.type
        assert column.values.to_pylist() == plain[j].values.to_pylist()
        assert (column.kind, column.unfit, column.first) == (plain[j].kind, plain[j].unfit, plain[j].first)
    assert [(wide[j].unfit, wide[j].first) for j in (3, 7)] == [(1, 3), (1, 3)]
    assert [wide[j].values.to_pylist()[3] for j in (1, 2, 5, 6)] == [None] * 4


def test_wide_table(file):
    """2000 columns, one of them text because of one cell."""
    rows = [[str(i * j) for j in range(2000)] for i in range(3)]
    rows[2][7] = "x"
    names = ",".join(f"v{j}" for j in range(2000))
    table = read(file(names + "\n" + "\n".join(map(",".join, rows)) + "\n"))
    assert table.frame["v7"].tolist() == ["0", "7", "x"]
    assert table.frame.drop(columns="v7").to_numpy().tolist() == [
        [float(i * j) for j in range(2000) if j != 7] for i in range(3)
    ]
    assert "… and 1,960 more" in table.card()


# ---- Parquet ---------------------------------------------------------------------------------------------------------


def test_parquet_decimals(tmp_path):
    """Decimals without a fraction are whole numbers: as identifiers of 19 digits they stay different; others are numbers."""
    ids, prices = [Decimal(10**18 + 1), Decimal(10**18 + 2)], [Decimal("1.50"), Decimal("2.25")]
    columns = {"id": pa.array(ids, pa.decimal128(19, 0)), "price": pa.array(prices, pa.decimal128(10, 2))}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    frame = read(tmp_path / "t.parquet").frame
    assert frame["id"].tolist() == [str(10**18 + 1), str(10**18 + 2)]
    assert frame["price"].tolist() == [1.5, 2.25]


def test_parquet(tmp_path):
    """Types are those of the file: whole numbers become doubles, or text beyond 2⁵³; declared levels keep their order."""
    levels = pd.Categorical(["low", "high", None], categories=["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "big": [2**60, 2**60 + 1, 5],
            "f": np.array([0.5, np.nan, np.inf], np.float32),
            "b": [True, None, False],
            "d": pd.to_datetime(["2020-01-01", None, "2021-05-06"]),
            "code": ["007", "?", None],
            "size": levels,
        }
    )
    frame.to_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert table.frame["n"].tolist() == [1.0, 2.0, 3.0]
    assert table.frame["big"].tolist() == [str(2**60), str(2**60 + 1), "5"]
    assert math.isinf(table.frame["f"].iloc[2])
    assert table.notes == ("column 'f', infinite cells: 1; replace them, because the methods do not accept infinity",)
    assert table.frame["b"].isna().tolist() == [False, True, False]
    assert table.frame["code"].tolist()[:2] == ["007", "?"]
    assert (table.columns["size"].kind, table.columns["size"].levels) == ("ordinal", ("low", "mid", "high"))


def test_a_csv_model_reads_parquet(file, tmp_path):
    """Types of an earlier CSV file hold for Parquet too."""
    first = read(file("zip,n\n007,1\n010,2\n"))
    pq.write_table(pa.table({"zip": [108, 205], "n": ["3", "4.5"]}), tmp_path / "t.parquet")
    later = read(tmp_path / "t.parquet", like=first.dialect)
    assert later.frame["zip"].tolist() == ["108", "205"]
    assert later.frame["n"].tolist() == [3, 4.5]
    pq.write_table(pa.table({"zip": [108], "n": ["x"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="row 0: column 'n' holds 'x', expected: number"):
        read(tmp_path / "t.parquet", like=first.dialect)


def test_parquet_that_is_no_table(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [[1, 2], [3]]}), path)
    with pytest.raises(ValueError, match="column 'a' holds list"):
        read(path)
    pq.write_table(pa.table({"a": pa.array([], pa.float64())}), path)
    with pytest.raises(ValueError, match="holds no rows"):
        read(path)
    path.write_bytes(b"PAR1 and then something else")
    with pytest.raises(ValueError, match="not a complete Parquet file"):
        read(path)


# ---- the card --------------------------------------------------------------------------------------------------------


def test_card(file):
    """File, size, dialect with reasons, a line for each column, notes."""
    card = read(file(MIXED)).card()
    lines = card.splitlines()
    assert lines[0] == f"table.csv: 3 rows × 8 columns, {len(MIXED)} B"
    assert [line.split()[0] for line in lines[lines.index("Columns") + 1 :][:8]] == MIXED.split("\n")[0].split(",")
    by_name = {line.split()[0]: line for line in lines}
    assert "comma" in by_name["separator"]
    assert "8 cells in 4 of the first lines" in by_name["separator"]
    assert "41 – 58.5" in by_name["age"]
    assert "33.3 % missing" in by_name["age"]
    assert "01001, 08001, 28080" in by_name["zip"]
    assert "identifier: it numbers the rows" in by_name["id"]
    assert "1966-07-30 – 1990-12-24" in by_name["born"]


def test_card_speaks_the_current_language(file):
    """Numbers and dates follow the language in which the card is asked for."""
    table = read(file(MIXED))
    with language("es"):
        card = table.card()
    assert "41 – 58,5" in card
    assert "30/7/1966" in card
