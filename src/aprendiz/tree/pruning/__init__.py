"""Cutting a tree back: by the price of a leaf, by held-out rows, by a pessimistic estimate; the risk of a node."""
