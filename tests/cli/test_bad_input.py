"""Bad input: a sentence that names the culprit and the remedy, exit code 2, and nothing made or changed."""

import csv
import errno
import gzip
import os
import time

import pytest

from .calls import QUICK, call, columns_of, results, written

ROWS = 40


# ---- files -----------------------------------------------------------------------------------------------------------------


def test_file_that_is_not_there(here, table, refused):
    """The name that was perhaps meant is proposed."""
    refused("run", "tabel.csv", words=["tabel.csv", "does not exist", "table.csv"])
    refused("run", "nowhere/elsewhere.csv", words=["elsewhere.csv", "check the path"])


NO_TABLES = {
    "empty": (b"", ["bad.csv", "is empty"]),
    "blank lines": (b"\n \n\t\n", ["bad.csv", "is empty"]),
    "binary": (bytes(range(256)) * 8, ["bad.csv", "not text", "give a CSV"]),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(64), ["bad.csv", "picture", "export"]),
    "archive": (b"PK\x03\x04" + bytes(64), ["bad.csv", "damaged ZIP archive", "create it again"]),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), ["bad.csv", "damaged workbook", "save the sheet as CSV"]),
    "broken line": (b'{"a": 1}\n{"a": \n', ["bad.csv", "line 2", "not JSON"]),
    "only a header": (b"size,age,kind\n", ["bad.csv", "no rows", "header"]),
}


@pytest.mark.parametrize(("content", "words"), NO_TABLES.values(), ids=NO_TABLES)
def test_file_that_is_no_table(here, refused, content, words):
    (here / "bad.csv").write_bytes(content)
    refused("run", "bad.csv", words=words)


def test_folder_instead_of_a_file(here, refused):
    (here / "tables").mkdir()
    refused("run", "tables", words=["tables", "contains no files", "give a file"])


def test_address_instead_of_a_file(refused):
    refused("run", "https://example.org/table.csv", words=["is a URL", "download"])


@pytest.mark.parametrize("change", [lambda cells: [*cells, "more"], lambda cells: cells[:-1]], ids=["longer", "shorter"])
def test_ragged_row(here, table, refused, change):
    """The line is named, and how many cells it has and should have."""
    lines = table.read_text().splitlines()
    lines[10] = ",".join(change(lines[10].split(",")))
    table.write_text("\n".join(lines) + "\n")
    refused("run", "table.csv", *QUICK, words=["table.csv", "line 11", "expected: 4", "correct the line"])


def test_quote_that_is_not_closed(here, table, refused):
    lines = table.read_text().splitlines()
    lines[20] = f'"{lines[20]}'
    table.write_text("\n".join(lines) + "\n")
    refused("run", "table.csv", *QUICK, words=["table.csv", "line 21", "quote", "not closed"])


def test_encoding_that_is_none(table, refused):
    """A codec of Python's that no file is written in."""
    refused("run", "table.csv", "--encoding", "zip", *QUICK, words=["--encoding 'zip' is not valid", "utf-8"])
    refused("run", "table.csv", "--encoding", "zip", "--lang", "es", *QUICK, words=["--encoding 'zip' no es válido"])


def test_options_not_arguments(here, table, refused):
    """The command line speaks of its options, not of arguments of Python."""
    written("words.csv", {"a": [*range(30), "x7"], "b": list(range(31)), "kind": ["p", "q", "r"] * 10 + ["p"]})
    refused("run", "words.csv", "--type", "a=number", words=["--missing", "'x7'"])
    refused("run", "table.csv", "--encoding", "zip", words=["--encoding 'zip'"])
    refused("run", "table.csv", "--groups", "kind", "--no-groups", words=["contradict"])


def test_packed_table_that_is_too_large(here, table, refused):
    """Both sizes are told, and the option to read it all the same."""
    packed = gzip.compress(table.read_bytes() + table.read_bytes().partition(b"\n")[2] * 200)
    (here / "packed.csv.gz").write_bytes(packed)
    words = ["packed.csv.gz", "MB but becomes a table of at least", "--max-size"]
    refused("run", "packed.csv.gz", "--max-size", "0.0001", *QUICK, words=words)
    refused(
        "run",
        "packed.csv.gz",
        "--max-size",
        "0.0001",
        "--lang",
        "es",
        *QUICK,
        words=["se convierte en una tabla", "--max-size"],
    )
    refused("run", "packed.csv.gz", "--max-size", "much", *QUICK, words=["--max-size", "number of gigabytes"])


