"""`aprendiz predict`: which tables and models it takes, what it writes, and what it refuses."""

import errno
import gzip
import io
import os
import socket
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

import aprendiz as library
from aprendiz.cli.main import main

from .calls import QUICK, call, cells_of, columns_of, parts, tree, written

NEW = columns_of(rows=12, seed=1)
ANSWERS = ["predicted_kind", "probability_big", "probability_small"]


@pytest.fixture
def new(here):
    """new.csv: other rows, with the columns that the model was made from."""
    return written(here / "new.csv", NEW)


def answers(path, **dialect):
    """The columns that a model has added."""
    return dict(cells_of(path, **dialect)[-3:])


def predicted(*arguments):
    """A call that must go well."""
    said = call("predict", *arguments)
    assert said.code == 0, said.err
    return said


# ---- what is written -------------------------------------------------------------------------------------------------------


def test_table_with_what_the_model_says(model, new):
    """The rows as they were, then what `load(…).predict` says of them."""
    said = predicted("model.apz", "new.csv", "-o", "out.csv")
    found = cells_of("out.csv")
    assert [name for name, _cells in found] == [*NEW, *ANSWERS]
    loaded = library.load("model.apz")
    assert dict(found)["predicted_kind"] == loaded.predict("new.csv").tolist()
    chances = np.array([dict(found)[name] for name in ANSWERS[1:]], dtype=float).T
    np.testing.assert_array_equal(chances, loaded.predict_proba("new.csv"))
    assert said.out == ""
    assert "12 rows" in said.err


def test_cells_keep_their_type(model, new):
    """Codes with leading zeros, whole numbers and numbers with decimals are written as the same values."""
    predicted("model.apz", "new.csv", "-o", "out.csv")
    found = dict(cells_of("out.csv"))
    assert found["code"] == NEW["code"]
    assert found["kind"] == NEW["kind"]
    for name in ("size", "age"):
        assert [float(cell) for cell in found[name]] == [float(cell) for cell in NEW[name]]


def test_score_where_the_target_is_known(model, new):
    """The share of right answers among the rows whose target is there; nothing if it is nowhere."""
    kinds = ["", *NEW["kind"][1:]]
    written("new.csv", {**NEW, "kind": kinds})
    said = predicted("model.apz", "new.csv", "-o", "out.csv")
    right = [cell == kind for cell, kind in zip(answers("out.csv")["predicted_kind"], kinds, strict=True) if kind]
    assert f"11 rows: accuracy {np.mean(right):.4f}" in said.err
    written("plain.csv", {name: NEW[name] for name in ("size", "age", "code")})
    assert "accuracy" not in predicted("model.apz", "plain.csv", "-o", "plain-out.csv").err


@pytest.mark.parametrize("given", [[], ["-o", "-"]], ids=["no file", "-"])
def test_on_the_screen(model, new, here, given):
    """The same bytes as in a file; what is told besides goes to the other stream."""
    predicted("model.apz", "new.csv", "-o", "out.csv")
    before = tree(here)
    said = predicted("model.apz", "new.csv", *given)
    assert said.out.encode() == before["out.csv"]
    assert "12 rows" in said.err
    assert tree(here) == before


def test_missing_cells_of_every_type(here, no_pictures):
    """Numbers, words, dates and truth values that are missing are empty cells again."""
    columns = columns_of()
    mixed = {
        "size": columns["size"],
        "flag": ["true" if kind == "big" else "false" for kind in columns["kind"]],
        "day": [f"2024-03-{1 + i % 28:02d}" for i in range(40)],
        "kind": columns["kind"],
    }
    holes = {name: ["" if i % 5 == 0 else cell for i, cell in enumerate(cells)] for name, cells in mixed.items()}
    written("holes.csv", {**holes, "kind": mixed["kind"]})
    assert call("run", "holes.csv", "--out", "out", *QUICK).code == 0
    predicted("out/model.apz", "holes.csv", "-o", "out.csv")
    found = dict(cells_of("out.csv"))
    assert {name: found[name] for name in ("flag", "day")} == {name: holes[name] for name in ("flag", "day")}
    assert [cell == "" for cell in found["size"]] == [cell == "" for cell in holes["size"]]


