"""Files that cannot be read: a sentence that names the culprit and the remedy."""

import gzip
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import aprendiz
from aprendiz.lab import ReadingError, read
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.memory import free_memory
from aprendiz.lab.opening import last_line
from aprendiz.lab.records import copied
from aprendiz.lab.scan import is_plain

CSV = [
    ("", "is empty: there is nothing to read"),
    ("\n \n\n", "is empty"),
    ("\ufeff", "is empty"),
    ("a,b,c\n", "contains column names but no rows; if they are data, set header=False"),
    ("a,b,c\n1,2,3\n4,5,6,7\n", r"line 3: cells found: 4, expected: 3, in the row that begins '4,5,6,7'. .*separator="),
    ("a,b,c\n1,2,3\n4,5\n8,9,0\n", r"line 3: cells found: 2, expected: 3, in the row that begins '4,5'"),
    ('a,b\n"x\ny\nz",2\n1,2,3\n4,5\n', "line 5: cells found: 3, expected: 2"),  # lines, not records, are counted
    ("Title\n\na,b\n1,2\n3\n4,5\n", "line 5: cells found: 1, expected: 2"),
    ('a,b\n1,2\n"x,2\n3,4\n', r"from line 3 on: a quote is opened and not closed.* \(quote=''\)"),
    ('a,b\n1,2\n"x"y,2\n3,4\n', "from line 3 on: a quote"),
    (bytes(range(256)) * 20, "is not text: give a CSV, Excel, JSON, Parquet, ARFF, Stata, SPSS or SAS file"),
    (b"PK\x03\x04" + bytes(100), "is a damaged ZIP archive: create it again"),
    (b"\x89PNG\r\n\x1a\n" + bytes(100), "is a picture"),
    ("<!DOCTYPE html><html></html>", "is a web page, not a table: download the table itself"),
    (b"%PDF-1.7 ...", "is a PDF document"),
    (gzip.compress(b"a,b\n1,2\n" * 50)[:-9], "is a damaged gzip file"),
    (",".join(map(str, range(100_000))) + "\n", "has 100000 columns, more than 65536: keep only those you need"),
]


@pytest.mark.parametrize(("content", "message"), CSV, ids=[message[:24] for _content, message in CSV])
def test_files_that_are_no_tables(tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ReadingError, match=f"bad.csv.*{message}"):
        read(path)


def test_a_ragged_row_far_down(tmp_path):
    """The line is found wherever it stands."""
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n" + "1,2\n" * 50_000 + "1,2,3\n" + "1,2\n" * 1000)
    with pytest.raises(ReadingError, match="line 50002: cells found: 3, expected: 2"):
        read(path)


def test_paths_that_are_no_files(tmp_path):
    (tmp_path / "people.csv").write_text("a\n1\n")
    with pytest.raises(ReadingError, match=r"peple.csv does not exist. Did you mean people.csv\?"):
        read(tmp_path / "peple.csv")
    with pytest.raises(ReadingError, match=r"does not exist. Check the path"):
        read(tmp_path / "nowhere" / "zzz.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadingError, match="contains no files"):
        read(tmp_path / "empty")
    with pytest.raises(ReadingError, match="is a URL: download the file"):
        read("https://example.org/table.csv")
    with pytest.raises(ReadingError, match="is not a plain file"):
        read(os.devnull)


def test_options_of_another_kind(tmp_path):
    """A value that a kind of files has not is refused, not passed over."""
    pq.write_table(pa.table({"a": ["1", "x"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="separator=…: Parquet files have no such option; leave it out"):
        read(tmp_path / "t.parquet", separator=";")
    assert read(tmp_path / "t.parquet", missing=["x"]).facts[0].missing == 1
    (tmp_path / "t.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    with pytest.raises(ValueError, match="decimal=…: ARFF files have no such option"):
        read(tmp_path / "t.arff", decimal=",")


@pytest.mark.parametrize("options", [{}, {"encoding": "utf-8"}], ids=["sniffed", "given"])
def test_a_gzip_file_that_ends_too_early(tmp_path, options):
    """Far beyond the lines that are looked at first."""
    path = tmp_path / "t.csv.gz"
    content = "a,b\n" + "".join(f"{i * 7919 % 100_003},{i}\n" for i in range(60_000))
    path.write_bytes(gzip.compress(content.encode())[:-1000])
    with pytest.raises(ReadingError, match=r"t.csv.gz is a damaged gzip file: create it again"):
        read(path, **options)


def test_a_wrong_encoding(tmp_path):
    """The bytes contradict the encoding that was given."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n" + b"x;1\n" * 10 + "ñ;2\n".encode("cp1252"))
    with pytest.raises(ReadingError, match=r"the text is not utf-8. Give its encoding .*'cp1252'"):
        read(path, encoding="utf-8")


def test_text_is_not_binary(tmp_path):
    """A few control characters do not make a file binary."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\nx\x01,1\ny\x1b[0m,2\n")
    assert read(path).frame["a"].tolist() == ["x\x01", "y\x1b[0m"]


@pytest.mark.parametrize(
    "name", ["zip", "hex", "rot13", "bz2", "idna", "punycode", "undefined", "unicode_escape", "\0", "x" * 99]
)
def test_encodings_that_are_none(tmp_path, name):
    """What Python calls a codec and no file is written in."""
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"encoding=.* is not valid: give 'utf-8'"):
        read(path, encoding=name)


# ---- long lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_long_last_line_is_copied(tmp_path, end):
    """DuckDB drops a last line that is longer than its buffer without a word: such a file does not go to it as it is."""
    path = tmp_path / "long.csv"
    path.write_bytes(("n,t\n1,a\n2," + "x" * 3_000_000 + end).encode())
    assert 3_000_000 <= last_line(path) <= 3_000_004
    assert not is_plain(path, Dialect())
    path.write_bytes(("n,t\n1," + "x" * 3_000_000 + "\n2,abc" + end).encode())
    assert last_line(path) in (5, 6)
    assert is_plain(path, Dialect())


def test_a_lost_row_is_refused(tmp_path, monkeypatch):
    """Where the rows have been counted, as many must come out."""
    path = tmp_path / "a.csv"
    path.write_bytes("año,b\n1,2\n3,4\n".encode("cp1252"))  # which is copied
    one_more = lambda *given: (*copied(*given)[:2], 3)  # noqa: E731
    monkeypatch.setattr("aprendiz.lab.scan.copied", one_more)
    with pytest.raises(ReadingError, match=r"a\.csv cannot be read: rows expected: 3, found: 2"):
        read(path)


# ---- packed files ------------------------------------------------------------------------------------------------------------


def test_gzip_that_becomes_too_large(tmp_path):
    """A file that unfolds into more than is allowed is refused with both sizes, and read if that is asked for."""
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 100_000))
    for more in ({}, {"encoding": "utf-8"}, {"encoding": "latin-1"}, {"like": Dialect()}):
        with pytest.raises(
            ReadingError, match=r"bomb\.csv\.gz has 0\.\d+ MB but becomes a table of at least 0\.000\d+ GB.* max_bytes="
        ):
            read(path, max_bytes=1e5, **more)
    assert read(path, max_bytes=1e6).rows == 100_000


def test_parquet_that_becomes_too_large(tmp_path):
    """By its directory, before anything is read."""
    path = tmp_path / "bomb.parquet"
    pq.write_table(pa.table({"a": np.zeros(1_000_000), "b": np.zeros(1_000_000)}), path)
    with pytest.raises(
        ReadingError, match=r"bomb\.parquet has 0\.\d+ MB but becomes a table of at least 0\.016 GB, more than the 0\.01 GB"
    ):
        read(path, max_bytes=1e7)
    assert read(path).rows == 1_000_000


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), "8", True])
def test_limits_that_are_none(tmp_path, limit):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"max_bytes=.* must be a positive number"):
        read(tmp_path / "a.csv", max_bytes=limit)


