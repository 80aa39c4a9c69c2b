"""`python -m benchmarks`: measure every family, one after the other. `python -m benchmarks linear small`: only those.

Each case is stored in benchmarks/results as soon as it is measured, and docs/benchmarks.md is written anew from all that is
stored: a run that is interrupted loses nothing. `--missing` measures only what has no result of this version
of aprendiz, so it goes on with such a run. `python -m benchmarks page` measures nothing and writes the page.

BENCH_QUICK=1 prints the tables and stores nothing. Ends with an error if aprendiz did not reach the quality of its peers, or if
one of the other promises was not kept (memory for files, sums of Dask, arrays on disk, the wait for a first fit).
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks import (
    FAMILIES,
    QUICK,
    cold,
    coverage,
    dask,
    ensemble_errors,
    files,
    machine,
    page,
    persistence,
    rates,
    results,
    type_one,
)
from benchmarks.harness import cases, measure
from benchmarks.results import Run

APART = {  # families that are no cases
    "files": files,
    "dask": dask,
    "persistence": persistence,
    "cold": cold,
    "ensemble_errors": ensemble_errors,
    "coverage": coverage,
    "type_one": type_one,
}
COUNTS = ("ensemble_errors", "coverage", "type_one")  # nothing is timed: the rates of the machine do not matter
MISSING, PAGE = "--missing", "page"


def main(words: Sequence[str]) -> int:
    """Measure the families that are named, all of them if none is."""
    wanted = [word for word in words if word not in (MISSING, PAGE)]
    if unknown := [name for name in wanted if name not in FAMILIES]:
        print(f"No such family: {', '.join(unknown)}. There are: {', '.join(FAMILIES)}. Beside them: {MISSING}, {PAGE}.")
        return 2
    if PAGE in words:
        write(results.load_all())
        return 0
    if QUICK:
        say("BENCH_QUICK: a tenth of the rows and few turns, whatever the names of the cases say; nothing is stored")
    say("the limits of the machine")
    limits, all_kept = machine.limits(), True
    for family in FAMILIES:
        if not wanted or family in wanted:
            run = measured(family, limits, MISSING in words)
            limits, all_kept = run.limits or limits, all_kept and all(result.kept for result in run.results)
    return 0 if all_kept else 1


def measured(family: str, limits: machine.Limits, only_missing: bool) -> Run:
    """Measure a family and store what is found; a quick run is printed instead."""
    before, here = [] if QUICK else results.load(family), machine.described()
    current = [run for run in before if only_missing and run.version == here["aprendiz"]]
    run, others = Run(f"{datetime.date.today():%Y-%m-%d}", here, limits), machine.Others()
    if family in APART and current:
        return run
    say(page.TITLES[family])
    for result in all_of(family, {result.name for run in current for result in run.results}):
        say(f"    {result}")
        run = replace(run, results=[*run.results, result], others=others.share())
        if not QUICK and family not in APART:  # what is no case is stored as a whole
            store(family, results.merge(before, run))
    if not run.results:
        return run
    run = replace(run, limits=None if family in COUNTS else limits.or_better(machine.limits()))
    if QUICK:
        print("\n" + page.runs_and_machines({family: [run]}) + "\n" + page.section(family, [run]))
    else:
        store(family, results.merge(before, run) if current else [run])
    return run


def all_of(family: str, known: set[str]) -> Iterator[Any]:
    """The results of a family, one after the other, but for the cases that are known."""
    if family in APART:
        yield from APART[family].measured()
        return
    for case in cases(family):
        if case.name not in known:
            say(f"  {case.name}")
            yield measure(family, case)


def store(family: str, runs: Sequence[Run]) -> None:
    """In its file, and on the pages."""
    results.save(family, runs)
    write(results.load_all())


def write(runs: Mapping[str, Sequence[Run]]) -> None:
    page.write(runs)
    rates.write(runs)


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
