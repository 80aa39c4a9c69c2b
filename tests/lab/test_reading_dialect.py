"""What the sniffer finds out about a file, and how options overrule it."""

import csv
import io
import json
from dataclasses import asdict
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aprendiz.lab import Dialect, read
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.sniffing import sniff


@pytest.fixture
def file(tmp_path):
    """A function that writes a file and gives its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def found(path, *fields):
    asked = Questions({})
    sniff(path, asked)
    return tuple(getattr(asked.dialect, field) for field in fields)


ROWS = [["Ana", "1.5", "12"], ["Begoña", "-0.25", "7"], ["Íñigo", "300", "8"], ["Zoë", "4.75", "9"]]


@pytest.mark.parametrize(
    ("separator", "decimal", "encoding", "end", "header"),
    [
        *product([",", ";", "\t", "|"], [".", ","], ["utf-8"], ["\n"], [True, False]),
        *product([";"], [","], ["utf-8-sig", "utf-16", "cp1252"], ["\n", "\r\n"], [True, False]),
    ],
)
def test_every_way_to_write_a_table(file, separator, decimal, encoding, end, header):
    """Separator × decimal sign × encoding × line ends × header: the same table comes back."""
    rows = [["name", "length", "count"]] * header + [[c.replace(".", decimal) for c in row] for row in ROWS]
    target = io.StringIO()
    csv.writer(target, delimiter=separator, lineterminator=end).writerows(rows)
    table = read(file(target.getvalue().encode(encoding)))
    assert table.dialect.separator == separator
    assert table.dialect.header is header
    assert table.dialect.decimal == decimal
    assert table.dialect.encoding == {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    assert list(table.frame) == (["name", "length", "count"] if header else ["x1", "x2", "x3"])
    assert [list(map(str, row)) for row in table.frame.to_numpy()] == [[n, str(float(a)), str(float(b))] for n, a, b in ROWS]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1), st.integers(-999, 999)),
        min_size=3,
        max_size=8,
    ),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_any_text_survives(tmp_path, rows, separator):
    """Control characters, quotes, separators, line ends, any alphabet: cells come back as Python's writer got them."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows([["words", "number"], *rows])
    path = tmp_path / "any.csv"
    path.write_bytes(target.getvalue().encode())
    table = read(path, missing=[], separator=separator, header=True, skip=0, comment="", types={"words": "text"}, quote='"')
    assert table.frame["words"].tolist() == [words for words, _number in rows]
    assert table.frame["number"].tolist() == [number for _words, number in rows]


@pytest.mark.parametrize(
    ("content", "separator"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("name\tn\nSmith, John\t1\nDoe, Ann\t2\n", "\t"),
        ('a,b\n"x;y;z",1\n"u;v;w",2\n', ","),
        ("a b c\n1 2 3\n4 5 6\n", " "),
        ("a, b\n1, x\n2, y\n", ", "),
        ("sep=|\na|b\n1|2\n", "|"),
        ("city\nNew York\nLos Angeles\n", ""),
        ("text\nHello, world\nfoo\nbar, baz, qux\nzip\n", ""),
        ("when\n2020-01-01 10:00\n2020-01-02 11:00\n", ""),
    ],
)
def test_separators(file, content, separator):
    assert found(file(content), "separator") == (separator,)


@pytest.mark.parametrize(
    ("content", "decimal", "thousands"),
    [
        ("a;b\n1,5;x\n2;y\n", ",", ""),
        ("a;b\n1.234,5;x\n2.000;y\n", ",", "."),
        ('a,b\n"1,234",x\n"2,000.5",y\n', ".", ","),
        ('a,b\n"1,5",x\n"2,25",y\n', ",", ""),
        ("a;b\n1 234,5;x\n12 000;y\n", ",", " "),
        ("a;b\n1'234.5;x\n12'000;y\n", ".", "'"),
        ("a;b\nx;y\nz;w\n", ".", ""),
    ],
)
def test_signs_of_numbers(file, content, decimal, thousands):
    assert found(file(content), "decimal", "thousands") == (decimal, thousands)


@pytest.mark.parametrize(
    ("content", "header", "skip"),
    [
        ("a,b\n1,2\n3,4\n", True, 0),
        ("1,2\n3,4\n", False, 0),
        ("y,n\nn,y\ny,y\n", False, 0),  # words that come again
        ("name,city\nAnn,Paris\nBob,Rome\n", True, 0),
        ("country,1990,1991\nES,1,2\nFR,3,4\n", True, 0),  # years above numbers
        ("Report of May\n\na,b\n1,2\n3,4\n", True, 2),
        ("Report,,\n,,\na,b,c\n1,2,3\n4,5,6\n", True, 2),
        ('12" disks "x"\na,b\n1,2\n3,4\n', True, 1),  # quotes before the header
        ("# made by a program\na,b\n1,2\n", True, 1),
        ("x\n1\n2\n", True, 0),
        ("1\n2\n3\n", False, 0),
    ],
)
def test_header_and_preamble(file, content, header, skip):
    path = file(content)
    assert found(path, "header", "skip") == (header, skip)
    lines = [line for line in content.splitlines()[skip:] if line]
    assert read(path).rows == len(lines) - header


def test_comments_among_rows(file):
    """Lines of comment are left out, and # inside a cell is not a comment."""
    table = read(file("a,b\n1,x#y\n# a remark\n2,z\n"))
    assert table.dialect.comment == "#"
    assert table.frame.to_numpy().tolist() == [[1, "x#y"], [2, "z"]]


def test_header_that_looks_like_a_comment(file):
    assert list(read(file("#OTU\tS1\tS2\nx\t1\t2\ny\t3\t4\n")).frame) == ["#OTU", "S1", "S2"]


