"""Boosting as descent in function space: losses, gradients as whole numbers, histograms, and the growth of trees on them."""
