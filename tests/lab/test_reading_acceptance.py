"""Tables from elsewhere: every one is read, and csv-spectrum gives the cells it says."""

import json

import pandas as pd
import pytest

from aprendiz.core.columns import Columns
from aprendiz.lab import propose_target, read, suspected_leaks, task_of_target

# Two answers of csv-spectrum do not belong to its files: one names another telephone number, the other line ends that the
# file does not have.
NOT_SAID = {("location_coordinates", "Contact Phone Number"), ("newlines_crlf", "a")}
SPECTRUM = [
    *("comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "location_coordinates", "newlines"),
    *("newlines_crlf", "quotes_and_newlines", "simple", "simple_crlf", "utf8"),
]


def test_all_of_csv_spectrum_is_asked(acceptance):
    assert sorted(path.stem for path in (acceptance / "hostile" / "csv-spectrum").glob("*.csv")) == SPECTRUM


@pytest.mark.parametrize("name", SPECTRUM)
def test_csv_spectrum(acceptance, name):
    folder = acceptance / "hostile" / "csv-spectrum"
    answer = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    rows = answer if isinstance(answer, list) else [answer]
    frame = read(folder / f"{name}.csv", missing=[], types=dict.fromkeys(rows[0], "text")).frame
    assert list(frame) == list(rows[0])
    assert len(frame) == len(rows)
    for column in frame:
        if (name, column) not in NOT_SAID:
            assert frame[column].tolist() == [row[column] for row in rows]


@pytest.fixture(scope="module")
def tables(acceptance):
    """All csv and arff tables, read."""
    return {path.name: read(path) for pattern in ("*.csv", "*.arff") for path in sorted((acceptance / "tables").glob(pattern))}


def test_every_table_is_read(tables):
    """Each has rows, a target, a task and a card."""
    assert len(tables) > 20
    for name, table in tables.items():
        assert table.rows > 10, name
        target, _reason = propose_target(table)
        assert task_of_target(table.frame[target])[0] in ("classification", "regression")
        assert target not in {role.name for role in suspected_leaks(table, target)}
        assert name in table.card()


def test_same_numbers_as_pandas(tables):
    """Columns of numbers in the csv tables are those that pandas reads."""
    for table in tables.values():
        if table.dialect.kind == "csv":
            other = pd.read_csv(table.path, header=0 if table.dialect.header else None, na_values=["?"])
            assert table.frame.shape == other.shape, table.path
            for j, name in enumerate(table.frame):
                if table.frame[name].dtype == float:
                    assert table.frame[name].equals(other.iloc[:, j].astype(float).rename(name)), (table.path, name)


def test_same_schema_as_the_core(tables):
    """The schema of the csv tables is what `Columns.of` infers, but for text, which it takes for categories."""
    for table in tables.values():
        if table.dialect.kind == "csv":
            known = [column for column in table.columns if column.kind not in ("text", "date")]
            assert known == [*Columns.of(table.frame[[column.name for column in known]])]


@pytest.mark.parametrize(
    ("name", "target", "task"),
    [
        ("iris.csv", "Species", "classification"),
        ("MASS_biopsy.csv", "class", "classification"),
        ("ESL_SAheart.csv", "chd", "classification"),
        ("german.csv", "x21", "classification"),
        ("concrete.csv", "strength", "regression"),
        ("mushroom.arff", "class", "classification"),
        ("zoo.arff", "type", "classification"),
        ("reg_autompg.arff", "class", "regression"),
    ],
)
def test_targets(tables, name, target, task):
    table = tables[name]
    assert propose_target(table)[0] == target
    assert task_of_target(table.frame[target])[0] == task


def test_few_rows_many_columns(acceptance):
    """72 × 7130, packed: numbers in all columns but the class."""
    table = read(acceptance / "genomics" / "golub.csv.gz")
    assert table.frame.shape == (72, 7130)
    assert set(table.frame.dtypes[1:].astype(str)) == {"float64"}
    assert propose_target(table)[0] == "y"


def test_a_header_that_begins_with_a_hash(acceptance):
    table = read(acceptance / "microbiome" / "qin2014" / "task-healthy-cirrhosis.txt")
    assert table.dialect.separator == "\t"
    assert {role.name: role.role for role in table.roles} == {"#SampleID": "identifier", "Var": "feature"}
