"""Attempts to refute certificates: hostile tables, and what is claimed checked in rational or 60-digit arithmetic.

A refutation fits a learner to the table of a seed and returns whether its certificate holds. It raises `RefutedError` where the
certificate claims what is not so. `python -m hostile.refutations 100`, in `tests`, tries a hundred seeds of each (names may
follow), and prints how many certificates held.
"""

import sys
import warnings
from collections import Counter

import numpy as np

from . import refute_clusters, refute_linear, refute_statistics
from .checks import RefutedError

REFUTATIONS = {
    refutation.__name__: refutation
    for refutation in (
        *(refute_linear.least_squares, refute_linear.near_duplicates, refute_linear.many_rows, refute_linear.ridge_cv),
        *(refute_linear.lasso, refute_linear.stochastic, refute_linear.delta_rule, refute_linear.perceptron),
        *(refute_linear.stochastic_classes, refute_linear.logistic),
        *(refute_statistics.standard_scaler, refute_statistics.gaussian_nb),
        *(refute_statistics.nearest_centroid, refute_statistics.min_max, refute_statistics.robust_scaler),
        *(refute_statistics.basis_expansion, refute_statistics.pca, refute_statistics.discriminants),
        *(refute_statistics.linear_machine, refute_statistics.fisher, refute_statistics.counts, refute_statistics.stoller),
        *(refute_statistics.hyperplane, refute_statistics.trees, refute_statistics.ada_boost, refute_clusters.neighbours),
        *(refute_clusters.linkage, refute_clusters.k_medoids, refute_clusters.k_centers, refute_clusters.k_means),
        *(refute_clusters.fuzzy_c_means, refute_clusters.gaussian_mixture, refute_clusters.spectral),
    )
}
SLOW = {"many_rows", "logistic"}  # a tenth of the seeds


def attempt(name, seed):
    """Whether the certificate holds; None if the table was refused."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            return REFUTATIONS[name](seed)
        except (ValueError, TypeError):
            return None


def main(number, names):
    """Try them, and say what happened."""
    broken = 0
    for name in names or REFUTATIONS:
        count, failed = Counter(), []
        for seed in range(number // 10 if name in SLOW else number):
            try:
                count[attempt(name, seed)] += 1
            except RefutedError as error:
                failed.append(f"    seed {seed}: {error}")
        broken += len(failed)
        print(f"{name}: {count[True]} hold, {count[False]} do not, {count[None]} refused, {len(failed)} refuted")
        print("\n".join(failed[:5]), end="\n" if failed else "", flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), sys.argv[2:])))
