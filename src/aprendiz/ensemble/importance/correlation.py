"""How alike the members of a fitted ensemble err, computed once; equations in tree_correlation.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aprendiz import ensemble
from aprendiz.ensemble import TreeCorrelation

if TYPE_CHECKING:
    from aprendiz.ensemble.members.ensemble import Ensemble


def correlation_of_members(model: Ensemble) -> TreeCorrelation:
    """σ² and ρ of this fit. An AttributeError where they are not known, as of an attribute that is not there."""
    known: tuple[object, TreeCorrelation] | None = model.__dict__.get("_correlation")
    if known is None or known[0] is not model.forest_:  # of this fit, and once: `dir` asks for it too
        try:
            known = model.forest_, ensemble.tree_correlation(model)
        except ValueError as error:
            raise AttributeError(f"correlation_ is not known. {error} Or call tree_correlation(model, X, y).") from None
        model.__dict__["_correlation"] = known
    return known[1]
