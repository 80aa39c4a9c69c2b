"""A file as tables that fit into memory, one after the other: a single one, if all of it fits.

    pass 1    types and facts of the columns by all rows, as for a sample (sampled_reading.py)
    pass 2    the rows, block by block, each as `read` would have it

So each block has the columns, types and levels of the whole, and what is wrong with a cell is said before there is a block.

Cost: two passes; memory for a few blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from aprendiz.lab.dialect import check_names
from aprendiz.lab.formats.all_formats import FORMATS
from aprendiz.lab.large_tables.memory_plan import rows_that_fit
from aprendiz.lab.large_tables.sampled_reading import SampledReading, SampleWanted
from aprendiz.lab.opening import limited
from aprendiz.lab.reading import Table, read, table_of
from aprendiz.lab.sources.contents_of_files import questions, unpacked_limit
from aprendiz.lab.sources.places import Paths, places

SHOWN = 1000  # rows that are kept in pass 1, of which nothing is wanted but the facts


def tables_of(
    path: Paths,
    *,
    max_memory: float | str | None = None,
    in_blocks: bool = False,
    on_rows: Callable[[int, float], None] = lambda done, expected: None,
    **reading: Any,
) -> Iterator[Table]:
    """The tables of a file; several files are one table. The arguments are those of `read`; `in_blocks` even if all fits."""
    found = places(path)
    with TemporaryDirectory(prefix="aprendiz-") as folder:
        given = {name: value for name, value in reading.items() if name not in ("like", "also_missing", "max_bytes")}
        check_names(given)
        with limited(unpacked_limit(found[0], folder, reading.get("max_bytes"))):
            file = found[0].plain(Path(folder))
        asked = questions(file, reading.get("like"), given, reading.get("also_missing", ()))
        form = FORMATS[asked.dialect.kind]
        fits = form.size is None or not (in_blocks or rows_that_fit(form.size(file), max_memory))
        if len(found) > 1 or fits or form.blocks is None:
            yield read(path, **reading)
            return
        with limited(float("inf")):
            source = SampledReading(form.blocks(file, asked, Path(folder)), SampleWanted(SHOWN), on_rows)
            described = table_of(found, asked, source.contents(), given)
            for columns in source.blocks(on_rows):
                frame = pd.DataFrame(columns, copy=False)
                yield replace(described, frame=frame, rows=len(frame), sample=None)
