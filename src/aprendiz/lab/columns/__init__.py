"""Columns that are neither numbers nor categories, as learners want them: text, dates, lists, places."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    dates=["DateColumns"],
    lists=["ListColumns"],
    places=["PlaceColumns"],
    text=["MixedWithText", "TextColumns", "TextDirections"],
)
