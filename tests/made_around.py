"""Learners that are made around another one, as learners with defaults: they keep the promises of all others.

`all_learners()` leaves them out, since most have no default for the learner inside. Each is given a small one here, by a class
whose call gives an instance of the public one.
"""

from __future__ import annotations

import inspect
from functools import cache

import aprendiz


def around(cls, target, **defaults):
    """A class whose call makes a learner of the public class, with other defaults; `target` is that of the learner inside."""

    def instance(_, *given, **parameters):
        return cls(*given, **{**defaults, **parameters})

    signature = inspect.signature(cls)
    with_defaults = [p.replace(default=defaults.get(p.name, p.default)) for p in signature.parameters.values()]
    said = {
        "target": target,
        "allows": cls(**defaults).allows,
        "least_classes": 2,
        "__module__": cls.__module__,
        "__doc__": cls.__doc__,
    }
    said |= {"__signature__": signature.replace(parameters=with_defaults), "__new__": instance}
    return type(cls.__name__, (cls,), said)


@cache
def made_around():
    """All of them, those first that stand for several. The learners inside have one answer, in any units."""
    numbers, classes = aprendiz.LinearRegression(), aprendiz.LinearDiscriminantAnalysis()
    first = aprendiz.SelectPercentile(aprendiz.f_regression, percentile=60)
    second = aprendiz.VariableRanking(keep=0.8, task="regression")
    return [
        around(aprendiz.RFE, "classes", estimator=classes, n_features_to_select=0.25),
        around(aprendiz.SequentialFeatureSelector, "numbers", estimator=numbers, n_features_to_select=0.75, cv=3),
        around(aprendiz.AnnealingSelection, "numbers", estimator=numbers, cv=3, max_iter=5, random_state=0),
        around(aprendiz.EmbeddedSelection, "numbers", keep=0.5, cv=3, task="regression"),
        around(
            aprendiz.GeneticSelection, "classes", estimator=classes, cv=3, population_size=6, n_iter_no_change=3, random_state=0
        ),
        around(aprendiz.KnockoffSelection, "numbers", fdr=1.0, offset=0, task="regression"),
        around(aprendiz.RFECV, "numbers", estimator=numbers, cv=3),
        around(aprendiz.RecursiveElimination, "classes", estimator=classes, cv=3),
        around(aprendiz.SelectFromModel, "classes", estimator=classes),
        around(aprendiz.SequentialSelection, "classes", estimator=classes, cv=3),
        around(aprendiz.StabilitySelection, "numbers", threshold=0.55, expected_false=30.0, n_pairs=4, task="regression"),
        around(aprendiz.TwoStageSelection, "numbers", first=first, second=second),
    ]
