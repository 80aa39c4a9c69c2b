"""Files of Stata (.dta), SPSS (.sav, .zsav, .por) and SAS (.sas7bdat, .xpt), which say more of their columns than their cells.

    value labels        1 "never", 2 "often": the column becomes text, its levels in the order of the codes; ordered if the file
                        says that it is ordinal. A column with labels for a few of its values only stays a column of numbers
    variable labels     stand in the card
    declared missing    9999 of SPSS, .a to .z of Stata and SAS: missing cells, which a note counts
    dates               are dates, weeks, months and quarters of Stata too; times of day become hours

Reading is ReadStat's, through pyreadstat (record 0076). `types={"sex": "number"}` reads the codes instead of the labels.

Cost: as the frame that pyreadstat builds, and half a second for another process that tries the file first.
"""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from aprendiz.core.rows import Array
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.parquet import gaps, retyped
from aprendiz.lab.formats.plain_copy import TimesAsHours, cell_text, hours_of
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, refuse_large
from aprendiz.lab.records import unique
from aprendiz.lab.series import series
from aprendiz.locale import _, format_whole, ngettext

MOST_SHOWN = 5  # values of a note
MONTHS, WEEKS = {"%tm": 1, "%tq": 3, "%th": 6}, "%tw"  # of a period of Stata, which are counted from 1960; 52 weeks in a year
END_OF_PORTABLE = b"Z"  # fills the last line


@dataclass(frozen=True)
class DeclaredMissing:
    """A column with cells that the file declares to be missing."""

    name: str
    cells: int
    values: tuple[str, ...]

    def sentence(self) -> str:
        return ngettext(
            "column {name}: {count} cell has a value that the file declares missing: {values}",
            "column {name}: {count} cells have values that the file declares missing: {values}",
            self.cells,
        ).format(name=repr(self.name), count=format_whole(self.cells), values=shown(self.values))


@dataclass(frozen=True)
class FewLabels:
    """A column of numbers, a few of which have labels."""

    name: str
    labels: tuple[str, ...]

    def sentence(self) -> str:
        return _("column {name} has labels for a few of its values and stays a column of numbers: {labels}").format(
            name=repr(self.name), labels=shown(self.labels)
        )


def shown(values: Sequence[str]) -> str:
    return ", ".join(values[:MOST_SHOWN]) + (", …" if len(values) > MOST_SHOWN else "")


