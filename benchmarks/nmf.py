"""Non-negative factors: the time to the error at which scikit-learn's fastest solver ends, from the same kind of start.

Dense rows of rank 20 with noise, counts of words in 30 topics (four cells of a thousand are above 0), iris and digits. The
error is that of scikit-learn's coordinate descent at its default tolerance and, for dense rows, at a tight one; for the
Kullback-Leibler divergence that of its multiplicative updates. Finding it is not timed, start and singular vectors are. Fits to
the default tolerance of each library are compared too; ours ends lower.

A pass needs 4·n·d·k operations, or 4·k for each cell of a sparse table, and reads the table once. On the words, the singular
vectors of the start and the sweeps over 30 000 rows and columns take about as long as the products with the table.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, fixed
from benchmarks.quality import Objective

PARTS = {4: 3, 64: 16, 500: 20, 10_000: 30}  # by the number of columns
TIGHT = {"tol": 1e-6, "max_iter": 1_000}
DIVERGENCE = "kullback-leibler"


def mixtures(rows: int) -> Any:
    """Sums of 20 parts, half of which a row has none of, with noise."""
    random = np.random.default_rng(0)
    W = random.gamma(0.5, 1.0, (rows, 20)) * (random.random((rows, 20)) < 0.5)
    H = random.gamma(0.5, 1.0, (20, 500)) * (random.random((20, 500)) < 0.5)
    X = W @ H
    return X + 0.1 * X.mean() * random.random(X.shape)


def words(rows: int) -> Any:
    """Texts of 40 words of 10 000, on 30 topics."""
    random = np.random.default_rng(0)
    topics = np.cumsum(random.dirichlet(np.full(10_000, 0.02), 30), axis=1)
    shares = random.dirichlet(np.full(30, 0.1), rows)
    drawn = np.array([random.multinomial(40, share) for share in shares])
    texts = [np.repeat(np.arange(rows), drawn[:, t]) for t in range(30)]
    columns = [np.searchsorted(topics[t], random.random(len(text))).clip(max=9_999) for t, text in enumerate(texts)]
    cells = (np.ones(drawn.sum()), (np.concatenate(texts), np.concatenate(columns)))
    return sparse.csr_matrix(cells, shape=(rows, 10_000))


def iris(rows: int) -> Any:
    from sklearn.datasets import load_iris

    return load_iris().data


def digits(rows: int) -> Any:
    from sklearn.datasets import load_digits

    return load_digits().data[:rows]


@cache
def with_error(table: Any, rows: int, tight: bool, loss: str = "frobenius") -> Data:
    """The table, scikit-learn's error, whether its tolerance is tight, and the loss."""
    X = table(rows)
    return X, their_fit(X, None, tight, loss).reconstruction_err_, tight, loss


def their_fit(X: Any, error: float | None, tight: bool, loss: str = "frobenius") -> Any:
    """scikit-learn's fit, whose error is what we go for."""
    from sklearn.decomposition import NMF

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver = "mu" if loss == DIVERGENCE else "cd"
        return NMF(PARTS[X.shape[1]], random_state=0, solver=solver, beta_loss=loss, **(TIGHT if tight else {})).fit(X)


class Reached:
    """Where a fit was stopped."""

    def __init__(self, error: float):
        self.reconstruction_err_ = error


def our_fit(X: Any, error: float, tight: bool, loss: str = "frobenius") -> Reached:
    """Passes until the error is not above theirs."""
    from aprendiz.decomposition import NMF

    for state in NMF(PARTS[X.shape[1]], random_state=0, beta_loss=loss, tol=0.0, max_iter=2_000).steps(X):
        if 2.0 * state.objective <= error**2:
            break
    return Reached(np.sqrt(2.0 * state.objective))


def to_the_error() -> dict[str, Contender]:
    return {
        OURS: Contender(OURS, "benchmarks.nmf", "our_fit", method=None),
        SKLEARN: Contender(SKLEARN, "benchmarks.nmf", "their_fit", method=None),
    }


def fits(**settings: Any) -> dict[str, Contender]:
    """Whole fits."""
    modules = {OURS: "aprendiz.decomposition", SKLEARN: "sklearn.decomposition"}
    return {name: Contender(name, module, "NMF", fixed(random_state=0, **settings)) for name, module in modules.items()}


ERROR = Objective("error", lambda data, model: float(model.reconstruction_err_), 1e-3)  # another local minimum may be as near
CASES = (
    Case("NMF, 5 000 × 500, 20 parts", 5_000, lambda n: with_error(mixtures, n, False), to_the_error(), ERROR, grows=False),
    Case(
        "NMF, 5 000 × 500, 20 parts, tight",
        5_000,
        lambda n: with_error(mixtures, n, True),
        to_the_error(),
        ERROR,
        once=(SKLEARN,),
        grows=False,
    ),
    Case(
        "NMF, Kullback-Leibler, 5 000 × 500, 20 parts",
        5_000,
        lambda n: with_error(mixtures, n, False, DIVERGENCE),
        to_the_error(),
        ERROR,
        once=(SKLEARN,),
        grows=False,
    ),
    Case(
        "NMF, 20 000 × 10 000 words, 30 parts",
        20_000,
        lambda n: with_error(words, n, False),
        to_the_error(),
        ERROR,
        grows=False,
    ),
    Case("NMF, digits, 16 parts", 1_797, lambda n: with_error(digits, n, False), to_the_error(), ERROR, grows=False),
    Case("NMF, iris, 3 parts", 150, lambda n: with_error(iris, n, False), to_the_error(), ERROR, grows=False),
    Case(
        "NMF, a whole fit of iris, 3 parts",
        150,
        lambda n: (iris(n),),
        fits(n_components=3),
        Objective("error", ERROR.function, 0.01),
        grows=False,
    ),
)
