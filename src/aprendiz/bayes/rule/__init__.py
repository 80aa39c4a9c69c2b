"""Bayes' rule on a finite set of hypotheses: the evidence, one observation after another, and tests for a disease."""

from typing import Any

from aprendiz import bayes
from aprendiz.core.lazy import contents

__all__, load, __dir__ = contents(
    __name__, finite_hypotheses=["Needed", "evidence", "false_positive_rate_for", "tests_needed", "update"]
)


def __getattr__(name: str) -> Any:
    return bayes.posterior if name == "posterior" else load(name)
