"""Columns of numbers cut into bins where the classes differ: sorted values, cuts, codes of the bins."""
