"""The tables, for the terminal and for docs/benchmarks.md. Nothing is written that the run did not measure."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Iterable, Sequence

from benchmarks import QUICK, THREADS
from benchmarks.files import FileResult
from benchmarks.harness import PAUSE, SHORT, Result
from benchmarks.machine import Limits
from benchmarks.peers import INTELEX, NAMES, OURS, SKLEARN, absent

WORDS = {"case", "quality", "limit", "what", "value", "learner", "below 1 GB"}  # columns that hold no numbers

NOISY = 0.05  # share of the processor taken by others from which a run is no longer a quiet one

HEAD = """# Benchmarks

aprendiz beside scikit-learn and scikit-learn-intelex, on one machine, in one run of `make bench`, which wrote this page.
"""

METHOD = """## How it was measured

- All contenders run in one process, in turn, on the same arrays; the best of several turns counts. Before each turn there
  is a pause of {pause:g} s, in which the threads of the previous one come to rest. A fit below {short:.0f} ms is repeated
  within its turn, and the best repetition counts. A first fit of each is not counted; it is in a table of its own.
- Everybody has {threads} threads and the default settings of its library, but for those that state the problem (the number of
  components, of clusters, the start, the seed).
- *Quality* is computed from the fitted model, the same way for everybody: how far an objective is above the smallest one
  reached, or how far an answer is from scikit-learn's, both relative. Random starts are compared on the mean over seeds,
  with three standard errors of room.
- *Ratios* are the time of the peer over ours: above 1, aprendiz is faster. Read them before the times. In this run the
  median turn took {noise_typical:.2f} times as long as the best one (the median over all cases and contenders), at worst
  {noise_worst:.2f} times: differences of that size mean nothing.
- {company} A case is marked † if others took more than {noisy:.0%} during its turns. Its times, ratios and growth are then
  not to be quoted: a busy machine does not slow all contenders alike. First fits have no such mark; they are single runs.
- *Memory* is the peak above what was resident once the data were made, in a fresh process for each fit.
- *Growth* is p in time ~ nᵖ, from the times with n and 2n rows; of one pass, for k-means.
- *Share of the limit*: n·d·(d + 1) operations of the symmetric product at the GEMM rate of this machine on {threads} threads,
  or the bytes of the table at the rate of reading memory, over the time that aprendiz took.
