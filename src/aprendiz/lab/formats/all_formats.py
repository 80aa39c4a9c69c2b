"""All kinds of files: how each is called, how it is read, and which values of the dialect mean something for it.

A kind is known by the first bytes of a file (opening.kind). A new one is a reader and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from aprendiz.lab.dialect import FIELDS
from aprendiz.lab.formats.arff import read_arff
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import read_csv
from aprendiz.lab.formats.excel import read_excel
from aprendiz.lab.formats.json_records import read_json
from aprendiz.lab.formats.parquet import read_parquet
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.formats.statistical import read_statistical
from aprendiz.lab.large_tables.blocks import TypedBlocks
from aprendiz.lab.large_tables.csv_blocks import CsvBlocks, size_of_csv
from aprendiz.lab.large_tables.memory_plan import TableSize
from aprendiz.lab.large_tables.parquet_blocks import ParquetBlocks, size_of_parquet
from aprendiz.locale import _

OF_CSV = frozenset(FIELDS) - {"sheet"}
OF_CELLS = frozenset({"kind", "decimal", "thousands", "day_first", "missing", "types", "words", "units"})

OF_STATISTICS = frozenset({"kind", "encoding", "missing", "types"})


@dataclass(frozen=True)
class Format:
    """A kind of files.

    Attributes
    ----------
    name : str
        As people call it.
    read : function
        (file, questions, folder for files that are needed on the way) → contents. It asks its questions of the dialect first.
    options : set of str
        The values of the dialect that can be given for it.
    blocks : function, optional
        (file, questions, folder) → the file in blocks, where it can be read so (large_tables/).
    size : function, optional
        How large the table of such a file is, as far as can be told before it is read.
    """

    name: str
    read: Callable[[Path, Questions, Path], Contents]
    options: frozenset[str]
    blocks: Callable[[Path, Questions, Path], TypedBlocks] | None = None
    size: Callable[[Path], TableSize] | None = None


FORMATS = {
    "csv": Format("CSV", read_csv, OF_CSV, CsvBlocks, size_of_csv),
    "excel": Format("Excel", read_excel, OF_CELLS | {"sheet", "skip", "header"}),
    "json": Format("JSON", read_json, OF_CELLS | {"encoding"}),
    **{
        kind: Format(name, read_statistical, OF_STATISTICS)
        for kind, name in (("stata", "Stata"), ("spss", "SPSS"), ("sas", "SAS"))
    },
    "arff": Format("ARFF", read_arff, frozenset({"kind", "encoding", "missing"})),
    "parquet": Format("Parquet", read_parquet, frozenset({"kind", "missing", "types"}), ParquetBlocks, size_of_parquet),
}


def refuse_options(kind: str, given: Iterable[str]) -> None:
    """Refuse values that a kind of files has not."""
    for name in given:
        if name not in FORMATS[kind].options:
            raise ValueError(
                _("{name}=…: {format} files have no such option; leave it out.").format(name=name, format=FORMATS[kind].name)
            )
