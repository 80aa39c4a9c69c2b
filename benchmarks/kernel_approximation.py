"""Features of the Gaussian kernel: the draw, and the features of all rows.

Both libraries draw at random, so they are compared on the error of the kernel that the features give, for the pairs of some
rows and over several seeds.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data
from benchmarks.quality import Objective

ROWS, COLUMNS, COMPONENTS = 100_000, 30, 300
SEEDS = 3
GAMMA = 0.02
PAIRS = 400  # rows whose pairs are looked at


def cloud(rows: int) -> Data:
    """One round cloud."""
    return (np.random.default_rng(0).normal(size=(rows, COLUMNS)),)


def settings(data: Data, seed: int) -> dict[str, Any]:
    return {"gamma": GAMMA, "n_components": COMPONENTS, "random_state": seed}


def error(data: Data, Z: Any) -> float:
    """The mean squared error of the kernel, on the pairs of some rows."""
    X, Z = data[0][:PAIRS], Z[:PAIRS]
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    return float(((Z @ Z.T - np.exp(-GAMMA * squares)) ** 2).mean())


def error_of_fit(data: Data, model: Any) -> float:
    return error(data, model.transform(data[0][:PAIRS]))


def case(learner: str, method: str) -> Case:
    """A fit, or the features of all rows by a model that was fitted before."""
    contender = partial(Contender, learner=learner, settings=settings, method=method)
    return Case(
        name=f"{learner},{' transform,' if method == 'transform' else ''} 100 000 × 30, {COMPONENTS} components",
        rows=ROWS,
        make=cloud,
        contenders={
            OURS: contender(OURS, "aprendiz.kernel"),
            SKLEARN: contender(SKLEARN, "sklearn.kernel_approximation"),
        },
        quality=Objective("squared error of the kernel", error if method == "transform" else error_of_fit, 0.05),
        seeds=tuple(range(SEEDS)),
    )


CASES = tuple(case(learner, method) for learner in ("Nystroem", "RBFSampler") for method in ("fit", "transform"))
