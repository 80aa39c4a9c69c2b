"""CSV and its kin: lines of cells, a separator between them. The columns are typed by all of their cells.

bytes ──sniffing──▶ dialect ──layout──▶ names, first rows ──scan──▶ typed columns ──quantities──▶ numbers with units
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from aprendiz.lab.columns.date_formats import MixedDates, dates_in_text
from aprendiz.lab.columns.quantities import Measured, MixedUnits, read_again, recognised
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.records import layout
from aprendiz.lab.scan import Typed, scan
from aprendiz.lab.series import series
from aprendiz.lab.sniffing import sniff
from aprendiz.locale import _

Remark = Measured | MixedUnits | MixedDates


def read_csv(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of a text file."""
    mixed = sniff(file, asked)
    return replace(typed_columns(file, asked.dialect, folder), mixed=mixed)


def typed_columns(file: Path, dialect: Dialect, folder: Path, lines: Sequence[int] = ()) -> Contents:
    """The columns of a file of a known dialect. `lines`: where its rows stand in another one, of which it is a copy."""
    top = layout(file, dialect)
    typed, spoiled = scan(file, as_text(dialect), top, folder, lines)
    values = dict(zip(top.names, typed, strict=True))
    measured = with_units(file, dialect, values)
    return Contents({name: series(one.kind, one.values) for name, one in values.items()}, top.renamed, [*spoiled, *measured])


def as_text(dialect: Dialect) -> Dialect:
    """The dialect under which the columns of quantities are text still."""
    types = dict(dialect.types)
    types |= {name: "text" for name, _signs in dialect.units if types.get(name) == "number"}
    return replace(dialect, types=tuple(types.items()))


def with_units(file: Path, dialect: Dialect, values: dict[str, Typed]) -> list[Remark]:
    """Read the quantities among the columns of text as numbers: those of the earlier file, or those that are recognised and
    have no type that was given. What was found is returned."""
    remarks, given, units = list[Remark](), dict(dialect.types), dict(dialect.units)
    for name, one in values.items():
        if name in units and given.get(name) == "number":
            numbers, strange = read_again(name, one.values, *units[name])
            if strange is not None:
                raise refuse_quantity(file, name, strange, units[name][0])
            values[name] = Typed("number", numbers)
        elif one.kind == "text" and name not in given:
            found: Any = recognised(name, one.values, dialect.decimal, dialect.thousands, dialect.separator.startswith(","))
            if found is None:
                found = dates_in_text(name, one.values.unique().drop_null().to_pylist())
            if isinstance(found, MixedUnits | MixedDates):
                remarks.append(found)
            elif found is not None:
                values[name] = Typed("number", found[0])
                remarks.append(found[1])
    return remarks


def refuse_quantity(file: Path, name: str, cell: str, unit: str) -> ReadingError:
    return ReadingError(
        _("{file}: column {name} holds {cell}, expected: numbers with the unit {unit}. Correct the cell.").format(
            file=file.name, name=repr(name), cell=repr(cell[:60]), unit=unit
        )
    )
