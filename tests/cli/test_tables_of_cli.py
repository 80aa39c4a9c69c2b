"""Tables that a command gets: several files, archives, workbooks, standard input."""

import io
import runpy
import sys
import zipfile

import openpyxl
import pytest

from .calls import QUICK, call, columns_of, scores, written


class Stream(io.TextIOWrapper):
    """Standard input that holds these bytes."""

    def __init__(self, content):
        super().__init__(io.BytesIO(content))


def test_several_files(here, no_pictures, monkeypatch):
    """One run on the rows of all; the code that reproduces it reads them all, and the model predicts several too."""
    for month, seed in (("jan", 1), ("feb", 2)):
        written(here / f"{month}.csv", columns_of(seed=seed))
    said = call("run", "jan.csv", "feb.csv", *QUICK)
    assert said.code == 0, said.err
    assert "80 rows × 4 columns" in said.out
    script = (here / "jan-report" / "experiment.py").read_text()
    assert "TABLE = sys.argv[1:] or [\n    HERE / '../jan.csv',\n    HERE / '../feb.csv',\n]" in script
    monkeypatch.setattr(sys, "argv", ["experiment.py"])
    with pytest.raises(SystemExit) as end:
        runpy.run_path("jan-report/experiment.py")
    assert end.value.code == 0
    said = call("predict", "jan-report/model.apz", "jan.csv", "feb.csv", "-o", "p.csv")
    assert "80 rows predicted" in said.err
    assert "these are the training rows" in said.err
    assert "these are the training rows" not in call("predict", "jan-report/model.apz", "feb.csv").err


def test_standard_input(here, table, no_pictures, monkeypatch):
    """The scores of the file; a copy stands beside the report, and the run can be taken up from there."""
    content = (here / "table.csv").read_bytes()
    assert call("run", "table.csv", *QUICK).code == 0
    monkeypatch.setattr(sys, "stdin", Stream(content))
    said = call("run", "-", *QUICK)
    assert "reading standard input" in said.out
    assert (here / "stdin-report" / "stdin.csv").read_bytes() == content
    assert scores(here / "stdin-report") | {"table": None} == scores(here / "table-report") | {"table": None}
    assert (
        "TABLE = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / 'stdin.csv'"
        in (here / "stdin-report" / "experiment.py").read_text()
    )
    again = call("run", "stdin-report/stdin.csv", "--out", "stdin-report", "--resume", *QUICK)
    assert again.code == 0, again.err
    monkeypatch.setattr(sys, "stdin", Stream(content))
    assert "40 rows predicted" in call("predict", "stdin-report/model.apz", "-").err


@pytest.mark.parametrize("command", ["explore", "cluster"])
def test_standard_input_of_other_commands(here, table, monkeypatch, command):
    monkeypatch.setattr(sys, "stdin", Stream((here / "table.csv").read_bytes()))
    said = call(command, "-", "--out", "found")
    assert said.code == 0, said.err
    assert (here / "found" / "stdin.csv").is_file()
    monkeypatch.setattr(sys, "stdin", Stream(b""))
    said = call(command, "-", "--out", "other")
    assert (said.code, said.err) == (2, "aprendiz: stdin is empty: there is nothing to read.\n")


def test_a_workbook_and_an_archive(here, no_pictures):
    """The sheet that is asked for; a file of an archive; refusals in Spanish."""
    book, columns = openpyxl.Workbook(), columns_of()
    book.create_sheet("Ward")
    for sheet, rows in (
        (book.worksheets[0], [["read me"]]),
        (book["Ward"], [list(columns), *zip(*columns.values(), strict=True)]),
    ):
        for row in rows:
            sheet.append(row)
    book.save("t.xlsx")
    assert call("run", "t.xlsx", "--sheet", "2", *QUICK).code == 0
    said = call("run", "t.xlsx", "--sheet", "Wrad", "--lang", "es")
    assert said.err == "aprendiz: t.xlsx no tiene ninguna hoja 'Wrad'. ¿Quiso decir 'Ward'?\n"
    assert (
        "--separator: los ficheros Excel no tienen esa opción"
        in call("explore", "t.xlsx", "--separator", ";", "--lang", "es").err
    )
    written(here / "t.csv", columns)
    with zipfile.ZipFile("z.zip", "w") as archive:
        archive.write("t.csv")
        archive.writestr("other.csv", "a\n1\n")
    assert call("run", "z.zip/t.csv", *QUICK).code == 0
    assert (
        "is a ZIP archive of 2 files: other.csv, t.csv. Give one of them, such as z.zip/other.csv"
        in call("explore", "z.zip").err
    )


def test_very_many_levels(here):
    """A level for each row is a sentence, not a wait."""
    (here / "many.csv").write_text("word,y\n" + "".join(f"w{i},{i % 2}\n" for i in range(200_000)))
    said = call("run", "many.csv", "--target", "y", *QUICK)
    assert said.code == 2
    assert said.err
