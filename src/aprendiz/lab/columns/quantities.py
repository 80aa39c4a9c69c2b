"""Numbers that are written with a unit: 12 kg, € 3,50, 15 %, 10-20 cm. Found in columns of text, and read as numbers.

    quantity     [currency] number [unit], or two numbers with a dash between them, lower one first, and a unit
    unit         %, ‰, °C, currencies, the usual units of measure in any case; another word only after a space
    range        becomes its middle; ranges without a unit must come again (10-20, 20-30), for codes look like them

All cells of a column must be so, with one unit; a tenth of them may lack it. Signs are those of the file if the cells can be
read with them, else those under which all cells can. Each distinct cell is looked at once, and only the first ones if these are
no quantities.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from aprendiz.lab.cells import CellFormat
from aprendiz.lab.sniffing import SIGNS
from aprendiz.locale import _, format_whole, number

MONEY = "€ $ £ ¥ ₹ US$ EUR USD GBP JPY CHF MXN COP ARS BRL"
MEASURES = (
    "% ‰ ° °C °F ºC ºF kg g mg µg μg ng t lb oz m cm mm µm μm nm km in ft mi yd l L dl cl ml mL µl μl s sec ms min h hr d day "
    "week month year día semana mes año hora Hz kHz MHz GHz B kB KB MB GB TB W kW MW kWh V mV mA J kJ cal kcal Pa kPa hPa MPa "
    "bar mbar mmHg mol mmol mmol/l mmol/L mg/dl mg/dL g/dl g/dL g/l g/L km/h m/s mph rpm bpm px m² m2 km² km2 ha m³ m3 "
    "cm² cm³ cm3"
)
KNOWN = frozenset((*MONEY.split(), *MEASURES.split()))
SPACE = "[ \u00a0\u202f]*"
PLURALS = {"lbs": "lb", "hrs": "hr", "yrs": "year", "yr": "year", "meses": "mes", "μg": "µg", "μm": "µm", "μl": "µl", "º": "°"}
FIRST = 100  # distinct cells that are looked at first
BARE = 0.1  # share of the cells that may have no unit
FEW_RANGES = 50  # distinct ranges without a unit


@dataclass(frozen=True)
class Measured:
    """A column of quantities that was read as numbers: an example, its value, and how they are written."""

    name: str
    unit: str
    decimal: str
    thousands: str
    example: str
    value: float
    ranges: bool = False
    words: tuple[str, ...] = ()  # none of them was read as missing

    def sentence(self) -> str:
        """What was done."""
        if self.ranges:
            words = _(
                "column {name} holds ranges: the middle is used, such as {value} for {example}; "
                "types[{name}]='text' keeps the text"
            )
        else:
            words = _(
                "column {name} holds numbers with the unit {unit}: {example} is read as {value}; "
                "types[{name}]='text' keeps the text"
            )
        value, example = number(self.value), repr(self.example)
        return words.format(name=repr(self.name), unit=self.unit, example=example, value=value)


@dataclass(frozen=True)
class MixedUnits:
    """A column of quantities in several units, which stays text."""

    name: str
    units: tuple[tuple[str, int], ...]
    words: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What to do about it."""
        units = ", ".join(f"{unit} ({format_whole(cells)})" for unit, cells in self.units[:5])
        return _("column {name} mixes units, so it stays text: {units}; write all cells in one unit").format(
            name=repr(self.name), units=units
        )


@dataclass(frozen=True)
class Quantity:
    """A cell: its value, its unit (empty if it has none), and whether it is a range."""

    value: float
    unit: str
    range: bool


