"""ARFF: declarations, quotes, dates, sparse rows, and what is wrong with a line."""

import gzip

import numpy as np
import pandas as pd
import pytest

from aprendiz.lab import read

WEATHER = """% a comment
@relation weather

@ATTRIBUTE outlook {sunny, 'very overcast', rainy}
@attribute "wind speed" real
@attribute note string
@attribute day date "dd/MM/yyyy"
@attribute 'it\\'s fine' { yes,no }
@data
sunny, 12.5, 'a, b', 01/05/2024, yes
'very overcast', ?, "say \\"hi\\"", ?, no
% another comment

rainy, 007, ?, 03/05/2024, no
{1 3, 2 x, 4 no}
{}
"""


@pytest.fixture
def arff(tmp_path):
    def write(content):
        path = tmp_path / "table.arff"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read(path)

    return write


def test_whole_numbers_that_a_double_would_change(arff):
    """Numbers of 19 digits in a column of numbers are refused with their line; as strings they stay what they are."""
    text = "@relation r\n@attribute id {}\n@data\n1234567890123456789\n1234567890123456788\n"
    with pytest.raises(ValueError, match=r"line 4: '1234567890123456789': .* would be rounded; declare column 'id' as string"):
        arff(text.format("numeric"))
    assert arff(text.format("string")).frame["id"].tolist() == ["1234567890123456789", "1234567890123456788"]


def test_weather(arff):
    """Every kind of column and row; a sparse row means 0, or the first level, where it says nothing."""
    table = arff(WEATHER)
    frame = table.frame
    assert list(frame) == ["outlook", "wind speed", "note", "day", "it's fine"]
    assert frame["outlook"].tolist() == ["sunny", "very overcast", "rainy", "sunny", "sunny"]
    np.testing.assert_array_equal(frame["wind speed"], [12.5, np.nan, 7, 3, 0])
    assert [None if pd.isna(cell) else cell for cell in frame["note"]] == ["a, b", 'say "hi"', None, "x", None]
    assert frame["day"].tolist()[0] == pd.Timestamp(2024, 5, 1)
    assert frame["it's fine"].tolist() == ["yes", "no", "no", "no", "yes"]


def test_levels_keep_their_declared_order(arff):
    table = arff(WEATHER)
    assert table.columns["outlook"].levels == ("sunny", "very overcast", "rainy")
    assert (table.columns["outlook"].kind, table.columns["it's fine"].kind) == ("categorical", "binary")
    assert table.columns["it's fine"].levels == ("yes", "no")


def test_gzip_and_other_encodings(arff):
    content = "@relation r\n@attribute a {ñ,o}\n@data\nñ\no\n"
    assert arff(gzip.compress(content.encode())).frame["a"].tolist() == ["ñ", "o"]
    assert arff(content.encode("cp1252")).frame["a"].tolist() == ["ñ", "o"]


HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "@data\n1,x\n2\n", "line 6: '2': cells found: 1, expected: 2"),
        (HEAD + "@data\none,x\n", "line 5: 'one': column 'a', expected: number"),
        (HEAD + "@data\nnan,x\n", "line 5: 'nan': column 'a', expected: number"),
        (HEAD + "@data\n1,z\n", "line 5: 'z': it is not among the levels of column 'b'"),
        (HEAD + "@data\n1,'x\n", "quotes do not match"),
        (HEAD + "@data\n{2 x}\n", "there is no column 2; they are counted from 0"),
        (HEAD + "@data\n{0 1, x}\n", "write pairs of column number and value"),
        (HEAD + "1,x\n", "line 4: '1,x': @attribute or @data is expected here"),
        (HEAD, "has no line @data"),
        (HEAD + "@data\n", "declares columns but holds no rows"),
        ("@relation r\n@data\n1\n", "declares no columns"),
        ("@relation r\n@attribute a numeric\n@attribute a real\n@data\n1,2\n", "line 3: 'a': the name appears twice"),
        ("@relation r\n@attribute a relational\n@data\n1\n", "the type must be numeric"),
        ("@relation r\n@attribute a\n@data\n1\n", "write @attribute, a name and a type"),
        ("@relation r\n@attribute a {}\n@data\n1\n", "give the levels, separated by commas"),
        ("@relation r\n@attribute d date yyyy-MM-dd\n@data\n2020-13-01\n", "column 'd', expected: date"),
    ],
)
def test_what_is_wrong(arff, content, message):
    with pytest.raises(ValueError, match=f"table.arff.*{message}"):
        arff(content)
