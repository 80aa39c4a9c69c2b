"""Several files as one table: the same columns are required of all, the rows stand below each other.

The files may have their columns in another order, and each its own encoding. A column that a file lacks, has beyond the others,
or has with another type or unit is refused with its name and both files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from aprendiz.lab.cells import word_for
from aprendiz.lab.columns.quantities import Measured
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.scan import Spoiled
from aprendiz.lab.series import kind_of_series, words
from aprendiz.locale import _

Part = tuple[str, Contents]  # the name of a file, and what is in it


def stacked(parts: Sequence[Part]) -> Contents:
    """The rows of all files."""
    if len(parts) == 1:
        return parts[0][1]
    (first_name, first), *others = parts
    for name, one in others:
        refuse_other_columns(first_name, first, name, one)
    columns = {name: stacked_column(name, [(file, one.columns[name]) for file, one in parts]) for name in first.columns}
    refuse_other_units(parts)
    remarks = list(merged([remark for _name, one in parts for remark in one.remarks]))
    labels = {name: label for _name, one in reversed(parts) for name, label in one.labels.items()}
    mixed = next((one.mixed for _name, one in parts if one.mixed), None)
    return replace(first, columns=columns, remarks=remarks, labels=labels, mixed=mixed)


def refuse_other_columns(first_name: str, first: Contents, name: str, one: Contents) -> None:
    """Which file lacks which column."""
    words = _("{file} has no column {name}, which {other} has: give files of the same columns.")
    for column in first.columns:
        if column not in one.columns:
            raise ReadingError(words.format(file=name, name=repr(column), other=first_name))
    for column in one.columns:
        if column not in first.columns:
            raise ReadingError(words.format(file=first_name, name=repr(column), other=name))


def refuse_other_units(parts: Sequence[Part]) -> None:
    """Numbers of kilograms are not put below numbers of pounds, or of nothing."""
    units = [{r.name: r.unit for r in one.remarks if isinstance(r, Measured)} for _name, one in parts]
    for column in dict.fromkeys(name for known in units for name in known):
        have = [(known.get(column, ""), file) for known, (file, one) in zip(units, parts, strict=True) if filled(one, column)]
        other = next((pair for pair in have if pair[0] != have[0][0]), None)
        if other is not None:
            words = _("Column {name} has the unit {unit} in {file} and {other_unit} in {other}: write all files in one unit.")
            raise ReadingError(
                words.format(
                    name=repr(column),
                    unit=have[0][0] or _("none"),
                    file=have[0][1],
                    other_unit=other[0] or _("none"),
                    other=other[1],
                )
            )


def filled(one: Contents, column: str) -> bool:
    return not bool(pd.isna(pd.Series(one.columns[column])).all())


def merged(remarks: Sequence[Any]) -> Iterator[Any]:
    """What is said of the files, each column once."""
    spoiled = dict[tuple[str, bool], Spoiled]()
    for one in remarks:
        if isinstance(one, Spoiled):
            key = (one.name, bool(one.words))
            before = spoiled.get(key)
            cells = one.cells + (before.cells if before else 0)
            known = tuple(sorted({*one.words, *(before.words if before else ())}))
            spoiled[key] = replace(one, cells=cells, words=known)
    yield from spoiled.values()
    rest = [one for one in remarks if not isinstance(one, Spoiled)]
    yield from (one for number, one in enumerate(rest) if one not in rest[:number])


# ---- the cells -----------------------------------------------------------------------------------------------------------


def stacked_column(name: str, parts: Sequence[tuple[str, Any]]) -> Any:
    """The cells of a column of all files, as the reader of one file would give them."""
    columns = [(file, pd.Series(values)) for file, values in parts]
    known = [(file, column, kind_of_series(column)) for file, column in columns if column.notna().any()]
    if not known:
        return np.full(sum(len(column) for _file, column in columns), np.nan)
    file, _column, kind = known[0]
    for other, _values, other_kind in known[1:]:
        if other_kind != kind:
            problem = _(
                "Column {name} is {kind} in {file} and {other_kind} in {other}: correct one of them, or read all as text "
                "(types={{{name}: 'text'}}, or --type {column}=text)."
            )
            given = {"name": repr(name), "column": name, "file": file, "other": other}
            raise ReadingError(problem.format(**given, kind=word_for(kind), other_kind=word_for(other_kind)))
    pieces = [column for _file, column in columns]
    if kind == "text":
        return stacked_text(pieces)
    if kind == "boolean":
        cells = pd.concat([column.astype("boolean") for column in pieces], ignore_index=True)
        return cells.array if cells.isna().any() else cells.to_numpy(bool)
    dtype = "float64" if kind == "number" else known[0][1].dtype
    return pd.concat([column.astype(dtype) for column in pieces], ignore_index=True).to_numpy()


def stacked_text(pieces: Sequence[Any]) -> Any:
    """Words of all files: levels that are declared keep their order, others are sorted."""
    filled = [column for column in pieces if column.notna().any()]
    levels = [tuple(column.cat.categories) if isinstance(column.dtype, pd.CategoricalDtype) else () for column in filled]
    longest = max(levels, key=len)
    declared = all(levels) and (list(longest) != sorted(longest) or any(column.cat.ordered for column in filled))
    if declared and all(in_order(some, longest) for some in levels):
        ordered = all(column.cat.ordered for column in filled)
        all_cells = np.concatenate([np.asarray(column, dtype=object) for column in pieces])
        return pd.Categorical(all_cells, categories=list(longest), ordered=ordered)
    cells = [pa.array(np.asarray(column, dtype=object), pa.string(), from_pandas=True) for column in pieces]
    return words(pa.chunked_array(cells))


def in_order(some: Sequence[str], all_levels: Sequence[str]) -> bool:
    """Do levels occur among others, in the same order?"""
    rest = iter(all_levels)
    return all(level in rest for level in some)
