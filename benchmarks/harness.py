"""A case, and how it is timed: ours and the peers in one process, in turn, the best of several turns each.

- A first call of each contender is not counted: it compiles, loads and starts threads (`alone.py` measures it apart).
  A contender that is named in `once` is so slow that there is no other: its first call is the one that counts.
- Rounds are interleaved (ours, peer, peer, ours, peer, peer, …), so that a slow minute of the machine meets everybody.
- A call shorter than 50 ms is repeated within its turn and the best one counts: by then the scheduler has placed the
  threads, as in a loop of the user's own.
- Before each turn there is a pause of 0.15 s. Threads of OpenBLAS and OpenMP go on spinning for a while after a call has
  returned, waiting for the next one; without the pause they would slow down whoever comes next.
- Growth: the same with twice the rows, and the exponent p of time ~ nᵖ from the two times.                           (1)
- Limit: multiplications and additions that the method cannot do without, divided by the GEMM rate of the machine (or
  the bytes it must read, by the bandwidth), over the time it took.                                                    (2)
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from benchmarks import QUICK, alone
from benchmarks.machine import Limits, Others
from benchmarks.peers import INTELEX, OURS, SKLEARN, Contender, Data, handed_over
from benchmarks.quality import Answer, Objective

PAUSE = 0.15  # seconds before a turn
SHORT = 0.05  # a call below this is repeated within its turn
BATCH = 0.1  # for about so long
BUDGET = 2.0 if QUICK else 8.0  # seconds for all turns of a contender
MOST_TURNS = 3 if QUICK else 7
NOISY = 0.05  # share of the processor taken by others from which a case is disturbed


@dataclass(frozen=True)
class Case:
    """One problem, and everybody who solves it.

    `make(rows)` gives the arguments of `fit`; a contender whose `method` is another is given the first of them. Several
    `seeds` are for random methods: times and quality are means over them. `passes` reads the number of passes from a model,
    where growth makes sense for one pass only.
    """

    name: str
    rows: int
    make: Callable[[int], Data]
    contenders: Mapping[str, Contender]
    quality: Objective | Answer
    seeds: tuple[int, ...] = (0,)
    flops: Callable[[int], float] | None = None
    bytes: Callable[[int], float] | None = None
    least: int = 150  # rows, however much the run is reduced
    grows: bool = True
    passes: Callable[[Any], float] | None = None
    once: tuple[str, ...] = ()  # contenders that are called a single time

    @property
    def size(self) -> int:
        """Rows of this run."""
        return max(self.rows // 10, self.least) if QUICK else self.rows


@dataclass(frozen=True)
class Result:
    """What was measured of a case, by contender: a line of each table."""

    name: str
    seconds: dict[str, float]
    quality: str  # who reached it, in a sentence
    kept: bool = True  # whether ours reached it
    once: list[str] = field(default_factory=list)
    disturbed: bool = False  # whether other programs took more than `NOISY` during the turns
    noise: dict[str, float] = field(default_factory=dict)  # median turn / best turn
    growth: dict[str, float] = field(default_factory=dict)
    first_call: dict[str, float] = field(default_factory=dict)  # seconds
    peak: dict[str, int | None] = field(default_factory=dict)  # bytes
    operations: float | None = None  # that the method cannot do without
    reads: float | None = None  # bytes, likewise

    def ratio(self, name: str) -> float:
        """How many times longer than ours."""
        return self.seconds[name] / self.seconds[OURS]

    def share(self, limits: Limits) -> float | None:
        """(2), of ours."""
        if self.operations is not None:
            return self.operations / limits.gemm / self.seconds[OURS]
        return None if self.reads is None else self.reads / limits.read / self.seconds[OURS]

    def __str__(self) -> str:
        times = ", ".join(f"{who} {1000 * seconds:.4g} ms" for who, seconds in self.seconds.items())
        return f"{times}; {self.quality}"


def cases(family: str) -> tuple[Case, ...]:
    """The cases of a family, in the file of its name."""
    return import_module(f"benchmarks.{family}").CASES


def measure(family: str, case: Case) -> Result:
    """Everything about a case."""
    data = case.make(case.size)
    for contender in case.contenders.values():
        assert contender.estimator is not None  # imported now: nobody's import may fall into another's time
    others = Others()
    with handed_over() as calls:
        first = {name: [timed(one.ready(data, seed)) for seed in case.seeds] for name, one in case.contenders.items()}
    answers = {name: [answer for _, answer in done] for name, done in first.items()}
    times = {name: [[spent] for spent, _ in first[name]] if name in case.once else [] for name in case.contenders}
    most = MOST_TURNS if len(case.seeds) == 1 else 2
    for seed in case.seeds:
        for name, turns in in_turn(case, data, seed, BUDGET / len(case.seeds), most).items():
            times[name].append(turns)
    seconds = {name: mean_best(turns) for name, turns in times.items()}
    grown = growth(case, seconds, answers) if case.grows else {}
    share = others.share()
    repeated = {name: turns for name, turns in times.items() if name not in case.once}
    first_calls = {name: alone.measured(family, case.name, name) for name in case.contenders}
    verdict = case.quality.compare(data, answers)
    return Result(
        name=case.name,
        seconds=seconds,
        quality=f"{verdict}{f'; {INTELEX} handed the work to {SKLEARN}' if calls else ''}",
        kept=verdict.fair,
        once=[name for name in case.once if name in case.contenders],
        disturbed=share is not None and share > NOISY,
        noise={name: statistics.mean(statistics.median(t) / min(t) for t in turns) for name, turns in repeated.items()},
        growth=grown,
        first_call={name: one.seconds for name, one in first_calls.items()},
        peak={name: one.peak for name, one in first_calls.items()},
        operations=case.flops(case.size) if case.flops else None,
        reads=case.bytes(case.size) if case.bytes else None,
    )


# ---- times -----------------------------------------------------------------------------------------------------------


def in_turn(case: Case, data: Data, seed: int, budget: float, most: int) -> dict[str, list[float]]:
    """The times of interleaved turns. A slow contender has fewer of them, one at least."""
    ready = {name: one.ready(data, seed) for name, one in case.contenders.items() if name not in case.once}
    times: dict[str, list[float]] = {name: [turn(call, 1)] for name, call in ready.items()}
    calls = {name: 1 if t[0] >= SHORT else max(3, round(BATCH / t[0])) for name, t in times.items()}
    turns = {name: max(1, min(most, int(budget / (PAUSE + calls[name] * t[0])))) for name, t in times.items()}
    for number in range(max(turns.values())):
        for name, call in ready.items():
            if number < turns[name]:
                times[name].append(turn(call, calls[name]))
    return times


def turn(call: Callable[[], Any], calls: int) -> float:
    """The best time of a few calls after a pause."""
    gc.collect()
    time.sleep(PAUSE)
    return min(timed(call)[0] for _ in range(calls))


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of a call, and what it gave."""
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def mean_best(times: list[list[float]]) -> float:
    """The best turn for each seed, averaged over the seeds."""
    return statistics.mean(min(turns) for turns in times)


# ---- what follows from them ------------------------------------------------------------------------------------------


def growth(case: Case, before: Mapping[str, float], answers: Mapping[str, list[Any]]) -> dict[str, float]:
    """(1), from n to 2n rows, at the first seed."""
    data, seed = case.make(2 * case.size), case.seeds[0]
    times = in_turn(case, data, seed, BUDGET / 2, MOST_TURNS // 2)
    exponents = {}
    for name in times:
        ratio = min(times[name]) / before[name]
        if case.passes is not None:
            ratio *= case.passes(answers[name][0]) / case.passes(case.contenders[name].fitted(data, seed))
        exponents[name] = math.log2(ratio)
    return exponents
