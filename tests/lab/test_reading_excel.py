"""Workbooks: which sheet, where its table is, what its cells are; damaged and hostile files."""

import datetime as dt
import zipfile

import openpyxl
import pandas as pd
import pytest

from aprendiz.lab import ReadingError, read
from aprendiz.lab.formats.sheet_layout import TOTAL, beginning, joined_names, last_row
from aprendiz.lab.formats.workbook_xml import number_of, sheet_text
from aprendiz.locale import language

WARD = [
    ["patient", "age", "sex", "seen", "free"],
    *([f"P{i}", 40.5 + i, "fm"[i % 2], dt.datetime(2024, 5, i + 1), i % 3 == 0] for i in range(1, 13)),
]


@pytest.fixture
def book(tmp_path):
    """A function that writes sheets of rows; `change` may do more to the workbook."""

    def write(change=lambda book: None, name="t.xlsx", **sheets):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets.items():
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        change(made)
        made.save(tmp_path / name)
        return tmp_path / name

    return write


def as_csv(path, rows):
    pd.DataFrame(rows[1:], columns=rows[0]).to_csv(path, index=False)
    return path


def test_a_sheet_is_the_csv_file_of_its_cells(book, tmp_path):
    """Types, levels and facts: only the notes on how cells are stored differ."""
    table = read(book(Ward=WARD))
    expected = read(as_csv(tmp_path / "t.csv", WARD))
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert (table.facts, table.dialect.types) == (expected.facts, expected.dialect.types)
    assert table.reasons["sheet"] == "the only one with cells"
    pd.testing.assert_frame_equal(
        read(book(Ward=WARD[:5]), like=table.dialect).frame, table.frame[:4].copy(), check_categorical=False
    )


@pytest.mark.parametrize("late", ["unknown", "12A"])
def test_cells_are_judged_as_those_of_a_csv_file(book, tmp_path, late):
    rows = [["n", "m"], *([float(i), i] for i in range(1, 100)), [late, 1]]
    one, other = read(book(S=rows)), read(as_csv(tmp_path / "t.csv", rows))
    assert one.frame["n"].astype(str).tolist() == other.frame["n"].astype(str).tolist() or late == "12A"
    assert one.facts[0].kind == other.facts[0].kind
    with pytest.raises(ReadingError, match=rf"t\.xlsx, line 101: column 'n' holds '{late}', expected: number"):
        read(book(S=rows), types={"n": "number"})


# ---- which sheet -----------------------------------------------------------------------------------------------------------


def hide(name):
    def change(made):
        made[name].sheet_state = "hidden"

    return change


def test_the_largest_sheet_is_read_and_the_others_are_named(book):
    path = book(hide("Codes"), Notes=[["read me"]], Ward=WARD, Codes=[*WARD, *WARD], Empty=[])
    table = read(path)
    assert (table.rows, table.dialect.sheet) == (12, "Ward")
    assert table.reasons["sheet"] == "the largest; besides: Notes, Codes (hidden)"
    assert "sheet" in table.card()
    assert read(path, sheet="Codes").rows == 25
    assert read(path, sheet=2).fingerprint == table.fingerprint
    assert read(path, sheet="Codes").fingerprint != table.fingerprint
    assert read(path, sheet="2", header=True).dialect.sheet == "Ward"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sheet": "Wrad"}, r"t\.xlsx has no sheet 'Wrad'\. Did you mean 'Ward'\?"),
        ({"sheet": "zzz"}, r"has no sheet 'zzz'\. Its sheets are 'Ward', 'Empty'"),
        ({"sheet": 7}, "has no sheet '7'"),
        ({"sheet": "Empty"}, "the sheet 'Empty' is empty"),
        ({"skip": 99}, "the sheet 'Ward' is empty, or empty after the lines that are skipped"),
        ({"skip": 12}, "the sheet 'Ward' contains column names but no rows|x"),
        ({"separator": ";"}, "separator=…: Excel files have no such option"),
        ({"encoding": "utf-8"}, "encoding=…: Excel files have no such option"),
    ],
)
def test_sheets_and_options_that_there_are_not(book, options, message):
    path = book(Ward=WARD, Empty=[])
    if options == {"skip": 12}:
        options = {"skip": 12, "header": True}
    with pytest.raises(ValueError, match=message):
        read(path, **options)


