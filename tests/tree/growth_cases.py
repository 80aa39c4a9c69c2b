"""Small random tables of every kind for the tests of trees, as a data frame and as columns of numbers (see exhaustive.py)."""

import numpy as np
import pandas as pd
from exhaustive import Case

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor

NUMBERS = ("ties", "continuous", "constant")
KINDS = (*NUMBERS, "words", "ordinal", "binary")
WORDS = [f"w{k:02d}" for k in range(40)]


def column(rng, kind, n, holes, levels):
    """A column of a kind: its cells as numbers, and as a data frame holds them."""
    if kind == "continuous":
        cells = rng.normal(size=n)
    elif kind == "constant":
        cells = np.full(n, 3.0)
    else:
        cells = rng.integers(0, {"ties": 4, "binary": 2}.get(kind, levels), n).astype(float)
        if kind != "ties":  # every level occurs, so that its number is its code
            cells[: {"binary": 2}.get(kind, levels)] = np.arange({"binary": 2}.get(kind, levels))
    full, cells = cells, np.where(rng.uniform(size=n) < holes, np.nan, cells)
    if kind not in ("words", "ordinal"):
        return cells, cells if kind != "binary" else pd.array(cells, "Int64") if holes else cells.astype(int)
    known = np.unique(full).astype(int)
    words = pd.Categorical.from_codes(
        np.nan_to_num(cells, nan=-1).astype(int), WORDS[: known[-1] + 1], ordered=kind == "ordinal"
    )
    return cells, words


def targets(rng, criterion, n, classes, outputs):
    """Classes, positive numbers for Poisson (0 forbids some questions: tested apart), or numbers with ties."""
    if classes:
        y = rng.integers(0, classes, n)
        y[:classes] = np.arange(classes)
        return y
    if criterion == "poisson":
        return rng.poisson(1.5, (n, outputs)) + 0.1
    return np.round(rng.normal(size=(n, outputs)), 1)


def made(seed, criterion, kinds, n=24, classes=0, outputs=1, holes=0.0, weights=None, levels=4, **rules):
    """A case and its learner, fitted."""
    rng = np.random.default_rng(seed)
    cells, shown = zip(*(column(rng, kind, n, holes, levels) for kind in kinds), strict=True)
    y = targets(rng, criterion, n, classes, outputs)
    w = {None: np.ones(n), "whole": rng.integers(1, 4, n), "real": rng.uniform(0.1, 3.0, n)}[weights].astype(float)
    frame = pd.DataFrame({f"x{j}": one for j, one in enumerate(shown)})
    multiway = rules.get("categories") == "multiway"
    ordered = [kind in (*NUMBERS, "binary") or (kind == "ordinal" and not multiway) for kind in kinds]
    learner = (DecisionTreeClassifier if classes else DecisionTreeRegressor)(criterion=criterion, **rules)
    learner.fit(frame, y if classes or outputs > 1 else y[:, 0], sample_weight=w if weights else None)
    return Case(list(cells), ordered, y, w, criterion, classes, rules), learner, frame
