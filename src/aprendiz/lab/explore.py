"""A first look at a table without a target: `explore(read("patients.csv"))`.

    columns        distribution, quantiles, levels, values far out                            (single_columns.py, fences.py)
    missing        patterns, columns that are missing together                                (missing_cells.py)
    duplicates     rows, and columns that say the same                                        (duplicates.py)
    associations   r, η² and V of all pairs, or of the strongest                              (associations.py)
    proposals      which columns could be predicted; which group the rows                     (target_proposals.py)
    findings       what to look at before anything is learned                                 (findings.py)

Each part is a stage; what is stopped between two of them has what was finished. Large tables are sampled (samples.py), and the
page says of what.

Cost: a sort of each column and a hash of each row; pairs of columns as in associations.py. 10⁶ rows × 20 columns, or 72 rows ×
7 000 columns, take some seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.describe import Description
from aprendiz.evaluation.leaks.group_columns import find_groups
from aprendiz.lab.exploration.associations import MOST_LEVELS, described
from aprendiz.lab.exploration.duplicates import duplicate_rows, same_columns
from aprendiz.lab.exploration.findings import findings
from aprendiz.lab.exploration.missing_cells import missing_numbers
from aprendiz.lab.exploration.samples import ROWS_OF_COLUMNS
from aprendiz.lab.exploration.single_columns import column_numbers
from aprendiz.lab.exploration.target_proposals import target_proposals
from aprendiz.lab.facts import Facts
from aprendiz.lab.pages.plain_data import plain, versions
from aprendiz.lab.reading import Table
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.series import as_table_column
from aprendiz.locale import _

FORMAT = 1  # of results.json
MOST_GROUP_COLUMNS, MOST_GROUP_ROWS = 200, 50_000  # more columns are not searched for groups; the first rows are


@dataclass(frozen=True, eq=False, repr=False)
class Exploration(ShortRepr):
    """What was found in a table.

    Attributes
    ----------
    table : Table
    numbers : mapping
        Every number, as results.json holds them; parts that were not computed are None.
    findings : tuple of Finding
        What to look at, warnings first.
    description : Description or None
        Of the columns whose associations are shown.
    stopped : str or None
        "interrupted", if not all parts were computed.
    """

    table: Table
    numbers: Mapping[str, Any]
    findings: tuple[Finding, ...]
    description: Description | None = field(repr=False, default=None)
    stopped: str | None = None

    def __str__(self) -> str:
        lines = [self.table.card(), *(f"• {one.sentence}" for one in self.findings)]
        return "\n".join(lines)

    def write(self, folder: Any) -> Path:
        """Write the page, report.html, and its numbers, results.json, into a folder; the path of the page."""
        from aprendiz.lab.exploration.page import write_exploration

        return write_exploration(self, Path(folder))


def explore(
    table: Table, *, leave_out: Sequence[str] = (), on_stage: Callable[[str], None] = lambda stage: None
) -> Exploration:
    """Look at a table: its columns, gaps, duplicates and associations.

    Parameters
    ----------
    table : Table
        What `read` returns.
    leave_out : list of str
        Columns to ignore.
    on_stage : function of a sentence
        Called before each stage.

    Examples
    --------
    >>> from aprendiz.lab import explore, read
    >>> found = explore(read("patients.csv"))  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    >>> found.write("patients-exploration")  # doctest: +SKIP
    """
    refuse_unknown(table, leave_out)
    begun, parts = perf_counter(), Parts(table, tuple(leave_out))
    stopped = None
    try:
        for stage in parts.stages():
            on_stage(stage)
    except KeyboardInterrupt:
        stopped = "interrupted"
    numbers = parts.numbers | {"stopped": stopped, "seconds": perf_counter() - begun}
    found = tuple(findings(numbers))
    numbers = plain(numbers | {"findings": [asdict(one) for one in found]})
    return Exploration(table, numbers, found, parts.description, stopped)


def refuse_unknown(table: Table, names: Sequence[str]) -> None:
    """A name that no column has."""
    known = [str(name) for name in table.frame.columns]
    for name in names:
        if name not in known:
            raise ValueError(
                _("{role}: the table has no column {name}; it has {known}.").format(
                    role="leave-out", name=repr(name), known=", ".join(map(repr, known[:30]))
                )
            )


@dataclass
class Parts:
    """The parts of an exploration, filled one after the other."""

    table: Table
    leave_out: tuple[str, ...]
    numbers: dict[str, Any] = field(default_factory=dict)
    description: Description | None = None

    def __post_init__(self) -> None:
        self.kept = [one for one in self.table.facts if one.name not in self.leave_out]
        self.roles = {role.name: role for role in self.table.roles}
        names = ("missing", "duplicate_rows", "same_columns", "associations", "groups", "targets")
        self.numbers = {
            "format": FORMAT,
            "what": "exploration",
            "versions": versions(),
            "ended": datetime.now().astimezone().isoformat(timespec="seconds"),
            "table": of_table(self.table),
            "left_out": list(self.leave_out),
            "columns": [],
            "sampled": {
                "rows_of_columns": min(self.table.rows, ROWS_OF_COLUMNS),
                "rows_of_groups": min(self.table.rows, MOST_GROUP_ROWS),
            },
            **dict.fromkeys(names),
        }

    def stages(self) -> Iterator[str]:
        """Compute the parts; each is announced before."""
        frame, numbers = self.table.frame, self.numbers
        yield _("looking at the columns one by one")
        for one in self.kept:
            numbers["columns"].append(column_numbers(one, self.roles[one.name], frame[one.name], len(self.kept)))
        yield _("looking for missing cells and duplicates")
        kept = frame if not self.leave_out else frame[[one.name for one in self.kept]]
        numbers["missing"] = missing_numbers(kept)
        numbers["duplicate_rows"] = duplicate_rows(frame, [one.name for one in self.kept if not self.names_rows(one)])
        if self.table.sample is not None:
            self.of_all_rows()
        numbers["same_columns"] = same_columns(frame, [one.name for one in self.kept if one.distinct > 1])
        yield _("looking for columns that go together")
        features = [one for one in self.kept if self.roles[one.name].role == "feature"]
        quantities = [one.name for one in features if one.kind == "number"]
        categories = [one.name for one in features if one.kind != "number" and one.distinct <= MOST_LEVELS]
        numbers["associations"], self.description = described(frame, quantities, categories)
        yield _("looking for a target")
        numbers["groups"] = self.groups()
        numbers["targets"] = target_proposals(self.table, numbers["associations"]["strongest"], self.leave_out)

    def of_all_rows(self) -> None:
        """Of a sample: missing cells are those of all rows, and rows have the numbers of the file."""
        gaps = [one.missing for one in self.kept]
        cells = self.kept[0].rows * len(self.kept) if self.kept else 0
        about = {"cells": sum(gaps), "share": sum(gaps) / max(1, cells), "columns": sum(gap > 0 for gap in gaps)}
        self.numbers["missing"] |= about
        listed = [row for one in self.numbers["columns"] for row in (one.get("far_out") or {}).get("farthest", ())]
        for row in listed:
            row["row"] = int(self.table.numbers_of_rows(np.array([row["row"] - 1]))[0])
        for group in self.numbers["duplicate_rows"]["groups"]:
            group["rows"] = self.table.numbers_of_rows(np.array(group["rows"]) - 1).tolist()

    def names_rows(self, one: Facts) -> bool:
        return self.roles[one.name].role == "identifier"

    def groups(self) -> dict[str, Any] | None:
        """The column whose values group the rows, the clearest one."""
        if len(self.kept) > MOST_GROUP_COLUMNS or self.table.rows < 2:
            return None
        rows = self.table.frame.iloc[:MOST_GROUP_ROWS]
        columns = [as_table_column(rows[one.name]) for one in self.kept if one.distinct]
        found = find_groups(columns, np.zeros(len(rows), np.int64), "classification")
        if found is None:
            return None
        return {"column": found.name, "values": found.groups, "likeness": found.likeness, "clear": found.clear}


def of_table(table: Table) -> dict[str, Any]:
    """What is known of the table as a whole."""
    return {
        "name": table.name,
        "rows": table.rows,
        "sample": None if table.sample is None else table.sample.summary(),
        "bytes": table.size,
        "columns": [one.name for one in table.facts],
        "notes": list(table.notes),
    }
