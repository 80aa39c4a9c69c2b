"""What the reader of a kind of file hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aprendiz.lab.facts import Facts
from aprendiz.lab.large_tables.chosen_rows import SampledRows


@dataclass(frozen=True)
class Contents:
    """The contents of a file.

    Attributes
    ----------
    columns : dict of str to array or series
        As pandas keeps them (series.py).
    renamed : tuple of pairs of str
        Columns that got another name: the old one and the new one.
    remarks : list
        What should be said of single columns (notes.py).
    labels : mapping of str to str
        What the file says that columns mean.
    mixed : pair of int, optional
        A line of UTF-8, and one that is not, of a file that mixes encodings.
    facts : tuple of Facts, optional
        Of the columns, where they are not those of `columns`: the facts of all rows of a file of which `columns` is a sample.
    sample : SampledRows, optional
        Which rows these are.
    """

    columns: dict[str, Any]
    renamed: tuple[tuple[str, str], ...] = ()
    remarks: list[Any] = field(default_factory=list)
    labels: Mapping[str, str] = field(default_factory=dict)
    mixed: tuple[int, int] | None = None
    facts: tuple[Facts, ...] | None = None
    sample: SampledRows | None = None