def test_workbooks_without_a_table(book):
    with pytest.raises(ReadingError, match=r"t\.xlsx is empty: there is nothing to read"):
        read(book(A=[], B=[]))
    with pytest.raises(ReadingError, match=r"cells in hidden sheets only: give one of them \(sheet=…\): 'B'"):
        read(book(hide("B"), A=[], B=WARD))


# ---- where the table is ----------------------------------------------------------------------------------------------------


def test_lines_above_and_below_the_table(book):
    """A title, a date, a blank line; a blank row inside; totals and a footnote."""
    rows = [["Ward 3"], ["Date:", dt.datetime(2024, 5, 1)], [], *WARD[:6], [], *WARD[6:]]
    total = ["Total", sum(row[1] for row in WARD[1:])]
    table = read(book(S=[*rows, [], total, ["Source: the ward"]]))
    pd.testing.assert_frame_equal(table.frame, read(book(S=WARD)).frame)
    assert table.dialect.skip == 3
    assert [note for note in table.notes if "left out" in note] == [
        "row 20, which begins 'Source: the ward', was left out: it is a footnote",
        "row 19, which begins 'Total', was left out: its numbers are the sums of those above",
    ]
    mean = ["Media", sum(row[1] for row in WARD[1:]) / 12]
    assert read(book(S=[*WARD, mean])).rows == 12
    assert read(book(S=[*WARD, ["Total", 3.0, "f", None, True]])).rows == 13  # a patient of that name


def merge(*ranges):
    def change(made):
        for one in ranges:
            made.active.merge_cells(one)

    return change


HEADED = [
    ["Results of 2024", None, None, None, None],
    ["patient", "Blood", None, "Urine", None],
    [None, "Na", "K", "Na", "K"],
    *([f"P{i}", 140 + i, i / 4, 98 - i, i / 3] for i in range(1, 9)),
]


def test_two_header_rows_with_merged_cells(book):
    """The names of both; a title across all columns is none of them."""
    table = read(book(merge("A1:E1", "A2:A3", "B2:C2", "D2:E2"), S=HEADED))
    assert list(table.frame) == ["patient", "Blood Na", "Blood K", "Urine Na", "Urine K"]
    assert table.rows == 8
    assert table.dialect.skip == 1
    assert table.frame["Urine K"].iloc[2] == 1
    later = read(book(merge("A1:E1", "A2:A3", "B2:C2", "D2:E2"), S=HEADED[:6]), like=table.dialect)
    assert list(later.frame) == list(table.frame)


def test_merged_cells_stand_for_all_that_they_cover(book):
    rows = [["region", "n"], ["north", 1], [None, 2], [None, 3], ["south", 4], [None, 5]]
    table = read(book(merge("A2:A4", "A5:A6"), S=rows))
    assert table.frame["region"].tolist() == ["north"] * 3 + ["south"] * 2
    assert "2 merged cells stand for all the cells that they cover" in table.notes
    assert read(book(S=rows)).facts[0].missing == 3


def test_names(book):
    """Lines in a name, numbers as names, a column without a name or without anything."""
    rows = [["a\nb", 2019, None, None, "a b"], [1, 2, 3, None, 5], [6, 7, 8, None, 1]]
    table = read(book(S=rows))
    assert list(table.frame) == ["a b", "2019", "column_3", "a b_2"]
    assert list(read(book(S=[[1, 2], [3, 4]])).frame) == ["x1", "x2"]
    assert joined_names([["Blood", "x"], ["Blood", None]], lambda cell: cell or "") == ["Blood", "x"]


def test_words_for_totals():
    assert all(
        TOTAL.fullmatch(word) for word in ("Total", "TOTALES", "Total general", "Grand total", "Suma", "Mean", "Promedio")
    )
    assert not any(TOTAL.fullmatch(word) for word in ("Totally", "Totana", "Summer", "Median house"))
    assert last_row([["a", 1.0], ["b", 2.0], ["Total", 3.0]], 0)[0] == 2
    assert last_row([["a", 1.0], ["b", 2.0], ["Total", 4.0]], 0)[0] == 3
    assert beginning([["x"], [], ["a", "b", "c"], [1, 2, 3]], []) == 2


