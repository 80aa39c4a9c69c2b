"""What a criterion needs to know of a fitted model and its rows."""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.locale import _, format_whole


@dataclass(frozen=True)
class Likelihood:
    """ln L of the rows, and the numbers that were fitted.

    Attributes
    ----------
    log_likelihood : float
    rows : int
    parameters : float
        Numbers that were fitted: those of the course and the priors, and σ where it is estimated. Effective degrees of freedom
        need not be whole.
    event : tuple of str
        What it is the probability (or density) of: likelihoods of different events are not compared.
    note : str
        "penalised" where L is not at its maximum, "effective" where parameters are effective degrees of freedom, or "".
    """

    log_likelihood: float
    rows: int
    parameters: float
    event: tuple[str, ...]
    note: str = ""


def event_in_words(event: tuple[str, ...]) -> str:
    """What a likelihood is the probability of."""
    if event[0] == "joint":
        densities, shares = event[1].count("d"), event[1].count("m")
        if not shares:
            return _("p(x, y), densities of the columns")
        if not densities:
            return _("p(x, y), probabilities of categories")
        return _("p(x, y), densities of {numbers} columns and probabilities of {categories}").format(
            numbers=format_whole(densities), categories=format_whole(shares)
        )
    words = {
        "number": _("p(y | x) of a number"),
        "class": _("p(y | x) of a class"),
        "counts": _("p(x, y) of counts"),
        "answers": _("p(x, y) of columns above a threshold"),
        "rows": "p(x)",
    }
    return words[event[0]]


def note_in_words(note: str) -> str:
    """What to keep in mind of a likelihood."""
    words = {
        "penalised": _("penalised or smoothed: the likelihood is not at its maximum, the count is of all that was fitted"),
        "effective": _("penalised: effective degrees of freedom, not a count"),
    }
    return words.get(note, "")
