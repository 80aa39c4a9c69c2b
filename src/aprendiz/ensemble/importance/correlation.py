"""Ensembles that tell how alike their members err; equations in tree_correlation.py."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from aprendiz import ensemble
from aprendiz.ensemble import TreeCorrelation
from aprendiz.ensemble.members.ensemble import Ensemble


class Correlated(Ensemble):
    """Ensembles that tell how alike their members err."""

    _correlation: tuple[Any, TreeCorrelation]

    @property
    def correlation_(self) -> TreeCorrelation:
        """σ² and ρ of the errors of the trees on rows that they have not seen (tree_correlation.py)."""
        check_is_fitted(self)
        known = self.__dict__.get("_correlation")
        if known is None or known[0] is not self.forest_:  # of this fit, and once: `dir` asks for it too
            try:
                known = self._correlation = self.forest_, ensemble.tree_correlation(self)
            except ValueError as error:
                raise AttributeError(f"correlation_ is not known. {error} Or call tree_correlation(model, X, y).") from None
        return known[1]
