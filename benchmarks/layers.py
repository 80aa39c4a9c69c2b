"""Networks of layers: epochs of batches, and L-BFGS on a small table.

Everybody makes the same number of epochs of the same batches with Adam, from first weights and orders of their own: the mean
loss over three seeds must be the same. PyTorch is written as its manuals write a loop over batches, with the fused optimizer,
in the precision of the table, the first weights of Glorot and Bengio, and one output for two classes, as the others have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from benchmarks import THREADS
from benchmarks.harness import Case
from benchmarks.peers import OURS, PYTORCH, SKLEARN, Contender, Data, offered
from benchmarks.quality import Objective

BATCH, SEEDS = 200, (0, 1, 2)


def two_classes(rows: int) -> Data:
    """Thirty columns; the class depends on a product of two of them and a third."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 30))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


def short_floats(rows: int) -> Data:
    """The same in single precision."""
    X, y = two_classes(rows)
    return X.astype(np.float32), y


def ten_classes(rows: int) -> Data:
    """As many columns as an image of 28 × 28 cells, in single precision, as images come."""
    rng = np.random.default_rng(0)
    X, W = rng.random((rows, 784), dtype=np.float32), rng.normal(size=(784, 10)).astype(np.float32)
    return X, ((X - 0.5) @ W).argmax(axis=1)


def iris(rows: int) -> Data:
    X, y = load_iris(return_X_y=True)
    return X[:rows], y[:rows]


class TorchNetwork:
    """A loop over batches, as the manuals of PyTorch write it."""

    def __init__(self, hidden: int, epochs: int, random_state: int):
        self.hidden, self.epochs, self.random_state = hidden, epochs, random_state

    def fit(self, X: Any, y: Any) -> TorchNetwork:
        import torch

        torch.set_num_threads(THREADS)
        torch.manual_seed(self.random_state)
        two = int(y.max()) == 1
        table, codes = torch.as_tensor(X), torch.as_tensor(y.astype(X.dtype)[:, None] if two else y)
        outputs = 1 if two else int(y.max()) + 1
        layers = torch.nn.Linear(table.shape[1], self.hidden), torch.nn.ReLU(), torch.nn.Linear(self.hidden, outputs)
        for layer in (layers[0], layers[2]):
            torch.nn.init.xavier_uniform_(layer.weight)
        self.network = torch.nn.Sequential(*layers).to(table.dtype)
        optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3, fused=True)
        loss = torch.nn.BCEWithLogitsLoss() if two else torch.nn.CrossEntropyLoss()
        for _ in range(self.epochs):
            order = torch.randperm(len(table))
            for start in range(0, len(table), BATCH):
                batch = order[start : start + BATCH]
                optimizer.zero_grad()
                loss(self.network(table[batch]), codes[batch]).backward()
                optimizer.step()
        return self

    def predict_proba(self, X: Any) -> Any:
        import torch

        with torch.no_grad():
            sums = self.network(torch.as_tensor(X))
            if sums.shape[1] == 1:
                return torch.sigmoid(torch.cat([-sums, sums], dim=1)).numpy()
            return torch.softmax(sums, dim=1).numpy()


def networks(hidden: int, epochs: int) -> Mapping[str, Contender]:
    """The same epochs of the same batches."""

    def settings(data: Data, seed: int) -> dict[str, Any]:
        given = {"hidden_layer_sizes": (hidden,), "max_iter": epochs, "batch_size": BATCH, "tol": 0.0}
        return {**given, "n_iter_no_change": epochs, "random_state": seed}

    def of_torch(data: Data, seed: int) -> dict[str, Any]:
        return {"hidden": hidden, "epochs": epochs, "random_state": seed}

    found = {
        OURS: Contender(OURS, "aprendiz.neural", "MLPClassifier", settings),
        SKLEARN: Contender(SKLEARN, "sklearn.neural_network", "MLPClassifier", settings),
    }
    if offered(PYTORCH, "nn", "Linear"):
        found[PYTORCH] = Contender(PYTORCH, "benchmarks.layers", "TorchNetwork", of_torch)
    return found


def small(**settings: Any) -> Mapping[str, Contender]:
    modules = {OURS: "aprendiz.neural", SKLEARN: "sklearn.neural_network"}

    def seeded(data: Data, seed: int) -> dict[str, Any]:
        return {**settings, "random_state": seed}

    return {name: Contender(name, module, "MLPClassifier", seeded) for name, module in modules.items()}


def log_loss(data: Data, model: Any) -> float:
    """The mean loss on the rows of the fit."""
    X, y = data
    p = model.predict_proba(X)[np.arange(len(y)), y]
    return float(-np.log(np.maximum(p, 1e-30)).mean())


def products(columns: int, hidden: int, outputs: int, epochs: int, rows: int) -> float:
    """Multiplications and additions of the passes forward and backward; errors do not go back to the columns."""
    return rows * hidden * (4.0 * columns + 6.0 * outputs) * epochs


LOSS = Objective("log loss", log_loss, 0.1)
CASES = (
    Case(
        "30-100-2, 50 000 rows, 20 epochs, batches of 200",
        50_000,
        two_classes,
        networks(100, 20),
        LOSS,
        seeds=SEEDS,
        flops=partial(products, 30, 100, 1, 20),
    ),
    Case(
        "784-256-10, 60 000 rows, float32, 10 epochs, batches of 200",
        60_000,
        ten_classes,
        networks(256, 10),
        LOSS,
        seeds=SEEDS,
        flops=partial(products, 784, 256, 10, 10),
        grows=False,
    ),
    Case(
        "30-100-2, 50 000 rows, float32, 20 epochs, batches of 200",
        50_000,
        short_floats,
        networks(100, 20),
        LOSS,
        seeds=SEEDS,
        flops=partial(products, 30, 100, 1, 20),
        grows=False,
    ),
    Case("iris, L-BFGS, 50 steps", 150, iris, small(solver="lbfgs", max_iter=50), LOSS, seeds=SEEDS, grows=False),
    Case("iris, Adam, 200 epochs", 150, iris, small(max_iter=200), LOSS, seeds=SEEDS, grows=False),
)
