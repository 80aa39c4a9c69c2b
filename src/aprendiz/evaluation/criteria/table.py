"""Several models side by side: likelihood, parameters, criteria, and how much the rows say for each.

    Δ_j = criterion_j − the smallest,     weight_j = e^{−Δ_j/2}/Σ_i e^{−Δ_i/2}                                   (1)

Of AIC and AICc the weights are Akaike's, of BIC they are near the posterior probabilities of models that were equally probable
before. Only models of the same event are compared: p(y | x) says how y follows from x, p(x, y) also how x is distributed, and a
density has a unit where a probability has none.

Reference: Burnham & Anderson, "Model selection and multimodel inference", 2nd ed., 2002, sections 2.6 and 2.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.criteria.likelihoods.fitted import fit_of
from aprendiz.evaluation.criteria.likelihoods.likelihood import Likelihood, event_in_words, note_in_words
from aprendiz.evaluation.criteria.likelihoods.penalties import aic_of, aicc_of, bic_of
from aprendiz.evaluation.words.tables import align, frame
from aprendiz.locale import _, format_fixed, format_whole, number

Criterion = Literal["aic", "aicc", "bic"]
WORDS = {"aic": "AIC", "aicc": "AICc", "bic": "BIC"}
MARKS = "¹²³⁴⁵⁶⁷⁸⁹"


@dataclass(frozen=True, repr=False, eq=False)
class CriteriaTable(ShortRepr):
    """Criteria of several models of the same rows, from best to worst.

    Attributes
    ----------
    names : tuple of str
    log_likelihood, n_parameters, aic, aicc, bic : ndarray of float
    by : {"aic", "aicc", "bic"}
        The criterion that orders them.
    rows : int
    event : tuple of str
        What the likelihoods are the probability of.
    notes : tuple of str
        "penalised", "effective" or "" for each model.
    """

    names: tuple[str, ...]
    log_likelihood: Array
    n_parameters: Array
    aic: Array
    aicc: Array
    bic: Array
    by: str
    rows: int
    event: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def best(self) -> str:
        """The name of the model with the smallest criterion."""
        return self.names[0]

    @property
    def differences(self) -> Array:
        """Δ of (1)."""
        values: Array = getattr(self, self.by)
        with np.errstate(invalid="ignore"):
            return np.where(values == values[0], 0.0, values - values[0])

    @property
    def weights(self) -> Array:
        """The weights of (1)."""
        relative = np.exp(-0.5 * self.differences)
        return np.asarray(relative / relative.sum())

    def frame(self) -> Any:
        """A pandas frame with a row for each model."""
        columns = {name: getattr(self, name) for name in ("log_likelihood", "n_parameters", "aic", "aicc", "bic")}
        return frame({**columns, "difference": self.differences, "weight": self.weights}, self.names, "model")

    def plot(self, ax: Any = None) -> Picture:
        """Differences from the best model as bars, and weights, as a picture: a `CriteriaDisplay`. Needs matplotlib."""
        return display("CriteriaDisplay")(self).plot(ax)

    def __str__(self) -> str:
        told = sorted({note for note in self.notes if note})
        head = [_("model"), "ln L", "k", "AIC", "AICc", "BIC", f"Δ{WORDS[self.by]}", _("weight")]
        lines = [head]
        for j, name in enumerate(self.names):
            k = self.n_parameters[j]
            mark = MARKS[told.index(self.notes[j])] if self.notes[j] else ""
            cells = [self.log_likelihood[j], self.aic[j], self.aicc[j], self.bic[j], self.differences[j]]
            ln, *others = (format_fixed(cell, 2) for cell in cells)
            count = format_whole(int(k)) if float(k).is_integer() else number(k, 4)
            lines.append([f"{name}{mark}", ln, count, *others, format_fixed(self.weights[j], 3)])
        below = [_("{rows} rows, {event}").format(rows=format_whole(self.rows), event=event_in_words(self.event))]
        below += [f"{MARKS[i]} {note_in_words(note)}" for i, note in enumerate(told)]
        return "\n".join([align(lines), *below])


def table(models: Mapping[Any, Any], X: Any, y: Any = None, *, by: Criterion = "aic") -> CriteriaTable:
    """The criteria of several fitted models, from best to worst.

    Parameters
    ----------
    models : mapping of name to fitted model
        All fitted to these rows.
    X, y : the rows of the fits, and their targets unless the models are of x alone
    by : {"aic", "aicc", "bic"}, default="aic"
        What orders them, and what the weights are of.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aprendiz import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> kinds = {"quadratic": QuadraticDiscriminantAnalysis(), "linear": LinearDiscriminantAnalysis()}
    >>> print(table({name: model.fit(X, y) for name, model in kinds.items()}, X, y, by="bic"))
    model         ln L   k     AIC    AICc     BIC   ΔBIC  weight
    quadratic  -188.38  44  464.75  502.47  597.22   0.00   1.000
    linear     -263.20  24  574.41  584.01  646.66  49.44   0.000
    150 rows, p(x, y), densities of the columns
    """
    if by not in WORDS:
        raise ParameterError(f"by must be 'aic', 'aicc' or 'bic', got {by!r}.")
    if not isinstance(models, Mapping) or not models:
        raise TypeError(f"models must be a mapping of names to fitted models, such as {{'line': model}}, got {models!r}.")
    fits = {str(name): fit_of(model, X, y) for name, model in models.items()}
    refuse_two_events(fits)
    values = {"aic": aic_of, "aicc": aicc_of, "bic": bic_of}
    order = sorted(fits, key=lambda name: values[by](fits[name]))
    first = fits[order[0]]
    return CriteriaTable(
        names=tuple(order),
        log_likelihood=np.array([fits[name].log_likelihood for name in order]),
        n_parameters=np.array([fits[name].parameters for name in order], dtype=np.float64),
        **{name: np.array([of(fits[one]) for one in order]) for name, of in values.items()},
        by=by,
        rows=first.rows,
        event=first.event,
        notes=tuple(fits[name].note for name in order),
    )


def refuse_two_events(fits: Mapping[str, Likelihood]) -> None:
    """Likelihoods of different things have no order."""
    names = list(fits)
    for name in names[1:]:
        if fits[name].event != fits[names[0]].event:
            raise ValueError(
                _(
                    "{one} gives {first}, {other} gives {second}: likelihoods of different things cannot be compared. "
                    "Compare their errors on held-out rows instead."
                ).format(
                    one=repr(names[0]),
                    first=event_in_words(fits[names[0]].event),
                    other=repr(name),
                    second=event_in_words(fits[name].event),
                )
            )
