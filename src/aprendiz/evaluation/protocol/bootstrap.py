"""The bootstrap error of any learner in one call: leave-one-out, .632 or .632+, as evaluation/bootstrap.py has them."""

from __future__ import annotations

from typing import Any, Literal

from aprendiz import evaluation
from aprendiz.evaluation import Bootstrap, Evaluation


def bootstrap(
    learner: Any,
    X: Any,
    y: Any,
    *,
    replicates: int = 200,
    estimate: Literal["loo", ".632", ".632+"] = ".632+",
    seed: int = 0,
    **options: Any,
) -> Evaluation:
    """Evaluate a learner on bootstrap replicates; `options` are those of `evaluate`, such as groups and metrics.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aprendiz import GaussianNB
    >>> found = bootstrap(GaussianNB(), *load_iris(return_X_y=True), replicates=50)
    >>> round(found.score("accuracy").value, 2)
    0.95
    """
    return evaluation.evaluate(learner, X, y, protocol=Bootstrap(replicates, estimate, seed), **options)
