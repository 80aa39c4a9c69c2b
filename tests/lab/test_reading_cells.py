"""The rules for single cells: in Python, in SQL, and that both say the same."""

from datetime import datetime

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.lab.cells import CellFormat
from aprendiz.lab.formulas import neutral

WRITTEN = [
    CellFormat(),
    CellFormat(decimal=","),
    CellFormat(decimal=",", thousands="."),
    CellFormat(thousands=","),
    CellFormat(thousands="'", day_first=False),
]
TRICKY = [
    *(
        "0",
        "-0.3",
        "0.5",
        "5.",
        ".5",
        "+5",
        "1e5",
        "1E-3",
        "1e400",
        "007",
        "-007",
        "00",
        "0,5",
        "1_000",
        "0x1F",
        "nan",
        "inf",
        " 12 ",
    ),
    *("1,5", "1.234,5", "1,234.5", "1.234", "1,234", "12.34.56", "1.2345", "1'234", "--5", "1e", "e5", ".", "-", "+", "５"),
    *("9007199254740992", "9007199254740993", "-9007199254740993", "12345678901234567890", "12345678901234567890.0", "1e20"),
    *("true", "FALSE", "True ", "t", "yes", "2020-02-29", "2021-02-29", "2020-1-1", "2020/01/31", "2020-01-31T10:20"),
    *("2020-01-31 10:20:30.5", "2020-01-31T24:00", "2020-01-31Z", "2020-01-31 10:00+00:00", "2020-01-31 10:00+02:00"),
    *("31/1/2020", "1/31/2020", "31.01.2020", "31-01-2020 9:05", "31/13/2020", "0020-01-01", "epoch", "infinity", "12:00"),
    *("20200101", "a", "", " ", "\t5", "é", "=1+2"),
]


def by_sql(rules, kind, cells):
    """The values of cells as DuckDB judges them."""
    table = pa.table({"i": range(len(cells)), "c": pa.array(cells, pa.string())})
    with duckdb.connect() as connection:
        connection.register("cells", table)
        return [value for (value,) in connection.execute(f"SELECT {rules.sql(kind, 'c')} FROM cells ORDER BY i").fetchall()]


def by_python(rules, kind, cells):
    return [None if rules.is_missing(cell) else rules.judge(kind)(cell) for cell in cells]


@pytest.mark.parametrize("rules", WRITTEN, ids=lambda rules: f"{rules.decimal}{rules.thousands}")
@pytest.mark.parametrize("kind", ["number", "boolean", "date", "text"])
def test_python_and_sql_agree_on_tricky_cells(rules, kind):
    assert by_sql(rules, kind, TRICKY) == by_python(rules, kind, TRICKY)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text("0019.,'-+eE /:TZ_\t", max_size=12), min_size=200, max_size=300))
def test_python_and_sql_agree_on_random_cells(cells):
    for rules in (WRITTEN[0], WRITTEN[2]):
        for kind in ("number", "date", "text"):
            assert by_sql(rules, kind, cells) == by_python(rules, kind, cells)


@settings(max_examples=50, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_as_python_writes_them(value):
    """Every finite double that is written with a decimal point or an exponent is read back."""
    assert CellFormat().number(repr(value)) == value


@pytest.mark.parametrize(
    ("cell", "value"), [("0", 0), ("0.5", 0.5), ("-0.3", -0.3), ("1e3", 1000), (" 7 ", 7), ("9007199254740991", 2**53 - 1)]
)
def test_numbers(cell, value):
    assert CellFormat().number(cell) == value


@pytest.mark.parametrize("cell", ["007", "-01", "00", "1_000", "inf", "nan", "1e400", "9007199254740993", "1,5", "0x10", ""])
def test_not_numbers(cell):
    """Codes with leading zeros, what Python alone takes for numbers, and whole numbers that a double would change."""
    assert CellFormat().number(cell) is None


def test_order_of_days():
    assert CellFormat().date("3/4/2024") == datetime(2024, 4, 3)
    assert CellFormat(day_first=False).date("3/4/2024") == datetime(2024, 3, 4)
    assert CellFormat().date("2024-04-03 10:20:30.25") == datetime(2024, 4, 3, 10, 20, 30, 250_000)


@pytest.mark.parametrize("cell", ["=1+2", "+cmd", "-x", "@SUM(A1)", "\t=1", "\rx", "\nx", "＝1+2", "＋cmd", "－x", "＠SUM(A1)"])
def test_formulas_are_neutralised(cell):
    assert neutral(cell) == "'" + cell


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("a\n=1+2", "a\n'=1+2"),
        ("a\r\n＝1+2\nb", "a\r\n'＝1+2\nb"),
        ("\n=1+2", "'\n'=1+2"),
        ("=1\n@x", "'=1\n'@x"),
        ("a\n-5\n-", "a\n-5\n-"),
    ],
)
def test_formulas_in_later_lines(cell, shown):
    """A program that begins a row at each line end runs none of them."""
    assert neutral(cell) == shown


@pytest.mark.parametrize("cell", ["-1.5", "+3", "-1,5", "plain", "", "a=b", -2.5, None, 7])
def test_numbers_and_plain_text_are_not(cell):
    assert neutral(cell) is cell
