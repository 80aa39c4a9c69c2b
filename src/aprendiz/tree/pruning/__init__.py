"""Pruning a tree: by cost complexity, by held-out rows, by a pessimistic estimate; the risk of a node."""
