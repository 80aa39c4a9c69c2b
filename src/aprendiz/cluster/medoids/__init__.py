"""Clusters around rows of the table: dissimilarities, starts, swaps of medoids, and the farthest-first order."""
