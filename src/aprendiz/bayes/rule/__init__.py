"""Bayes' rule on a finite set of hypotheses: the evidence, one observation after another, and tests for a disease."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__, finite_hypotheses=["Needed", "evidence", "false_positive_rate_for", "tests_needed", "update"]
)
