"""Tests of whether learners differ: two proportions, paired rows, paired folds, ranks over tables, posteriors. Each file has
one test and its formula; `tests_of_pairs.py` and `tests_of_tables.py` know them by name. For `compare` and
`compare_over_tables`.
"""