def test_names_of_rows_without_a_name(file):
    """Some programs leave out the name of the first column, others end every line with a separator."""
    assert list(read(file('"x","y"\n"a",1,2\n"b",3,4\n')).frame) == ["column_1", "x", "y"]
    assert list(read(file("x,y\n1,2,\n3,4,\n")).frame) == ["x", "y", "column_3"]
    assert list(read(file("x,y,\n1,2\n3,4\n")).frame) == ["x", "y"]


def test_quotes(file):
    assert read(file("a,b\n'x, y',1\n'z',2\n")).frame["a"].tolist() == ["x, y", "z"]
    slashes = read(file('a,b\n1,"say \\"hi\\" now"\n2,"z"\n'))
    assert slashes.dialect.escape == "\\"
    assert slashes.frame["b"].tolist() == ['say "hi" now', "z"]


def test_mixed_line_ends(file):
    assert read(file("a,b\r\n1,2\n3,4\r\n5,6\r7,8\n")).frame.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]


def test_encoding_that_shows_late(file):
    """The byte that tells may stand anywhere in the file."""
    content = b"name;n\n" + b"abc;1\n" * 60_000 + "José;2\n".encode("cp1252")
    table = read(file(content))
    assert table.dialect.encoding == "cp1252"
    assert table.frame["name"].iloc[-1] == "José"
    assert read(file(b"name;n\n\x81\xff;1\nx;2\n")).dialect.encoding == "latin-1"  # 81 is nothing in cp1252


def test_marks_among_numbers_are_missing_cells(file):
    """ "-" is missing among numbers, and a level among words."""
    table = read(file("a,b\n1,+\n-,+\n3,+\n" + "4,x\n" * 20))
    assert table.frame["a"].isna().sum() == 1
    table = read(file("a,b\n1,+\n2,-\n3,+\n"))
    assert table.frame["b"].tolist() == ["+", "-", "+"]


def test_order_of_days_and_months(file):
    assert found(file("d,e\n31/01/2020,1\n01/02/2020,2\n"), "day_first") == (True,)
    assert found(file("d,e\n1/31/2020,1\n2/28/2020,2\n"), "day_first") == (False,)


def test_options_overrule_what_would_be_found(file):
    path = file("a;b\n1;2\n3;4\n")
    assert list(read(path, separator=",").frame) == ["a;b"]
    assert read(path, header=False).rows == 3
    assert read(path, skip=1, header=False).rows == 2
    assert read(path, missing=["3"]).frame["a"].isna().tolist() == [False, True]
    assert read(path, types={"a": "text"}).frame["a"].tolist() == ["1", "3"]
    assert read(path, separator=";").reasons["separator"] == "as requested"


def test_every_value_has_a_reason(file):
    reasons = read(file("a,b\n1,2\n")).reasons
    assert set(reasons) == set(asdict(Dialect())) - {"types", "words", "units", "lists", "sheet"}
    assert all(reasons.values())


def test_a_dialect_is_plain_values(file):
    """It goes into JSON and comes back the same."""
    dialect = read(file("zip;price\n007;1,5\n010;2,5\n")).dialect
    assert Dialect(**json.loads(json.dumps(asdict(dialect)))) == dialect


def test_later_files_are_read_the_same_way(file):
    """Signs, types and tokens are those of the first file, even where the second alone would tell otherwise."""
    first = read(file("zip;price;day;gap\n007;1,5;3/4/2020;x\n010;2,5;13/4/2020;-\n"), missing=["", "-"])
    later = read(file("price;zip;day;gap\n1,234;108;3/4/2020;-\n", "later.csv"), like=first.dialect)
    assert later.frame["price"].tolist() == [1.234]
    assert later.frame["zip"].tolist() == ["108"]
    assert later.frame["day"].iloc[0].month == 4
    assert later.frame["gap"].isna().all()
    with pytest.raises(ValueError, match=r"later.csv, line 2: column 'price' holds 'cheap', expected: number"):
        read(file("zip;price;day;gap\n1;cheap;3/4/2020;x\n", "later.csv"), like=first.dialect)


def test_later_files_may_have_another_encoding(file):
    first = read(file("a;b\nñ;1\nx;2\n".encode("cp1252")))
    assert read(file("a;b\nñ;1\n".encode(), "later.csv"), like=first.dialect).frame["a"].tolist() == ["ñ"]
    assert read(file("a;b\nñ;1\n".encode("cp1252"), "later.csv"), like=first.dialect).frame["a"].tolist() == ["ñ"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seperator": ","}, "There is no option 'seperator'; the options are kind, encoding, separator"),
        ({"encoding": "klingon"}, "encoding='klingon' is not valid"),
        ({"separator": "ab"}, "separator='ab' is not valid: give a single character"),
        ({"separator": '"'}, "a character that has no other meaning"),
        ({"decimal": "x"}, "decimal='x' is not valid: give '.', ','"),
        ({"decimal": ",", "thousands": ","}, "a character other than the decimal separator"),
        ({"skip": -1}, "skip=-1 is not valid"),
        ({"quote": "''"}, "a single character, or nothing"),
        ({"missing": "NA"}, "missing='NA': give a list of strings"),
        ({"types": {"a": "integer"}}, r"types\['a'\]='integer' is not valid: give 'number', 'boolean', 'date', 'text'"),
        ({"types": {"z": "text"}}, "no column 'z'; it has 'a', 'b'"),
        ({"kind": "xlsx"}, "kind='xlsx' is not valid"),
    ],
)
def test_options_that_cannot_be(file, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        read(file("a,b\n1,2\n3,4\n"), **options)
