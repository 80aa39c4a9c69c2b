"""The picture of a space of hypotheses in one call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aprendiz.bayes.hypothesis_space import HypothesisSpace
from aprendiz.plots import HypothesesDisplay


def hypotheses(space: HypothesisSpace, data: Iterable[Any], *, ax: Any = None) -> HypothesesDisplay:
    """Draw prior, likelihood, posterior and predictive distribution of a space of hypotheses after some examples."""
    return HypothesesDisplay(space, data).plot(ax)
