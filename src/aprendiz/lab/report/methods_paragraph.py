"""How to say it in a paper: a paragraph for the section on methods, with the numbers of the run, and its references."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterator
from typing import Any

import numpy as np

import aprendiz
from aprendiz.evaluation.holdout import Holdout
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.near_places import place_called
from aprendiz.lab.outcome import Outcome
from aprendiz.locale import LANGUAGES, _, current_language, format_whole, language, ngettext

REFERENCES = {
    "corrected_t": "Nadeau C, Bengio Y. Inference for the generalization error. Machine Learning 52, 239–281, 2003.",
    "holm": "Holm S. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979.",
    "nested": "Varma S, Simon R. Bias in error estimation when using cross-validation for model selection. "
    "BMC Bioinformatics 7, 2006.",
    "selection": "Ambroise C, McLachlan GJ. Selection bias in gene extraction on the basis of microarray gene-expression data. "
    "PNAS 99, 2002.",
}


def methods_paragraph(outcome: Outcome) -> dict[str, Any]:
    """The paragraph in each language, that of the run first, and the references that it calls for."""
    first = current_language()
    texts = {}
    for name in (first, *(one for one in LANGUAGES if one != first)):
        with language(name):
            texts[name] = " ".join(sentences(outcome))
    return {"texts": texts, "references": [REFERENCES[name] for name in cited(outcome)]}


def cited(outcome: Outcome) -> Iterator[str]:
    """What the paragraph refers to."""
    if not isinstance(outcome.results.question.protocol, Holdout):
        yield "corrected_t"
    yield "holm"
    if is_tuned(outcome) and outcome.results.question.time is None:
        yield "nested"
    if outcome.experiment.selection is not None:
        yield "selection"


def is_tuned(outcome: Outcome) -> bool:
    """Is some method tuned inside the folds?"""
    return any(outcome.experiment.grid(method) for method in outcome.experiment.methods or ())


def sentences(outcome: Outcome) -> Iterator[str]:
    """The sentences, in the current language."""
    yield from about_the_data(outcome)
    yield from about_the_folds(outcome)
    yield from about_the_results(outcome)
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scikit-learn")]
    words = _("Computations were done with aprendiz {version} (Python {python}, {others}).")
    yield words.format(version=aprendiz.__version__, python=platform.python_version(), others=", ".join(versions))


def about_the_data(outcome: Outcome) -> Iterator[str]:
    """What was predicted from what."""
    question, experiment = outcome.results.question, outcome.experiment
    known = {"target": question.target, "rows": format_whole(question.rows), "columns": format_whole(len(question.features))}
    if question.task == "classification":
        classes = format_whole(len(np.unique(experiment.y)))
        yield _("We predicted {target} ({classes} classes) of {rows} rows from {columns} columns.").format(
            **known, classes=classes
        )
    else:
        yield _("We predicted {target}, a quantity, of {rows} rows from {columns} columns.").format(**known)
    sample = experiment.table.sample
    if sample is not None:
        yield _("They are a random sample of the {all} rows of the table.").format(all=format_whole(sample.rows))
    if question.left_out:
        yield ngettext(
            "{count} other column was not used.", "{count} other columns were not used.", len(question.left_out)
        ).format(count=format_whole(len(question.left_out)))


def about_the_folds(outcome: Outcome) -> Iterator[str]:
    """What was compared, how it was prepared and judged."""
    results, question = outcome.results, outcome.results.question
    names = [one.name for one in results.standings if one.name not in BASELINE.values()]
    protocol, groups = str(question.protocol), question.groups
    count = ngettext("{count} method ({names})", "{count} methods ({names})", len(names))
    methods = count.format(count=format_whole(len(names)), names=", ".join(names))
    yield _("{methods} and a baseline that ignores the columns were compared on the same splits: {protocol}.").format(
        methods=methods, protocol=protocol
    )
    if groups is not None and place_called(question.columns(outcome.experiment.table), groups) is not None:
        yield _("Rows of one block of near places ({groups}) were never split between training and test.").format(groups=groups)
    elif groups is not None:
        yield _("Rows with the same {groups} were never split between training and test.").format(groups=groups)
    if results.done < results.folds:
        yield _("Of {folds} planned splits {done} were done.").format(
            folds=format_whole(results.folds), done=format_whole(results.done)
        )
    if results.raced:
        yield _("Methods that could not become best any more were stopped after fewer splits: {names}.").format(
            names=", ".join(f"{one.method} ({one.folds})" for one in results.raced)
        )
    yield _(
        "Missing cells were filled, numbers standardised and categories encoded with the training rows alone, where a method "
        "needs it."
    )
    if outcome.experiment.selection is not None:
        yield _("Columns were selected by {selection} with the training rows alone (Ambroise and McLachlan, 2002).").format(
            selection=outcome.experiment.selection.name
        )
    if is_tuned(outcome) and outcome.results.question.time is not None:
        yield _("Parameters were chosen by windows in order of time among the training rows.")
    elif is_tuned(outcome):
        yield _("Parameters were chosen by {inner}-fold cross-validation of the training rows (Varma and Simon, 2006).").format(
            inner=outcome.experiment.inner
        )


def about_the_results(outcome: Outcome) -> Iterator[str]:
    """The measure, the test, and what was found."""
    results = outcome.results
    metric, best, others = results.question.metric, results.standings[0], results.standings[1:]
    if isinstance(results.question.protocol, Holdout):
        yield _(
            "The measure is {measure}; methods were compared with the best one by a paired test over the test rows."
        ).format(measure=measure_in_words(metric))
    else:
        yield _(
            "The measure is {measure}, the mean over the splits; intervals and comparisons with the best method are those of "
            "the corrected resampled t-test (Nadeau and Bengio, 2003)."
        ).format(measure=measure_in_words(metric))
    yield _("p-values were adjusted by Holm's method (1979).")
    value, low, high = (score_in_words(one, metric) for one in (best.score.value, best.score.low, best.score.high))
    yield _("{best} had the best {measure}: {value} (95 % interval {low} to {high}).").format(
        best=best.name, measure=measure_in_words(metric), value=value, low=low, high=high
    )
    tied = [one.name for one in others if one.tied]
    worse = [one for one in others if not one.tied and one.p_value == one.p_value]
    if tied:
        yield _("Not significantly different from it: {names}.").format(names=", ".join(tied))
    if worse:
        shown = (f"{one.name} ({score_in_words(one.score.value, metric)}; {p_value(one.p_value)})" for one in worse)
        yield _("Significantly worse: {names}.").format(names="; ".join(shown))


def p_value(p: float) -> str:
    """A p-value as papers write it."""
    return f"p = {score_in_words(p)}" if p >= 0.0001 else f"p < {score_in_words(0.0001)}"
