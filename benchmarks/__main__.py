"""`python -m benchmarks`: everything, and docs/benchmarks.md is rewritten. `python -m benchmarks linear small`: only those
families, and their tables are printed. Ends with an error if aprendiz did not reach the quality of its peers, or if one of
the other promises was not kept (memory for files, sums of Dask, arrays on disk, the wait for a first fit)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import FAMILIES, QUICK, cold, dask, files, machine, persistence, report
from benchmarks.harness import Case, Result, cases, measure

APART = {"files": files, "dask": dask, "persistence": persistence, "cold": cold}  # families that are no cases
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main(wanted: Sequence[str]) -> int:
    """Run the wanted families, all of them if none is named."""
    if unknown := [name for name in wanted if name not in FAMILIES]:
        print(f"No such family: {', '.join(unknown)}. There are: {', '.join(FAMILIES)}.")
        return 2
    others = machine.Others()
    if QUICK:
        say("BENCH_QUICK: a tenth of the rows and few turns, whatever the names of the cases say")
    say("the limits of the machine")
    limits = machine.limits()
    families = [name for name in FAMILIES if not wanted or name in wanted]
    results = [run(family, case) for family in families if family not in APART for case in cases(family)]
    apart = {family: run_apart(family) for family in families if family in APART}
    limits, description = limits.or_better(machine.limits()), machine.described()
    if wanted or QUICK:
        print("\n" + report.machine(description, limits) + "\n" + report.sections(results, apart, limits))
        print(report.company(others.share()))
    else:
        PAGE.write_text(report.page(description, limits, others.share(), results, apart), encoding="utf-8")
        say(f"written: {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE.name}")
    return 0 if all(r.verdict.fair for r in results) and all(r.kept for found in apart.values() for r in found) else 1


def run(family: str, case: Case) -> Result:
    """One case, with a line for whoever waits."""
    say(case.name)
    result = measure(family, case)
    shown = (f"{who} {report.milliseconds(seconds)} ms" for who, seconds in result.seconds.items())
    say(f"    {', '.join(shown)}; {result.verdict}")
    return result


def run_apart(family: str) -> list[Any]:
    """A family that is measured in its own way."""
    say(family)
    results = []
    for result in APART[family].measured():
        say(f"    {result}")
        results.append(result)
    return results


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