def read_statistical(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of a file of Stata, SPSS or SAS."""
    asked.ask("missing", lambda: ((), ""))
    frame, known = frame_of(file, asked)
    if not len(frame):
        raise ReadingError(_("{file} holds no rows.").format(file=file.name))
    names, renamed = unique([str(name).strip() for name in frame.columns])
    columns, remarks, given = dict[str, Any](), list[Any](), dict(asked.dialect.types)
    for number, (name, written) in enumerate(zip(names, frame.columns, strict=True)):
        about = Variable(known, written, name)
        values, missing = about.without_missing(frame.iloc[:, number])
        columns[name] = column(file, about, values, given.get(name), asked.dialect, remarks)
        if missing is not None:
            remarks.append(missing)
    labels = {
        new: label for new, old in zip(names, frame.columns, strict=True) if (label := known.column_names_to_labels.get(old))
    }
    return Contents(columns, renamed, remarks, labels)


def frame_of(file: Path, asked: Questions) -> tuple[Any, Any]:
    """The cells as pyreadstat gives them, and what the file says of them."""
    import pyreadstat

    with file.open("rb") as opened:
        start = opened.read(8)
    read: Callable[..., Any] = {
        "stata": pyreadstat.read_dta,
        "spss": pyreadstat.read_sav if start.startswith(b"$FL") else pyreadstat.read_por,
        "sas": pyreadstat.read_xport if start.startswith(b"HEADER") else pyreadstat.read_sas7bdat,
    }[asked.dialect.kind]
    more: dict[str, Any] = {"encoding": asked.dialect.encoding} if asked.is_known("encoding") else {}
    if read in (pyreadstat.read_dta, pyreadstat.read_sav, pyreadstat.read_sas7bdat):
        more["user_missing"] = True
    if read is pyreadstat.read_por:
        more = {}
    try:
        if read is pyreadstat.read_por and not file.read_bytes().rstrip().endswith(END_OF_PORTABLE):
            raise OSError("it has no end")
        refuse_fatal(file, read.__name__)
        _nothing, about = read(str(file), metadataonly=True, **more)
        refuse_large(file, 8 * max(0, about.number_rows or 0) * (about.number_columns or 0))
        found: tuple[Any, Any] = read(str(file), dates_as_pandas_datetime=True, **more)
    except UnicodeError as error:
        raise ReadingError(
            _("{file} is not {encoding}: give its encoding (encoding=…).").format(file=file.name, encoding="UTF-8")
        ) from error
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, ReadingError):
            raise
        words = _("{file} is a damaged file of {format}, or of a version that cannot be read ({problem}): export it again.")
        format_name = {"stata": "Stata", "spss": "SPSS", "sas": "SAS"}[asked.dialect.kind]
        raise ReadingError(words.format(file=file.name, format=format_name, problem=str(error).rstrip("."))) from error
    return found


def refuse_fatal(file: Path, reader: str) -> None:
    """Refuse a file whose description ends the process that reads it, as some damaged ones do: another process tries it."""
    code = f"import sys, pyreadstat; pyreadstat.{reader}(sys.argv[1], metadataonly=True, output_format='dict')"
    tried = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, check=False)
    if tried.returncode < 0:
        raise OSError("its description ends the reader")


# ---- columns ---------------------------------------------------------------------------------------------------------------


class Variable:
    """What the file says of a column."""

    def __init__(self, known: Any, written: str, name: str):
        self.name = name
        self.labels: Mapping[Any, str] = known.variable_value_labels.get(written, {})
        self.ranges = known.missing_ranges.get(written, [])
        self.tags = known.missing_user_values.get(written, [])
        self.ordinal = known.variable_measure.get(written) == "ordinal"
        self.form = str(known.original_variable_types.get(written) or "")

    def without_missing(self, values: Any) -> tuple[Any, DeclaredMissing | None]:
        """The cells, and how many the file declares missing."""
        missing = np.zeros(len(values), dtype=bool)
        if self.tags:
            missing |= values.isin([tag for tag in self.tags if isinstance(tag, str)]).to_numpy()
        for one in self.ranges:
            with_numbers = values.dtype.kind in "fiu"
            low, high = one["lo"], one["hi"]
            inside = values.between(low, high) if with_numbers and low != high else values == low
            missing |= inside.fillna(False).to_numpy(bool)
        if not missing.any():
            return values, None
        declared = tuple(self.in_words(value) for value in pd.unique(values[missing]))
        rest = values.mask(missing)
        if self.tags and rest.dtype == object:
            rest = pd.to_numeric(rest)
        return rest, DeclaredMissing(self.name, int(missing.sum()), declared)

    def is_missing(self, code: Any) -> bool:
        """Is a code declared missing?"""
        return isinstance(code, str) or any(
            isinstance(one["lo"], float) and one["lo"] <= code <= one["hi"] for one in self.ranges
        )

    def in_words(self, value: Any) -> str:
        """A value with its label."""
        written = f".{value}" if value in self.tags else cell_text(value, ".")
        label = self.labels.get(value)
        return f"{written} ({label})" if label else written


def column(file: Path, about: Variable, values: Any, wanted: str | None, dialect: Dialect, remarks: list[Any]) -> Any:
    """A column as pandas keeps it."""
    if values.dtype.kind == "M":
        return as_wanted(file, about.name, "date", pa.array(values.astype("datetime64[us]"), from_pandas=True), wanted, dialect)
    if values.dtype.kind in "fiub":
        return column_of_numbers(file, about, values, wanted, dialect, remarks)
    cells = [None if cell is None or cell != cell else cell for cell in values]
    if any(isinstance(cell, (dt.time, dt.timedelta)) for cell in cells):
        remarks.append(TimesAsHours(about.name))
        hours = [None if cell is None else hours_of(cell) for cell in cells]
        return as_wanted(file, about.name, "number", pa.array(hours, pa.float64()), wanted, dialect)
    words = [about.labels.get(cell, str(cell)) if cell is not None and str(cell).strip() else None for cell in cells]
    return as_wanted(file, about.name, "text", pa.array(words, pa.string()), wanted, dialect)


def column_of_numbers(
    file: Path, about: Variable, values: Any, wanted: str | None, dialect: Dialect, remarks: list[Any]
) -> Any:
    """Numbers, the labels of their codes, or the dates that they count."""
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    if (dates := dates_of_periods(numbers, about.form)) is not None:
        return as_wanted(file, about.name, "date", pa.array(dates, from_pandas=True), wanted, dialect)
    labels = {float(code): str(label) for code, label in about.labels.items() if not about.is_missing(code)}
    present = set(np.unique(numbers[~np.isnan(numbers)]).tolist())
    if labels and present <= set(labels) and wanted in (None, "text"):
        return categories_of(numbers, labels, about.ordinal)
    if labels and wanted is None and present & set(labels):
        remarks.append(
            FewLabels(about.name, tuple(f"{cell_text(code, '.')} ({labels[code]})" for code in sorted(present & set(labels))))
        )
    return as_wanted(file, about.name, "number", pa.array(numbers, from_pandas=True), wanted, dialect)


def categories_of(numbers: Array, labels: Mapping[float, str], ordinal: bool) -> Any:
    """The labels of codes, in the order of the codes. A label of several codes gets the code as well."""
    codes = sorted(labels)
    several = {label for label in labels.values() if list(labels.values()).count(label) > 1}
    levels = [f"{labels[code]} ({cell_text(code, '.')})" if labels[code] in several else labels[code] for code in codes]
    places = np.where(np.isnan(numbers), -1, np.searchsorted(codes, np.nan_to_num(numbers)))
    return pd.Categorical.from_codes(places.astype(np.int64), categories=levels, ordered=ordinal)


def dates_of_periods(numbers: Array, form: str) -> Any:
    """The first day of Stata's weeks, months, quarters and half-years; None of other columns."""
    if form[:3] not in (*MONTHS, WEEKS):
        return None
    known = ~np.isnan(numbers)
    whole = np.where(known, numbers, 0).astype(np.int64)
    months = np.datetime64("1960-01", "M") + whole * MONTHS.get(form[:3], 1)
    weeks = (np.datetime64("1960", "Y") + whole // 52).astype("datetime64[D]") + 7 * (whole % 52)
    days = (weeks if form[:3] == WEEKS else months).astype("datetime64[us]")
    return np.where(known, days, np.datetime64("NaT", "us"))


def as_wanted(file: Path, name: str, kind: str, values: Any, wanted: str | None, dialect: Dialect) -> Any:
    """An arrow column as pandas keeps it, in the type that is asked for."""
    if wanted is not None and wanted != kind:
        cells = pa.array([None if cell is None else cell_text(cell, ".") for cell in values.to_pylist()], pa.string())
        return series(wanted, retyped(file, name, cells, wanted, dialect))
    return series(kind, gaps(values, dialect) if kind == "text" else values)