def test_formulas_are_neutralised(here, no_pictures):
    """No cell or name that a spreadsheet would run: an apostrophe stands before it. Numbers stay numbers."""
    columns = columns_of()
    formulas = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "-5"]
    hostile = {
        "=1+1": columns["size"],
        "+size": columns["age"],
        "words": [formulas[i % 6] for i in range(40)],
        "@kind": [f"={kind}" for kind in columns["kind"]],
    }
    written("table.csv", hostile)
    assert call("run", "table.csv", "--target", "@kind", "--out", "out", *QUICK).code == 0
    predicted("out/model.apz", "table.csv", "-o", "out.csv")
    found = cells_of("out.csv")
    cells = [cell for name, column in found for cell in (name, *column)]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not is_number(cell)] == []
    names = [name for name, _column in found]
    assert names[:4] == ["'=1+1", "'+size", "words", "'@kind"]
    assert set(dict(found)["words"]) == {"'=cmd|' /C calc'!A0", "'+1+1", "'-2+3", "'@SUM(A1)", "'\t=1", "-5"}
    assert set(dict(found)["predicted_@kind"]) <= {"'=big", "'=small"}


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_terminal_is_not_steered(model, here, monkeypatch):
    """Escape sequences of the cells reach a file or a pipe, but no terminal."""
    written("new.csv", {**NEW, "note": ["\x1b[31mred"] * 12})
    assert "\x1b" in predicted("model.apz", "new.csv").out
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    assert main(["predict", "model.apz", "new.csv"]) == 0
    assert "red" in screen.getvalue()
    assert "\x1b" not in screen.getvalue()


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self):
        return True


# ---- tables that are written otherwise -----------------------------------------------------------------------------------


def test_other_order_and_other_columns(model, new):
    """Columns are found by their names; others stand beside them and change nothing."""
    predicted("model.apz", "new.csv", "-o", "out.csv")
    turned = {"more": ["x", "y"] * 6, **{name: NEW[name] for name in reversed(NEW)}}
    written("turned.csv", turned)
    predicted("model.apz", "turned.csv", "-o", "turned-out.csv")
    assert answers("turned-out.csv") == answers("out.csv")
    assert [name for name, _cells in cells_of("turned-out.csv")][:5] == list(turned)


def test_column_that_is_named_as_an_answer(model, new):
    """A second prediction gets another name: nothing of the table is lost."""
    predicted("model.apz", "new.csv", "-o", "first.csv")
    predicted("model.apz", "first.csv", "-o", "second.csv")
    first, second = cells_of("first.csv"), cells_of("second.csv")
    assert second[: len(first)] == first
    assert [name for name, _cells in second[-3:]] == [f"{name} 2" for name in ANSWERS]
    assert [cells for _name, cells in second[-3:]] == [cells for _name, cells in first[-3:]]


def test_levels_that_were_not_seen(model, here):
    """A code that was not there is no error, and says nothing: it does not matter which one it is."""
    for name, code in (("one", "777"), ("other", "unheard")):
        written(f"{name}.csv", {**NEW, "code": [code] * 12})
        predicted("model.apz", f"{name}.csv", "-o", f"{name}-out.csv")
    assert answers("one-out.csv") == answers("other-out.csv")


def test_digits_that_were_categories(here, no_pictures):
    """Classes 1 to 3 that were read as text are text in every later table; 001 is not 1."""
    written("table.csv", {**columns_of(), "code": [f"{1 + i % 3}" for i in range(40)]})
    assert call("run", "table.csv", "--out", "out", "--type", "code=text", *QUICK).code == 0
    for name, codes in (("digits", ["1", "2", "3"] * 4), ("zeros", ["001", "002", "003"] * 4)):
        written(f"{name}.csv", {**NEW, "code": codes})
        predicted("out/model.apz", f"{name}.csv", "-o", f"{name}-out.csv")
        assert dict(cells_of(f"{name}-out.csv"))["code"] == codes
    assert answers("digits-out.csv") != answers("zeros-out.csv")


