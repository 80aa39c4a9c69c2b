"""The tables of docs/benchmarks.md and of the terminal, from results as they are stored."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks import THREADS, persistence
from benchmarks.cold import ColdResult
from benchmarks.dask import DaskResult, Wire
from benchmarks.ensemble_errors import SIZES, ErrorsResult
from benchmarks.files import FileResult
from benchmarks.harness import Result
from benchmarks.peers import NAMES, OURS
from benchmarks.persistence import StoredResult
from benchmarks.results import Run

NOTHING = "—"
WORDS = {  # columns that hold no numbers
    "case",
    "quality",
    "limit",
    "what",
    "learner",
    "below 1 GB",
    "pass by",
    "sum",
    "family",
    "date",
    "machine",
    "error, %",
    "protocol",
    "measure",
    "interval",
    "test",
    "on",
}


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    rule = ["---" if name in WORDS or len(name) == 1 else "---:" for name in head]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines]) + "\n"


def milliseconds(seconds: float) -> str:
    ms = 1000 * seconds
    return f"{ms:,.0f}".replace(",", " ") if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def megabytes(size: int | None) -> str:
    return "?" if size is None else f"{size / 1e6:,.0f}".replace(",", " ")


def kilobytes(size: int | None) -> str:
    return "?" if size is None else f"{size / 1e3:,.1f}".replace(",", " ")


# ---- cases -------------------------------------------------------------------------------------------------------------


def times(runs: Sequence[Run]) -> str:
    """Ratios, times and quality; the date of each line if there are several."""
    results = [result for run in runs for result in run.results]
    who, dates = present(result.seconds for result in results), len({run.date for run in runs}) > 1
    head = ["case", *(f"{name} ÷ ours" for name in who[1:]), *(f"{name}, ms" for name in who), "quality"]
    lines = (
        [named(result), *ratios(result, who), *durations(result, who), result.quality, *([run.date] if dates else [])]
        for run in runs
        for result in run.results
    )
    return table([*head, "date"] if dates else head, lines)


def present(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Who has a column: ours, and those that took part, in their usual order."""
    names = dict.fromkeys(name for numbers in found for name in numbers)
    return [OURS, *(name for name in NAMES if name in names and name != OURS), *(name for name in names if name not in NAMES)]


def named(result: Result) -> str:
    """The case, marked if it was disturbed."""
    return result.name + (" †" if result.disturbed else "")


def ratios(result: Result, who: Sequence[str]) -> list[str]:
    return [f"{result.ratio(name):.2f}" if name in result.seconds else NOTHING for name in who[1:]]


def durations(result: Result, who: Sequence[str]) -> list[str]:
    """Milliseconds, marked if there was a single call."""
    return by_name(
        {name: milliseconds(s) + (" (once)" if name in result.once else "") for name, s in result.seconds.items()}, str, who
    )


def by_name(values: Mapping[str, Any], form: Callable[[Any], str], who: Sequence[str]) -> list[str]:
    return [form(values[name]) if name in values else NOTHING for name in who]


def memory(results: Sequence[Result]) -> str:
    who = present([*(result.peak for result in results), *(result.first_call for result in results)])
    head = ["case", *(f"{name}, MB" for name in who), *(f"{name}, first call, ms" for name in who)]
    lines = (
        [result.name, *by_name(result.peak, megabytes, who), *by_name(result.first_call, milliseconds, who)]
        for result in results
    )
    return table(head, lines)


def growth(runs: Sequence[Run]) -> str:
    pairs = [(run, result) for run in runs for result in run.results if result.growth]
    who = present(result.growth for _, result in pairs)
    head = ["case", *(f"{name}, growth" for name in who), "limit", f"{OURS}, share of it"]
    lines = ([named(result), *by_name(result.growth, "{:.2f}".format, who), *share(run, result)] for run, result in pairs)
    return table(head, lines)


def share(run: Run, result: Result) -> tuple[str, str]:
    reached = None if run.limits is None else result.share(run.limits)
    if reached is None:
        return NOTHING, NOTHING
    return "GEMM" if result.operations else "reading memory", f"{reached:.0%}"


# ---- what is no case -----------------------------------------------------------------------------------------------------


def files(results: Sequence[FileResult]) -> str:
    head = ["learner", "file, GB", "row groups", "time, s", "peak memory, MB", "below 1 GB"]
    lines = (
        [r.learner, f"{r.file_bytes / 1e9:.2f}", str(r.groups), f"{r.seconds:.1f}", megabytes(r.peak), kept(r)] for r in results
    )
    return table(head, lines)


