"""How a file writes its table: the plain values that a model keeps, so that later files are read the same way.

    encoding, separator, quote, escape       how bytes become cells
    skip, comment, header                    which lines are not rows
    decimal, thousands, day_first, missing   how cells become numbers, dates and gaps (cells.py)
    types                                    what each column held when the table was read
    words                                    the words that are missing cells in a column of numbers
    units                                    columns of numbers with a unit: the unit, the decimal sign, the sign of thousands
    sheet                                    which sheet of a workbook
    lists                                    columns of lists: what stands between two items

The values are found by sniffing.py and can be given by name: `read(path, separator=";", decimal=",")`.
"""

from __future__ import annotations

import codecs
import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aprendiz.lab.cells import TYPES, CellFormat
from aprendiz.locale import _

AS_CELLS = {"list": "text", "place": "text", "latitude": "number", "longitude": "number"}
KINDS = ("csv", "parquet", "arff", "excel", "json", "stata", "spss", "sas")
MISSING = (
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "<NA>", "\\N"),
    *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"),
)
NOT_OF_FILES = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")


@dataclass(frozen=True)
class Dialect:
    """How a file writes its table.

    Parameters
    ----------
    kind : "csv", "parquet", "arff", "excel", "json", "stata", "spss" or "sas"
    encoding : str
        As Python names it; "utf-8" with or without a byte-order mark.
    separator : str
        A character, or one with the space that always follows it; empty if there is one column only.
    quote, escape : str
        What surrounds a cell (empty: nothing does), and what stands before a quote inside it.
    decimal, thousands : str
        The signs inside numbers; `thousands` is empty if digits are not grouped.
    day_first : bool
        Whether 3/4/2024 is in April.
    header : bool
        Whether the first line contains the column names.
    skip : int
        Lines before the header, or before the first row.
    comment : str
        The character that begins lines to be left out, or empty.
    missing : tuple of str
        The tokens of missing cells.
    types : tuple of pairs of name and type, or a mapping
        "number", "boolean", "date", "text", "list", "place" (40.4, -3.7), "latitude" or "longitude" of columns that are to be
        read so, whatever their cells look like.
    words : tuple of pairs of name and words, or a mapping
        The words that mark a missing cell in single columns of numbers.
    units : tuple of pairs of name and (unit, decimal, thousands), or a mapping
        The columns whose numbers have a unit (12 kg, 15 %), and how they are written.
    sheet : str
        The sheet of a workbook.
    lists : tuple of pairs of name and separator, or a mapping
        What stands between the items of columns of lists.
    """

    kind: str = "csv"
    encoding: str = "utf-8"
    separator: str = ","
    quote: str = '"'
    escape: str = '"'
    decimal: str = "."
    thousands: str = ""
    day_first: bool = True
    header: bool = True
    skip: int = 0
    comment: str = ""
    missing: tuple[str, ...] = MISSING
    types: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    units: tuple[tuple[str, tuple[str, str, str]], ...] = ()
    sheet: str = ""
    lists: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.missing, str) or not isinstance(self.missing, Iterable):
            raise TypeError(_("missing={value}: give a list of strings, such as ['', '-9'].").format(value=repr(self.missing)))
        pairs = self.types.items() if isinstance(self.types, Mapping) else self.types
        object.__setattr__(self, "sheet", str(self.sheet))
        object.__setattr__(self, "missing", tuple(str(token) for token in self.missing))
        object.__setattr__(self, "types", tuple((str(name), kind) for name, kind in pairs))
        lists = self.words.items() if isinstance(self.words, Mapping) else self.words
        object.__setattr__(self, "words", tuple((str(name), tuple(map(str, words))) for name, words in lists))
        units = self.units.items() if isinstance(self.units, Mapping) else self.units
        object.__setattr__(self, "units", tuple((str(name), tuple(map(str, signs))) for name, signs in units))
        separators = self.lists.items() if isinstance(self.lists, Mapping) else self.lists
        object.__setattr__(self, "lists", tuple((str(name), str(separator)) for name, separator in separators))
        self.check()

    def check(self) -> None:
        """Refuse values that no file can have."""
        choices: dict[str, tuple[Any, ...]] = {
            "kind": KINDS,
            "decimal": (".", ","),
            "thousands": ("", ",", ".", " ", "'", "\u00a0", "\u202f"),
            "header": (True, False),
            "day_first": (True, False),
        }
        for field, allowed in choices.items():
            if getattr(self, field) not in allowed:
                raise ValueError(refusal(field, getattr(self, field), ", ".join(map(repr, allowed))))
        for name, kind in self.types:
            if kind not in TYPES:
                raise ValueError(refusal(f"types[{name!r}]", kind, ", ".join(map(repr, TYPES))))
        for field in ("quote", "escape", "comment"):
            if not isinstance(getattr(self, field), str) or len(getattr(self, field)) > 1:
                raise ValueError(refusal(field, getattr(self, field), _("a single character, or nothing")))
        if not isinstance(self.skip, int) or self.skip < 0:
            raise ValueError(refusal("skip", self.skip, _("the number of lines before the header")))
        self.check_separator()
        self.check_encoding()

    def check_separator(self) -> None:
        one = isinstance(self.separator, str) and (len(self.separator) <= 1 or self.separator[1:] == " ")
        if not one or self.separator[:1] in ("\n", "\r"):
            raise ValueError(refusal("separator", self.separator, _("a single character, optionally followed by a space")))
        if self.separator and self.separator[0] == self.quote:
            raise ValueError(refusal("separator", self.separator, _("a character that has no other meaning")))
        if self.thousands == self.decimal:
            raise ValueError(refusal("thousands", self.thousands, _("a character other than the decimal separator")))

    def check_encoding(self) -> None:
        """Python's codecs of bytes (zip, hex, rot13), of single names (idna) and of its source are no encodings of files."""
        try:
            found = codecs.lookup(self.encoding)
        except (LookupError, ValueError, TypeError):
            found = None
        if found is None or found.name in NOT_OF_FILES or not getattr(found, "_is_text_encoding", True):
            raise ValueError(refusal("encoding", self.encoding, "'utf-8', 'utf-16', 'cp1252', 'latin-1'"))

    def as_cells(self) -> Dialect:
        """The dialect under which lists and places are text, and coordinates numbers: so they are read."""
        return dataclasses.replace(self, types=tuple((name, AS_CELLS.get(kind, kind)) for name, kind in self.types))

    @property
    def cells(self) -> CellFormat:
        """The rules for single cells."""
        return CellFormat(self.decimal, self.thousands, self.day_first, self.missing)

    @property
    def delimiter(self) -> str:
        """What parsers get as the separator: a character that no text holds, if there is one column only."""
        return self.separator or "\x1f"


FIELDS = tuple(field.name for field in dataclasses.fields(Dialect))


def check_names(given: Mapping[str, Any]) -> None:
    """Refuse options that there are not."""
    for name in given:
        if name not in FIELDS:
            raise TypeError(
                _("There is no option {name}; the options are {known}.").format(name=repr(name), known=", ".join(FIELDS))
            )


def refusal(field: str, value: Any, allowed: str) -> str:
    return _("{field}={value} is not valid: give {allowed}.").format(field=field, value=repr(value), allowed=allowed)
