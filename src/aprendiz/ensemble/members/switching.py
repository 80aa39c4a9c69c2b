"""Switched labels: every member of the ensemble sees all rows, a fraction p of them with the label of another class.

With n_k of n rows in class k, P_k = n_k/n, the label of a row of class k becomes l ≠ k with probability

    P(l | k) = ω P_l,     ω = p / p_max,     p_max = 1 − Σ P_k²                                                (1)

so that a fraction ω Σ P_k (1 − P_k) = p of the labels is switched, and n ω P_k P_l rows go from k to l as well as back. Whole
numbers F_kl = F_lk of them, the same in both directions, keep the proportions of the classes exactly. F_kl is n ω P_k P_l cut
to a whole number, and one more with the probability of what was cut off: these are drawn together (systematic sampling, one
random number for each member), so that Σ F_kl over all pairs of classes is n·p/2, rounded up or down.

    p = p_max      a label says nothing about the row any more: refused
    p < p_safe     the own label is the most probable one of every class,
                   1 − ω(1 − P_k) > ω P_l for all k ≠ l:     p_safe = p_max / (1 + max P − min P)              (2)

With two classes of equal size p_max = p_safe = ½; the less balanced the classes, the smaller both are.

Without keeping the proportions, the labels of n·p rows drawn at random become any other of the K classes with rows:

    P(l | k) = p/(K − 1),     p_max = p_safe = 1 − 1/K                                                         (3)

References: Breiman, "Randomizing outputs to increase prediction accuracy", Machine Learning 40, 2000; Martínez-Muñoz & Suárez,
"Switching class labels to generate classification ensembles", Pattern Recognition 38, 2005.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Rows
from aprendiz.core.targets import plain
from aprendiz.ensemble.members.bags import stream
from aprendiz.tree.growth.targets_that_count import targets_that_count

PAIRS, LABELS, OTHERS = 5, 6, 7  # purposes of random numbers, beside those of bags.py


@dataclass(frozen=True, eq=False)
class Switching:
    """How labels are switched.

    Attributes
    ----------
    p : float
    counts : int64 of shape (classes,)
        Rows of each class.
    seed : int
    """

    p: float
    counts: Array
    seed: int = 0
    limit = "1 − ΣP²"  # p_max in words

    @cached_property
    def shares(self) -> Array:
        """P of (1)."""
        return self.counts / self.counts.sum()

    @property
    def p_max(self) -> float:
        """Where labels say nothing any more."""
        return float(1.0 - (self.shares**2).sum())

    @property
    def p_safe(self) -> float:
        """Up to where the own label is the most probable of every row: (2)."""
        return float(self.p_max / (1.0 + self.shares.max() - self.shares[self.rarest]))

    @property
    def rarest(self) -> int:
        """The smallest class that has rows."""
        return int(np.where(self.counts > 0, self.counts, self.counts.max()).argmin())

    @property
    def transition(self) -> Array:
        """P(l | k) of (1): rows are the true classes, columns the labels that are seen."""
        found = np.tile(self.p / self.p_max * self.shares, (len(self.shares), 1))
        np.fill_diagonal(found, 0.0)
        return found + np.diag(1.0 - found.sum(axis=1))

    def switched_rows(self, member: int) -> int:
        """How many labels a member sees switched."""
        return int(self.pairs(member).sum())

    def pairs(self, member: int) -> Array:
        """F: how many rows of each class (rows) get each label (columns)."""
        classes, n = len(self.counts), int(self.counts.sum())
        first, second = np.argsort(self.counts, kind="stable")[np.array(np.triu_indices(classes, 1))]  # the rarer class first
        wanted = n * self.p / self.p_max * self.shares[first] * self.shares[second]
        found = np.floor(wanted)
        steps = np.floor(np.cumsum(wanted - found) + uniforms(self.seed, stream(member, PAIRS), 1))
        drawn = np.diff(steps, prepend=0.0)  # 1 with the probability of the part that was cut off
        room = self.counts - np.bincount(first, found, classes) - np.bincount(second, found, classes)
        left = int(drawn.sum())
        for pair in np.argsort(-drawn, kind="stable"):  # pairs that were not drawn stand in where a class has no row left
            k, l = first[pair], second[pair]
            if left == 0:
                break
            if room[k] > 0 and room[l] > 0:
                found[pair], room[k], room[l], left = found[pair] + 1, room[k] - 1, room[l] - 1, left - 1
        F = np.zeros((classes, classes), np.int64)
        F[first, second] = F[second, first] = found
        return F

    def labels(self, y: Array, member: int) -> Array:
        """The classes that a member sees."""
        seen, F = y.copy(), self.pairs(member)
        order = np.argsort(uniforms(self.seed, stream(member, LABELS), len(y)), kind="stable")
        of_class = order[np.argsort(y[order], kind="stable")]
        start = np.cumsum(self.counts) - self.counts
        for k, others in enumerate(F):
            seen[of_class[start[k] : start[k] + others.sum()]] = np.repeat(np.arange(len(F)), others)
        return seen

    def switched_fractions(self, members: int) -> Array:
        """The fraction of the labels that each member sees switched."""
        return np.array([self.switched_rows(member) for member in range(members)]) / self.counts.sum()

    # ---- what is refused -----------------------------------------------------------------------------------------------

    def refuse(self, labels: Array) -> None:
        """A fraction at which labels say nothing."""
        if self.p >= self.p_max:
            of = ", ".join(f"{plain(label)!r} {share:.3g}" for label, share in zip(labels[:10], self.shares, strict=False))
            raise ParameterError(
                f"p={self.p:g} is too large: with the class shares {of}, labels carry no information from "
                f"p_max = {self.limit} = {self.p_max:.4g} on. Give a smaller p."
            )

    def warn(self, labels: Array) -> None:
        """A fraction at which the labels of a class say another one."""
        if self.p > self.p_safe:
            rare, common = plain(labels[self.rarest]), plain(labels[self.shares.argmax()])
            warnings.warn(
                f"p={self.p:g} is above {self.p_safe:.4g}: more rows of class {rare!r} are given the label {common!r} than "
                "keep their own, and the vote will go against it. Give a smaller p.",
                stacklevel=5,
            )


class FreeSwitching(Switching):
    """(3): any fraction p of the labels, whatever becomes of the numbers of rows of the classes."""

    limit = "1 − 1/K"

    @cached_property
    def present(self) -> Array:
        """The classes that have rows."""
        return np.flatnonzero(self.counts)

    @property
    def p_max(self) -> float:
        return 1.0 - 1.0 / len(self.present)

    @property
    def p_safe(self) -> float:
        return self.p_max

    @property
    def transition(self) -> Array:
        """P(l | k) of (3)."""
        found = np.eye(len(self.counts))
        others = self.p / (len(self.present) - 1)
        found[np.ix_(self.present, self.present)] = others
        found[self.present, self.present] = 1.0 - self.p
        return found

    def switched_rows(self, member: int) -> int:
        """n·p, rounded up or down with the probability of what is cut off."""
        return int(np.floor(self.counts.sum() * self.p + uniforms(self.seed, stream(member, PAIRS), 1)[0]))

    def labels(self, y: Array, member: int) -> Array:
        seen, drawn = y.copy(), uniforms(self.seed, stream(member, LABELS), len(y))
        rows = np.argsort(drawn, kind="stable")[: self.switched_rows(member)]
        step = 1 + np.floor(uniforms(self.seed, stream(member, OTHERS), len(y))[rows] * (len(self.present) - 1)).astype(
            np.int64
        )
        seen[rows] = self.present[(np.searchsorted(self.present, y[rows]) + step) % len(self.present)]
        return seen


def class_counts(rows: Rows) -> Array:
    """Rows with weight in each class."""
    assert rows.labels is not None
    return np.bincount(targets_that_count(rows)[0], minlength=len(rows.labels))
