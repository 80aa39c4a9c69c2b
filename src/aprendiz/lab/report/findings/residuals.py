"""What a linear regression leaves over, if it is the best method: residuals_bent, noise_uneven."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.evaluation.residuals import Residuals, diagnose
from aprendiz.evaluation.shapes.samples import spaced
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import numeric_columns
from aprendiz.locale import _, number, percent

MOST_ROWS, MOST_PREDICTORS = 2000, 30  # whose residuals are tested
LEVEL = 0.01  # of these tests: p-values below it are findings,
BEND = 0.1  # if the bend, in standard deviations of the residuals,
UNEVEN_NOISE = 0.05  # or the share of the squares that the columns explain, is as large


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
            _("Residuals of {method} against {name} form {shape}: a term seems to be missing.").format(
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
            _(
                "The columns explain {share} of the squared residuals (Breusch–Pagan, p = {p}): one width of intervals does "
                "not suit all rows."
            ).format(share=percent(share), p=number(p, 2)),
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
