"""The dissimilarities of all pairs of rows, which scaling starts from."""
