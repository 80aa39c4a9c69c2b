"""docs/benchmarks.md: one page with all families, written from what the runs have stored."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase

from benchmarks import FAMILIES, THREADS, cold, dask, tables
from benchmarks.about import ABOUT, HEAD, METHOD, TITLES, WIRES
from benchmarks.harness import NOISY, PAUSE, SHORT
from benchmarks.results import KINDS, Run

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
MACHINES = "Runs and machines"


def write(runs: Mapping[str, Sequence[Run]]) -> None:
    PAGE.write_text(page(runs), encoding="utf-8")


def page(runs: Mapping[str, Sequence[Run]]) -> str:
    """The whole page. A family without runs is only named."""
    method = METHOD.format(pause=PAUSE, short=1000 * SHORT, threads=THREADS, noisy=NOISY)
    sections = (section(family, found) for family, found in runs.items())
    return "\n".join([HEAD, contents(runs), method, runs_and_machines(runs), *sections])


def contents(runs: Mapping[str, Sequence[Run]]) -> str:
    """Links to all sections, with the dates of the families."""
    lines = [f"- [{title}]({anchor(title)})" for title in ("How it was measured", MACHINES)]
    lines += [f"- [{TITLES[family]}]({anchor(TITLES[family])}): {days(found)}" for family, found in runs.items()]
    lines += [f"- {TITLES[family]}: not measured yet" for family in FAMILIES if family not in runs]
    return "\n".join(["## Contents\n", *lines, ""])


def anchor(title: str) -> str:
    """The link to a heading, as GitHub makes it."""
    return "#" + re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def days(runs: Sequence[Run]) -> str:
    return " and ".join(dict.fromkeys(run.date for run in runs))


def runs_and_machines(runs: Mapping[str, Sequence[Run]]) -> str:
    """The conditions of each run; machines that differ, or whose libraries do, have a letter each."""
    flat = [(family, run) for family, found in runs.items() for run in found]
    distinct = list({tuple(run.machine.items()): run.machine for _, run in flat}.values())
    lines = ((TITLES[family], ascii_uppercase[distinct.index(run.machine)], run) for family, run in flat)
    about = "Other programs: their share of the processor. The rates are those that the machine reached beside the run.\n"
    descriptions = dict(zip(ascii_uppercase, distinct, strict=False))
    return "\n".join([f"## {MACHINES}\n", about, tables.conditions(lines), tables.machines(descriptions)])


# ---- families ----------------------------------------------------------------------------------------------------------------


def section(family: str, runs: Sequence[Run]) -> str:
    """What is measured in a family, when, and its tables."""
    notes = "\n".join(f"- {note}" for run in runs for note in run.notes)
    day = f"Measured on {days(runs)}{':' if notes else '.'}\n"
    text, parts = apart(family, runs) if family in KINDS else (ABOUT[family], cases(runs))
    return "\n".join([f"## {TITLES[family]}\n", f"{text}\n", day, *([f"{notes}\n"] if notes else []), *parts])


def cases(runs: Sequence[Run]) -> list[str]:
    """The tables of a family of cases; memory and growth where they were measured."""
    results = [result for run in runs for result in run.results]
    parts = ["### Times and quality\n", tables.times(runs)]
    if measured := [result for result in results if result.peak or result.first_call]:
        parts += ["### Memory, and the first call in a fresh process\n", tables.memory(measured)]
    if any(result.growth for result in results):
        parts += ["### Growth, and the limit of the machine\n", tables.growth(runs)]
    return parts


def apart(family: str, runs: Sequence[Run]) -> tuple[str, list[str]]:
    """The text and the tables of a family that is measured in its own way."""
    results, text = [result for run in runs for result in run.results], ABOUT[family]
    if family == "files":
        return text, [tables.files(results)]
    if family == "dask":
        partitions, record = results[0].partitions, results[0].record
        whole, records = partitions * dask.BYTES / 1e6, partitions * record / 1e3
        wires = WIRES.format(processes=THREADS, whole=whole, record=record, records=records)
        text = text.format(partitions=partitions, rows=dask.ROWS, columns=dask.COLUMNS)
        return text, [tables.passes(results), wires, tables.wires(results)]
    if family == "persistence":
        return text.format(size=results[0].bytes / 1e6), [tables.stored(results)]
    if family == "cold":
        return text.format(longest=cold.LONGEST, sklearn=results[0].imports), [tables.first_fits(results[1:])]
    if family in ("coverage", "type_one"):
        return text, []  # rates.py shows them where they are discussed
    return text, [f"### {r.name}, mean of {r.repeats}\n\n{tables.errors(r)}" for r in results]
