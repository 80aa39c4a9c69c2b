"""A table of which a sample was used: sampled, class_not_in_sample, class_small_in_sample."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import list_names
from aprendiz.locale import _, format_whole, ngettext

FEW = 50  # rows of a class in the sample


def about_the_sample(outcome: Outcome) -> Iterator[Finding]:
    """How many rows were compared, and which classes have few of them."""
    experiment, sample = outcome.experiment, outcome.experiment.table.sample
    if sample is None:
        return
    rows, every = format_whole(experiment.table.rows), format_whole(sample.rows)
    yield Finding(
        "sampled",
        "note",
        _("The methods were compared on {rows} of {all} rows.").format(rows=rows, all=every),
        _(
            "The rows were chosen at random, so the scores are those of the whole table, with intervals as wide as so many "
            "rows make them."
        )
        + " "
        + about_the_model(outcome),
        _("Allow more memory (--memory), or ask for more rows (--sample)."),
    )
    counts = sample.levels.get(experiment.question.target)
    if experiment.question.task != "classification" or counts is None:
        return
    known = {str(label): int((experiment.y == label).sum()) for label in counts}
    absent = [label for label, found in known.items() if not found]
    if absent:
        yield Finding(
            "class_not_in_sample",
            "warning",
            ngettext(
                "A class is not learned, as none of its rows is in the sample: {labels}.",
                "{count} classes are not learned, as none of their rows are in the sample: {labels}.",
                len(absent),
            ).format(count=format_whole(len(absent)), labels=list_names(absent)),
            _("The model never predicts it; {rows} rows of the table are so.").format(
                rows=format_whole(sum(counts[label] for label in absent))
            ),
            _("Ask for more rows (--sample), or give a file with the rows of this class and some of the others."),
        )
    for label, found in known.items():
        if 0 < found < min(FEW, counts[label]):
            yield Finding(
                "class_small_in_sample",
                "warning",
                _("Class {label} has {rows} of its {all} rows in the sample.").format(
                    label=repr(label), rows=format_whole(found), all=format_whole(counts[label])
                ),
                _("What is said of this class rests on those rows; making them more frequent would bias all the others."),
                _("Ask for more rows (--sample)."),
            )


def about_the_model(outcome: Outcome) -> str:
    """Which rows the model was fitted to."""
    rows = format_whole(outcome.rows_of_model)
    if isinstance(outcome.all_rows, str):
        return _("The model was fitted to the sample: {reason}.").format(reason=outcome.all_rows)
    return _("The model was fitted to all {rows} rows of the file whose target is known, block by block.").format(rows=rows)