"""


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    rule = ["---" if name in WORDS else "---:" for name in head]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines]) + "\n"


def milliseconds(seconds: float) -> str:
    ms = 1000 * seconds
    return f"{ms:,.0f}".replace(",", " ") if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def megabytes(size: int | None) -> str:
    return "?" if size is None else f"{size / 1e6:,.0f}".replace(",", " ")


# ---- tables ----------------------------------------------------------------------------------------------------------


def times(results: Sequence[Result]) -> str:
    head = ["case", *(f"{name} ÷ ours" for name in NAMES[1:]), *(f"{name}, ms" for name in NAMES), "quality"]
    return table(head, ([named(r), *ratios(r), *by_name(r.seconds, milliseconds), quality(r)] for r in results))


def named(result: Result) -> str:
    """The case, marked if it was disturbed."""
    return result.case.name + (" †" if result.others is not None and result.others > NOISY else "")


def ratios(result: Result) -> list[str]:
    return [f"{result.ratio(name):.2f}" if name in result.seconds else absent(name) for name in NAMES[1:]]


def by_name(values: dict, form) -> list[str]:
    return [form(values[name]) if name in values else absent(name) for name in NAMES]


def quality(result: Result) -> str:
    note = f"; {INTELEX} handed the work to {SKLEARN}" if result.handed_over else ""
    return f"{result.verdict}{note}"


def memory(results: Sequence[Result]) -> str:
    head = ["case", *(f"{name}, MB" for name in NAMES), *(f"{name}, first fit, ms" for name in NAMES)]
    lines = (
        [r.case.name, *by_name(r.alone, lambda a: megabytes(a.peak)), *by_name(r.alone, lambda a: milliseconds(a.seconds))]
        for r in results
    )
    return table(head, lines)


def growth(results: Sequence[Result], limits: Limits) -> str:
    head = ["case", *(f"{name}, growth" for name in NAMES), "limit", f"{OURS}, share of it"]
    lines = ([named(r), *by_name(r.growth, "{:.2f}".format), *share(r, limits)] for r in results if r.growth)
    return table(head, lines)


def share(result: Result, limits: Limits) -> tuple[str, str]:
    reached = result.share(limits)
    if reached is None:
        return "—", "—"
    return "GEMM" if result.case.flops else "reading memory", f"{reached:.0%}"


def files(results: Sequence[FileResult]) -> str:
    head = ["learner", "file, GB", "row groups", "time, s", "peak memory, MB", "below 1 GB"]
    lines = (
        [r.learner, f"{r.file_bytes / 1e9:.2f}", str(r.groups), f"{r.seconds:.1f}", megabytes(r.peak), kept(r)] for r in results
    )
    return table(head, lines)


def kept(result: FileResult) -> str:
    return "?" if result.peak is None else "yes" if result.kept else "**NO**"


# ---- texts -----------------------------------------------------------------------------------------------------------


def sections(results: Sequence[Result], filed: Sequence[FileResult], limits: Limits) -> str:
    """The tables of whatever was run."""
    parts = []
    if results:
        parts += ["## Times and quality\n", times(results), "## Memory, and the first fit in a fresh process\n"]
        parts += ["The estimator is imported and the kernels are in the cache on disk; one run each.\n", memory(results)]
    if any(r.growth for r in results):
        parts += ["## Growth, and the limit of the machine\n", growth(results, limits)]
    if filed:
        parts += ["## Files\n", "aprendiz alone, each fit in a fresh process; the peak is that of the whole process.\n"]
        parts += [files(filed)]
    return "\n".join(parts)


def machine(description: dict[str, str], limits: Limits) -> str:
    rates = {
        f"GEMM, float64, {THREADS} threads": f"{limits.gemm / 1e9:.1f} Gflop/s",
        "GEMM, float64, 1 thread": f"{limits.gemm_one / 1e9:.1f} Gflop/s",
        f"reading memory, {THREADS} threads": f"{limits.read / 1e9:.1f} GB/s",
        f"copying memory, {THREADS} threads (read + write)": f"{limits.copy / 1e9:.1f} GB/s",
    }
    return "\n".join(["## The machine\n", table(["what", "value"], [*description.items(), *rates.items()])])


def method(results: Sequence[Result], others: float | None) -> str:
    noise = [value for r in results for value in r.noise.values()]
    return METHOD.format(
        pause=PAUSE,
        short=1000 * SHORT,
        threads=THREADS,
        noise_typical=statistics.median(noise),
        noise_worst=max(noise),
        company=company(others),
        noisy=NOISY,
    )


def company(others: float | None) -> str:
    """Whether the machine was quiet."""
    if others is None:
        return "Whether other programs ran meanwhile is not known."
    judged = "this was NOT a quiet machine" if others > NOISY else "the machine was quiet"
    return f"Other programs took {others:.0%} of the processor during the run: {judged}."


def page(
    description: dict[str, str], limits: Limits, others: float | None, results: Sequence[Result], filed: Sequence[FileResult]
) -> str:
    """docs/benchmarks.md."""
    day = f"Run on {datetime.date.today():%Y-%m-%d}{' with reduced sizes, not to be quoted' if QUICK else ''}.\n"
    skipped = "" if filed else "\n## Files\n\nLeft out of this run (BENCH_FILE_GB=0).\n"
    return (
        "\n".join([HEAD, day, machine(description, limits), method(results, others), sections(results, filed, limits)])
        + skipped
    )
