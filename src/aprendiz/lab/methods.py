"""The methods of a comparison: the baseline, and every public learner of the task.

A family joins by being public: a learner says what it predicts by its base class, what its columns must be by `allows`, and
which parameters are worth trying by `tuning`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils import get_tags

import aprendiz
from aprendiz.bayes.calibrated_classifier_cv import CalibratedClassifierCV
from aprendiz.core.learner import Classifier, Regressor
from aprendiz.core.rows import Array
from aprendiz.evaluation.measures.answers import Task
from aprendiz.kernel.shared.kernel_machine import KernelMachine
from aprendiz.lab.targets.power import Kind, PowerOfTarget
from aprendiz.linear.one_vs_rest_classifier import OneVsRestClassifier
from aprendiz.locale import _

IN_UNITS_OF_THE_TARGET = {  # parameters of support vector regression
    "SVR": ("C", "epsilon", "tol"),
    "NuSVR": ("C", "tol"),
    "LinearSVR": ("C", "epsilon"),
}
STOPPED_EARLY = ("MLPClassifier", "MLPRegressor")
FEWEST_TO_STOP_EARLY = 1000  # rows of a fit from which some are set aside; with fewer, epochs cost nothing
PATIENT_VISITS = 100_000  # of rows, 500 steps: after ten epochs of 2 000 rows a network has learned little (0.76, then 0.79)
MOST_EPOCHS = 1000
CALIBRATION_FOLDS = 3
BASELINE = {"classification": "DummyClassifier", "regression": "DummyRegressor"}
SHORTLIST: dict[str, tuple[str, ...]] = {
    "classification": (
        "LogisticRegression",
        "GaussianNB",
        "CategoricalNB",
        "BayesianNetworkClassifier",
        "DecisionTreeClassifier",
        "RandomForestClassifier",
        "KNeighborsClassifier",
        "SVC",
    ),
    "regression": ("LinearRegression", "Ridge", "DecisionTreeRegressor", "RandomForestRegressor", "KNeighborsRegressor", "SVR"),
}

WITH_TEXT: dict[str, tuple[str, ...]] = {  # of tables with columns of text
    "classification": (
        *("LogisticRegression", "LinearSVC", "ComplementNB", "MultinomialNB"),
        *("DecisionTreeClassifier", "RandomForestClassifier", "KNeighborsClassifier"),
    ),
    "regression": ("Ridge", "ElasticNet", "DecisionTreeRegressor", "RandomForestRegressor", "KNeighborsRegressor", "SVR"),
}


@dataclass(frozen=True)
class Method:
    """A learner to be tried, and the parameters to be tuned."""

    name: str
    learner: Any
    grid: Mapping[str, Sequence[Any]]

    @property
    def baseline(self) -> bool:
        return self.name in BASELINE.values()

    @property
    def halving(self) -> bool:
        """Whether tuning begins with a sample: a fit costs about the square of the rows."""
        return isinstance(self.learner, KernelMachine)

    def of_many_classes(self) -> Method:
        """The same for more than two classes: one against the rest, where the learner knows two only."""
        if get_tags(self.learner).classifier_tags.multi_class:
            return self
        grid = {f"estimator__{name}": values for name, values in self.grid.items()}
        return Method(self.name, OneVsRestClassifier(self.learner), grid)

    def with_probabilities(self) -> Method:
        """The same with probabilities of the classes: calibrated, where the learner has none."""
        if hasattr(self.learner, "predict_proba"):
            return self
        grid = {f"estimator__{name}": values for name, values in self.grid.items()}
        return Method(self.name, CalibratedClassifierCV(self.learner, cv=CALIBRATION_FOLDS, ensemble=False), grid)

    def of_transformed(self, kind: Kind) -> Method:
        """The same for a transformed target, with predictions in its units; the baseline as it is."""
        if self.baseline:
            return self
        grid = {f"regressor__{name}": values for name, values in self.grid.items()}
        changed = TransformedTargetRegressor(self.learner, transformer=PowerOfTarget(kind), check_inverse=False)
        return Method(self.name, changed, grid)

    def of_rows(self, rows: int) -> Method:
        """The same for a fit to some rows: only so many neighbours as half of them have, for inner folds are smaller still;
        networks stop early where there are enough rows to set some aside."""
        if self.name in STOPPED_EARLY:
            settings: dict[str, Any] = {"max_iter": MOST_EPOCHS}
            if rows >= FEWEST_TO_STOP_EARLY:
                settings |= {"early_stopping": True, "n_iter_no_change": max(10, -(-PATIENT_VISITS // rows))}
            return Method(self.name, clone(self.learner).set_params(**settings), self.grid)
        if "n_neighbors" not in self.grid:
            return self
        few = tuple(k for k in self.grid["n_neighbors"] if k <= max(1, rows // 2))
        return Method(self.name, self.learner, {**self.grid, "n_neighbors": few})

    def of_target(self, y: Array) -> Method:
        """The same for targets of some size: parameters in units of the target are taken times a power of ten, the one nearest
        to its standard deviation; networks scale the target by that of the training rows."""
        if "scale_target" in self.learner.get_params():
            return Method(self.name, clone(self.learner).set_params(scale_target=True), self.grid)
        names = IN_UNITS_OF_THE_TARGET.get(self.name, ())
        if not names:
            return self
        spread = float(np.std(y))
        unit = 10.0 ** round(np.log10(spread)) if spread > 0 else 1.0
        given = self.learner.get_params()
        changed = {name: unit * given[name] for name in names}
        grid = {
            name: tuple(unit * value for value in values) if name in names else values for name, values in self.grid.items()
        }
        return Method(self.name, clone(self.learner).set_params(**changed), grid)


def learners(task: Task) -> dict[str, Any]:
    """Every public learner of a task, by name, the baseline first."""
    kind = Classifier if task == "classification" else Regressor
    first = DummyClassifier if task == "classification" else DummyRegressor
    found = {name: cls for name, cls in aprendiz.all_learners() if issubclass(cls, kind)}
    return {first.__name__: first, **found}


def chosen_methods(task: Task, wanted: str | None = None, *, text: bool = False) -> list[Method]:
    """The shortlist, another one for tables with text; `all` for every learner of the task; or a list of names, separated by
    commas."""
    known = learners(task)
    if wanted is None:
        names: Sequence[str] = (WITH_TEXT if text else SHORTLIST)[task]
    elif wanted == "all":
        names = [name for name in known if name != BASELINE[task]]
    else:
        names = [find_name(name.strip(), known, task) for name in wanted.split(",") if name.strip()]
        if not names:
            raise ValueError(_("No method was given. Available methods: {known}.").format(known=", ".join(known)))
    order = [BASELINE[task], *(name for name in dict.fromkeys(names) if name != BASELINE[task])]
    return [Method(name, make_learner(known[name]), getattr(known[name], "tuning", {})) for name in order]


def make_learner(cls: Any) -> Any:
    """The learner with its defaults, and with the same random numbers each time; the baseline says the most frequent class,
    with its share as probability."""
    if cls is DummyClassifier:
        return cls(strategy="prior")
    return cls(random_state=0) if "random_state" in cls().get_params() else cls()


def find_name(name: str, known: Mapping[str, Any], task: Task) -> str:
    """A method by its name, in any capitals; or a word about what it could have meant."""
    small = {one.lower(): one for one in known}
    if name.lower() in small:
        return small[name.lower()]
    near = get_close_matches(name.lower(), small, n=1) or [one for one in small if name.lower() in one]
    hint = _("Did you mean {name}?").format(name=small[near[0]]) + " " if near else ""
    raise ValueError(
        _("There is no method {name} for {task}. {hint}Available methods: {known}.").format(
            name=name, task=_(task), hint=hint, known=", ".join(known)
        )
    )
