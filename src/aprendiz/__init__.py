"""aprendiz: classical machine learning whose code reads like the mathematics.

Every public name can be imported from here (`from aprendiz import KMeans`) or from its topic
(`from aprendiz.cluster import KMeans`), and is loaded when it is first used.
"""

from typing import Any

from aprendiz import (
    bayes,
    cluster,
    conformal,
    datasets,
    decomposition,
    ensemble,
    evaluation,
    graphical,
    kernel,
    lab,
    linear,
    neighbors,
    neural,
    persistence,
    plots,
    preprocessing,
    selection,
    tree,
)
from aprendiz.core import lazy

__version__ = "0.1.0"

FAMILIES = (  # of learners
    preprocessing, linear, bayes, neighbors, tree, ensemble, cluster, decomposition, kernel, graphical, neural, selection,
    conformal,
)  # fmt: skip
TOPICS = (*FAMILIES, evaluation, plots, persistence)
SUBJECTS = (datasets, lab)  # reached by their own name: `aprendiz.datasets.load`

_core, _load_core, _ = lazy.contents(
    "aprendiz.core", columns=["Columns"], iteration=["training"], **{"sources.files": ["rows"]}
)
__all__ = sorted(["all_learners", *_core, *(name for topic in TOPICS for name in topic.__all__)])


def all_learners() -> list[tuple[str, Any]]:
    """Every public learner, by name: `[("KMeans", <class …>), …]`. Those that are made around another one are left out."""
    from sklearn.base import MetaEstimatorMixin

    from aprendiz.core.learner import Learner

    public = ((name, getattr(topic, name)) for topic in FAMILIES for name in topic.__all__)
    classes = ((name, value) for name, value in public if isinstance(value, type) and issubclass(value, Learner))
    return sorted((name, value) for name, value in classes if not issubclass(value, MetaEstimatorMixin))


def __getattr__(name: str) -> Any:
    for topic in TOPICS:
        if name in topic.__all__:
            return getattr(topic, name)
    if name in _core:
        return _load_core(name)
    raise AttributeError(f"module 'aprendiz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(topic.__name__.split(".")[-1] for topic in (*TOPICS, *SUBJECTS)), "__version__"]