class QuantityFormat:
    """How quantities are written, with given signs."""

    def __init__(self, decimal: str, thousands: str):
        self.cells = CellFormat(decimal, thousands)
        figures = self.cells.pattern.pattern.removeprefix(" *[+-]?").removesuffix(" *").replace("(", "(?:")
        before, after = r"(?P<before>[^\d\s.,+-]{0,3})", r"(?P<after>[^\d\s.,+-][^\s,;]{0,11})?"
        second = rf"(?:{SPACE}(?:-|–|—|\bto\b|\ba\b){SPACE}(?P<second>{figures}))?"
        first = rf"(?P<sign>-?){before}{SPACE}(?P<first>[+-]?{figures})"
        self.pattern = re.compile(f"{SPACE}{first}{second}(?P<space>{SPACE}){after}{SPACE}")

    def of(self, cell: str) -> Quantity | None:
        """The quantity that a cell holds."""
        found = self.pattern.fullmatch(cell)
        if found is None or (found["before"] and found["after"]):
            return None
        unit = usual(found["before"] or found["after"] or "")
        if (found["before"] and unit not in MONEY.split()) or (unit and unit not in KNOWN and not found["space"]):
            return None
        first = self.cells.number(found["first"])
        if first is None:
            return None
        if found["second"] is None:
            return Quantity(-first if found["sign"] else first, unit, False)
        second = self.cells.number(found["second"])
        return (
            Quantity((first + second) / 2, unit, True) if second is not None and second > first and not found["sign"] else None
        )


def usual(unit: str) -> str:
    """The usual form of a unit: days is day, µ is one letter."""
    if unit in PLURALS:
        return PLURALS[unit]
    return unit[:-1] if unit.endswith("s") and unit[:-1] in KNOWN and len(unit) > 3 else unit


def recognised(name: str, values: Any, decimal: str, thousands: str, commas: bool) -> tuple[Any, Measured] | MixedUnits | None:
    """The numbers of a column of text, with how they are written; the units if there are several; None if it holds others.

    `commas` says that commas separate the cells of the file.
    """
    coded = values.dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    cells = coded.dictionary.to_pylist()
    if not cells or not any(map(str.isdigit, cells[0])):
        return None
    for signs in signs_to_try(decimal, thousands, commas):
        form = QuantityFormat(*signs)
        if all(form.of(cell) is not None for cell in islice(cells, FIRST)):
            found = [form.of(cell) for cell in cells]
            if all(one is not None for one in found):
                return judged(name, coded, cells, [one for one in found if one is not None], signs)
    return None


def signs_to_try(decimal: str, thousands: str, commas: bool) -> Iterator[tuple[str, str]]:
    """The signs of the file first; "1,234" between quotes is 1234 where commas separate cells."""
    yield decimal, thousands
    yield from sorted(SIGNS, key=lambda pair: commas and pair[0] == ",")


def judged(
    name: str, coded: Any, cells: Sequence[str], found: Sequence[Quantity], signs: tuple[str, str]
) -> tuple[Any, Measured] | MixedUnits | None:
    """Is it one unit, or are they ranges that come again?"""
    codes = coded.indices.drop_null().to_numpy()
    counts = np.bincount(codes, minlength=len(cells))
    units: Counter[str] = Counter()
    for one, count in zip(found, counts.tolist(), strict=True):
        units[one.unit] += count
    bare, ranges = units.pop("", 0), any(one.range for one in found)
    if not units and not (ranges and len(cells) <= FEW_RANGES < len(codes)):
        return None
    if len(units) > 1:
        known = all(unit in KNOWN for unit in units)
        return MixedUnits(name, tuple(units.most_common())) if known else None
    if units and bare > BARE * len(codes):
        return None
    place = next(k for k, one in enumerate(found) if one.unit or (ranges and one.range))
    about = Measured(name, next(iter(units), ""), *signs, cells[place], found[place].value, ranges and not units)
    return numbers(coded, [one.value for one in found]), about


def numbers(coded: Any, values: Sequence[float]) -> Any:
    """The numbers of the cells, from those of the distinct cells."""
    return pa.array(values, pa.float64()).take(coded.indices)


def read_again(name: str, values: Any, unit: str, decimal: str, thousands: str) -> tuple[Any, str | None]:
    """The numbers of a column of another file, written as the earlier one; and the first cell that is not, if there is one."""
    coded = values.dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    form, found = QuantityFormat(decimal, thousands), list[float]()
    for cell in coded.dictionary.to_pylist():
        one = form.of(cell)
        if one is None or one.unit not in ("", unit):
            return None, cell
        found.append(one.value)
    return numbers(coded, found), None
