"""The tables, for the terminal and for docs/benchmarks.md. Nothing is written that the run did not measure."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from benchmarks import QUICK, THREADS, cold, dask, persistence
from benchmarks.cold import ColdResult
from benchmarks.dask import DaskResult, Wire
from benchmarks.files import FileResult
from benchmarks.harness import PAUSE, SHORT, Result
from benchmarks.machine import Limits
from benchmarks.peers import INTELEX, NAMES, OURS, SKLEARN, USUAL, absent
from benchmarks.persistence import StoredResult

WORDS = {"case", "quality", "limit", "what", "value", "learner", "below 1 GB", "pass by", "sum"}  # columns that hold no numbers

NOISY = 0.05  # share of the processor taken by others from which a run is no longer a quiet one

HEAD = """# Benchmarks

aprendiz beside scikit-learn and scikit-learn-intelex, for sparse linear models also celer and skglm, on one machine, in one
run of `make bench`, which wrote this page.
"""

ABOUT = {  # what is measured, by family
    "preprocessing": "Fits of scalers and imputers. For the most frequent value the table holds counts, else real numbers.",
    "linear": """Fits of linear models, and paths. RidgeCV has 20 penalties; over folds, scikit-learn refits for each of them.
α_max is the smallest α that makes all coefficients of the lasso zero. For logistic regression the case names the solver of
scikit-learn. The perceptron and stochastic gradients make five epochs.""",
    "bayes": "Fits of naive Bayes, and posteriors of the same rows by a model that was fitted before.",
    "discriminants": """Fits of discriminant analysis and nearest centroids, posteriors of the same rows by a model that was
fitted before, and penalties chosen by folds. The case names the solver of scikit-learn; *grid* is its grid search, which refits
for every candidate and fold: its nearest centroid with the distances of the paper, or, *grid of ours*, aprendiz's own learner,
since it has none.""",
    "neighbors": "Indexes that are built, and the five nearest points of many queries.",
    "ensemble": """Fits of forests, bags and boosted stumps, predictions by a forest that was grown before, and how much its
columns matter, by permutation (scikit-learn: one permutation of each column).""",
    "tree": """Fits of unpruned trees by all values or by bins, and predictions by a tree that was grown before. Words are one
column each for aprendiz, one for each level for scikit-learn. Quality is the score on rows held out, averaged over samples.""",
    "decomposition": "Fits of principal components.",
    "cluster": """Fits of k-means, from the same rows where all must do the same passes, or from a start of each one's own.
faiss works in single precision and makes as many passes as ours.""",
    "minibatch": "Fits of k-means by mini-batches.",
    "medoids": "k-medoids of a matrix of distances.",
    "linkage": "The whole tree of merges of agglomerative clustering, from rows of numbers.",
    "spectral": "Spectral clustering: the graph, the eigenvectors, and k-means of them.",
    "mixtures": "Gaussian mixtures from the same start.",
    "small": "The same learners on 150 rows, where calling and checking take the time.",
}

METHOD = """## How it was measured

- All contenders run in one process, in turn, on the same arrays; the best of several turns counts. Before each turn there
  is a pause of {pause:g} s, in which the threads of the previous one come to rest. A call below {short:.0f} ms is repeated
  within its turn, and the best repetition counts. A first call of each is not counted; it is in a table of its own.
- What is timed is the fit, or the prediction where the case says so; the model is then fitted before, and that is not timed.
- A time marked *once* is that of a single call, the first one, since it takes so long; its memory is that of another one.
- Everybody has {threads} threads and the default settings of its library, but for those that state the problem (the number of
  components, of clusters, the penalties, the folds, the start, the seed), and for tolerances, limits of iterations and solvers
  where the defaults do not lead all to the same quality.
- *Quality* is computed from the fitted model or from its predictions, the same way for everybody: how far an objective is
  above the smallest one reached, how far an answer is from scikit-learn's, both relative, or how far an objective is above
  the highest lower bound of its minimum that the answers prove. Random starts and orders are compared on the mean over
  seeds, with three standard errors of room.