@pytest.fixture
def spanish_model(here, no_pictures):
    """A model of a table as Spanish spreadsheets write it: semicolons, decimal commas, and cp1252."""
    written("tabla.csv", spanish(columns_of()), separator=";", encoding="cp1252")
    assert call("run", "tabla.csv", "--target", "año", "--out", "out", *QUICK).code == 0
    return "out/model.apz"


def spanish(columns):
    """Decimal commas, and letters that are not ASCII."""
    numbers = {name: [cell.replace(".", ",") for cell in columns[name]] for name in ("size", "age")}
    return {**numbers, "año": ["pequeño" if kind == "small" else kind for kind in columns["kind"]]}


def test_written_as_the_table_is(spanish_model):
    """Separator, decimal sign and encoding of the table; the encoding may differ from that of the first table."""
    found = {}
    for encoding in ("cp1252", "utf-8"):
        written(f"{encoding}.csv", spanish(NEW), separator=";", encoding=encoding)
        predicted(spanish_model, f"{encoding}.csv", "-o", f"{encoding}-out.csv")
        found[encoding] = dict(cells_of(f"{encoding}-out.csv", separator=";", encoding=encoding))
    assert found["cp1252"] == found["utf-8"]
    columns = found["cp1252"]
    assert [float(cell.replace(",", ".")) for cell in columns["size"]] == [float(cell) for cell in NEW["size"]]
    assert set(columns["predicted_año"]) <= {"big", "pequeño"}
    assert any("," in cell for cell in columns["probability_pequeño"])


def test_written_as_the_table_is_after_parquet(here, no_pictures):
    """A model of a Parquet file and a table with semicolons and decimal commas: so is what is written."""
    columns = columns_of()
    numbers = {name: [float(cell) for cell in columns[name]] for name in ("size", "age")}
    pd.DataFrame({**numbers, "kind": columns["kind"]}).to_parquet("table.parquet")
    assert call("run", "table.parquet", "--out", "out", *QUICK).code == 0
    written("new.csv", {name: [cell.replace(".", ",") for cell in NEW[name]] for name in ("size", "age")}, separator=";")
    predicted("out/model.apz", "new.csv", "-o", "out.csv")
    assert [name for name, _cells in cells_of("out.csv", separator=";")] == ["size", "age", *ANSWERS]


def test_another_separator_is_refused(model, refused):
    """A table with semicolons where there were commas, with decimal points and with commas: what was found is shown."""
    written("new.csv", NEW, separator=";")
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=["column 'size'", "size;age"])
    written("new.csv", spanish(NEW), separator=";", encoding="cp1252")
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=["new.csv", "line 2", "separator"])


def test_reading_options(model, here):
    """What a run can be told of a file, a prediction can be told too."""
    written("plain.csv", NEW)
    written("new.csv", {**NEW, "age": [*NEW["age"][:4], "old", *NEW["age"][5:]]}, separator=";")
    said = call("predict", "model.apz", "new.csv", "-o", "out.csv", "--separator", ";", "--missing", "old")
    assert said.code == 0, said.err
    assert call("predict", "model.apz", "plain.csv", "-o", "plain-out.csv").code == 0
    answers, plain = cells_of("out.csv", separator=";"), cells_of("plain-out.csv")
    assert [cells[:4] for name, cells in answers if name not in NEW] == [cells[:4] for name, cells in plain if name not in NEW]


def test_decimal_commas_where_there_were_points_are_refused(model, refused):
    """With quotes around them the cells can be counted, and are no numbers."""
    written("new.csv", {**NEW, "size": [cell.replace(".", ",") for cell in NEW["size"]]})
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=["new.csv", "line 2", "'size'", "number"])


# ---- what is refused -------------------------------------------------------------------------------------------------------


