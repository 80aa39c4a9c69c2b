"""Side-by-side runs of aprendiz and its peers: `python -m benchmarks`, or `python -m benchmarks linear cluster`.

    harness      a case, and how it is timed           peers    who is compared, and how each is called
    quality      did all reach the same answer?        alone    first call and peak memory, in a process of its own
    machine      what the machine is and can do        results  what was measured, in a JSON file for each family
    tables       from results to tables                page     docs/benchmarks.md, from all that is stored
    about        the texts of the page                  rates    docs/methods/how_sure_are_we.md, its tables
    populations  tables whose true scores are known

One file for each family of learners holds its cases. Seven families are no cases and are measured in their own way: `files`
fits a table that is larger than the memory it may use, `dask` passes over partitions, `persistence` saves and loads, `cold`
fits for the first time on a machine, `ensemble_errors` follows the error of ensembles as they grow, `coverage` and `type_one`
count how often intervals hold the truth and how often tests find a difference where there is none. The last three count, and
may be run on a busy machine.

Settings, from the environment: BENCH_QUICK=1 for small tables and few turns (to try the harness; nothing is stored);
BENCH_FILE_GB for the size of the file (5 by default, 0 to leave it out).

Everybody gets the same number of threads. That is set here, before NumPy is loaded, since BLAS asks only once.
"""

import os
import warnings

THREADS = 2
QUICK = os.environ.get("BENCH_QUICK", "") not in ("", "0")
FAMILIES = (
    "preprocessing",
    "text",
    "linear",
    "bayes",
    "discriminants",
    "neighbors",
    "tree",
    "ensemble",
    "boosting",
    "ensemble_errors",
    "decomposition",
    "truncated_svd",
    "embeddings",
    "tsne",
    "cluster",
    "minibatch",
    "medoids",
    "linkage",
    "spectral",
    "mixtures",
    "svm",
    "linear_svm",
    "kernel_ridge",
    "nmf",
    "soft_impute",
    "gram_matrices",
    "kernel_approximation",
    "networks",
    "network_structure",
    "network_tests",
    "network_classifiers",
    "layers",
    "selection_scores",
    "selection_information",
    "selection_wrappers",
    "selection_embedded",
    "small",
    "files",
    "dask",
    "persistence",
    "cold",
    "coverage",
    "type_one",
)

for _name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "APRENDIZ"):
    os.environ[f"{_name}_NUM_THREADS"] = str(THREADS)

warnings.simplefilter("ignore")  # a fit that stopped early shows in its quality