- *Ratios* are the time of the peer over ours: above 1, aprendiz is faster. Read them before the times. In this run the
  median turn took {noise_typical:.2f} times as long as the best one (the median over all cases and contenders), at worst
  {noise_worst:.2f} times: differences of that size mean nothing.
- {company} A case is marked † if others took more than {noisy:.0%} during its turns. Its times, ratios and growth are then
  not to be quoted: a busy machine does not slow all contenders alike. First calls have no such mark; they are single runs.
- *Memory* is the peak above what was resident once the data were made, in a fresh process for each call.
- *Growth* is p in time ~ nᵖ, from the times with n and 2n rows; of one pass, for k-means.
- *Share of the limit*: n·d·(d + 1) operations of the symmetric product, n·(n + 1)·d if there are fewer rows than columns,
  at the GEMM rate of this machine on {threads} threads, or the bytes of the table at the rate of reading memory, over the
  time that aprendiz took.
"""

PASSES = """One sum over a persisted Dask array (weight, sum and square of each column), {partitions} partitions of
{rows} × {columns}, against the same sum over the array in memory, in turn. The overhead is the difference over the number of
partitions. The best of {turns} passes counts; the first one on the cluster, in which every process imports aprendiz,
has a line of its own. The peak is that of the process that needs most, client or worker, above what was resident before.
"""

WIRES = """What {processes} processes sent during a pass, as they noted it themselves; of several passes the most. The whole
table has {whole:.0f} MB, the record of a partition {record} bytes, those of all partitions {records:.0f} kB. Graphs, messages
of the scheduler and whatever else used the loopback device are in the last column only.
"""

STORED = """A model with {size:.0f} MB of arrays saved and loaded, against np.save with fsync and np.load of the same array in
the same folder. What is loaded is in the cache of the operating system, for both. The best of {turns} turns counts. Peaks are
above what was resident before; loading includes the model itself.
"""

COLD = """The first fit of every learner on a machine: a fresh process with no kernel compiled yet, iris, default settings.
Processor seconds of the import, of the fit, of the first answer for the same rows, and how many kernels Numba compiled for
both. Later processes find the kernels on disk. A newcomer should not wait longer than {longest:g} s for a fit. The import of
scikit-learn alone, which every learner needs, takes {sklearn:.2f} s.
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
    who = present(results)
    head = ["case", *(f"{name} ÷ ours" for name in who[1:]), *(f"{name}, ms" for name in who), "quality"]
    return table(head, ([named(r), *ratios(r, who), *durations(r, who), quality(r)] for r in results))


def present(results: Sequence[Result]) -> list[str]:
    """Who has a column: those of every family, and those that took part."""
    return [name for name in NAMES if name in USUAL or any(name in r.seconds for r in results)]


def named(result: Result) -> str:
    """The case, marked if it was disturbed."""
    return result.case.name + (" †" if result.others is not None and result.others > NOISY else "")


def ratios(result: Result, who: Sequence[str]) -> list[str]:
    return [f"{result.ratio(name):.2f}" if name in result.seconds else absent(name) for name in who[1:]]


def durations(result: Result, who: Sequence[str]) -> list[str]:
    """Milliseconds, marked if there was a single call."""
    shown = {name: milliseconds(s) + (" (once)" if name in result.case.once else "") for name, s in result.seconds.items()}
    return by_name(shown, str, who)


def by_name(values: dict, form, who: Sequence[str]) -> list[str]:
    return [form(values[name]) if name in values else absent(name) for name in who]


def quality(result: Result) -> str:
    note = f"; {INTELEX} handed the work to {SKLEARN}" if result.handed_over else ""
    return f"{result.verdict}{note}"


def memory(results: Sequence[Result]) -> str:
    who = present(results)
    head = ["case", *(f"{name}, MB" for name in who), *(f"{name}, first call, ms" for name in who)]
    lines = (
        [
            r.case.name,
            *by_name(r.alone, lambda a: megabytes(a.peak), who),
            *by_name(r.alone, lambda a: milliseconds(a.seconds), who),
        ]
        for r in results
    )
    return table(head, lines)


