"""Does a table look as a method assumes it to?

    GaussianNB, NaiveBayes, QuadraticDiscriminantAnalysis    each column is normal in each class
    LinearDiscriminantAnalysis, DiagonalDiscriminantAnalysis, RegularizedDiscriminantAnalysis
                                                             the deviations from the means of the classes are normal,
                                                             and have the same variance in every class
    SVC, NuSVC, SVR, NuSVR, OneClassSVM                      the columns have scales that can be compared
    MLPClassifier, MLPRegressor                              the columns are about standardised
    a t interval ("t")                                       the values are normal

Normality is judged as `normality` does, by a p-value and by how far off the curve is; equal variances by the test of Brown and
Forsythe, an analysis of variance of |x − median of the class|, and a ratio of variances of at least 4. All p-values are raised
by Holm's method. A broken assumption does not make a method wrong: its scores on unseen rows say whether it works, its
probabilities deserve a look at their calibration.

Cost: at most 2000 rows of each class and 100 columns are looked at, evenly spaced: some hundredths of a second.
Reference: Brown & Forsythe, JASA 69, 1974.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import levene
from sklearn.pipeline import Pipeline

from aprendiz import evaluation
from aprendiz.core.rows import Array
from aprendiz.evaluation import Normality
from aprendiz.evaluation.shapes.samples import Sample, sample_of
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.kernel.shared.uneven_scales import uneven_scales
from aprendiz.locale import _, format_whole, ngettext, number

BY_CLASS = ("GaussianNB", "NaiveBayes", "QuadraticDiscriminantAnalysis")
POOLED = ("LinearDiscriminantAnalysis", "DiagonalDiscriminantAnalysis", "RegularizedDiscriminantAnalysis")
NETWORKS = ("MLPClassifier", "MLPRegressor")
BY_SCALE = ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM", *NETWORKS)
INTERVAL = ("t", "t interval")
RATIO = 4.0  # of variances of two classes, from which it matters
UNSCALED = 30.0  # the largest size of a column over the smallest spread: of a product of two columns a network learns nothing
# after 300 epochs where one is 30 times as large, or all are 30 from zero, or a thirtieth
NAMED = 3  # columns that are named


@dataclass(frozen=True)
class BrokenAssumption:
    """An assumption of a method that a table does not meet.

    Attributes
    ----------
    code : "not_normal", "unequal_variances", "uneven_scales" or "not_standardised"
    method : str
    sentence, why, remedy : str
        What was found, why it matters and what to do, in the current language.
    columns : tuple of str
        Where, the clearest first.
    p_value : float
        The smallest, after Holm's correction; NaN where nothing is tested.
    """

    code: str
    method: str
    sentence: str
    why: str
    remedy: str
    columns: tuple[str, ...]
    p_value: float

    def __str__(self) -> str:
        return f"{self.sentence} {self.why} {self.remedy}"


def check_assumptions(method: Any, X: Any, y: Any = None, *, level: float = 0.05) -> tuple[BrokenAssumption, ...]:
    """Say which assumptions of a method a table breaks; nothing, for a method that makes none about distributions.

    Parameters
    ----------
    method : learner, pipeline or str
        A learner, a pipeline that ends in one, or the name of its class; "t" for a t interval of the mean of X.
    X : table in memory
        The columns as they come to the learner. Categories are left out.
    y : array-like of shape (n_samples,), optional
        The classes.
    level : float, default=0.05

    Examples
    --------
    >>> x = np.random.default_rng(0).lognormal(size=(300, 1))
    >>> found = check_assumptions("GaussianNB", x, np.arange(300) % 2)
    >>> [one.code for one in found]
    ['not_normal']
    >>> check_assumptions("GaussianNB", np.log(x), np.arange(300) % 2)
    ()
    """
    name = name_of(method)
    if name not in (*BY_CLASS, *POOLED, *BY_SCALE, *INTERVAL):
        return ()
    if name in NETWORKS:
        sample = sample_of(X, None)
        return tuple(about_scales(name, sample)) or tuple(about_standardisation(name, sample))
    if name in BY_SCALE:
        return tuple(about_scales(name, sample_of(X, None)))
    if name in INTERVAL:
        return tuple(about_normality(name, evaluation.normality(sample_of(X, None).table, level=level), None))
    if y is None:
        raise ValueError(f"{name} assumes something of each class: give y.")
    sample = sample_of(X, y)
    if name in BY_CLASS:
        return tuple(about_normality(name, evaluation.normality(sample.table, sample.codes, level=level), sample))
    centred = sample.table.copy()
    for k in range(len(sample.labels)):
        centred[sample.codes == k] -= np.nanmean(centred[sample.codes == k], axis=0)
    broken = about_normality(name, evaluation.normality(centred, level=level), sample)
    return (*broken, *about_variances(name, sample, level))


def name_of(method: Any) -> str:
    """The name of the class of a learner, the last one of a pipeline."""
    if isinstance(method, str):
        return method
    return type(method[-1] if isinstance(method, Pipeline) else method).__name__


def about_normality(name: str, found: Normality, sample: Sample | None) -> Iterator[BrokenAssumption]:
    """What does not look normal."""
    if not found.broken:
        return
    order = sorted(found.broken, key=lambda one: (one.p_holm, -one.distance))
    columns = tuple(dict.fromkeys(one.column if sample is None else sample.names[int(one.column)] for one in order))
    worst = order[0]
    if sample is None:
        yield BrokenAssumption(
            "not_normal",
            name,
            _("The values do not look normal (skewness {skewness}, p = {p}).").format(
                skewness=number(worst.skewness, 2), p=number(worst.p_holm, 2)
            ),
            _("A t interval of few values then misses the mean more often than it says."),
            _("Use a bootstrap interval or a rank test, or more values."),
            columns,
            worst.p_holm,
        )
        return
    yield BrokenAssumption(
        "not_normal",
        name,
        ngettext(
            "{method} assumes normal columns in each class, but {count} of {all} does not look so: {names}.",
            "{method} assumes normal columns in each class, but {count} of {all} do not look so: {names}.",
            len(columns),
        ).format(method=name, count=format_whole(len(columns)), all=format_whole(len(sample.names)), names=list_names(columns)),
        _("In {name} the fitted curve is off by up to {distance} in probability (skewness {skewness}, p = {p}).").format(
            name=repr(columns[0]),
            distance=number(worst.distance, 2),
            skewness=number(worst.skewness, 2),
            p=number(worst.p_holm, 2),
        ),
        remedy(worst.skewness, sample.table[:, sample.names.index(columns[0])]),
        columns,
        worst.p_holm,
    )


def remedy(skewness: float, cells: Array) -> str:
    """What to try: a logarithm for a long tail of positive numbers, else methods without the assumption."""
    if skewness > 1 and np.nanmin(cells) > 0:
        return _(
            "Take logarithms of columns with a long tail, or compare with methods that assume no distribution, such as trees."
        )
    return _(
        "Compare with methods that assume no distribution, such as logistic regression or trees, and calibrate probabilities."
    )


def about_variances(name: str, sample: Sample, level: float) -> Iterator[BrokenAssumption]:
    """Columns whose variance differs between the classes."""
    p_values, ratios = [], []
    for cells in sample.table.T:
        parts = [part[~np.isnan(part)] for part in (cells[sample.codes == k] for k in range(len(sample.labels)))]
        parts = [part for part in parts if len(part) > 2]
        variances = np.array([part.var(ddof=1) for part in parts])
        varies = len(parts) > 1 and variances.min() > 0
        p_values.append(float(levene(*parts, center="median").pvalue) if varies else np.nan)
        ratios.append(float(variances.max() / variances.min()) if varies else np.nan)
    raised, ratio = holm(p_values), np.array(ratios)
    broken = np.flatnonzero((raised < level) & (ratio >= RATIO))
    if not len(broken):
        return
    broken = broken[np.lexsort((-ratio[broken], raised[broken]))]
    columns = tuple(sample.names[j] for j in broken)
    yield BrokenAssumption(
        "unequal_variances",
        name,
        _("{method} assumes the same variances in all classes, but they differ in {count} of {all} columns: {names}.").format(
            method=name, count=format_whole(len(columns)), all=format_whole(len(sample.names)), names=list_names(columns)
        ),
        _("In {name} the largest variance of a class is {ratio} times the smallest (p = {p}).").format(
            name=repr(columns[0]), ratio=number(float(ratio[broken[0]]), 2), p=number(float(raised[broken[0]]), 2)
        ),
        _("Compare with QuadraticDiscriminantAnalysis, which gives each class its own covariance."),
        columns,
        float(raised[broken[0]]),
    )


def about_scales(name: str, sample: Sample) -> Iterator[BrokenAssumption]:
    """Columns of which one varies a million times as much as another."""
    found = uneven_scales(sample.table)
    if found is None:
        return
    wide, narrow = sample.names[found.wide], sample.names[found.narrow]
    yield BrokenAssumption(
        "uneven_scales",
        name,
        _("The scales of the columns are far apart: {wide} varies {ratio} times as much as {narrow}.").format(
            wide=repr(wide), narrow=repr(narrow), ratio=number(float(f"{found.ratio:.1g}"))
        ),
        _("{method} adds up columns in their own units: without scaling, {narrow} would hardly count.").format(
            method=name, narrow=repr(narrow)
        ),
        _("Put StandardScaler before it in a pipeline; aprendiz run does so by itself."),
        (wide, narrow),
        float("nan"),
    )


def about_standardisation(name: str, sample: Sample) -> Iterator[BrokenAssumption]:
    """Columns of which one is much larger than 1, or varies much less."""
    with np.errstate(all="ignore"):
        mean, spread = (np.ma.filled(of(np.ma.masked_invalid(sample.table), axis=0), np.nan) for of in (np.ma.mean, np.ma.std))
    varied = np.flatnonzero(spread > 0)
    if not len(varied):
        return
    size = np.hypot(mean, spread)
    large, small = varied[size[varied].argmax()], varied[spread[varied].argmin()]
    if max(1.0, size[large]) < UNSCALED * min(1.0, spread[small]):
        return
    yield BrokenAssumption(
        "not_standardised",
        name,
        _("The columns are not standardised: {large} is of size {size}, {small} varies by {spread}.").format(
            large=repr(sample.names[large]),
            size=number(float(size[large]), 2),
            small=repr(sample.names[small]),
            spread=number(float(spread[small]), 2),
        ),
        _("{method} begins with weights for columns of mean 0 and variance 1: with others it learns little.").format(
            method=name
        ),
        _("Put StandardScaler before it in a pipeline; aprendiz run does so by itself."),
        tuple(dict.fromkeys((sample.names[large], sample.names[small]))),
        float("nan"),
    )


def list_names(names: tuple[str, ...]) -> str:
    """The first names."""
    return ", ".join(map(repr, names[:NAMED])) + (", …" if len(names) > NAMED else "")