def test_very_many_columns(here, refused):
    """A hundred thousand columns are refused in a few seconds."""
    with open("wide.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([f"c{j}" for j in range(100_000)])
        rows.writerows([[i * j % 7 for j in range(100_000)] for i in range(4)])
    start = time.monotonic()
    refused("run", "wide.csv", words=["wide.csv", "100000 columns", "keep only those you need"])
    assert time.monotonic() - start < 10


def test_many_columns_are_no_reason_to_warn(here, no_pictures):
    """More columns than rows are a finding of the report; nothing is said on the stream for errors."""
    columns = columns_of()
    wide = {f"c{j}": columns["size"][j % 7 :] + columns["age"][: j % 7] for j in range(120)}
    written("wide.csv", {**wide, "kind": columns["kind"]})
    said = call("run", "wide.csv", "--out", "out", *QUICK)
    assert (said.code, said.err) == (0, "")
    assert "more_columns_than_rows" in [finding["code"] for finding in results("out")["findings"]]


@pytest.mark.parametrize(
    "ends",
    [
        "\n",
        pytest.param(
            "\r\n",
        ),
    ],
)
def test_line_break_in_a_header(here, no_pictures, ends):
    """Spreadsheets write names of two lines; every row below them is read."""
    columns = columns_of()
    named = {"size": columns["size"], "age\n(years)": columns["age"], "kind": columns["kind"]}
    written("table.csv", named, ends=ends)
    said = call("run", "table.csv", "--out", "out", *QUICK)
    assert said.code == 0, said.err
    assert results("out")["table"]["rows"] == ROWS


# ---- targets ---------------------------------------------------------------------------------------------------------------

TARGETS = {
    "constant": (["same"] * ROWS, ["'kind'", "'same'", "every row"]),
    "one class, or missing": (["same"] * 30 + [""] * 10, ["'kind'", "'same'", "every row"]),
    "constant number": (["7"] * ROWS, ["'kind'", "7", "every row"]),
    "missing": ([""] * ROWS, ["'kind'", "missing in every row", "choose another column"]),
    "unique": ([f"w{i}" for i in range(ROWS)], ["'kind'", "differs in every row", "identifier"]),
    "classes of a single row": (["big"] * 38 + ["rare", "odd"], ["'kind'", "Only one class"]),
    "dates": ([f"2024-01-{1 + i % 28:02d}" for i in range(ROWS)], ["'kind'", "dates", "give numbers"]),
}


@pytest.mark.parametrize(("cells", "words"), TARGETS.values(), ids=TARGETS)
def test_target_that_cannot_be_learned(here, refused, cells, words):
    written("table.csv", {**columns_of(), "kind": cells})
    refused("run", "table.csv", "--target", "kind", *QUICK, words=words)


@pytest.mark.parametrize("option", ["--target", "--groups", "--leave-out"])
def test_column_that_is_not_there(table, refused, option):
    """Those that are there are listed."""
    refused("run", "table.csv", option, "sort", *QUICK, words=[option[2:], "no column 'sort'", "'size'", "'kind'"])


def test_no_column_is_left(table, refused):
    given = [word for name in ("size", "age", "code") for word in ("--leave-out", name)]
    refused("run", "table.csv", "--target", "kind", *given, *QUICK, words=["no column is left", "'kind'"])


def test_fewer_rows_than_folds(here, refused):
    """Of the table, and of its largest class."""
    written("table.csv", {**columns_of(8), "kind": ["big", "small"] * 4})
    refused("run", "table.csv", "--target", "kind", "--folds", "9", words=["9 folds", "at least 9 rows", "8", "fewer folds"])
    refused("run", "table.csv", "--target", "kind", "--folds", "5", words=["5 folds", "at least 5 rows", "largest", "4"])


def test_fewer_groups_than_folds(here, refused):
    written("table.csv", {"site": ["north", "south"] * 20, **columns_of()})
    words = ["3 folds", "at least 3 groups", "there are 2", "fewer folds"]
    refused("run", "table.csv", "--target", "kind", "--groups", "site", "--folds", "3", words=words)


# ---- commands and options ----------------------------------------------------------------------------------------------

OPTIONS = {
    "--folds 1": ["--folds", "'1'", "from 2"],
    "--folds two": ["--folds", "'two'", "whole number"],
    "--seed -1": ["--seed", "'-1'", "from 0"],
    "--budget -3": ["--budget", "'-3'", "number of seconds", "60"],
    "--budget soon": ["--budget", "'soon'", "number of seconds"],
    "--budget nan": ["--budget", "'nan'", "number of seconds"],
    "--lang fr": ["--lang", "'fr'", "en, es"],
    "--metric speed": ["'speed'", "not a measure for classification", "accuracy"],
    "--metric r2": ["'r2'", "not a measure for classification", "accuracy"],
    "--methods GausianNB": ["GausianNB", "did you mean GaussianNB?", "LogisticRegression"],
    "--methods Ridge": ["Ridge", "classification", "GaussianNB"],
    "--type age=nonsense": ["'age'=nonsense", "'number'", "'text'"],
    "--type age": ["--type age", "=", "such as"],
    "--type sort=text": ["no column 'sort'", "'age'"],
    "--encoding utf-99": ["encoding", "'utf-99'", "'utf-8'"],
    "--separator ab": ["separator", "'ab'", "single character"],
    "--decimal x": ["decimal", "'x'", "','"],
    "--skip -1": ["--skip", "'-1'", "from 0"],
    "--wrong": ["--wrong", "no option", "--help"],
    "--fold 3": ["--fold", "did you mean --folds?"],
    "--target": ["--target", "needs a value"],
    "--resume=yes": ["--resume", "takes no value"],
    "another.csv": ["another.csv does not exist", "did you mean table.csv?"],
    "-": ["standard input", "give it alone"],
    "table.csv": ["table.csv is given twice"],
    "--sheet 1": ["--sheet", "CSV files have no such option"],
}


@pytest.mark.parametrize(("given", "words"), OPTIONS.items(), ids=OPTIONS)
def test_wrong_option(table, refused, given, words):
    refused("run", "table.csv", *given.split(), words=words)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("--skip 5000", ["5000"]),
        ("--methods ,", ["No method was given", "GaussianNB"]),
    ],
)
def test_option_that_leaves_nothing(table, no_pictures, refused, given, words):
    """No line is left to read; no method to compare."""
    refused("run", "table.csv", *given.split(), words=words)