def kept(result: FileResult) -> str:
    return "?" if result.peak is None else "yes" if result.kept else "**NO**"


def passes(results: Sequence[DaskResult]) -> str:
    head = ["pass by", "pass, ms", "in memory, ms", "overhead for each partition, ms", "peak memory, MB", "sum"]
    lines = (
        [
            r.where,
            milliseconds(r.seconds),
            milliseconds(r.memory_seconds),
            f"{1000 * r.overhead:.2f}",
            megabytes(r.peak),
            "equal" if r.kept else f"**DIFFERS** ({r.error:.0e})",
        ]
        for r in results
    )
    return table(head, lines)


def wires(results: Sequence[DaskResult]) -> str:
    head = [
        "pass by",
        "worker to worker, kB",
        "partitions among it",
        "to the client, kB",
        "everything on the loopback device, kB",
    ]
    sent = [(r.where, r.wire) for r in results if r.wire is not None]
    lines = ([where, kilobytes(w.between), moved(w), kilobytes(w.received), kilobytes(w.loopback)] for where, w in sent)
    return table(head, lines)


def moved(wire: Wire) -> str:
    """Partitions that travelled; there should be none."""
    return f"**{wire.moved}**" if wire.moved else "0"


def stored(results: Sequence[StoredResult]) -> str:
    head = ["what", "NumPy ÷ ours", f"{OURS}, MB/s", "NumPy, MB/s", f"{OURS}, peak memory, MB", "NumPy, peak memory, MB"]
    lines = (
        [
            r.what if r.kept else f"{r.what}: **OTHER NUMBERS CAME BACK**",
            f"{r.numpy_seconds / r.seconds:.2f}",
            *(f"{persistence.rate(r.bytes, seconds):.0f}" for seconds in (r.seconds, r.numpy_seconds)),
            *(megabytes(peak) for peak in (r.peak, r.numpy_peak)),
        ]
        for r in results
    )
    return table(head, lines)


def first_fits(results: Sequence[ColdResult]) -> str:
    head = ["learner", "first fit, s", "first answer, s", "import, s", "kernels compiled"]
    lines = (
        [
            r.learner if r.kept else f"**{r.learner}**",
            f"{r.fit:.2f}",
            NOTHING if r.predict is None else f"{r.predict:.2f}",
            f"{r.imports:.2f}",
            str(r.kernels),
        ]
        for r in results
    )
    return table(head, lines)


def errors(result: ErrorsResult) -> str:
    """The errors by the number of members, and what holds of the texts."""
    cells = {who: [f"{100 * error:.1f}" for error in of] for who, of in result.errors.items()}
    lines = ([who, *found, *[""] * (len(SIZES) - len(found))] for who, found in cells.items())
    held = "; ".join(f"{sentence}: {'yes' if holds else 'NO'}" for sentence, holds in result.sentences().items())
    return table(["error, %", *(f"M = {size}" for size in SIZES)], lines) + f"\n{held}.\n"


# ---- runs and machines -----------------------------------------------------------------------------------------------------


def machines(descriptions: Mapping[str, Mapping[str, str]]) -> str:
    """One column for each machine, under its letter."""
    entries = dict.fromkeys(entry for described in descriptions.values() for entry in described)
    lines = ([entry, *(described.get(entry, NOTHING) for described in descriptions.values())] for entry in entries)
    return table(["what", *descriptions], lines)


def conditions(runs: Iterable[tuple[str, str, Run]]) -> str:
    """A line for each run: the family, the letter of the machine, and how quiet and how fast it was."""
    head = ["family", "date", "machine", "results", "other programs", "median turn ÷ best one", "at worst"]
    rates = [f"GEMM, {THREADS} threads, Gflop/s", "GEMM, 1 thread, Gflop/s", "reading memory, GB/s", "copying memory, GB/s"]
    lines = (
        [
            family,
            run.date,
            letter,
            str(len(run.results)),
            NOTHING if run.others is None else f"{run.others:.0%}",
            *noise(run),
            *rates_of(run),
        ]
        for family, letter, run in runs
    )
    return table([*head, *rates], lines)


def noise(run: Run) -> tuple[str, str]:
    """The median over all cases and contenders, and the largest."""
    found = [value for result in run.results for value in getattr(result, "noise", {}).values()]
    return (f"{statistics.median(found):.2f}", f"{max(found):.2f}") if found else (NOTHING, NOTHING)


def rates_of(run: Run) -> list[str]:
    if run.limits is None:
        return [NOTHING] * 4
    return [f"{rate / 1e9:.1f}" for rate in (run.limits.gemm, run.limits.gemm_one, run.limits.read, run.limits.copy)]
