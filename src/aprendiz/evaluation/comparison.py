"""What a comparison of learners found: one record for every test.

Of two learners it holds the difference with its interval, the statistic and p-value or the posterior, an effect size, and
what the test takes for granted, with what of it is broken. Of several, `pairs` holds such a record for each pair that was
compared, with p-values raised for their number (`adjusted`), and `standings` the learners from best to worst; the record is
also a sequence of these. Over several tables there are mean ranks, and cliques of learners that cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, overload

import numpy as np

from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import FEW, brief
from aprendiz.evaluation import Score
from aprendiz.evaluation.significance.finding import NAN, Alternative, Finding
from aprendiz.evaluation.significance.rank_differences import cliques
from aprendiz.evaluation.significance.weka_table import weka_table
from aprendiz.evaluation.words import boxes
from aprendiz.evaluation.words import comparisons as words


@dataclass(frozen=True)
class Standing:
    """A learner in a comparison: its score, its difference from the best, and how sure that difference is."""

    name: str
    score: Score
    difference: float
    p_value: float  # after correction for several comparisons; NaN for the best one and where there is too little to judge by
    tied: bool  # not significantly worse than the best; False where that is unknown


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(ShownAsHtml, Finding, Sequence[Standing]):
    """The result of `compare` and `compare_over_tables`: the numbers of the test (those of two learners, or of the test of
    all), and the learners they are about.

    Attributes
    ----------
    estimate, interval, standard_error, statistic, statistic_name, degrees, p_value, effect_size, effect_name : float, …
        What the test found; the difference is first − second, in the unit of the measure.
    posterior : Posterior or None
        P(worse), P(same) and P(better) of the first learner, of Bayesian tests.
    assumptions : tuple of Assumption
        Each with a code, and whether it is broken.
    test, metric, level, alternative, rope : how it was tested
    names : tuple of str
    adjusted : float
        The p-value, raised if this pair was compared among others.
    posthoc : str or None
        How p-values of pairs were raised.
    pairs : tuple of Comparison
    standings : tuple of Standing
        The learners from best to worst.
    ranks : ndarray or None
        Mean ranks over tables.
    critical_difference : float
        Of mean ranks, where the method has one.
    tables : tuple of str
    """

    test: str
    names: tuple[str, ...]
    metric: str | None = None
    level: float = 0.05
    alternative: Alternative = "two-sided"
    rope: tuple[float, float] | None = None
    more_is_better: bool = True
    adjusted: float = NAN
    posthoc: str | None = None
    control: str | None = None
    pairs: tuple[Comparison, ...] = ()
    standings: tuple[Standing, ...] = ()
    ranks: Array | None = None
    critical_difference: float = NAN
    tables: tuple[str, ...] = ()
    folds: Mapping[str, Any] = field(default_factory=dict, repr=False)

    # ---- a sequence of standings ---------------------------------------------------------------------------------------

    @overload
    def __getitem__(self, index: int) -> Standing: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Standing, ...]: ...

    def __getitem__(self, index: int | slice) -> Standing | tuple[Standing, ...]:
        return self.standings[index]

    def __len__(self) -> int:
        return len(self.standings)

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.standings)

    def __bool__(self) -> bool:
        return True

    # ---- what follows --------------------------------------------------------------------------------------------------

    @property
    def variance(self) -> float:
        """Of the estimate."""
        return self.standard_error**2

    @property
    def significant(self) -> bool:
        """Is a difference shown? A (raised) p-value below the level, or a posterior of at least 1 − level for better or
        worse; of several learners without a test of all, of some pair."""
        if self.posterior is not None:
            return max(self.posterior.better, self.posterior.worse) >= 1 - self.level
        if self.pairs and not self.statistic_name:
            return any(pair.significant for pair in self.pairs)
        return bool(self.adjusted < self.level)

    @property
    def better(self) -> str | None:
        """Of two learners the one that is shown to be better; None where neither is."""
        if len(self.names) != 2 or not self.significant:
            return None
        if self.posterior is not None:
            return self.names[0] if self.posterior.better > self.posterior.worse else self.names[1]
        first = self.first_is_better
        return None if first is None else self.names[0] if first else self.names[1]

    @property
    def first_is_better(self) -> bool | None:
        """Which side the difference is on."""
        side = self.estimate if np.isnan(self.side) else self.side
        return None if side == 0 or np.isnan(side) else bool((side > 0) == self.more_is_better)

    @property
    def broken(self) -> tuple[str, ...]:
        """The codes of the assumptions that do not hold."""
        return tuple(one.code for one in self.assumptions if one.broken)

    @cached_property
    def apart(self) -> Array:
        """For each two learners, whether a difference between them is shown."""
        where, found = {name: i for i, name in enumerate(self.names)}, np.zeros((len(self.names),) * 2, dtype=bool)
        for pair in self.pairs or (self,) * (len(self.names) == 2):
            i, j = (where[name] for name in pair.names)
            found[i, j] = found[j, i] = pair.significant
        return found

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups of neighbouring mean ranks in which no two learners are told apart."""
        if self.ranks is None or len(self.pairs) != len(self.names) * (len(self.names) - 1) // 2:
            return ()
        return tuple(tuple(self.names[i] for i in run) for run in cliques(self.ranks, self.apart))

    def pair(self, first: str, second: str) -> Comparison:
        """The comparison of two of the learners."""
        for one in self.pairs or (self,):
            if set(one.names) == {first, second}:
                return one
        raise ValueError(f"{first!r} and {second!r} were not compared; there are {', '.join(map(repr, self.names))}.")

    # ---- for readers ---------------------------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """What was found, in a sentence in the language of the reader."""
        return words.conclusion(self)

    @property
    def assumptions_in_words(self) -> tuple[str, ...]:
        """Each assumption, or what is wrong with it, in a sentence."""
        return tuple(words.assumption_in_words(one) for one in self.assumptions)

    def __repr__(self) -> str:
        return f"Comparison({self.test!r}, {', '.join(map(brief, self.names[:FEW]))}{', …' if len(self.names) > FEW else ''})"

    def html_parts(self) -> Iterable[Html]:
        """What was found, the learners and the pairs, for notebooks."""
        return boxes.comparison_parts(self)

    def __str__(self) -> str:
        return words.report(self)

    def to_weka(self, control: str | None = None) -> str:
        """The scores in each table as Weka's experimenter prints them: mean and standard deviation over the folds, then v
        where a learner is significantly better than the control (the first, by default), * where it is worse, by the
        corrected t-test."""
        return weka_table(self.folds, self.names, control or self.control or self.names[0], self.level, self.more_is_better)

    def plot(self, ax: Any = None) -> Picture:
        """A picture: of mean ranks a `CriticalDifferenceDisplay`, of drawn posteriors a `PosteriorTriangleDisplay`, of all
        pairs a `DifferenceMatrixDisplay`, else a `DifferenceDisplay`. Needs matplotlib."""
        if self.ranks is not None and self.pairs and self.posthoc is not None:
            return display("CriticalDifferenceDisplay")(self).plot(ax)
        if self.samples is not None:
            return display("PosteriorTriangleDisplay")(self).plot(ax)
        if len(self.names) > 2 and len(self.pairs) == len(self.names) * (len(self.names) - 1) // 2:
            return display("DifferenceMatrixDisplay")(self).plot(ax)
        return display("DifferenceDisplay")(self).plot(ax)