def test_wrong_command(refused):
    refused("rnu", "table.csv", words=["no command rnu", "did you mean run?", "--help"])
    refused("train", words=["no command train", "--help"])
    refused("--wrong", words=["no option --wrong", "--help"])
    refused("predict", words=["MODEL is missing", "predict --help"])
    refused("predict", "model.apz", words=["TABLE... is missing", "predict --help"])
    refused("show", words=["MODEL is missing", "show --help"])


def test_no_command_at_all():
    """Help, and the code of a wrong command."""
    said = call()
    assert said.code == 2
    assert "predict" in said.out + said.err


# ---- places that cannot be written ---------------------------------------------------------------------------------------


def test_folder_below_a_file(table, refused):
    refused("run", "table.csv", "--out", "table.csv/report", *QUICK, words=["table.csv/report", "is a file, not a folder"])


def test_file_in_the_place_of_the_folder(table, refused):
    refused("run", "table.csv", "--out", "table.csv", *QUICK, words=["table.csv", "is a file", "--out"])


def test_place_that_cannot_be_written(table, refused):
    """/proc takes no folders, whoever asks."""
    refused("run", "table.csv", "--out", "/proc/report", *QUICK, words=["/proc/report"])


@pytest.mark.parametrize("cause", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_folder_that_cannot_be_made(table, refused, monkeypatch, cause):
    """No permission, a place for reading only, a full disk."""

    def fail(path, *given, **more):
        raise OSError(cause, os.strerror(cause), str(path))

    monkeypatch.setattr("pathlib.Path.mkdir", fail)
    refused("run", "table.csv", "--out", "report", *QUICK, words=["report", "choose another location"])


# ---- in Spanish --------------------------------------------------------------------------------------------------------

SPANISH = {
    "run nothing.csv": "no existe",
    "run table.csv --target sort": "columna",
    "run table.csv --folds 1": "número entero",
    "run table.csv --folds 99": "filas",
    "run table.csv --budget -3": "segundos",
    "run table.csv --metric speed": "medida",
    "run table.csv --methods GausianNB": "método",
    "run table.csv --type age=nonsense": "no es válido",
    "run table.csv --out table.csv": "carpeta",
    "run table.csv --out table.csv/x": "fichero",
    "run table.csv --resume": "carpeta",
    "run table.csv --wrong": "opción",
    "rnu": "orden",
    "predict": "falta",
    "predict nothing.apz table.csv": "modelo",
}


@pytest.mark.parametrize(("given", "word"), SPANISH.items(), ids=SPANISH)
def test_in_spanish(table, refused, given, word):
    refused(*given.split(), "--lang", "es", words=[word])


def test_language_of_the_system(table, refused, monkeypatch):
    """What the environment asks for is spoken; a language that is not known is refused in it."""
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    refused("run", "nothing.csv", words=["no existe"])
    refused("run", "nothing.csv", "--lang", "en", words=["does not exist"])
    refused("run", "table.csv", "--lang", "fr", words=["'fr'", "idioma"])