# ---- cells -----------------------------------------------------------------------------------------------------------------


def test_kinds_of_cells(book):
    """Numbers with all their digits, codes, dates with a time, times, durations, four scripts."""
    rows = [["x", "code", "stamp", "hour", "long", "word"]]
    words = ["España", "Ελλάδα", "Россия", "日本語"]
    for i, word in enumerate(words):
        rows.append([0.1 + i / 4, f"00{i}", dt.datetime(2024, 5, 1, 10, 30, i), dt.time(10, 30), dt.timedelta(hours=30), word])
    table = read(book(S=rows))
    assert table.frame["x"].tolist() == [0.1 + i / 4 for i in range(4)]
    assert table.frame["code"].tolist() == ["000", "001", "002", "003"]
    assert table.frame["stamp"].iloc[3] == pd.Timestamp(2024, 5, 1, 10, 30, 3)
    assert (table.frame["hour"] == 10.5).all()
    assert (table.frame["long"] == 30).all()
    assert table.frame["word"].tolist() == words
    assert "column 'hour' holds times; they were read as hours (10:30 is 10.5)" in table.notes


def test_numbers_that_are_stored_as_text(book):
    """Also with a decimal comma, beside real numbers."""
    rows = [["n", "m"], *([i + 0.5 if i % 2 else f"{i},5", i] for i in range(20))]
    table = read(book(S=rows))
    assert table.frame["n"].tolist() == [i + 0.5 for i in range(20)]
    assert "column 'n': 10 cells are numbers stored as text; they were read as numbers" in table.notes
    assert read(book(S=rows), types={"n": "text"}).frame["n"].iloc[0] == "0,5"
    with language("es"):
        assert "columna 'n': 10 celdas son números guardados como texto" in "".join(table.notes)


def test_errors_and_formulas(book):
    """Errors are missing and counted; so are formulas that nobody has computed."""
    rows = [["a", "b", "c"], *([i, i, i] for i in range(1, 9))]

    def change(made):
        for cell, error in (("A2", "#N/A"), ("A3", "#DIV/0!"), ("B4", "#N/A")):
            made["S"][cell] = error
            made["S"][cell].data_type = "e"
        made["S"]["C9"] = "=A9*2"

    path = book(change, S=rows)
    table = read(path)
    assert table.frame.isna().sum().tolist() == [2, 1, 1]
    assert "3 cells hold errors and were read as missing: #N/A, #DIV/0!" in table.notes
    assert [note for note in table.notes if "1 formula has no stored value" in note]
    found = sheet_text(path, "S")
    assert (found.rows, found.columns, found.error_cells, found.formulas) == (9, 3, 3, 1)
    assert [number_of(letters) for letters in (b"A", b"Z", b"AA", b"XFD")] == [1, 26, 27, 16384]


# ---- files that cannot be read -------------------------------------------------------------------------------------------


def test_damaged_workbooks(book, tmp_path):
    path = book(S=WARD)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for part, content in (("xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row><c"), ("xl/workbook.xml", b"<workbook")):
        with zipfile.ZipFile(tmp_path / "bad.xlsx", "w") as archive:
            for name, whole in parts.items():
                archive.writestr(name, content if name == part else whole)
        with pytest.raises(ReadingError, match=r"bad\.xlsx (is a damaged workbook|is empty)"):
            read(tmp_path / "bad.xlsx")
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))
    with pytest.raises(ReadingError, match=r"old\.xls is a damaged workbook, or none"):
        read(tmp_path / "old.xls")
    (tmp_path / "locked.xlsx").write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
    )
    with pytest.raises(ReadingError, match=r"locked\.xlsx is protected by a password: save it without one"):
        read(tmp_path / "locked.xlsx")


def test_a_cell_in_the_last_row_and_column(book):
    """The reader would make room for 17 billion cells."""

    def change(made):
        made["S"]["XFD1048576"] = 1

    with pytest.raises(ReadingError, match=r"t\.xlsx has 0\.\d+ MB but becomes a table of at least 412 GB"):
        read(book(change, S=WARD))