def test_words_where_there_were_numbers(model, refused):
    """Line, column and cell are named."""
    written("new.csv", {**NEW, "age": [*NEW["age"][:4], "old", *NEW["age"][5:]]})
    words = ["new.csv", "line 6", "'age'", "'old'", "number", "correct the cell"]
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=words)
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", "--lang", "es", words=["línea 6", "'old'", "corrija"])


def test_column_that_is_missing(model, refused):
    """It is named, and those that are there."""
    written("new.csv", {name: NEW[name] for name in ("size", "code", "kind")})
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=["has no column 'age'", "'size'", "'code'"])
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", "--lang", "es", words=["no tiene la columna 'age'"])


def test_table_that_is_none(model, here, refused):
    """As for `run`: no file, an empty one, a folder, something else."""
    (here / "empty.csv").write_bytes(b"")
    (here / "bytes.csv").write_bytes(bytes(range(256)))
    os.mkdir("tables")
    for name, words in (
        ("nowhere.csv", ["nowhere.csv", "does not exist"]),
        ("empty.csv", ["empty.csv", "is empty"]),
        ("bytes.csv", ["bytes.csv", "not text"]),
        ("tables", ["tables", "contains no files"]),
        ("model.apz", ["model.apz", "not a table"]),
    ):
        refused("predict", "model.apz", name, "-o", "out.csv", words=words)


@pytest.mark.parametrize("command", ["predict", "show"])
def test_model_that_is_none(model, new, here, refused, command):
    """No file, a folder, a table, half a model, a changed model, a model of something else."""
    table = ["new.csv"] if command == "predict" else []
    content = (here / "model.apz").read_bytes()
    (here / "half.apz").write_bytes(content[: len(content) // 2])
    (here / "changed.apz").write_bytes(content.replace(b"GaussianNB", b"GaussianMB"))
    library.save(library.StandardScaler().fit(np.eye(3)), "scaler.apz")
    os.mkdir("folder.apz")
    for name, words in (
        ("nowhere.apz", ["no model nowhere.apz", "give the path"]),
        ("folder.apz", ["folder.apz", "give the path of a file"]),
        ("new.csv", ["new.csv", "cannot be loaded as a model"]),
        ("half.apz", ["half.apz", "cannot be loaded as a model"]),
        ("changed.apz", ["changed.apz", "cannot be loaded as a model"]),
        ("scaler.apz", ["scaler.apz", "StandardScaler", "not a model written by aprendiz run"]),
    ):
        refused(command, name, *table, words=words)
    refused(command, "half.apz", *table, "--lang", "es", words=["half.apz", "modelo"])


def test_file_that_is_there(model, new, here, refused):
    """It is written over only if that is asked for."""
    (here / "out.csv").write_text("mine")
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", words=["out.csv", "already exists", "--force"])
    refused("predict", "model.apz", "new.csv", "-o", "out.csv", "--lang", "es", words=["out.csv", "--force", "ya"])
    predicted("model.apz", "new.csv", "-o", "out.csv", "--force")
    assert len(cells_of("out.csv")) == 7


def test_table_is_not_written_over(model, new, refused):
    """Not even if its name is given for the answer."""
    refused("predict", "model.apz", "new.csv", "-o", "new.csv", words=["new.csv", "already exists"])


def test_link_in_the_place_of_the_answer(model, new, here, refused):
    """It stays a link: with --force the file it points to is written over, with the permissions it has."""
    mine = here / "mine.csv"
    mine.write_text("mine")
    mine.chmod(0o600)
    (here / "link.csv").symlink_to(mine)
    refused("predict", "model.apz", "new.csv", "-o", "link.csv", words=["link.csv", "already exists"])
    predicted("model.apz", "new.csv", "-o", "link.csv", "--force")
    assert (here / "link.csv").is_symlink()
    assert len(cells_of(mine)) == 7
    assert stat.S_IMODE(mine.stat().st_mode) == 0o600


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["plain", "--force"])
def test_pipes_and_devices_are_written_to(model, new, here, force):
    """Nothing is put in their place, and nothing of theirs is overwritten: they need no --force."""
    predicted("model.apz", "new.csv", "-o", "out.csv")
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as reader:
        found = reader.submit((here / "pipe").read_bytes)
        predicted("model.apz", "new.csv", "-o", "pipe", *force)
        assert found.result(30) == (here / "out.csv").read_bytes()
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    os.symlink("/dev/null", "null")
    predicted("model.apz", "new.csv", "-o", "null", *force)
    assert os.readlink("null") == "/dev/null"


def test_stream_that_is_a_file(model, new, here):
    """`-o /dev/fd/3 3>> log`: written after what is there, in the same file."""
    log = here / "log"
    log.write_text("before\n")
    node = log.stat().st_ino
    with log.open("ab") as stream:
        predicted("model.apz", "new.csv", "-o", f"/dev/fd/{stream.fileno()}", "--force")
    assert log.read_text().startswith("before\nsize,age")
    assert log.stat().st_ino == node


def test_socket_is_refused(model, new, refused):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("end")
        refused(
            "predict", "model.apz", "new.csv", "-o", "end", "--force", words=["end is a disk or a socket", "name of a file"]
        )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["nowhere/out.csv"], ["nowhere/out.csv", "no such file or folder"]),
        pytest.param(
            ["new.csv/out.csv"],
            ["new.csv/out.csv", "is a file, not a folder"],
        ),
        (["folder", "--force"], ["folder", "is a folder, not a file"]),
    ],
    ids=["no folder", "file as a folder", "folder as a file"],
)
def test_place_that_cannot_be_written(model, new, refused, given, words):
    """The file that was asked for is named, and what is in the way."""
    os.mkdir("folder")
    refused("predict", "model.apz", "new.csv", "-o", *given, words=words)


