"""`aprendiz explore`: what it says at once, what it leaves behind, and what it refuses."""

import subprocess
import sys

import pytest

from .calls import call, columns_of, results, tree, written


def test_what_it_says_and_leaves(table):
    """The types by the first rows, the card, the findings, and where the page is."""
    said = call("explore", "table.csv")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].endswith("reading table.csv")
    assert lines[1:4] == ["4 columns, by the first 40 rows:", "  number (2): size, age", "  text (2): code, kind"]
    assert lines[-1] == "report  table-exploration/report.html"
    assert set(tree("table-exploration")) == {"report.html", "results.json"}
    assert results("table-exploration")["targets"][0]["column"] == "kind"


def test_in_spanish(table):
    said = call("explore", "table.csv", "--lang", "es", "--out", "mirada")
    assert said.code == 0
    assert "4 columnas, según las primeras 40 filas:" in said.out
    assert "Una mirada a table.csv" in (table.parent / "mirada" / "report.html").read_text(encoding="utf-8")


def test_the_first_rows_need_no_libraries(table):
    """They are shown before anything heavy is imported."""
    heavy = "print({'numpy', 'pandas', 'sklearn', 'numba', 'duckdb', 'matplotlib'} & set(sys.modules))"
    code = f"import sys; from aprendiz.cli.exploring import show_first_rows; show_first_rows('table.csv', {{}}); {heavy}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.stderr == ""
    assert said.stdout.splitlines()[0] == "4 columns, by the first 40 rows:"
    assert said.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("text", ["", "a\n1\n2\n", "a,b\n1,2\n"])
def test_small_files(here, text):
    """An empty file is refused; a table of one row or one column is shown."""
    (here / "small.csv").write_text(text, encoding="utf-8")
    said = call("explore", "small.csv")
    assert said.code == (0 if text else 2)
    assert "Traceback" not in said.err


def test_refusals(refused, table):
    refused("explore", "nothing.csv", words=("nothing.csv",))
    refused("explore", "table.csv", "--leave-out", "sizes", words=("no column 'sizes'",))
    refused("explore", "table.csv", "--out", "table.csv", words=("is a file", "--out"))
    refused("explore", "table.csv", "--encoding", "klingon", words=("klingon",))
    refused("explore", words=("TABLE",))


def test_nothing_is_written_over(table):
    """The next folder gets the next number; one that was asked for and holds something is refused."""
    assert call("explore", "table.csv").code == call("explore", "table.csv").code == 0
    assert (table.parent / "table-exploration-2" / "report.html").is_file()
    said = call("explore", "table.csv", "--out", "table-exploration")
    assert said.code == 2
    assert "not overwritten" in said.err


def test_options_of_reading(here):
    written(here / "odd.csv", columns_of(), separator=";")
    said = call("explore", "odd.csv", "--separator", ";", "--missing", "small", "--type", "kind=text")
    assert said.code == 0
    assert results("odd-exploration")["missing"]["cells"] > 0
