"""Findings about the table as the methods see it: what they assume of it, what was done to it before, and what they leave over.

    not_normal, unequal_variances           assumptions of the best method, or of one that is tied with it (check_assumptions)
    uneven_scales                           the same of any support vector machine or network
    scaled_outside, imputed_outside,        traces of a preparation that has seen all rows, test rows among them
    projected_outside, encoded_outside      (evaluation/leaks/prepared_columns.py)
    residuals_bent, noise_uneven            what a linear regression leaves over, if it is the best method

Nothing is evaluated again: each looks at the columns, or at the residuals of the model that is handed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from aprendiz.evaluation.check_assumptions import BY_SCALE, check_assumptions
from aprendiz.evaluation.leak import Leak
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.leaks.prepared_columns import encoded_columns, imputed_columns, projected_columns, scaled_columns
from aprendiz.evaluation.residuals import Residuals, diagnose
from aprendiz.evaluation.shapes.samples import spaced
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, ngettext, number, percent

MOST_CELLS = 2_000_000  # in which traces are sought
MOST_ROWS, MOST_PREDICTORS = 2000, 30  # whose residuals are tested
LEVEL = 0.01  # of these tests: p-values below it are findings,
BEND = 0.1  # if the bend, in standard deviations of the residuals,
UNEVEN_NOISE = 0.05  # or the share of the squares that the columns explain, is as large


def about_the_methods(outcome: Outcome) -> Iterator[Finding]:
    """Assumptions, traces of preparation, and residuals."""
    yield from about_the_assumptions(outcome)
    yield from about_the_preparation(outcome)
    yield from about_the_residuals(outcome)


def numeric_columns(outcome: Outcome) -> list[str]:
    """The features that are quantities."""
    columns = outcome.results.question.columns(outcome.experiment.table)
    return [column.name for column in columns if column.kind == "numeric"]


# ---- assumptions ---------------------------------------------------------------------------------------------------------


def about_the_assumptions(outcome: Outcome) -> Iterator[Finding]:
    """What the best method and those tied with it assume of the columns, and does not hold; each assumption once."""
    names, experiment = numeric_columns(outcome), outcome.experiment
    if not names:
        return
    by_class, broken = outcome.results.question.task == "classification", dict[str, list[Any]]()
    for standing in outcome.results.standings:
        if standing.name in BY_SCALE or (standing.tied and by_class):  # the best one is tied too
            for one in check_assumptions(standing.name, experiment.X[names], experiment.y):
                if one.code != "not_standardised":  # they are, inside the folds
                    broken.setdefault(one.code, []).append(one)
    for code, (first, *others) in broken.items():
        why = first.why
        if others:
            why += " " + _("The same holds for {methods}.").format(methods=", ".join(one.method for one in others))
        yield Finding(code, "note", first.sentence, why, first.remedy)


# ---- preparation outside of the folds ------------------------------------------------------------------------------------


def about_the_preparation(outcome: Outcome) -> Iterator[Finding]:
    """Columns that carry what was learned from all rows."""
    by_code: dict[str, list[Leak]] = {}
    for leak in traces(outcome):
        by_code.setdefault(leak.code, []).append(leak)
    for code, leaks in by_code.items():
        sentence = leaks[0].what
        if more := len(leaks) - 1:
            sentence += " " + ngettext("So it is in {count} more place.", "So it is in {count} more places.", more).format(
                count=more
            )
        yield Finding(
            code.replace("-", "_"),
            "warning" if code == "encoded-outside" else "note",
            sentence,
            _("What was learned from all rows knows the test rows: the scores may be too optimistic."),
            remedy_of(code),
        )


def traces(outcome: Outcome) -> Iterator[Leak]:
    """What the leak meter finds in the columns; the scores without the leaks are not measured."""
    experiment = outcome.experiment
    schema = outcome.results.question.columns(experiment.table)
    names = [column.name for column in schema if column.kind not in ("text", "date")]
    if experiment.X.size > MOST_CELLS or not names:
        return
    learner, X = experiment.method(outcome.results.best).learner, experiment.X[names]
    case = Case(learner, X, experiment.y, None, experiment.splits, None, outcome.evaluation, not_again)
    for search in (scaled_columns, imputed_columns, projected_columns, encoded_columns):
        yield from search(case)


def not_again(*_given: Any, **_options: Any) -> NoReturn:
    """The leak meter goes on without the score that it cannot have."""
    raise ValueError("Nothing is evaluated again for a report.")


def remedy_of(code: str) -> str:
    """What to give instead."""
    words = {
        "scaled-outside": _("Give the columns before scaling: methods that need it scale the training rows of each fold."),
        "imputed-outside": _("Leave the cells missing: they are imputed from the training rows of each fold."),
        "projected-outside": _("Give the columns before the projection, or put PCA in a pipeline with the learner."),
        "encoded-outside": _("Give the categories themselves, or leave the column out with --leave-out."),
    }
    return words[code]


# ---- residuals -----------------------------------------------------------------------------------------------------------


def about_the_residuals(outcome: Outcome) -> Iterator[Finding]:
    """A bend, or uneven noise, in the residuals of a linear regression."""
    found = residuals_of(outcome)
    if found is None:
        return
    method = outcome.results.best
    bent = next((one for one in found.bent if abs(one.bend) >= BEND), None)
    fitted = found.against_fitted
    if bent is None and fitted.p < LEVEL and abs(fitted.bend) >= BEND:
        bent = fitted
    if bent is not None:
        shape = {"U": _("a U"), "arch": _("an arch")}[bent.shape]
        against = repr(bent.name) if bent.name else _("the predictions")
        yield Finding(
            "residuals_bent",
            "note",
            _("Residuals of {method} against {name} form {shape}: a term is missing.").format(
                method=method, name=against, shape=shape
            ),
            _("The curve rises or falls by {bend} standard deviations of the residuals beside the middle (p = {p}).").format(
                bend=number(abs(bent.bend), 2), p=number(bent.p_holm if bent.name else bent.p, 2)
            ),
            _("Add the square or the logarithm of the column, or compare with methods that bend, such as forests."),
        )
    statistic, p = found.breusch_pagan
    share = statistic / len(found.residual)
    if p < LEVEL and share >= UNEVEN_NOISE:
        yield Finding(
            "noise_uneven",
            "note",
            _("The residuals of {method} are larger in some rows than in others.").format(method=method),
            _("The columns explain {share} of the squared residuals (Breusch–Pagan, p = {p}): intervals do not hold.").format(
                share=percent(share), p=number(p, 2)
            ),
            _("Predict the logarithm of the target if it is positive, or weight the rows."),
        )


def residuals_of(outcome: Outcome) -> Residuals | None:
    """Of the model on some of its rows, if it is a linear regression."""
    experiment, model = outcome.experiment, outcome.pipeline[-1]
    if outcome.results.question.task != "regression" or not hasattr(model, "coef_"):
        return None
    rows = spaced(np.arange(len(experiment.y)), MOST_ROWS)
    X, y = experiment.X.iloc[rows], experiment.y[rows]
    names = [name for name in numeric_columns(outcome) if X[name].notna().all()]
    names = names if len(names) <= MOST_PREDICTORS else []
    table = X[names].to_numpy(dtype=np.float64)
    if len(y) < 8 or not np.isfinite(table).all():
        return None
    return diagnose(y, outcome.pipeline.predict(X), tuple(names), table, LEVEL)