def test_full_disk(model, new, here, monkeypatch):
    """Half of the answer is none: the old file stays as it was, and the message says what to do."""
    (here / "out.csv").write_text("old")
    before = tree(here)

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    said = call("predict", "model.apz", "new.csv", "-o", "out.csv", "--force")
    assert said.code == 2
    assert "out.csv" in said.err
    assert "disk is full" in said.err
    assert "--resume" not in said.err
    assert parts(here) == []
    assert tree(here) == before


def test_full_disk_behind_the_screen(model, new, monkeypatch):
    """`aprendiz predict … > file` on a full disk does not end as if all were well."""
    full = open("/dev/full", "w")  # noqa: SIM115  (it cannot be closed without an error)
    monkeypatch.setattr("sys.stdout", full)
    code = main(["predict", "model.apz", "new.csv"])
    with suppress(OSError):
        full.close()
    assert code == 2


@pytest.mark.parametrize("command", [["methods"], ["predict", "model.apz", "new.csv"]], ids=lambda command: command[0])
def test_reader_that_has_gone(model, new, monkeypatch, command):
    """`aprendiz … | head -1` is nobody's mistake: code 0, and nothing left that could fail at the end."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        monkeypatch.setattr("sys.stderr", sys.stderr)  # click puts others in the place of both
        assert main(command) == 0


def test_mixed_encodings_and_large_tables(model, new, here, refused):
    """What is odd in the file is told; how large a packed one may become can be said."""
    lines = new.read_text().splitlines(keepends=True)
    odd = [line.replace("001", "ñ") for line in lines]
    (here / "mixed.csv").write_bytes("".join(odd[:7]).encode() + "".join(odd[7:]).encode("cp1252"))
    assert "the file mixes encodings: line 3 holds letters in UTF-8, line 9 does not" in predicted("model.apz", "mixed.csv").err
    (here / "packed.csv.gz").write_bytes(gzip.compress(new.read_bytes()))
    refused("predict", "model.apz", "packed.csv.gz", "--max-size", "1e-7", words=["packed.csv.gz", "--max-size"])
    assert "12 rows" in predicted("model.apz", "packed.csv.gz", "--max-size", "0.1").err
