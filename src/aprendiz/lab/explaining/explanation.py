"""The explanation of a method, for `aprendiz methods METHOD`: idea, advice, parameters, cost and page.

Pages and docstrings are in English; the rest is in the language of the reader.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

import aprendiz
from aprendiz.core.pages import page_of
from aprendiz.evaluation.measures.answers import Task
from aprendiz.lab.explaining.method_page import advice, idea
from aprendiz.lab.explaining.parameters import Parameter, idle_parameters, parameters_of
from aprendiz.lab.methods import BASELINE, SHORTLIST, learners
from aprendiz.locale import _, current_language

TASKS: tuple[Task, ...] = ("classification", "regression")


@dataclass(frozen=True)
class Explanation:
    """What is known of a method.

    Attributes
    ----------
    name : str
    tasks : tuple of str
        What it can be compared for; none for learners of other kinds.
    compared : bool
        Whether it is compared by default.
    idea, advice : tuple of str
        Paragraphs of its page, in English.
    parameters : tuple of Parameter
    idle : tuple of str
        Parameters of scikit-learn's that do nothing here, or are refused.
    cost : str
        Time and memory, in English; empty if the class does not say.
    page : Path or None
    """

    name: str
    tasks: tuple[str, ...]
    compared: bool
    idea: tuple[str, ...]
    advice: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    idle: tuple[str, ...]
    cost: str
    page: Path | None

    def lines(self, width: int = 100) -> Iterator[str]:
        """The explanation as lines of text."""
        role = ", ".join(_(task) for task in self.tasks) or _("not for a target: it is not compared")
        yield f"{self.name}  ({role}{'; ' + _('compared by default') if self.compared else ''})"
        if current_language() != "en":
            yield _("(The descriptions below are in English.)")
        yield from section(_("Idea"), self.idea, width)
        yield from section(_("When to use it"), self.advice, width)
        if self.parameters:
            yield from ["", _("Parameters")]
            for one in self.parameters:
                yield from parameter_lines(one, width)
            if self.idle:
                words = _("accepted for scikit-learn's sake, without effect or only with the default: {names}")
                yield from wrap(words.format(names=", ".join(self.idle)), width, initial_indent="  ", subsequent_indent="  ")
        yield from section(_("Cost"), [self.cost] if self.cost else [], width)
        if self.page is not None:
            yield from ["", _("Page: {path}").format(path=self.page)]


def section(heading: str, parts: Any, width: int) -> Iterator[str]:
    """A heading and its paragraphs; nothing where there are none."""
    if parts:
        yield from ["", heading]
        for part in parts:
            yield from wrap(part, width, initial_indent="  ", subsequent_indent="  ")


def parameter_lines(one: Parameter, width: int) -> Iterator[str]:
    """A parameter with its default, what it is, and what tuning tries."""
    yield f"  {one.name}={one.default}"
    yield from wrap(one.words, width, initial_indent="      ", subsequent_indent="      ")
    if one.tuned:
        words = _("tuned: {values}").format(values=", ".join(map(str, one.tuned)))
        yield from wrap(words, width, initial_indent="      ", subsequent_indent="      ")


def explain_method(name: str) -> Explanation:
    """The explanation of a method by its name, in any capitals; a ValueError with near names if there is none."""
    known = explained()
    small = {one.lower(): one for one in known}
    if name.lower() not in small:
        near = get_close_matches(name.lower(), small, n=3) or [one for one in small if name.lower() in one][:3]
        hint = " " + _("Did you mean {name}?").format(name=", ".join(small[one] for one in near)) if near else ""
        raise ValueError(
            _("There is no method {name}.").format(name=repr(name)) + hint + " " + _("aprendiz methods lists them.")
        )
    found = small[name.lower()]
    cls, page = known[found], page_of(known[found])
    tasks = tuple(task for task in TASKS if found in learners(task))
    compared = any(found in SHORTLIST[task] or found == BASELINE[task] for task in tasks)
    about = (tuple(idea(page)), tuple(advice(page))) if page is not None else ((first_paragraph(cls),), ())
    return Explanation(
        found, tasks, compared, *about, tuple(parameters_of(cls)), tuple(idle_parameters(cls)), cost_of(cls), page
    )


def explained() -> dict[str, Any]:
    """Every method that can be explained: all public learners, and the baselines."""
    return {
        **dict(aprendiz.all_learners()),
        **{name: learners(task)[name] for task, name in zip(TASKS, BASELINE.values(), strict=True)},
    }


def first_paragraph(cls: Any) -> str:
    """What a class says of itself."""
    return " ".join((cls.__doc__ or "").strip().partition("\n\n")[0].split())


def cost_of(cls: Any) -> str:
    """The line of the header of a class that says what a fit costs."""
    if not cls.__module__.startswith("aprendiz."):
        return ""
    header = sys.modules[cls.__module__].__doc__ or ""
    found = re.search(r"^Cost:?\s+(.*?)(?=\n\s*\n|\nReference|\nMemory|\Z)", header, re.DOTALL | re.MULTILINE)
    words = " ".join(found[1].split()) if found else ""
    return "" if re.match(r"\S*\.py\b", words) or words.startswith("see") else words.split(" References:")[0]
