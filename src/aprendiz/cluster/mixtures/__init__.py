"""Mixtures of distributions: their components, what a pass sums over the rows, starts, and information criteria."""
