"""Files that cannot be read: a sentence that names the culprit and the remedy."""

import gzip
import os

import pytest

from aprendiz.lab import ReadingError, read

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
    (bytes(range(256)) * 20, "is not text: give a CSV, ARFF or Parquet file"),
    (b"PK\x03\x04" + bytes(100), "is a workbook or a ZIP archive, not a table: save the sheet as CSV"),
    (b"\x89PNG\r\n\x1a\n" + bytes(100), "is a picture"),
    ("<!DOCTYPE html><html></html>", "is a web page, not a table: download the table itself"),
    (b"%PDF-1.7 ...", "is a PDF document"),
    ('[{"a": 1}, {"a": 2}]', "is a JSON document, not a table: export a table from it as CSV"),
    (gzip.compress(b"a,b\n1,2\n" * 50)[:-9], "is a damaged gzip file"),
    (gzip.compress(b"PAR1" + bytes(40)), "is a Parquet file compressed with gzip: decompress it first"),
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
    with pytest.raises(ReadingError, match="is a folder: give a file inside it"):
        read(tmp_path)
    with pytest.raises(ReadingError, match="is a URL: download the file"):
        read("https://example.org/table.csv")
    with pytest.raises(ReadingError, match="is not a plain file"):
        read(os.devnull)


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
