"""The contenders: aprendiz, scikit-learn, scikit-learn-intelex, and for sparse linear models celer and skglm, each called as
its user would call it.

A contender is a learner or a function of one library, not imported before it is needed, with the default settings of that
library except for those that define the problem, and those without which it would not reach the quality of the others or
not be at its best. What is timed is its `fit`, another method of a model that was fitted before, or the function.
scikit-learn-intelex is used through its own estimators, nothing is patched; it hands to scikit-learn what it does not do
itself, and where it did so the report says it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import THREADS

OURS, SKLEARN, INTELEX, CELER, SKGLM = "aprendiz", "scikit-learn", "intelex", "celer", "skglm"
ELKAN, FAISS, SCIPY = "scikit-learn, elkan", "faiss", "SciPy"
KMEDOIDS, FASTCLUSTER, OPENTSNE = "kmedoids", "fastcluster", "openTSNE"
PGMPY, PYAGRUM = "pgmpy", "pyAgrum"
PYTORCH, NUMPY, SHAP = "PyTorch", "NumPy", "shap"
LIGHTGBM, XGBOOST = "LightGBM", "XGBoost"
USUAL = (OURS, SKLEARN, INTELEX)  # those of every family
NAMES = (
    *USUAL,
    CELER,
    SKGLM,
    ELKAN,
    FAISS,
    SCIPY,
    KMEDOIDS,
    FASTCLUSTER,
    OPENTSNE,
    PGMPY,
    PYAGRUM,
    PYTORCH,
    NUMPY,
    LIGHTGBM,
    XGBOOST,
    SHAP,
)
PACKAGES = {
    OURS: "aprendiz",
    SKLEARN: "sklearn",
    INTELEX: "sklearnex",
    CELER: "celer",
    SKGLM: "skglm",
    ELKAN: "sklearn",
    FAISS: "faiss",
    SCIPY: "scipy",
    KMEDOIDS: "kmedoids",
    FASTCLUSTER: "fastcluster",
    OPENTSNE: "openTSNE",
    PGMPY: "pgmpy",
    PYAGRUM: "pyagrum",
    PYTORCH: "torch",
    NUMPY: "numpy",
    LIGHTGBM: "lightgbm",
    XGBOOST: "xgboost",
    SHAP: "shap",
}
OUR_TOPICS = {
    "linear_model": "linear",
    "mixture": "cluster",
    "naive_bayes": "bayes",
    "impute": "preprocessing",
    "svm": "kernel",
}  # where the name is another

Data = tuple[Any, ...]  # the arguments of fit
Settings = Callable[[Data, int], dict[str, Any]]


def default(data: Data, seed: int) -> dict[str, Any]:
    """No settings but those of the library."""
    return {}


def fixed(**settings: Any) -> Settings:
    """The same settings whatever the data and the seed."""
    return lambda data, seed: settings


@dataclass(frozen=True)
class Contender:
    """A learner of one library, and its method that is timed; or a function, if there is no method.

    `settings` may look at the data (a start, a penalty) and at the seed; that is not timed.
    """

    name: str
    module: str
    learner: str
    settings: Settings = default
    method: str | None = "fit"

    @cached_property
    def estimator(self) -> Any:
        """The class or the function; imports the library, once."""
        if self.name == INTELEX:
            import_module("daal4py").daalinit(THREADS)
        return getattr(import_module(self.module), self.learner)

    def fitted(self, data: Data, seed: int) -> Any:
        return self.estimator(**self.settings(data, seed)).fit(*data)

    def ready(self, data: Data, seed: int) -> Callable[[], Any]:
        """The call that is timed. What it gives is judged: a fitted model, what its method says of the rows, or what the
        function returns."""
        settings = self.settings(data, seed)
        if self.method is None:
            return partial(self.estimator, *data, **settings)
        if self.method == "fit":
            return lambda: self.estimator(**settings).fit(*data)
        return partial(getattr(self.fitted(data, seed), self.method), data[0])


def contenders(
    topic: str,
    learner: str,
    settings: Settings = default,
    method: str | None = "fit",
    who: Sequence[str] = USUAL,
    own: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Contender]:
    """The learner in every library of `who` that is installed and has it. `topic` is scikit-learn's name of the module.

    `own` holds settings that only one library has, or needs to be at its best.
    """
    modules = {name: f"{PACKAGES[name]}.{topic}" for name in who if offered(name, topic, learner)}
    modules[OURS] = f"{PACKAGES[OURS]}.{OUR_TOPICS.get(topic, topic)}"
    more = own or {}
    return {
        name: Contender(name, module, learner, extended(settings, more.get(name, {})), method)
        for name, module in modules.items()
    }


def extended(settings: Settings, more: Mapping[str, Any]) -> Settings:
    """The settings, and some that do not depend on the data."""
    return lambda data, seed: {**settings(data, seed), **more}


def also(name: str, learner: str, settings: Settings, method: str | None = "fit") -> dict[str, Contender]:
    """One more contender, that offers everything at its top level and may name things in its own way; none if not installed."""
    return {name: Contender(name, PACKAGES[name], learner, settings, method)} if find_spec(PACKAGES[name]) else {}


def offered(name: str, topic: str, learner: str) -> bool:
    """Whether the library is installed and its topic lists the learner, looked for without importing anything."""
    package = find_spec(PACKAGES[name])
    if package is None or name != INTELEX:
        return package is not None
    lists = (Path(folder, topic, "__init__.py") for folder in package.submodule_search_locations or ())
    return any(f'"{learner}"' in file.read_text(encoding="utf-8") for file in lists if file.is_file())


@contextmanager
def handed_over() -> Iterator[list[str]]:
    """The calls that scikit-learn-intelex handed to scikit-learn meanwhile, as it reports them itself."""
    logger, seen = logging.getLogger("sklearnex"), list[str]()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "fallback" in record.getMessage():
                seen.append(record.getMessage())

    before = logger.level, logger.propagate, logger.handlers
    logger.handlers, logger.propagate = [Listener()], False
    logger.setLevel(logging.INFO)
    try:
        yield seen
    finally:
        logger.setLevel(before[0])
        logger.propagate, logger.handlers = before[1:]
