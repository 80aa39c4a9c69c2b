"""What the learning curve says: overfitted, more_rows_help."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, format_whole, number

GAP = 0.1  # between training rows and unseen rows, as a share of the range of the measure


def about_the_curve(outcome: Outcome) -> Iterator[Finding]:
    """What the learning curve says."""
    if outcome.curve is None or len(outcome.curve.rows) < 2 or outcome.results.best in BASELINE.values():
        return
    measure, curve = METRICS[outcome.curve.metric], outcome.curve
    sign = 1.0 if measure.more_is_better else -1.0
    before, unseen, seen = curve.unseen[-2].value, curve.unseen[-1].value, curve.seen[-1].value
    scale = measure.range[1] - measure.range[0] if np.isfinite(measure.range).all() else max(abs(unseen), abs(seen))
    if measure.name == "r2":
        scale = 1.0  # of a model that knows nothing to one that knows all
    by_heart = isinstance(outcome.fitted, Ensemble)  # full trees know their rows, whatever their mean is worth
    if sign * (seen - unseen) > GAP * scale and not by_heart:
        yield Finding(
            "overfitted",
            "note",
            _("The model predicts its training rows clearly better than new ones."),
            _("{measure} is {seen} on training rows and {unseen} on unseen ones.").format(
                measure=measure_in_words(measure.name), seen=number(seen), unseen=number(unseen)
            ),
            _("More rows, fewer columns or stronger regularisation may help."),
        )
    half_width = (curve.unseen[-1].high - curve.unseen[-1].low) / 2
    if sign * (unseen - before) > max(half_width, 0.01 * scale):
        yield Finding(
            "more_rows_help",
            "note",
            _("The learning curve is still improving at its end."),
            _("From {before} to {rows} training rows the score went from {first} to {last}.").format(
                before=format_whole(round(curve.rows[-2])),
                rows=format_whole(round(curve.rows[-1])),
                first=number(before),
                last=number(unseen),
            ),
            _("More rows may help."),
        )
