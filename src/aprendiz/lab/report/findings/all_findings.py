"""All findings of a run."""

from __future__ import annotations

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.assumptions import about_the_assumptions
from aprendiz.lab.report.findings.gaps import about_the_gaps
from aprendiz.lab.report.findings.grouped_rows import about_the_groups
from aprendiz.lab.report.findings.learning_curves import about_the_curve
from aprendiz.lab.report.findings.many_columns import about_many_columns
from aprendiz.lab.report.findings.neighbouring_places import about_near_places
from aprendiz.lab.report.findings.order_of_time import about_the_order_of_time
from aprendiz.lab.report.findings.preparation import about_the_preparation
from aprendiz.lab.report.findings.probabilities import about_the_probabilities
from aprendiz.lab.report.findings.residuals import about_the_residuals
from aprendiz.lab.report.findings.rows import about_the_rows
from aprendiz.lab.report.findings.sampled_rows import about_the_sample
from aprendiz.lab.report.findings.scores import about_the_scores
from aprendiz.lab.report.findings.stopped_runs import about_the_run
from aprendiz.lab.report.findings.suspected_columns import about_suspected_columns
from aprendiz.lab.report.telling_words import about_the_words
from aprendiz.lab.targets.orders_and_counts import about_orders_and_counts
from aprendiz.lab.targets.rare_classes import about_rare_classes
from aprendiz.lab.targets.skewed import about_the_skew

KINDS = (
    about_the_run,
    about_the_sample,
    about_the_groups,
    about_suspected_columns,
    about_the_gaps,
    about_many_columns,
    about_the_rows,
    about_the_scores,
    about_the_probabilities,
    about_the_curve,
    about_the_assumptions,
    about_the_preparation,
    about_the_residuals,
    about_the_words,
    about_the_order_of_time,
    about_near_places,
    about_rare_classes,
    about_the_skew,
    about_orders_and_counts,
)


def findings_of(outcome: Outcome) -> list[Finding]:
    """All findings, warnings first."""
    found = [one for kind in KINDS for one in kind(outcome)]
    return sorted(found, key=lambda one: one.weight != "warning")
