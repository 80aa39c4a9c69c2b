"""Where tables come from: packed files, archives, several files as one table."""

import bz2
import gzip
import lzma
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aprendiz.lab import Dialect, ReadingError, read
from aprendiz.lab.pages.folder import folder_name

TEXT = "n,word,day\n" + "".join(f"{i / 7!r},{'ab'[i % 2]},2024-05-{i % 28 + 1:02}\n" for i in range(300))


def zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "Zstandard": zstd}


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    return path


def zipped(path, **files):
    """A ZIP archive; __ stands for a slash, and _ before the ending for a point."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


# ---- packed ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_files_are_the_plain_ones(tmp_path, plain, packing):
    """Known by their bytes, whatever their name; the same frame and dialect; any kind may be packed, twice too."""
    path = tmp_path / "t.txt"
    path.write_bytes(PACKERS[packing](TEXT.encode()))
    pd.testing.assert_frame_equal(read(path).frame, read(plain).frame)
    assert read(path).dialect == read(plain).dialect
    pq.write_table(pa.table({"a": [1.5, 2.5]}), tmp_path / "a.parquet")
    path.write_bytes(gzip.compress(PACKERS[packing]((tmp_path / "a.parquet").read_bytes())))
    assert read(path).frame["a"].tolist() == [1.5, 2.5]


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_files_that_are_damaged_or_too_large(tmp_path, packing):
    """What is cut off is named as damaged; what unfolds beyond the limit is refused before it is all there."""
    path = tmp_path / "t.csv"
    content = PACKERS[packing](TEXT.encode())
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ReadingError, match=rf"t\.csv is a damaged {packing} file: create it again"):
        read(path)
    path.write_bytes(PACKERS[packing](b"a,b\n" + b"1,2\n" * 100_000))
    with pytest.raises(ReadingError, match=r"t\.csv has [\d.e-]+ MB but becomes a table of at least .* max_bytes="):
        read(path, max_bytes=1e5)
    assert read(path, max_bytes=1e6).rows == 100_000


def test_a_file_packed_in_itself(tmp_path):
    content = TEXT.encode()
    for _ in range(9):
        content = gzip.compress(content)
    (tmp_path / "t.gz").write_bytes(content)
    with pytest.raises(ReadingError, match="packed many times in itself"):
        read(tmp_path / "t.gz")


# ---- archives --------------------------------------------------------------------------------------------------------------


def test_the_table_of_an_archive(tmp_path, plain):
    """The only file; the only one that is called as a table, beside others; what a system adds is not counted."""
    expected = read(plain).frame
    path = zipped(tmp_path / "one.zip", visits=TEXT)
    pd.testing.assert_frame_equal(read(path).frame, expected)
    path = zipped(tmp_path / "some.zip", data__t_csv=TEXT, README_md="x", MACOSX_t_csv="y")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/data/._t.csv", "z")
    with pytest.raises(
        ReadingError, match=r"is a ZIP archive of 3 files: MACOSX\.t\.csv, data/t\.csv\. Give one of them, such as"
    ):
        read(path)
    path = zipped(tmp_path / "more.zip", data__t_csv_gz=gzip.compress(TEXT.encode()), README_md="x")
    table = read(path)
    pd.testing.assert_frame_equal(table.frame, expected)
    assert (table.name, table.path) == ("t.csv.gz", f"{path}/data/t.csv.gz")
    pd.testing.assert_frame_equal(read(table.path).frame, expected)


def test_a_file_of_an_archive(tmp_path, plain):
    """Its path goes on inside; a pattern means several; each has its own fingerprint."""
    path = zipped(tmp_path / "v.zip", jan_csv=TEXT, feb_csv=TEXT, other_csv="a\n1\n2\n")
    pd.testing.assert_frame_equal(read(path / "jan.csv").frame, read(plain).frame)
    both = read(f"{path}/?[ae][nb].csv")
    assert (both.rows, both.name) == (600, "feb.csv and 1 more")
    prints = {read(path / "jan.csv").fingerprint, read(path / "feb.csv").fingerprint, both.fingerprint}
    assert len(prints) == 3
    with pytest.raises(ReadingError, match=r"v\.zip contains no jam\.csv\. Did you mean jan\.csv\?"):
        read(path / "jam.csv")
    with pytest.raises(ReadingError, match=r"contains no zzzzz\. It contains feb\.csv, jan\.csv, other\.csv"):
        read(path / "zzzzz")


def test_archives_that_cannot_be_read(tmp_path):
    """Empty, damaged, with a password, too large, of another kind."""
    with pytest.raises(ReadingError, match=r"a\.zip is a ZIP archive without files"):
        read(zipped(tmp_path / "a.zip"))
    path = zipped(tmp_path / "b.zip", t_csv=TEXT)
    content = bytearray(path.read_bytes())
    path.write_bytes(content[:-30])
    with pytest.raises(ReadingError, match=r"b\.zip is a damaged ZIP archive: create it again"):
        read(path)
    content[60:90] = bytes(30)
    path.write_bytes(content)
    with pytest.raises(ReadingError, match=r"b\.zip is a damaged ZIP archive, or packed in an unusual way: extract t\.csv"):
        read(path)
    locked = zipped(tmp_path / "c.zip", t_csv=TEXT)
    content = bytearray(locked.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    locked.write_bytes(content)
    with pytest.raises(ReadingError, match=r"c\.zip is protected by a password: extract t\.csv"):
        read(locked)
    with pytest.raises(ReadingError, match=r"d\.zip has .* max_bytes="):
        read(zipped(tmp_path / "d.zip", t_csv="a,b\n" + "1,2\n" * 100_000), max_bytes=1e5)
    with pytest.raises(ReadingError, match=r"e\.docx is a Word document, not a table"):
        read(zipped(tmp_path / "e.docx", word__document_xml="<x/>"))


# ---- several files -------------------------------------------------------------------------------------------------------


@pytest.fixture
def months(tmp_path):
    """Three files of the same columns: in one the columns stand in another order, in one the encoding is another."""
    folder = tmp_path / "visits"
    folder.mkdir()
    (folder / "1.csv").write_text("n,city,ok,gap\n1,Ávila,true,\n2,Jaén,false,\n", encoding="utf-8")
    (folder / "2.csv").write_bytes("city,n,gap,ok\nCádiz,3.5,7,true\nÁvila,4,8,\n".encode("cp1252"))
    (folder / "3.csv").write_text("n,city,ok,gap\n5,León,true,9\n", encoding="utf-8")
    (folder / ".hidden").write_text("x")
    (folder / "_SUCCESS").write_text("")
    return folder


@pytest.mark.parametrize("way", ["list", "folder", "pattern"])
def test_several_files_are_one_table(months, tmp_path, way):
    """As the file that somebody would make of them by hand."""
    path = {"list": [*months.glob("[1-3].csv")], "folder": months, "pattern": str(months / "*.csv")}[way]
    path = sorted(path) if way == "list" else path
    whole = tmp_path / "whole.csv"
    whole.write_text(
        "n,city,ok,gap\n1,Ávila,true,\n2,Jaén,false,\n3.5,Cádiz,true,7\n4,Ávila,,8\n5,León,true,9\n", encoding="utf-8"
    )
    table = read(path)
    pd.testing.assert_frame_equal(table.frame, read(whole).frame)
    assert table.paths == tuple(str(months / f"{number}.csv") for number in (1, 2, 3))
    assert table.name == "1.csv and 2 more"
    assert "1.csv, 2.csv, 3.csv" in table.card()
    assert table.size == sum((months / f"{number}.csv").stat().st_size for number in (1, 2, 3))
    assert table.fingerprint != read([months / "1.csv", months / "3.csv"]).fingerprint


def test_the_order_of_a_list_is_kept(months):
    assert read([months / "3.csv", months / "1.csv"]).frame["n"].tolist() == [5, 1, 2]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("n,city,ok\n1,a,true\n", r"b\.csv has no column 'gap', which a\.csv has"),
        ("n,city,ok,gap,new\n1,a,true,1,2\n", r"a\.csv has no column 'new', which b\.csv has"),
        ("n,city,ok,gap\nx,a,true,1\n", r"'n' is number in a\.csv and text in b\.csv.*--type n=text"),
        ("n,city,ok,gap\n1,a,2024-01-01,1\n", r"'ok' is boolean in a\.csv and date in b\.csv"),
        ("n,city,ok,gap\n1 kg,a,true,1\n2 kg,a,true,1\n3 kg,a,true,1\n", r"'n' has the unit none in a\.csv and kg in b\.csv"),
    ],
)
def test_files_that_are_not_alike(tmp_path, other, message):
    (tmp_path / "a.csv").write_text("n,city,ok,gap\n1,a,true,1\n2,b,false,2\n")
    (tmp_path / "b.csv").write_text(other)
    with pytest.raises(ReadingError, match=message):
        read([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_a_type_that_is_given_goes_for_all_files(tmp_path):
    (tmp_path / "a.csv").write_text("n,m\n1,1\n2,2\n")
    (tmp_path / "b.csv").write_text("n,m\n3,3\nx,4\n")
    table = read(str(tmp_path / "*.csv"), types={"n": "text"})
    assert table.frame["n"].tolist() == ["1", "2", "3", "x"]
    with pytest.raises(ReadingError, match=r"b\.csv, line 3: column 'n' holds 'x', expected: number"):
        read(str(tmp_path / "*.csv"), types={"n": "number"})


def test_words_among_the_numbers_of_several_files(tmp_path):
    """They are missing cells in each, are told once, and a later file may have any of them."""
    for name, word in (("a", "lost"), ("b", "broken")):
        (tmp_path / f"{name}.csv").write_text("n,m\n" + "".join(f"{i},{i}\n" for i in range(1, 100)) + f"{word},1\n")
    table = read(str(tmp_path / "?.csv"), also_missing=["1"])
    assert table.frame["n"].isna().sum() == 4
    assert [note for note in table.notes if "'n'" in note] == [
        "column 'n' holds numbers; 2 cells with words were read as missing: 'broken', 'lost'"
    ]
    (tmp_path / "c.csv").write_text("n,m\nlost,2\nbroken,3\n4,4\n")
    assert read(tmp_path / "c.csv", like=table.dialect).frame["n"].isna().tolist() == [True, True, False]


def test_several_parquet_files(tmp_path):
    """Declared levels keep their order where it is the same."""
    levels = pa.DictionaryArray.from_arrays(pa.array([0, 2, 1]), pa.array(["low", "mid", "high"]), ordered=True)
    for name in "ab":
        pq.write_table(pa.table({"n": [1.0, 2.0, 3.0], "level": levels}), tmp_path / f"{name}.parquet")
    frame = read(tmp_path).frame
    assert frame["level"].tolist() == ["low", "high", "mid"] * 2
    assert list(frame["level"].cat.categories) == ["low", "mid", "high"]
    assert frame["level"].cat.ordered
    assert np.array_equal(frame["n"], [1, 2, 3] * 2)


def test_paths_that_mean_nothing(tmp_path):
    with pytest.raises(ReadingError, match="contains no files"):
        read(tmp_path)
    with pytest.raises(ReadingError, match=r"No file is called .*\*\.csv: check the path"):
        read(str(tmp_path / "*.csv"))
    with pytest.raises(ReadingError, match="There is no file to read"):
        read([])
    (tmp_path / "a[1].csv").write_text("a\n1\n")
    assert read(str(tmp_path / "a[1].csv")).rows == 1
    with pytest.raises(ReadingError, match="is given twice"):
        read([tmp_path / "a[1].csv", tmp_path / "a[1].csv"])


def test_names_of_folders():
    names = {"a/visits.csv.gz": "visits", "visits/": "visits", "in/visits/*.csv": "visits", "*.csv": "table", "v*.csv": "v"}
    assert {path: folder_name(path, "r") for path in names} == {path: f"{name}-r" for path, name in names.items()}


def test_a_dialect_of_several_files_reads_one(months):
    table = read(months)
    one = read(months / "2.csv", like=replace(table.dialect, encoding="utf-8"))
    assert isinstance(table.dialect, Dialect)
    assert one.frame["n"].tolist() == [3.5, 4]