def growth(results: Sequence[Result], limits: Limits) -> str:
    grown = [r for r in results if r.growth]
    who = present(grown)
    head = ["case", *(f"{name}, growth" for name in who), "limit", f"{OURS}, share of it"]
    lines = ([named(r), *by_name(r.growth, "{:.2f}".format, who), *share(r, limits)] for r in grown)
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


def passes(results: Sequence[DaskResult]) -> str:
    head = ["pass by", "pass, ms", "in memory, ms", "overhead for each partition, ms", "peak memory, MB", "sum"]
    lines = (
        [
            r.where,
            milliseconds(r.seconds),
            milliseconds(r.memory_seconds),
            f"{1000 * r.overhead:.2f}",
            megabytes(r.peak),
            right(r),
        ]
        for r in results
    )
    return table(head, lines)


def right(result: DaskResult) -> str:
    return "equal" if result.kept else f"**DIFFERS** ({result.error:.0e})"


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


def kilobytes(size: int | None) -> str:
    return "?" if size is None else f"{size / 1e3:,.1f}".replace(",", " ")


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
            "—" if r.predict is None else f"{r.predict:.2f}",
            f"{r.imports:.2f}",
            str(r.kernels),
        ]
        for r in results
    )
    return table(head, lines)


# ---- texts -----------------------------------------------------------------------------------------------------------


def sections(results: Sequence[Result], apart: Mapping[str, Sequence[Any]], limits: Limits) -> str:
    """The tables of whatever was run."""
    parts = []
    if results:
        parts += ["## Times and quality\n"]
        for family, found in groupby(results, key=lambda r: r.family):
            parts += [f"### {family.capitalize()}\n", f"{ABOUT[family]}\n", times(list(found))]
        parts += ["## Memory, and the first call in a fresh process\n"]
        parts += ["The estimator is imported and the kernels are in the cache on disk; one run each.\n", memory(results)]
    if any(r.growth for r in results):
        parts += ["## Growth, and the limit of the machine\n", growth(results, limits)]
    if filed := apart.get("files"):
        parts += ["## Files\n", "aprendiz alone, each fit in a fresh process; the peak is that of the whole process.\n"]
        parts += [files(filed)]
    if passed := apart.get("dask"):
        over_passes, over_wires = about_dask(passed)
        parts += ["## Dask\n", over_passes, passes(passed), over_wires, wires(passed)]
    if saved := apart.get("persistence"):
        parts += ["## Persistence\n", STORED.format(size=saved[0].bytes / 1e6, turns=persistence.TURNS), stored(saved)]
    if first := apart.get("cold"):
        parts += ["## The first fit on a machine\n", COLD.format(longest=cold.LONGEST, sklearn=first[0].imports)]
        parts += [first_fits(first[1:])]
    return "\n".join(parts)


def about_dask(results: Sequence[DaskResult]) -> tuple[str, str]:
    """What the two tables hold."""
    record, sizes = results[0].record, {"partitions": dask.PARTITIONS, "rows": dask.ROWS, "columns": dask.COLUMNS}
    told = PASSES.format(**sizes, turns=dask.TURNS)
    whole, records = dask.PARTITIONS * dask.BYTES / 1e6, dask.PARTITIONS * record / 1e3
    return told, WIRES.format(processes=THREADS, whole=whole, record=record, records=records)


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
    description: dict[str, str],
    limits: Limits,
    others: float | None,
    results: Sequence[Result],
    apart: Mapping[str, Sequence[Any]],
) -> str:
    """docs/benchmarks.md."""
    day = f"Run on {datetime.date.today():%Y-%m-%d}{' with reduced sizes, not to be quoted' if QUICK else ''}.\n"
    skipped = "" if apart["files"] else "\n## Files\n\nLeft out of this run (BENCH_FILE_GB=0).\n"
    return (
        "\n".join([HEAD, day, machine(description, limits), method(results, others), sections(results, apart, limits)])
        + skipped
    )
