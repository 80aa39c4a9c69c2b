"""What was measured, kept in benchmarks/results: a JSON file for each family, from which docs/benchmarks.md is written.

A file holds runs, the oldest first. A run has its day, its machine, the rates that this machine reached, and the share of the
processor that other programs took; its results are the lines of the tables. A new result takes the place of the older one of
the same name, and a run that has none left goes. A family that was measured from end to end keeps only that run.

Numbers have five significant digits. What has its default value is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from benchmarks import FAMILIES, cold, coverage, dask, ensemble_errors, files, persistence, type_one
from benchmarks.harness import Result
from benchmarks.machine import Limits

FOLDER = Path(__file__).parent / "results"
DIGITS = 5
KINDS: dict[str, Callable[..., Any]] = {  # what makes a result from its numbers, where it is not a case
    "files": files.FileResult,
    "dask": dask.restored,
    "persistence": persistence.StoredResult,
    "cold": cold.ColdResult,
    "ensemble_errors": ensemble_errors.ErrorsResult,
    "coverage": coverage.CoverageResult,
    "type_one": type_one.RateResult,
}


@dataclass(frozen=True)
class Run:
    """Results of one family that were measured together."""

    date: str
    machine: dict[str, str]
    limits: Limits | None = None
    others: float | None = None  # share of the processor
    notes: list[str] = field(default_factory=list)  # conditions that hold for these results only
    results: list[Any] = field(default_factory=list)

    @property
    def version(self) -> str:
        """Of aprendiz."""
        return self.machine["aprendiz"]


def merge(older: Sequence[Run], new: Run) -> list[Run]:
    """The runs of a family with a new one, in which some cases were measured again."""
    names = {result.name for result in new.results}
    left = [replace(run, results=[result for result in run.results if result.name not in names]) for run in older]
    return [run for run in [*left, new] if run.results]


# ---- files -----------------------------------------------------------------------------------------------------------


def load(family: str) -> list[Run]:
    """The runs of a family; none if it was never measured."""
    file = FOLDER / f"{family}.json"
    return [restored(family, run) for run in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []


def load_all() -> dict[str, list[Run]]:
    """The runs of all families that were measured."""
    found = {family: load(family) for family in FAMILIES}
    return {family: runs for family, runs in found.items() if runs}


def save(family: str, runs: Sequence[Run]) -> None:
    """Write the file of a family anew. It is whole at any time: an interrupted run leaves the one before."""
    FOLDER.mkdir(exist_ok=True)
    part = FOLDER / f"{family}.json.part"
    part.write_text(text([numbers(run) for run in runs]), encoding="utf-8")
    part.replace(FOLDER / f"{family}.json")


def restored(family: str, run: Mapping[str, Any]) -> Run:
    """A run from its numbers."""
    kind = KINDS.get(family, Result)
    limits = Limits(**run["limits"]) if run.get("limits") else None
    return Run(**{**run, "limits": limits, "results": [kind(**result) for result in run["results"]]})


def numbers(record: Any) -> dict[str, Any]:
    """The fields of a run or of a result that differ from their defaults."""
    found = {entry.name: getattr(record, entry.name) for entry in fields(record)}
    kept = {entry.name: found[entry.name] for entry in fields(record) if found[entry.name] != default(entry)}
    return {name: plain(value) for name, value in kept.items()}


def default(entry: Any) -> Any:
    """The default value of a field; MISSING if it has none."""
    return entry.default if entry.default_factory is MISSING else entry.default_factory()


def plain(value: Any) -> Any:
    """As JSON has it, rounded."""
    if isinstance(value, Limits | dask.Wire):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [numbers(one) if hasattr(one, "__dataclass_fields__") else plain(one) for one in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def text(value: Any) -> str:
    """JSON with a line for each field: groups of plain numbers or words are not spread over several."""

    def on_one_line(group: re.Match[str]) -> str:
        return re.sub(r"\n *", " ", re.sub(r"^(.)\n *|\n *(.)$", r"\1\2", group[0]))

    return re.sub(r"[\[{][^\[\]{}]*[\]}]", on_one_line, json.dumps(value, indent=1, ensure_ascii=False)) + "\n"
