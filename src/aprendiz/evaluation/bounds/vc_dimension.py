"""The VC dimension of a class of rules: the largest number of points that it labels in every way.

    "linear"        hyperplanes of d columns                              d + 1                                 (1)
    "polynomial"    signs of polynomials of a degree r in d columns       C(d + r, r)                           (2)
    "boxes"         inside or outside a box along the axes                2d                                    (3)
    "trees"         binary trees of ℓ leaves on d numeric columns         an upper bound, from a count           (4)
    "finite"        M rules                                               at most log₂ M                        (5)

(1) and (2): signs of a space of functions of dimension D shatter exactly D points. (2) counts the monomials. (3): the outermost
points in each direction are 2d at most, and a box around them holds all others. (4) and what is known for K classes, where the
dimension is that of the errors of the rules, follow from the number of labellings (classes/labellings.py).

References: Dudley, Annals of Probability 6, 1978, theorem 7.2, for (2); Shalev-Shwartz & Ben-David, "Understanding machine
learning", 2014, sections 6.3, 9.1.3 and 18.1.
"""

from __future__ import annotations

from math import comb
from typing import Any, Literal, get_args

from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.evaluation.bounds.classes.labellings import largest_shattered, log_sauer, log_tree_labellings
from aprendiz.evaluation.bounds.classes.model_class import ModelClass, class_of
from aprendiz.evaluation.bounds.classes.reasons import reason_in_words

Kind = Literal["linear", "polynomial", "boxes", "trees", "finite"]


def vc_dimension(
    rules: Kind | Any, d: int | None = None, *, degree: int = 1, leaves: int = 2, size: int = 1, classes: int = 2
) -> int:
    """The VC dimension of a class of rules, or of the class that a fitted classifier is from.

    Parameters
    ----------
    rules : {"linear", "polynomial", "boxes", "trees", "finite"} or fitted classifier
    d : int, optional
        Columns.
    degree : int, default=1
        Of polynomials.
    leaves : int, default=2
        Of trees.
    size : int, default=1
        Rules of a finite class.
    classes : int, default=2
        K. With more than two, an upper bound for linear, polynomial and tree-like rules.

    Examples
    --------
    >>> vc_dimension("linear", 2), vc_dimension("polynomial", 2, degree=2), vc_dimension("boxes", 2)
    (3, 6, 4)
    >>> vc_dimension("trees", 4, leaves=3), vc_dimension("finite", size=1000)
    (15, 9)
    """
    if not isinstance(rules, str):
        found = class_of(rules)
        if found.kind in ("unbounded", "unknown"):
            raise ValueError(reason_in_words(found.reason, type(rules).__name__))
        return dimension_of(found)
    if rules not in get_args(Kind):
        raise ParameterError(f"rules must be one of {', '.join(map(repr, get_args(Kind)))}, or a fitted model, got {rules!r}.")
    if rules == "finite":
        if not isinstance(size, int) or size < 1:
            refuse_count("size", size)
        return size.bit_length() - 1
    for name, value in (("d", d), ("degree", degree), ("leaves", leaves), ("classes", classes)):
        refuse_count(name, value)
    if classes < 2:
        raise ParameterError(f"classes must be a whole number of at least 2, got {classes!r}.")
    assert d is not None
    if rules == "boxes":
        if classes > 2:
            raise ValueError(f"Boxes tell two classes apart, got classes={classes!r}.")
        return 2 * d
    if rules == "trees":
        return tree_dimension(d, leaves, classes)
    return largest_of_functions(comb(d + degree, degree) if rules == "polynomial" else d + 1, classes)


def dimension_of(found: ModelClass) -> int:
    """That of the class of a model."""
    if found.kind == "trees":
        return tree_dimension(found.columns, found.leaves, found.classes)
    if found.kind == "finite":
        return found.size.bit_length() - 1
    return largest_of_functions(found.functions, found.classes)


def largest_of_functions(space: int, classes: int) -> int:
    """Of K functions of a space of this dimension the largest decides; of two classes their difference does."""
    if classes == 2:
        return space
    pairs = classes * (classes - 1) // 2
    return largest_shattered(lambda m: pairs * log_sauer(m, space), space)


def tree_dimension(columns: int, leaves: int, classes: int) -> int:
    """An upper bound; a tree with a single leaf is one of K constants."""
    if leaves == 1:
        return classes.bit_length() - 1
    return largest_shattered(lambda m: log_tree_labellings(m, leaves, columns, classes), leaves)
