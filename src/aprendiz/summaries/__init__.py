"""What one pass over the rows can say beyond the plain sums of the core: moments and triangles of all columns together, exact
quantiles, a random sample, products of wide matrices, and the sums of all folds but one.

They stand on `Rows` and `Sums` of the core; learners of all families use them.
"""
