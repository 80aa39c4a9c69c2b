"""Classification by a network, cuts of columns, and networks in files.

Rows of alarm, of which BP is the class, as codes; pyAgrum is told that they are, and its prior counts the same. Files are
written before: alarm, and a network of 1 000 nodes. scikit-learn has naive Bayes only, and no cuts that look at the classes:
its bins of equally many rows are beside ours for the time alone.
"""

from __future__ import annotations

import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.networks import long_network, named_network
from benchmarks.peers import OURS, PACKAGES, PGMPY, PYAGRUM, SKLEARN, Contender, Data
from benchmarks.quality import Answer, Objective

NEW_ROWS = 2_000


def rows_of_alarm(rows: int) -> Data:
    """Codes of all nodes but the class, the class, and as many new rows."""
    network = named_network("alarm").ours
    names = [str(name) for name in network.graph_.nodes]
    words = network.sample(rows + NEW_ROWS, random_state=0)
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in words.T])
    target = names.index("BP")
    X, y = np.delete(codes, target, axis=1), codes[:, target]
    return X[:-NEW_ROWS], (y[:-NEW_ROWS], X[-NEW_ROWS:], y[-NEW_ROWS:])


def our_naive(X: Any, rest: Any) -> Any:
    from aprendiz.graphical import BayesianNetworkClassifier

    return BayesianNetworkClassifier("naive", discretize=None, prior="dirichlet", alpha=1.0).fit(X, rest[0])


def our_tan(X: Any, rest: Any) -> Any:
    from aprendiz.graphical import BayesianNetworkClassifier

    return BayesianNetworkClassifier("tan", discretize=None, prior="dirichlet", alpha=1.0).fit(X, rest[0])


def sklearn_naive(X: Any, rest: Any) -> Any:
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB(alpha=1.0).fit(X, rest[0])


def pyagrum_naive(X: Any, rest: Any) -> Any:
    return pyagrum_classifier("NaiveBayes", X, rest[0])


def pyagrum_tan(X: Any, rest: Any) -> Any:
    return pyagrum_classifier("TAN", X, rest[0])


def pyagrum_classifier(structure: str, X: Any, y: Any) -> Any:
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
    from pyagrum.skbn import BNClassifier

    learner = BNClassifier(type_processor=DiscreteTypeProcessor(), learningMethod=structure, prior="Smoothing", priorWeight=1.0)
    learner.fit(X, y)
    return learner


def wrong(data: Data, model: Any) -> float:
    """The share of new rows that get another class, and one."""
    _, X, y = data[1]
    return 1.0 + float(np.mean(np.asarray(model.predict(X)).astype(int) != y))


@cache
def fitted(name: str, structure: str, rows: int) -> Any:
    """A classifier of each library, fitted before its predictions are timed."""
    return globals()[f"{OWN[name]}_{structure}"](*rows_of_alarm(rows))


def to_predict(rows: int) -> Data:
    """Rows to be classified."""
    return rows_of_alarm(rows)[0], None


def our_posteriors(X: Any, _: Any) -> Any:
    return fitted(OURS, "tan", len(X)).predict_proba(X)


def pyagrum_posteriors(X: Any, _: Any) -> Any:
    return fitted(PYAGRUM, "tan", len(X)).predict_proba(X)


# ---- cuts --------------------------------------------------------------------------------------------------------------


def measurements(rows: int) -> Data:
    """Three classes that overlap in twenty columns."""
    random = np.random.default_rng(0)
    y = random.integers(0, 3, rows)
    return (y[:, None] + random.integers(0, 4, (rows, 20))) % 5 + random.normal(size=(rows, 20)), y


def our_cuts(X: Any, y: Any) -> Any:
    from aprendiz.preprocessing import MDLDiscretizer

    return MDLDiscretizer().fit(X, y)


def sklearn_bins(X: Any, y: Any) -> Any:
    from sklearn.preprocessing import KBinsDiscretizer

    return KBinsDiscretizer(12, encode="ordinal", quantile_method="averaged_inverted_cdf", subsample=None).fit(X)


# ---- files -------------------------------------------------------------------------------------------------------------


def file_of(name: str) -> Any:
    """A function that writes a network, and gives the path of its file and the network."""

    def make(_: int) -> Data:
        from aprendiz.graphical import write_bif

        network = named_network("alarm") if name == "alarm" else long_network(1000)
        path = Path(tempfile.mkdtemp()) / f"{name}.bif"
        write_bif(network.ours, path)
        return str(path), network.ours

    return make


def our_reading(path: str, _: Any) -> Any:
    from aprendiz.graphical import read_bif

    return read_bif(path)


def pgmpy_reading(path: str, _: Any) -> Any:
    from pgmpy.readwrite import BIFReader

    return BIFReader(path).get_model()


def pyagrum_reading(path: str, _: Any) -> Any:
    import pyagrum

    return pyagrum.loadBN(path)


def roots_read(data: Data, model: Any) -> Any:
    """The probabilities of the nodes without parents, as they were read."""
    network = data[1]
    roots = [name for name, parents in zip(network.graph_.nodes, network.graph_.parents, strict=True) if not parents]
    if hasattr(model, "tables_"):
        return np.concatenate([model.tables_[name] for name in roots])
    if hasattr(model, "get_cpds"):
        return np.concatenate([model.get_cpds(name).values for name in roots])
    return np.concatenate([model.cpt(name).toarray() for name in roots])


# ---- the cases ---------------------------------------------------------------------------------------------------------

OWN = {OURS: "our", PGMPY: "pgmpy", PYAGRUM: "pyagrum", SKLEARN: "sklearn"}


def functions(what: str, *peers: str) -> dict[str, Contender]:
    """The functions of this file that do the same with each library that is installed."""
    names = [OURS, *(name for name in peers if find_spec(PACKAGES[name]))]
    return {name: Contender(name, __name__, f"{OWN[name]}_{what}", method=None) for name in names}


ERROR = Objective("share of errors, and one", wrong, 0.01)

CASES = (
    Case(
        "naive Bayes, alarm, 20 000 rows", 20_000, rows_of_alarm, functions("naive", SKLEARN, PYAGRUM), ERROR, once=(PYAGRUM,)
    ),
    Case("tree-augmented, alarm, 20 000 rows", 20_000, rows_of_alarm, functions("tan", PYAGRUM), ERROR, once=(PYAGRUM,)),
    Case(
        "tree-augmented, predict_proba, alarm, 2 000 rows",
        2_000,
        to_predict,
        functions("posteriors", PYAGRUM),
        Answer("posteriors", lambda data, found: np.asarray(found), 1.0),
        once=(PYAGRUM,),
        grows=False,
    ),
    Case(
        "MDLDiscretizer, 100 000 × 20",
        100_000,
        measurements,
        {**functions("cuts"), SKLEARN: Contender(SKLEARN, __name__, "sklearn_bins", method=None)},
        Answer("columns", lambda data, model: np.array([model.n_features_in_]), 1e-9),
    ),
    *(
        Case(
            f"reading {name} from BIF",
            1,
            file_of(name),
            functions("reading", *(PYAGRUM, PGMPY)),
            Answer("probabilities of nodes without parents", roots_read, 1e-6),
            once=(PGMPY,),
            grows=False,
        )
        for name in ("alarm", "1 000 nodes")
    ),
)
