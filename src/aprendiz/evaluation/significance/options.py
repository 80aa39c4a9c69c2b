"""How a test is to be made: level, direction, region of practical equivalence. Checked once, at the door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from aprendiz.evaluation import METRICS
from aprendiz.evaluation.significance.bayesian_t import Rope
from aprendiz.evaluation.significance.finding import Alternative
from aprendiz.evaluation.significance.signed_rank import Zeros

USUAL_ROPE = 0.01  # of a measure between 0 and 1, or −1 and 1: a hundredth is nothing in practice
ONE_SIDED = (
    "z",
    "mcnemar",
    "mcnemar_mid_p",
    "mcnemar_corrected",
    "paired_z",
    "paired_t",
    "corrected_t",
    "5x2cv_t",
    "wilcoxon",
    "sign",
)


@dataclass(frozen=True)
class Options:
    """What all tests are told; `rope` is None for those without a posterior."""

    level: float = 0.05
    alternative: Alternative = "two-sided"
    zeros: Zeros = "split"
    pooled: bool = False
    seed: int = 0
    rope: Rope | None = None
    more_is_better: bool = True


def checked_options(
    test: str | None,
    metric: str | None,
    level: Any,
    alternative: Any,
    rope: Any,
    zeros: Any,
    more_is_better: bool | None,
    **more: Any,
) -> Options:
    """The options of a test, or a word about the one that cannot be."""
    if not (isinstance(level, (int, float)) and 0 < level < 1):
        raise ValueError(f"level = {level!r} must lie between 0 and 1: 0.05 is usual.")
    if alternative not in get_args(Alternative):
        raise ValueError(f"alternative = {alternative!r}: choose one of {', '.join(get_args(Alternative))}.")
    if alternative != "two-sided" and test not in ONE_SIDED:
        raise ValueError(f'test={test!r} has no direction: leave alternative="two-sided".')
    if zeros not in get_args(Zeros):
        raise ValueError(f"zeros = {zeros!r}: choose one of {', '.join(get_args(Zeros))}.")
    if zeros == "pratt" and test == "sign":
        raise ValueError('zeros = "pratt" needs ranks, which the sign test has not: choose split or drop.')
    known = METRICS.get(metric or "")
    if metric is not None and known is None:
        raise ValueError(f"{metric!r} is not a measure; choose one of {', '.join(METRICS)}.")
    if known is not None and more_is_better not in (None, known.more_is_better):
        raise ValueError(f"more_is_better = {more_is_better!r} contradicts the measure {metric}: leave it out.")
    better = known.more_is_better if known is not None else more_is_better is not False
    bayesian = test is not None and test.startswith("bayesian")
    if rope is not None and not bayesian:
        raise ValueError(f"rope = {rope!r} is for Bayesian tests: choose test='bayesian_t' or test='bayesian_signed_rank'.")
    ends = rope_of(rope, metric) if bayesian else None
    return Options(level, alternative, zeros, rope=ends, more_is_better=better, **more)


def rope_of(rope: Any, metric: str | None) -> Rope:
    """The ends of the region of practical equivalence: as given, or the usual one of a measure that has both ends."""
    if rope is None:
        if metric is None or not np.isfinite(METRICS[metric].range).all():
            of = "these scores" if metric is None else metric
            raise ValueError(f"There is no usual rope for {of}: say which difference is too small to matter, as in rope=0.01.")
        rope = USUAL_ROPE
    ends = (-rope, rope) if isinstance(rope, (int, float, np.number)) else tuple(rope)
    if len(ends) != 2 or not np.isfinite(ends).all() or not ends[0] <= 0 <= ends[1]:
        raise ValueError(f"rope = {rope!r} must be a number of at least 0, or two ends with 0 between them: (-0.01, 0.01).")
    return float(ends[0]), float(ends[1])
