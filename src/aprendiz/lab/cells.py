"""What a cell of text says: a number, a truth value, a date, or words. The rules, in Python and in SQL.

    number     3   −0.5   1e-3   .5   and, where the file writes them so, 3,5 and 1.234,5;
               not 007 (a code), not inf, not a whole number from 2⁵³ on (a double could change it)
    boolean    true, false, in capitals too
    date       2024-02-29, with a time or without, and 29/2/2024 (or 2/29/2024 where months come first)
    text       everything else, kept as it is

and, of columns of text, list (columns/list_cells.py) and place (columns/place_cells.py); latitude and longitude are numbers.

Spaces around a number, a truth value or a date do not count. A cell is missing if it is one of the tokens of the file, or,
where the empty cell is one of them, if it holds nothing but spaces.

Python judges the first lines (dialect.py); SQL judges all rows. Both use the same patterns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from aprendiz.locale import _

TYPES = ("number", "boolean", "date", "text", "list", "place", "latitude", "longitude")
EXACT = 2**53 - 1  # up to here a double is one whole number and no other
TIME = "([T ](?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6})?)?)"
ISO = f" *([12][0-9]{{3}})[-/]([0-9]{{2}})[-/]([0-9]{{2}})(?:{TIME}(?:Z|[+]00:00)?)? *"
DAYS = f" *([0-9]{{1,2}})[-/.]([0-9]{{1,2}})[-/.]([12][0-9]{{3}}){TIME}? *"
WHOLE = " *[+-]?[0-9]+ *"


def number_pattern(decimal: str = ".", thousands: str = "") -> str:
    """The pattern of a number with the given signs."""
    whole = "0|[1-9][0-9]*"
    if thousands:
        whole += f"|[1-9][0-9]{{0,2}}([{thousands}][0-9]{{3}})+"
    return f" *[+-]?(({whole})([{decimal}][0-9]*)?|[{decimal}][0-9]+)([eE][+-]?[0-9]+)? *"


@dataclass(frozen=True)
class CellFormat:
    """How the cells of a file are written.

    Parameters
    ----------
    decimal, thousands : str
        The decimal sign, and the sign between groups of three digits (none: empty).
    day_first : bool
        Whether 3/4/2024 is in April.
    missing : tuple of str
        The tokens of a missing cell.
    """

    decimal: str = "."
    thousands: str = ""
    day_first: bool = True
    missing: tuple[str, ...] = ("",)

    # ---- in Python -----------------------------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> frozenset[str]:
        return frozenset(self.missing)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(number_pattern(self.decimal, self.thousands))

    def is_missing(self, cell: str) -> bool:
        return cell in self.tokens or ("" in self.tokens and not cell.strip(" "))

    def number(self, cell: str) -> float | None:
        if self.pattern.fullmatch(cell) is None:
            return None
        plain = cell.replace(self.thousands, "") if self.thousands else cell
        value = float(plain.replace(self.decimal, "."))
        exact = abs(value) <= EXACT or (math.isfinite(value) and re.fullmatch(WHOLE, plain) is None)
        return value if exact else None

    def boolean(self, cell: str) -> bool | None:
        return {"true": True, "false": False}.get(cell.strip(" ").lower())

    def date(self, cell: str) -> datetime | None:
        if found := re.fullmatch(ISO, cell):
            year, month, day, time = found.group(1, 2, 3, 4)
        elif found := re.fullmatch(DAYS, cell):
            first, second, year, time = found.group(1, 2, 3, 4)
            day, month = (first, second) if self.day_first else (second, first)
        else:
            return None
        hours, minutes, seconds = (*(time or "T0:0:0")[1:].split(":"), "0")[:3]
        whole, _point, fraction = seconds.partition(".")
        clock = (int(hours), int(minutes), int(whole), int(fraction.ljust(6, "0")))
        try:
            return datetime(int(year), int(month), int(day), *clock)
        except ValueError:
            return None

    def judge(self, kind: str) -> Callable[[str], Any]:
        """The function that gives the value of a cell of a type, None if it has none."""
        judges: dict[str, Callable[[str], Any]]
        judges = {"number": self.number, "boolean": self.boolean, "date": self.date, "text": str}
        return judges[kind]

    # ---- in SQL --------------------------------------------------------------------------------------------------------

    def sql(self, kind: str, cell: str) -> str:
        """The value of a cell of a type in SQL, NULL if it has none. Tokens but the empty one are NULL already."""
        return {"number": self.sql_number, "boolean": sql_boolean, "date": self.sql_date, "text": self.sql_text}[kind](cell)

    def sql_text(self, cell: str) -> str:
        return f"CASE WHEN {self.sql_present(cell)} THEN {cell} END"

    def sql_present(self, cell: str) -> str:
        return f"trim({cell}, ' ') <> ''" if "" in self.tokens else f"{cell} IS NOT NULL"

    def sql_number(self, cell: str) -> str:
        plain = cell if not self.thousands else f"replace({cell}, {quoted(self.thousands)}, '')"
        plain = plain if self.decimal == "." else f"replace({plain}, {quoted(self.decimal)}, '.')"
        value = f"try_cast({plain} AS DOUBLE)"
        return (
            f"CASE WHEN NOT regexp_full_match({cell}, {quoted(self.pattern.pattern)}) THEN NULL WHEN abs({value}) <= {EXACT} "
            f"OR (isfinite({value}) AND NOT regexp_full_match({plain}, {quoted(WHOLE)})) THEN {value} END"
        )

    def sql_date(self, cell: str) -> str:
        order = r"\3-\2-\1\4" if self.day_first else r"\3-\1-\2\4"
        turned = f"regexp_replace({cell}, {quoted(f'^{DAYS}$')}, {quoted(order)})"
        return (
            f"CASE WHEN regexp_full_match({cell}, {quoted(ISO)}) THEN try_cast(replace(trim({cell}), '/', '-') AS TIMESTAMP) "
            f"WHEN regexp_full_match({cell}, {quoted(DAYS)}) THEN try_cast({turned} AS TIMESTAMP) END"
        )


def word_for(kind: str) -> str:
    """A type in the language of the reader."""
    usual = {"number": _("number"), "boolean": _("boolean"), "date": _("date"), "text": _("text")}
    others = {"list": _("list"), "place": _("place"), "latitude": _("latitude"), "longitude": _("longitude")}
    return {**usual, **others}[kind]


def sql_boolean(cell: str) -> str:
    return f"CASE lower(trim({cell}, ' ')) WHEN 'true' THEN true WHEN 'false' THEN false END"


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
