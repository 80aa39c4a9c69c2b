"""The finding about a skewed target, with the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.targets.power import Skew, evidence, skew_of
from aprendiz.locale import _, number


def known_skew(outcome: Outcome) -> Skew | None:
    """The power that the target needs and does not have."""
    experiment, question = outcome.experiment, outcome.results.question
    if question.task != "regression" or question.transform is not None:
        return None
    return skew_of(experiment.X, experiment.y, question.columns(experiment.table))


def transform_of(outcome: Outcome) -> dict[str, Any]:
    """The power that was used, and the one that is proposed."""
    known = known_skew(outcome)
    return {"used": outcome.results.question.transform, "proposed": None if known is None else asdict(known)}


def about_the_skew(outcome: Outcome) -> Iterator[Finding]:
    """A power of the target, proposed."""
    known = known_skew(outcome)
    if known is None:
        return
    words = _("Its skewness is {before}, and {after} after a power; {evidence}.")
    yield Finding(
        "target_skewed",
        "note",
        _("The target is skewed, and its errors grow with it: the logarithm would make them more alike.")
        if known.kind == "log"
        else _("The target is skewed, and its errors grow with it: a power (Box–Cox) would make them more alike."),
        words.format(before=number(known.skewness, 3), after=number(known.skewness_after, 3), evidence=evidence(known)),
        _("Try --transform-target {kind}: it is fitted inside the folds, and errors stay in the units of the target.").format(
            kind=known.kind
        ),
    )
