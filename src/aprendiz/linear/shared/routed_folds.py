"""Cross-validated learners whose folds and scores are told more than X and y: scikit-learn's routing of metadata.

    fit(X, y, groups=…)      goes to the splitter `cv`, if it asks for it (GroupKFold does)
    sample_weight            goes to the fits, and to the scorer if that asks for it

Both need `sklearn.set_config(enable_metadata_routing=True)`; without it weights go to the scorer as they always did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from aprendiz.core.learner import Learner
from aprendiz.core.routing import refuse_unrouted, routes_metadata
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Told:
    """What the splitter is told beside X and y, and whether the scorer is told the weights."""

    split: Mapping[str, Any] = field(default_factory=dict)
    weighted_scores: bool = True


@dataclass(frozen=True)
class ToldSplitter:
    """A splitter with what it is told."""

    splitter: Any
    told: Mapping[str, Any]

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        """The training rows and the test rows of each fold."""
        return iter(self.splitter.split(X, y, **self.told))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds."""
        return int(self.splitter.get_n_splits(X, y, **self.told))


class RoutedFolds(Learner):
    """The base of learners with a parameter `cv`."""

    cv: Any
    told: Told = Told()  # of the fit under way

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Self:
        """Fit to X and y, with optional sample weights; `params`, such as groups, go to the splitter that asks for them."""
        refuse_unrouted(self, "fit", params)
        if not routes_metadata():
            return self.fit_told(X, y, sample_weight)
        scorer = self.routed_scorer()
        passed = params if scorer is None or sample_weight is None else {**params, "sample_weight": sample_weight}
        routed = process_routing(self, "fit", **passed)
        self.told = Told(dict(routed.splitter.split), scorer is None or "sample_weight" in routed.scorer.score)
        try:
            return self.fit_told(X, y, sample_weight)
        finally:
            del self.told

    def fit_told(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """The fit of the class behind this one."""
        return super().fit(X, y, sample_weight)

    def routed_scorer(self) -> Any:
        """The scorer of the folds, if there is one to be told anything."""
        return None

    @property
    def told_folds(self) -> Any:
        """`cv`, with what it is told."""
        return ToldSplitter(self.cv, self.told.split) if self.told.split else self.cv

    def get_metadata_routing(self) -> MetadataRouter:
        """What is routed to the splitter, and to the scorer."""
        to_split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self).add(splitter=self.cv, method_mapping=to_split)
        scorer = self.routed_scorer()
        return router if scorer is None else router.add(scorer=scorer, method_mapping=self.scored_by())

    def scored_by(self) -> MethodMapping:
        """The methods that ask the scorer."""
        return MethodMapping().add(caller="fit", callee="score")
