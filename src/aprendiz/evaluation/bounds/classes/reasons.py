"""Why there is no bound over the class of a model, in words."""

from __future__ import annotations

from aprendiz.locale import _


def reason_in_words(reason: str, model: str) -> str:
    """A sentence in the current language."""
    words = {
        "neighbours": _(
            "{model} has no such bound: neighbours label any distinct rows in any way, so the VC dimension is infinite."
        ),
        "votes": _("{model} has no such bound here: for votes of many members no VC dimension is known to this library."),
        "branches": _(
            "{model} has no such bound here: trees are counted for binary splits of numeric columns, and this one has others."
        ),
        "preparation": _("{model} has no such bound here: a step before the classifier is no affine map of the columns."),
        "categories": _("{model} has no such bound here: its columns are categories, not numbers."),
        "unknown": _("{model} has no such bound here: its class of rules is not known. Give its VC dimension."),
    }
    return words[reason].format(model=model)
