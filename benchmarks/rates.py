"""The tables of docs/methods/how_sure_are_we.md, from what `coverage` and `type_one` have stored.

Rates are in percent, ± their standard error √(p(1 − p)/n) in as many repeats. They stand between marks on the page; the text
around them is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.coverage import SIZES, CoverageResult
from benchmarks.results import Run
from benchmarks.tables import NOTHING, table
from benchmarks.type_one import GROUPS, RateResult

PAGE = Path(__file__).parent.parent / "docs" / "methods" / "how_sure_are_we.md"
MARKS = "<!-- {name} -->\n{text}<!-- end of {name} -->"
HELD_OUT = "holdout"


def write(runs: Mapping[str, Sequence[Run]]) -> None:
    if "coverage" in runs and "type_one" in runs:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), runs), encoding="utf-8")


def page(text: str, runs: Mapping[str, Sequence[Run]]) -> str:
    """The page with the tables of what is stored."""
    for name, lines in written(runs).items():
        marked = re.compile(MARKS.format(name=name, text=".*?"), re.DOTALL)
        if len(marked.findall(text)) != 1:
            raise ValueError(f"{PAGE.name} must have one place marked for {name!r}.")
        text = marked.sub(lambda _, name=name, lines=lines: MARKS.format(name=name, text=lines), text)
    return text


def written(runs: Mapping[str, Sequence[Run]]) -> dict[str, str]:
    """The tables by the names of their marks."""
    intervals, tests = ([result for run in runs[family] for result in run.results] for family in ("coverage", "type_one"))
    return {
        "resampling": resampling([one for one in intervals if one.protocol != HELD_OUT]),
        "held-out rows": held_out([one for one in intervals if one.protocol == HELD_OUT]),
        **{f"tests of {group}": errors([one for one in tests if one.group == group]) for group in GROUPS},
    }


def rate(count: int | None, repeats: int) -> str:
    if count is None:
        return NOTHING
    share = count / repeats
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / repeats) ** 0.5:.1f}"


def resampling(results: Sequence[CoverageResult]) -> str:
    """Intervals of folds and replicates."""
    head = ["protocol", "measure", "interval", "holds the learner's score, %", "holds the model's score, %", "mean width"]
    ordered = sorted(results, key=lambda one: ("bootstrap" in one.protocol, one.protocol != "10 folds"))
    lines = (
        [
            one.protocol,
            one.measure,
            one.interval,
            rate(one.learner, one.repeats),
            rate(one.model, one.repeats),
            f"{one.width:.3f}",
        ]
        for one in ordered
    )
    return table(head, lines)


def held_out(results: Sequence[CoverageResult]) -> str:
    """Intervals of held-out rows, for both sizes of tables."""
    first, second = ({(one.measure, one.interval): one for one in results if one.rows == rows} for rows in SIZES)
    head = ["measure", "interval"]
    for rows in SIZES:
        head += [f"{3 * rows // 10} rows: holds the model's score, %", "mean width"]
    lines = (
        [*key, *(cell for one in (few, second[key]) for cell in (rate(one.model, one.repeats), f"{one.width:.3f}"))]
        for key, few in first.items()
    )
    return table(head, lines)


def errors(results: Sequence[RateResult]) -> str:
    """Type I error and power; the intervals of differences where there are any."""
    intervals = any(one.covered is not None for one in results)
    head = ["test", "on", "type I error, %", "power, %", *(["interval holds 0, %"] if intervals else [])]
    lines = (
        [
            f"`{one.test}`" if re.fullmatch(r"\w+", one.test) else one.test,
            one.on,
            rate(one.wrong, one.repeats),
            rate(one.right, one.repeats_of_power),
            *([rate(one.covered, one.repeats)] if intervals else []),
        ]
        for one in results
    )
    return table(head, lines)
