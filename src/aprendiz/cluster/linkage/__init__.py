"""Hierarchies by merging: the list of merges, the algorithms of each linkage, and a check of the heights."""
