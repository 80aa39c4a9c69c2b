"""Numbers with units, currencies, per cent and ranges: read as numbers, told, overruled, read again as before."""

import numpy as np
import pytest

from aprendiz.lab import ReadingError, read
from aprendiz.lab.columns.quantities import QuantityFormat, usual


def table_of(tmp_path, cells, name="table.csv", separator=";", **options):
    """A table with a column x of some cells, and a column of words."""
    path = tmp_path / name
    lines = [f"x{separator}w", *(f'"{cell}"{separator}{"ab"[k % 2]}' for k, cell in enumerate(cells))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read(path, **options)


QUANTITIES = {
    "weights": (["12 kg", "3.5 kg", "0.25kg", "100 kg"], [12, 3.5, 0.25, 100], "kg"),
    "euros before": (["€ 3,50", "€ 12", "€1.234,5", "-€ 2"], [3.5, 12, 1234.5, -2], "€"),
    "dollars": (["$1,234.50", "$3", "$ 0.99"], [1234.5, 3, 0.99], "$"),
    "euros behind": (["3,50 €", "1.200,00 €", "-7 €"], [3.5, 1200, -7], "€"),
    "per cent": (["15 %", "7.5%", "-2 %", "100%"], [15, 7.5, -2, 100], "%"),
    "ranges with units": (["10-20 cm", "20–30 cm", "5 cm"], [15, 25, 5], "cm"),
    "words between": (["10 to 20 km", "20 to 40 km"], [15, 30], "km"),
    "plurals": (["1 day", "12 days", "3 days"], [1, 12, 3], "day"),
    "other words": (["3 rooms", "12 rooms", "1 rooms"], [3, 12, 1], "rooms"),
    "temperatures": (["-3.5 °C", "21 °C"], [-3.5, 21], "°C"),
    "missing cells": (["12 kg", "", "NA", "3 kg"], [12, np.nan, np.nan, 3], "kg"),
}


@pytest.mark.parametrize("case", QUANTITIES)
def test_read_as_numbers(case, tmp_path):
    """The values, the unit, and a note with an example; a type that is given keeps the words."""
    cells, values, unit = QUANTITIES[case]
    table = table_of(tmp_path, cells)
    np.testing.assert_array_equal(table.frame["x"].to_numpy(float), values)
    assert dict(table.dialect.units)["x"][0] == unit
    assert any(f"the unit {unit}: {cells[0]!r}" in note for note in table.notes)
    again = read(table.path, like=table.dialect)
    np.testing.assert_array_equal(again.frame["x"].to_numpy(float), values)
    kept = read(table.path, types={"x": "text"})
    assert kept.frame["x"].iloc[0] == cells[0]
    assert not kept.dialect.units


def test_ranges_that_come_again(tmp_path):
    """Ranges without a unit are their middles; phone numbers, results and years are no ranges."""
    table = table_of(tmp_path, ["10-20", "20-30", "30-40"] * 20)
    np.testing.assert_array_equal(table.frame["x"].to_numpy(float), [15.0, 25.0, 35.0] * 20)
    assert any("holds ranges: the middle is used, such as 15 for '10-20'" in note for note in table.notes)
    for cells in ([f"{555 + k}-{1000 + 7 * k}" for k in range(60)], ["2-1", "1-1", "0-3"] * 20, ["10-20", "30+"] * 30):
        assert table_of(tmp_path, cells).frame["x"].iloc[0] == cells[0]


@pytest.mark.parametrize(
    "cells", [["12A", "13A", "7B"], ["A 12", "B 13"], ["3rd", "4th"], ["12 kg", "heavy"], ["kg", "12 kg"]], ids=str
)
def test_what_is_no_quantity(cells, tmp_path):
    """Codes, ordinals and columns with other words stay text."""
    table = table_of(tmp_path, cells)
    assert [*table.frame["x"]] == cells
    assert not table.dialect.units


def test_mixed_units(tmp_path):
    """Two units are told, with how often each occurs, and the column stays text."""
    table = table_of(tmp_path, ["1 kg", "2 kg", "300 g"])
    assert [*table.frame["x"]] == ["1 kg", "2 kg", "300 g"]
    assert "column 'x' mixes units, so it stays text: kg (2), g (1); write all cells in one unit" in table.notes


def test_bare_numbers(tmp_path):
    """One cell in ten may lack the unit, not half of them."""
    assert table_of(tmp_path, ["1 kg"] * 9 + ["7"]).frame["x"].iloc[-1] == 7
    assert table_of(tmp_path, ["1 kg", "7"] * 5).frame["x"].iloc[-1] == "7"


def test_another_file(tmp_path):
    """A later file may lack the unit, but a cell of another one is refused with its name."""
    first = table_of(tmp_path, ["€ 3,50", "€ 12"])
    table = table_of(tmp_path, ["4,5", "€ 7"], "later.csv", like=first.dialect)
    np.testing.assert_array_equal(table.frame["x"].to_numpy(float), [4.5, 7])
    with pytest.raises(ReadingError, match=r"later.csv: column 'x' holds '\$ 7', expected: numbers with the unit €"):
        table_of(tmp_path, ["€ 4,5", "$ 7"], "later.csv", like=first.dialect)


def test_signs_of_a_file_with_commas(tmp_path):
    """1,234 between quotes is a thousand where commas separate cells, and has decimals where semicolons do."""
    assert table_of(tmp_path, ["1,234 kg", "2,500 kg"], separator=",").frame["x"].tolist() == [1234, 2500]
    assert table_of(tmp_path, ["1,234 kg", "2,500 kg"]).frame["x"].tolist() == [1.234, 2.5]


def test_single_cells():
    """What one cell says, in figures."""
    form = QuantityFormat(".", "")
    assert (form.of("  -12.5 kg ").value, form.of("US$ 3").unit, form.of("3-4 m").range) == (-12.5, "US$", True)
    assert form.of("4-3 m") is form.of("kg") is form.of("€ 3 kg") is form.of("1 2 kg") is form.of("3 m 4") is None
    assert [usual(unit) for unit in ("days", "lbs", "ms", "rooms", "gas")] == ["day", "lb", "ms", "rooms", "gas"]
