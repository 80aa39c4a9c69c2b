"""The first fit on a machine: what a newcomer waits for, with no kernel compiled yet.

    python -m benchmarks.cold LEARNER      prints {"imports": …, "fit": …, "predict": …, "kernels": …}

Every learner has a process of its own and an empty cache. It is imported, fits iris with its default settings, and answers the
same rows. Regressors predict the first column from the others; learners of counts get rounded values; learners of two classes
get two; transformers of text get a sentence about each flower. Learners that are made around another one have a linear one
inside. The times are processor seconds of the whole process, so that they depend little on what else the machine does; what
takes long is measured three times and the shortest counts, since a busy machine only adds to it. The import of scikit-learn,
which aprendiz needs, is measured alone for comparison.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import alone

LONGEST = 5.0  # seconds of a first fit that a newcomer waits for
TIMES, LONG = 3, 3.5  # so often are fits measured that take so many seconds
INSIDE = {  # learners that are made around another one, and which
    "ConformalClassifier": "LogisticRegression",
    **dict.fromkeys(("CalibratedClassifierCV", "OneVsOneClassifier", "OneVsRestClassifier"), "Perceptron"),
    **dict.fromkeys(("ConformalRegressor", "AnnealingSelection", "GeneticSelection", "SequentialSelection"), "Ridge"),
    **dict.fromkeys(("RFE", "RFECV", "RecursiveElimination"), "LinearDiscriminantAnalysis"),
    **dict.fromkeys(("SelectFromModel", "SequentialFeatureSelector"), "LinearDiscriminantAnalysis"),
}
OWN = ("EmbeddedSelection", "KnockoffSelection", "StabilitySelection", "TwoStageSelection")  # which have one by default
TEXT = ("CountVectorizer", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer")
ANSWERS = ("predict", "transform", "score_samples", "kneighbors")  # the first of these that a learner has


@dataclass(frozen=True)
class ColdResult:
    """Processor seconds of the import, of the first fit and of the first answer; kernels that were compiled on the way."""

    learner: str
    imports: float
    fit: float
    predict: float | None
    kernels: int

    @property
    def kept(self) -> bool:
        return self.fit <= LONGEST

    def __str__(self) -> str:
        answer = "" if self.predict is None else f", answer {self.predict:.2f} s"
        return f"{self.learner}: import {self.imports:.2f} s, fit {self.fit:.2f} s{answer}, {self.kernels} kernels"


def measured() -> Iterator[ColdResult]:
    """All learners by the first fit, the longest first; before them, the import of scikit-learn."""
    from aprendiz import all_learners

    yield cold("scikit-learn")
    names = [*(name for name, _ in all_learners()), *INSIDE, *OWN, *TEXT]
    yield from sorted(map(shortest, names), key=lambda result: -result.fit)


def shortest(learner: str) -> ColdResult:
    """The shortest of some first fits; one is enough where it is short."""
    found = cold(learner)
    for _ in range(TIMES - 1):
        if found.fit > LONG:
            found = min(found, cold(learner), key=lambda result: result.fit)
    return found


def cold(learner: str) -> ColdResult:
    """A learner in a process of its own, with an empty cache."""
    kept = os.environ.get("NUMBA_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        try:
            return ColdResult(learner, **alone.in_process("benchmarks.cold", learner))
        finally:
            if kept is None:
                del os.environ["NUMBA_CACHE_DIR"]
            else:
                os.environ["NUMBA_CACHE_DIR"] = kept


# ---- in the process of its own -------------------------------------------------------------------------------------------


def main(learner: str) -> None:
    start = time.process_time()
    if learner == "scikit-learn":
        import sklearn.base
        import sklearn.utils.validation  # noqa: F401

        print(json.dumps({"imports": time.process_time() - start, "fit": 0.0, "predict": None, "kernels": 0}))
        return
    import aprendiz

    cls = getattr(aprendiz, learner)
    imports = time.process_time() - start
    model = made(cls)
    data = texts(learner) if learner in TEXT else iris_for(model)
    compilations = counted_compilations()
    fit = processor_seconds(lambda: model.fit(*data))
    answer = next((method for method in ANSWERS if hasattr(model, method)), None)
    predict = None if answer is None else processor_seconds(lambda: getattr(model, answer)(data[0]))
    found = ColdResult(learner, imports, fit, predict, len(compilations))
    print(json.dumps({name: value for name, value in asdict(found).items() if name != "learner"}))


def processor_seconds(call: Any) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def counted_compilations() -> list[str]:
    """A list that grows by a name whenever Numba compiles a kernel."""
    from numba.core import event

    names: list[str] = []

    class Compilations(event.Listener):
        def on_start(self, event: Any) -> None:
            names.append(str(event.data["dispatcher"]))

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Compilations())
    return names


def made(cls: Any) -> Any:
    """A learner with its default settings, but for what it cannot do without."""
    from inspect import signature

    if cls.__name__ in INSIDE:
        import aprendiz

        return cls(getattr(aprendiz, INSIDE[cls.__name__])())
    alone = {"components", "compute_inverse_components"} & {*signature(cls).parameters}  # mixtures, random projections
    few: dict[str, Any] = {"n_components": 1} if alone else {}
    if cls.__name__ == "KnockoffSelection":
        few = {"fdr": 1.0, "offset": 0}  # of four columns none can be sure
    return cls(**few)


def texts(learner: str) -> tuple[Any]:
    """A sentence about each flower; for the weights of terms, a table of counts."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    if learner == "TfidfTransformer":
        return (X.round(),)
    names = ("setosa", "versicolor", "virginica")
    return (
        [f"the {names[k]} has sepals of {a} by {b} and petals of {c} by {d} cm" for (a, b, c, d), k in zip(X, y, strict=True)],
    )


def iris_for(model: Any) -> tuple[Any, ...]:
    """X, or X and y, as a learner takes them."""
    import numpy as np
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    tags = model.__sklearn_tags__()
    target = getattr(model, "target", "classes")
    if target == "numbers" or tags.estimator_type == "regressor" or INSIDE.get(type(model).__name__) == "Ridge":
        return X[:, 1:], X[:, 0]
    if tags.input_tags.positive_only:
        X = np.round(X)
    if target == "none" and type(model).__name__ not in (*INSIDE, *OWN):
        return (X,)
    return X, np.minimum(y, 1) if tags.classifier_tags and not tags.classifier_tags.multi_class else y


if __name__ == "__main__":
    main(sys.argv[1])