def test_a_third_of_the_memory_is_the_usual_limit(tmp_path, monkeypatch):
    """Unless there is so little that every table would be refused."""
    path = tmp_path / "a.arff.gz"
    path.write_bytes(gzip.compress(b"@relation r\n@attribute a numeric\n@data\n1\n"))
    assert 2**20 < free_memory() < 2**62
    monkeypatch.setattr("aprendiz.lab.opening.free_memory", lambda: 5)
    assert read(path).rows == 1
    monkeypatch.setattr("aprendiz.lab.opening.NEVER_TOO_MANY", 5)
    with pytest.raises(ReadingError, match="a third of the free memory"):
        read(path)


def test_parquet_with_a_flipped_byte(tmp_path):
    """Where pages have checksums they are compared: the number would be another one, without a word."""
    path = tmp_path / "a.parquet"
    column = np.arange(1000.0)
    pq.write_table(pa.table({"a": column}), path, write_page_checksum=True, compression="none", use_dictionary=False)
    content = bytearray(path.read_bytes())
    content[content.index(column[500].tobytes())] ^= 1
    path.write_bytes(content)
    with pytest.raises(ReadingError, match=r"a\.parquet is not a complete Parquet file"):
        read(path)
    with pytest.raises(ValueError, match=r"a\.parquet cannot be read to its end .*checksum"):
        aprendiz.StandardScaler().fit(aprendiz.rows(path))


# ---- encodings that are mixed --------------------------------------------------------------------------------------------


def test_mixed_encodings_are_noted(tmp_path):
    """Lines of two programs in one file: it is read, and the note names a line of each."""
    path = tmp_path / "mixed.csv"
    path.write_bytes("name,n\nana,1\nbegoña,2\n".encode() + "íñigo,3\n".encode("cp1252"))
    table = read(path)
    assert table.rows == 3
    assert table.mixed == (3, 4)
    assert "line 3 holds letters in UTF-8, line 4 does not; all was read as CP1252" in table.card()
    assert read(path, like=table.dialect).mixed == (3, 4)
    path.write_bytes(b"name,n\n" + "begoña;".encode() + "íñigo,3\n".encode("cp1252"))
    assert read(path).mixed == (2, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1", "utf-16"])
def test_one_encoding_is_not_noted(tmp_path, encoding):
    path = tmp_path / "one.csv"
    path.write_bytes("name,n\n«CAFÉ»,1\nbegoña – nº 5 · 3°,2\nÍÑIGO ÇÃO,3\n".replace("–", "-").encode(encoding))
    table = read(path)
    assert table.mixed is None
    assert table.frame["name"].iloc[1] == "begoña - nº 5 · 3°"
