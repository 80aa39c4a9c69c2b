"""From findings about pairs to a record of the comparison: which pairs, raised p-values, standings.

Two learners are one pair. Several are compared with a control, or each with each other, and their p-values raised by Holm's
method; posteriors are probabilities of what they say, and are not raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from aprendiz.evaluation import Comparison, Score, Standing
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.evaluation.significance.finding import NAN, Finding
from aprendiz.evaluation.significance.options import Options

FindingOf = Callable[[int, int], Finding]


def record(finding: Finding, test: str, names: Sequence[str], options: Options, **more: Any) -> Comparison:
    """A finding about some learners; a single p-value is not raised."""
    numbers = {field.name: getattr(finding, field.name) for field in fields(Finding)}
    how = {
        "level": options.level,
        "alternative": options.alternative,
        "rope": options.rope,
        "more_is_better": options.more_is_better,
    }
    return Comparison(**numbers, test=test, names=tuple(names), **{"adjusted": finding.p_value, **how, **more})


def chosen_pairs(names: Sequence[str], control: str | None) -> list[tuple[int, int]]:
    """All pairs, or those of the control with each other learner."""
    if control is None:
        return [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    if control not in names:
        raise ValueError(f"control = {control!r} is not among the learners: choose one of {', '.join(map(repr, names))}.")
    return [(names.index(control), j) for j in range(len(names)) if names[j] != control]


def compare_pairs(
    finding_of: FindingOf,
    pairs: Sequence[tuple[int, int]],
    test: str,
    names: Sequence[str],
    options: Options,
    scores: Mapping[str, Score],
    **more: Any,
) -> Comparison:
    """The record of some pairs: of two learners their own, of several one that holds them all."""
    metric = more.get("metric")
    found = [record(finding_of(i, j), test, (names[i], names[j]), options, metric=metric) for i, j in pairs]
    if len(names) == 2:
        return replace(found[0], standings=standings_of(scores, found, options), **more)
    raised = raise_p_values(found)
    method = None if raised[0].posterior is not None else "holm"
    return record(
        Finding(assumptions=worst_of(raised)),
        test,
        names,
        options,
        pairs=tuple(raised),
        posthoc=method,
        standings=standings_of(scores, raised, options),
        **more,
    )


def raise_p_values(pairs: Sequence[Comparison]) -> list[Comparison]:
    """With Holm's method."""
    return [replace(one, adjusted=float(p)) for one, p in zip(pairs, holm([one.p_value for one in pairs]), strict=True)]


def worst_of(pairs: Sequence[Comparison]) -> tuple[Any, ...]:
    """Each assumption once, broken if it is broken for some pair."""
    found: dict[str, Any] = {}
    for one in (assumption for pair in pairs for assumption in pair.assumptions):
        if one.code not in found or (one.broken and not found[one.code].broken):
            found[one.code] = one
    return tuple(found.values())


def standings_of(scores: Mapping[str, Score], pairs: Sequence[Comparison], options: Options) -> tuple[Standing, ...]:
    """The learners from best to worst, each with the pair that compares it with the best, where there is one."""
    if not scores:
        return ()
    order = in_order(scores, options.more_is_better)
    best, found = scores[order[0]], [Standing(order[0], scores[order[0]], 0.0, NAN, True)]
    for name in order[1:]:
        pair = next((one for one in pairs if set(one.names) == {name, order[0]}), None)
        p = NAN if pair is None else pair.adjusted
        tied = pair is not None and not pair.significant and (pair.posterior is not None or p == p)
        found.append(Standing(name, scores[name], scores[name].value - best.value, p, tied))
    return tuple(found)


def in_order(scores: Mapping[str, Score], more_is_better: bool) -> list[str]:
    """The names from best to worst, those without a score last."""
    known = [name for name in scores if not np.isnan(scores[name].value)]
    ordered = sorted(known, key=lambda name: scores[name].value, reverse=more_is_better)
    return ordered + [name for name in scores if name not in known]
