"""Subsamples that select, how often they agree, and how many columns of no use that leaves at most."""
