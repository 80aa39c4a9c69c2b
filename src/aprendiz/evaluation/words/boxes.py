"""Evaluations and comparisons as notebooks show them: the same tables and sentences as in their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from aprendiz.core.html import Html, opening, sentence, sentences, table, title
from aprendiz.evaluation.words.assumptions import assumption_in_words
from aprendiz.evaluation.words.comparisons import heading, measured, numbers, table_of_pairs
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.locale import _, format_whole, ngettext, number

if TYPE_CHECKING:
    from aprendiz.evaluation import Comparison, Evaluation, Score


def interval(low: float, high: float) -> str:
    """From one number to another; a dash where there is none."""
    return "–" if np.isnan(low) or np.isnan(high) else _("{low} to {high}").format(low=number(low), high=number(high))


# ---- an evaluation -------------------------------------------------------------------------------------------------------


def evaluation_parts(found: Evaluation) -> Iterator[Html]:
    """Protocol, scores with intervals, folds, leaks and warnings."""
    yield title(_("Evaluation"), f"{_(found.task)}, {found.protocol}")
    scores = [found.score(name) for name in found.metrics]
    yield table([_("measure"), _("value"), _("95 % interval")], list(map(cells_of_score, scores)), numbers=(1, 2))
    yield sentences([str(leak) for leak in found.leaks], "bad")
    time = _("{seconds} s for all fits and predictions").format(seconds=number(found.seconds, 3))
    yield sentence(time, "faint")
    yield opening(_("Folds"), folds_table(found, scores))
    if found.warnings:
        counted = [(message, format_whole(times)) for message, times in found.warnings.most_common()]
        yield opening(_("Warnings"), table([_("warning"), _("times")], counted, numbers=(1,)))


def cells_of_score(score: Score) -> Sequence[str]:
    return measure_in_words(score.name), number(score.value), interval(score.low, score.high)


def folds_table(found: Evaluation, scores: Sequence[Score]) -> Html:
    """A row for each fold: rows it was trained on and tested on, the first measures, the time."""
    shown = scores[:4]
    head = [_("fold"), _("training rows"), _("test rows"), *(measure_in_words(one.name) for one in shown), _("seconds")]
    rows = [
        (
            format_whole(fold.number + 1),
            format_whole(fold.trained_on),
            format_whole(len(fold.test)),
            *(number(one.folds[k]) for one in shown),
            number(fold.fit_seconds + fold.predict_seconds, 3),
        )
        for k, fold in enumerate(found.folds)
    ]
    return table(head, rows, numbers=range(len(head)))


# ---- a comparison --------------------------------------------------------------------------------------------------------


def comparison_parts(found: Comparison) -> Iterator[Html]:
    """What was found, the learners from best to worst, what is broken; the pairs where they are asked for."""
    yield title(_("Comparison"), heading(found))
    yield sentence(found.sentence)
    if found.standings:
        yield standings_table(found)
    yield sentences([assumption_in_words(one) for one in found.assumptions if one.broken], "bad")
    yield sentences(numbers(found), "faint")
    if found.pairs:
        head, *rows = table_of_pairs(found)
        words = ngettext("{count} pair", "{count} pairs", len(rows)).format(count=format_whole(len(rows)))
        yield opening(words, table(head, rows, numbers=range(1, len(head))))
    if found.tables:
        yield opening(_("Tables"), sentences(found.tables))


def standings_table(found: Comparison) -> Html:
    """The learners from best to worst, with the difference from the best."""
    head = _("mean rank") if found.ranks is not None else measured(found)
    rows = []
    for place, one in enumerate(found.standings):
        mark = "" if place == 0 or one.p_value != one.p_value else _("tied") if one.tied else _("worse")
        behind = (number(one.difference), number(one.p_value, 3)) if place else ("", "")
        rows.append((format_whole(place + 1), one.name, *cells_of_score(one.score)[1:], *behind, mark))
    titles = ["", _("learner"), head, _("95 % interval"), _("difference"), "p", ""]
    return table(titles, rows, numbers=(0, 2, 3, 4, 5))
